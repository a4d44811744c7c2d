package engine

import (
	"github.com/chargecast/chargecast/calendar"
)

// Advance performs the daily runs, one on every day after State.RanThrough up to and including the
// day through, and appends the charges and the stop that result to effects. If the last event is
// later than RanThrough, the days between them count as days without a run (L16b), as they do for
// [Engine.Apply]; [Engine.Do] lets their runs take place first.
//
// It equals [Engine.Apply] with a run on each of these days, all approved, but without an effect for each
// run. Its work depends on the number of charges, not of days.
//
// It is pure: its arguments share no memory with the result, and on an error it returns them. To
// bound the effects of one call, advance fewer days. A day through equal to RanThrough changes
// nothing; an earlier one, or one before the last event, is [ErrEventOrder]. A profile that is not
// created yet stays as it is. Other errors are those of [Engine.Check] as of the first of the runs,
// and [ErrStateConflict] for a state without RanThrough.
func (e Engine) Advance(effects []Effect, s Stored, through calendar.Date) ([]Effect, Stored, error) {
	m := machine{stored: s.clone(), policy: e.policy, effects: effects}
	err := m.advanceThrough(through, func(e Effect) bool {
		m.effects = append(m.effects, e)
		return true
	})
	if err != nil {
		return effects, s.clone(), err
	}
	return m.effects, m.result(), nil
}

// advanceThrough checks the stored profile as of the first of the runs, and lets them take place.
func (m *machine) advanceThrough(through calendar.Date, emit func(Effect) bool) error {
	p, s := &m.stored.Profile, &m.stored.State
	if !through.IsDay() {
		return refuse("through", ErrEventOrder)
	}
	if err := s.follows(through); err != nil {
		return err
	}
	next := through
	switch {
	case s.neverRan():
		next = calendar.MinDate()
	case s.Status != 0 && s.RanThrough.Before(through) && !s.RanThrough.IsZero():
		next = later(s.RanThrough.AddDays(1), s.Last)
	}
	if err := m.stored.check(next, m.policy); err != nil {
		return err
	}
	switch {
	case s.Status == 0, s.RanThrough == through:
		return nil
	case s.RanThrough.IsZero() && next != calendar.MinDate():
		return refuse("state.ran_through", ErrStateConflict)
	}
	*s = s.complete(p, next, m.policy).passWithoutRun(p, next.AddDays(-1), m.policy)
	m.runs(next, through, emit)
	return nil
}

// runs are the daily runs of the days from next to last, in one pass. It returns false if emit did,
// after the run of the day of that effect.
func (m *machine) runs(next, last calendar.Date, emit func(Effect) bool) bool {
	p, s := &m.stored.Profile, &m.stored.State
	*s = s.complete(p, next, m.policy)
	var plan Plan
	plan.prepare(p, *s, next, next, m.policy)
	return m.advance(&plan, last, emit)
}

// advance emits the charges and the stop of a plan up to and including the day last, and moves the
// state there. It is the step under Apply, Advance and Simulate. It returns false if emit did; the
// state is then that after the run of the day of that effect.
func (m *machine) advance(plan *Plan, last calendar.Date, emit func(Effect) bool) bool {
	goOn := true
	plan.each(0, plan.through(last), func(c Charge) bool {
		if goOn = emit(Effect{Kind: EffectCharge, Date: c.Date, Because: c.Because, Charge: c}); !goOn {
			last = c.Date
		}
		return goOn
	})
	stops := plan.state.Status == StatusActive && !plan.stop.IsZero() && !plan.stop.Date.After(last)
	if goOn && stops {
		goOn = emit(Effect{Kind: EffectStop, Date: plan.stop.Date, Because: plan.stop.Because, Stop: plan.stop})
	}
	m.stored.State = plan.stateAfter(last)
	return goOn
}
