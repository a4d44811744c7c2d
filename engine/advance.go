package engine

import (
	"github.com/chargecast/chargecast/calendar"
)

// Advance lets the daily runs take place, one on every day after State.RanThrough up to and
// including the day through, and appends to effects the charges and the stop that they brought
// about. If the last event is later than RanThrough, the days between them passed without a run
// (L16b), as they do for [Apply]. It equals [Apply] with a run on each of these days, all approved, but without an effect
// for each run; its work depends on the number of charges, not of days.
//
// It is pure, and all or nothing: its arguments share no memory with the result, and after an error
// nothing has happened. Callers who want fewer effects at once ask for fewer days. A day through
// that is RanThrough changes nothing; an earlier one, or one before the last event, is
// [ErrEventOrder]. A profile that is not created yet stays as it is. Other errors are those of
// [Stored.Check], and [ErrStateConflict] for a state that does not say when its last run was.
func Advance(effects []Effect, s Stored, through calendar.Date, pol Policy) ([]Effect, Stored, error) {
	m := machine{stored: s.clone(), policy: pol, effects: effects}
	err := m.advanceThrough(through, func(e Effect) bool {
		m.effects = append(m.effects, e)
		return true
	})
	if err != nil {
		return effects, s.clone(), err
	}
	return m.effects, m.stored, nil
}

// advanceThrough checks the stored profile as of the first of the runs, and lets them take place.
func (m *machine) advanceThrough(through calendar.Date, emit func(Effect) bool) error {
	p, s := &m.stored.Profile, &m.stored.State
	if !through.IsZero() && (through.Before(s.Last) || through.Before(s.RanThrough)) {
		return ErrEventOrder.in("through")
	}
	next := through
	if s.Status != 0 && s.RanThrough.Before(through) && !s.RanThrough.IsZero() {
		next = later(s.RanThrough.AddDays(1), s.Last)
	}
	if err := m.stored.check(next, m.policy); err != nil {
		return err
	}
	switch {
	case s.Status == 0, s.RanThrough == through:
		return nil
	case s.RanThrough.IsZero() && through != calendar.First():
		return ErrStateConflict.in("state.ran_through")
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
	for c := range plan.list(0, plan.through(last)) {
		if goOn = emit(Effect{Kind: ChargeAttempted, Date: c.Date, Because: c.Because, Charge: c}); !goOn {
			last = c.Date
			break
		}
	}
	stops := plan.state.Status == StatusActive && !plan.stop.IsZero() && !plan.stop.Date.After(last)
	if goOn && stops {
		goOn = emit(Effect{Kind: ProfileStopped, Date: plan.stop.Date, Because: plan.stop.Because, Stop: plan.stop})
	}
	m.stored.State = plan.stateAfter(last)
	return goOn
}
