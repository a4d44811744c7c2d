package main

import (
	"strconv"
	"time"

	"github.com/robfig/cron/v3"
	"github.com/teambition/rrule-go"

	"github.com/chargecast/chargecast/calendar"
)

// Peers by the name that the table gives them. Their versions are in go.mod and are
// printed above the table.
const (
	peerRule = "rrule-go"
	peerCron = "robfig/cron Next"
	peerTime = "three time.Date calls"
)

// dateRows are P1 and P2: listing dates.
func dateRows() []row {
	monthly := grid{datesFrom, calendar.UnitMonth, 1}
	fifteenth := grid{"2024-01-15", calendar.UnitMonth, 1}
	var rows []row
	for _, n := range datesMonthly {
		what := "monthly, clamped, " + strconv.Itoa(n) + " dates"
		rows = append(rows,
			row{id: "P1", ours: what, against: peerRule, goal: faster(50), possible: "84–125×",
				note:  "clamps by BYMONTHDAY=28,29,30,31 and BYSETPOS=-1",
				ready: monthly.ready(n, oursDays, ruleDays)},
			row{id: "P1", ours: what, against: peerTime, goal: faster(10), possible: "17–23×",
				ready: monthly.readyTime(n, oursDays, timeMonthly)},
			row{id: "P1", ours: "monthly on the 15th, " + strconv.Itoa(n) + " dates", against: peerCron,
				goal: faster(200), possible: "1,080×",
				note:  "cannot clamp, so both sides list the 15th",
				ready: fifteenth.readyCron(n, "0 0 15 * *", oursDays, cronDays)},
			row{id: "P1", ours: what + ", into a slice", against: "limit: bare loop by division", goal: within(3), possible: "1.0–1.4×",
				ready: monthly.readyTime(n, oursSlice, bareMonthly)},
		)
	}
	rows = append(rows, row{id: "P1", ours: "monthly, 1,000 dates", against: "allocations", goal: allocs(2, "a walk"), possible: "0 a date",
		count: walkAllocated})

	for _, c := range []struct {
		name string
		grid grid
		n    int
	}{
		{"daily", grid{datesFrom, calendar.UnitDay, 1}, datesDaily},
		{"every third day", grid{datesFrom, calendar.UnitDay, 3}, datesDaily},
		{"weekly", grid{datesFrom, calendar.UnitWeek, 1}, datesWeekly},
	} {
		rows = append(rows,
			row{id: "P2", ours: c.name + ", civil dates", against: peerRule, goal: faster(10), possible: "14–60×",
				ready: c.grid.ready(c.n, oursCivil, ruleCivil)},
			row{id: "P2", ours: c.name + ", day numbers", against: peerRule, goal: faster(50), possible: "178×",
				ready: c.grid.ready(c.n, oursDays, ruleDays)},
		)
	}
	daily := grid{datesFrom, calendar.UnitDay, 1}
	return append(rows, row{id: "P2", ours: "daily, civil dates", against: peerCron, goal: faster(100), possible: "285×",
		ready: daily.readyCron(datesDaily, "0 0 * * *", oursCivil, cronCivil)})
}

// Sides that list dates answer with the sum of their day numbers, 0001-01-01 being 0, or
// of their civil forms. The peers have no day numbers; they add seconds, which costs them
// nothing, and the sum is converted once.

const (
	secondsPerDay = 24 * 60 * 60
	unixDay       = 719_162 // days from 0001-01-01 to 1970-01-01
)

// dayNumbers turns a sum of n times in Unix seconds into one of day numbers.
func dayNumbers(seconds int64, n int) uint64 {
	return uint64(seconds/secondsPerDay) + uint64(n)*unixDay
}

// civil packs the parts of a date into a number.
func civil(year int, month time.Month, day int) uint64 {
	return uint64(year)<<9 | uint64(month)<<5 | uint64(day)
}

func midnight(date string) time.Time {
	return must(time.Parse(time.DateOnly, date))
}

// A grid is what all sides are built from.
type grid struct {
	start    string
	unit     calendar.Unit
	interval int
}

func (g grid) schedule() calendar.Schedule {
	return must(calendar.NewSchedule(calendar.MustParse(g.start), g.unit, g.interval, calendar.MonthEndClamp))
}

// rule is the grid for rrule-go. It clamps by taking the last of the days 28 to 31 that
// a month has; that is needed, and paid for, only after the 28th.
func (g grid) rule() *rrule.RRule {
	o := rrule.ROption{Dtstart: midnight(g.start), Interval: g.interval}
	switch g.unit {
	case calendar.UnitDay:
		o.Freq = rrule.DAILY
	case calendar.UnitWeek:
		o.Freq = rrule.WEEKLY
	default:
		o.Freq = rrule.MONTHLY
		if day := o.Dtstart.Day(); day > 28 {
			for d := 28; d <= day; d++ {
				o.Bymonthday = append(o.Bymonthday, d)
			}
			o.Bysetpos = []int{-1}
		}
	}
	return must(rrule.NewRRule(o))
}

// oursDays lists n dates as day numbers.
func oursDays(s calendar.Schedule, n int) side {
	return side{n, func() uint64 { return walk(s, n) }}
}

func walk(s calendar.Schedule, n int) (sum uint64) {
	epoch := calendar.MinDate()
	for k, d := range s.From(0) {
		sum += uint64(d.Sub(epoch))
		if k == n-1 {
			break
		}
	}
	return sum
}

// oursCivil lists n dates as year, month and day.
func oursCivil(s calendar.Schedule, n int) side {
	return side{n, func() (sum uint64) {
		for k, d := range s.From(0) {
			sum += civil(d.Date())
			if k == n-1 {
				break
			}
		}
		return sum
	}}
}

func ruleDays(r *rrule.RRule, n int) side {
	return side{n, func() uint64 {
		var seconds int64
		next := r.Iterator()
		for range n {
			t, _ := next()
			seconds += t.Unix()
		}
		return dayNumbers(seconds, n)
	}}
}

func ruleCivil(r *rrule.RRule, n int) side {
	return side{n, func() (sum uint64) {
		next := r.Iterator()
		for range n {
			t, _ := next()
			sum += civil(t.Date())
		}
		return sum
	}}
}

// cronDays asks for n dates from the start on: Next is strictly after its argument.
func cronDays(s cron.Schedule, start time.Time, n int) side {
	return side{n, func() uint64 {
		var seconds int64
		t := start.Add(-time.Second)
		for range n {
			t = s.Next(t)
			seconds += t.Unix()
		}
		return dayNumbers(seconds, n)
	}}
}

func cronCivil(s cron.Schedule, start time.Time, n int) side {
	return side{n, func() (sum uint64) {
		t := start.Add(-time.Second)
		for range n {
			t = s.Next(t)
			sum += civil(t.Date())
		}
		return sum
	}}
}

// clamped is month k after the start's in package time: the first of the month, its last
// day, and the lesser of that and the day that is wanted.
func clamped(year int, month time.Month, day, k int) time.Time {
	first := time.Date(year, month+time.Month(k), 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(first.Year(), first.Month()+1, 0, 0, 0, 0, 0, time.UTC)
	return time.Date(first.Year(), first.Month(), min(day, last.Day()), 0, 0, 0, 0, time.UTC)
}

func timeMonthly(start time.Time, n int) side {
	year, month, day := start.Date()
	return side{n, func() uint64 {
		var seconds int64
		for k := range n {
			seconds += clamped(year, month, day, k).Unix()
		}
		return dayNumbers(seconds, n)
	}}
}

// oursSlice is the public iterator writing into a slice, for the limit below.
func oursSlice(s calendar.Schedule, n int) side {
	out := make([]calendar.Date, n)
	return side{n, func() uint64 {
		for k, d := range s.From(0) {
			out[k] = d
			if k == n-1 {
				break
			}
		}
		return uint64(out[0].Sub(calendar.MinDate()) + out[n/2].Sub(out[0]) + out[n-1].Sub(out[0]))
	}}
}

// bareMonthly is the limit: a loop that divides month numbers and writes day numbers into
// a slice, with no calendar around it.
func bareMonthly(start time.Time, n int) side {
	out := make([]int32, n)
	year, month, day := start.Date()
	// Months are counted from March of the year 0, so that the leap day comes last.
	begin, wanted := uint32(12*year+int(month)-3), int32(day)
	return side{n, func() uint64 {
		for k := range out {
			i := begin + uint32(k)
			y, m := i/12, i%12
			century := y / 100
			first := int32(365*y+y/4-century+century/4+(153*m+2)/5) - 306
			out[k] = first + min(wanted, bareLength(y, m)) - 1
		}
		return uint64(out[0]) + uint64(out[n/2]-out[0]) + uint64(out[n-1]-out[0])
	}}
}

// bareLength is the length of month m, from March, of a year that begins in March.
func bareLength(y, m uint32) int32 {
	if m != 11 {
		return 31 - int32(m%5&1)
	}
	y++
	if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		return 29
	}
	return 28
}

// walkAllocated is what a walk of 1,000 dates allocates as a whole.
func walkAllocated() float64 {
	const n = 1_000
	return n * allocated(oursDays(grid{datesFrom, calendar.UnitMonth, 1}.schedule(), n))
}

// ready makes a contest of two sides that need the schedule and the rule of a grid.
func (g grid) ready(n int, ours func(calendar.Schedule, int) side, theirs func(*rrule.RRule, int) side) func() contest {
	return func() contest { return contest{ours: ours(g.schedule(), n), theirs: theirs(g.rule(), n)} }
}

// readyTime is ready for a peer that needs the first date only.
func (g grid) readyTime(n int, ours func(calendar.Schedule, int) side, theirs func(time.Time, int) side) func() contest {
	return func() contest { return contest{ours: ours(g.schedule(), n), theirs: theirs(midnight(g.start), n)} }
}

// readyCron is ready for a line of a crontab.
func (g grid) readyCron(n int, line string, ours func(calendar.Schedule, int) side, theirs func(cron.Schedule, time.Time, int) side) func() contest {
	return func() contest {
		return contest{ours: ours(g.schedule(), n), theirs: theirs(must(cron.ParseStandard(line)), midnight(g.start), n)}
	}
}
