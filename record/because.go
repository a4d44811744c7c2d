package record

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// AppendBecause appends a set of clauses as records have it: a list of objects with clause, basis and
// the text of the reading in force. The empty set is an empty list.
func AppendBecause(dst []byte, b ledger.Because, p engine.Policy) []byte {
	dst = append(dst, '[')
	first := true
	for clause := range b.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = strictjson.AppendString(append(dst, `{"clause":`...), clause.String())
		dst = strictjson.AppendString(append(dst, `,"basis":`...), clause.Basis().String())
		dst = strictjson.AppendString(append(dst, `,"text":`...), p.Reading(clause).Text)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendReasons appends the member of a record.
func appendReasons(dst []byte, b ledger.Because, p *engine.Policy) []byte {
	return AppendBecause(append(dst, `,"because":`...), b, *p)
}

// withReasons adds reasons as the last member of a record; without a policy it has none.
func withReasons(record []byte, b ledger.Because, p *engine.Policy) []byte {
	if p == nil {
		return record
	}
	return append(appendReasons(record[:len(record)-1], b, p), '}')
}

// A reason is what is read of a clause that a record rests on.
type reason struct {
	Clause ledger.Clause `json:"clause" strict:"required"`
	Text   string        `json:"text" strict:"required"`
}

// reasonsUnder returns what a record rests on, and the readings in whose words it says so. The texts
// choose these; those of clauses that are not named are the header's, which may be nil. Without a list
// there are none.
func reasonsUnder(list *[]reason, h *Header) (b ledger.Because, explain *engine.Policy) {
	if list == nil {
		return b, nil
	}
	var inForce engine.Policy
	if h != nil {
		inForce, explain = h.Policy, &h.Policy
	}
	read := inForce
	for _, r := range *list {
		b, read = b.With(r.Clause), reading(read, r.Clause, r.Text)
	}
	if h == nil || read != inForce {
		explain = &read
	}
	return b, explain
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
