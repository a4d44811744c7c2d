// Package server is the program chargecast-sandbox: flags, files beside the store, the server, and
// its exit codes.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
)

const name = "chargecast-sandbox"

// exitRestart is the exit code after a fault that ended the server: start it again.
const exitRestart program.ExitCode = 75

// errRestart ends the server, as a fault wants it.
var errRestart = &program.Failure{Code: exitRestart, Text: "a fault ended the server", Help: "start it again"}

// Main is the whole program, and ends the process. Stamped is the version of a release; a program
// that was built otherwise has none, and shows what the toolchain recorded.
func Main(stamped string) {
	_ = os.Unsetenv("ZONEINFO") // package time would take the zones of --zone from it
	os.Exit(int(run(stamped, os.Args[1:], os.Stdout, os.Stderr)))
}

// run ends with the first INT or TERM; a second one ends the process at
// once.
func run(stamped string, args []string, stdout, stderr io.Writer) (code program.ExitCode) {
	line := func(text string) { _, _ = fmt.Fprintln(stderr, text) } // there is nowhere to report that it cannot be written
	defer func() {
		if v := recover(); v != nil {
			code = program.Panicked(name, line)
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	signal.Ignore(syscall.SIGPIPE) // a reader of the log may go away; only the ready line must be written
	root := newRoot(stamped, args, stdout, stderr)
	return program.End(name, root.ExecuteContext(ctx), line)
}

// newRoot is the tree of commands: the program itself serves.
func newRoot(stamped string, args []string, stdout, stderr io.Writer) *cobra.Command {
	s := newSettings()
	root := &cobra.Command{
		Use:   name + " [flags]",
		Short: "Runs the payment gateway of the document as a server to test against",
		Long: `chargecast-sandbox is the gateway of the document: it takes signed requests; its pages and
admin interface move the clock, show charges, and say why a request was refused. The first
start registers a demo merchant, unless --config names merchants or the store is :memory:,
and logs how to send its payload.

stdout has one line, {"type":"ready","url":"…"}, once the store is open; stderr has the log.
Exit codes: 0 ended by a signal; 2 flags or configuration; 3 a store or file that cannot be
read; 4 anything else; 75 ended by a restart fault.`,
		Example: `  chargecast-sandbox --as-of 2026-01-31
  chargecast-sandbox --listen :0 --store :memory: --config merchants.json`,
		Args: program.UnknownCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("health") {
				return healthy(c.Context(), s.health)
			}
			if err := s.check(c); err != nil {
				return err
			}
			return explained(s.serve(c.Context(), stdout, stderr))
		},
	}
	s.register(root)
	root.SetArgs(append([]string{}, args...))
	root.SetOut(stdout)
	root.SetErr(io.Discard) // what cobra says of a completion
	columns := program.Columns(stdout)
	program.Version(root, stamped, columns)
	program.Tree{Root: root, Columns: columns}.Prepare(args)
	return root
}

// explained turns the error that ended the server into one for the user. Its text has no secret.
func explained(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*program.Failure](err); ok {
		return err
	}
	if found, ok := errors.AsType[ledger.Finding](err); ok {
		return program.Unreadable(found.Message, found.Help)
	}
	return program.Internal(err.Error(), "")
}
