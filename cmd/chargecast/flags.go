package main

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/calendar"
)

// A choice is the value of a flag with a closed set of words.
type choice struct {
	value string
	of    []string
}

// oneOf is a choice with its default first.
func oneOf(words ...string) *choice { return &choice{words[0], words} }

func (c *choice) String() string { return c.value }

// Type is what help shows as the flag's value.
func (c *choice) Type() string { return strings.Join(c.of, "|") }

func (c *choice) Set(s string) error {
	for _, word := range c.of {
		if s == word {
			c.value = word
			return nil
		}
	}
	return usage("no such value"+didYouMean(s, c.of, ""), "use one of "+strings.Join(c.of, ", "))
}

// A dateFlag is a day in ISO form; the zero Date where it is not given.
type dateFlag struct{ calendar.Date }

func (*dateFlag) Type() string { return "DATE" }

func (d *dateFlag) Set(s string) error {
	day, err := calendar.Parse(s)
	switch {
	case errors.Is(err, calendar.ErrNotADay):
		return noSuchDay(s, err)
	case err != nil:
		return usage("not a date", "write the day as YYYY-MM-DD, such as 2026-01-31")
	}
	d.Date = day
	return nil
}

// A countFlag is a whole number from 1; 0 where it is not given.
type countFlag int

// maxCount is the same on every machine, and hundreds of times what any series has.
const maxCount = 1<<31 - 1

func (n *countFlag) String() string { return strconv.Itoa(int(*n)) }
func (*countFlag) Type() string     { return "N" }

func (n *countFlag) Set(s string) error {
	count, ok := wholeNumber(s)
	if !ok || count == 0 || count > maxCount {
		return errors.New("must be a whole number from 1 to " + strconv.Itoa(maxCount))
	}
	*n = countFlag(count)
	return nil
}

// A sizeFlag is a countFlag of what has no other limit.
type sizeFlag int64

func (n *sizeFlag) String() string { return strconv.FormatInt(int64(*n), 10) }
func (*sizeFlag) Type() string     { return "N" }

func (n *sizeFlag) Set(s string) error {
	size, ok := wholeNumber(s)
	if !ok || size == 0 || size > math.MaxInt64 {
		return errors.New("must be a whole number from 1 to " + strconv.FormatInt(math.MaxInt64, 10))
	}
	*n = sizeFlag(size)
	return nil
}

// errNoText is the error of a flag for which an empty text would be taken for a value.
var errNoText = errors.New("the value is empty")

// wholeNumber reads decimal digits and nothing else.
func wholeNumber(s string) (n uint64, ok bool) {
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 || n > (1<<64-1-uint64(d))/10 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return n, s != ""
}

// flagError turns what the flag parser says, which repeats what was typed, into a usage
// error that does not.
func flagError(c *cobra.Command, err error) error {
	see := "see: " + c.CommandPath() + " --help"
	if value, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := value.GetFlag()
		if f.Value.Type() == "bool" { // whose error repeats the value
			return usage("--"+f.Name+" takes no value, or =true or =false", see)
		}
		if value.GetValue() == "" {
			return emptyFlag(f)
		}
		if wrong, ok := errors.AsType[*failure](errors.Unwrap(value)); ok {
			return usage("--"+f.Name+": "+wrong.text, wrong.help)
		}
		return usage("--"+f.Name+": "+errors.Unwrap(value).Error(), see)
	}
	if value, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		f := value.GetFlag()
		text := "--" + f.Name + " needs a value"
		if set, ok := f.Value.(*choice); ok {
			text += ": one of " + strings.Join(set.of, ", ")
		}
		return usage(text, see)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usage("a flag is not written --name or --name=value", see)
	}
	name := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" { // with what follows the letter, which may be a value
		return usage("unknown flag"+named("-", name)+oneHyphen(c, short), see)
	}
	return usage("unknown flag"+named("--", name)+didYouMean(name, flagNames(c), "--"), see)
}

// oneHyphen is the end of a sentence about -name, where --name is a flag: other programs take both.
func oneHyphen(c *cobra.Command, typed string) string {
	name, _, _ := strings.Cut(typed, "=")
	if c.Flags().Lookup(name) == nil {
		return ""
	}
	return "; did you mean --" + name + "?"
}

func flagNames(c *cobra.Command) []string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// outputFlag adds -o with the command's formats, the default first.
func outputFlag(c *cobra.Command, formats ...string) *choice {
	f := oneOf(formats...)
	c.Flags().VarP(f, "output", "o", "format of the output")
	return f
}

// colourFlag adds --color.
func colourFlag(c *cobra.Command) *choice {
	f := oneOf("auto", "always", "never")
	c.Flags().Var(f, "color", "colours: auto means on a terminal, unless NO_COLOR is set")
	return f
}

// takeColour adds --color to a command whose output has no colours, so that a script may give it to
// every command.
func takeColour(c *cobra.Command) {
	if c.Flags().Lookup("color") == nil {
		colourFlag(c)
		_ = c.Flags().MarkHidden("color")
	}
}

// atMostOne refuses a second argument.
func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		help := "run " + c.CommandPath() + " once for each"
		if c.Flags().Lookup("on") != nil {
			help += "; the profile is given with --profile, the day with --on"
		}
		return usage("one FILE at most is read at a time", help)
	}
	return nil
}

// noArguments refuses any argument, and says which flag takes the file that is perhaps meant.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	help := "see: " + c.CommandPath() + " --help"
	if c.Flags().Lookup("payload") != nil {
		help = "a CSV is given with --payload"
	}
	return usage(c.CommandPath()+" takes no arguments", help)
}

// firstSet is the first of the named flags that the user gave; empty for none.
func firstSet(c *cobra.Command, names ...string) string {
	for _, name := range names {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// takenEmpty are the flags for which an empty text is a value, or is reported as one that is wrong.
var takenEmpty = [...]string{"realm", "authorization", "nonce", "timestamp", "now", "param"}

// notEmpty refuses the flags that were given an empty text, which is what an unset variable
// of a shell leaves: without its file, policy or URL a command would do something else
// than was asked. Flags that take no empty text at all are refused by flagError in the same words.
func notEmpty(c *cobra.Command, _ []string) error {
	var err error
	c.Flags().Visit(func(f *pflag.Flag) {
		kind, text := f.Value.Type(), f.Value.String()
		if err == nil && (kind == "string" && text == "" || kind == "stringSlice" && text == "[]") && !slices.Contains(takenEmpty[:], f.Name) {
			err = emptyFlag(f)
		}
	})
	return err
}

// emptyFlag refuses a flag that was given an empty text.
func emptyFlag(f *pflag.Flag) error {
	what, _ := pflag.UnquoteUsage(f)
	if what == "FILE" {
		return unreadable("--"+f.Name+": the name of the file is empty", "give a path, or leave the flag out")
	}
	return usage("--"+f.Name+" is empty", "give "+what+", or leave the flag out")
}
