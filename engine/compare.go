package engine

import (
	"iter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Sensitivity tells what another reading of one silence would change in a forecast.
type Sensitivity struct {
	Clause ledger.Clause // the entry of the ledger, which has a key
	Value  string        // the other value of its key
	// First is the first day on which a charge or the stop differs.
	First calendar.Date
	// Was and Is are the totals of the window under the policy in force and under the
	// other value.
	Was, Is amount.Total
	// Refused is why the other value refuses the profile; zero when it does not.
	Refused Fault
}

// Compare gives, for each key of the ledger and each other value of it, what would
// change in the forecast of a profile from as-of to the day until, both included. A
// value that changes no charge, no repeat number and no stop is left out: the
// forecast does not rest on that silence. It is empty where [Compile] fails.
func Compare(p Profile, s State, asOf, until calendar.Date, pol Policy) iter.Seq[Sensitivity] {
	return func(yield func(Sensitivity) bool) {
		was, err := Compile(p, s, asOf, pol)
		if err != nil {
			return
		}
		w := calendar.Through(asOf, until)
		for c := range Keys() {
			for i, r := range c.Entry().Readings {
				if pol.Reading(c).Value == r.Value {
					continue
				}
				found := Sensitivity{Clause: c, Value: r.Value, Was: was.Total(w)}
				var is Plan
				found.Refused = is.compile(p, s, asOf, pol.WithReading(c, i))
				if found.Refused != 0 {
					found.First = asOf
				} else {
					found.First = was.parts(&is, w)
					found.Is = is.Total(w)
				}
				if !found.First.IsZero() && !yield(found) {
					return
				}
			}
		}
	}
}

// parts is the first day of w on which two plans differ; zero when there is none.
func (p *Plan) parts(o *Plan, w calendar.Window) calendar.Date {
	first := earlierStop(p.stop, o.stop, w)
	n, m := p.Count(w), o.Count(w)
	for i := range min(n, m) {
		if a, b := p.at(i), o.at(i); !sameCharge(a, b) || a.Slot != b.Slot {
			return earliest(first, a.Date, b.Date)
		}
	}
	switch {
	case n > m:
		return earliest(first, p.at(m).Date)
	case n < m:
		return earliest(first, o.at(n).Date)
	case first.IsZero() && p.End(w.Last()).Repeat != o.End(w.Last()).Repeat:
		return w.From
	}
	return first
}

// earlierStop is the first day in w on which one of two stops shows and the other does
// not.
func earlierStop(a, b Stop, w calendar.Window) calendar.Date {
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

// earliest is the first of the days given; zero Dates are none.
func earliest(days ...calendar.Date) calendar.Date {
	var first calendar.Date
	for _, d := range days {
		if !d.IsZero() && (first.IsZero() || d.Before(first)) {
			first = d
		}
	}
	return first
}
