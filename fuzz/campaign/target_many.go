package campaign

import (
	"fmt"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// cases is how many cases the targets of many cases make of each input. The engine takes longer for
// an input than a date or an amount does, so they judge a hundred times as many cases a second as a
// target of one case.
const cases = 256

// manyTargets are the targets that make many cases of an input. Their oracles only add and compare:
// they are as quick as what they judge.
func manyTargets() []Target {
	return []Target{
		{"FuzzDates_Number_Steps", tryDates, slices.Concat(byteSeeds(),
			chosen("C26: weekly, to the end of the calendar", 1, 0, 0, uint64(calendar.MonthEndClamp), uint64(oracle.Last-oracle.First-4)),
			chosen("C11: yearly on 29 February, skipped", 2, 11, 11, uint64(calendar.MonthEndSkip), uint64(oracle.DayOf(2004, 2, 1)-oracle.First), 99, 0),
		), nil},
		{"FuzzAmounts_Add_Digits", tryAmounts, byteSeeds(), nil},
	}
}

// tryDates makes series of dates of an input and steps through the first dates of each: the number of
// each date, the dates up to it, and what lies between it and the date before are what the steps say
// (C08, C09, C10, C11, C21, C23).
func tryDates(data []byte) {
	const series = 16
	r := chooser(data)
	for range series {
		s := newSteps(r)
		grid, err := calendar.NewSchedule(gen.DateNumbered(s.day), s.unit, s.interval, s.end)
		if err != nil {
			panic(fmt.Sprintf("C32: a series is refused: %v", err))
		}
		s.hold(grid, cases/series)
	}
}

// steps are a series that is gone through date by date, by adding days and months alone.
type steps struct {
	unit     calendar.Unit
	interval int
	end      calendar.MonthEnd

	day         oracle.Day // of the date
	anchor      int64      // the day of the month that was asked for
	year, month int64      // whose turn it is
	first       oracle.Day // of that month
}

// newSteps chooses a series: each unit and month end, intervals that reach far and near, and starts
// at the ends of months and of the calendar.
func newSteps(r gen.Chooser) *steps {
	s := &steps{
		unit:     calendar.Unit(1 + r.Below(3)),
		interval: 1 + r.Below(1+r.Below(14)),
		end:      calendar.MonthEnd(r.Below(4)),
		day:      oracle.First + oracle.Day(r.Below(int(oracle.Last))),
	}
	c := oracle.At(s.day)
	s.year, s.month, s.first = c.Year, c.Month, s.day-oracle.Day(c.Date-1)
	if s.unit == calendar.UnitMonth && r.Chance(60) { // the days that some months lack
		c.Date = oracle.DaysIn(s.year, s.month) - int64(r.Below(3))
		s.day = s.first + oracle.Day(c.Date-1)
	}
	s.anchor = c.Date
	return s
}

// hold holds the first dates of a series to the steps.
func (s *steps) hold(grid calendar.Schedule, most int) {
	start := gen.DateNumbered(s.day)
	before, exists := calendar.Date{}, true
	for k := range most {
		date := gen.DateNumbered(s.day)
		if got, ok := grid.At(k); ok != exists || ok && got != date {
			panic(fmt.Sprintf("C09 C10 C11: date %d of %v is %v, %v; the steps lead to %v, %v", k, grid, got, ok, date, exists))
		}
		if !exists {
			if n := grid.Count(calendar.Window{From: start}); n != k || grid.Len() != k {
				panic(fmt.Sprintf("C26: %v has %d dates, counted %d; the steps make %d", grid, grid.Len(), n, k))
			}
			return
		}
		if number, on := grid.Index(date); number != k || !on {
			panic(fmt.Sprintf("C21: Index(%v) of %v is %d, %v; it is date %d", date, grid, number, on, k))
		}
		if n := grid.Count(calendar.Through(start, date)); n != k+1 {
			panic(fmt.Sprintf("C23: %v has %d dates up to %v; the steps make %d", grid, n, date, k+1))
		}
		if k > 0 {
			between := before.AddDays(1 + date.Sub(before)/2)
			if number, on := grid.Index(between); number != k || on != (between == date) {
				panic(fmt.Sprintf("C21: Index(%v) of %v is %d, %v; date %d is %v", between, grid, number, on, k, date))
			}
		}
		before, exists = date, s.next()
	}
}

// next steps to the next date; false past the calendar.
func (s *steps) next() bool {
	switch s.unit {
	case calendar.UnitDay:
		s.day += oracle.Day(s.interval)
	case calendar.UnitWeek:
		s.day += 7 * oracle.Day(s.interval)
	default:
		for s.turnMonth(); s.end == calendar.MonthEndSkip && s.anchor > oracle.DaysIn(s.year, s.month); {
			s.turnMonth()
		}
		s.day = s.first + oracle.Day(s.anchor-1)
		if length := oracle.DaysIn(s.year, s.month); s.anchor > length {
			switch s.end {
			case calendar.MonthEndClamp:
				s.day = s.first + oracle.Day(length-1)
			case calendar.MonthEndNextFirst:
				s.day = s.first + oracle.Day(length)
			}
		}
	}
	return s.day <= oracle.Last
}

// turnMonth goes on to the next month whose turn it is.
func (s *steps) turnMonth() {
	for range s.interval {
		s.first += oracle.Day(oracle.DaysIn(s.year, s.month))
		if s.month++; s.month > 12 {
			s.month = 1
			s.year++
		}
	}
}

// tryAmounts makes amounts of an input, writes them digit by digit, reads them, and adds them up in
// groups and by hand: the texts and the sum are the same (A01, A02, A04).
func tryAmounts(data []byte) {
	const group = 16
	r := chooser(data)
	var (
		by   columns
		text []byte
		ends [cases]int
	)
	for i := range ends {
		coefficient, at := r.Uint64()>>1, r.Uint64()
		text = by.write(text, coefficient>>(at%63), int(at>>8%(amount.MaxScale+1)))
		ends[i] = len(text)
	}
	all, begin := string(text), 0
	var sum, part amount.Sum
	for i, end := range ends {
		a, err := amount.Parse(all[begin:end])
		if text = a.Append(text[:0]); err != nil || string(text) != all[begin:end] {
			panic(fmt.Sprintf("A01 A02: %s is read as %s, %v", all[begin:end], text, err))
		}
		if part.Add(a); i%group == group-1 {
			sum.AddSum(part)
			part = amount.Sum{}
		}
		begin = end
	}
	if want := by.total(); string(sum.Append(text[:0])) != want {
		panic(fmt.Sprintf("A04: the sum is %v, by hand %s", sum, want))
	}
}

// columns are amounts below each other: the sum of the digits at each place, from 10^-MaxScale on, and
// the largest number of decimals.
type columns struct {
	places [48]uint16
	scale  int
}

// write writes an amount, and adds its digits to the columns.
func (c *columns) write(dst []byte, coefficient uint64, scale int) []byte {
	var reversed [32]byte
	n := 0
	for i := 0; i <= scale || coefficient > 0; i++ {
		if i == scale && i > 0 {
			reversed[n] = '.'
			n++
		}
		digit := coefficient % 10
		coefficient /= 10
		c.places[amount.MaxScale-scale+i] += uint16(digit)
		reversed[n] = '0' + byte(digit)
		n++
	}
	c.scale = max(c.scale, scale)
	for n > 0 {
		n--
		dst = append(dst, reversed[n])
	}
	return dst
}

// total is the sum of the columns, with the carries.
func (c *columns) total() string {
	first := amount.MaxScale - c.scale
	for i := range len(c.places) - 1 {
		c.places[i+1] += c.places[i] / 10
		c.places[i] %= 10
	}
	last := amount.MaxScale // the place of the ones
	for i, digit := range c.places {
		if digit > 0 && i > last {
			last = i
		}
	}
	var text []byte
	for i := last; i >= first; i-- {
		if text = append(text, '0'+byte(c.places[i])); i == amount.MaxScale && c.scale > 0 {
			text = append(text, '.')
		}
	}
	return string(text)
}
