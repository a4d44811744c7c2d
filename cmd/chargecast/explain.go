package main

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/explained"
	"github.com/chargecast/chargecast/internal/lawtext"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// The kinds of IDs that explain knows, as --kind has them.
const (
	kindCode    = "code"
	kindClause  = "clause"
	kindReading = "reading"
	kindMistake = "mistake"
	kindChange  = "change"
	kindLaw     = "law"
)

// kinds are the kinds with their headings.
var kinds = [...]struct{ kind, heading string }{
	{kindCode, "Codes of findings"},
	{kindClause, "Clauses of the document and entries of the ledger"},
	{kindReading, "Policy keys and values"},
	{kindMistake, "Mistakes of signing"},
	{kindChange, "Changes of payload fix"},
	{kindLaw, "Laws that chargecast-conform judges"},
}

// kindNames are the kinds alone.
func kindNames() (names []string) {
	for _, k := range kinds {
		names = append(names, k.kind)
	}
	return names
}

func newExplain(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explains a code, clause, policy value, mistake, change or law",
		Long: `explain looks up one ID: a code of a finding (date-syntax), a clause of the
document (2.2.6), an entry of the ledger (L16b, X8), a policy key or value
(month-end, month-end=skip, clamp), a mistake in signing (plus-for-space), a change
of payload fix (date-iso) or a law that chargecast-conform judges (T07). Without
an ID it lists them all, or those of one --kind. Codes are stable: the list has
the severity of each, its clause, and whether the document states it.`,
		Example: `  chargecast explain date-syntax
  chargecast explain --kind code`,
		ValidArgsFunction: func(*cobra.Command, []string, string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, e := range explanations() {
				all = append(all, cobra.CompletionWithDesc(e.id, e.text))
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("one ID at most is explained at a time", "without an ID all are listed")
			}
			return nil
		},
	}
	kind := program.OneOf(append([]string{"all"}, kindNames()...)...)
	c.Flags().Var(kind, "kind", "IDs of one `KIND`: "+strings.Join(kindNames(), ", "))
	c.Flags().Lookup("kind").DefValue = ""
	format := program.Output(c, "text", "json")
	colour := colourFlag(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		all := explanations()
		if kind.V != "all" {
			all = slices.DeleteFunc(all, func(e explanation) bool { return e.kind != kind.V })
		}
		paint := a.text(colour.V)
		switch isJSON := format.V == "json"; {
		case len(args) == 0 && isJSON:
			a.out.b = appendExplanationsJSON(a.out.b, all)
		case len(args) == 0:
			a.out.b = appendExplanations(a.out.b, all, paint)
		default:
			e, ok := explanationOf(args[0])
			if !ok || kind.V != "all" && e.kind != kind.V {
				return unknownID(args[0], all)
			}
			if isJSON {
				a.out.b = append(a.out.b, program.JSON(e.record)...)
			} else {
				a.out.b = e.show(a.out.b, paint)
			}
		}
		a.out.endLine()
		return nil
	}
	return c
}

func unknownID(id string, known []explanation) error {
	var ids []string
	for _, e := range known {
		ids = append(ids, e.id)
	}
	meant, begins := "", ""
	for _, other := range ids {
		if len(id) > 3 && strings.HasPrefix(other, id+"-") {
			meant, begins = "; did you mean "+other+"?", begins+" "+other
		}
	}
	if strings.Count(begins, " ") != 1 { // several begin with it
		meant = didYouMean(id, ids, "")
	}
	help := "chargecast explain lists them"
	if id == "403" {
		help = "chargecast check finds what causes a 403; chargecast explain lists the IDs"
	}
	return usage("no such ID"+shownID(id)+meant, help)
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

// rulebook has what every code means.
var rulebook = explained.Rules()

// inputRules yields the rules about payloads and updates, then those about states, scripts and outputs.
func inputRules() iter.Seq[ledger.Rule] {
	return func(yield func(ledger.Rule) bool) {
		for _, room := range [...]iter.Seq[ledger.Rule]{rules.Rules(), record.Rules(), reconcile.Rules()} {
			for r := range room {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// isPayloadCode reports whether a code is about payloads or updates.
func isPayloadCode(code ledger.Code) bool {
	for r := range rules.Rules() {
		if r.Code == code {
			return true
		}
	}
	return false
}

// An explanation is what is known of an ID.
type explanation struct {
	kind, id, text string
	show           func(dst []byte, p paint) []byte
	record         any // what -o json has
}

// explanations returns all that can be explained, each ID once.
func explanations() (all []explanation) {
	for r := range rulebook.All() {
		all = append(all, ruleExplanation(r))
	}
	for m := range diagnose.Mistakes() {
		all = append(all, namedRecord{ID: m.ID, Kind: "a mistake of signing", Text: m.Text, Help: m.Fix}.explanation(kindMistake, m.Text))
	}
	for r := range rules.Repairs() {
		named := namedRecord{ID: string(r.Code), Kind: "a change of payload fix", Text: r.Text, Help: r.Help, Refusal: r.Note, Good: r.Good, Bad: r.Bad}
		all = append(all, named.explanation(kindChange, repairText(r)))
	}
	for e := range ledger.Entries() {
		all = append(all, entryExplanation(kindClause, e.Clause.String(), e))
	}
	for e := range ledger.Entries() {
		if e.Key == "" {
			continue
		}
		all = append(all, entryExplanation(kindReading, e.Key, e))
		for _, r := range e.Readings {
			one := e
			one.Readings = []ledger.Reading{r}
			x := entryExplanation(kindReading, e.Key+"="+r.Value, one)
			x.text = r.Text
			all = append(all, x)
		}
	}
	for _, l := range lawtext.All() {
		named := namedRecord{ID: l.ID, Kind: "a law, clause " + l.Clause, Text: strings.TrimSuffix(l.Sentence, "."), Clause: l.Clause, Example: l.Example}
		all = append(all, named.explanation(kindLaw, l.Sentence))
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(e explanation) bool {
		twice := seen[e.id]
		seen[e.id] = true
		return twice
	})
}

// explanationOf looks an ID up in every table; a policy value finds its key, or all keys that have it.
func explanationOf(id string) (explanation, bool) {
	for _, e := range explanations() {
		if e.id == id {
			return e, true
		}
	}
	if e, ok := ledger.Lookup(id); ok { // its id in another letter case
		return entryExplanation(kindClause, e.Clause.String(), e), true
	}
	return valueExplanation(id)
}

func appendExplanations(dst []byte, all []explanation, p paint) []byte {
	width := map[string]int{}
	for _, e := range all {
		width[e.kind] = max(width[e.kind], len(e.id)+2)
	}
	kind := ""
	for _, e := range all {
		if e.kind != kind {
			if kind != "" {
				dst = append(dst, '\n')
			}
			kind = e.kind
			i := slices.IndexFunc(kinds[:], func(k struct{ kind, heading string }) bool { return k.kind == kind })
			dst = append(p.bold(dst, kinds[i].heading), '\n')
		}
		column := min(width[kind], 30)
		dst = append(dst, pad(e.id, max(column, len(e.id)+2))...)
		if r, ok := e.record.(ruleRecord); ok {
			dst = append(dst, pad(r.Severity, 9)+pad(r.Basis+" "+r.Clause, 16)...)
			column += 9 + 16
		}
		dst = p.hanging(dst, column, e.text)
	}
	return dst
}

func appendExplanationsJSON(dst []byte, all []explanation) []byte {
	dst = append(dst, `{"schema":"chargecast.explain/1","ids":[`...)
	sep := "\n"
	for _, e := range all {
		dst = append(append(dst, sep...), strings.TrimSuffix(string(program.JSON(listedRecord{e.kind, e.record})), "\n")...)
		sep = ",\n"
	}
	return append(dst, "\n]}\n"...)
}

// A listedRecord is one of a list: its kind and its record.
type listedRecord struct {
	Kind   string `json:"kind"`
	Record any    `json:"record"`
}

// A ruleRecord is the rule of a code.
type ruleRecord struct {
	Code     string `json:"code"`
	Severity string `json:"severity,omitempty"`
	Basis    string `json:"basis,omitempty"`
	Clause   string `json:"clause,omitempty"`
	Text     string `json:"text,omitempty"`
	Help     string `json:"help,omitempty"`
	Good     string `json:"good,omitempty"`
	Bad      string `json:"bad,omitempty"`
	Note     string `json:"note,omitempty"`
}

func ruleExplanation(r ledger.Rule) explanation {
	return explanation{
		kindCode, string(r.Code), r.Text,
		func(dst []byte, p paint) []byte { return appendRuleText(dst, r, p) },
		ruleRecord{string(r.Code), r.Severity.String(), r.Basis.String(), r.Clause.String(), r.Text, r.Help, r.Good, r.Bad, r.Note},
	}
}

func appendRuleText(dst []byte, r ledger.Rule, p paint) []byte {
	dst = append(p.bold(dst, string(r.Code)), "  "+r.Severity.String()...)
	if r.Note != "" {
		dst = append(dst, " ("+r.Note+")"...)
	}
	dst = p.wrapped(append(dst, "\n\n"...), "  ", sentence(r.Text))
	if r.Help != "" {
		dst = p.wrapped(dst, "  ", sentence(r.Help))
	}
	dst = appendExamples(dst, r.Good, r.Bad, p)
	e := r.Clause.Entry()
	if r.Clause != 0 {
		dst = append(dst, "\n  "+r.Basis.String()+", "+e.Clause.String()+": "+e.Question+" ("+e.Where+")\n"...)
	}
	dst = appendReadings(dst, e, "    ", p)
	switch r.Code {
	case rules.ColumnUnknown, rules.ColumnMissing, rules.NoHeader:
		dst = appendColumns(append(dst, "\n  The columns, in any order:\n"...))
	}
	return dst
}

func appendReadings(dst []byte, e ledger.Entry, indent string, p paint) []byte {
	for _, r := range e.Readings {
		text := r.Text
		if r.Value != "" {
			text = e.Key + "=" + r.Value + ": " + text
		}
		dst = p.wrapped(dst, indent, text)
	}
	return dst
}

// appendColumns appends the names that a header row may have, and what belongs there.
func appendColumns(dst []byte) []byte {
	for s := range rules.Columns() {
		dst = append(append(dst, "    "...), pad(s.Name, 21)+pad(needOf(s), 23)+s.Kind()...)
		if most := cmp.Or(s.Warn, s.Max); most > 0 {
			dst = append(dst, ", "+strconv.Itoa(most)+" characters at most"...)
		}
		if s.Condition != "" {
			dst = append(dst, "; required if "+s.Condition...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// needOf is the table's need of a column, in words.
func needOf(s rules.Spec) string {
	need := map[string]string{"R": "required", "C": "conditional", "O": "optional"}[s.Need]
	switch {
	case s.SourceOnly && s.Need == "R":
		need += " for SRC"
	case s.SourceOnly:
		need += ", SRC only"
	}
	return need
}

// A namedRecord is a mistake of signing, a change of payload fix, a law, or a value of several policy keys.
type namedRecord struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Text    string `json:"text,omitempty"`
	Help    string `json:"help,omitempty"`
	Refusal string `json:"refusal,omitempty"`
	Clause  string `json:"clause,omitempty"`
	Example string `json:"example,omitempty"`
	Good    string `json:"good,omitempty"`
	Bad     string `json:"bad,omitempty"`

	Values []valueOfKey `json:"values,omitempty"`
}

func (r namedRecord) explanation(kind, text string) explanation {
	return explanation{kind, r.ID, text, r.show, r}
}

func (r namedRecord) show(dst []byte, p paint) []byte {
	dst = append(p.bold(dst, r.ID), "  "+r.Kind+"\n\n"...)
	text := r.Text
	if r.Refusal != "" {
		text += "; or refused: " + r.Refusal
	}
	dst = p.wrapped(dst, "  ", sentence(text))
	if r.Help != "" {
		dst = p.wrapped(dst, "  ", sentence(r.Help))
	}
	if r.Example != "" {
		dst = p.hanging(append(dst, "\n  example  "...), 11, r.Example)
	}
	return appendExamples(dst, r.Good, r.Bad, p)
}

func appendExamples(dst []byte, good, bad string, p paint) []byte {
	if good == "" {
		return dst
	}
	dst = p.hanging(append(dst, "\n  good  "...), 8, visible(good))
	return p.hanging(append(dst, "  bad   "...), 8, visible(bad))
}

// repairText says what payload fix changes under a code, and what it refuses.
func repairText(r ledger.Rule) string {
	switch {
	case r.Severity == ledger.SeverityError:
		return "refused: " + r.Text
	case r.Note != "":
		return r.Text + "; or refused: " + r.Note
	}
	return r.Text
}

func entryExplanation(kind, id string, e ledger.Entry) explanation {
	return explanation{kind, id, e.Question, func(dst []byte, p paint) []byte {
		dst = append(p.bold(dst, e.Clause.String()), "  "+e.Question+" ("+e.Where+", "+e.Basis.String()+")\n\n"...)
		return appendReadings(dst, e, "  ", p)
	}, entryOf(e, record.Readings{})}
}

// A valueOfKey is a policy value with its key, as --policy takes them.
type valueOfKey struct {
	ID     string        `json:"id"`
	Clause ledger.Clause `json:"clause"`
	Text   string        `json:"text"`
}

// valueExplanation explains a policy value without its key: as its key is explained or, where several keys have the value,
// by what it does for each.
func valueExplanation(value string) (explanation, bool) {
	const kind = "a value of several policy keys"
	var last ledger.Entry
	var all []valueOfKey
	for e := range ledger.Entries() {
		for _, r := range e.Readings {
			if r.Value == value && value != "" {
				last, all = e, append(all, valueOfKey{e.Key + "=" + value, e.Clause, r.Text})
			}
		}
	}
	if len(all) < 2 {
		return entryExplanation(kindReading, value, last), len(all) == 1
	}
	x := namedRecord{ID: value, Kind: kind, Values: all}.explanation(kindReading, kind)
	x.show = func(dst []byte, p paint) []byte {
		dst = append(p.bold(dst, value), "  "+kind+"\n\n"...)
		for _, v := range all {
			dst = p.wrapped(dst, "  ", v.ID+": "+v.Text)
		}
		return dst
	}
	return x, true
}

// sentence is a text of the table as a sentence of its own.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	word, _, _ := strings.Cut(s, " ")
	if c := s[0]; 'a' <= c && c <= 'z' && !strings.ContainsAny(word, "-_") {
		s = string(c-'a'+'A') + s[1:]
	}
	return s + "."
}
