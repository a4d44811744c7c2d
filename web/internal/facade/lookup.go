package facade

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/chargecast/chargecast/internal/explained"
	"github.com/chargecast/chargecast/internal/lawtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// rulebook has what every code means.
var rulebook = sync.OnceValue(explained.Rules)

// An entry is something that can be looked up.
type entry struct {
	Kind     string   `json:"kind"`
	ID       string   `json:"id"`
	Text     string   `json:"text"`
	Where    string   `json:"where,omitempty"`
	Severity string   `json:"severity,omitempty"`
	Basis    string   `json:"basis,omitempty"`
	Clause   string   `json:"clause,omitempty"`
	Help     string   `json:"help,omitempty"`
	Good     string   `json:"good,omitempty"`
	Bad      string   `json:"bad,omitempty"`
	Note     string   `json:"note,omitempty"`
	Key      string   `json:"key,omitempty"`
	Readings []choice `json:"readings,omitempty"`
}

// A choice is a value of a policy key.
type choice struct {
	Value string `json:"value,omitempty"`
	Text  string `json:"text"`
}

// entries yields all that can be looked up.
func entries(yield func(entry) bool) {
	for r := range rulebook().All() {
		e := entry{
			Kind: "code", ID: string(r.Code), Text: r.Text, Severity: r.Severity.String(), Basis: r.Basis.String(), Help: r.Help, Good: r.Good, Bad: r.Bad, Note: r.Note,
		}
		if r.Clause != 0 {
			of := r.Clause.Entry()
			e.Clause, e.Where = of.Clause.String(), of.Question
		}
		if !yield(e) {
			return
		}
	}
	for m := range diagnose.Mistakes() {
		if !yield(entry{Kind: "mistake", ID: m.ID, Text: m.Text, Help: m.Fix}) {
			return
		}
	}
	for r := range rules.Repairs() {
		if !yield(entry{Kind: "change", ID: string(r.Code), Text: r.Text, Help: r.Help, Note: r.Note, Good: r.Good, Bad: r.Bad}) {
			return
		}
	}
	for of := range ledger.Entries() {
		e := entry{Kind: "clause", ID: of.Clause.String(), Text: of.Question, Where: of.Where, Basis: of.Basis.String(), Key: of.Key}
		for _, r := range of.Readings {
			e.Readings = append(e.Readings, choice{r.Value, r.Text})
		}
		if !yield(e) {
			return
		}
		if e.Key == "" {
			continue
		}
		e.Kind, e.Clause, e.ID = "reading", e.ID, e.Key
		if !yield(e) {
			return
		}
	}
	for _, l := range lawtext.All() {
		if !yield(entry{Kind: "law", ID: l.ID, Text: strings.TrimSuffix(l.Sentence, "."), Clause: l.Clause, Note: l.Example}) {
			return
		}
	}
}

// mostFound is how many entries a search lists.
const mostFound = 60

// lookup answers with what has an id, or whose id or text has all the words that are asked for;
// without any with all.
func (s *Server) lookup(q *request) (object, error) {
	wanted := strings.Fields(strings.ToLower(q.Look))
	list, more, exact := []json.RawMessage{}, 0, []json.RawMessage{}
	for e := range entries {
		id := strings.ToLower(e.ID)
		text := strings.ToLower(strings.Join([]string{e.Kind, e.ID, e.Text, e.Where, e.Key}, " "))
		value := slices.ContainsFunc(e.Readings, func(c choice) bool {
			return c.Value != "" && len(wanted) == 1 && (wanted[0] == c.Value || wanted[0] == e.Key+"="+c.Value)
		})
		switch missing := func(word string) bool { return !strings.Contains(text, word) }; {
		case len(wanted) == 1 && (id == wanted[0] || value && e.Kind == "reading"):
			exact = append(exact, appendJSON(e))
		case slices.ContainsFunc(wanted, missing):
		case len(list) < mostFound:
			list = append(list, appendJSON(e))
		default:
			more++
		}
	}
	return object{"records": append(exact, list...), "exact": len(exact), "more": more}, nil
}
