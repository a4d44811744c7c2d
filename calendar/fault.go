package calendar

import "github.com/chargecast/chargecast/internal/fault"

// Fault is the reason why a text or a number is refused. It is an error for errors.Is; the functions
// of this package return it inside an [*Error].
type Fault = fault.Fault

// Error says what is wrong and where. It never contains the text or the number that was refused, and
// unwraps to its Fault. Its fields:
//
//	Fault  Fault  // the reason
//	Part   string // year, month or day of a date; start, unit, interval or month-end of a schedule; empty: the whole
//	Offset int    // bytes before the first one that is wrong, or before Part; -1: no text was read
type Error = fault.Error

// The faults.
const (
	ErrSyntax   Fault = "calendar: not a date; write YYYY-MM-DD in ASCII digits"
	ErrNotADay  Fault = "calendar: no such day; use a day of its month, a month from 1 to 12 and a year from 1 to 9999"
	ErrStart    Fault = "calendar: no start date; use a day from 0001-01-01 to 9999-12-31"
	ErrUnit     Fault = "calendar: unknown unit; use day, week or month"
	ErrInterval Fault = "calendar: invalid interval; use a whole number from 1"
	ErrMonthEnd Fault = "calendar: unknown month end; use clamp, skip, next-first or overflow"
)
