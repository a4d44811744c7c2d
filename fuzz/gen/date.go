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
		n := r.Below(13 << 9) // year, month and day have bits of their own, to be made simpler each for itself
		return r.dateOf(nearYear(n>>9), 1+n>>5%16%12, 1+n%32%31)
	case 1:
		n := r.Below(13 << 6)
		return r.dateOf(nearYear(n>>6), 1+n>>2%16%12, 28+n%4)
	case 2:
		return r.dateOf(Pick(r, 2028, 2024, 2000, 1996, 2096, 2104, 2400, 1600, 4, 9996), 2, 29)
	case 3:
		return r.nearCentury()
	case 4:
		return calendar.First().AddDays(r.In(0, 800))
	case 5:
		return calendar.Last().AddDays(-r.In(0, 800))
	}
	return calendar.First().AddDays(r.Below(int(oracle.Last)))
}

// nearYear is 2026, 2027, 2025, 2028 and so on.
func nearYear(n int) int {
	if n%2 == 1 {
		return 2026 + (n+1)/2
	}
	return 2026 - n/2
}

// nearCentury is a day about the turn of a century: mostly one whose series soon meets the February of a year
// that is a leap year only every 400 years.
func (r Chooser) nearCentury() calendar.Date {
	n := r.Below(99 * 96)
	century, day := 100*(1+n/96), n%96
	switch {
	case day < 8:
		return r.dateOf(century-1, 11+day%2, 28+day/2)
	case day < 16:
		return r.dateOf(century, 1+day%2, 28+day/2%4)
	}
	return r.dateOf(century, 1+day%12, 28+day/12%4)
}

// dateOf is a day of a month, or its last one where it has fewer.
func (r Chooser) dateOf(year, month, day int) calendar.Date {
	day = min(day, int(oracle.DaysIn(int64(year), int64(month))))
	return DateNumbered(oracle.DayOf(year, month, day))
}

// PlainDay is the simplest day.
func PlainDay() calendar.Date { return DateNumbered(oracle.DayOf(2026, 1, 1)) }
