package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

func (s *Stored) check(asOf calendar.Date, pol Policy) *Error {
	if !asOf.IsDay() {
		return refuse("as-of", errAsOf)
	}
	if err := pol.check(); err != nil {
		return err
	}
	if s.bound && s.policy != pol {
		return refuse(s.policy.firstDifference(pol), ErrPolicyDiffers)
	}
	if err := s.Profile.check(pol); err != nil {
		return err
	}
	if s.State.Status == 0 {
		return s.State.checkUncreated()
	}
	if err := s.State.check(asOf); err != nil {
		return err
	}
	if s.State.Anchor.IsZero() {
		_, _, err := origin(&s.Profile, asOf, pol)
		return err
	}
	return nil
}

// check returns the first rule of 2.1 and 2.2, or of the policy, that p breaks.
func (p *Profile) check(pol Policy) *Error {
	if err := p.checkTexts(); err != nil {
		return err
	}
	if err := p.checkDates(); err != nil {
		return err
	}
	n, set := p.MaxRepeats.Value()
	switch {
	case p.Kind != KindSource && p.Kind != KindDestination:
		return refuse("rp_card_type", errKind)
	case p.Unit > calendar.UnitMonth:
		return refuse("period", errInterval)
	case p.Unit == 0 && p.Interval != 0:
		return refuse("period", errSchedulePair)
	case p.Unit != 0 && p.Interval == 0:
		return refuse("interval", errSchedulePair)
	case p.Interval < 0:
		return refuse("interval", errInterval)
	case p.Automatic() && p.Kind == KindDestination:
		return refuse("period", errScheduleOnDestination)
	case p.Amounts.IsZero():
		return refuse("amount", errAmountMissing)
	case !p.Amounts.Fits(p.Currency):
		return refuse("currency", errAmountGrid)
	case set && n == 0 && pol.MaxZero == MaxZeroReject:
		return refuse("max-repeats-number", errMaxZero)
	}
	return nil
}

// checkTexts returns the first text that no payload can have, and no JSON can carry.
func (p *Profile) checkTexts() *Error {
	if err := checkText(p.ID, "client-orderid"); err != nil {
		return err
	}
	return checkText(p.Currency, "currency")
}

func checkText(s, field string) *Error {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		return refuse(field, errNUL)
	case !utf8.ValidString(s):
		return refuse(field, errUTF8)
	}
	return nil
}

// checkDates returns the first date that is past the end of the calendar.
func (p *Profile) checkDates() *Error {
	switch {
	case pastCalendar(p.Start):
		return refuse("start-date", errDate)
	case pastCalendar(p.Finish):
		return refuse("finish-date", errDate)
	case pastCalendar(p.CardExpires):
		return refuse("expire-year", errDate)
	}
	return nil
}

// pastCalendar reports whether d is what a day becomes that is moved past the end of the calendar.
func pastCalendar(d calendar.Date) bool { return d.After(calendar.Last()) }

// checkUncreated checks the state of a profile that is not created yet: it remembers nothing.
func (s *State) checkUncreated() *Error {
	if !s.IsZero() {
		return refuse("state.status", ErrStateConflict)
	}
	return nil
}

// follows returns what is wrong with going on from s on day d: time does not go back (L24).
func (s *State) follows(d calendar.Date) *Error {
	switch {
	case d.Before(s.RanThrough):
		return &Error{"state.ran_through", ErrEventOrder, d, s.RanThrough}
	case d.Before(s.Last):
		return &Error{"state.last", ErrEventOrder, d, s.Last}
	}
	return nil
}

// check checks the state of a profile that exists.
func (s *State) check(asOf calendar.Date) *Error {
	ran := s.RanThrough
	if ran.IsZero() {
		ran = asOf.AddDays(-1)
	}
	switch {
	case s.Status > StatusStopped:
		return refuse("state.status", ErrStateConflict)
	case s.Repeat > lastRepeat:
		return refuse("state.repeat", errRepeatEnd)
	case s.Manual > lastRepeat:
		return refuse("state.manual", errRepeatEnd)
	case pastCalendar(s.Anchor):
		return refuse("state.anchor", errDate)
	case s.follows(asOf) != nil:
		return s.follows(asOf)
	case s.badStop(asOf):
		return refuse("state.stop", ErrStateConflict)
	case !inCalendarThrough(s.Paid, asOf):
		return refuse("state.paid", ErrStateConflict)
	case !apartThrough(s.Missed, ran):
		return refuse("state.missed", ErrStateConflict)
	}
	return nil
}

func (s *State) badStop(asOf calendar.Date) bool {
	unnamed := s.Stop.IsZero() && s.Stop != Stop{}
	return s.Status == StatusActive && !s.Stop.IsZero() || unnamed || s.Stop.Reasons&^allReasons != 0 || s.Stop.Date.After(asOf)
}

// inCalendarThrough reports whether every date of list is a day up to last.
func inCalendarThrough(list []calendar.Date, last calendar.Date) bool {
	for _, d := range list {
		if d.IsZero() || d.After(last) {
			return false
		}
	}
	return true
}

// apartThrough reports whether windows are in order, disjoint, not empty, and end by last.
func apartThrough(windows []calendar.Window, last calendar.Date) bool {
	for i, w := range windows {
		apart := i == 0 || !windows[i-1].To.IsZero() && !w.From.Before(windows[i-1].To)
		if w.IsEmpty() || w.From.IsZero() || !apart || w.Last().After(last) || pastCalendar(w.To) {
			return false
		}
	}
	return true
}

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

// begin returns the state from which the runs of day asOf and later go on: that of a profile
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
func (s *State) neverRan() bool { return s.RanThrough.IsZero() && s.Last == calendar.First() }

// charged reports whether the run of day d must have charged that day's slot.
func (s *State) charged(p *Profile, d calendar.Date, pol Policy) bool {
	for _, w := range s.Missed {
		if w.Contains(d) {
			return false
		}
	}
	return hasDueDayIn(p, s, calendar.Through(d, d), pol)
}

// passWithoutRun records the days after RanThrough up to last as days without a run, and adds them
// to Missed if the policy catches up, whatever the status: resume-missed is for the days whose run
// found the profile stopped (L16, L16b).
func (s State) passWithoutRun(p *Profile, last calendar.Date, pol Policy) State {
	if last.IsZero() || !s.RanThrough.Before(last) {
		return s // such as after the last run of a day
	}
	gap := calendar.Through(calendar.First(), last)
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
