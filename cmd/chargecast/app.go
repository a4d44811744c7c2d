package main

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/chargecast/chargecast/internal/program"
)

// An app is all that a command may touch of the world outside.
type app struct {
	stdin  io.Reader
	out    *output
	log    *messages
	now    func() time.Time
	getenv func(string) string

	stdinUsed bool // by an earlier argument
	scratch   scratch
	sums      *checkSums // of the files that are read; nil where nobody wants them
	outIsTerm bool

	columns   int  // of the terminal that stdout is; 0 for none, where lines are not broken
	isProcess bool // the app is a program of its own, not a call in a test
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{
		stdin:     stdin,
		out:       &output{w: stdout, limit: outputBuffer},
		log:       &messages{w: stderr, columns: columnsOf(stderr)},
		now:       time.Now,
		getenv:    os.Getenv,
		outIsTerm: isTerminal(stdout),
		columns:   columnsOf(stdout),
	}
	if a.outIsTerm {
		a.out.limit = 1
	}
	if file, ok := stdout.(*os.File); ok {
		a.isProcess = true
		if messages, ok := stderr.(*os.File); ok {
			a.out.w = program.Stdout(file, messages)
		}
		// Without this a closed stderr would end the program as a closed stdout does.
		signal.Ignore(syscall.SIGPIPE)
		a.endOnInterrupt()
	}
	return a
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colourful decides about colours: --color first, then what the environment asks for.
func (a *app) colourful(flag string) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	return a.outIsTerm && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
}
