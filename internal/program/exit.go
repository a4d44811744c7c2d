// Package program is what the programs of chargecast share: exit codes, failures, flags, the screens of help, and the
// version.
package program

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/chargecast/chargecast/internal/termtext"
)

// An ExitCode is what scripts rely on.
type ExitCode int

// The exit codes.
const (
	ExitOK          ExitCode = 0
	ExitFindings    ExitCode = 1
	ExitUsage       ExitCode = 2
	ExitUnreadable  ExitCode = 3
	ExitInternal    ExitCode = 4
	ExitInterrupted ExitCode = 130
)

// A Failure ends a program. Its text names the place, the rule and the remedy, and holds no value of the input.
type Failure struct {
	Code ExitCode
	Text string // empty where the findings have been written already
	Help string // what to do; may be empty
}

func (f *Failure) Error() string { return f.Text }

// Usage is the failure of arguments that do not fit.
func Usage(text, help string) error { return &Failure{ExitUsage, text, help} }

// Unreadable is the failure of an input that cannot be read.
func Unreadable(text, help string) error { return &Failure{ExitUnreadable, text, help} }

// Internal is the failure of an output that cannot be written, or of the program itself.
func Internal(text, help string) error { return &Failure{ExitInternal, text, help} }

// A WriteError is the failure of stdout.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return "cannot write the output: " + Reason(e.Err) }

// ClosedPipe reports that the reader of the output has gone, which is not an error.
func (e *WriteError) ClosedPipe() bool {
	return errors.Is(e.Err, syscall.EPIPE) || errors.Is(e.Err, io.ErrClosedPipe)
}

// Reason is the system's word for what went wrong, without the path that package os puts around it.
func Reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	return "the system gave no reason"
}

// Interrupts returns what ends a program: an interrupt, a request to terminate and, unless it is to outlive its session as
// under nohup, the end of that. SIGPIPE is ignored, so that a closed stderr does not
// end the program.
func Interrupts() chan os.Signal {
	signal.Ignore(syscall.SIGPIPE) // else a closed stderr would end the program as a closed stdout does
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	return c
}

// ShellQuote returns a text as one word of a POSIX shell.
func ShellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// ShellWord returns a text as one word of a shell, as a message may show it: in quotes only where it needs them.
func ShellWord(text string) string {
	special := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("-_./=:,+%@", r) && r <= 0x7F
	}
	if shown := termtext.Visible(text); text == "" || text != shown || strings.ContainsFunc(text, special) {
		return ShellQuote(shown)
	}
	return text
}

// Panicked reports a panic, which is a fault of the program, and returns the exit code. Its value may quote input; the stack
// does not.
func Panicked(name string, line func(string)) ExitCode {
	line(name + ": internal error, a fault of " + name + " itself")
	line(string(debug.Stack()))
	return ExitInternal
}

// End writes, line by line, what ended a program, and returns its exit code. A nil err is a good end.
func End(name string, err error, line func(string)) ExitCode {
	var write *WriteError
	if errors.As(err, &write) && !write.ClosedPipe() {
		line(name + ": " + write.Error())
		return ExitInternal
	}
	var f *Failure
	switch {
	case errors.As(err, &f):
	case err == nil || write != nil:
		return ExitOK
	default: // an argument that cobra itself refused; its text repeats it
		f = &Failure{ExitUsage, "the arguments do not fit the command", name + " help lists the commands"}
	}
	if f.Text != "" {
		line(name + ": " + f.Text)
	}
	if f.Help != "" {
		for text := range strings.SplitSeq(f.Help, "\n") {
			line("  " + text)
		}
	}
	return f.Code
}
