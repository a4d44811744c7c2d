package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/chargecast/chargecast/internal/program"
)

func main() {
	_ = os.Unsetenv("ZONEINFO") // package time would take the zones of --zone from it
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command: it reads and writes what it is given and returns the exit
// code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	a := newApp(stdin, stdout, stderr)
	defer func() {
		if v := recover(); v != nil {
			code = int(program.Panicked("chargecast", a.log.line))
		}
	}()
	root := newRoot(a, args)
	root.SetArgs(append([]string{}, args...))
	err := root.Execute()
	if flushed := a.out.flush(); flushed != nil {
		err = errors.Join(flushed, err)
	}
	return int(a.finish(err))
}

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

// An exitCode is what scripts rely on, and a failure ends a command.
type (
	exitCode   = program.ExitCode
	failure    = program.Failure
	writeError = program.WriteError
)

const (
	exitOK          = program.ExitOK
	exitFindings    = program.ExitFindings
	exitUsage       = program.ExitUsage
	exitUnreadable  = program.ExitUnreadable
	exitInternal    = program.ExitInternal
	exitInterrupted = program.ExitInterrupted
)

// errFindings is the end of a command that has reported its findings.
var errFindings = &failure{Code: exitFindings}

// errIncomplete is errFindings where one of them is about the payload as a whole: rows may be missing.
var errIncomplete = &failure{Code: exitFindings}

func usage(text, help string) error      { return program.Usage(text, help) }
func unreadable(text, help string) error { return program.Unreadable(text, help) }
func internal(text, help string) error   { return program.Internal(text, help) }

// finish tells the user what ended the command and returns the exit code.
func (a *app) finish(err error) exitCode {
	a.log.clear()
	return program.End("chargecast", err, a.log.line)
}

// reason is the system's word for what went wrong.
func reason(err error) string {
	if slices.Contains(packedFaults[:], err) {
		return err.Error()
	}
	return program.Reason(err)
}
