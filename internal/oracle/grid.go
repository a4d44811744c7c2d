package oracle

import (
	"iter"
	"math/big"
)

// A Unit is a period (2.2.1). The zero value is none.
type Unit uint8

// The periods.
const (
	ByDay Unit = iota + 1
	ByWeek
	ByMonth
)

// A MonthEnd is what becomes of an anchor day that a month lacks (L01).
type MonthEnd uint8

// The readings of L01, the default first.
const (
	Clamp MonthEnd = iota
	Skip
	NextFirst
	Overflow
)

// A Grid tells the due days of a schedule.
type Grid struct {
	Anchor   Civil
	Unit     Unit
	Interval int64
	End      MonthEnd
}

// Due reports whether day c is a due day: it looks at the day alone, never at a number
// in a series (2.2.1, 2.2.2, L01).
func (g Grid) Due(c Civil) bool { return g.due(&c) }

func (g *Grid) due(c *Civil) bool {
	if c.Day < g.Anchor.Day {
		return false
	}
	days := int64(c.Day - g.Anchor.Day)
	switch g.Unit {
	case ByDay:
		return days%g.Interval == 0
	case ByWeek:
		return days%7 == 0 && days/7%g.Interval == 0
	case ByMonth:
		return g.dueInMonth(c)
	}
	return false
}

func (g *Grid) dueInMonth(c *Civil) bool {
	day := g.Anchor.Date
	if c.Date == day || g.End == Clamp && day > c.Date && c.Date == c.length() {
		return g.turn(c.months())
	}
	if c.Date > 3 || g.End != NextFirst && g.End != Overflow {
		return false // no month is more than three days too short
	}
	missed := day - c.lengthBefore() // how many days the month before is too short
	if missed > 0 && (g.End == NextFirst && c.Date == 1 || g.End == Overflow && c.Date == missed) {
		return g.turn(c.months() - 1)
	}
	return false
}

// turn reports whether it is the turn of a month.
func (g *Grid) turn(months int64) bool {
	gone := months - g.Anchor.months()
	return gone >= 0 && gone%g.Interval == 0
}

// Days walks the calendar from the anchor to its end and gives each due day.
func (g Grid) Days() iter.Seq[Day] {
	return func(yield func(Day) bool) {
		for c := At(g.Anchor.Day); c.Day <= Last; c = c.Next() {
			if g.due(&c) && !yield(c.Day) {
				return
			}
		}
	}
}

// Exact is date number k by exact arithmetic; 0 past the calendar. It is no answer under skip.
func (g Grid) Exact(k int) Day {
	steps := new(big.Int).Mul(big.NewInt(int64(k)), big.NewInt(g.Interval))
	c := g.Anchor
	switch g.Unit {
	case ByWeek:
		steps.Mul(steps, big.NewInt(7))
		fallthrough
	case ByDay:
		steps.Add(steps, big.NewInt(int64(c.Day)))
		if !steps.IsInt64() || steps.Int64() > int64(Last) {
			return 0
		}
		return Day(steps.Int64())
	}
	steps.Add(steps, big.NewInt(c.months()))
	if !steps.IsInt64() || steps.Int64() >= 12*10_000 {
		return 0
	}
	year, month := steps.Int64()/12, steps.Int64()%12+1
	length, first := DaysIn(year, month), DayOf(int(year), int(month), 1)
	switch {
	case c.Date <= length, g.End == Overflow:
		return first + Day(c.Date-1)
	case g.End == NextFirst:
		return first + Day(length)
	}
	return first + Day(length-1)
}
