package program

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/internal/termtext"
)

// A Tree is a program's tree of commands, with what its help needs to know.
type Tree struct {
	Root    *cobra.Command
	Columns int               // of the terminal; 0 where there is none
	First   map[string]string // by the path of a command, the flags that its first screen of help shows; the first sixteen where it has none
}

// The first screen of help fits this terminal, with a line left for the prompt.
const (
	screenLines   = 23
	screenColumns = 80
)

// Prepare gives every command what all programs have: help that fits a screen, errors that do not repeat what was typed,
// and flags of which the last of two values does not win in silence. The commands and their flags are all there by then.
func (t Tree) Prepare(args []string) {
	root := t.Root
	root.SilenceErrors, root.SilenceUsage = true, true // errors are reported once, by End
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if f := c.Flags().Lookup("all"); f != nil && f.Changed && c.Name() != "help" {
			return Usage("--all is for --help", c.CommandPath()+" --help --all shows every flag")
		}
		return notEmpty(c)
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c == root && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			return UnknownCommand(c, args[:1]) // its flags are strange because it is
		}
		return flagError(c, err)
	})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		all, _ := c.Flags().GetBool("all")
		_, _ = c.OutOrStdout().Write([]byte(t.Help(c, all))) // the writer keeps the error
	})
	root.SetHelpCommand(t.helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completionCommand(root)
	ForAll(root, func(c *cobra.Command) {
		c.Flags().SortFlags = false
		if c.HasSubCommands() && !c.Runnable() {
			c.Args = UnknownCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		c.Flags().Bool("all", false, "with --help: every flag, and the whole text")
		_ = c.Flags().MarkHidden("all") // every screen of help says it
		c.InitDefaultHelpFlag()
		c.Flags().Lookup("help").Usage = "show this help; with --all, all of it"
		if len(args) == 0 || !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // which parses the flags twice
			singles(c)
		}
	})
}

// ForAll visits c and everything below it.
func ForAll(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		ForAll(sub, visit)
	}
}

// Help is the first screen of a command's help, or all of it.
func (t Tree) Help(c *cobra.Command, all bool) string {
	columns := t.Columns
	if columns <= 0 {
		columns = screenColumns
	}
	var text string
	if all {
		text = t.whole(c, columns)
	} else {
		text = t.screen(c, columns)
	}
	return string(termtext.AppendFolded(nil, []byte(text), columns))
}

// screen is what most users need first: a line for each flag, and as many examples as fit, one at least.
func (t Tree) screen(c *cobra.Command, columns int) string {
	more := c.CommandPath() + " --help --all shows every flag, and more."
	if c.HasAvailableSubCommands() {
		more = c.CommandPath() + " COMMAND --help shows its flags; --help --all shows more."
	}
	list := commandList(c)
	if list == "" || strings.HasSuffix(useLine(c), "]") {
		if list != "" {
			list += "\n"
		}
		list += t.first(c).FlagUsages()
	}
	var b strings.Builder
	b.WriteByte('\n')
	for line := range strings.Lines(list) {
		b.WriteString(oneLine(strings.TrimSuffix(line, "\n"), columns) + "\n")
	}
	rest := b.String() + "\n" + more + "\n"
	text := c.Short + ".\n\nUsage: " + useLine(c) + "\n"
	for example := range strings.Lines(strings.TrimRight(c.Example, "\n")) {
		if n := strings.Count(text, "\n"); strings.HasSuffix(example, "\\\n") || len(example) > columns || n > 3 && n+strings.Count(rest, "\n") >= screenLines {
			break
		}
		text += strings.TrimRight(example, "\n") + "\n"
	}
	return text + rest
}

// first are the flags that the first screen of a command's help shows.
func (t Tree) first(c *cobra.Command) *pflag.FlagSet {
	const most = 16
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	n := 0
	add := func(f *pflag.Flag) {
		if f != nil && !f.Hidden && n < most {
			n++
			flags.AddFlag(f)
		}
	}
	if names, some := t.First[c.CommandPath()]; some {
		for name := range strings.FieldsSeq(names) {
			add(c.Flags().Lookup(name))
		}
	} else {
		c.LocalFlags().VisitAll(add)
	}
	return flags
}

// oneLine cuts a line that is too wide where its last clause or word begins that still fits.
func oneLine(line string, columns int) string {
	if termtext.Cells(line) <= columns {
		return line
	}
	line = termtext.Cut(line, columns-1)
	for _, end := range [...]string{"; ", " (", ": ", ", "} {
		if at := strings.LastIndex(line, end); at > columns*2/3 {
			return strings.TrimRight(line[:at], " ")
		}
	}
	return strings.TrimRight(line[:max(0, strings.LastIndexByte(line, ' '))], " ,;:") + " …"
}

// whole is everything that is known of a command.
func (t Tree) whole(c *cobra.Command, columns int) string {
	text := strings.TrimSpace(c.Long)
	if text == "" {
		text = c.Short + "."
	}
	text = paragraphs(text, columns) + "\nUsage:\n  " + useLine(c) + "\n"
	if c.HasExample() {
		text += "\nExamples:\n" + strings.TrimRight(c.Example, "\n") + "\n"
	}
	if list := commandList(c); list != "" {
		text += "\n" + list
	}
	if c.HasAvailableLocalFlags() {
		text += "\nFlags:\n" + c.LocalFlags().FlagUsagesWrapped(columns)
	}
	return text
}

// paragraphs breaks the paragraphs of a text anew; what is indented keeps its lines.
func paragraphs(text string, columns int) string {
	var b []byte
	for i, part := range strings.Split(text, "\n\n") {
		if i > 0 {
			b = append(b, '\n')
		}
		if strings.HasPrefix(part, " ") {
			b = append(b, part+"\n"...)
		} else {
			b = termtext.AppendHanging(b, 0, columns, strings.ReplaceAll(part, "\n", " "))
		}
	}
	return string(b)
}

func useLine(c *cobra.Command) string {
	if c.HasAvailableSubCommands() && !strings.Contains(c.Use, "[") {
		return c.CommandPath() + " COMMAND"
	}
	return c.UseLine()
}

// commandList lists the commands below c by their groups, the ones without a group last.
func commandList(c *cobra.Command) string {
	var b strings.Builder
	groups := c.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		title := g.Title + "\n"
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && sub.IsAvailableCommand() {
				b.WriteString(title + "  " + termtext.Pad(sub.Name(), c.NamePadding()) + "  " + sub.Short + "\n")
				title = ""
			}
		}
	}
	if len(c.Groups()) > 0 { // the others are known from other programs, and take one line
		var others []string
		for _, sub := range c.Commands() {
			if sub.GroupID == "" && sub.IsAvailableCommand() {
				others = append(others, sub.Name())
			}
		}
		b.WriteString("Other commands: " + strings.Join(others, ", ") + "\n")
	}
	return b.String()
}

func (t Tree) helpCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Shows the help of a command",
		Args:  cobra.ArbitraryArgs,
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			of, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var all []cobra.Completion
			for _, sub := range of.Commands() {
				if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
					all = append(all, cobra.CompletionWithDesc(sub.Name(), sub.Short))
				}
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		of, rest, err := c.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return UnknownCommand(of, rest)
		}
		all, _ := c.Flags().GetBool("all")
		_, err = c.OutOrStdout().Write([]byte(t.Help(of, all)))
		return err
	}
	return c
}

// UnknownCommand refuses a word that is not a command of c. The word is repeated only where it resembles one: it may be
// the value of a flag that does not exist, and a secret.
func UnknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if len(names) == 0 {
		return Usage(c.CommandPath()+" has no commands", "see: "+c.CommandPath()+" --help")
	}
	slices.Sort(names)
	text, see := "unknown command", "see: "+c.CommandPath()+" --help"
	if hint := DidYouMean(args[0], names, ""); hint != "" {
		text += named("", args[0]) + hint
	} else if c.HasParent() {
		see = "use " + strings.Join(names, ", ")
	}
	return Usage(text, see)
}
