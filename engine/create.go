package engine

import (
	"math"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// check tells the first rule of 2.1 and 2.2, or of the policy, that p breaks.
func (p Profile) check(pol Policy) Fault {
	n, set := p.MaxRepeats.Value()
	switch {
	case !pol.valid():
		return ErrPolicy
	case p.Kind != Source && p.Kind != Destination:
		return ErrKind
	case (p.Unit == 0) != (p.Interval == 0):
		return ErrSchedulePair
	case p.Interval < 0 || p.Unit > calendar.UnitMonth:
		return ErrInterval
	case p.Automatic() && p.Kind == Destination:
		return ErrScheduleOnDestination
	case p.Amounts == nil:
		return ErrAmountMissing
	case set && n == 0 && pol.MaxZero == MaxZeroReject:
		return ErrMaxZero
	}
	return 0
}

// begin is the complete state from which a forecast as of a day starts: that of a
// profile created on the day for the zero State, else s restored.
func (s State) begin(p Profile, asOf calendar.Date, pol Policy) (State, Fault) {
	if s.Status == 0 {
		if !s.isZero() {
			return State{}, ErrStateConflict
		}
		return create(p, asOf, pol)
	}
	if fault := s.check(asOf); fault != 0 {
		return State{}, fault
	}
	return s.restore(p, asOf, pol)
}

func (s State) isZero() bool {
	return s.Status == 0 && s.Repeat == 0 && s.Anchor.IsZero() && s.RanThrough.IsZero() &&
		len(s.Paid) == 0 && len(s.Missed) == 0 && s.Stop.IsZero()
}

// create is the state of a profile that is created on day asOf, before that day's
// run (L02, L03).
func create(p Profile, asOf calendar.Date, pol Policy) (State, Fault) {
	anchor, why, fault := origin(p, asOf, pol)
	if fault != 0 {
		return State{}, fault
	}
	s := State{Status: Active, Anchor: anchor, RanThrough: asOf.AddDays(-1), Because: why, Last: asOf}
	if !p.Automatic() || !anchor.Before(asOf) {
		return s, 0
	}
	s.Because = s.Because.With(ledger.L03)
	switch pol.StartPast {
	case StartPastReject:
		return State{}, ErrStartPast
	case StartPastCatchUp:
		s.Missed = []calendar.Window{{From: anchor, To: asOf}}
	case StartPastReanchor:
		s.Anchor = asOf
	case StartPastCountMissed:
		grid, err := calendar.NewSchedule(anchor, p.Unit, p.Interval, pol.MonthEnd)
		if err != nil {
			return State{}, ErrInterval
		}
		k, _ := grid.Index(asOf)
		s.Repeat = uint64(k)
	}
	return s, 0
}

// origin is where the grid of p starts when nothing moved it (L02).
func origin(p Profile, asOf calendar.Date, pol Policy) (calendar.Date, ledger.Because, Fault) {
	switch {
	case !p.Start.IsZero():
		return p.Start, ledger.Because{}, 0
	case !p.Automatic():
		return asOf, ledger.Because{}, 0
	case pol.StartAbsent == StartAbsentReject:
		return calendar.Date{}, ledger.Because{}, ErrStartAbsent
	}
	return asOf, ledger.On(ledger.L02), 0
}

// check tells whether s can be a state as of a day: [ErrStateConflict] if not.
func (s State) check(asOf calendar.Date) Fault {
	conflict := s.Status > Stopped ||
		s.Repeat > math.MaxInt64 ||
		s.RanThrough.After(asOf) ||
		s.Status == Active && !s.Stop.IsZero() ||
		slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return d.IsZero() || d.After(asOf) }) ||
		!ordered(s.Missed, s.RanThrough)
	if conflict {
		return ErrStateConflict
	}
	return 0
}

// ordered tells whether windows are in order, apart, not empty and over by last.
func ordered(windows []calendar.Window, last calendar.Date) bool {
	for i, w := range windows {
		apart := i == 0 || !windows[i-1].To.IsZero() && !w.From.Before(windows[i-1].To)
		if w.IsEmpty() || w.From.IsZero() || !apart || w.Last().After(last) {
			return false
		}
	}
	return true
}

// restore completes a saved state as of a day: its defaults, and the days without a run
// since then (L16b).
func (s State) restore(p Profile, asOf calendar.Date, pol Policy) (State, Fault) {
	s, fault := s.complete(p, asOf, pol)
	if fault != 0 {
		return State{}, fault
	}
	yesterday := asOf.AddDays(-1)
	if s.RanThrough.Before(yesterday) {
		s = s.skipTo(p, asOf, pol)
	}
	return s, 0
}

// complete fills in what a state need not say: its anchor is the start-date, and no run
// took place since the day before d. One without a last event was told by hand, often
// without what its last run charged: the slot of that day counts as paid, so that another
// run on the day does not charge it again.
func (s State) complete(p Profile, d calendar.Date, pol Policy) (State, Fault) {
	if s.Anchor.IsZero() {
		anchor, why, fault := origin(p, d, pol)
		if fault != 0 {
			return s, fault
		}
		s.Anchor, s.Because = anchor, s.Because.And(why)
	}
	s.Paid = sorted(s.Paid)
	if s.RanThrough.IsZero() {
		s.RanThrough = d.AddDays(-1)
	} else if s.Last.IsZero() && s.Status == Active && s.RanThrough == d && s.charged(p, d, pol) {
		s.Paid = withDate(s.Paid, d)
	}
	return s, 0
}

// charged tells whether the run of day d, by all that is told, charged that day's slot.
func (s State) charged(p Profile, d calendar.Date, pol Policy) bool {
	owed := slices.ContainsFunc(s.Missed, func(w calendar.Window) bool { return w.Contains(d) })
	return p.Automatic() && !owed && s.owes(p, calendar.Through(d, d), pol)
}

// sorted is list in order and without repetition; list itself where it already is.
func sorted(list []calendar.Date) []calendar.Date {
	inOrder := true
	for i := 1; i < len(list); i++ {
		inOrder = inOrder && list[i-1].Before(list[i])
	}
	if inOrder {
		return list
	}
	list = slices.Clone(list)
	slices.SortFunc(list, calendar.Date.Compare)
	return slices.Compact(list)
}

// skipTo lets the days after RanThrough and before d pass without a run, and notes what
// run-missed owes for them, whatever the status: resume-missed is for the days whose run
// found the profile stopped (L16, L16b).
func (s State) skipTo(p Profile, d calendar.Date, pol Policy) State {
	gap := calendar.Window{From: calendar.First(), To: d}
	switch {
	case !s.RanThrough.Before(d):
		return s // a second run of the day, the calendar's last one included
	case !s.RanThrough.IsZero():
		gap.From = s.RanThrough.AddDays(1)
	}
	if gap.IsEmpty() {
		return s
	}
	if p.Automatic() && s.owes(p, gap, pol) {
		s.Because = s.Because.With(ledger.L16b)
	}
	if pol.RunMissed == MissedCatchUp {
		s.Missed = withWindow(s.Missed, gap)
	}
	s.RanThrough = d.AddDays(-1)
	return s
}

// owes tells whether the grid of a profile has a day in w.
func (s State) owes(p Profile, w calendar.Window, pol Policy) bool {
	grid, err := calendar.NewSchedule(s.Anchor, p.Unit, p.Interval, pol.MonthEnd)
	return err == nil && grid.Count(w) > 0
}

// withWindow is list and the window w, which ends after all of it.
func withWindow(list []calendar.Window, w calendar.Window) []calendar.Window {
	n := len(list)
	if n == 0 || list[n-1].To.Before(w.From) && !list[n-1].To.IsZero() {
		return append(slices.Clip(list), w)
	}
	list = slices.Clone(list)
	if !list[n-1].To.IsZero() { // an open end holds every day there is
		list[n-1].To = w.To
	}
	return list
}
