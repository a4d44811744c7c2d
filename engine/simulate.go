package engine

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Step is one line of a script: an event, before its day's run or after it (L24).
type Step struct {
	Event
	After bool
}

// A Simulation is the days of one profile from AsOf to Until, both included: a charging run a day,
// and the events of a script.
type Simulation struct {
	Stored      Stored
	AsOf, Until calendar.Date
	// Steps are applied in order of date, those before the day's run first, equal ones in the order
	// given. A day with EventNoRun has no run of its own.
	Steps []Step
	// Outcomes are the outcomes of attempts by repeat number, automatic or manual. Each is approved
	// or declined; an attempt that is not listed is approved. Outcomes change nothing else (2.2.7).
	Outcomes map[uint64]Outcome
	// Seed draws random amounts, keyed by profile and repeat (L36d).
	Seed uint64
	// Undrawn leaves random amounts as they are forecast, from Min to Max.
	Undrawn bool
}

// Simulate simulates the days and yields every effect in the order in which it happened: an event
// first, then its effects. It is [Engine.Advance] and [Engine.Handle] in order of date; an EventRun
// of the script is an extra run and does not replace that of its day. Without a script the charges
// are those of the forecast, with an outcome. It returns where the profile is at the end, or after
// the run or event during which yield returned false.
//
// It fails as [Engine.Compile] does, with [ErrEventOrder] for an event before AsOf, with
// "event-kind" for a step without a kind, and with "until" if Until is before AsOf. Events after
// Until are not applied; a refused event is an effect and not a failure.
func (e Engine) Simulate(s Simulation, yield func(Effect) bool) (Stored, error) {
	r, err := s.begin(e.policy, yield)
	if err != nil {
		return s.Stored.clone(), err
	}
	r.days(s.sorted())
	return r.result(), nil
}

// sorted returns the steps in the order in which they are applied.
func (s *Simulation) sorted() []Step {
	steps := slices.Clone(s.Steps)
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

func (s *Simulation) begin(pol Policy, yield func(Effect) bool) (*simulator, error) {
	if err := s.Stored.check(s.AsOf, pol); err != nil {
		return nil, err
	}
	early := slices.IndexFunc(s.Steps, func(e Step) bool { return e.Date.Before(s.AsOf) })
	switch {
	case !s.Until.IsDay(), s.Until.Before(s.AsOf):
		return nil, refuse("until", errUntil)
	case early >= 0:
		return nil, &Error{Field: "date", Code: ErrEventOrder, Day: s.Steps[early].Date, Last: s.AsOf}
	case slices.ContainsFunc(s.Steps, func(e Step) bool { return !e.Kind.isEvent() }):
		return nil, refuse("kind", errEventKind)
	}
	for _, o := range s.Outcomes {
		if o == OutcomeUnknown || !outcomeWords.Has(uint8(o)) {
			return nil, refuse("outcome", errOutcome)
		}
	}
	r := &simulator{sim: s, yield: yield, seed: amount.NewSeed(s.Seed, s.Stored.Profile.ID)}
	r.machine = machine{stored: s.Stored.clone(), policy: pol}
	state, err := r.stored.State.begin(&r.stored.Profile, s.AsOf, pol)
	if err != nil {
		return nil, err
	}
	r.stored.State, r.next = state, s.AsOf
	if state.RanThrough == s.AsOf {
		r.next = s.AsOf.AddDays(1)
	}
	return r, nil
}

// A simulator takes a machine through the days.
type simulator struct {
	machine
	sim   *Simulation
	seed  amount.Seed
	next  calendar.Date // the day of the next daily run
	yield func(Effect) bool
	done  bool // yield returned false
}

// days applies the steps with the daily runs between them.
func (r *simulator) days(steps []Step) {
	for len(steps) > 0 && !r.done {
		day := steps[0].Date
		if day.After(r.sim.Until) {
			break
		}
		n := countOn(day, steps)
		r.runsThrough(day.AddDays(-1))
		r.day(day, steps[:n], nil)
		steps = steps[n:]
	}
	r.runsThrough(r.sim.Until)
}

// countOn counts the steps of a day, which come first.
func countOn(day calendar.Date, steps []Step) int {
	if n := slices.IndexFunc(steps, func(s Step) bool { return s.Date != day }); n >= 0 {
		return n
	}
	return len(steps)
}

// day is one day with its steps and its run, before which it calls beforeRun, unless that is nil.
func (r *simulator) day(day calendar.Date, steps []Step, beforeRun func(skipped bool)) {
	after := slices.IndexFunc(steps, func(s Step) bool { return s.After })
	if after < 0 {
		after = len(steps)
	}
	r.steps(steps[:after])
	skipped := slices.ContainsFunc(steps, func(s Step) bool { return s.Kind == EventNoRun })
	if beforeRun != nil {
		beforeRun(skipped)
	}
	if skipped {
		r.skipRun(day)
	} else {
		r.runsThrough(day)
	}
	r.steps(steps[after:])
}

func (r *simulator) steps(steps []Step) {
	for _, s := range steps {
		if r.done {
			return
		}
		_ = r.apply(&s.Event) // a refusal is among the effects
		r.emit()
	}
}

// runsThrough lets the daily runs up to a day take place. Extra runs of a script do not replace
// them.
func (r *simulator) runsThrough(day calendar.Date) {
	if r.done || day.Before(r.next) {
		return
	}
	r.runs(r.next, day, r.emit)
	r.next = day.AddDays(1)
}

// skipRun leaves out the daily run of a day.
func (r *simulator) skipRun(day calendar.Date) {
	if !r.next.After(day) {
		r.next = day.AddDays(1)
	}
}

// emit yields the effects, charges with their outcomes and drawn amounts, and removes them. It
// returns false once yield did.
func (r *simulator) emit() bool {
	for i := range r.effects {
		if r.done {
			break
		}
		e := &r.effects[i]
		if e.Kind == EffectCharge {
			r.attempt(&e.Charge)
		}
		r.done = !r.yield(*e)
	}
	r.effects = r.effects[:0]
	return !r.done
}

// attempt gives a charge its outcome and its drawn amount.
func (r *simulator) attempt(c *Charge) {
	c.Outcome = OutcomeApproved
	if o, ok := r.sim.Outcomes[c.Repeat]; ok {
		c.Outcome = o
	}
	if r.sim.Undrawn {
		return
	}
	a := c.Min
	if c.grid > 0 {
		a = r.stored.Profile.Amounts.Draw(r.seed, c.Repeat) // what c.Amount draws, without making the range again
	}
	c.Min, c.Max, c.grid = a, a, 0
}
