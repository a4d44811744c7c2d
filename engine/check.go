package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
)

func (s *Stored) check(asOf calendar.Date, pol Policy) *Error {
	if err := checkBasis(asOf, &pol); err != nil {
		return err
	}
	if err := s.checkPolicy(pol); err != nil {
		return err
	}
	if err := s.Profile.check(&pol); err != nil {
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

// checkPolicy returns the first key in which the policy that made the state differs from pol.
func (s *Stored) checkPolicy(pol Policy) *Error {
	made, known := s.Policy()
	if !known || made == pol {
		return nil
	}
	for c := range Keys() {
		if *made.field(c) != *pol.field(c) {
			return &Error{Field: c.Key(), Code: ErrPolicyDiffers, Have: made.item(c), Want: pol.item(c)}
		}
	}
	return nil
}

// checkBasis checks what is the same for every profile.
func checkBasis(asOf calendar.Date, pol *Policy) *Error {
	if !asOf.IsDay() {
		return refuse("as-of", errAsOf)
	}
	return pol.check()
}

// check returns the first rule of 2.1 and 2.2, or of the policy, that p breaks.
func (p *Profile) check(pol *Policy) *Error {
	if err := p.checkEncodable(); err != nil {
		return err
	}
	n, set := p.MaxRepeats.Value()
	switch {
	case p.Kind == 0:
		return refuse("rp_card_type", errKind)
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
	case s == "":
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
	case afterEnd(p.Start):
		return refuse("start-date", errDate)
	case afterEnd(p.Finish):
		return refuse("finish-date", errDate)
	case afterEnd(p.CardExpires):
		return refuse("expire-year", errDate)
	}
	return nil
}

// afterEnd reports whether d is after 9999-12-31.
func afterEnd(d calendar.Date) bool { return d.After(calendar.MaxDate()) }

// checkUncreated checks the state of a profile that is not created yet: it has nothing but a
// policy.
func (s *State) checkUncreated() *Error {
	if rest := s.withoutPolicy(); !rest.IsZero() {
		return refuse("state.status", ErrStateConflict)
	}
	return nil
}

// checkOrder returns an error if day d is before the last run or event (L24).
func (s *State) checkOrder(d calendar.Date) *Error {
	switch {
	case d.Before(s.RanThrough):
		return &Error{Field: "state.ran_through", Code: ErrEventOrder, Day: d, Last: s.RanThrough}
	case d.Before(s.Last):
		return &Error{Field: "state.last", Code: ErrEventOrder, Day: d, Last: s.Last}
	}
	return nil
}

// check checks the state of a profile that exists.
func (s *State) check(asOf calendar.Date) *Error {
	if err := s.checkEncodable(); err != nil {
		return err
	}
	ran := s.RanThrough
	if ran.IsZero() {
		ran = asOf.AddDays(-1)
	}
	switch {
	case s.checkOrder(asOf) != nil:
		return s.checkOrder(asOf)
	case s.Status == StatusActive && !s.Stop.IsZero(), s.Stop.Date.After(asOf):
		return refuse("state.stop", ErrStateConflict)
	case slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return d.After(asOf) }):
		return refuse("state.paid", ErrStateConflict)
	case !apartThrough(s.Missed, ran):
		return refuse("state.missed", ErrStateConflict)
	}
	return nil
}

// apartThrough reports whether windows are in order, disjoint, and end by last.
func apartThrough(windows []calendar.Window, last calendar.Date) bool {
	for i, w := range windows {
		apart := i == 0 || !windows[i-1].To.IsZero() && !w.From.Before(windows[i-1].To)
		if !apart || w.Last().After(last) {
			return false
		}
	}
	return true
}
