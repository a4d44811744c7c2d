package engine

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Fault is a rule that a profile, a state, a policy or an event breaks: an error value for
// errors.Is. The zero value is none.
type Fault uint8

// What can be refused.
const (
	ErrKind Fault = iota + 1
	ErrSchedulePair
	ErrScheduleOnDestination
	ErrInterval
	ErrAmountMissing
	ErrAmountModes
	ErrAmountHalfRange
	ErrAmountOrder
	ErrAmountRange
	ErrAmountGrid
	ErrStartAbsent
	ErrStartPast
	ErrMaxZero
	ErrAsOf
	ErrStateConflict
	ErrRepeatEnd
	ErrPolicy
	ErrPolicyDiffers
	ErrEvent
	ErrChannel
	ErrOutcome
	ErrEventOrder
	ErrUntil
	ErrUTF8
	ErrNUL
	ErrDate
)

// A fault is a line of the table of faults.
type fault struct {
	code   ledger.Code
	clause ledger.Clause
	text   string
}

var faults = [...]fault{
	0:                        {"", 0, "no fault"},
	ErrKind:                  {"card-type", clause.Doc21, "rp_card_type is neither SRC nor DST: give one of the two"},
	ErrSchedulePair:          {"schedule-pair", clause.Doc223, "period and interval belong together: give both or neither"},
	ErrScheduleOnDestination: {"schedule-on-dst", clause.Doc1, "an automatic schedule is available only for SRC: remove period and interval"},
	ErrInterval:              {"interval-value", clause.L56b, "interval must be a whole number from 1, and period one of day, week and month"},
	ErrAmountMissing:         {"amount-missing", clause.Doc225, "missing amount: use amount, or amount-from with amount-to, or amount-sequence"},
	ErrAmountModes:           {"amount-modes", clause.L34, "more than one amount choice: keep one of amount, amount-from with amount-to, amount-sequence"},
	ErrAmountHalfRange:       {"amount-half-range", clause.L34, "amount-from and amount-to must both be given"},
	ErrAmountOrder:           {"amount-order", clause.L33, "amount-from is above amount-to: swap them"},
	ErrAmountRange:           {"amount-range", clause.L36d, "the range from amount-from to amount-to is too wide for the minor units of the currency: narrow it"},
	ErrAmountGrid:            {"amount-grid", clause.L36d, "the range was made for a currency with other minor units: make it with the currency of the profile"},
	ErrStartAbsent:           {"start-absent", clause.L02, "start-date is absent, and the policy start-absent=reject requires one"},
	ErrStartPast:             {"start-past", clause.L03, "start-date is before as-of, and the policy start-past=reject refuses that"},
	ErrMaxZero:               {"max-zero", clause.L09, "max-repeats-number is 0, and the policy max-zero=reject refuses that: leave it empty for no limit"},
	ErrAsOf:                  {"as-of", clause.L27, "missing as-of date"},
	ErrStateConflict:         {"state-conflict", clause.Doc2210, "the state contradicts itself or the as-of date"},
	ErrRepeatEnd:             {"state-repeat", clause.Doc227, "repeat numbers end at 2^63-1"},
	ErrPolicy:                {"policy", clause.L01, "unknown policy value: use the named constants"},
	ErrPolicyDiffers:         {"policy-differs", clause.L01, "the state was made under another reading: use its policy, or say that it goes on under the new one"},
	ErrEvent:                 {"script-verb", clause.Doc3, "unknown event: use the named constants"},
	ErrChannel:               {"script-via", clause.Doc3, "unknown channel of a resume: use the named constants"},
	ErrOutcome:               {"script-outcome", clause.Doc227, "unknown outcome: use the named constants"},
	ErrEventOrder:            {"event-order", clause.L24, "the day is missing or before the last event or run: apply events in order of date"},
	ErrUntil:                 {"until", clause.L27, "the last day is before as-of: give a later one"},
	ErrUTF8:                  {"invalid-utf8", clause.L44, "the text is not valid UTF-8"},
	ErrNUL:                   {"nul-character", clause.L41b, "the text has a NUL character: remove it"},
	ErrDate:                  {"date-not-a-day", clause.L32, "the day is past the end of the calendar, 9999-12-31: use an earlier one"},
}

func (f Fault) line() fault {
	if int(f) >= len(faults) {
		return fault{text: "Fault(" + strconv.Itoa(int(f)) + ")"}
	}
	return faults[f]
}

// Code returns the code under which the findings about a payload name the same rule; it is empty
// for a value that is not a Fault.
func (f Fault) Code() ledger.Code { return f.line().code }

// Clause returns the clause or entry that the rule comes from.
func (f Fault) Clause() ledger.Clause { return f.line().clause }

// Error says what is wrong and what to do, and names the clause.
func (f Fault) Error() string {
	l := f.line()
	if l.clause == 0 {
		return l.text
	}
	return l.text + " (" + l.clause.String() + ")"
}

// MarshalText returns the code; a value that is not a Fault is an error.
func (f Fault) MarshalText() ([]byte, error) {
	if int(f) >= len(faults) {
		return nil, enum.ErrUnnamed
	}
	return []byte(faults[f].code), nil
}

// UnmarshalText reads what MarshalText writes.
func (f *Fault) UnmarshalText(text []byte) error {
	for i := range faults {
		if string(faults[i].code) == string(text) {
			*f = Fault(i)
			return nil
		}
	}
	return enum.ErrUnnamed
}

// An Error is a Fault with the field that it is in. It never shows a value of the input.
type Error struct {
	// Field is a column of the profile ("interval"), a member of the state ("state.repeat"), a key
	// of the policy ("month-end"), or an argument ("as-of", "until", "through", "date",
	// "do", "via", "outcome").
	Field string
	Fault Fault
}

// Error returns one line: field, rule, remedy and clause.
func (e *Error) Error() string {
	s := e.Fault.line().text
	if e.Field != "" && !strings.HasPrefix(s, e.Field+" ") {
		s = e.Field + ": " + s
	}
	if c := e.clause(); c != 0 {
		s += " (" + c.String() + ")"
	}
	return s
}

// clause returns what the rule comes from: for a policy that of its key.
func (e *Error) clause() ledger.Clause {
	if c, ok := keyClause(e.Field); ok && e.Fault == ErrPolicy {
		return c
	}
	return e.Fault.Clause()
}

// Unwrap returns the Fault.
func (e *Error) Unwrap() error { return e.Fault }

// in returns the error of a Fault in a field.
func (f Fault) in(field string) *Error { return &Error{Field: field, Fault: f} }
