package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/program"
)

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

// formsVar adds the flags that say how dates and amounts are written.
func formsVar(c *cobra.Command, f *exportform.Forms) {
	c.Flags().TextVar(&f.Dates, "dates", exportform.Dates(0), "`ORDER` in dates: dmy, mdy or ymd")
	c.Flags().TextVar(&f.Century, "century", exportform.Century(0), "first two digits of two-digit years, such as `20`")
	c.Flags().TextVar(&f.Decimal, "decimal", exportform.Decimal(0), "`MARK` before decimals: comma or point")
}

// currencyVar adds the project's currency.
func currencyVar(c *cobra.Command, code *string) {
	c.Flags().StringVar(code, "currency", "", "the project's currency `CODE` (default: any)")
}

// checkCurrency returns a usage error unless code is empty or has the form of a currency code.
func checkCurrency(code string) error {
	if code != "" && (len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return usage("--currency: must be a code of three capital letters", "such as --currency EUR")
	}
	return nil
}

// findingFlags are the flags about what is said of a payload.
type findingFlags struct {
	severity severityFlag
	quiet    bool
}

func (f *findingFlags) registerFindings(c *cobra.Command) {
	c.Flags().Var(&f.severity, "severity", "another severity for a code: error, warning or off; may be repeated")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "leave warnings out of messages and text")
}

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
	if c.Flags().Lookup("compare") != nil {
		help = "chargecast explain month-end shows one entry; --compare takes a FILE"
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

// completeFlags lets a shell complete the values of a command's flags: the words of a choice, the keys and values of a
// policy, files where a file is wanted, and nothing where a day or a number is.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		complete := cobra.NoFileCompletions
		switch v := f.Value.(type) {
		case *program.Flag[string]:
			complete = cobra.FixedCompletions(strings.Split(v.Type(), "|"), cobra.ShellCompDirectiveNoFileComp)
		case *policyFlag:
			complete = completePolicy
		default:
			if name, _ := pflag.UnquoteUsage(f); strings.HasSuffix(name, "FILE") || name == "DIRECTORY" {
				return // the shell's own
			}
		}
		_ = c.RegisterFlagCompletionFunc(f.Name, complete) // which fails for a flag that the command lacks, or that has one
	})
}

// completePolicy completes the last KEY=VALUE of a list.
func completePolicy(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []cobra.Completion
	for c := range engine.Keys() {
		e := c.Entry()
		if strings.Contains(","+done, ","+e.Key+"=") {
			continue
		}
		for _, r := range e.Readings {
			all = append(all, cobra.CompletionWithDesc(done+e.Key+"="+r.Value, r.Text))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
