package engine_test

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
)

// TestCites: each charge, stop and end cites at least one clause, and each cited clause exists in the ledger (L71).
func TestCites(t *testing.T) { holds(t, 500, gen.Plans, cites) }

// TestBasis: a basis is the ledger's; an output that rests on an assumed entry is never stated as a whole (L71).
func TestBasis(t *testing.T) { holds(t, 500, gen.Plans, basis) }

// TestCausality: if another value of a key changes a record, the old or the new record cites that key's entry (L71).
func TestCausality(t *testing.T) { holds(t, 300, gen.Plans, causality) }

// TestExplains: a day is said to be charged if and only if a charge has its date; otherwise one leading reason is given (2.2.1
// 2.2.7).
func TestExplains(t *testing.T) { holds(t, 500, gen.Plans, explains) }

// TestSameReasons: every charge, stop and end of Advance, Simulate and forecast rests on the same clauses (L71).
func TestSameReasons(t *testing.T) { holds(t, 500, gen.Plans, sameReasons) }

// TestClosedForms: Count, Total and Next are what the charges of a forecast add up to (2.2.1 2.2.5).
func TestClosedForms(t *testing.T) { holds(t, 1000, gen.Plans, closedForms) }

// TestRestartByState: the state after the runs up to a day, saved, read back and continued on the next, gives the same forecast (2.2.7
// 2.2.10).
func TestRestartByState(t *testing.T) { holds(t, 1000, gen.Plans, restart) }

// TestCalendarEnd: past 9999-12-31 a series ends with a flag, not with a stop (L32).
func TestCalendarEnd(t *testing.T) { holds(t, 500, gen.Plans, calendarEnd) }

// TestNamesWhatChanges: a key is named if and only if another value of it changes some record; first date and totals are those of
// the two forecasts (L01).
func TestNamesWhatChanges(t *testing.T) { holds(t, 300, gen.Plans, namesWhatChanges) }

func cites(t *prop, p gen.PlanCase) {
	f := t.forecast(p.Job)
	check := func(what string, b ledger.Because) {
		if b.IsZero() {
			t.Errorf("%s cites nothing", what)
		}
		for c := range b.All() {
			if found, ok := ledger.Lookup(c.String()); !ok || found.Clause != c {
				t.Errorf("%s cites %v, which is not an entry of the ledger", what, c)
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

func basis(t *prop, p gen.PlanCase) {
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

func records(f *engine.Plan, p gen.PlanCase) []cited {
	var list []cited
	for c := range f.Charges(p.Window(0, p.C+1)) {
		list = append(list, cited{Charge: plain.ChargeOf(c), why: c.Because})
	}
	return list
}

func endRecord(f *engine.Plan, p gen.PlanCase) cited {
	e := f.End(p.Day(p.C))
	r := cited{end: e.Status.String(), why: e.Because.And(e.Stop.Because)}
	r.Repeat = e.Repeat
	r.Date = e.Stop.Date
	for r.stop = range e.Stop.Reasons.All() {
		break
	}
	return r
}

func (r cited) sameAs(o cited) bool {
	r.why, o.why = ledger.Because{}, ledger.Because{}
	return r == o
}

// causality changes one key at a time. A charge that the other forecast lacks may be
// accounted for by how the two end.
func causality(t *prop, p gen.PlanCase) {
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
func explains(t *prop, p gen.PlanCase) {
	f := t.forecast(p.Job)
	m := plain.WalkTo(p.Job, p.Day(p.C))
	for _, n := range [...]int{-1, 0, p.A, p.B, p.C} {
		d := gen.Moved(p.AsOf, n)
		got, err := engine.New(p.Policy).Explain(engine.Simulation{Stored: p.Stored(), AsOf: p.AsOf, Undrawn: true}, d)
		if err != nil {
			t.Fatalf("%v is not explained: %v", d, err)
		}
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

func sameReasons(t *prop, p gen.PlanCase) {
	f := t.forecast(p.Job)
	last := lastRun(p)
	s := t.stored(p.Job)
	if s.State.RanThrough.Before(p.AsOf.AddDays(-1)) || p.State.Status != 0 && p.State.Anchor.IsZero() {
		return // days without a run, which a forecast looks back at; an anchor that the case filled in
	}
	folded, end := t.days(p, s, last)
	at := 0
	for c := range f.Charges(calendar.Through(p.AsOf, last)) {
		for at < len(folded) && folded[at].Kind != engine.EffectCharge {
			at++
		}
		of := []engine.Effect{{Kind: engine.EffectCharge, Date: c.Date, Because: c.Because, Charge: c}}
		if !t.Equal("the charges of the runs and of the forecast", folded[min(at, len(folded)):min(at+1, len(folded))], of) {
			return
		}
		at++
	}
	for _, e := range folded {
		stop := f.Stop()
		if e.Kind == engine.EffectStop && (e.Stop.Date != stop.Date || e.Stop.Because != stop.Because || e.Because != e.Stop.Because) {
			t.Errorf("the run stops it on %v because of %v; the forecast on %v because of %v", e.Stop.Date, e.Stop.Because, stop.Date, stop.Because)
		}
	}
	want := f.End(last)
	folds, err := engine.New(p.Policy).End(end, last)
	if err != nil || folds.Because != want.Because {
		t.Errorf("the runs end because of %q, refused: %v; the forecast because of %q", folds.Because, err != nil, want.Because)
	}
	simulated, err := plain.SimulatedBy(plain.Simulate, p.Policy, engine.Simulation{Stored: p.Stored(), AsOf: p.AsOf, Until: last})
	if err != nil {
		t.Fatalf("not simulated: %v", err)
	}
	if p.Profile.Amounts.Kind() != amount.KindRange {
		t.Equal("simulated and run", withoutOutcomes(simulated.Effects, engine.OutcomeUnknown), folded)
	}
	if ends, err := engine.New(p.Policy).End(simulated.End, last); err != nil || ends.Because != want.Because {
		t.Errorf("the simulation ends because of %q, refused: %v; the forecast because of %q", ends.Because, err != nil, want.Because)
	}
}

// closedForms compares what is worked out without a walk with the charges themselves.
func closedForms(t *prop, p gen.PlanCase) {
	f := t.forecast(p.Job)
	from, to := p.Day(p.A), p.Day(p.B)
	w := calendar.Through(from, to)
	inside := in(f, w)
	if got := f.Count(w); got != len(inside) {
		t.Errorf("%d charges counted from %v to %v, want %d", got, from, to, len(inside))
	}
	first := uint64(0)
	if len(inside) > 0 {
		first = inside[0].Repeat
	}
	t.Equal("the total from "+from.String()+" to "+to.String(), plain.TotalOf(f.Total(w)).Reduced(), plain.TotalByLoop(p.Profile.Amounts, first, uint64(len(inside))).Reduced())
	all, next := in(f, p.Window(0, p.C+1)), plain.ChargesOf(f.Next(p.N))
	n := min(len(next), len(all), p.N)
	if len(next) > p.N || len(next) < min(p.N, len(all)) || !slices.Equal(next[:n], all[:n]) {
		t.Errorf("the next %d charges are %d, and not the first ones", p.N, len(next))
	}
}

// restart cuts the forecast twice, and goes on from the state saved at each cut.
func restart(t *prop, p gen.PlanCase) {
	f := t.forecast(p.Job)
	job := p.Job
	g := f
	for _, cut := range [...]int{p.A, p.B} {
		if !p.AsOf.AddDays(cut).IsDay() || !p.AsOf.AddDays(cut).After(job.AsOf) || p.State.RanThrough == p.AsOf && cut < 1 {
			continue
		}
		state := g.State(p.AsOf.AddDays(cut - 1))
		job.State, job.AsOf = t.saved(state), p.AsOf.AddDays(cut)
		g = t.forecast(job)
		if !t.alike(p, "continued on "+job.AsOf.String(), cut, g, f) {
			return
		}
	}
}

// calendarEnd moves the whole case so that the calendar ends soon.
func calendarEnd(t *prop, p gen.PlanCase) {
	gen.MoveDays(&p.Job, calendar.MaxDate().AddDays(-p.C).Sub(p.AsOf))
	p.Profile.Finish, p.Profile.MaxRepeats = calendar.Date{}, engine.Limit{}
	if p.State.Status == engine.StatusStopped {
		p.State.Status, p.State.Stop = engine.StatusActive, engine.Stop{}
	}
	f := t.forecast(p.Job)
	end := f.End(calendar.MaxDate())
	if end.Status != engine.StatusActive || !end.Stop.Date.IsZero() || !f.Stop().Date.IsZero() {
		t.Errorf("at the end of the calendar the profile is %v and %s, want active and never stopped", end.Status, f.Stop())
	}
	if end.LastDay != p.Profile.Automatic() {
		t.Errorf("the end says that the calendar cuts the series off: %v, want %v", end.LastDay, p.Profile.Automatic())
	}
}

// alike compares charges and end of two forecasts, from a day of the case to its last.
func (t *prop) alike(p gen.PlanCase, what string, from int, got, want *engine.Plan) bool {
	w, last := p.Window(from, p.C+1), p.Day(p.C)
	return t.Equal(what, in(got, w), in(want, w)) && t.Equal(what, plainEnd(got.End(last)), plainEnd(want.End(last)))
}

func namesWhatChanges(t *prop, p gen.PlanCase) {
	until := p.Day(p.C)
	w := calendar.Through(p.AsOf, until)
	named := map[engine.Policy]engine.Sensitivity{}
	list, _, err := engine.New(p.Policy).Sensitivities(nil, p.Stored(), p.AsOf, calendar.Through(p.AsOf, until))
	if err != nil {
		t.Fatalf("the readings are not compared: %v", err)
	}
	for _, s := range list {
		i := slices.Index(s.Clause.Entry().Values(), s.Value)
		if i < 0 {
			t.Fatalf("%v has no value %q", s.Clause, s.Value)
		}
		named[p.Policy.WithReading(s.Clause, i)] = s
	}
	was := t.forecast(p.Job)
	before, total := listed(was, w), was.Total(w)
	for c := range engine.Keys() {
		for i, value := range c.Entry().Values() {
			other := p.Job
			other.Policy = p.Policy.WithReading(c, i)
			if other.Policy == p.Policy {
				continue
			}
			s, found := named[other.Policy]
			delete(named, other.Policy)
			is, err := engine.New(other.Policy).Compile(other.Stored(), other.AsOf)
			if err != nil {
				if !found || s.Refused == "" || s.First != p.AsOf {
					t.Errorf("%s=%s refuses the profile, and is compared as if it did not", c.Entry().Key, value)
				}
				continue
			}
			first := firstDifference(before, listed(is, w), w)
			switch {
			case found == first.IsZero():
				t.Errorf("%s=%s differs first on %q, and is named: %v", c.Entry().Key, value, first, found)
			case found && (s.First != first || s.Refused != ""):
				t.Errorf("%s=%s differs first on %v, not on %v", c.Entry().Key, value, first, s.First)
			case found:
				t.Equal("the total before "+c.Entry().Key+"="+value, plain.TotalOf(s.Old).Reduced(), plain.TotalOf(total).Reduced())
				t.Equal("the total under "+c.Entry().Key+"="+value, plain.TotalOf(s.New).Reduced(), plain.TotalOf(is.Total(w)).Reduced())
			}
		}
	}
	for _, s := range named {
		t.Errorf("%v=%s is named besides", s.Clause, s.Value)
	}
}

// A listing is what a forecast says about a window.
type listing struct {
	lines []engine.Charge
	end   engine.End
}

func listed(f *engine.Plan, w calendar.Window) listing {
	return listing{in(f, w), f.End(w.Last())}
}

// firstDifference is the first day of w on which two forecasts differ, found by listing
// both; the first day at all where only the repeat number does. Zero for none.
func firstDifference(a, b listing, w calendar.Window) calendar.Date {
	var days []calendar.Date
	x, y := a.lines, b.lines
	for i := range max(len(x), len(y)) {
		if i < len(x) && i < len(y) && x[i] == y[i] {
			continue
		}
		for _, list := range [][]engine.Charge{x, y} {
			if i < len(list) {
				days = append(days, list[i].Date)
			}
		}
		break
	}
	s, r := a.end, b.end
	if s.Stop.Date != r.Stop.Date || s.Stop.Reasons != r.Stop.Reasons {
		days = append(days, s.Stop.Date, r.Stop.Date)
	}
	days = slices.DeleteFunc(days, calendar.Date.IsZero)
	if len(days) == 0 && s.Repeat != r.Repeat {
		return w.From
	}
	if len(days) == 0 {
		return calendar.Date{}
	}
	return slices.MinFunc(days, calendar.Date.Compare)
}

// plainEnd is an end without what it rests on.
func plainEnd(e engine.End) engine.End {
	return engine.End{Status: e.Status, Repeat: e.Repeat, Stop: engine.Stop{Date: e.Stop.Date, Reasons: e.Stop.Reasons}}
}
