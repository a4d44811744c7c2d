package laws

import (
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// forecastLaws are the laws of forecasts: what is charged, when it stops, and where a profile is on a day.
func forecastLaws() []Law {
	return []Law{
		law("T07", gen.Plans, walkedCharges),
		law("T25", gen.Plans, walkedStop),
		law("T26", gen.Plans, walkedEnd),
		own("T27", "2.2.1 2.2.5", "Count, Total and Next = what the charges of a forecast add up to", gen.Plans, closedForms),
		own("T19", "2.2.7 2.2.10", "state after the runs up to b−1, saved, read back, continued as of b ⇒ the same forecast, for every b", gen.Plans, restart),
		law("T21", gen.Plans, nothingElseCounts),
		own("T22", "L32", "past 9999-12-31 the series ends with a flag; that is no stop", gen.Plans, calendarEnd),
	}
}

// walkedCharges compares with the oracle, which lets the days pass one by one.
func walkedCharges(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	m := walkTo(p.Job, p.Day(p.C))
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

// furthest is how many days after as-of a stop is looked for: what can be walked to.
const furthest = 2000

// walkedStop asks where the oracle stops soon, and where nothing can ever stop the profile: nobody has to walk for centuries.
func walkedStop(t *T, p gen.PlanCase) {
	m := walkTo(p.Job, gen.Moved(p.AsOf, furthest))
	if _, capped := oracle.Right().Cap(m); !m.Stopped && (capped || !p.Profile.Finish.IsZero()) {
		return
	}
	t.Equal("the stop", t.forecast(p.Job).Stop().plain(), stopFromOracle(m.Stop))
}

func walkedEnd(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	for _, n := range [...]int{p.A, p.C} {
		m := walkTo(p.Job, p.Day(n))
		want := End{Status: engine.StatusActive, Repeat: m.Repeat, Stop: stopFromOracle(m.Stop)}
		if m.Stopped {
			want.Status = engine.StatusStopped
		}
		t.Equal("at the end of "+p.Day(n).String(), f.End(p.Day(n)).plain(), want.plain())
	}
}

// closedForms compares what is worked out without a walk with the charges themselves.
func closedForms(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	from, to := p.Day(p.A), p.Day(p.B)
	w := calendar.Through(from, to)
	inside := f.in(w)
	if got := f.Count(w); got != len(inside) {
		t.Errorf("%d charges counted from %v to %v, want %d", got, from, to, len(inside))
	}
	first := uint64(0)
	if len(inside) > 0 {
		first = inside[0].Repeat
	}
	t.Equal("the total from "+from.String()+" to "+to.String(), f.Total(w).plain(), totalByLoop(p.Profile.Amounts, first, uint64(len(inside))).plain())
	all, next := f.in(p.Window(0, p.C+1)), plainCharges(f.Next(p.N))
	n := min(len(next), len(all), p.N)
	if len(next) > p.N || len(next) < min(p.N, len(all)) || !slices.Equal(next[:n], all[:n]) {
		t.Errorf("the next %d charges are %d, and not the first ones", p.N, len(next))
	}
}

// restart cuts the forecast twice, and goes on from the state saved at each cut.
func restart(t *T, p gen.PlanCase) {
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

// nothingElseCounts compares the same profile with cards that expire on two days, and a profile by day or week with
// the same some days later, when other days are weekends.
func nothingElseCounts(t *T, p gen.PlanCase) {
	p.Expires = gen.Moved(p.Day(p.C), 366)
	plain := t.forecast(p.Job).in(p.Window(0, p.C+1))
	early := p.Job
	early.Expires = p.Day(p.A)
	t.Equal("with a card that expires on "+early.Expires.String(), t.forecast(early).in(p.Window(0, p.C+1)), plain)

	days := 1 + p.N%6
	beyond := func(d calendar.Date) bool { return d.IsDay() && !d.AddDays(days).IsDay() }
	if madeOnFirstDay(p.State) || p.Profile.Unit == calendar.UnitMonth || p.Day(p.C) != p.AsOf.AddDays(p.C) || beyond(p.Day(p.C)) || beyond(p.Profile.Start) {
		return
	}
	gen.MoveDays(&p.Job, days)
	later := t.forecast(p.Job).in(p.Window(0, p.C+1))
	for i := range later {
		later[i].Slot, later[i].Date = later[i].Slot.AddDays(-days), later[i].Date.AddDays(-days)
	}
	t.Equal("as the same profile "+strconv.Itoa(days)+" days later", later, plain)
}

// calendarEnd moves the whole case so that the calendar ends soon.
func calendarEnd(t *T, p gen.PlanCase) {
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

// forecast is the forecast of a job that must not be refused.
func (t *T) forecast(j gen.Job) Forecast {
	f, err := t.Forecast(j)
	if err != nil {
		t.Fatalf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
	}
	return f
}

// alike compares charges and end of two forecasts, from a day of the case to its last.
func (t *T) alike(p gen.PlanCase, what string, from int, got, want Forecast) bool {
	w, last := p.Window(from, p.C+1), p.Day(p.C)
	return t.Equal(what, got.in(w), want.in(w)) && t.Equal(what, got.End(last).plain(), want.End(last).plain())
}

// plain is the end without what it rests on.
func (e End) plain() End { return End{Status: e.Status, Repeat: e.Repeat, Stop: e.Stop.plain()} }

func (s Stop) plain() Stop { return Stop{Date: s.Date, Reasons: s.Reasons} }

// walkTo is the oracle's life of a job up to a day.
func walkTo(j gen.Job, d calendar.Date) *oracle.Machine {
	m := gen.MachineOf(j, oracle.Right())
	if m != nil {
		m.UntilStopped(gen.DayNumber(d))
	}
	return m
}

// machineCharges are the charges that a machine made.
func machineCharges(m *oracle.Machine) []engine.Charge {
	return plainCharges(slices.Values(gen.ChargesFromOracle(m.Records)))
}

// plainCharge is a charge as a user sees it: without what it rests on, whatever its outcome.
func plainCharge(c engine.Charge) engine.Charge {
	return engine.Charge{Repeat: c.Repeat, Slot: c.Slot, Date: c.Date, Min: c.Min.Reduce(), Max: c.Max.Reduce(), Manual: c.Manual}
}

func plainCharges(charges iter.Seq[engine.Charge]) []engine.Charge {
	var list []engine.Charge
	for c := range charges {
		list = append(list, plainCharge(c))
	}
	return list
}

// in are the charges of a window.
func (f Forecast) in(w calendar.Window) []engine.Charge { return plainCharges(f.Charges(w)) }

// first are the first charges of a list, at most as many as another list has.
func first(list, of []engine.Charge) []engine.Charge { return list[:min(len(list), len(of))] }
