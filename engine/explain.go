package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Why is the main reason why a profile is or is not charged on a day. The zero value is
// none.
type Why uint8

// The reasons. The first that holds, in this order, is the leading one.
const (
	WhyCharged       Why = iota + 1 // there is at least one charge
	WhyNoSchedule                   // no period and interval (2.2.3, L25)
	WhyBeforeAsOf                   // the forecast starts later; the past is in the state
	WhyRunOver                      // the day was over when the state was saved, with its run or without
	WhyStopped                      // the profile is stopped
	WhyBeforeStart                  // the first due day is later
	WhyNotDue                       // not a due day
	WhyPaid                         // the slot was charged before (2.2.10)
	WhyRepeatEnd                    // repeat numbers end at 2^63-1
	WhyAfterCalendar                // not a day of the calendar (L32)
)

var whyWords = enum.Words{Type: "Why", Words: []string{
	"", "charged", "no schedule", "before as-of", "day already over", "stopped", "before start-date", "not a due day", "already charged", "repeat numbers used up", "outside the calendar",
}}

// String returns the reason in a few words; it is empty for none.
func (w Why) String() string { return whyWords.String(uint8(w)) }

// MarshalText returns the words; a value that is not a Why is an error.
func (w Why) MarshalText() ([]byte, error) { return whyWords.Marshal(uint8(w)) }

// UnmarshalText reads what MarshalText writes.
func (w *Why) UnmarshalText(text []byte) error { return whyWords.Unmarshal(text, (*uint8)(w)) }

// An Explanation says what happens on a day, and why.
type Explanation struct {
	Date    calendar.Date
	Why     Why
	Charges int          // how many charges are dated on the day
	Total   amount.Total // their amounts
	First   Charge       // the first of them
	Stop    Stop         // the stop, if the profile is stopped on or before the day
	Because ledger.Because
}

// Explain says whether the profile is charged on day d and, if not, the one leading reason. A
// Date that is no day gives WhyAfterCalendar.
func (p *Plan) Explain(d calendar.Date) Explanation {
	e := Explanation{Date: d}
	if !d.IsDay() {
		e.Why, e.Because = WhyAfterCalendar, ledger.On(clause.L32)
		return e
	}
	if !p.stop.IsZero() && !p.stop.Date.After(d) {
		e.Stop = p.stop
	}
	day := calendar.Through(d, d)
	if from, to := p.ordinals(day); from < to {
		e.Why, e.Charges, e.First = WhyCharged, to-from, p.at(from)
		e.Total = p.Total(day)
		e.Because = e.First.Because
		return e
	}
	e.Why, e.Because = p.whyNot(d)
	return e
}

// whyNot returns the leading reason for no charge on day d.
func (p *Plan) whyNot(d calendar.Date) (Why, ledger.Because) {
	if !p.profile.Automatic() {
		return WhyNoSchedule, ledger.On(clause.Doc223, clause.L25)
	}
	k, on := gridOf(&p.profile, p.state.Anchor, p.policy).Index(d)
	switch {
	case d.Before(p.asOf):
		return WhyBeforeAsOf, ledger.On(clause.L27).And(p.state.Because)
	case d.Before(p.first):
		return WhyRunOver, ledger.On(clause.Doc2210, clause.L13, clause.L16b)
	case p.state.Status == StatusStopped:
		return WhyStopped, ledger.On(clause.Doc3)
	case !p.stop.IsZero() && !p.stop.Date.After(d):
		return WhyStopped, p.stop.Because
	case k == 0 && !on:
		return WhyBeforeStart, p.common.With(clause.Doc21)
	case !on:
		return WhyNotDue, p.common
	}
	if p.state.Repeat+uint64(p.charges) >= lastRepeat {
		return WhyRepeatEnd, ledger.On(clause.Doc227)
	}
	return WhyPaid, ledger.On(clause.Doc2210, clause.L13)
}
