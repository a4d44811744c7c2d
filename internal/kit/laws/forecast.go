package laws

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
)

// forecastLaws are the laws of forecasts: what is charged, when it stops, and where a profile is on a day.
func forecastLaws() []Law {
	return []Law{
		law("T07", gen.Plans, walkedCharges),
		law("T25", gen.Plans, walkedStop),
		law("T26", gen.Plans, walkedEnd),
		law("T21", gen.Plans, nothingElseCounts),
	}
}

// walkedCharges compares with the oracle, which lets the days pass one by one.
func walkedCharges(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	m := plain.WalkTo(p.Job, p.Day(p.C))
	want := machineCharges(m)
	if !t.sameCharges("from "+p.AsOf.String()+" through "+p.Day(p.C).String(), f.in(p.Window(0, p.C+1)), want, m.Stopped) {
		return
	}
	from := p.AsOf.AddDays(p.A)
	if !from.IsDay() {
		return // the calendar ends before
	}
	want = slices.DeleteFunc(want, func(c engine.Charge) bool { return c.Date.Before(from) })
	t.sameCharges("from "+from.String()+" through "+p.Day(p.C).String(), f.in(p.Window(p.A, p.C+1)), want, m.Stopped)
}

// sameCharges reports how two lists of charges differ, if they do, and the clauses of what differs first.
func (t *T) sameCharges(what string, got, want []engine.Charge, stopped bool) bool {
	if slices.Equal(got, want) {
		return true
	}
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	switch {
	case n == len(want) && stopped:
		what += ": a charge after the stop (clauses 2.2.8 2.2.9)"
	case n == len(want) || n == len(got):
		what += ": the number of charges (clauses 2.2.1 2.2.8 2.2.9)"
	case got[n].Date != want[n].Date:
		what += ": the date of a charge (clauses 2.2.1 2.2.4 L01 L03)"
	case got[n].Slot != want[n].Slot:
		what += ": the due day of a charge (clauses 2.2.10 L03)"
	case got[n].Repeat != want[n].Repeat:
		what += ": a repeat number (clauses 2.2.7 L03)"
	default:
		what += ": an amount (clauses 2.2.5 2.2.6)"
	}
	n = max(n-1, 0) // the one before shows where it went wrong
	return t.Equal(what, got[min(n, len(got)):], want[min(n, len(want)):])
}

// Fitting are the readings, each of one key in place of that of the case, by which the charges that an implementation gives for a
// case of T07 would be right, such as month-end=overflow (L01, inferred). It asks the implementation once.
func Fitting(c *Case, impl Impl) (readings []string) {
	p, ok := c.Value.(gen.PlanCase)
	if !ok || c.Law != "T07" {
		return nil
	}
	var got []engine.Charge
	ask := Law{check: func(t *T, _ any) { got = t.forecast(p.Job).in(p.Window(0, p.C+1)) }}
	if Judge(ask, c, impl) != (Verdict{}) || slices.Equal(got, chargesUnder(p, p.Policy)) {
		return nil
	}
	for key := range engine.Keys() {
		entry := key.Entry()
		for i, r := range entry.Readings {
			if q := p.Policy.WithReading(key, i); q != p.Policy && slices.Equal(got, chargesUnder(p, q)) {
				readings = append(readings, entry.Key+"="+r.Value+" ("+key.String()+", "+entry.Basis.String()+")")
			}
		}
	}
	return readings
}

// chargesUnder are the charges of a case under a policy; nil where it refuses the profile.
func chargesUnder(p gen.PlanCase, q engine.Policy) []engine.Charge {
	p.Policy = q
	if m := plain.WalkTo(p.Job, p.Day(p.C)); m != nil {
		return machineCharges(m)
	}
	return nil
}

// furthest is how many days after as-of a stop is looked for: what can be walked to.
const furthest = 2000

// walkedStop asks where the oracle stops soon, and where nothing can ever stop the profile: nobody has to walk for centuries.
func walkedStop(t *T, p gen.PlanCase) {
	m := plain.WalkTo(p.Job, gen.Moved(p.AsOf, furthest))
	if _, capped := oracle.Right().Cap(m); !m.Stopped && (capped || !p.Profile.Finish.IsZero()) {
		return
	}
	t.Equal("the stop", t.forecast(p.Job).Stop(), stopFromOracle(m.Stop))
}

func walkedEnd(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	for _, n := range [...]int{p.A, p.C} {
		m := plain.WalkTo(p.Job, p.Day(n))
		want := End{Status: engine.StatusActive, Repeat: m.Repeat, Stop: stopFromOracle(m.Stop)}
		if m.Stopped {
			want.Status = engine.StatusStopped
		}
		t.Equal("at the end of "+p.Day(n).String(), f.End(p.Day(n)), want)
	}
}

// nothingElseCounts compares the same profile with cards that expire on two days, and a profile by day or week with
// the same some days later, when other days are weekends.
func nothingElseCounts(t *T, p gen.PlanCase) {
	p.Expires = gen.Moved(p.Day(p.C), 366)
	before := t.forecast(p.Job).in(p.Window(0, p.C+1))
	early := p.Job
	early.Expires = p.Day(p.A)
	t.Equal("with a card that expires on "+early.Expires.String(), t.forecast(early).in(p.Window(0, p.C+1)), before)

	days := 1 + p.N%6
	beyond := func(d calendar.Date) bool { return d.IsDay() && !d.AddDays(days).IsDay() }
	if plain.MadeOnFirstDay(p.State) || p.Profile.Unit == calendar.UnitMonth || p.Day(p.C) != p.AsOf.AddDays(p.C) || beyond(p.Day(p.C)) || beyond(p.Profile.Start) {
		return
	}
	gen.MoveDays(&p.Job, days)
	later := t.forecast(p.Job).in(p.Window(0, p.C+1))
	for i := range later {
		later[i].Slot, later[i].Date = later[i].Slot.AddDays(-days), later[i].Date.AddDays(-days)
	}
	t.Equal("as the same profile "+strconv.Itoa(days)+" days later", later, before)
}

// forecast is the forecast of a job that must not be refused.
func (t *T) forecast(j gen.Job) Forecast {
	f, err := t.Forecast(j)
	if err != nil {
		t.Fatalf("as of %v under %s it is refused: %v", j.AsOf, underText(j.Policy), err)
	}
	return f
}

// underText is a policy as the readings that differ from the defaults.
func underText(p engine.Policy) string {
	if p == (engine.Policy{}) {
		return "the default policy"
	}
	return policyText(&p)
}

// machineCharges are the charges that a machine made.
func machineCharges(m *oracle.Machine) []engine.Charge {
	return plain.ChargesOf(slices.Values(gen.ChargesFromOracle(m.Records)))
}

// in are the charges of a window.
func (f Forecast) in(w calendar.Window) []engine.Charge { return plain.ChargesOf(f.Charges(w)) }
