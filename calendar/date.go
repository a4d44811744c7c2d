package calendar

import (
	"cmp"
	"time"

	"github.com/chargecast/chargecast/internal/fault"
)

// firstDay and lastDay are the day numbers of 0001-01-01 and 9999-12-31.
const (
	firstDay = 1
	lastDay  = 3_652_059
)

// Date is a civil day from 0001-01-01 to 9999-12-31. It is 4 bytes, comparable with ==, and useful
// as a map key.
//
// Two values of the type are not days; [Date.IsDay] tells the days from them, and their text is empty.
// The zero Date is "no date": it sorts before every day, in a [Window] it means "no bound", and a day
// moved before 0001-01-01 becomes it. A day moved past 9999-12-31 becomes a Date that sorts after
// every day and is the same for all of them; a window that begins there is empty.
type Date struct {
	// n is the number of the day; 1 is 0001-01-01, and lastDay+1 is past the end. With a number
	// instead of year, month and day, arithmetic is addition, and 31 February cannot exist.
	n int32
}

// MinDate returns 0001-01-01, the first day of the calendar.
func MinDate() Date { return Date{firstDay} }

// MaxDate returns 9999-12-31, the last day of the calendar, where every schedule ends (ledger L32).
func MaxDate() Date { return Date{lastDay} }

// New returns the date of a year from 1 to 9999, a month and a day of that month. Where there is no
// such day it returns the zero Date and an [*Error] that unwraps to [ErrNotADay]; unlike time.Date
// it does not carry 31 February over into March.
func New(year int, month time.Month, day int) (Date, error) {
	d, part := fromParts(year, int(month), day)
	if part != "" {
		return Date{}, fault.Refuse(ErrNotADay, part)
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

// IsDay reports whether d is a day of the calendar: neither the zero Date nor past 9999-12-31.
func (d Date) IsDay() bool { return firstDay <= d.n && d.n <= lastDay }

// Equal reports whether d and e are the same, as == does; it is for packages that look for such a
// method.
func (d Date) Equal(e Date) bool { return d == e }

// Compare returns -1 when d is before e, 0 when they are equal and +1 when d is after e. The zero
// Date is before every day, and a Date past the end of the calendar after every day.
func (d Date) Compare(e Date) int { return cmp.Compare(d.n, e.n) }

// Before reports whether d is before e, in the order of [Date.Compare].
func (d Date) Before(e Date) bool { return d.n < e.n }

// After reports whether d is after e, in the order of [Date.Compare].
func (d Date) After(e Date) bool { return d.n > e.n }

// AddDays returns the day n days later, or -n days earlier for a negative n. Before 0001-01-01 it
// returns the zero Date, and past 9999-12-31 the Date after every day. A Date that is not a day stays as
// it is.
func (d Date) AddDays(n int) Date {
	switch {
	case !d.IsDay():
		return d
	case n < firstDay-int(d.n):
		return Date{}
	case n > lastDay-int(d.n):
		return Date{lastDay + 1}
	}
	return Date{d.n + int32(n)}
}

// AddMonths returns the day n months later, or -n months earlier for a negative n: the same day of the
// month, or its last day where the month has no such day. So 31 January and one month is 28 or 29
// February. Before 0001-01-01 it returns the zero Date, and past 9999-12-31 the Date after every day. A
// Date that is not a day stays as it is.
//
// Each call counts from d: add 2 months to 31 January, not twice one, to reach 31 March.
func (d Date) AddMonths(n int) Date {
	if !d.IsDay() {
		return d
	}
	index, day := d.monthAndDay()
	switch {
	case n < monthIndex(1, 1)-index:
		return Date{}
	case n > lastMonth-index:
		return Date{lastDay + 1}
	}
	return Date{dayNumber(index+n) + int32(min(day, lengthOf(index+n))) - 1}
}

// Sub returns the number of days from e to d, negative when d is before e. The zero Date counts as
// the day before 0001-01-01, and a Date past the end as the day after 9999-12-31.
func (d Date) Sub(e Date) int { return int(d.n) - int(e.n) }

// Date returns the year, from 1 to 9999, the month and the day of the month. All three are 0 for a
// Date that is not a day.
func (d Date) Date() (year int, month time.Month, day int) {
	if !d.IsDay() {
		return 0, 0, 0
	}
	y, m, dd := d.civil()
	return y, time.Month(m), dd
}

// Weekday returns the day of the week. A Date that is not a day counts as in [Date.Sub].
func (d Date) Weekday() time.Weekday { return time.Weekday(d.n % 7) }

// ISOWeek returns the year and the number, from 1 to 53, of d's week in ISO 8601. Weeks begin on
// Monday, and the first week of a year is the one with its first Thursday, so the year may be the
// one before or after d's. Both are 0 for a Date that is not a day.
func (d Date) ISOWeek() (year, week int) {
	if !d.IsDay() {
		return 0, 0
	}
	// A week belongs to the year of its Thursday. The calendar begins on a Monday and ends on a
	// Friday, so it has the Thursday of each of its weeks.
	thursday := Date{d.n + 3 - (d.n-firstDay)%7}
	year, _, _ = thursday.civil()
	newYear, _ := fromParts(year, 1, 1)
	return year, int(thursday.n-newYear.n)/7 + 1
}

// Quarter returns the quarter of d's year, 1 to 4, or 0 for a Date that is not a day.
func (d Date) Quarter() int {
	_, month, _ := d.Date()
	return (int(month) + 2) / 3
}

// DaysIn returns the number of days of a month, 28 to 31. It returns 0 where the year is outside 1
// to 9999 or the month outside January to December.
func DaysIn(year int, month time.Month) int {
	if year < 1 || year > maxYear || month < time.January || month > time.December {
		return 0
	}
	return lengthOf(monthIndex(year, int(month)))
}
