package engine

import (
	"github.com/chargecast/chargecast/calendar"
)

// Advance lets the daily runs take place, one on every day after State.RanThrough up to and
// including the day through. The effects are the charges and the stop that result, in order. Each
// charge is dated on its due day, also where the caller's own job comes late; Policy.RunMissed is
// about runs of the gateway that did not take place (L16b). A day on which the job ran already, or
// an earlier one, has no effect and is not an error, so that a job may be started twice.
//
// Outcomes belong to who asks the bank: every charge has OutcomeUnknown, and what the bank answered
// is for the caller to keep, by [Charge.Key]. It changes no later charge (2.2.7).
//
// On an error the Stored is the one given, and there is no effect: [ErrNotCreated] for a profile
// that is not created, [ErrStateConflict] for a state without RanThrough, [ErrEventOrder] for a
// through that is not a day, [ErrPolicyDiffers] for a state that another policy made, and what
// [Engine.Check] returns as of the first of the runs.
//
// It is pure: the result shares no memory with the argument. Its work depends on the number of
// charges, not of days. To bound the effects of one call, advance fewer days.
func (e Engine) Advance(s Stored, through calendar.Date) (Stored, []Effect, error) {
	if err := s.checkReady(through, "through", e.policy); err != nil {
		return s, nil, err
	}
	next, left := s.State.nextRun(through)
	if err := s.check(next, e.policy); err != nil {
		return s, nil, err
	}
	m := machine{stored: s.clone(), policy: e.policy}
	if left {
		m.advanceThrough(through)
	}
	return m.result(), m.effects, nil
}

// nextRun returns the day of the next run, and whether it comes by the day through; at the end of
// the calendar, the last day of the state.
func (s *State) nextRun(through calendar.Date) (day calendar.Date, left bool) {
	if s.neverRan() {
		return calendar.MinDate(), !through.IsZero()
	}
	next := later(s.RanThrough.AddDays(1), s.Last)
	if !next.After(through) {
		return next, true
	}
	if !next.IsDay() { // the calendar is over
		next = later(s.RanThrough, s.Last)
	}
	return next, false
}

// advanceThrough lets the runs up to and including the day through take place, of which at least
// one is left. Days that a later event jumped over count as days without a run (L16b).
func (m *machine) advanceThrough(through calendar.Date) {
	p, s := &m.stored.Profile, &m.stored.State
	next, _ := s.nextRun(through)
	*s = s.complete(p, next, m.policy).passWithoutRun(p, next.AddDays(-1), m.policy)
	m.runs(next, through, nil)
}

// runs are the daily runs of the days from next to last, in one pass, or to the one after which
// emitted returns false.
func (m *machine) runs(next, last calendar.Date, emitted func() bool) {
	p, s := &m.stored.Profile, &m.stored.State
	*s = s.complete(p, next, m.policy)
	var plan Plan
	plan.prepare(p, *s, next, next, m.policy)
	m.advance(&plan, last, emitted)
}

// advance adds the charges and the stop of a plan up to and including the day last to the effects,
// and moves the state there. Handle, Advance and Simulate all move by it. After each effect it
// calls emitted, unless that is nil; where that returns false, the state is that after the run of
// the day of the effect.
func (m *machine) advance(plan *Plan, last calendar.Date, emitted func() bool) {
	goOn := true
	plan.each(0, plan.through(last), func(c Charge) bool {
		m.effects = append(m.effects, Effect{Kind: EffectCharge})
		e := &m.effects[len(m.effects)-1] // filled in here, since it is large
		e.Date, e.Because, e.Charge = c.Date, c.Because, c
		if goOn = emitted == nil || emitted(); !goOn {
			last = c.Date
		}
		return goOn
	})
	stops := plan.state.Status == StatusActive && !plan.stop.IsZero() && !plan.stop.Date.After(last)
	if goOn && stops {
		m.keep(Effect{Kind: EffectStop, Date: plan.stop.Date, Because: plan.stop.Because, Stop: plan.stop})
		if emitted != nil {
			emitted()
		}
	}
	m.stored.State = plan.stateAfter(last)
}
