package engine

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Step is one line of a script: an event, before its day's run or after it (L24).
type Step struct {
	Event
	After bool
}

// A Script is what happens to one profile beside its daily runs. The zero Script is
// nothing.
type Script struct {
	// Steps are applied in order of date, those before the day's run first, equal
	// ones in the order given. A day with DoNoRun has no run of its own.
	Steps []Step
	// Outcomes of attempts by repeat number, automatic or manual; the others are
	// approved. They change nothing else (2.2.7).
	Outcomes map[uint64]Outcome
}

// A Simulation is one profile's life over the days from AsOf to Until, both included:
// a charging run a day, and the events of a script.
type Simulation struct {
	Stored
	AsOf, Until calendar.Date
	Policy      Policy
	Script      Script
	// Seed draws random amounts, keyed by profile and repeat (L36d).
	Seed uint64
}

// Simulate lets the days pass and yields every effect in the order in which it
// happened: an event first, then what it brought about. Without a script the charges
// are those of the forecast; both walk the same [Plan]. It returns where the profile
// stood at the end, or after the run or event in which yield returned false.
//
// It fails as [Compile] does, with [ErrEventOrder] for an event before AsOf, and with
// [ErrUntil] where Until lies before AsOf. Events after Until are left alone; a refused
// event is an effect and no failure.
func Simulate(s Simulation, yield func(Effect) bool) (Stored, error) {
	r, fault := s.begin()
	if fault != 0 {
		return s.Stored, fault
	}
	r.yield = yield
	r.days(s.sorted())
	return r.Stored, nil
}

// Effects is [Simulate] as a sequence, which can be used again. It is empty where
// Simulate fails.
func (s Simulation) Effects() iter.Seq[Effect] {
	return func(yield func(Effect) bool) { _, _ = Simulate(s, yield) }
}

// sorted are the steps in the order in which they are applied.
func (s Simulation) sorted() []Step {
	steps := slices.Clone(s.Script.Steps)
	slices.SortStableFunc(steps, func(a, b Step) int {
		if c := a.Date.Compare(b.Date); c != 0 || a.After == b.After {
			return c
		}
		if b.After {
			return -1
		}
		return 1
	})
	return steps
}

func (s Simulation) begin() (*runner, Fault) {
	switch {
	case s.AsOf.IsZero():
		return nil, ErrAsOf
	case s.Until.Before(s.AsOf):
		return nil, ErrUntil
	case slices.ContainsFunc(s.Script.Steps, func(e Step) bool { return e.Date.Before(s.AsOf) }):
		return nil, ErrEventOrder
	}
	if fault := s.Profile.check(s.Policy); fault != 0 {
		return nil, fault
	}
	state, fault := s.State.begin(s.Profile, s.AsOf, s.Policy)
	if fault != 0 {
		return nil, fault
	}
	r := &runner{sim: s, seed: amount.NewSeed(s.Seed, s.Profile.ID)}
	r.machine = machine{Stored: Stored{s.Profile, state}, policy: s.Policy}
	r.next = s.AsOf
	if state.RanThrough == s.AsOf {
		r.next = s.AsOf.AddDays(1)
	}
	return r, 0
}

// A runner takes a machine through the days.
type runner struct {
	machine
	sim   Simulation
	seed  amount.Seed
	next  calendar.Date // the day of the next daily run; zero past the calendar
	yield func(Effect) bool
	done  bool // yield asked to end
	plan  Plan
}

// days applies the steps with the daily runs between them.
func (r *runner) days(steps []Step) {
	for len(steps) > 0 && !r.done {
		day := steps[0].Date
		if day.After(r.sim.Until) {
			break
		}
		n := slices.IndexFunc(steps, func(s Step) bool { return s.Date != day })
		if n < 0 {
			n = len(steps)
		}
		r.runs(day.AddDays(-1))
		r.day(day, steps[:n])
		steps = steps[n:]
	}
	r.runs(r.sim.Until)
}

// day is one day with its steps and its run.
func (r *runner) day(day calendar.Date, steps []Step) {
	after := slices.IndexFunc(steps, func(s Step) bool { return s.After })
	if after < 0 {
		after = len(steps)
	}
	r.steps(steps[:after])
	noRun := slices.ContainsFunc(steps, func(s Step) bool { return s.Do == DoNoRun })
	if noRun {
		r.pass(day)
	} else {
		r.runs(day)
	}
	r.steps(steps[after:])
}

// pass goes over a day without its run.
func (r *runner) pass(day calendar.Date) {
	if !r.next.After(day) {
		r.next = day.AddDays(1)
	}
}

func (r *runner) steps(steps []Step) {
	for _, s := range steps {
		if r.done {
			return
		}
		s.Outcome = Approved
		_ = r.apply(s.Event) // a refusal is among the effects
		r.flush()
	}
}

// flush yields the effects of an event.
func (r *runner) flush() {
	for _, e := range r.effects {
		r.emit(e)
	}
	r.effects = r.effects[:0]
}

// emit yields e, with its outcome and its drawn amount if it is a charge.
func (r *runner) emit(e Effect) {
	if r.done {
		return
	}
	if e.Kind == Made {
		e.Charge.Outcome = r.sim.Script.Outcomes[e.Charge.Repeat]
		if drawn, ok := r.Profile.Amounts.(amount.Range); ok {
			a := drawn.Draw(r.seed, e.Charge.Repeat)
			e.Charge.Min, e.Charge.Max = a, a
		}
	}
	r.done = !r.yield(e)
}

// runs are the daily runs up to and including day last, in one stroke.
func (r *runner) runs(last calendar.Date) {
	if r.done || r.next.IsZero() || last.Before(r.next) {
		return
	}
	p := &r.plan
	p.prepare(r.Profile, r.State, r.next, r.next, r.policy)
	for c := range p.list(0, p.through(last)) {
		r.emit(Effect{Kind: Made, Date: c.Date, Because: c.Because, Charge: c})
		if r.done {
			last = c.Date
			break
		}
	}
	if r.State.Status == Active && !p.stop.IsZero() && !p.stop.Date.After(last) {
		r.halted(p.stop)
		r.flush()
	}
	r.State = p.State(last)
	r.next = last.AddDays(1)
}

// End is where a stored profile stands after the run of day d, in the words of a
// forecast's end.
func (s Stored) End(d calendar.Date, pol Policy) End {
	var p Plan
	if s.Profile.check(pol) == 0 && s.State.Status != 0 {
		p.prepare(s.Profile, s.State, d, calendar.Date{}, pol)
	}
	return p.End(d)
}
