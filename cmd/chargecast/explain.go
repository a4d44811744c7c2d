package main

import (
	"encoding/json"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature/diagnose"
)

func newExplain(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain ID",
		Short: "Explains a code, a clause, a ledger entry, a policy key or a mistake of signing",
		Long: `explain looks up one ID: a code of a finding (date-syntax), a clause of the document
(2.2.6), a ledger entry (L16b, X8), a policy key or value (month-end, month-end=skip, clamp),
a mistake of signing (plus-for-space) or a change of payload fix (date-iso). chargecast rules,
assumptions, diagnose --list and payload fix --list list them.`,
		Example: `  chargecast explain date-syntax
  chargecast explain 2.2.6
  chargecast explain month-end=skip
  chargecast explain -o json plus-for-space`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return completeExplainable(), cobra.ShellCompDirectiveNoFileComp
		},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("give one ID", "chargecast rules, assumptions, diagnose --list and payload fix --list list them")
			}
			return nil
		},
	}
	format := outputFlag(c, "text", "json")
	colour := colourFlag(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		e, ok := explanationOf(args[0])
		if !ok {
			return usage("no such ID"+shownID(args[0])+didYouMean(args[0], explainable(), ""), "chargecast rules, assumptions, diagnose --list and payload fix --list list them")
		}
		if format.value == "json" {
			a.out.b = append(e.json(a.out.b), '\n')
		} else {
			a.out.b = e.text(a.out.b, a.text(colour.value))
		}
		a.out.endLine()
		return nil
	}
	return c
}

// shownID is an unknown ID in quotes, behind a space; empty for a text too long to be one. What looks like a
// card number is masked.
func shownID(id string) string {
	const longest = 40
	if len(id) > longest {
		return ""
	}
	return " " + quoted(rules.Mask(0, id))
}

// An explanation is what is known of an ID, in both forms.
type explanation struct {
	text func(dst []byte, p paint) []byte
	json func(dst []byte) []byte
}

// explanationOf looks an ID up in every table.
func explanationOf(id string) (explanation, bool) {
	if r, ok := rulebook.Lookup(ledger.Code(id)); ok {
		return ruleExplanation(r), true
	}
	for m := range diagnose.Mistakes() {
		if m.ID == id {
			return mistakeExplanation(m), true
		}
	}
	for r := range rules.Repairs() {
		if string(r.Code) == id {
			return repairExplanation(r), true
		}
	}
	if e, ok := entryOf(id); ok {
		return entryExplanation(e), true
	}
	return valueExplanation(id)
}

func ruleExplanation(r ledger.Rule) explanation {
	return explanation{
		func(dst []byte, p paint) []byte { return appendRuleText(dst, r, p) },
		func(dst []byte) []byte { return appendRuleJSON(dst, r) },
	}
}

func entryExplanation(e ledger.Entry) explanation {
	return explanation{
		func(dst []byte, p paint) []byte { return appendEntryText(dst, e, p) },
		func(dst []byte) []byte { return appendAsJSON(dst, e) },
	}
}

// explainable lists every ID.
func explainable() []string {
	var list []string
	for id := range explainables() {
		list = append(list, id)
	}
	return list
}

func completeExplainable() (all []cobra.Completion) {
	for id, text := range explainables() {
		all = append(all, cobra.CompletionWithDesc(id, text))
	}
	return all
}

// explainables yields every ID with what it is about, once.
func explainables() iter.Seq2[string, string] {
	return func(yield func(id, text string) bool) {
		seen := map[string]bool{}
		once := func(id, text string) bool {
			if seen[id] {
				return true
			}
			seen[id] = true
			return yield(id, text)
		}
		_ = yieldCodes(once) && yieldEntries(once)
	}
}

// yieldCodes yields the codes of findings, mistakes and faults; it reports whether to go on.
func yieldCodes(yield func(id, text string) bool) bool {
	for r := range rulebook.All() {
		if !yield(string(r.Code), r.Text) {
			return false
		}
	}
	for m := range diagnose.Mistakes() {
		if !yield(m.ID, m.Text) {
			return false
		}
	}
	for r := range rules.Repairs() {
		if !yield(string(r.Code), repairText(r)) {
			return false
		}
	}
	return true
}

// yieldEntries yields the clauses and entries of the ledger, and the keys and values of policies.
func yieldEntries(yield func(id, text string) bool) bool {
	for e := range ledger.Entries() {
		if !yield(e.Clause.String(), e.Question) || e.Key != "" && !yield(e.Key, e.Question) {
			return false
		}
		for _, r := range e.Readings {
			if r.Value != "" && !yield(e.Key+"="+r.Value, r.Text) {
				return false
			}
		}
	}
	return true
}

// entryOf finds the entry with an id, a policy key, or a key and one of its values.
func entryOf(id string) (ledger.Entry, bool) {
	if e, ok := ledger.Lookup(id); ok {
		return e, true
	}
	key, value, given := strings.Cut(id, "=")
	for e := range ledger.Entries() {
		if e.Key == "" || e.Key != key {
			continue
		}
		if !given {
			return e, true
		}
		for _, r := range e.Readings {
			if r.Value == value {
				e.Readings = []ledger.Reading{r}
				return e, true
			}
		}
	}
	return ledger.Entry{}, false
}

func appendEntryText(dst []byte, e ledger.Entry, p paint) []byte {
	dst = append(p.bold(dst, e.Clause.String()), "  "+e.Question+" ("+e.Where+", "+e.Basis.String()+")\n\n"...)
	for _, r := range e.Readings {
		text := r.Text
		if r.Value != "" {
			text = e.Key + "=" + r.Value + ": " + text
		}
		dst = p.wrapped(dst, "  ", text)
	}
	return dst
}

func mistakeExplanation(m diagnose.Mistake) explanation {
	const kind = "a mistake of signing"
	return explanation{
		func(dst []byte, p paint) []byte {
			dst = append(p.bold(dst, m.ID), "  "+kind+"\n\n"...)
			dst = p.wrapped(dst, "  ", sentence(m.Text))
			return p.wrapped(dst, "  ", sentence(m.Fix))
		},
		func(dst []byte) []byte {
			return appendAsJSON(dst, struct {
				ID   string `json:"id"`
				Kind string `json:"kind"`
				Text string `json:"text"`
				Help string `json:"help,omitempty"`
			}{m.ID, kind, m.Text, m.Fix})
		},
	}
}

func appendAsJSON(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return dst // the tables hold plain text
	}
	return append(dst, text...)
}
