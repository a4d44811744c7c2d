package amount

import (
	"errors"
	"strconv"
)

// Fault is the reason why a text, a number or a stored form is refused. It is an error for
// errors.Is; the functions of this package return it inside an [*Error]. The zero value is no
// fault.
type Fault uint8

// The faults.
const (
	ErrSyntax   Fault = iota + 1 // a text that is not digits, optionally a point and digits (L36)
	ErrTooLong                   // a text of more than 64 bytes; it was not read
	ErrRange                     // a value with more digits or decimals than fit
	ErrNegative                  // a value below zero
	ErrOrder                     // a range that begins above its end (L33)
	ErrEmpty                     // a sequence without elements (2.2.5)
	ErrTotal                     // JSON that is not that of a total, or of one that no charges have
	ErrDraws                     // a total without what its random amounts are drawn from
	ErrType                      // a JSON value of another type than expected
	ErrPercent                   // a text that is not a percentage from 0 to 100 with at most two decimals
)

// rules says what each fault means and what to do about it. It is never written.
var rules = [...]struct{ rule, remedy string }{
	0:           {"no fault", "nothing to do"},
	ErrSyntax:   {"not an amount", "write digits, optionally a point and more digits (L36)"},
	ErrTooLong:  {"too long for an amount", "write at most 64 characters"},
	ErrRange:    {"more digits than fit", "use at most 18 decimals and at most 9223372036854775807 units of the last one (L36c)"},
	ErrNegative: {"below zero", "use zero or more (L36)"},
	ErrOrder:    {"amount-from is above amount-to", "swap the two (L33)"},
	ErrEmpty:    {"no amount in the sequence", "give at least one (2.2.5)"},
	ErrTotal:    {"not a total", "give charges, min and max as they were written"},
	ErrDraws:    {"it is not known what random amounts are drawn from", "add charges with AddRun, or keep the draws of a portfolio"},
	ErrType:     {"unexpected JSON value", "write amounts as strings without escapes, and counts as whole numbers"},
	ErrPercent:  {"not a percentage", "write a number from 0 to 100 with at most two decimals, without a sign"},
}

// Error returns one line that says what is wrong and what to do.
func (f Fault) Error() string { return (&Error{Fault: f, Offset: -1}).Error() }

// Error says what is wrong and where. It never contains what was refused: a card number in the
// wrong column must not reach a log. It unwraps to its Fault.
type Error struct {
	Fault Fault
	// Part names what is wrong where several values were given, such as amount-to.
	Part string
	// Offset is the number of bytes before the fault in the text; it is the length where that ends
	// too early, and -1 where no place is to blame.
	Offset int
}

// Error returns one line with the place, the rule and the remedy.
func (e *Error) Error() string {
	if int(e.Fault) >= len(rules) {
		return "amount: Fault(" + strconv.Itoa(int(e.Fault)) + ")"
	}
	line := "amount: "
	if e.Part != "" {
		line += e.Part + ": "
	}
	line += rules[e.Fault].rule
	if e.Offset >= 0 {
		line += " at byte " + strconv.Itoa(e.Offset)
	}
	return line + "; " + rules[e.Fault].remedy
}

// Unwrap returns the Fault.
func (e *Error) Unwrap() error { return e.Fault }

// refuse returns the error of a fault that has no place in a text.
func refuse(f Fault) error { return &Error{Fault: f, Offset: -1} }

// refuseAt returns the error of a fault after so many bytes.
func refuseAt(f Fault, offset int) error { return &Error{Fault: f, Offset: offset} }

// within returns err as the error of a part that begins after so many bytes of something larger.
func within(part string, offset int, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Fault: e.Fault, Part: part, Offset: offset + max(e.Offset, 0)}
	}
	return err
}
