package calendar

import "strconv"

// Fault is the reason why a text, a number or a JSON value is refused. It is an error for
// errors.Is; the functions of this package return it inside an [*Error]. The zero value is no
// fault.
type Fault uint8

// The faults.
const (
	ErrSyntax   Fault = iota + 1 // a text without the form of a date
	ErrNotADay                   // a day that the calendar does not have, such as 31 February
	ErrStart                     // a schedule without a start date
	ErrUnit                      // a unit other than day, week and month
	ErrInterval                  // an interval below 1, or one that does not fit in an int
	ErrMonthEnd                  // a month end other than clamp, skip, next-first and overflow
	ErrType                      // malformed JSON, or a JSON value of another type than expected
	ErrMember                    // a member of a JSON object that is unknown or given twice
)

// rules says what each fault means and what to do about it. It is never written.
var rules = [...]struct{ rule, remedy string }{
	0:           {"no fault", "nothing to do"},
	ErrSyntax:   {"not a date", "write YYYY-MM-DD, or DD.MM.YYYY in a payload"},
	ErrNotADay:  {"no such day", "use a day of its month, a month from 1 to 12 and a year from 1 to 9999"},
	ErrStart:    {"no start date", "use a day from 0001-01-01 to 9999-12-31"},
	ErrUnit:     {"unknown unit", "use day, week or month"},
	ErrInterval: {"invalid interval", "use a whole number from 1"},
	ErrMonthEnd: {"unknown month end", "use clamp, skip, next-first or overflow"},
	ErrType:     {"unexpected JSON value", "use an object with text for dates and words and a whole number for the interval"},
	ErrMember:   {"unexpected JSON member", "give each member of the documented form once"},
}

// Error returns one line that says what is wrong and what to do.
func (f Fault) Error() string { return (&Error{Fault: f, Offset: -1}).Error() }

// Error says what is wrong and where. It never contains the text or the number that was refused. It
// unwraps to its Fault.
type Error struct {
	Fault Fault
	// Part names what is wrong: year, month or day of a date; start, unit, interval or month-end of
	// a schedule; from, through or before of a window. It is empty where the whole is wrong.
	Part string
	// Form is the form expected of a text, YYYY-MM-DD or DD.MM.YYYY. It is empty otherwise.
	Form string
	// Offset is the number of bytes before the fault: in a text the first byte that is wrong or the
	// first byte of Part, in JSON the beginning of the value. It is -1 where no text was read.
	Offset int
}

// Error returns one line with the place, the rule and the remedy.
func (e *Error) Error() string {
	if int(e.Fault) >= len(rules) {
		return "calendar: Fault(" + strconv.Itoa(int(e.Fault)) + ")"
	}
	line := "calendar: "
	if e.Part != "" {
		line += e.Part + ": "
	}
	line += rules[e.Fault].rule
	if e.Offset >= 0 {
		line += " at byte " + strconv.Itoa(e.Offset)
	}
	if e.Fault == ErrSyntax && e.Form != "" {
		return line + "; write " + e.Form + " in ASCII digits"
	}
	return line + "; " + rules[e.Fault].remedy
}

// Unwrap returns the Fault.
func (e *Error) Unwrap() error { return e.Fault }

// refuse returns the error of a part of something that is not a text.
func refuse(f Fault, part string) error { return &Error{Fault: f, Part: part, Offset: -1} }
