package gen

import (
	"math"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/oracle"
)

// Date is a day of the calendar: mostly of our time, and more often than chance would the ends of
// months, leap days, centuries and both ends of the calendar.
func (r Chooser) Date() calendar.Date {
	if r.ordinary {
		return r.dateOf(Pick(r, 2026, 2026, 2025, 2027), r.In(1, 12), Pick(r, r.In(1, 31), r.In(28, 31)))
	}
	switch r.Weigh(46, 16, 8, 12, 4, 4, 10) {
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
		return calendar.MinDate().AddDays(r.In(0, 800))
	case 5:
		return calendar.MaxDate().AddDays(-r.In(0, 800))
	}
	return calendar.MinDate().AddDays(r.Below(int(oracle.Last)))
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

// A GridCase is a series of dates and what is asked of it.
type GridCase struct {
	Start    calendar.Date
	Unit     calendar.Unit
	Interval int
	End      calendar.MonthEnd
	K, L     int           // numbers of dates, K ≤ L
	A, B, C  calendar.Date // days, A ≤ B ≤ C
}

// interval takes as many choices whichever it is, so that a simpler one changes nothing behind it.
func (r Chooser) interval() int {
	switch class, n := r.Weigh(40, 15, 10, 10, 5, 5, 12, 3), r.Below(60); class {
	case 0:
		return 1
	case 1:
		return 2
	case 2:
		return 12
	case 3:
		return 3 + n%9
	case 4:
		return [...]int{13, 24, 36, 48}[n%4]
	case 5:
		return [...]int{4800, 4801, 1200, 146097}[n%4]
	case 6:
		return 1 + n
	default:
		return [...]int{math.MaxInt32, math.MaxInt32 - 1, math.MaxInt, math.MaxInt - n, math.MaxInt/2 + 1, math.MaxInt / 7}[n%6]
	}
}

// Grids draws series of dates: intervals 1, 2, 11, 12, 13, 4800 and the limits of their type, starts with an eye to
// the ends of months, and questions near the start, far away and past the end.
func Grids(r Chooser) GridCase {
	g := GridCase{
		Start:    r.Date(),
		Unit:     Pick(r, calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth, calendar.UnitMonth),
		Interval: r.interval(),
		End:      calendar.MonthEnd(r.Below(4)),
	}
	g.K, g.L = r.number(), r.number()
	g.K, g.L = min(g.K, g.L), max(g.K, g.L)
	g.A, g.B, g.C = inOrder(calendar.Date.Compare, r.near(g.Start), r.near(g.Start), r.near(g.Start))
	return g
}

// NearGrids draws series whose questions lie within about four years of the start, so that an oracle can walk there.
func NearGrids(r Chooser) GridCase {
	g := Grids(r)
	for g.Interval > 60 {
		g.Interval = r.interval()
	}
	days := map[calendar.Unit]int{calendar.UnitDay: 1, calendar.UnitWeek: 7, calendar.UnitMonth: 31}[g.Unit]
	most := max(1, 1500/(days*g.Interval))
	g.K = r.In(0, most)
	g.L = r.In(g.K, most)
	g.A, g.B, g.C = inOrder(calendar.Date.Compare, Moved(g.Start, r.Around(-40, 1500)), Moved(g.Start, r.In(0, 1500)), Moved(g.Start, r.In(0, 1500)))
	return g
}

// number is the number of a date: near, far, or past every end.
func (r Chooser) number() int {
	switch r.Weigh(60, 20, 15, 5) {
	case 0:
		return r.In(0, 60)
	case 1:
		return r.In(0, 5000)
	case 2:
		return r.In(0, int(oracle.Last))
	}
	return Pick(r, math.MaxInt32, math.MaxInt, math.MaxInt-1, math.MaxInt/2+1, math.MaxInt/31)
}

// near is a day that a question about a series from start could be about.
func (r Chooser) near(start calendar.Date) calendar.Date {
	switch r.Weigh(60, 15, 15, 10) {
	case 0:
		return Moved(start, r.Around(-40, 1500))
	case 1:
		return start
	case 2:
		return r.Date()
	}
	return Pick(r, calendar.MinDate(), calendar.MaxDate(), calendar.MaxDate().AddDays(-r.Below(40)))
}

// inOrder are three values in their order.
func inOrder[V any](compare func(V, V) int, a, b, c V) (x, y, z V) {
	list := []V{a, b, c}
	slices.SortFunc(list, compare)
	return list[0], list[1], list[2]
}
