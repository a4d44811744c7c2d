package engine

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A Sensitivity says what another reading of one silence would change in a forecast.
type Sensitivity struct {
	Clause ledger.Clause // the entry of the ledger, which has a key
	Value  string        // the other value of its key
	// First is the first day of the window on which a charge or the stop differs; the first day of
	// all where the profile is refused, or the repeat number alone differs.
	First calendar.Date
	// Old and New are the totals of the window under the policy in force and under the other value.
	Old, New amount.Total
	// Refused is why the other value refuses the profile; empty if it does not.
	Refused ledger.Code
	// Charge is, in an [Explanation], the last automatic charge of the day under the other value;
	// without a Date if there is none.
	Charge Charge
}

// Sensitivities appends, for each key of the ledger and each other value of it, what would change
// in the forecast of a stored profile in a window, of which the days before as-of do not count. A
// value that changes no charge, no repeat number and no stop is left out: the forecast does not
// depend on that silence. It returns the total of the window under the policy in force as well. The
// work grows with the charges of the window, of which nothing is kept. It fails as [Engine.Compile]
// does, and with the code "until" for a window that ends before as-of, and then returns dst as it
// was.
func (e Engine) Sensitivities(dst []Sensitivity, s Stored, asOf calendar.Date, w calendar.Window) ([]Sensitivity, amount.Total, error) {
	pol := e.policy
	var old, other Plan
	if err := old.compile(&s, asOf, pol); err != nil {
		return dst, amount.Total{}, err
	}
	if w.IsEmpty() || w.Last().Before(asOf) {
		return dst, amount.Total{}, refuse("until", errUntil)
	}
	w.From = later(w.From, asOf)
	total := old.Total(w)
	for _, c := range forecastKeys {
		if !old.dependsOn(&s, c) {
			continue
		}
		for value, policy := range pol.others(c) {
			found := Sensitivity{Clause: c, Value: value, Old: total}
			if old.sensitivity(&found, &other, &s, w, policy) {
				dst = append(dst, found)
			}
		}
	}
	return dst, total, nil
}

// forecastKeys are the keys that a plan can depend on, in the order of the ledger. The others are
// about what an event does, and no forecast has one.
var forecastKeys = [...]ledger.Clause{clause.L01, clause.L02, clause.L03, clause.L05, clause.L08, clause.L09, clause.L16b}

// dependsOn reports whether another value of a key could give another plan; false is certain.
func (p *Plan) dependsOn(s *Stored, c ledger.Clause) bool {
	prof := &p.profile
	switch c {
	case clause.L01:
		return gridClauses(prof, p.state.Anchor).Has(c)
	case clause.L02:
		_, why, _ := origin(prof, p.asOf, p.policy)
		return s.State.Anchor.IsZero() && why.Has(c)
	case clause.L03, clause.L16b:
		return p.state.Because.Has(c)
	case clause.L05:
		return !prof.Finish.IsZero()
	case clause.L08, clause.L09:
		n, set := prof.MaxRepeats.Value()
		return set && beyondCap(n) == c
	}
	return true
}

// sensitivity compares p with the plan under another policy, which is made in other, and reports
// whether they differ.
func (p *Plan) sensitivity(found *Sensitivity, other *Plan, s *Stored, w calendar.Window, policy Policy) bool {
	if err := other.compile(new(s.Under(policy)), p.asOf, policy); err != nil {
		found.Refused, found.First = err.Code, w.From
		return true
	}
	found.First = p.firstDifference(other, w)
	if found.First.IsZero() {
		return false
	}
	found.New = other.Total(w)
	return true
}

// firstDifference returns the first day of w, which begins on as-of or later, on which two plans of
// one profile differ; zero if there is none. Charges with the same repeat number have the same
// amount.
func (p *Plan) firstDifference(o *Plan, w calendar.Window) calendar.Date {
	stop := firstStop(p.stop, o.stop, w)
	from, to := p.ordinals(w)
	oFrom, oTo := o.ordinals(w)
	both, same := min(to-from, oTo-oFrom), 0
	if p.state.Repeat+uint64(from) == o.state.Repeat+uint64(oFrom) {
		same = firstApart(&p.slots, &o.slots, from, oFrom, both)
	}
	switch {
	case same < both:
		return earliest(stop, p.dateOf(from+same), o.dateOf(oFrom+same))
	case to-from > both:
		return earliest(stop, p.dateOf(from+both))
	case oTo-oFrom > both:
		return earliest(stop, o.dateOf(oFrom+both))
	case stop.IsZero() && p.state.Repeat+uint64(to) != o.state.Repeat+uint64(oTo):
		return w.From
	}
	return stop
}

// firstStop returns the first day in w on which one of two stops shows and the other does not. A
// stop of an earlier day shows from the first day on.
func firstStop(a, b Stop, w calendar.Window) calendar.Date {
	if a.Date == b.Date && a.Reasons == b.Reasons {
		return calendar.Date{}
	}
	var first calendar.Date
	for _, d := range [...]calendar.Date{a.Date, b.Date} {
		if !d.IsZero() && w.Contains(later(d, w.From)) {
			first = earliest(first, later(d, w.From))
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

// firstApart returns the first i below n at which slot number k+i of a is not slot number l+i of b;
// n if there is none. Both have that many slots.
func firstApart(a, b *slots, k, l, n int) int {
	if k == l && a.grid == b.grid && a.tail == b.tail && slices.Equal(a.early, b.early) {
		return n
	}
	for i := range n {
		if a.at(k+i) != b.at(l+i) {
			return i
		}
	}
	return n
}

// sameCharge compares what a charge is, not what it depends on.
func sameCharge(a, b Charge) bool {
	return a.Repeat == b.Repeat && a.Date == b.Date && a.Outcome == b.Outcome &&
		a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}
