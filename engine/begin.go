package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// create returns the state of a profile created on day asOf, before that day's run (L02,
// L03).
func create(p *Profile, asOf calendar.Date, pol Policy) (State, *Error) {
	anchor, why, err := origin(p, asOf, pol)
	if err != nil {
		return State{}, err
	}
	s := State{Status: StatusActive, Anchor: anchor, RanThrough: asOf.AddDays(-1), Because: why, Last: asOf}
	if !p.Automatic() || !anchor.Before(asOf) {
		return s, nil
	}
	s.Because = s.Because.With(clause.L03)
	switch pol.StartPast {
	case StartPastReject:
		return State{}, refuse("start-date", errStartPast)
	case StartPastCatchUp:
		s.Missed = []calendar.Window{{From: anchor, To: asOf}}
	case StartPastReanchor:
		s.Anchor = asOf
	case StartPastCountMissed:
		k, _ := gridOf(p, anchor, pol).Index(asOf)
		s.Repeat = uint64(k)
	}
	return s, nil
}

// origin returns where the due days of p begin if nothing moved them (L02).
func origin(p *Profile, asOf calendar.Date, pol Policy) (calendar.Date, ledger.Because, *Error) {
	switch {
	case !p.Start.IsZero():
		return p.Start, ledger.Because{}, nil
	case !p.Automatic():
		return asOf, ledger.Because{}, nil
	case pol.StartAbsent == StartAbsentReject:
		return calendar.Date{}, ledger.Because{}, refuse("start-date", errStartAbsent)
	}
	return asOf, ledger.On(clause.L02), nil
}

// begin returns the state from which the runs of day asOf and later continue: that of a profile
// created on the day for the zero State, else s completed, with the days before asOf that had no
// run noted (L16b). s has passed check.
func (s State) begin(p *Profile, asOf calendar.Date, pol Policy) (State, *Error) {
	if s.Status == 0 {
		return create(p, asOf, pol)
	}
	s = s.complete(p, asOf, pol)
	return s.passWithoutRun(p, asOf.AddDays(-1), pol), nil
}

// complete fills in what a state may leave out: its anchor is the start-date, and its last run was
// that of the day before d. A zero Last means a hand-written state, often without what its last run
// charged: the slot of that day counts as paid, so that another run on the day does not charge it
// again.
func (s State) complete(p *Profile, d calendar.Date, pol Policy) State {
	if s.Anchor.IsZero() {
		anchor, why, _ := origin(p, d, pol) // check has refused what origin would
		s.Anchor, s.Because = anchor, s.Because.And(why)
	}
	s.Paid = sortedDates(s.Paid)
	if s.RanThrough.IsZero() && !s.neverRan() {
		s.RanThrough = d.AddDays(-1)
	} else if s.Last.IsZero() && s.Status == StatusActive && s.RanThrough == d && s.charged(p, d, pol) {
		s.Paid = withDate(s.Paid, d)
	}
	return s
}

// neverRan reports whether a profile was created on the first day of the calendar and had no run:
// no day lies before it that RanThrough could name.
func (s *State) neverRan() bool { return s.RanThrough.IsZero() && s.Last == calendar.MinDate() }

// charged reports whether the run of day d must have charged that day's slot.
func (s *State) charged(p *Profile, d calendar.Date, pol Policy) bool {
	return !s.isMissed(d) && hasDueDayIn(p, s, calendar.Through(d, d), pol)
}

// isMissed reports whether a catch-up policy still has to charge the slots of day d.
func (s *State) isMissed(d calendar.Date) bool {
	return slices.ContainsFunc(s.Missed, func(w calendar.Window) bool { return w.Contains(d) })
}

// passWithoutRun records the days after RanThrough up to last as days without a run, and adds them
// to Missed if the policy catches up, whatever the status: resume-missed is for the days whose run
// found the profile stopped (L16, L16b).
func (s State) passWithoutRun(p *Profile, last calendar.Date, pol Policy) State {
	if last.IsZero() || !s.RanThrough.Before(last) {
		return s // such as after the last run of a day
	}
	gap := calendar.Through(calendar.MinDate(), last)
	if !s.RanThrough.IsZero() {
		gap.From = s.RanThrough.AddDays(1)
	}
	if hasDueDayIn(p, &s, gap, pol) {
		s.Because = s.Because.With(clause.L16b)
	}
	if pol.RunMissed == MissedCatchUp {
		s.Missed = withWindow(s.Missed, gap)
	}
	s.RanThrough = last
	return s
}
