package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/internal/program"
)

func main() {
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

// An app is the clock, the environment and the streams of a command.
type app struct {
	stdin io.Reader
	out   *output
	log   *messages
	now   func() time.Time

	lookupEnv func(string) (string, bool)

	stdinUsed bool // by an earlier argument
	scratch   scratch
	outIsTerm bool

	columns   int  // of the terminal that stdout is; 0 for none, where lines are not broken
	isProcess bool // the app is a program of its own, not a call in a test
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{
		stdin:     stdin,
		out:       &output{w: stdout, limit: outputBuffer},
		log:       &messages{w: stderr, columns: textColumns(stderr)},
		now:       time.Now,
		lookupEnv: os.LookupEnv,
		outIsTerm: program.IsTerminal(stdout),
		columns:   textColumns(stdout),
	}
	if a.outIsTerm {
		a.out.limit = 1
	}
	if file, ok := stdout.(*os.File); ok {
		a.isProcess = true
		a.out.w = file
		a.endOnInterrupt()
	}
	return a
}

// colourful decides about colours: --color first, then what the environment asks for.
func (a *app) colourful(flag string) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	noColour, _ := a.lookupEnv("NO_COLOR")
	return a.outIsTerm && noColour == "" && !a.isDumb()
}

// isDumb reports whether the terminal does nothing but write.
func (a *app) isDumb() bool {
	terminal, _ := a.lookupEnv("TERM")
	return terminal == "dumb"
}

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

// finish says what ended the command and returns the exit code.
func (a *app) finish(err error) exitCode {
	a.log.clear()
	return program.End("chargecast", err, a.log.line)
}

// reason is the system's word for what went wrong.
func reason(err error) string { return program.Reason(err) }

// stamped is the version that a release writes in with the linker's -X. A program that was built otherwise has none, and
// shows what the toolchain recorded.
var stamped string

// newRoot is the tree of commands, for a command line.
func newRoot(a *app, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "chargecast",
		Short: "Shows what recurring payment profiles will charge, and when",
		Long: `chargecast shows what the recurring payment profiles of a payload will be
charged, and when. For each result it says whether the gateway's document states
it, or whether the document leaves it open and chargecast assumes it.

Data goes to stdout and messages to stderr. Exit codes: 0 all well, warnings
included; 1 findings, such as an error in a row; 2 usage; 3 input that cannot be
read; 4 output that cannot be written, or an internal error; 130 interrupted.`,
		Example: `  chargecast forecast --until +1y payload.csv
  chargecast validate payload.csv`,
		Args: program.UnknownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, g := range [...]struct {
		title    string
		commands []*cobra.Command
	}{
		{"Forecasts:", []*cobra.Command{newForecast(a), newSimulate(a), newWhy(a), newDiff(a), newAssumptions(a), newReconcile(a), newProbe(a)}},
		{"Payloads:", []*cobra.Command{newValidate(a), newPayload(a), newExplain(a)}},
		{"Signatures:", []*cobra.Command{newSign(a), newCheck(a)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetIn(a.stdin)
	root.SetOut(a.out)
	root.SetErr(io.Discard) // what cobra says of a completion; ours goes to a.log
	program.Version(root, stamped, a.columns)
	program.ForAll(root, completeFlags)
	program.Tree{Root: root, Columns: a.columns, Shared: sharedFlags}.Prepare(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // cobra hands texts to a shell as they are
		program.ForAll(root, func(c *cobra.Command) {
			c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
		})
	}
	return root
}

// sharedFlags are the flags that several commands have, in the order of chargecast help flags.
var sharedFlags = strings.Fields("policy readings state charged profile exclude as-of input severity quiet color output")

// A scratch is the temporary file that an interrupt must not leave behind.
type scratch struct {
	mu   sync.Mutex
	path string // empty for none
}

// make runs do, which makes the file and returns its path.
func (s *scratch) make(do func() (path string, err error)) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.path, err = do()
	return err
}

// done runs do, which moves or removes the file.
func (s *scratch) done(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := do()
	if err == nil {
		s.path = ""
	}
	return err
}

// endOnInterrupt ends the program at a line end of its output when the user interrupts it, ends the
// session or stops it.
func (a *app) endOnInterrupt() {
	c := program.Interrupts()
	go func() {
		<-c
		signal.Stop(c)
		a.scratch.mu.Lock() // for good
		if a.scratch.path != "" {
			_ = os.Remove(a.scratch.path)
		}
		a.out.writing.Lock() // what follows from the end of the program is not written
		if a.out.inLine {
			_, _ = io.WriteString(a.out.w, "\n")
		}
		os.Exit(int(exitInterrupted))
	}()
}
