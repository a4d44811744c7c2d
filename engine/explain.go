package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Why is the one leading reason why a profile is or is not charged on a day. The
// zero value is none.
type Why uint8

// The reasons, in the order in which they are looked for.
const (
	Charged       Why = iota + 1 // there is at least one charge
	NoSchedule                   // no period and interval (2.2.3, L25)
	BeforeAsOf                   // the forecast starts later; the past is in the state
	RunOver                      // the day's run took place before the state was saved
	StoppedSince                 // the profile is stopped
	BeforeStart                  // the grid starts later
	OffGrid                      // no due day
	AlreadyPaid                  // charged before (2.2.10)
	AfterCalendar                // no day of the calendar
)

// String says the reason in a few words.
func (w Why) String() string {
	return [...]string{
		"", "charged", "no schedule", "before as-of", "run already over", "stopped",
		"before start-date", "not a due day", "already charged", "no day",
	}[min(w, 10)%10]
}

// An Explanation answers "what happens on this day, and why".
type Explanation struct {
	Date    calendar.Date
	Why     Why
	Charges int          // how many charges are dated on the day
	Total   amount.Total // their amounts
	First   Charge       // the first of them
	Stop    Stop         // the stop, where the profile is stopped on or before the day
	Because ledger.Because
}

// Explain tells whether the profile is charged on day d and, if not, the one leading
// reason. The zero Date gives AfterCalendar.
func (p *Plan) Explain(d calendar.Date) Explanation {
	e := Explanation{Date: d}
	if d.IsZero() {
		e.Why, e.Because = AfterCalendar, ledger.On(ledger.L32)
		return e
	}
	if !p.stop.IsZero() && !p.stop.Date.After(d) {
		e.Stop = p.stop
	}
	day := calendar.Through(d, d)
	if from, to := p.ordinals(day); from < to {
		e.Why, e.Charges, e.First = Charged, to-from, p.at(from)
		e.Total = p.Total(day)
		e.Because = e.First.Because
		return e
	}
	e.Why, e.Because = p.whyNot(d)
	return e
}

// whyNot is the leading reason for no charge on day d.
func (p *Plan) whyNot(d calendar.Date) (Why, ledger.Because) {
	if !p.profile.Automatic() {
		return NoSchedule, ledger.On(ledger.Doc223, ledger.L25)
	}
	k, on := p.grid().Index(d)
	switch {
	case d.Before(p.asOf):
		return BeforeAsOf, ledger.On(ledger.L27).And(p.state.Because)
	case p.first.IsZero() || d.Before(p.first):
		return RunOver, ledger.On(ledger.Doc2210, ledger.L13)
	case p.state.Status == Stopped:
		return StoppedSince, ledger.On(ledger.Doc3)
	case !p.stop.IsZero() && !p.stop.Date.After(d):
		return StoppedSince, p.stop.Because
	case k == 0 && !on:
		return BeforeStart, ledger.On(ledger.Doc21).And(p.common)
	case !on:
		return OffGrid, p.common.And(p.gridClauses())
	}
	return AlreadyPaid, ledger.On(ledger.Doc2210, ledger.L13)
}

// grid is the profile's schedule; the zero one without.
func (p *Plan) grid() calendar.Schedule {
	grid, _ := calendar.NewSchedule(p.state.Anchor, p.profile.Unit, p.profile.Interval, p.policy.MonthEnd)
	return grid
}
