package engine

import (
	"sort"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// Two plans of one profile have the same unit and interval, and may differ in the start of their
// due days, in the month end and in the spans that are charged. Where they first differ is found
// without a walk: spans are compared piece by piece, and two schedules by a few of their dates.

// firstApart returns the first i below n at which slot number k+i of a is not slot number l+i of b; n
// if there is none. The two are of plans of one profile, and have that many slots.
func firstApart(a, b *slots, k, l, n int) int {
	for i := 0; i < n; {
		x, y := a.find(k+i), b.find(l+i)
		both := min(n-i, x.end()-(k+i), y.end()-(l+i))
		if apart := schedulesApart(a.grid, x.from+k+i-x.before, b.grid, y.from+l+i-y.before, both); apart < both {
			return i + apart
		}
		i += both
	}
	return n
}

// schedulesApart returns the first i below n at which date number k+i of a is not date number l+i
// of b; n if there is none. The two have one unit and interval.
//
// A month has the same length in all years but February: what holds for the dates of one turn of the
// months of the year holds for all, but for months that one of the two leaves out, and around
// February.
func schedulesApart(a calendar.Schedule, k int, b calendar.Schedule, l, n int) int {
	if a == b && k == l {
		return n
	}
	differ := func(i int) bool { return dateAt(a, k+i) != dateAt(b, l+i) }
	turn := 1
	if a.Unit() == calendar.UnitMonth {
		turn = turnOf(a.Interval())
	}
	for i := range min(turn, n) {
		if differ(i) {
			return i
		}
	}
	switch {
	case a.Unit() != calendar.UnitMonth, leavesOut(a) && leavesOut(b):
		return n // equal steps from equal dates
	case leavesOut(a):
		return firstLeftOut(a, k, n)
	case leavesOut(b):
		return firstLeftOut(b, l, n)
	}
	first := n
	for i := range min(turn, n) {
		if aroundFebruary(dateAt(a, k+i)) {
			first = min(first, februaryApart(i, turn, first, differ))
		}
	}
	return first
}

func dateAt(s calendar.Schedule, k int) calendar.Date {
	d, _ := s.At(k)
	return d
}

// leavesOut reports whether a monthly schedule may leave out months without its day (L01).
func leavesOut(s calendar.Schedule) bool {
	return s.MonthEnd() == calendar.MonthEndSkip && dayOf(s.Start()) > 28
}

func dayOf(d calendar.Date) int {
	_, _, day := d.Date()
	return day
}

// firstLeftOut returns the first i below n for which a month is left out between date number k and
// date number k+i; n if there is none. From there on the schedule is ahead of one that leaves out
// none. Its dates are all in the months of their own.
func firstLeftOut(s calendar.Schedule, k, n int) int {
	from := dateAt(s, k)
	return sort.Search(n, func(i int) bool { return monthsFrom(from, dateAt(s, k+i)) != i*s.Interval() })
}

// monthsFrom returns how many months later the month of to is than that of from.
func monthsFrom(from, to calendar.Date) int {
	y, m, _ := from.Date()
	toY, toM, _ := to.Date()
	return 12*(toY-y) + int(toM-m)
}

// februaryWait is how often, at the most, a series of years that are equally far apart has leap years
// or other years alone before one of the other kind comes, if one ever comes.
const februaryWait = 50

// februaryApart returns the first of the places i+turn, i+2·turn … below n at which the dates around
// a February differ; n if there is none.
func februaryApart(i, turn, n int, differ func(i int) bool) int {
	for range februaryWait {
		if i += turn; i >= n {
			return n
		}
		if differ(i) {
			return i
		}
	}
	return n
}

// turnOf returns after how many intervals the month of the year is the same again.
func turnOf(interval int) int {
	turn := 1
	for turn*(interval%12)%12 != 0 {
		turn++
	}
	return turn
}

// aroundFebruary reports whether a date may be that of a February, be it in March (L01).
func aroundFebruary(d calendar.Date) bool {
	_, month, day := d.Date()
	return month == time.February || month == time.March && day <= 3
}
