package laws

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
)

// explainLaws are the laws of what an output says that it rests on.
func explainLaws() []Law {
	return []Law{
		own("X01", "L71", "each charge, stop and end cites at least one clause; each cited clause exists in the ledger", gen.Plans, cites).cites(),
		own("X02", "L71", "basis is the ledger's; an output that rests on an assumed entry is never stated as a whole", gen.Plans, basis).cites(),
		own("X03", "L71", "if another value of a key changes a record, the old or the new record cites that key's entry", gen.Plans, causality).cites(),
		own("X04", "2.2.1 2.2.7", "Explain(d) says charged ⇔ a charge has date d; otherwise exactly one leading reason", gen.Plans, explains).cites(),
	}
}

func cites(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	check := func(what string, b ledger.Because) {
		if b.IsZero() {
			t.Errorf("%s cites nothing", what)
		}
		for c := range b.All() {
			if found, ok := ledger.Lookup(c.String()); !ok || found.Clause != c {
				t.Errorf("%s cites %v, which is no entry", what, c)
			}
		}
	}
	for c := range f.Charges(p.Window(0, p.C+1)) {
		check("the charge on "+c.Date.String(), c.Because)
	}
	if s := f.Stop(); !s.Date.IsZero() && p.State.Status != engine.StatusStopped {
		check("the stop", s.Because)
	}
	check("the end", f.End(p.Day(p.C)).Because)
}

func basis(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	check := func(what string, b ledger.Because) {
		weakest := ledger.Basis(0)
		for c := range b.All() {
			weakest = max(weakest, c.Entry().Basis)
		}
		if got := b.Basis(); got != weakest {
			t.Errorf("%s is %v, but rests on something %v", what, got, weakest)
		}
	}
	for c := range f.Charges(p.Window(0, p.C+1)) {
		check("the charge on "+c.Date.String(), c.Because)
	}
	check("the stop", f.Stop().Because)
	check("the end", f.End(p.Day(p.C)).Because)
	// What nobody decided is never said to be stated: max-repeats 0 is one (L09).
	if n, ok := p.Profile.MaxRepeats.Value(); ok && n == 0 && p.State.Status != engine.StatusStopped && p.Policy.MaxZero == engine.MaxZeroStop {
		if s := f.Stop(); !s.Date.IsZero() && s.Because.Basis() != ledger.Assumed {
			t.Errorf("a stop by max-repeats 0 is %v", s.Because.Basis())
		}
	}
}

// A cited record is what causality compares: a charge, or how the forecast ends.
type cited struct {
	engine.Charge
	end, stop string
	why       ledger.Because
}

func records(f Forecast, p gen.PlanCase) []cited {
	var list []cited
	for c := range f.Charges(p.Window(0, p.C+1)) {
		list = append(list, cited{Charge: plainCharge(c), why: c.Because})
	}
	return list
}

func endRecord(f Forecast, p gen.PlanCase) cited {
	e := f.End(p.Day(p.C))
	r := cited{end: e.Status.String(), why: e.Because.And(e.Stop.Because)}
	r.Repeat = e.Repeat
	if r.Date = e.Stop.Date; len(e.Stop.Reasons) > 0 {
		r.stop = e.Stop.Reasons[0]
	}
	return r
}

func (r cited) sameAs(o cited) bool {
	r.why, o.why = ledger.Because{}, ledger.Because{}
	return r == o
}

// causality changes one key at a time. A charge that the other forecast lacks may be
// accounted for by how the two end.
func causality(t *T, p gen.PlanCase) {
	before := t.forecast(p.Job)
	a, endA := records(before, p), endRecord(before, p)
	for key := range engine.Keys() {
		for i, reading := range key.Entry().Readings {
			if reading.Value == "reject" || reading == p.Policy.Reading(key) {
				continue
			}
			other := p.Job
			other.Policy = p.Policy.WithReading(key, i)
			after := t.forecast(other)
			b, endB := records(after, p), endRecord(after, p)
			if !endA.sameAs(endB) && !endA.why.Has(key) && !endB.why.Has(key) {
				t.Errorf("%s=%s changes the end, and neither end cites %v", key.Entry().Key, reading.Value, key)
			}
			for n := range max(len(a), len(b)) {
				if unaccounted(key, a, b, endA, endB, n) {
					t.Errorf("%s=%s changes charge %d, and neither record cites %v", key.Entry().Key, reading.Value, n, key)
					break
				}
			}
		}
	}
}

func unaccounted(key ledger.Clause, a, b []cited, endA, endB cited, n int) bool {
	switch {
	case n >= len(a):
		return !b[n].why.Has(key) && !endA.why.Has(key)
	case n >= len(b):
		return !a[n].why.Has(key) && !endB.why.Has(key)
	}
	return !a[n].sameAs(b[n]) && !a[n].why.Has(key) && !b[n].why.Has(key)
}

// explains compares the reasons with the oracle's days.
func explains(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	m := walkTo(p.Job, p.Day(p.C))
	for _, n := range [...]int{-1, 0, p.A, p.B, p.C} {
		d := gen.Moved(p.AsOf, n)
		got := f.Explain(d)
		charged := slices.ContainsFunc(m.Records, func(r oracle.Record) bool { return r.Charge != nil && r.Charge.Day == gen.DayNumber(d) })
		if charged != (got.Why == engine.WhyDue) || charged != (len(got.Charges) > 0) || charged != (f.Count(calendar.Through(d, d)) > 0) {
			t.Errorf("%v is %v with %d charges, charged is %v", d, got.Why, len(got.Charges), charged)
			continue
		}
		if got.Because.IsZero() {
			t.Errorf("%v is %v without a clause", d, got.Why)
		}
		if !charged && !plausible(p, got.Why, d, m) {
			t.Errorf("%v is said to be %v", d, got.Why)
		}
	}
}

// plausible reports whether a reason for no charge holds on a day.
func plausible(p gen.PlanCase, why engine.Why, d calendar.Date, m *oracle.Machine) bool {
	g := gen.GridOf(gen.DateNumbered(m.Anchor), p.Profile.Unit, p.Profile.Interval, p.Policy.MonthEnd)
	day := gen.DayNumber(d)
	due := p.Profile.Unit != 0 && g.Due(oracle.At(day))
	switch why {
	case engine.WhyNoSchedule:
		return p.Profile.Unit == 0
	case engine.WhyBeforeAsOf:
		return d.Before(p.AsOf)
	case engine.WhyMissed:
		return due && d == p.AsOf && p.State.RanThrough == d
	case engine.WhyStopped:
		return m.Stopped && (m.Stop.Day == 0 || m.Stop.Day <= day)
	case engine.WhyBeforeStart:
		return day < m.Anchor
	case engine.WhyNotDue:
		return !due && day >= m.Anchor
	case engine.WhyPaid:
		return due && m.Paid[day]
	}
	return false
}
