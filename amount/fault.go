package amount

import "strconv"

// A Fault is why something cannot be an amount or a strategy. It is an error value
// for errors.Is; the errors of this package wrap one in an [*Error]. The zero value is
// no fault.
type Fault uint8

// What can be refused.
const (
	// ErrSyntax: the text is not digits, optionally a point and digits (L36).
	ErrSyntax Fault = iota + 1
	// ErrTooLong: the text has more than MaxLength bytes; it was not looked at.
	ErrTooLong
	// ErrRange: the value has more digits or decimals than an Amount holds.
	ErrRange
	// ErrNegative: the value is below zero. A negative charge would pay out.
	ErrNegative
	// ErrOrder: a range begins above its end (L33).
	ErrOrder
	// ErrEmpty: a sequence has no element (2.2.5).
	ErrEmpty
	// ErrType: a JSON value is not a string. Numbers lose digits in other
	// programs and null would silently read as nothing, so money is a string.
	ErrType
)

var faults = [...]string{
	0:           "no fault",
	ErrSyntax:   "not an amount: write digits, optionally a point and digits, nothing else (L36)",
	ErrTooLong:  "too long for an amount: write at most 64 characters, and no column takes more than ten (L35)",
	ErrRange:    "does not fit: at most 18 decimals and 9223372036854775807 units of the last one (L36c)",
	ErrNegative: "below zero: an amount has no sign (L36)",
	ErrOrder:    "the range begins above its end: swap the two (L33)",
	ErrEmpty:    "the sequence has no element: give at least one amount (2.2.5)",
	ErrType:     "not a JSON string: write the amount in double quotes, without escapes",
}

// Error says what is wrong and what to do. It never shows the input.
func (f Fault) Error() string {
	if int(f) >= len(faults) {
		return "amount: unknown fault"
	}
	return "amount: " + faults[f]
}

// An Error is a fault and, for a text, where it is. It never holds the text: a card
// number in the wrong column must not reach a log.
type Error struct {
	Fault Fault
	// Offset counts the bytes before the fault, from 0; the length of the text when
	// it ends too early; −1 when no place in a text is to blame.
	Offset int
}

// Error is the fault's message, with the offset where there is one.
func (e *Error) Error() string {
	if e.Offset < 0 {
		return e.Fault.Error()
	}
	return e.Fault.Error() + ", at byte " + strconv.Itoa(e.Offset)
}

// Unwrap gives the fault to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Fault }

// refuse makes the error of a fault that has no place in a text.
func refuse(f Fault) error { return &Error{Fault: f, Offset: -1} }
