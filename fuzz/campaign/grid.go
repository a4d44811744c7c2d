package campaign

import (
	"fmt"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/internal/oracle"
)

// The grid of law C30: the closed form against a day-by-day walk, from every day of a 400-year
// cycle.
const (
	gridStarts    = 146_097
	gridYear      = 2000
	gridIntervals = 36
	gridUnits     = 3
	gridEnds      = 4
	// gridSeries is the number of series that begin on one day.
	gridSeries = gridUnits * gridIntervals * gridEnds
	// gridMonths is how far months are walked, for 13 dates of the longest interval; gridDates is
	// how many dates of a series are compared at most.
	gridMonths = 12 * gridIntervals
	gridDates  = 49
)

// A walk is the due days that a day-by-day walk from one day found.
type walk struct {
	start oracle.Day
	first calendar.Date
	// inMonth are the due days of a monthly series by the month that they are for, the first being
	// 0; the zero Date where a month has none.
	inMonth [gridEnds][gridMonths + 1]calendar.Date
}

// walkFrom walks day by day from a day of the cycle and judges each day by itself, whether it is
// due.
func walkFrom(start oracle.Day) *walk {
	w := &walk{start: start, first: dayOf(oracle.At(start))}
	from := oracle.At(start)
	month := 0 // since the first
	for c := from; ; {
		if c.Date == 1 && c.Day > from.Day {
			month++
		}
		if month > gridMonths+1 {
			return w
		}
		for e := range gridEnds {
			g := oracle.Grid{Anchor: from, Unit: oracle.ByMonth, Interval: 1, End: oracle.MonthEnd(e)}
			if !g.Due(c) {
				continue
			}
			of := month
			if c.Date != from.Date && oracle.MonthEnd(e) != oracle.Clamp {
				of-- // a day for the month before, which lacks it
			}
			if of <= gridMonths {
				w.inMonth[e][of] = dayOf(c)
			}
		}
		c = c.Next()
	}
}

// dayOf is a day by its civil parts.
func dayOf(c oracle.Civil) calendar.Date {
	d, _ := calendar.New(int(c.Year), time.Month(c.Month), int(c.Date))
	return d
}

// gridStart is the day with a number in the cycle.
func gridStart(n uint64) oracle.Day { return oracle.DayOf(gridYear, 1, 1) + oracle.Day(n) }

// judgeStart compares all series that begin on one day; it returns the first difference, empty for
// none.
func judgeStart(impl fuzz.Impl, n uint64) string {
	w := walkFrom(gridStart(n))
	for e := range gridEnds {
		for i := 1; i <= gridIntervals; i++ {
			for _, c := range [...]struct {
				unit calendar.Unit
				days int
			}{{calendar.UnitDay, i}, {calendar.UnitWeek, 7 * i}} {
				if report := w.compare(impl, c.unit, i, e, w.everyDays(c.days)); report != "" {
					return report
				}
			}
			if report := w.compare(impl, calendar.UnitMonth, i, e, w.everyMonths(e, i)); report != "" {
				return report
			}
		}
	}
	return ""
}

// everyDays are the first dates that lie so many days apart.
func (w *walk) everyDays(days int) func(yield func(calendar.Date) bool) {
	return func(yield func(calendar.Date) bool) {
		for k := range 13 {
			if !yield(dayOf(oracle.At(w.start + oracle.Day(k*days)))) {
				return
			}
		}
	}
}

// everyMonths are the first dates of a monthly series.
func (w *walk) everyMonths(end, interval int) func(yield func(calendar.Date) bool) {
	return func(yield func(calendar.Date) bool) {
		k := 0
		for m := 0; m <= gridMonths && k < gridDates; m += interval {
			d := w.inMonth[end][m]
			if d.IsZero() {
				continue
			}
			if k++; !yield(d) {
				return
			}
		}
	}
}

// compare compares a series with the dates that it must have.
func (w *walk) compare(impl fuzz.Impl, u calendar.Unit, interval, end int, want func(yield func(calendar.Date) bool)) string {
	s, err := impl.NewGrid(w.first, u, interval, calendar.MonthEnd(end))
	if err != nil {
		return fmt.Sprintf("%v, every %d %v, %v: refused", w.first, interval, u, calendar.MonthEnd(end))
	}
	k := 0
	for d := range want {
		if got, ok := s.At(k); !ok || got != d {
			return fmt.Sprintf("%v, every %d %v, %v: date %d is %v, the walk gives %v", w.first, interval, u, calendar.MonthEnd(end), k, got, d)
		}
		k++
	}
	return ""
}
