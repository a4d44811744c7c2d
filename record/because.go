package record

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

var shownByForm = strictjson.FormOf[DecidedBy]()

// AppendBecause appends a set of clauses as records have it: a list of objects with clause, basis
// and the text of the reading in force, and for one that was observed what showed it. The empty set
// is an empty list.
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

// AppendExplained appends a record as its AppendJSON does. The reasons of a [Charge], an [End], an
// [Event] and a [Total] are always there, in the words of a policy's readings, with those that
// charges have shown.
func AppendExplained(dst []byte, r Record, p engine.Policy, observed Readings) []byte {
	return appendUnder(dst, r, &p, observed)
}

// appendUnder appends a record with reasons in the words of a policy; without a policy it has none.
func appendUnder(dst []byte, r Record, p *engine.Policy, observed Readings) []byte {
	e := encoder{explain: p, observed: observed}
	switch r := r.(type) {
	case Charge:
		e.start(r.Subject)
		return e.charge(dst, &r.Charge)
	case End:
		e.of = r.Subject
		return e.end(dst, &r.End)
	case Event:
		return e.event(dst, &r)
	case Total:
		return e.total(dst, &r)
	case Header, ForecastSummary, Difference, EndDifference, Money, Problem, Summary, DifferenceSummary, Reconciled, Unexplained, Reading, ReconcileSummary:
	}
	return r.AppendJSON(dst)
}

// wordsOf returns the default readings, for reasons that have no other words; nil without reasons.
func wordsOf(b ledger.Because) *engine.Policy {
	if b.IsZero() {
		return nil
	}
	return new(engine.Policy)
}

// withWhy adds reasons as the last member of a record, if they are to be written.
func (e *encoder) withWhy(record []byte, b ledger.Because) []byte {
	return append(e.why(record[:len(record)-1], b), '}')
}

// A because is the member of that name as it is read.
type because []struct {
	Clause ledger.Clause `json:"clause" strict:"required"`
}

// set returns the clauses; none if the member is not there.
func (b *because) set() (set ledger.Because) {
	if b != nil {
		for _, one := range *b {
			set = set.With(one.Clause)
		}
	}
	return set
}
