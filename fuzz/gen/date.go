package gen

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// date is a day of the calendar: mostly of our time, and more often than chance would the ends of
// months, leap days, centuries and both ends of the calendar.
func (r Chooser) date() calendar.Date {
	switch r.weigh(46, 16, 8, 12, 4, 4, 10) {
	case 0:
		return r.dateOf(2026+r.Around(-6, 6), r.In(1, 12), r.In(1, 31))
	case 1:
		return r.dateOf(2026+r.Around(-6, 6), r.In(1, 12), r.In(28, 31))
	case 2:
		return r.dateOf(Pick(r, 4, 1600, 1996, 2000, 2024, 2028, 2096, 2104, 2400, 9996), 2, 29)
	case 3:
		return r.nearCentury()
	case 4:
		return calendar.First().AddDays(r.In(0, 800))
	case 5:
		return calendar.Last().AddDays(-r.In(0, 800))
	}
	return calendar.First().AddDays(r.Below(int(oracle.Last)))
}

// nearCentury is a day about the turn of a century: mostly one whose series soon meets the February of a year
// that is a leap year only every 400 years.
func (r Chooser) nearCentury() calendar.Date {
	century := 100 * r.In(1, 99)
	switch r.Below(4) {
	case 0:
		return r.dateOf(century+r.In(-1, 1), r.In(1, 12), r.In(1, 31))
	case 1:
		return r.dateOf(century-1, r.In(11, 12), r.In(28, 31))
	}
	return r.dateOf(century, r.In(1, 2), r.In(28, 31))
}

// dateOf is a day of a month, or its last one where it has fewer.
func (r Chooser) dateOf(year, month, day int) calendar.Date {
	day = min(day, int(oracle.DaysIn(int64(year), int64(month))))
	return DateNumbered(oracle.DayOf(year, month, day))
}

// PlainDay is the simplest day.
func PlainDay() calendar.Date { return DateNumbered(oracle.DayOf(2026, 1, 1)) }
