package calendar

import (
	"errors"
	"strconv"
)

// The causes that errors of this package unwrap to. None carries what was refused.
var (
	// ErrSyntax: the text does not have the form of a date.
	ErrSyntax = errors.New("not the form of a date")
	// ErrNotADay: the form is right, but the calendar has no such day; the year 0000 is one of these cases.
	ErrNotADay = errors.New("no such day")
	// ErrStart: a schedule without a start date.
	ErrStart = errors.New("no start date")
	// ErrUnit: a unit other than day, week and month.
	ErrUnit = errors.New("unknown unit")
	// ErrInterval: an interval of zero or less.
	ErrInterval = errors.New("interval below 1")
	// ErrMonthEnd: a month end other than the four there are.
	ErrMonthEnd = errors.New("unknown month end")
)

// ParseError says where a text is not a date. Its Err is [ErrSyntax] or [ErrNotADay]. It does not hold the text.
type ParseError struct {
	Form   string // the form that was expected, YYYY-MM-DD or DD.MM.YYYY
	Part   string // year, month or day, where Err is ErrNotADay; empty otherwise
	Offset int    // in bytes from 0: the first byte that breaks the form, or the first byte of Part
	Err    error
}

// Error returns one line that names the place, the rule and the remedy.
func (e *ParseError) Error() string {
	where := " at byte " + strconv.Itoa(e.Offset)
	if e.Part != "" {
		return "calendar: " + e.Err.Error() + ": " + e.Part + where + ": send a day of the years 0001 to 9999 as " + e.Form
	}
	return "calendar: " + e.Err.Error() + where + ": send " + e.Form + " in ASCII digits"
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// RangeError says which argument of [New] names no day. It unwraps to [ErrNotADay].
type RangeError struct {
	Part string // year, month or day
}

// Error returns one line that names the argument, the rule and the remedy.
func (e *RangeError) Error() string {
	remedy := "give 1 to the length of the month"
	switch e.Part {
	case "year":
		remedy = "give 1 to 9999"
	case "month":
		remedy = "give 1 to 12"
	}
	return "calendar: " + ErrNotADay.Error() + ": " + e.Part + " out of range: " + remedy
}

// Unwrap returns ErrNotADay.
func (e *RangeError) Unwrap() error { return ErrNotADay }

// ScheduleError says which part of a schedule is unusable. Its Err is [ErrStart], [ErrUnit], [ErrInterval] or
// [ErrMonthEnd].
type ScheduleError struct {
	Part string // start, unit, interval or month-end
	Err  error
}

// Error returns one line that names the part, the rule and the remedy.
func (e *ScheduleError) Error() string {
	remedy := "give a day"
	switch e.Err {
	case ErrUnit:
		remedy = "give day, week or month"
	case ErrInterval:
		remedy = "give 1 or more"
	case ErrMonthEnd:
		remedy = "give clamp, skip, next-first or overflow"
	}
	return "calendar: " + e.Part + ": " + e.Err.Error() + ": " + remedy
}

// Unwrap returns the cause.
func (e *ScheduleError) Unwrap() error { return e.Err }
