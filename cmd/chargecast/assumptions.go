package main

import (
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

func newAssumptions(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "assumptions [ID]",
		Short: "Shows what the document leaves open and how it is read",
		Long: `assumptions shows the ledger: every contradiction and every silence of the document, how
chargecast reads it, the basis of that reading, and the policy key that selects another one.
With an ID (L16b, X8) or a policy key (month-end) it shows that entry alone.

A basis is stated (the document says so), inferred (it follows from its wording) or
assumed (the document is silent).

With --compare it reads a payload instead and shows for each key what another value of
it would change in the forecast to --until: the first day, the number of profiles, and
the totals of the whole payload in the currencies concerned.`,
		Example: `  chargecast assumptions
  chargecast assumptions month-end
  chargecast assumptions -o json
  chargecast assumptions --compare payload.csv --until +1y`,
		Args: atMostOneID,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return completeSilences(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	q := new(comparing)
	q.register(c)
	format := outputFlag(c, "table", "json")
	colour := colourFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if q.path != "" && len(args) > 0 {
			return usage("--compare takes no ID", "leave out the ID or --compare")
		}
		if q.path != "" {
			return q.compare(a, format.value, colour.value)
		}
		if set := firstSet(c, "until", "profile", "exclude", "state", "severity", "quiet", "input", "as-of", "policy"); set != "" {
			return usage("--"+set+" is for --compare", "chargecast assumptions --compare FILE --until DATE")
		}
		entries, err := selectSilences(args)
		if err != nil {
			return err
		}
		if format.value == "json" {
			a.out.b = appendLedgerJSON(a.out.b, entries)
		} else {
			a.out.b = appendLedgerText(a.out.b, entries, a.text(colour.value))
		}
		a.out.endLine()
		return nil
	}
	return c
}

// silences are the entries of the ledger that are no clause of the document itself.
func silences(yield func(ledger.Entry) bool) {
	for e := range ledger.Entries() {
		if e.Clause.String()[0] >= 'A' && !yield(e) {
			return
		}
	}
}

// selectSilences returns the entry that an argument names, or without one all of them.
func selectSilences(args []string) (iter.Seq[ledger.Entry], error) {
	if len(args) == 0 {
		return silences, nil
	}
	e, ok := entryOf(args[0])
	if !ok || e.Clause.String()[0] < 'A' {
		return nil, usage("no such ID"+shownID(args[0])+didYouMean(args[0], silenceIDs(), ""),
			"chargecast assumptions lists them; chargecast explain knows codes and clauses too")
	}
	return func(yield func(ledger.Entry) bool) { yield(e) }, nil
}

// silenceIDs are the ids and policy keys of the entries.
func silenceIDs() []string {
	var ids []string
	for e := range silences {
		ids = append(ids, e.Clause.String())
		if e.Key != "" {
			ids = append(ids, e.Key)
		}
	}
	return ids
}

func completeSilences() (all []cobra.Completion) {
	for e := range silences {
		all = append(all, cobra.CompletionWithDesc(e.Clause.String(), e.Question))
		if e.Key != "" {
			all = append(all, cobra.CompletionWithDesc(e.Key, e.Question))
		}
	}
	return all
}

// atMostOneID refuses a second argument.
func atMostOneID(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("one ID at most is shown at a time", "without an ID all are listed")
	}
	return nil
}

func appendLedgerJSON(dst []byte, entries iter.Seq[ledger.Entry]) []byte {
	dst = append(dst, `{"schema":"chargecast.assumptions/1","entries":[`...)
	sep := "\n"
	for e := range entries {
		dst = append(append(dst, sep...), `{"id":`...)
		dst = strictjson.AppendString(dst, e.Clause.String())
		dst = append(dst, `,"where":`...)
		dst = strictjson.AppendString(dst, e.Where)
		dst = append(dst, `,"question":`...)
		dst = strictjson.AppendString(dst, e.Question)
		dst = append(dst, `,"basis":`...)
		dst = strictjson.AppendString(dst, e.Basis.String())
		if e.Key != "" {
			dst = append(dst, `,"key":`...)
			dst = strictjson.AppendString(dst, e.Key)
			dst = append(dst, `,"default":`...)
			dst = strictjson.AppendString(dst, e.Readings[0].Value)
		}
		dst = append(dst, `,"readings":`...)
		open := byte('[')
		for _, r := range e.Readings {
			dst = append(append(dst, open), '{')
			if r.Value != "" {
				dst = append(dst, `"value":`...)
				dst = append(strictjson.AppendString(dst, r.Value), ',')
			}
			dst = append(dst, `"text":`...)
			dst = append(strictjson.AppendString(dst, r.Text), '}')
			open = ','
		}
		dst = append(dst, "]}"...)
		sep = ",\n"
	}
	return append(dst, "\n]}\n"...)
}

func appendLedgerText(dst []byte, entries iter.Seq[ledger.Entry], p paint) []byte {
	dst = append(dst, "What the document leaves open, and how it is read. --policy KEY=VALUE selects another reading.\n"...)
	for e := range entries {
		dst = append(dst, '\n')
		dst = p.bold(dst, e.Clause.String())
		dst = append(dst, "  "+e.Question+" ("+e.Where+", "+e.Basis.String()+")\n"...)
		if e.Key == "" {
			dst = p.wrapped(dst, "      ", e.Readings[0].Text)
			continue
		}
		width := 0
		for _, r := range e.Readings {
			width = max(width, len(e.Key)+1+len(r.Value))
		}
		for i, r := range e.Readings {
			mark := "    "
			if i == 0 {
				mark = "  * " // the default
			}
			setting := e.Key + "=" + r.Value
			dst = append(dst, mark...)
			dst = p.bold(dst, setting)
			dst = append(dst, strings.Repeat(" ", width-len(setting)+2)...)
			dst = p.hanging(dst, 4+width+2, r.Text)
		}
	}
	return append(dst, "\n* the default\n"...)
}
