package main

import (
	"crypto/fips140"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/kit/conform"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

const name = "chargecast-conform"

// stamped is the version that a release writes in with the linker's -X.
var stamped string

func main() {
	os.Exit(int(run(os.Args[1:], os.Stdout, os.Stderr)))
}

// run is the whole program: it writes to what it is given and returns the exit code.
func run(args []string, stdout, stderr io.Writer) (code program.ExitCode) {
	a := &app{stdout: &writer{Writer: stdout}, stderr: stderr, columns: program.Columns(stdout), terminal: program.Columns(stderr) > 0, stop: make(chan struct{})}
	_, isProcess := stdout.(*os.File)
	if isProcess {
		a.endOnInterrupt()
		if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
			debug.SetGCPercent(400) // judging allocates much and keeps nothing
		}
	}
	defer func() {
		if v := recover(); v != nil {
			code = program.Panicked(name, a.line)
		}
	}()
	root := newRoot(a, args)
	root.SetArgs(append([]string{}, args...))
	root.SetOut(a.stdout)
	root.SetErr(io.Discard) // what cobra says of a completion
	err := root.Execute()
	return program.End(name, errors.Join(a.stdout.err, err), a.line)
}

// An app is all that a command may touch of the world outside.
type app struct {
	stdout   *writer
	stderr   io.Writer
	columns  int                             // of the terminal that stdout is; 0 for none
	terminal bool                            // stderr is one
	judged   atomic.Pointer[conform.Program] // the program under test
	stop     chan struct{}                   // closed by an interrupt: the run ends with its report
}

// A writer keeps the error of stdout, which a help or a completion script does not return.
type writer struct {
	io.Writer
	err error
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = &program.WriteError{Err: err}
	}
	return n, w.err
}

// write writes a report, whose text fits the terminal.
func (a *app) write(format string, text []byte) error {
	if format == "text" && a.columns > 0 {
		text = termtext.AppendFolded(nil, text, a.columns)
	}
	_, err := a.stdout.Write(text)
	return err
}

// line writes a message. There is nowhere to report that it cannot be written.
func (a *app) line(s string) { _, _ = fmt.Fprintln(a.stderr, s) }

// lastReply is how long a program under test may go on after an interrupt, so that the run can end with its report.
const lastReply = 500 * time.Millisecond

// endOnInterrupt ends the run with its report, and at a second interrupt at once. A program under test may never reply.
func (a *app) endOnInterrupt() {
	c := program.Interrupts()
	go func() {
		<-c
		close(a.stop)
		p := a.judged.Load()
		if p == nil {
			<-c
			os.Exit(int(program.ExitInterrupted))
		}
		select {
		case <-c:
		case <-time.After(lastReply):
		}
		p.Close()
		os.Exit(int(program.ExitInterrupted))
	}()
}

// judgesSigning refuses to run laws where their own signatures cannot be made.
func judgesSigning() error {
	if fips140.Enforced() {
		return program.Usage("the laws about signatures use SHA-1, which the FIPS 140-only mode of Go forbids", "run without GODEBUG=fips140=only")
	}
	return nil
}

func newRoot(a *app, args []string) *cobra.Command {
	f := newFlags()
	root := &cobra.Command{
		Use:   name + " [flags] [-- CMD [ARG...]]",
		Short: "Tests a program in any language against the laws of the domain",
		Long: `chargecast-conform starts CMD and asks it for forecasts, simulations, validations and signatures,
each with one JSON line, as docs/conform-protocol.md describes. Without CMD it judges chargecast
itself. A case that breaks a law is shown as a payload, with the right answer and a token for
repro. Laws about an operation that CMD lacks are not covered; an answer that fits another
interpretation is unspecified. A case may take five seconds and 1 GiB of memory.

Exit codes: 0 all judged laws hold; 1 a law fails, or none could be judged; 2 usage, or CMD
cannot be started; 3 input cannot be read; 4 output cannot be written; 130 interrupted.`,
		Example: `  chargecast-conform --ordinary -- ./my-scheduler
  chargecast-conform --policy month-end=skip -o junit -- python3 scheduler.py`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		Args: func(c *cobra.Command, args []string) error {
			switch dash := c.ArgsLenAtDash(); {
			case dash < 0 && len(args) > 0 || dash > 0:
				return program.Usage("unknown command"+program.DidYouMean(args[0], []string{"repro", "laws", "version", "completion"}, ""),
					"the program to test comes after --, such as: chargecast-conform -- ./my-scheduler")
			case dash == 0 && len(args) == 0: // an empty variable of a script, perhaps
				return errNoProgram()
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := judgesSigning(); err != nil {
				return err
			}
			return f.judge(a, c, args)
		},
	}
	f.register(root)
	root.AddCommand(newRepro(a), newLaws(a))
	program.Version(root, stamped, a.columns)
	program.Tree{Root: root, Columns: a.columns}.Prepare(args)
	return root
}

func errNoProgram() error {
	return program.Usage("no program is given behind --", "give CMD, or leave -- out to judge chargecast itself")
}

// quoted is what a user typed, for a message.
func quoted(text string) string { return `"` + termtext.Visible(text) + `"` }
