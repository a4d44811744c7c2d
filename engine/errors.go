package engine

import "github.com/chargecast/chargecast/ledger"

// A Fault is why a profile, a state or a date cannot be used: an error value that
// is compared with errors.Is. It never shows a value of the input. The zero value
// is no fault.
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
	ErrStartAbsent
	ErrStartPast
	ErrMaxZero
	ErrAsOf
	ErrStateConflict
	ErrPolicy
	ErrVerb
	ErrEventOrder
	ErrUntil
)

// Code is the kebab-case name under which the problems of a payload name the same
// fault.
func (f Fault) Code() string { return faults[f].code }

// Clause is what the refusal rests on.
func (f Fault) Clause() ledger.Clause { return faults[f].clause }

// Error says what is wrong and what to do, and names the clause.
func (f Fault) Error() string {
	return faults[f].text + " (" + faults[f].clause.String() + ")"
}

var faults = [...]struct {
	code   string
	clause ledger.Clause
	text   string
}{
	ErrKind:                  {"card-type", ledger.Doc21, "rp_card_type is neither SRC nor DST: give one of the two"},
	ErrSchedulePair:          {"schedule-pair", ledger.Doc223, "period and interval belong together: give both or neither"},
	ErrScheduleOnDestination: {"schedule-on-dst", ledger.Doc1, "an automatic schedule is available only for SRC: remove period and interval"},
	ErrInterval:              {"interval-value", ledger.L56b, "interval is not a whole number from 1, or period is none of day, week, month"},
	ErrAmountMissing:         {"amount-missing", ledger.Doc225, "no amount is given: use amount, or amount-from with amount-to, or amount-sequence"},
	ErrAmountModes:           {"amount-modes", ledger.L34, "more than one amount choice is given: keep one of amount, amount-from with amount-to, amount-sequence"},
	ErrAmountHalfRange:       {"amount-half-range", ledger.L34, "half a range is given: amount-from and amount-to belong together"},
	ErrAmountOrder:           {"amount-order", ledger.L33, "amount-from is above amount-to: swap them"},
	ErrStartAbsent:           {"start-absent", ledger.L02, "start-date is absent and the policy start-absent=reject asks for one"},
	ErrStartPast:             {"start-past", ledger.L03, "start-date lies before as-of and the policy start-past=reject refuses that"},
	ErrMaxZero:               {"max-zero", ledger.L09, "max-repeats-number is 0 and the policy max-zero=reject refuses that: leave it empty for no limit"},
	ErrAsOf:                  {"as-of", ledger.L27, "no as-of date is given"},
	ErrStateConflict:         {"state-conflict", ledger.Doc2210, "the state contradicts itself or the as-of date"},
	ErrPolicy:                {"policy", ledger.L01, "a field of the policy names no reading: use the named constants"},
	ErrVerb:                  {"script-verb", ledger.Doc3, "the event is none of those that a profile knows"},
	ErrEventOrder:            {"event-order", ledger.L24, "the event has no date or one before the last event or run: give events in order of date"},
	ErrUntil:                 {"until", ledger.L27, "the last day lies before as-of: give a later one"},
}
