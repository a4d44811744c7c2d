package laws

import (
	"iter"
	"math"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// plainStart is the case with the readings under which no slot is caught up or counted, and none left to catch up.
func plainStart(p gen.PlanCase) gen.PlanCase {
	p.Policy.StartPast, p.Policy.RunMissed = engine.StartPastSkip, engine.MissedSkip
	p.State.Missed = nil
	return p
}

// firstRun is the day of the first run, or past the end of the calendar.
func firstRun(p gen.PlanCase) calendar.Date {
	if p.State.RanThrough == p.AsOf {
		return p.AsOf.AddDays(1)
	}
	return p.AsOf
}

// mayCharge reports whether neither M nor F forbids a charge on a day.
func mayCharge(p gen.PlanCase, d calendar.Date) bool {
	most, _ := capOf(p.Job)
	f := p.Profile.Finish
	return most > p.StartRepeat() && (f.IsZero() || d.Before(f) || d == f && p.Policy.FinishBound == engine.FinishBoundInclusive)
}

// saved is a state that went through a file, where the implementation can do that.
func (t *T) saved(s engine.State) engine.State {
	back := s
	t.can(func() {
		var err error
		if _, back, err = t.LoadState(t.SaveState("order-1", s)); err != nil {
			t.Errorf("a saved state is not read back: %v", err)
		}
	})
	return back
}

func later(a, b calendar.Date) calendar.Date {
	return slices.MaxFunc([]calendar.Date{a, b}, calendar.Date.Compare)
}

// capOf is the cap K, by the ledger: L08 and L09.
func capOf(j gen.Job) (n uint64, ok bool) {
	n, ok = j.Profile.MaxRepeats.Value()
	switch {
	case !ok || n == 0 && j.Policy.MaxZero == engine.MaxZeroUnlimited:
		return math.MaxUint64, false
	case n > 0 && j.Policy.MaxCounts == engine.MaxCountsRepeatsAfterFirst:
		return n + 1, true
	}
	return n, true
}

// A life is what a simulation gave.
type life struct {
	effects []engine.Effect
	end     engine.Stored
}

// live simulates a job up to a day.
func (t *T) live(j gen.Job, until calendar.Date, script engine.Script) life {
	var l life
	var err error
	sim := engine.Simulation{Stored: engine.Stored{Profile: j.Profile, State: j.State}, AsOf: j.AsOf, Until: until, Script: script, Seed: 1}
	l.end, err = t.Simulate(j.Policy, sim, func(e engine.Effect) bool {
		l.effects = append(l.effects, e)
		return true
	})
	if err != nil {
		t.Fatalf("the simulation is refused: %v", err)
	}
	return l
}

// charges are the automatic charges of a life.
func (l life) charges() []engine.Charge {
	var list []engine.Charge
	for _, e := range l.effects {
		if e.Kind == engine.ChargeAttempted && !e.Charge.Manual {
			list = append(list, plainCharge(e.Charge))
		}
	}
	return list
}

// slotsOf are the eligible slots from a day on, with a grid that the caller knows to be
// the right one: the days of the grid, unpaid, in front of finish-date.
func slotsOf(p gen.PlanCase, from, to calendar.Date) []calendar.Date {
	if p.Profile.Unit == 0 {
		return nil
	}
	anchor := p.State.Anchor
	if anchor.IsZero() {
		anchor = p.Profile.Start
	}
	if anchor.IsZero() {
		anchor = p.AsOf
	}
	g := gen.GridOf(anchor, p.Profile.Unit, p.Profile.Interval, p.Policy.MonthEnd)
	var list []calendar.Date
	for c := oracle.At(gen.DayNumber(from)); c.Day <= gen.DayNumber(to); c = c.Next() {
		d := gen.DateNumbered(c.Day)
		f := p.Profile.Finish
		over := !f.IsZero() && (d.After(f) || d == f && p.Policy.FinishBound == engine.FinishBoundExclusive)
		if g.Due(c) && !over && !slices.Contains(p.State.Paid, d) {
			list = append(list, d)
		}
	}
	return list
}

// forecast is the forecast of a job that must not be refused.
func (t *T) forecast(j gen.Job) Forecast {
	f, err := t.Forecast(j)
	if err != nil {
		t.Fatalf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
	}
	return f
}

// plain is the end without what it rests on.
func (e End) plain() End { return End{Status: e.Status, Repeat: e.Repeat, Stop: e.Stop.plain()} }

func (s Stop) plain() Stop { return Stop{Date: s.Date, Reasons: s.Reasons} }

// plainEnd is the end of a saved state in the same words.
func plainEnd(s engine.State) End {
	return End{Status: s.Status, Repeat: s.Repeat, Stop: StopFrom(s.Stop).plain()}
}

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
	var list []engine.Charge
	for _, r := range m.Records {
		if r.Charge != nil {
			list = append(list, plainCharge(gen.ChargeFromOracle(*r.Charge)))
		}
	}
	return list
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

// withAmounts are the charges with the amounts of others, for laws that leave those to other laws.
func withAmounts(list, of []engine.Charge) []engine.Charge {
	list = slices.Clone(list)
	for i := range first(list, of) {
		list[i].Min, list[i].Max = of[i].Min, of[i].Max
	}
	return list
}

func datesOf(list []engine.Charge) []calendar.Date {
	var dates []calendar.Date
	for _, c := range list {
		dates = append(dates, c.Date)
	}
	return dates
}

// life is what a simulation of the case gives.
func (t *T) life(l gen.LogCase) life {
	return t.live(l.Job, l.Until(), l.Script())
}

// plainEffect is what two implementations must agree on: an effect without what it rests on.
func plainEffect(e engine.Effect) engine.Effect {
	plain := engine.Effect{Kind: e.Kind, Date: e.Date}
	switch c := &e.Charge; e.Kind {
	case engine.ChargeAttempted:
		plain.Charge = plainCharge(*c)
		plain.Charge.Date, plain.Charge.Outcome = calendar.Date{}, c.Outcome
	case engine.ProfileStopped:
		plain.Stop = engine.Stop{Date: e.Stop.Date, Reasons: e.Stop.Reasons}
	case engine.EventHandled:
		plain.Event, plain.Result = e.Event, e.Result
	}
	return plain
}

// stored is the case's profile on as-of, before its run. A state that came with it is
// completed as the requirements say.
func (t *T) stored(j gen.Job) engine.Stored {
	s := engine.Stored{Profile: j.Profile, State: j.State}
	if j.State.Status != 0 {
		m := gen.MachineOf(j, oracle.Right())
		s.State.Anchor = gen.DateNumbered(m.Anchor)
		if s.State.RanThrough.IsZero() && !madeOnFirstDay(s.State) {
			s.State.RanThrough = j.AsOf.AddDays(-1)
		}
		return s
	}
	_, s, err := t.Apply(s, engine.Event{Date: j.AsOf, Do: engine.DoCreate}, j.Policy)
	if err != nil {
		t.Fatalf("the profile is not created: %v", err)
	}
	return s
}

// madeOnFirstDay reports whether a state is that of a profile made on the first day of the calendar, which
// had no run: no day before it can be named.
func madeOnFirstDay(s engine.State) bool { return s.RanThrough.IsZero() && s.Last == calendar.First() }

// plainEffects are the plain effects of the parts of a life.
func plainEffects(parts ...life) []engine.Effect {
	var all []engine.Effect
	for _, p := range parts {
		for _, e := range p.effects {
			all = append(all, plainEffect(e))
		}
	}
	return all
}
