package gen

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/rules"
)

// A RangeRun is a number of charges of one range.
type RangeRun struct {
	From, To amount.Amount
	Currency string
	N        uint64
}

// Choice returns the range.
func (r RangeRun) Choice() amount.Choice {
	s, err := amount.Range(r.From, r.To, r.Currency)
	if err != nil {
		panic(err) // generators make what fits
	}
	return s
}

// A Job is a profile of which a forecast is wanted.
type Job struct {
	Profile engine.Profile
	State   engine.State
	AsOf    calendar.Date
	Policy  engine.Policy
	// Expires is the last day of the card. No forecast may heed it (L31).
	Expires calendar.Date
}

// Plain reports whether the job is what most schedulers offer: a profile that is created on as-of, under
// the default readings.
func (j Job) Plain() bool { return j.Policy == (engine.Policy{}) && j.State.Status == 0 }

// Cells are the values of a row of a payload by [rules.Column]; index 0 is of none.
type Cells [rules.ColumnServerCallbackURL + 1]string

// Minor is coef units of 10^-scale.
func Minor(coef int64, scale int) amount.Amount {
	a, err := amount.FromMinor(coef, scale)
	if err != nil {
		panic(err) // generators make what fits
	}
	return a
}

// Moved is the day n days later, or the end of the calendar in that direction.
func Moved(d calendar.Date, n int) calendar.Date {
	return DateNumbered(min(max(DayNumber(d)+oracle.Day(n), oracle.First), oracle.Last))
}

// DayOrNone is d if it is a day, and the zero Date past the end of the calendar.
func DayOrNone(d calendar.Date) calendar.Date {
	if !d.IsDay() {
		return calendar.Date{}
	}
	return d
}

// DayNumber is a date as the oracle counts days; 0 for the zero Date.
func DayNumber(d calendar.Date) oracle.Day {
	if d.IsZero() {
		return 0
	}
	return oracle.Day(d.Sub(calendar.First()) + 1)
}

// DateNumbered is the date with a day number; the zero Date where there is none.
func DateNumbered(d oracle.Day) calendar.Date {
	if d < oracle.First || d > oracle.Last {
		return calendar.Date{}
	}
	return calendar.First().AddDays(int(d - oracle.First))
}

// MachineOf is the oracle's machine for a job; nil where the job is refused.
func MachineOf(j Job, rules oracle.Rules) *oracle.Machine {
	if j.AsOf.IsZero() || j.Profile.Amounts.IsZero() || j.Profile.Kind == 0 {
		return nil
	}
	var state *oracle.State
	if j.State.Status != 0 {
		s := StateToOracle(j.State)
		state = &s
	}
	return oracle.New(ProfileToOracle(j.Profile), state, DayNumber(j.AsOf), oracle.PolicyOf(j.Policy.Values()), rules)
}

// AmountOf reads an amount that was written by String.
func AmountOf(text string) amount.Amount {
	coef, scale, behind := int64(0), 0, false
	for _, c := range []byte(text) {
		if c == '.' {
			behind = true
			continue
		}
		coef = coef*10 + int64(c-'0')
		if behind {
			scale++
		}
	}
	a, _ := amount.FromMinor(coef, scale)
	return a
}

// A Pair is a parameter, name and value decoded.
type Pair = oracle.Pair

// A SignRequest is a request: one of decoded body parameters, signed if Authorization is not empty.
type SignRequest struct {
	Method, URL   string
	Params        []Pair
	Authorization string
	Profile       string // "gateway" or "rfc5849"
}

// SignChoices are what a signer chooses.
type SignChoices struct {
	ConsumerKey, Nonce, Timestamp string
	Realm                         *string
}
