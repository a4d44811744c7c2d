package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/rules"
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

// completeFlags lets a shell complete the values of a command's flags: the words of a
// choice, the keys and values of a policy with what they mean, the ids of a payload that
// is named already, files where a file is wanted, and nothing where a day or a number is.
func completeFlags(a *app, c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		// It fails only for a flag that the command lacks or that has one already.
		_ = c.RegisterFlagCompletionFunc(f.Name, completionOf(a, f))
	})
}

func completionOf(a *app, f *pflag.Flag) cobra.CompletionFunc {
	switch v := f.Value.(type) {
	case *program.Flag[string]:
		return cobra.FixedCompletions(described(f.Name, strings.Split(v.Type(), "|")), cobra.ShellCompDirectiveNoFileComp)
	case *policyFlag:
		return completePolicy
	case *severityFlag:
		return completeSeverity
	}
	switch name, _ := pflag.UnquoteUsage(f); {
	case strings.HasSuffix(name, "FILE"):
		return nil // the shell's own
	case name == "DIRECTORY":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case name == "ID":
		return completeIDs(a)
	case name == "KEY,...":
		return completeKeys
	}
	return cobra.NoFileCompletions
}

// meanings are what the words of a choice mean, where the word alone does not say it. An empty flag
// stands for every flag.
var meanings = [...]struct{ flag, word, text string }{
	{"", "table", "for people"},
	{"", "text", "for people"},
	{"", "calendar", "months as grids, shaded by what is charged"},
	{"", "json", "one document"},
	{"", "ndjson", "one JSON record a line"},
	{"output", "csv", "for spreadsheets"},
	{"", "ics", "for calendar programs"},
	{"", "html", "one page with charts, in one file"},
	{"", "github", "annotations of GitHub Actions"},
	{"", "junit", "a JUnit report"},
	{"", "header", "the Authorization header"},
	{"", "curl", "a curl command"},
	{"by", "charge", "every charge"},
	{"by", "day", "totals of each day"},
	{"by", "week", "totals of each week, ISO 8601"},
	{"by", "month", "totals of each month"},
	{"by", "quarter", "totals of each quarter"},
	{"by", "weekday", "totals of all Mondays, all Tuesdays and so on"},
	{"by", "profile", "totals of each profile"},
	{"input", "auto", "recognise it"},
	{"input", "csv", "the CSV itself"},
	{"input", "base64", "base64 of the CSV"},
	{"input", "form", "a form body with payload="},
	{"to", "form", "a form body with payload="},
	{"to", "base64", "base64 of the CSV"},
	{"color", "auto", "on a terminal, unless NO_COLOR is set"},
	{"color", "always", "even in a file"},
	{"color", "never", "no colours"},
	{"method", "RSA-SHA256", "with --key"},
	{"method", "HMAC-SHA1", "with --secret-file or --secret-env"},
}

// described returns the words of a flag with their meanings.
func described(flag string, words []string) []cobra.Completion {
	var all []cobra.Completion
	for _, word := range words {
		text := ""
		for _, m := range meanings {
			if m.word == word && (m.flag == "" || m.flag == flag) {
				text = m.text
			}
		}
		all = append(all, cobra.CompletionWithDesc(word, text))
	}
	return all
}

// completeSeverity completes the code, then the severity behind it, of the last item of a list.
func completeSeverity(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	code, _, isWhole := strings.Cut(typed[len(done):], "=")
	var all []cobra.Completion
	for r := range rules.Rules() {
		switch {
		case !isWhole && strings.HasPrefix(string(r.Code), code):
			all = append(all, cobra.CompletionWithDesc(done+string(r.Code)+"=", r.Text))
		case isWhole && string(r.Code) == code:
			for _, severity := range [...]string{"error", "warning", "off"} {
				all = append(all, cobra.CompletionWithDesc(done+code+"="+severity, r.Text))
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
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

// completeKeys completes the last policy key of a list.
func completeKeys(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []cobra.Completion
	for c := range engine.Keys() {
		if e := c.Entry(); !strings.Contains(","+done, ","+e.Key+",") {
			all = append(all, cobra.CompletionWithDesc(done+e.Key, e.Question))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// maxCompletedRows and maxCompletions keep a key press short, whatever the file.
const (
	maxCompletedRows = 100_000
	maxCompletions   = 100
)

// completeIDs completes a client-orderid from the files that are named already. An id that holds a
// card number is left out.
func completeIDs(a *app) cobra.CompletionFunc {
	return func(c *cobra.Command, files []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if f := c.Flags().Lookup("compare"); f != nil && f.Changed { // whose value is the payload
			files = []string{f.Value.String()}
		}
		var all []cobra.Completion
		for _, path := range files {
			if path != "-" { // which is the user's terminal
				all = a.appendIDs(all, path, typed)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *app) appendIDs(all []cobra.Completion, path, typed string) []cobra.Completion {
	in, err := a.openText(path)
	if err != nil {
		return all
	}
	defer in.close()
	for row := range rules.NewReader(in, rules.Options{AsOf: calendar.MinDate(), ScheduleOnly: true, MaxRows: maxCompletedRows, MaxOrderIDs: -1}).Rows() {
		if row == nil || !strings.HasPrefix(row.OrderID(), typed) || row.ShownID != row.OrderID() {
			continue
		}
		if len(all) == maxCompletions {
			break
		}
		all = append(all, cobra.CompletionWithDesc(visible(row.OrderID()), "row "+strconv.Itoa(row.Number)+", "+row.Currency))
	}
	return all
}
