package fuzz

import (
	"iter"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// Dates generates days of the calendar: mostly of our time, and more often than chance
// would the ends of months, leap days, centuries and both ends of the calendar.
func Dates() gopter.Gen {
	return generator(chooser.date, simplerDates, func(d calendar.Date) bool { return !d.IsZero() })
}

func (r chooser) date() calendar.Date {
	switch r.weigh(50, 16, 8, 8, 4, 4, 10) {
	case 0:
		return r.dateOf(r.in(2020, 2032), r.in(1, 12), r.in(1, 31))
	case 1:
		return r.dateOf(r.in(2020, 2032), r.in(1, 12), r.in(28, 31))
	case 2:
		return r.dateOf(pick(r, 4, 1600, 1996, 2000, 2024, 2028, 2096, 2104, 2400, 9996), 2, 29)
	case 3:
		return r.dateOf(100*r.in(1, 99)+r.in(-1, 1), r.in(1, 12), r.in(1, 31))
	case 4:
		return calendar.First().AddDays(r.in(0, 800))
	case 5:
		return calendar.Last().AddDays(-r.in(0, 800))
	}
	return calendar.First().AddDays(r.below(int(oracle.Last)))
}

// dateOf is a day of a month, or its last one where it has fewer.
func (r chooser) dateOf(year, month, day int) calendar.Date {
	day = min(day, int(oracle.DaysIn(int64(year), int64(month))))
	return DateNumbered(oracle.DayOf(year, month, day))
}

// plainDay is where shrinking leads to.
func plainDay() calendar.Date { return DateNumbered(oracle.DayOf(2026, 1, 1)) }

// simplerDates goes to 2026, then to the first of January, then half the way.
func simplerDates(d calendar.Date) iter.Seq[calendar.Date] {
	return func(yield func(calendar.Date) bool) {
		goal := plainDay()
		if d == goal || !yield(goal) {
			return
		}
		c := oracle.At(DayNumber(d))
		for _, year := range [...]int{2026, 2028, 2025, 2024} {
			if same := DateNumbered(oracle.DayOf(year, int(c.Month), int(c.Date))); !same.IsZero() && same != d && int(c.Year) != year {
				if !yield(same) {
					return
				}
			}
			if int(c.Year) == year {
				break
			}
		}
		if c.Month > 1 && !yield(DateNumbered(oracle.DayOf(int(c.Year), 1, int(c.Date)))) {
			return
		}
		gap := goal.Sub(d)
		for _, step := range [...]int{gap / 2, gap / 16, gap % 7, sign(gap)} {
			if step != 0 && (step != sign(gap) || max(gap, -gap) < 60) && !yield(d.AddDays(step)) {
				return
			}
		}
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// simplerInts goes to a goal: at once, half the way, one step.
func simplerInts(n, goal int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if n == goal || !yield(goal) {
			return
		}
		if half := n - (n-goal)/2; half != n && half != goal && !yield(half) {
			return
		}
		if one := n + sign(goal-n); one != goal {
			yield(one)
		}
	}
}
