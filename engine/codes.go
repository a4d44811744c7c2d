package engine

import (
	"cmp"
	"iter"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes that a program acts on: of a state that does not fit, and of a policy. [Rules] has them
// and all others. Each is an error: errors.Is(err, engine.ErrEventOrder), and for one without a name
// errors.Is(err, ledger.Code("amount-order")).
const (
	ErrStateConflict ledger.Code = "state-conflict"
	ErrEventOrder    ledger.Code = "event-order"

	ErrPolicy        ledger.Code = "policy"
	ErrPolicyDiffers ledger.Code = "policy-differs"
	ErrPolicyForm    ledger.Code = "policy-form"
	ErrPolicyKey     ledger.Code = "policy-key"
	ErrPolicyValue   ledger.Code = "policy-value"
	ErrPolicyTwice   ledger.Code = "policy-twice"
)

const (
	errKind                  ledger.Code = "card-type"
	errSchedulePair          ledger.Code = "schedule-pair"
	errScheduleOnDestination ledger.Code = "schedule-on-dst"
	errInterval              ledger.Code = "interval-value"
	errAmountMissing         ledger.Code = "amount-missing"
	errAmountModes           ledger.Code = "amount-modes"
	errAmountHalfRange       ledger.Code = "amount-half-range"
	errAmountOrder           ledger.Code = "amount-order"
	errAmountRange           ledger.Code = "amount-range"
	errAmountGrid            ledger.Code = "amount-grid"
	errDate                  ledger.Code = "date-not-a-day"
	errStartAbsent           ledger.Code = "start-absent"
	errStartPast             ledger.Code = "start-past"
	errMaxZero               ledger.Code = "max-zero"
	errAsOf                  ledger.Code = "as-of"
	errRepeatEnd             ledger.Code = "state-repeat"
	errEvent                 ledger.Code = "script-verb"
	errChannel               ledger.Code = "script-via"
	errOutcome               ledger.Code = "script-outcome"
	errUntil                 ledger.Code = "until"
	errUTF8                  ledger.Code = "invalid-utf8"
	errNUL                   ledger.Code = "nul-character"
)

// Rules yields what the codes of this package mean: all but those that a payload, a state or a script
// gives, which packages rules and record explain.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

const fail = ledger.SeverityError

// table has every code. Other packages word the shared ones for the author of a file; here they are
// worded for the author of a program.
var table = ledger.NewRules([]ledger.Rule{
	{Code: errAmountRange, Severity: fail, Clause: clause.L36d, Text: "the range from amount-from to amount-to is too wide for the minor units of the currency", Help: "narrow it"},
	{Code: errAmountGrid, Severity: fail, Clause: clause.L36d, Text: "the range was made for a currency with other minor units", Help: "make it with the currency of the profile"},
	{Code: errAsOf, Severity: fail, Clause: clause.L27, Text: "missing as-of date"},
	{Code: ErrPolicy, Severity: fail, Clause: clause.L01, Text: "unknown policy value", Help: "use the named constants"},
	{Code: ErrPolicyDiffers, Severity: fail, Text: "the state was made under another reading", Help: "use its policy, or say that it goes on under the new one"},
	{Code: ErrEventOrder, Severity: fail, Clause: clause.L24, Text: "the day is missing, past the calendar, or before the last event or run", Help: "apply events in order of date"},
	{Code: errUntil, Severity: fail, Clause: clause.L27, Text: "the last day is before as-of", Help: "give a later one"},
	{Code: ErrPolicyForm, Severity: fail, Text: "not written KEY=VALUE", Help: "write month-end=skip, with a comma before the next one"},
	{Code: ErrPolicyKey, Severity: fail, Text: "unknown policy key", Help: "use the keys of the ledger"},
	{Code: ErrPolicyValue, Severity: fail, Text: "unknown policy value", Help: "use the values that the ledger has for the key"},
	{Code: ErrPolicyTwice, Severity: fail, Text: "duplicate policy key", Help: "keep one"},
}, []ledger.Rule{
	{Code: errDate, Severity: fail, Clause: clause.L32, Text: "the day is not in the calendar, 0001-01-01 to 9999-12-31", Help: "use one of its days"},
	{Code: errKind, Severity: fail, Clause: clause.Doc21, Text: "rp_card_type is neither SRC nor DST", Help: "give one of the two"},
	{Code: errSchedulePair, Severity: fail, Clause: clause.Doc223, Text: "period and interval belong together", Help: "give both or neither"},
	{Code: errScheduleOnDestination, Severity: fail, Clause: clause.Doc1, Text: "an automatic schedule is available only for SRC", Help: "remove period and interval"},
	{Code: errInterval, Severity: fail, Clause: clause.L56b, Text: "interval must be a whole number from 1, and period one of day, week and month"},
	{Code: errAmountMissing, Severity: fail, Clause: clause.Doc225, Text: "missing amount", Help: "use amount, or amount-from with amount-to, or amount-sequence"},
	{Code: errAmountModes, Severity: fail, Clause: clause.L34, Text: "more than one amount choice", Help: "keep one of amount, amount-from with amount-to, amount-sequence"},
	{Code: errAmountHalfRange, Severity: fail, Clause: clause.L34, Text: "amount-from and amount-to must both be given"},
	{Code: errAmountOrder, Severity: fail, Clause: clause.L33, Text: "amount-from is above amount-to", Help: "swap them"},
	{Code: errStartAbsent, Severity: fail, Clause: clause.L02, Text: "start-date is absent, and the policy start-absent=reject requires one"},
	{Code: errStartPast, Severity: fail, Clause: clause.L03, Text: "start-date is before as-of, and the policy start-past=reject refuses that"},
	{Code: errMaxZero, Severity: fail, Clause: clause.L09, Text: "max-repeats-number is 0, and the policy max-zero=reject refuses that", Help: "leave it empty for no limit"},
	{Code: ErrStateConflict, Severity: fail, Clause: clause.Doc2210, Text: "the state contradicts itself or the as-of date"},
	{Code: errRepeatEnd, Severity: fail, Clause: clause.Doc227, Text: "repeat numbers end at 2^63-1"},
	{Code: errEvent, Severity: fail, Clause: clause.Doc3, Text: "unknown event", Help: "use the named constants"},
	{Code: errChannel, Severity: fail, Clause: clause.Doc3, Text: "unknown channel of a resume", Help: "use the named constants"},
	{Code: errOutcome, Severity: fail, Clause: clause.Doc227, Text: "unknown outcome", Help: "use the named constants"},
	{Code: errUTF8, Severity: fail, Clause: clause.L44, Text: "the text is not valid UTF-8"},
	{Code: errNUL, Severity: fail, Clause: clause.L41b, Text: "the text has a NUL character", Help: "remove it"},
})

// An Error is a code with the field that it is in. It never shows a value of the input.
type Error struct {
	// Field is a column of the profile ("interval"), a member of the state ("state.repeat"), a key
	// of the policy ("month-end"), or an argument ("as-of", "until", "through", "date",
	// "do", "via", "outcome").
	Field string
	Code  ledger.Code

	// Day and Last are, for [ErrEventOrder], the day given and the later one that it comes before: of
	// the last event or run, or the as-of date. They are zero where no day was given.
	Day, Last calendar.Date
}

// refuse returns the error of a code in a field.
func refuse(field string, code ledger.Code) *Error { return &Error{Field: field, Code: code} }

// Error returns one line: field, rule, remedy and clause.
func (e *Error) Error() string {
	f := table.Finding(e.Code, "", "")
	s := cmp.Or(f.Message, string(f.Code))
	if !e.Last.IsZero() {
		s = e.Day.String() + " is before " + e.Last.String()
	}
	if f.Help != "" {
		s += ": " + f.Help
	}
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
	if c, ok := keyClause(e.Field); ok && (e.Code == ErrPolicy || e.Code == ErrPolicyDiffers) {
		return c
	}
	return table.Finding(e.Code, "", "").Clause
}

// Unwrap returns the Code.
func (e *Error) Unwrap() error { return e.Code }
