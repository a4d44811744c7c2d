package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/internal/program"
)

// stamped is the version that a release writes in with the linker's -X. A program that was built otherwise has none, and
// shows what the toolchain recorded.
var stamped string

// newRoot is the tree of commands, for a command line.
func newRoot(a *app, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "chargecast",
		Short: "Shows what recurring payment profiles will charge, and when",
		Long: `chargecast shows what will be charged when for the recurring payment profiles of a
payload. It says of each result whether the gateway's document states it, or whether the
document leaves it open and chargecast assumes it.

Data goes to stdout and messages to stderr. Exit codes: 0 all well, warnings included;
1 findings, such as an error in a row; 2 usage; 3 input that cannot be read; 4 output that
cannot be written, or an internal error; 130 interrupted.

Text is as wide as the terminal, or 80 columns where there is none; some commands take
--width. A flag that takes one value is refused when it is given twice. An empty value is
refused, except by --realm.`,
		Example: `  chargecast forecast --until +1y payload.csv
  chargecast forecast --next 3 --explain payload.csv
  chargecast validate payload.csv
  chargecast why --profile order-1 --on 2026-02-28 payload.csv
  chargecast assumptions`,
		Args: program.UnknownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, g := range [...]struct {
		title    string
		commands []*cobra.Command
	}{
		{"Forecasts:", []*cobra.Command{newForecast(a), newSimulate(a), newMerge(a), newWhy(a), newDiff(a), newAssumptions(a)}},
		{"Payloads:", []*cobra.Command{newValidate(a), newPayload(a), newExplain(a)}},
		{"Signatures:", []*cobra.Command{newSign(a), newCheck(a)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.AddCommand(gone("verify", "check"), gone("diagnose", "check"), gone("trace", "check --trace"))
	root.SetIn(a.stdin)
	root.SetOut(a.out)
	root.SetErr(io.Discard) // what cobra says of a completion; ours goes to a.log
	program.Version(root, stamped, a.columns)
	program.ForAll(root, func(c *cobra.Command) {
		takeColour(c)
		completeFlags(a, c)
	})
	program.Tree{Root: root, Columns: a.columns, First: firstFlags}.Prepare(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		plainUsages(root)
	}
	return root
}

// gone is a command that another one has replaced.
func gone(name, by string) *cobra.Command {
	return &cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error {
		return usage("there is no command "+name+" any more", "use chargecast "+by)
	}}
}

// takeColour adds --color to a command whose output has no colours, so that a script may give it to every command.
func takeColour(c *cobra.Command) {
	if c.Flags().Lookup("color") == nil {
		colourFlag(c)
		_ = c.Flags().MarkHidden("color")
	}
}

// plainUsages takes the marks around the names of values out of the texts of all flags: cobra hands the texts to a shell as
// they are. No help is shown afterwards.
func plainUsages(root *cobra.Command) {
	program.ForAll(root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	})
}

// firstFlags are the flags that the first screen of a command's help shows, the most wanted first. A command that is not
// here shows the first sixteen.
var firstFlags = map[string]string{
	"chargecast forecast":    "until next from as-of profile state policy by explain output save-state quiet",
	"chargecast simulate":    "until next script seed as-of profile state policy by explain output",
	"chargecast why":         "profile on as-of state script policy output",
	"chargecast diff":        "until next as-of old-policy new-policy profile summary output",
	"chargecast validate":    "as-of currency strict severity quiet policy output",
	"chargecast assumptions": "compare until policy profile state output",
	"chargecast sign":        "url payload form param method consumer-key key secret-file secret-env output",
}
