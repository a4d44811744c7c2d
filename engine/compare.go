package engine

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Sensitivity says what another reading of one silence would change in a forecast.
type Sensitivity struct {
	Clause ledger.Clause // the entry of the ledger, which has a key
	Value  string        // the other value of its key
	// First is the first day on which a charge or the stop differs.
	First calendar.Date
	// Old and New are the totals of the window under the policy in force and under the other value.
	Old, New amount.Total
	// Refused is why the other value refuses the profile; zero if it does not.
	Refused Fault
}

// Compare returns, for each key of the ledger and each other value of it, what would change in the
// forecast of a stored profile from as-of to the day until, both included. A value that changes no
// charge, no repeat number and no stop is left out: the forecast does not rest on that silence. It
// fails as [Compile] does, and with [ErrUntil] if until is before as-of.
func Compare(s Stored, asOf, until calendar.Date, pol Policy) ([]Sensitivity, error) {
	old, err := Compile(s, asOf, pol)
	if err != nil {
		return nil, err
	}
	if until.Before(asOf) {
		return nil, ErrUntil.in("until")
	}
	w := calendar.Through(asOf, until)
	var list []Sensitivity
	for c := range Keys() {
		for i, value := range c.Entry().Values() {
			if pol.Reading(c).Value == value {
				continue
			}
			if found := old.sensitivity(&s, w, c, i); !found.First.IsZero() {
				found.Clause, found.Value = c, value
				list = append(list, found)
			}
		}
	}
	return list, nil
}

// sensitivity compares p with the plan under reading i of c.
func (p *Plan) sensitivity(s *Stored, w calendar.Window, c ledger.Clause, i int) Sensitivity {
	found := Sensitivity{Old: p.Total(w)}
	var other Plan
	if err := other.compile(s, p.asOf, p.policy.WithReading(c, i)); err != nil {
		found.Refused, found.First = err.Fault, p.asOf
		return found
	}
	found.First = p.firstDifference(&other, w)
	found.New = other.Total(w)
	return found
}

// firstDifference returns the first day of w on which two plans of one profile differ; zero if
// there is none. Charges are compared one by one only if the slots of the plans differ.
func (p *Plan) firstDifference(o *Plan, w calendar.Window) calendar.Date {
	first := firstStop(p.stop, o.stop, w)
	n, m := p.Count(w), o.Count(w)
	if n > 0 && m > 0 && !p.sameSlots(o) {
		for i := range min(n, m) {
			if a, b := p.at(i), o.at(i); !sameCharge(a, b) || a.Slot != b.Slot {
				return earliest(first, a.Date, b.Date)
			}
		}
	}
	switch {
	case n > m:
		return earliest(first, p.dateOf(m))
	case n < m:
		return earliest(first, o.dateOf(n))
	case first.IsZero() && p.End(w.Last()).Repeat != o.End(w.Last()).Repeat:
		return w.From
	}
	return first
}

// sameSlots reports whether the charges of two plans of one profile agree as far as both go. The
// end of the slots, which finish-date moves, does not matter.
func (p *Plan) sameSlots(o *Plan) bool {
	a, b := &p.slots, &o.slots
	ahead, same := sameGrid(a.grid, b.grid)
	return same && p.first == o.first && p.state.Repeat == o.state.Repeat &&
		a.tail.from == b.tail.from+ahead && a.tail.before == b.tail.before &&
		slices.EqualFunc(a.early, b.early, func(x, y span) bool { return x.from == y.from+ahead && x.to == y.to+ahead })
}

// sameGrid reports whether two schedules of one profile are known to have the same dates, but for those
// before either begins, and by how many dates a begins ahead of b.
func sameGrid(a, b calendar.Schedule) (ahead int, same bool) {
	if a.Start().After(b.Start()) {
		ahead, same = sameGrid(b, a)
		return -ahead, same
	}
	ahead, on := a.Index(b.Start())
	return ahead, on && (a == b || a.Unit() != calendar.UnitMonth || dayOf(a.Start()) <= 28 && dayOf(a.Start()) == dayOf(b.Start()))
}

func dayOf(d calendar.Date) int {
	_, _, day := d.Date()
	return day
}

// firstStop returns the first day in w on which one of two stops shows and the other does not.
func firstStop(a, b Stop, w calendar.Window) calendar.Date {
	if a.Date == b.Date && a.Reasons == b.Reasons {
		return calendar.Date{}
	}
	var first calendar.Date
	for _, d := range [...]calendar.Date{a.Date, b.Date} {
		if w.Contains(d) {
			first = earliest(first, d)
		}
	}
	return first
}

// earliest returns the first of the days given; zero Dates are none.
func earliest(days ...calendar.Date) calendar.Date {
	var first calendar.Date
	for _, d := range days {
		if !d.IsZero() && (first.IsZero() || d.Before(first)) {
			first = d
		}
	}
	return first
}
