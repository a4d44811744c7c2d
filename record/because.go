package record

import (
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// AppendBecause appends a set of clauses as records have it: a list of objects with clause, basis and
// the text of the reading in force, and for one that was observed what showed it. The empty set is an empty list.
func AppendBecause(dst []byte, b ledger.Because, p engine.Policy, observed Readings) []byte {
	dst = append(dst, '[')
	first := true
	for clause := range b.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = strictjson.AppendString(append(dst, `{"clause":`...), clause.String())
		dst = strictjson.AppendString(append(dst, `,"basis":`...), observed.BasisOf(clause, p).String())
		dst = strictjson.AppendString(append(dst, `,"text":`...), p.Reading(clause).Text)
		if shown, ok := observed.Observed(clause, p); ok {
			dst = shownByForm.Append(append(dst, `,"shown_by":`...), &DecidedBy{shown.Profile, shown.Date})
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendReasons appends the member of a record.
func appendReasons(dst []byte, b ledger.Because, p *engine.Policy, observed Readings) []byte {
	return AppendBecause(append(dst, `,"because":`...), b, *p, observed)
}

// withReasons adds reasons as the last member of a record; without a policy it has none.
func withReasons(record []byte, b ledger.Because, p *engine.Policy, observed Readings) []byte {
	if p == nil {
		return record
	}
	return append(appendReasons(record[:len(record)-1], b, p, observed), '}')
}

// A reason is what is read of a clause that a record rests on.
type reason struct {
	Clause ledger.Clause `json:"clause" strict:"required"`
	Text   string        `json:"text" strict:"required"`
	// ShownBy is there for a reading that was observed.
	ShownBy *DecidedBy `json:"shown_by,omitzero"`
}

var shownByForm = strictjson.FormOf[DecidedBy]()

// reasonsUnder returns what a record rests on, and the readings in whose words it says so. The texts
// choose these; those of clauses that are not named are the header's, which may be nil. Without a list
// there are none.
func reasonsUnder(list *[]reason, h *Header) (b ledger.Because, explain *engine.Policy, observed Readings) {
	if list == nil {
		return b, nil, observed
	}
	var inForce engine.Policy
	if h != nil {
		inForce, explain = h.Policy, &h.Policy
	}
	read := inForce
	var shown []ObservedReading
	for _, r := range *list {
		again := b.Has(r.Clause)
		b, read = b.With(r.Clause), reading(read, r.Clause, r.Text)
		if value := slices.Index(r.Clause.Entry().Values(), read.Reading(r.Clause).Value); r.Clause.Key() != "" && r.ShownBy != nil && !again {
			shown = append(shown, ObservedReading{Key: r.Clause, Value: value, Profile: r.ShownBy.Profile, Date: r.ShownBy.Date})
		}
	}
	observed, _ = NewReadings(shown...) // each key once, with a value that it has
	if h == nil || read != inForce {
		explain = &read
	}
	return b, explain, observed
}

// reading returns p with the reading of a clause that has a text. A text that no reading has, as it
// may be reworded, changes nothing.
func reading(p engine.Policy, c ledger.Clause, text string) engine.Policy {
	if c.Key() == "" || p.Reading(c).Text == text {
		return p
	}
	for i := 0; ; i++ {
		r, ok := c.Reading(i)
		if !ok {
			return p
		}
		if r.Text == text {
			return p.WithReading(c, i)
		}
	}
}
