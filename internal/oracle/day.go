package oracle

import (
	"fmt"
	"strings"
	"time"
)

// A Day is a day number: 1 is 0001-01-01. Zero is not a day.
type Day int64

// The ends of the calendar (L32).
const (
	First Day = 1
	Last  Day = 3_652_059
)

// unixDay is the day number of 1970-01-01.
const unixDay = 719_163

// A Civil is a day with its parts.
type Civil struct {
	Day               Day
	Year, Month, Date int64
}

// At gives the parts of a day, as package time knows them.
func At(d Day) Civil {
	y, m, dd := time.Unix((int64(d)-unixDay)*86_400, 0).UTC().Date()
	return Civil{d, int64(y), int64(m), int64(dd)}
}

// DayOf is the number of a civil day; 0 where there is no such day.
func DayOf(year, month, date int) Day {
	t := time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC)
	if y, m, d := t.Date(); y != year || int(m) != month || d != date || year < 1 || year > 9999 {
		return 0
	}
	return Day(t.Unix()/86_400 + unixDay)
}

// isLeap reports whether a year has a 29 February.
func isLeap(year int64) bool {
	return year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// DaysIn is the number of days of a month, counted from 1.
func DaysIn(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	}
	return 31
}

// Next is the day after c.
func (c Civil) Next() Civil {
	c.Day++
	c.Date++
	if c.Date <= 28 || c.Date <= DaysIn(c.Year, c.Month) {
		return c
	}
	c.Date = 1
	c.Month++
	if c.Month > 12 {
		c.Month = 1
		c.Year++
	}
	return c
}

// months counts the months since the year 0.
func (c Civil) months() int64 { return c.Year*12 + c.Month - 1 }

// length is the number of days of c's month.
func (c Civil) length() int64 { return DaysIn(c.Year, c.Month) }

// lengthBefore is the number of days of the month before c's.
func (c Civil) lengthBefore() int64 {
	if c.Month == 1 {
		return 31
	}
	return DaysIn(c.Year, c.Month-1)
}

// Period is the text of the day's week, month, quarter or weekday, as package time has it; the day for any other word.
func (d Day) Period(by string) string {
	c := At(d)
	clock := time.Date(int(c.Year), time.Month(c.Month), int(c.Date), 12, 0, 0, 0, time.UTC)
	switch by {
	case "week":
		year, week := clock.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case "month":
		return clock.Format("2006-01")
	case "quarter":
		return fmt.Sprintf("%04d-Q%d", c.Year, (c.Month+2)/3)
	case "weekday":
		return strings.ToLower(clock.Weekday().String())
	}
	return clock.Format(time.DateOnly)
}
