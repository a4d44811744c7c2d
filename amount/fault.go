package amount

import (
	"errors"

	"github.com/chargecast/chargecast/internal/fault"
)

// Fault is the reason why a text, a number or a stored form is refused. It is an error for
// errors.Is; the functions of this package return it inside an [*Error].
type Fault = fault.Fault

// Error says what is wrong and where. It never contains what was refused, and unwraps to its Fault.
// Its fields:
//
//	Fault  Fault  // the reason
//	Part   string // what is wrong where several values were given, such as amount-to
//	Offset int    // bytes before the fault in the text, all where it ends too early; -1: no place is to blame
type Error = fault.Error

// The faults.
const (
	ErrSyntax   Fault = "amount: not an amount; write digits, optionally a point and more digits (L36)"
	ErrTooLong  Fault = "amount: too long for an amount; write at most 64 characters"
	ErrRange    Fault = "amount: more digits than fit; use at most 18 decimals and at most 9223372036854775807 units of the last one (L36c)"
	ErrNegative Fault = "amount: below zero; use zero or more (L36)"
	ErrOrder    Fault = "amount: amount-from is above amount-to; swap the two (L33)"
	ErrEmpty    Fault = "amount: no amount in the sequence; give at least one (2.2.5)"
	ErrDraws    Fault = "amount: it is not known what random amounts are drawn from; add charges with Total.AddRun, or set Scope.Draws of an engine.Book"
	ErrType     Fault = "amount: unexpected JSON value; write amounts as strings without escapes, and counts as whole numbers"
	ErrPercent  Fault = "amount: not a percentage; write a number from 0 to 100 with at most two decimals, without a sign"
)

// refuse returns the error of a fault that has no place in a text.
func refuse(f Fault) error { return fault.Refuse(f, "") }

// refuseAt returns the error of a fault after so many bytes.
func refuseAt(f Fault, offset int) error { return &Error{Fault: f, Offset: offset} }

// within returns err as the error of a part that begins after so many bytes of something larger.
func within(part string, offset int, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Fault: e.Fault, Part: part, Offset: offset + max(e.Offset, 0)}
	}
	return err
}
