package engine

import (
	"math"
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
// that the plan was compiled from. A Date past the calendar is its last day.
func (p *Plan) End(d calendar.Date) End {
	d = lastDay(d)
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

// endOf builds every End, and what it depends on.
func endOf(p *Profile, s *State, d calendar.Date) End {
	e := End{Status: s.Status, Repeat: s.Repeat, Stop: s.Stop}
	if s.Status == 0 {
		return e
	}
	e.Because = s.Because.Without(amountEntries).And(gridClauses(p, s.Anchor)).With(clause.Doc227)
	if s.Status == StatusStopped {
		e.Because = e.Because.And(s.Stop.Because)
		return e
	}
	e.Because = e.Because.With(clause.X14)
	if p.Automatic() && d == calendar.MaxDate() {
		e.LastDay = true
		e.Because = e.Because.With(clause.L32)
	}
	return e
}

// State returns what to store after the run of day d, so that a forecast as of a later day
// continues this one: it carries the policy. For a day before the first run it is the state before
// it, and a Date past the calendar is its last day. It shares no memory with p.
func (p *Plan) State(d calendar.Date) State {
	s := p.stateAfter(lastDay(d))
	s.policy, s.bound = p.policy, s.Status != 0
	s.Paid, s.Missed = slices.Clone(s.Paid), slices.Clone(s.Missed)
	return s
}

// lastDay returns d, or 9999-12-31 for a Date after it.
func lastDay(d calendar.Date) calendar.Date {
	if afterEnd(d) {
		return calendar.MaxDate()
	}
	return d
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

// The conditions that stop a profile are evaluated only here.

// lastRepeat is where repeat numbers end: at it nothing more is charged automatically.
const lastRepeat = math.MaxInt64

// capOf returns the number of charges that max-repeats-number allows in all (L08, L09).
func capOf(l Limit, pol Policy) (n uint64, capped bool) {
	n, capped = l.Value()
	switch {
	case !capped, n == 0 && pol.MaxZero == MaxZeroUnlimited:
		return 0, false
	case n > 0 && pol.MaxCounts == MaxCountsRepeatsAfterFirst:
		return n + 1, true
	}
	return n, true
}

// capReached reports whether a profile with a repeat number is due to stop (L10).
func capReached(p *Profile, repeat uint64, pol Policy) bool {
	n, capped := capOf(p.MaxRepeats, pol)
	return capped && repeat >= n
}

// finishOver reports whether a run on day d finds finish-date over before it charges (L05).
func finishOver(p *Profile, d calendar.Date, pol Policy) bool {
	f := p.Finish
	return !f.IsZero() && (d.After(f) || d == f && pol.FinishBound == FinishBoundExclusive)
}

// lastChargeDay returns the last day on which finish-date allows a charge; zero for no end.
func lastChargeDay(p *Profile, pol Policy) calendar.Date {
	f := p.Finish
	if f.IsZero() || pol.FinishBound == FinishBoundInclusive || f == calendar.MinDate() {
		return f // a finish-date on the first day of the calendar stops the profile before any charge
	}
	return f.AddDays(-1)
}

// newStop returns the stop of a profile on day d with the clauses behind it, but for those of
// finish-date. The repeat number is that before the day's charges.
func newStop(p *Profile, d calendar.Date, why Reasons, repeat uint64) Stop {
	s := Stop{Date: d, Reasons: why, Because: ledger.On(clause.L32b)}
	if why&ReasonMaxRepeats != 0 {
		s.Because = s.Because.And(capClauses(p, repeat))
	}
	if why == ReasonMaxRepeats|ReasonFinishDate {
		s.Because = s.Because.With(clause.L11)
	}
	if !p.Automatic() {
		s.Because = s.Because.With(clause.L25)
	}
	return s
}

// ofStops returns what a stop for the given reasons depends on of what happened before.
func (s *State) ofStops(why Reasons) ledger.Because {
	entries := stopEntries
	if why&ReasonMaxRepeats == 0 {
		entries = entries.Without(ledger.On(clause.L10))
	}
	return among(s.Because, entries)
}

func capClauses(p *Profile, repeat uint64) ledger.Because {
	n, _ := p.MaxRepeats.Value()
	if n == 0 {
		return ledger.On(clause.Doc228, clause.L09, clause.L32a)
	}
	b := ledger.On(clause.Doc228, clause.Doc8, clause.L08)
	if repeat > n {
		b = b.With(clause.L10)
	}
	return b
}

// finishClauses are what a stop on day d because of finish-date depends on.
func (p *Plan) finishClauses(d calendar.Date) ledger.Because {
	b, finish := ledger.On(clause.Doc229, clause.L05), p.profile.Finish
	switch {
	case d.After(finish), finish.Before(p.profile.Start):
		return b.With(clause.L32a)
	case p.charges > 0 && p.dateOf(p.charges-1) == finish:
		return b.With(clause.X8)
	case hasDueDayIn(&p.profile, &p.state, calendar.Through(finish, finish), p.policy):
		return b // a due day without a charge is not between two due days
	}
	return b.With(clause.L07)
}
