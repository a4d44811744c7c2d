package calendar

import "time"

// firstDay and lastDay are the day numbers of 0001-01-01 and 9999-12-31.
const (
	firstDay = 1
	lastDay  = 3_652_059
)

// Date is a civil day from 0001-01-01 to 9999-12-31. It is 4 bytes, comparable with ==, and useful
// as a map key.
//
// The zero Date is "no date". It sorts before every day, has the empty text, and is what a Date
// becomes when it is moved past either end of the calendar. In a [Window] it means "no bound".
type Date struct {
	// n is the number of the day; 1 is 0001-01-01. With a number instead of year, month and day,
	// arithmetic is addition, and 31 February cannot exist.
	n int32
}

// First returns 0001-01-01, the first day of the calendar.
func First() Date { return Date{firstDay} }

// Last returns 9999-12-31, the last day of the calendar, where every schedule ends (ledger L32).
func Last() Date { return Date{lastDay} }

// New returns the date of a year from 1 to 9999, a month and a day of that month. Where there is no
// such day it returns the zero Date and an [*Error] that unwraps to [ErrNotADay]; unlike time.Date
// it does not carry 31 February over into March.
func New(year int, month time.Month, day int) (Date, error) {
	d, part := fromParts(year, int(month), day)
	if part != "" {
		return Date{}, refuse(ErrNotADay, part)
	}
	return d, nil
}

// fromParts returns the date, or the name of the part that is out of range.
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

// Of returns the civil day of t in t's own location, or the zero Date outside the years 1 to 9999.
// It is the only conversion from package time.
func Of(t time.Time) Date {
	const (
		secondsPerDay = 24 * 60 * 60
		unixDay       = 719_163 // 1970-01-01
	)
	_, offset := t.Zone()
	// Where this sum wraps, it still lies far outside the calendar.
	seconds := t.Unix() + int64(offset) + unixDay*secondsPerDay
	// Within the bounds the quotient is positive, so it is rounded down.
	day := seconds / secondsPerDay
	if day < firstDay || day > lastDay {
		return Date{}
	}
	return Date{int32(day)}
}

// IsZero reports whether d is "no date".
func (d Date) IsZero() bool { return d.n == 0 }

// Compare returns -1 when d is before e, 0 when they are equal and +1 when d is after e. The zero
// Date is before every day.
func (d Date) Compare(e Date) int {
	switch {
	case d.n < e.n:
		return -1
	case d.n > e.n:
		return 1
	}
	return 0
}

// Before reports whether d is before e. The zero Date is before every day.
func (d Date) Before(e Date) bool { return d.n < e.n }

// After reports whether d is after e. The zero Date is after no day.
func (d Date) After(e Date) bool { return d.n > e.n }

// AddDays returns the day n days later, or -n days earlier for a negative n. It returns the zero
// Date past either end of the calendar, and for the zero Date.
//
// The zero Date sorts before every day, so a loop that runs until d.After(last) does not end where
// last is 9999-12-31; use [Window.Days]. As a bound of a [Window] it means "no bound", not an empty
// window.
func (d Date) AddDays(n int) Date {
	if d.n == 0 || n < firstDay-int(d.n) || n > lastDay-int(d.n) {
		return Date{}
	}
	return Date{d.n + int32(n)}
}

// Sub returns the number of days from e to d, negative when d is before e. The zero Date counts as
// the day before 0001-01-01.
func (d Date) Sub(e Date) int { return int(d.n) - int(e.n) }

// Date returns the year, from 1 to 9999, the month and the day of the month. All three are 0 for
// the zero Date.
func (d Date) Date() (year int, month time.Month, day int) {
	if d.n == 0 {
		return 0, 0, 0
	}
	y, m, dd := d.civil()
	return y, time.Month(m), dd
}

// Weekday returns the day of the week. It returns Sunday for the zero Date.
func (d Date) Weekday() time.Weekday { return time.Weekday(d.n % 7) }

// DaysIn returns the number of days of a month, 28 to 31. It returns 0 where the year is outside 1
// to 9999 or the month outside January to December.
func DaysIn(year int, month time.Month) int {
	if year < 1 || year > maxYear || month < time.January || month > time.December {
		return 0
	}
	return lengthOf(monthIndex(year, int(month)))
}
