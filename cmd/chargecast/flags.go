package main

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/program"
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
	day, err := parseDay(s)
	switch {
	case errors.Is(err, calendar.ErrNotADay):
		return noSuchDay(isoOf(s), err)
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

func wholeNumber(s string) (n uint64, ok bool) { return program.WholeNumber(s) }

func flagNames(c *cobra.Command) []string { return program.FlagNames(c) }

// didYouMean is the end of a sentence about an unknown word.
func didYouMean(word string, candidates []string, prefix string) string {
	return program.DidYouMean(word, candidates, prefix)
}

// These flags may be given several times: their values are one list.
func (*idsFlag) Repeats()      {}
func (*policyFlag) Repeats()   {}
func (*severityFlag) Repeats() {}
func (*percentsFlag) Repeats() {}

// outputFlag adds -o with the command's formats, the default first.
func outputFlag(c *cobra.Command, formats ...string) *choice {
	f := oneOf(formats...)
	c.Flags().VarP(f, "output", "o", "`FORMAT` of the output: "+strings.Join(formats, ", "))
	return f
}

// colourFlag adds --color.
func colourFlag(c *cobra.Command) *choice {
	f := oneOf("auto", "always", "never")
	c.Flags().Var(f, "color", "colours: auto means on a terminal, unless NO_COLOR is set")
	return f
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
