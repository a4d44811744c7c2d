// Chargecast-sandbox is the payment gateway of the document as a server that keeps its state in one
// file: an integrator's code sends it signed requests, and its admin interface moves the clock,
// shows every charge and says why a request was refused.
//
// The first line on stdout is a JSON object that says where the server listens; nothing else is
// written there. The log goes to stderr. Exit codes: 0 after INT or TERM, 2 for flags and a
// configuration that cannot be used, 3 for a store or another file that cannot be read, 4 for
// anything else, 75 if a fault that was asked for ended it: the next start goes on.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/chargecast/chargecast/ledger"
)

// The exit codes.
const (
	exitOK         = 0
	exitUsage      = 2
	exitUnreadable = 3
	exitFailed     = 4
	exitRestart    = 75 // a fault ended it: start it again
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the whole program. It ends with the first INT or TERM; a second one ends the process at
// once.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	signal.Ignore(syscall.SIGPIPE) // a reader of the log may go away; only the ready line must be written
	s, err := parseFlags(args, stderr)
	if err == nil {
		var answered bool
		if answered, err = s.info.run(ctx, s.flags, stdout); !answered {
			err = s.serve(ctx, stdout, stderr)
		}
	}
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	return report(stderr, err)
}

// A failure ends the program. Its text holds no value of a secret.
type failure struct {
	code int
	text string
	help string // what to do
}

func (f *failure) Error() string { return f.text }

// report writes what ended the program, and returns the exit code.
func report(w io.Writer, err error) int {
	f := &failure{code: exitFailed, text: err.Error()}
	if found, ok := errors.AsType[ledger.Finding](err); ok {
		f = &failure{exitUnreadable, found.Message, found.Help}
	}
	if own, ok := errors.AsType[*failure](err); ok {
		f = own
	}
	_, _ = fmt.Fprintf(w, "chargecast-sandbox: error: %s\n", f.text)
	if f.help != "" {
		_, _ = fmt.Fprintf(w, "  help: %s\n", f.help)
	}
	return f.code
}
