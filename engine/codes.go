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
// and all others. Each is an error: errors.Is(err, engine.ErrEventOrder), and for one without a
// name errors.Is(err, ledger.Code("amount-order")).
const (
	ErrStateConflict ledger.Code = "state-conflict"
	ErrEventOrder    ledger.Code = "event-order"
	ErrNotCreated    ledger.Code = "not-created"
	ErrEventRefused  ledger.Code = "event-refused" // for whatever reason; see [Error.Code]

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
	errEventKind             ledger.Code = "event-kind"
	errOutcome               ledger.Code = "script-outcome"
	errSchemaLater           ledger.Code = "schema-later"
	errSchemaMissing         ledger.Code = "schema-missing"
	errUntil                 ledger.Code = "until"
	errUTF8                  ledger.Code = "invalid-utf8"
	errNUL                   ledger.Code = "nul-character"
)

// Rules yields what the codes of this package mean: all but those that a payload, a state or a
// script gives, which packages rules and record explain.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

const fail = ledger.SeverityError

// table has every code. Other packages word the shared ones for the author of a file; here they are
// worded for the author of a program.
var table = ledger.NewRules([]ledger.Rule{
	{Code: errAmountRange, Severity: fail, Clause: clause.L36d, Text: "the range from amount-from to amount-to is too wide for the minor units of the currency", Help: "narrow it"},
	{Code: errAmountGrid, Severity: fail, Clause: clause.L36d, Text: "the range was made for a currency with other minor units", Help: "make it with the currency of the profile"},
	{Code: errAsOf, Severity: fail, Clause: clause.L27, Text: "missing as-of date"},
	{Code: ErrPolicy, Severity: fail, Clause: clause.L01, Text: "unknown policy value", Help: "use the named constants"},
	{Code: ErrPolicyDiffers, Severity: fail, Text: "the state was made under another policy", Help: "use an engine with that policy, or switch with Stored.Under"},
	{Code: ErrNotCreated, Severity: fail, Clause: clause.Doc41, Text: "the profile is not created", Help: "create it with Engine.Create"},
	{Code: ErrEventRefused, Severity: fail, Text: "the event was refused: the status of the profile forbids it, or its result would break a rule"},
	{Code: errEventKind, Severity: fail, Clause: clause.Doc3, Text: "not an event that the method takes", Help: "use the named constants; EventRun, EventNoRun and EventResumeByAPI are for steps of a Simulation"},
	{Code: errSchemaLater, Severity: fail, Text: "a later version of chargecast wrote this", Help: "read it with that version"},
	{Code: errSchemaMissing, Severity: fail, Text: "the schema is missing, or that of something else", Help: "read what MarshalJSON wrote"},
	{Code: ErrEventOrder, Severity: fail, Clause: clause.L24, Text: "the day is before the last event or run, or is none", Help: "apply events in order of date"},
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
	{Code: errOutcome, Severity: fail, Clause: clause.Doc227, Text: "the outcome of an attempt is neither approved nor declined", Help: "leave out one that is not known"},
	{Code: errUTF8, Severity: fail, Clause: clause.L44, Text: "the text is not valid UTF-8"},
	{Code: errNUL, Severity: fail, Clause: clause.L41b, Text: "the text has a NUL character", Help: "remove it"},
})

// An Error is why a method did not do what it was asked: a rule that is broken, with its field, or
// an event that is refused. It never shows a value of the input.
type Error struct {
	// Field is a column of the profile ("interval"), a member of the state ("state.repeat"), a key
	// of the policy ("month-end"), or an argument ("as-of", "until", "through", "date", "kind",
	// "outcome").
	Field string
	// Code is the rule. It is empty for an event that the status of the profile forbids. Of every
	// refused event errors.Is finds [ErrEventRefused], and the rule too.
	Code ledger.Code
	// Status is, of a refused event, that of the profile before the event.
	Status Status
	// Day and Last are, for [ErrEventOrder], the day given and the later one that it comes before:
	// of the last event or run, or the as-of date. They are zero where no day was given.
	Day, Last calendar.Date
	// Have and Want are, for [ErrPolicyDiffers], the value of the state and that of the engine,
	// such as "month-end=skip" and "month-end=clamp". For a policy text with an unknown key or
	// value, Want lists those that there are, separated by commas.
	Have, Want string
	// Because is what the refusal of an event depends on.
	Because ledger.Because

	event EventKind // that is refused
	text  string    // why, in words
}

// refuse returns the error of a code in a field.
func refuse(field string, code ledger.Code) *Error { return &Error{Field: field, Code: code} }

// Error returns one line: field, rule, remedy and clause; or the refused event, status and rule.
func (e *Error) Error() string {
	if e.event != 0 {
		event, _, _ := strings.Cut(e.event.String(), "-by-") // a resume is one by whichever way it comes
		return event + " refused while " + e.Status.String() + ": " + e.text
	}
	code := e.Code
	if code == ErrEventOrder && e.Last.IsZero() {
		code = errDate
	}
	f := table.Finding(code, "", "")
	s := cmp.Or(e.text, f.Message, string(f.Code))
	switch {
	case !e.Last.IsZero():
		s = e.Day.String() + " is before " + e.Last.String()
	case e.Have != "":
		s = "the state was made under " + valueIn(e.Have) + ", this engine has " + valueIn(e.Want)
	}
	switch {
	case e.Have == "" && e.Want != "":
		s += ": use " + strings.ReplaceAll(e.Want, ",", ", ")
	case f.Help != "":
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

// valueIn returns the value of an item such as "month-end=skip".
func valueIn(item string) string {
	_, value, _ := strings.Cut(item, "=")
	return value
}

// clause returns what the rule comes from: for a policy that of its key.
func (e *Error) clause() ledger.Clause {
	if c, ok := keyClause(e.Field); ok && (e.Code == ErrPolicy || e.Code == ErrPolicyDiffers || e.Code == ErrPolicyValue) {
		return c
	}
	return table.Finding(e.Code, "", "").Clause
}

// Unwrap returns the Code, so that errors.Is finds it; [ErrEventRefused] for a refused event without
// one; nil where there is none.
func (e *Error) Unwrap() error {
	switch {
	case e.Code != "":
		return e.Code
	case e.event != 0:
		return ErrEventRefused
	}
	return nil
}

// Is reports whether target is [ErrEventRefused] and this a refused event, whichever rule refused it.
func (e *Error) Is(target error) bool { return e.event != 0 && target == ErrEventRefused }
