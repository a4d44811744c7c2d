//go:build !cgo || !unix

package program

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// startedClosed guesses whether stdout, which is the null device, was closed when the program started: see the file for
// cgo. What is taken for closed is what a shell has started whose own stdout is another one: >&- is how stdout is closed,
// and a shell mostly opens the null device for writing only.
func startedClosed(stdout, stderr *os.File) bool {
	if IsNull(stderr) {
		return false
	}
	if _, err := stdout.Read(make([]byte, 1)); err != io.EOF {
		return false
	}
	parent := "/proc/" + strconv.Itoa(os.Getppid())
	name, err := os.ReadFile(parent + "/comm")
	if err != nil || !slices.Contains([]string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "zsh"}, strings.TrimSpace(string(name))) {
		return false
	}
	null, err1 := os.Stat(os.DevNull)
	own, err2 := os.Stat(parent + "/fd/1")
	return err1 == nil && (err2 != nil || !os.SameFile(null, own))
}
