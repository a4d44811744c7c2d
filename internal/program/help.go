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
	Columns int      // of the terminal; 0 where there is none
	Shared  []string // the flags that several commands have; see shared
}

// screenColumns is the width of a help where there is no terminal.
const screenColumns = 80

// Prepare gives every command what all programs have: one help that fits a screen, errors that do not repeat what was typed,
// and flags of which the last of two values does not win in silence. The commands and their flags are all there by then.
func (t Tree) Prepare(args []string) {
	root := t.Root
	root.SilenceErrors, root.SilenceUsage = true, true // errors are reported once, by End
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return notEmpty(c) }
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c == root && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			return UnknownCommand(c, args[:1]) // its flags are strange because it is
		}
		return flagError(c, err)
	})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		_, _ = c.OutOrStdout().Write([]byte(t.Help(c))) // the writer keeps the error
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
		c.InitDefaultHelpFlag()
		c.Flags().Lookup("help").Usage = "show this help"
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

// Help is all that a command says of itself: what it does, how it is called, two examples, the commands below it, a line
// for each flag of its own, and the names of those that it shares with others.
func (t Tree) Help(c *cobra.Command) string {
	columns := t.columns()
	text := strings.TrimSpace(c.Long)
	if text == "" {
		text = c.Short + "."
	}
	text = paragraphs(text, columns) + "\nUsage: " + useLine(c) + "\n"
	if c.HasExample() {
		text += "\nExamples:\n" + strings.TrimRight(c.Example, "\n") + "\n"
	}
	if list := commandList(c); list != "" {
		text += "\n" + list
	}
	own, shared := t.split(c)
	text += "\nFlags:\n" + flagList(own, columns)
	see := t.Root.CommandPath() + " help flags"
	switch {
	case len(shared) > 0:
		names := paragraphs("Flags that other commands have too ("+see+"): "+strings.Join(shared, " "), columns)
		text += "\n" + strings.Replace(names, "-o=", "-o ", 1) // which kept its formats on its line
	case c == t.Root && len(t.Shared) > 0:
		text += "\n" + see + " explains the flags that several commands have.\n"
	}
	return string(termtext.AppendFolded(nil, []byte(text), columns))
}

func (t Tree) columns() int {
	if t.Columns <= 0 {
		return screenColumns
	}
	return t.Columns
}

// split are the flags of a command that have a line in its help, and how the others are named there: the shared ones,
// but for those that mean something else here. A shared flag means what the first command says that has it; -o has the
// formats of the command.
func (t Tree) split(c *cobra.Command) (own []*pflag.Flag, shared []string) {
	explained := t.shared()
	isShared := func(f *pflag.Flag) bool {
		return slices.ContainsFunc(explained, func(s *pflag.Flag) bool {
			return s.Name == f.Name && (s.Usage == f.Usage || f.Name == "output")
		})
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !isShared(f) {
			own = append(own, f)
		}
	})
	for _, name := range t.Shared {
		switch f := c.Flags().Lookup(name); {
		case f == nil || slices.Contains(own, f):
		case name == "output":
			shared = append(shared, "-o="+f.Value.Type())
		default:
			shared = append(shared, "--"+name)
		}
	}
	return own, shared
}

// shared are the flags that several commands have, with the text of the first command that has one.
func (t Tree) shared() (all []*pflag.Flag) {
	for _, name := range t.Shared {
		for _, c := range t.Root.Commands() {
			f := c.Flags().Lookup(name)
			if f == nil {
				continue
			}
			if name == "output" {
				output := *f
				output.Usage, output.DefValue = "`FORMAT` of the output; the help of each command lists its formats, the default first", ""
				f = &output
			}
			all = append(all, f)
			break
		}
	}
	return all
}

// sharedHelp is the help of the flags that several commands have.
func (t Tree) sharedHelp() string {
	return "Flags that several commands have:\n\n" + flagList(t.shared(), t.columns()) +
		"\nThe help of a command names those that it has.\n"
}

// flagList has the flags one below the other.
func flagList(flags []*pflag.Flag, columns int) string {
	names := make([]string, len(flags))
	width := 0
	for i, f := range flags {
		value, _ := pflag.UnquoteUsage(f)
		names[i] = strings.TrimRight("--"+f.Name+" "+value, " ")
		if f.Shorthand != "" {
			names[i] = "-" + f.Shorthand + ", " + names[i]
		}
		width = max(width, termtext.Cells(names[i]))
	}
	var b []byte
	for i, f := range flags {
		_, text := pflag.UnquoteUsage(f)
		if d := f.DefValue; d != "" && d != "false" && d != "[]" {
			text += " (default " + d + ")"
		}
		b = termtext.AppendHanging(append(b, "  "+termtext.Pad(names[i], width)+"  "...), width+4, columns, text)
	}
	return string(b)
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

// flagsTopic is what help explains beside the commands.
const flagsTopic = "flags"

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
			if len(t.Shared) > 0 && len(args) == 0 && strings.HasPrefix(flagsTopic, typed) {
				all = append(all, cobra.CompletionWithDesc(flagsTopic, "The flags that several commands have"))
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(t.Shared) > 0 && slices.Equal(args, []string{flagsTopic}) {
			_, err := c.OutOrStdout().Write([]byte(t.sharedHelp()))
			return err
		}
		of, rest, err := c.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return t.unknownTopic(of, rest)
		}
		_, err = c.OutOrStdout().Write([]byte(t.Help(of)))
		return err
	}
	return c
}

// unknownTopic refuses a word behind help that is neither a command of c nor a topic. The word is repeated where it
// resembles one, or is a flag.
func (t Tree) unknownTopic(c *cobra.Command, args []string) error {
	names := commandsOf(c)
	if len(names) == 0 || len(args) == 0 {
		return UnknownCommand(c, args)
	}
	what := "unknown command"
	if !c.HasParent() && len(t.Shared) > 0 {
		names, what = append(names, flagsTopic), "unknown command or topic"
	}
	hint, isFlag := DidYouMean(args[0], names, ""), false
	ForAll(t.Root, func(c *cobra.Command) { isFlag = isFlag || c.Flags().Lookup(args[0]) != nil })
	if hint != "" || isFlag {
		what += named("", args[0]) + hint
	}
	return Usage(what, "help explains "+strings.Join(names, ", "))
}

// commandsOf returns the names of the commands of c in alphabetical order.
func commandsOf(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	slices.Sort(names)
	return names
}

// UnknownCommand refuses a word that is not a command of c. The word is repeated only where it resembles one: it may be
// the value of a flag that does not exist, and a secret.
func UnknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := commandsOf(c)
	if len(names) == 0 {
		return Usage(c.CommandPath()+" has no commands", "see: "+c.CommandPath()+" --help")
	}
	text, see := "unknown command", "see: "+c.CommandPath()+" --help"
	if hint := DidYouMean(args[0], names, ""); hint != "" {
		text += named("", args[0]) + hint
	} else {
		see = "use " + strings.Join(names, ", ")
	}
	return Usage(text, see)
}
