//go:build cgo && unix

package program

/*
#include <fcntl.h>

static int closed;

__attribute__((constructor)) static void look(void) { closed = fcntl(1, F_GETFD) == -1; }

static int started_closed(void) { return closed; }
*/
import "C"

import "os"

// startedClosed reports whether stdout was closed when the program started. Package runtime puts the null device in its
// place before any Go code runs, which then no call tells from the null device that a program puts there to throw an
// output away (DEVNULL of Python, "ignore" of Node): what runs earlier is a constructor in C.
func startedClosed(*os.File, *os.File) bool { return C.started_closed() != 0 }
