package calendar

import "time"

// firstDay and lastDay are the day numbers of 0001-01-01 and 9999-12-31.
const (
	firstDay = 1
	lastDay  = 3_652_059
)

// Date is a civil day from 0001-01-01 to 9999-12-31. The zero Date is "no date" and lies before every day in the order of
// Compare. Dates are 4 bytes, comparable with == and good as map keys (C01, C06).
type Date struct {
	// n counts days: 1 is 0001-01-01. Keeping the number, not its parts, makes arithmetic an addition and 31 February
	// impossible to hold.
	n int32
}

// First returns 0001-01-01, the first day there is.
func First() Date { return Date{firstDay} }

// Last returns 9999-12-31, the last day there is; a series ends with it (ledger L32).
func Last() Date { return Date{lastDay} }

// New returns the day of a year from 1 to 9999, a month and a day of that month. Where there is no such day it returns the
// zero Date and a *[RangeError] that unwraps to [ErrNotADay]; nothing is carried over into the next month (C06).
func New(year int, month time.Month, day int) (Date, error) {
	d, part := fromParts(year, int(month), day)
	if part != "" {
		return Date{}, &RangeError{Part: part}
	}
	return d, nil
}

// fromParts names the part that is out of range, or nothing.
func fromParts(year, month, day int) (d Date, part string) {
	switch {
	case year < 1 || year > maxYear:
		return Date{}, "year"
	case month < 1 || month > 12:
		return Date{}, "month"
	case day < 1 || day > lengthOf(monthIndex(year, month)):
		return Date{}, "day"
	}
	return Date{dayNumber(monthIndex(year, month)) + int32(day) - 1}, ""
}

// Of returns the civil day that the clock of t's own location shows: the only door from clocks (C29). It is the zero Date
// outside the years 1 to 9999.
func Of(t time.Time) Date {
	const (
		secondsPerDay = 24 * 60 * 60
		unixDay       = 719_163 // 1970-01-01
	)
	_, offset := t.Zone()
	// A time so far off that this sum wraps still lands far outside the calendar.
	seconds := t.Unix() + int64(offset) + unixDay*secondsPerDay
	// The bounds keep the quotient positive, so rounding towards zero is rounding down.
	if seconds < firstDay*secondsPerDay || seconds >= (lastDay+1)*secondsPerDay {
		return Date{}
	}
	return Date{int32(seconds / secondsPerDay)}
}

// IsZero reports whether d is "no date".
func (d Date) IsZero() bool { return d.n == 0 }

// Compare returns -1 when d lies before e, 0 when they are the same and 1 when d lies after e. The zero Date lies before
// every day (C01).
func (d Date) Compare(e Date) int {
	switch {
	case d.n < e.n:
		return -1
	case d.n > e.n:
		return 1
	}
	return 0
}

// Before reports whether d lies before e. The zero Date lies before every day.
func (d Date) Before(e Date) bool { return d.n < e.n }

// After reports whether d lies after e. No day lies before the zero Date.
func (d Date) After(e Date) bool { return d.n > e.n }

// AddDays returns the day n days later, or -n days earlier for a negative n. It is the zero Date past either end of the
// calendar and from the zero Date, never a wrapped date (C06).
func (d Date) AddDays(n int) Date {
	if d.n == 0 || n < firstDay-int(d.n) || n > lastDay-int(d.n) {
		return Date{}
	}
	return Date{d.n + int32(n)}
}

// Sub returns the days from e to d, negative when d lies before e (C01). It is meant for two days; the zero Date counts as
// the day before 0001-01-01.
func (d Date) Sub(e Date) int { return int(d.n) - int(e.n) }

// Date returns the year from 1 to 9999, the month and the day of the month; all three are 0 for the zero Date.
func (d Date) Date() (year int, month time.Month, day int) {
	if d.n == 0 {
		return 0, 0, 0
	}
	y, m, dd := d.civil()
	return y, time.Month(m), dd
}

// Weekday returns the day of the week; 0001-01-01 is a Monday (C02). It is Sunday for the zero Date.
func (d Date) Weekday() time.Weekday { return time.Weekday(d.n % 7) }

// DaysIn returns the number of days of a month, 28 to 31 (C03); 0 where the year is outside 1 to 9999 or there is no such
// month.
func DaysIn(year int, month time.Month) int {
	if year < 1 || year > maxYear || month < time.January || month > time.December {
		return 0
	}
	return lengthOf(monthIndex(year, int(month)))
}
