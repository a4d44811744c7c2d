package gen

import (
	"iter"
	"math"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// A GridCase is a series of dates and what is asked of it.
type GridCase struct {
	Start    calendar.Date
	Unit     calendar.Unit
	Interval int
	End      calendar.MonthEnd
	K, L     int           // numbers of dates, K ≤ L
	A, B, C  calendar.Date // days, A ≤ B ≤ C
}

// Grids generates series of dates: intervals 1, 2, 11, 12, 13, 4800 and the limits of
// their type, starts with an eye to the ends of months, and questions near the start,
// far away and past the end.
func Grids() gopter.Gen { return Generator(Chooser.gridCase, simplerGrids, validGrid) }

// NearGrids generates series whose questions lie within about four years of the start,
// so that an oracle can walk there.
func NearGrids() gopter.Gen { return Generator(Chooser.NearGrid, simplerGrids, validGrid) }

func validGrid(g GridCase) bool {
	return !g.Start.IsZero() && g.Unit >= calendar.UnitDay && g.Unit <= calendar.UnitMonth && g.Interval >= 1 &&
		0 <= g.K && g.K <= g.L && !g.A.IsZero() && !g.B.Before(g.A) && !g.C.Before(g.B)
}

func (r Chooser) interval() int {
	switch r.weigh(40, 15, 10, 10, 5, 5, 12, 3) {
	case 0:
		return 1
	case 1:
		return 2
	case 2:
		return 12
	case 3:
		return r.In(3, 11)
	case 4:
		return Pick(r, 13, 24, 36, 48)
	case 5:
		return Pick(r, 4800, 4801, 1200, 146097)
	case 6:
		return r.In(1, 60)
	}
	return Pick(r, math.MaxInt32, math.MaxInt32-1, math.MaxInt, math.MaxInt-r.Below(40), math.MaxInt/2+1, math.MaxInt/7)
}

func (r Chooser) gridCase() GridCase {
	g := GridCase{
		Start:    r.date(),
		Unit:     Pick(r, calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth, calendar.UnitMonth),
		Interval: r.interval(),
		End:      calendar.MonthEnd(r.Below(4)),
	}
	g.K, g.L = r.number(), r.number()
	g.K, g.L = min(g.K, g.L), max(g.K, g.L)
	g.A, g.B, g.C = inOrder(r.near(g.Start), r.near(g.Start), r.near(g.Start))
	return g
}

// NearGrid is a case of [NearGrids].
func (r Chooser) NearGrid() GridCase {
	g := r.gridCase()
	for g.Interval > 60 {
		g.Interval = r.interval()
	}
	days := map[calendar.Unit]int{calendar.UnitDay: 1, calendar.UnitWeek: 7, calendar.UnitMonth: 31}[g.Unit]
	most := max(1, 1500/(days*g.Interval))
	g.K = r.In(0, most)
	g.L = r.In(g.K, most)
	g.A, g.B, g.C = inOrder(r.within(g.Start, -40, 1500), r.within(g.Start, 0, 1500), r.within(g.Start, 0, 1500))
	return g
}

// number is the number of a date: near, far, or past every end.
func (r Chooser) number() int {
	switch r.weigh(60, 20, 15, 5) {
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
	switch r.weigh(60, 15, 15, 10) {
	case 0:
		return r.within(start, -40, 1500)
	case 1:
		return start
	case 2:
		return r.date()
	}
	return Pick(r, calendar.First(), calendar.Last(), calendar.Last().AddDays(-r.Below(40)))
}

// within is a day from low to high days after another, kept inside the calendar.
func (r Chooser) within(d calendar.Date, low, high int) calendar.Date {
	return subject.Moved(d, r.In(low, high))
}

func inOrder(a, b, c calendar.Date) (x, y, z calendar.Date) {
	if b.Before(a) {
		a, b = b, a
	}
	if c.Before(b) {
		b, c = c, b
	}
	if b.Before(a) {
		a, b = b, a
	}
	return a, b, c
}

// simplerGrids shrinks one part at a time; the days move with the start.
func simplerGrids(g GridCase) iter.Seq[GridCase] {
	return func(yield func(GridCase) bool) {
		try := func(change func(*GridCase)) bool {
			o := g
			change(&o)
			return o == g || yield(o)
		}
		for start := range simplerDates(g.Start) {
			by := start.Sub(g.Start)
			ok := try(func(o *GridCase) {
				o.Start, o.A, o.B, o.C = start, subject.Moved(o.A, by), subject.Moved(o.B, by), subject.Moved(o.C, by)
			})
			if !ok {
				return
			}
		}
		for i := range simplerInts(g.Interval, 1) {
			if !try(func(o *GridCase) { o.Interval = i }) {
				return
			}
		}
		for k := range simplerInts(g.K, 0) {
			if !try(func(o *GridCase) { o.K = k }) {
				return
			}
		}
		for l := range simplerInts(g.L, g.K) {
			if !try(func(o *GridCase) { o.L = l }) {
				return
			}
		}
		_ = try(func(o *GridCase) { o.Unit = calendar.UnitDay }) &&
			try(func(o *GridCase) { o.End = calendar.MonthEndClamp }) &&
			simplerDay(g.A, g.Start, func(d calendar.Date) bool { return try(func(o *GridCase) { o.A = d }) }) &&
			simplerDay(g.B, g.A, func(d calendar.Date) bool { return try(func(o *GridCase) { o.B = d }) }) &&
			simplerDay(g.C, g.B, func(d calendar.Date) bool { return try(func(o *GridCase) { o.C = d }) })
	}
}

// simplerDay proposes days between d and a goal; false when the search is over.
func simplerDay(d, goal calendar.Date, try func(calendar.Date) bool) bool {
	for n := range simplerInts(d.Sub(goal), 0) {
		if !try(subject.Moved(goal, n)) {
			return false
		}
	}
	return true
}
