package main

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/termtext"
)

// newRoot is the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "chargecast",
		Short: "Shows what recurring payment profiles will charge, and when",
		Long: `chargecast shows what will be charged when for the recurring payment profiles of a payload.
It says of each result whether the gateway's document states it, or whether the document
leaves it open and chargecast assumes it.

Data goes to stdout and messages to stderr. Exit codes: 0 all well, warnings
included; 1 findings, such as an error in a row; 2 usage; 3 input that cannot be
read; 4 output that cannot be written, or an internal error; 130 interrupted.

Text is as wide as the terminal, or 80 columns where there is none; some commands take
--width. If a flag that takes one value is given twice, the last one counts. An
empty value is refused, except by --realm.`,
		Example: `  chargecast forecast --until +1y payload.csv
  chargecast forecast --next 3 --explain payload.csv
  chargecast validate payload.csv
  chargecast why --profile order-1 --on 2026-02-28 payload.csv
  chargecast assumptions`,
		// Errors are reported once, by finish, without what was typed.
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: notEmpty,
	}
	root.AddCommand(
		newForecast(a),
		newSimulate(a),
		newMerge(a),
		newWhy(a),
		newDiff(a),
		newValidate(a),
		newPayload(a),
		newRules(a),
		newExplain(a),
		newAssumptions(a),
		newSign(a),
		newCheck(a),
		gone("verify", "check"), gone("diagnose", "check"), gone("trace", "check --trace"),
		newConform(a),
		newRepro(a),
		newCampaign(a),
		newMan(a),
		newVersion(a),
	)
	root.SetIn(a.stdin)
	root.SetOut(a.out)
	root.SetErr(io.Discard) // what cobra says of a completion; ours goes to a.log
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c == root && len(a.words) > 0 {
			return unknownCommand(c, a.words) // its flags are strange because it is
		}
		return flagError(c, err)
	})
	root.SetHelpTemplate(strings.Replace(helpTemplate, "FlagUsages", "FlagUsagesWrapped "+strconv.Itoa(a.columns), 1))
	fitHelp(a, root)
	root.SetHelpCommand(newHelp())
	root.InitDefaultCompletionCmd()
	addVersion(a, root)
	group(root)
	forAll(root, func(c *cobra.Command) {
		c.Flags().SortFlags = false
		if c.HasSubCommands() && !c.Runnable() {
			c.Args = unknownCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		takeColour(c)
		c.InitDefaultHelpFlag()
		c.Flags().Lookup("help").Usage = "show this help"
		completeFlags(a, c)
	})
	if len(a.words) > 0 && strings.HasPrefix(a.words[0], cobra.ShellCompRequestCmd) {
		plainUsages(root)
	}
	return root
}

// groups is how the help of the root lists the commands; the ones that it lacks come
// last.
var groups = [...]struct{ title, commands string }{
	{"Forecasts:", " forecast simulate merge why diff assumptions "},
	{"Payloads:", " validate rules explain payload "},
	{"Signatures:", " sign check "},
	{"Conformance:", " conform repro campaign "},
	{"Other commands:", ""},
}

// group puts the commands of the root into the groups.
func group(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
	}
	for _, c := range root.Commands() {
		c.GroupID = groups[len(groups)-1].title
		for _, g := range groups {
			if strings.Contains(g.commands, " "+c.Name()+" ") {
				c.GroupID = g.title
			}
		}
		if c.Name() == "completion" {
			describeCompletion(c)
		}
	}
}

// helpTemplate shows what a command does, then how, then every flag.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}Usage:
{{if and .Runnable (not .HasAvailableSubCommands)}}  {{.UseLine}}
{{end}}{{if .HasAvailableSubCommands}}  {{.CommandPath}} COMMAND
{{end}}{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{if and .HasAvailableSubCommands (not .Groups)}}
Commands:
{{range .Commands}}{{if .IsAvailableCommand}}  {{rpad .Name .NamePadding}}  {{.Short}}
{{end}}{{end}}{{end}}{{range $group := .Groups}}
{{.Title}}
{{range $.Commands}}{{if and .IsAvailableCommand (eq .GroupID $group.ID)}}  {{rpad .Name .NamePadding}}  {{.Short}}
{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
{{.CommandPath}} COMMAND --help shows what a command does, with its flags.
{{end}}`

// fitHelp breaks the lines of help that are longer than the terminal is wide.
func fitHelp(a *app, root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		var text bytes.Buffer
		root.SetOut(&text)
		show(c, args)
		root.SetOut(a.out)
		_, _ = a.out.Write([]byte(fitted(text.String(), a.columns))) // an error stays in out
	})
}

// fitted is a help for a terminal: the paragraphs of its description are one line each before they are
// broken anew; what is indented keeps its lines, and the commands of the examples can still be pasted.
func fitted(help string, columns int) string {
	if columns <= 0 {
		return help
	}
	description, rest, _ := strings.Cut(help, "\nUsage:\n")
	var b, paragraph []byte
	for line := range strings.Lines(description + "\n") {
		if isText := line != "\n" && line[0] != ' '; isText {
			paragraph = append(paragraph, line...)
			continue
		}
		if len(paragraph) > 0 {
			b = termtext.AppendHanging(b, 0, columns, string(paragraph))
			paragraph = paragraph[:0]
		}
		b = append(b, line...)
	}
	before, examples, _ := strings.Cut("\nUsage:\n"+rest, "\nExamples:\n")
	if examples == "" {
		return string(termtext.AppendFolded(nil, append(b, before[1:]...), columns))
	}
	examples, after, _ := strings.Cut(examples, "\n\n")
	b = append(append(b, before[1:]...), "\nExamples:\n"...)
	for line := range strings.SplitSeq(examples, "\n") {
		b = appendCommand(b, line, columns)
	}
	return string(termtext.AppendFolded(nil, append(b, "\n"+after...), columns))
}

// isFlag reports whether the last word of a part of a command is a flag, whose value may follow.
func isFlag(s string) bool { return strings.HasPrefix(s[strings.LastIndexByte(s, ' ')+1:], "-") }

// appendCommand appends a line of a shell command, broken where the shell goes on with the next line
// if it is wider than the terminal: at spaces outside quotes, with a backslash.
func appendCommand(dst []byte, line string, columns int) []byte {
	const indent, goesOn = "    ", " \\"
	for termtext.Cells(line) > columns {
		at := 0
		quote := byte(0)
		for i := len(indent) + 1; i < len(line) && i+len(goesOn) <= columns; i++ {
			switch c := line[i]; {
			case c == '\'' || c == '"':
				if quote == 0 {
					quote = c
				} else if quote == c {
					quote = 0
				}
			case c == ' ' && quote == 0 && (at == 0 || !isFlag(line[at:i])):
				at = i
			}
		}
		if at == 0 {
			break // a word is wider than the terminal
		}
		dst = append(append(append(dst, line[:at]...), goesOn...), '\n')
		line = indent + strings.TrimLeft(line[at:], " ")
	}
	return append(append(dst, line...), '\n')
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Shows the help of a command",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeCommands,
		RunE: func(c *cobra.Command, args []string) error {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(of, rest)
			}
			return of.Help()
		},
	}
}

// unknownCommand refuses a word that is no command of c.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	slices.Sort(names)
	word, see := args[0], "see: "+c.CommandPath()+" --help"
	if nearest(word, names) == "" && c.HasParent() {
		see = "use " + strings.Join(names, ", ")
	}
	return usage("unknown command"+named("", word)+didYouMean(word, names, ""), see)
}

// forAll visits c and everything below it.
func forAll(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		forAll(sub, visit)
	}
}

// gone is a command that another one has replaced.
func gone(name, by string) *cobra.Command {
	return &cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error {
		return usage("there is no command "+name+" any more", "use chargecast "+by)
	}}
}
