package engine

import (
	"math"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

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
	if f.IsZero() || pol.FinishBound == FinishBoundInclusive || f == calendar.First() {
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

// finishClauses are what a stop on day d because of finish-date rests on.
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
