package gallery

import (
	"iter"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/oracle"
)

// calendarRows are wrong about days and series of dates.
func calendarRows() []Member {
	return []Member{
		{"month-drift", "next date from the previous one", by("C30"), "31.01.2026 monthly: 28.03 for 31.03", monthly(drift)},
		{"anchor-clamped-once", "keeps the day of the first short month", by("C30"), "29.01.2028 monthly: right up to 28.02.2029, then 28.03.2029", monthly(clampedOnce)},
		{"add-date-overflow", "overflow where clamp is asked", by("C30"), "31.01.2026: 03.03", monthEnds(calendar.MonthEndClamp, calendar.MonthEndOverflow)},
		{"overflow-chained", "AddDate on the last result", by("C30"), "31.01.2026: 03.03, 03.04", monthly(chained)},
		{"next-first-as-overflow", "03.03 under next-first", by("C30"), "31.01.2026", monthEnds(calendar.MonthEndNextFirst, calendar.MonthEndOverflow)},
		{"clamp-to-28", "every missing day becomes 28", by("C30"), "31.03: 28.04", monthly(clampedTo28)},
		{"skip-counts-missing", "skipped months use up k", by("C25"), "31.01.2026 skip: At(1) is not 31.03", reference(changing(countingMissing))},
		{"skip-ends-at-gap", "series ends at the first missing month", by("C30"), "31.01 skip", monthly(endingAtGap)},
		{"skip-clamps", "skip treated as clamp", by("C30"), "31.01 skip", monthEnds(calendar.MonthEndSkip, calendar.MonthEndClamp)},
		{"skip-subsampled", "under skip At_i(k) taken as At_1(k·i)", by("C30"), "31.01.2026 skip, i = 2: second date 31.05 for 31.03", grids(subsampled)},
		{"month-30-days", "month = 30 days", by("C30"), "15.01: 14.02", monthsOfDays(30)},
		{"month-4-weeks", "month = 28 days", by("C30"), "15.01: 12.02", monthsOfDays(28)},
		{"year-365-days", "12 months = 365 days", by("C30"), "15.01.2024, i = 12", grids(yearOf365)},
		{"iso-weeks", "weeks aligned to Monday", by("C30"), "Wednesday start", grids(isoWeeks)},
		{"interval-ignored", "i taken as 1", by("C30"), "i = 2", grids(func(g oracle.Grid) iter.Seq[oracle.Day] { g.Interval = 1; return g.Days() })},
		{"interval-plus-one", "i + 1", by("C30"), "day, i = 1", grids(func(g oracle.Grid) iter.Seq[oracle.Day] { g.Interval += 1 - g.Interval>>62; return g.Days() })},
		{"first-after-step", "first date is S + one step", by("C30"), "any", grids(withoutFirst)},
		{"julian-leap", "2100-02-29 exists", by("C03"), "29.02.2096, i = 12", leapRule(func(y int) bool { return y%4 == 0 })},
		{"no-400-rule", "2000-02-29 missing", by("C03"), "29.02.1996, i = 12", leapRule(func(y int) bool { return y%4 == 0 && y%100 != 0 })},
		{"index-floor", "Index gives the last date ≤ d", by("C30"), "d off the grid", reference(changing(func(_ series, g *changedGrid) {
			patch(&g.index, func(right func(calendar.Date) (int, bool)) func(calendar.Date) (int, bool) {
				return func(d calendar.Date) (int, bool) {
					k, on := right(d)
					if !on && k > 0 {
						k--
					}
					return k, on
				}
			})
		}))},
		{"count-closed", "To counted", by("C30"), "To on the grid", counted(func(w calendar.Window) calendar.Window {
			if !w.To.IsZero() && w.From.Before(w.To) {
				w.To = w.To.AddDays(1)
			}
			return w
		})},
		{"count-open", "From not counted", by("C30"), "From on the grid", counted(func(w calendar.Window) calendar.Window {
			w.From = w.From.AddDays(1)
			return w
		})},
		{"ends-after-292-years", "series bounded by a duration", by("C26"), "monthly from 1926", grids(boundedByDuration)},
		{"wraps-on-huge-interval", "wraps instead of ending", by("C27"), "day, i = 2^62", changing(wrapping)},
		{"last-day-lost", "9999-12-31 never reached", by("C24"), "day from 9999-12-30", grids(withoutLastDay)},
		{"zone-shifted", "Of converts to UTC", by("C29"), "23:30 −02:00", func(i *laws.Impl) {
			i.DateOf = func(t time.Time) calendar.Date { return calendar.Of(t.UTC()) }
		}},
	}
}

type newGrid = func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error)

// grid makes grids in another way.
func grid(wrong func(right newGrid, s series) (laws.Grid, error)) damage {
	return func(i *laws.Impl) {
		patch(&i.NewGrid, func(right newGrid) newGrid {
			return func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
				return wrong(right, series{start, unit, interval, end})
			}
		})
	}
}

// grids is the reference with another way through a grid's dates.
func grids(days func(oracle.Grid) iter.Seq[oracle.Day]) damage {
	return reference(grid(func(right newGrid, s series) (laws.Grid, error) {
		if _, err := right(s.start, s.unit, s.interval, s.end); err != nil {
			return nil, err
		}
		return laws.Walk{Days: days(gen.GridOf(s.start, s.unit, s.interval, s.end))}, nil
	}))
}

// monthly is the reference with months of its own making.
func monthly(days func(oracle.Grid) iter.Seq[oracle.Day]) damage {
	return grids(func(g oracle.Grid) iter.Seq[oracle.Day] {
		if g.Unit != oracle.ByMonth {
			return g.Days()
		}
		return days(g)
	})
}

// eachMonth goes through the months of a grid; day gives the day of a month with some
// length, 0 for none, or −1 for the end of the series.
func eachMonth(g oracle.Grid, day func(length int64) int64) iter.Seq[oracle.Day] {
	return func(yield func(oracle.Day) bool) {
		const end = 12 * 10_000
		for m := 12*g.Anchor.Year + g.Anchor.Month - 1; m < end && m > 0; m += g.Interval {
			d := day(oracle.DaysIn(m/12, m%12+1))
			if d < 0 || d > 0 && !yield(oracle.DayOf(int(m/12), int(m%12+1), 1)+oracle.Day(d-1)) {
				return
			}
		}
	}
}

func drift(g oracle.Grid) iter.Seq[oracle.Day] {
	day := g.Anchor.Date
	return eachMonth(g, func(length int64) int64 {
		day = min(day, length)
		return day
	})
}

func clampedOnce(g oracle.Grid) iter.Seq[oracle.Day] {
	day, clamped := g.Anchor.Date, false
	return eachMonth(g, func(length int64) int64 {
		if day > length && !clamped {
			day, clamped = length, true
		}
		return min(day, length)
	})
}

// chained lets AddDate run over, again and again.
func chained(g oracle.Grid) iter.Seq[oracle.Day] {
	return func(yield func(oracle.Day) bool) {
		c := g.Anchor
		for c.Day <= oracle.Last && yield(c.Day) {
			t := time.Date(int(c.Year), time.Month(c.Month), int(c.Date), 0, 0, 0, 0, time.UTC).AddDate(0, int(min(g.Interval, 240_000)), 0)
			y, m, d := t.Date()
			if y > 9999 {
				return
			}
			c = oracle.At(oracle.DayOf(y, int(m), d))
		}
	}
}

func clampedTo28(g oracle.Grid) iter.Seq[oracle.Day] {
	return eachMonth(g, func(length int64) int64 {
		if g.Anchor.Date > length {
			return 28
		}
		return g.Anchor.Date
	})
}

func endingAtGap(g oracle.Grid) iter.Seq[oracle.Day] {
	if g.End != oracle.Skip {
		return g.Days()
	}
	return eachMonth(g, func(length int64) int64 {
		if g.Anchor.Date > length {
			return -1
		}
		return g.Anchor.Date
	})
}

// countingMissing gives numbers to the months that lack the day, too.
func countingMissing(s series, g *changedGrid) {
	if s.unit != calendar.UnitMonth || s.end != calendar.MonthEndSkip {
		return
	}
	months := gen.GridOf(s.start, s.unit, s.interval, s.end)
	g.at = func(k int) (calendar.Date, bool) {
		n := 0
		for day := range eachMonth(months, func(length int64) int64 { return min(months.Anchor.Date, length) }) {
			if n++; n <= k {
				continue
			}
			if oracle.At(day).Date == months.Anchor.Date {
				return gen.DateNumbered(day), true
			}
		}
		return calendar.Date{}, false
	}
}

func subsampled(g oracle.Grid) iter.Seq[oracle.Day] {
	if g.End != oracle.Skip || g.Unit != oracle.ByMonth {
		return g.Days()
	}
	i := g.Interval
	g.Interval = 1
	return func(yield func(oracle.Day) bool) {
		n := int64(0)
		for d := range g.Days() {
			if n%i == 0 && !yield(d) {
				return
			}
			n++
		}
	}
}

func monthsOfDays(days int64) damage {
	return monthly(func(g oracle.Grid) iter.Seq[oracle.Day] {
		g.Unit, g.Interval = oracle.ByDay, min(g.Interval, 1<<40)*days
		return g.Days()
	})
}

func yearOf365(g oracle.Grid) iter.Seq[oracle.Day] {
	if g.Unit == oracle.ByMonth && g.Interval%12 == 0 {
		g.Unit, g.Interval = oracle.ByDay, g.Interval/12*365
	}
	return g.Days()
}

func isoWeeks(g oracle.Grid) iter.Seq[oracle.Day] {
	if g.Unit != oracle.ByWeek {
		return g.Days()
	}
	start := g.Anchor.Day
	g.Anchor = oracle.At(max(start-(start-1)%7, oracle.First)) // day 1 is a Monday
	return func(yield func(oracle.Day) bool) {
		if yield(start) {
			between(g, start+1, oracle.Last)(yield)
		}
	}
}

// between are the dates of a grid from a day to another.
func between(g oracle.Grid, from, to oracle.Day) iter.Seq[oracle.Day] {
	return func(yield func(oracle.Day) bool) {
		for d := range g.Days() {
			if d > to || d >= from && !yield(d) {
				return
			}
		}
	}
}

func withoutFirst(g oracle.Grid) iter.Seq[oracle.Day] {
	return between(g, g.Anchor.Day+1, oracle.Last)
}

func withoutLastDay(g oracle.Grid) iter.Seq[oracle.Day] {
	return between(g, oracle.First, oracle.Last-1)
}

func boundedByDuration(g oracle.Grid) iter.Seq[oracle.Day] {
	const nanoseconds = 106_751 // days in 2^63 of them
	return between(g, oracle.First, g.Anchor.Day+nanoseconds)
}

// leapRule is our own code with another rule for 29 February.
func leapRule(leap func(year int) bool) damage {
	return func(i *laws.Impl) {
		right := i.DaysIn
		i.DaysIn = func(year int, month time.Month) int {
			switch {
			case month != time.February:
				return right(year, month)
			case leap(year):
				return 29
			}
			return 28
		}
	}
}

// changing gives other answers about a grid.
func changing(change func(s series, g *changedGrid)) damage {
	return grid(func(right newGrid, s series) (laws.Grid, error) {
		g, err := right(s.start, s.unit, s.interval, s.end)
		if err != nil {
			return nil, err
		}
		changed := &changedGrid{g.At, g.Index, g.Count, g.From}
		change(s, changed)
		return changed, nil
	})
}

// counted is the reference that counts the dates of another window.
func counted(other func(calendar.Window) calendar.Window) damage {
	return reference(changing(func(_ series, g *changedGrid) {
		patch(&g.count, func(right func(calendar.Window) int) func(calendar.Window) int {
			return func(w calendar.Window) int { return right(other(w)) }
		})
	}))
}

// monthEnds is the reference that takes one month end for another.
func monthEnds(asked, given calendar.MonthEnd) damage {
	return reference(grid(func(right newGrid, s series) (laws.Grid, error) {
		if s.end == asked {
			s.end = given
		}
		return right(s.start, s.unit, s.interval, s.end)
	}))
}

// wrapping has arithmetic that wraps at 64 bits. It is our own code but for that: the reference would walk to the end of
// the calendar for each of the questions that show the fault.
func wrapping(s series, g *changedGrid) {
	step := uint64(s.interval)
	switch s.unit {
	case calendar.UnitMonth:
		return
	case calendar.UnitWeek:
		step *= 7
	}
	g.at = func(k int) (calendar.Date, bool) {
		if k < 0 {
			return calendar.Date{}, false
		}
		d := int64(gen.DayNumber(s.start)) + int64(uint64(k)*step)
		// The check for the end comes after the arithmetic: too late.
		if d > int64(oracle.Last) {
			return calendar.Date{}, false
		}
		return gen.DateNumbered(oracle.Day(max(d, 1))), true
	}
}

// A series is what a grid is made of.
type series struct {
	start    calendar.Date
	unit     calendar.Unit
	interval int
	end      calendar.MonthEnd
}

// A changedGrid has the answers of a right one, and some others in their place.
type changedGrid struct {
	at    func(k int) (calendar.Date, bool)
	index func(d calendar.Date) (int, bool)
	count func(w calendar.Window) int
	from  func(k int) iter.Seq2[int, calendar.Date]
}

func (g *changedGrid) At(k int) (calendar.Date, bool)           { return g.at(k) }
func (g *changedGrid) Index(d calendar.Date) (int, bool)        { return g.index(d) }
func (g *changedGrid) Count(w calendar.Window) int              { return g.count(w) }
func (g *changedGrid) From(k int) iter.Seq2[int, calendar.Date] { return g.from(k) }
