package record

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// A reasons is what a record rests on, as it is read.
type reasons struct {
	header  *Header
	because ledger.Because
	explain *engine.Policy
}

var reasonsMembers = []member[reasons]{{"because", false, readReasons}}

// readReasons reads reasons. The texts choose the readings; those of clauses that are not named are
// the header's.
func readReasons(r *reasons, v *jsonline.Value) error {
	var inForce engine.Policy
	if r.header != nil {
		inForce, r.explain = r.header.Policy, &r.header.Policy
	}
	read := inForce
	err := jsonline.List(v, func(v *jsonline.Value) error {
		var one reason
		err := object(v, reasonMembers, &one)
		r.because, read = r.because.With(one.clause), reading(read, one.clause, one.text)
		return err
	})
	if r.header == nil || read != inForce {
		r.explain = &read
	}
	return err
}

// A reason is a clause and the text of a reading.
type reason struct {
	clause ledger.Clause
	text   string
}

var reasonMembers = []member[reason]{
	{"clause", true, func(r *reason, v *jsonline.Value) error { return readClause(v, &r.clause) }},
	{"text", true, func(r *reason, v *jsonline.Value) error { return jsonline.String(v, &r.text) }},
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
