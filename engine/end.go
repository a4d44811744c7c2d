package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// An End is where a profile is after the run of a day.
type End struct {
	Status Status
	Repeat uint64 // the current repeat number (2.2.7)
	Stop   Stop   // zero while active, and if it is not known
	// LastDay reports whether the end of the calendar, 9999-12-31, cut the series off, which is
	// not a stop (L32).
	LastDay bool
	Because ledger.Because
}

// End returns where the profile is after the run of day d; before the first run that is the state
// that the plan was compiled from.
func (p *Plan) End(d calendar.Date) End {
	s := p.state
	s.Repeat += uint64(p.through(d))
	if !p.stop.IsZero() && !p.stop.Date.After(d) {
		s.Status, s.Stop = StatusStopped, p.stop
	}
	return endOf(&p.profile, &s, d)
}

// End returns where a stored profile is on day d if no run of that day is left to come: what
// [Plan.End] returns after the same runs. It fails as [Engine.Check] does; a profile that is not
// created yet has the status none.
func (e Engine) End(s Stored, d calendar.Date) (End, error) {
	if err := s.check(d, e.policy); err != nil {
		return End{}, err
	}
	if s.State.Status == 0 {
		return End{Because: ledger.On(clause.Doc41)}, nil
	}
	s.State = s.State.complete(&s.Profile, d, e.policy)
	return endOf(&s.Profile, &s.State, d), nil
}

// endOf builds every End, and what it rests on.
func endOf(p *Profile, s *State, d calendar.Date) End {
	e := End{Status: s.Status, Repeat: s.Repeat, Stop: s.Stop}
	if s.Status == 0 {
		return e
	}
	e.Because = s.Because.And(gridClauses(p, s.Anchor)).With(clause.Doc227)
	if s.Status == StatusStopped {
		e.Because = e.Because.And(s.Stop.Because)
		return e
	}
	e.Because = e.Because.With(clause.X14)
	if p.Automatic() && d == calendar.Last() {
		e.LastDay = true
		e.Because = e.Because.With(clause.L32)
	}
	return e
}

// State returns what to store after the run of day d, so that a forecast as of a later day
// continues this one. For a day before the first run it is the state before it. It shares no memory
// with p.
func (p *Plan) State(d calendar.Date) State {
	s := p.stateAfter(d)
	s.Paid, s.Missed = slices.Clone(s.Paid), slices.Clone(s.Missed)
	return s
}

// stateAfter is State with lists that may be those of p.
func (p *Plan) stateAfter(d calendar.Date) State {
	s := p.state
	if p.first.IsZero() || d.Before(p.first) {
		return s
	}
	n := p.through(d)
	stopped := s.Status == StatusStopped || !p.stop.IsZero() && !p.stop.Date.After(d)
	s.Repeat += uint64(n)
	s.RanThrough = d
	s.pass(d)
	s.Missed = p.missedAfter(n, d, stopped)
	s.Paid = paidStillRelevant(s.Paid, d, s.Missed, n > 0 && p.slots.at(n-1) == d)
	if stopped {
		s.Status, s.Stop = StatusStopped, p.stop
	}
	return s
}

// missedAfter returns the days that a catch-up policy still has to charge after the run of day d
// and n charges.
func (p *Plan) missedAfter(n int, d calendar.Date, stopped bool) []calendar.Window {
	missed := p.state.Missed
	from := p.first // the first day whose run found the profile stopped
	if p.state.Status == StatusActive {
		missed = p.missedLeft(n)
		if stopped {
			from = p.stop.Date.AddDays(1)
		}
	}
	if !stopped || p.policy.ResumeMissed == MissedSkip || from.After(d) {
		return missed
	}
	return withWindow(missed, calendar.Through(from, d))
}

// missedLeft returns what the first run left of the missed days: all of them if it stopped the
// profile before it charged, those after the charge that reached the cap, else none.
func (p *Plan) missedLeft(n int) []calendar.Window {
	missed := p.state.Missed
	switch {
	case len(missed) == 0 || p.stop.Date != p.first:
		return nil
	case p.charges == 0:
		return missed
	case p.stop.Reasons&ReasonMaxRepeats != 0:
		return windowsAfter(missed, p.slots.at(n-1))
	}
	return nil
}
