package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/program"
)

// newDate returns a flag that is a day in one of the two forms; the zero Date where it is not given.
func newDate() program.Flag[calendar.Date] {
	return program.NewFlag("DATE", "", calendar.Date{}, func(s string) (calendar.Date, error) {
		day, err := parseDay(s)
		switch {
		case errors.Is(err, calendar.ErrNotADay):
			return day, noSuchDay(isoOf(s), err)
		case err != nil:
			return day, usage("not a date", "write the day as YYYY-MM-DD, such as 2026-01-31")
		}
		return day, nil
	})
}

// errNoText is the error of a flag for which an empty text would be taken for a value.
var errNoText = errors.New("the value is empty")

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

// colourFlag adds --color.
func colourFlag(c *cobra.Command) *program.Flag[string] {
	f := program.OneOf("auto", "always", "never")
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
