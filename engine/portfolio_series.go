package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// A shape is what charges have in common whose sums are kept together. Scales are part of it: the
// text of a sum has the decimals of the charges in it, and of no others.
type shape struct {
	step  int32         // days or months from one charge of a run to the next
	draws uint32        // the number of the range in Portfolio.ranges, where draws are kept; else 0
	unit  calendar.Unit // UnitDay or UnitMonth; UnitNone for single charges, which make no run
	day   uint8         // months: the day of the month from which the run is counted
	part  part
	low   uint8 // the decimals of the lower bound of the amounts
	high  uint8 // … and of the upper one
	grid  uint8 // … and of the drawn amounts; 0 for known amounts

	isRandom bool // the cells are of random amounts
}

// A part of the charges of a total.
type part uint8

const (
	partApproved part = iota
	partExpired       // approved, after the expiry of the card
	partDeclined
	parts
)

// A series holds the charges of one shape as changes: each day has the charges that were there one
// step before, with those that begin on the day and without those that ended before it. A profile
// is two changes at most, however long it runs.
type series[C any] struct {
	index map[change]int32
	cells []C
	days  dayIndex
}

// A change is a position and whether runs begin at it or have ended before it. Positions are days
// or months since the beginning of the calendar.
type change int32

func beginAt(position int32) change { return change(position << 1) }

func endAt(position int32) change { return change(position<<1 | 1) }

func (c change) position() int32 { return int32(c >> 1) }

func (c change) ends() bool { return c&1 != 0 }

// place returns the place of the cell of a change.
func (s *series[C]) place(c change) int32 {
	i, ok := s.index[c]
	if !ok {
		if s.index == nil {
			s.index = map[change]int32{}
		}
		i = int32(len(s.cells))
		s.index[c] = i
		s.cells = append(s.cells, *new(C))
	}
	return i
}

// at returns the cell of a change, until another one is made.
func (s *series[C]) at(c change) *C { return &s.cells[s.place(c)] }

// find returns the cell of a change, or nil; s may be nil.
func (s *series[C]) find(c change) *C {
	if s == nil {
		return nil
	}
	if i, ok := s.index[c]; ok {
		return &s.cells[i]
	}
	return nil
}

// changes returns the changes in order of position.
func (s *series[C]) changes() []change {
	list := make([]change, 0, len(s.index))
	for c := range s.index {
		list = append(list, c)
	}
	slices.Sort(list)
	return list
}

// A group is the series of one currency with one kind of cells.
type group[C any] map[shape]*series[C]

func (g group[C]) of(s shape) *series[C] {
	of := g[s]
	if of == nil {
		of = new(series[C])
		g[s] = of
	}
	return of
}

// A book is all the charges of one currency.
type book struct {
	known  group[known]
	random group[random]
}

func newBook() *book { return &book{group[known]{}, group[random]{}} }

// lanes translate between dates and positions. A lane of months is the monthly dates of one day of
// the month, from the first month of the calendar on, so that equal months of all profiles with
// that day have one position, whatever the profile's start and interval.
type lanes struct {
	months  [32]calendar.Schedule // by the day of the month
	skipped bool                  // months without the day have no charge
	last    [32]int32             // by the day of the month: the last position in the window; 0 for days
}

func newLanes(end calendar.MonthEnd, last calendar.Date) *lanes {
	l := &lanes{skipped: end == calendar.MonthEndSkip}
	if l.skipped {
		end = calendar.MonthEndClamp // the dates that exist are the same
	}
	l.last[0] = int32(last.Sub(calendar.First()))
	for day := 1; day < len(l.months); day++ {
		first := calendar.First().AddDays(day - 1)
		l.months[day], _ = calendar.NewSchedule(first, calendar.UnitMonth, 1, end)
		k, on := l.months[day].Index(last)
		if !on {
			k--
		}
		l.last[day] = int32(k)
	}
	return l
}

// position returns where a date of a shape is.
func (l *lanes) position(s shape, d calendar.Date) int32 {
	if s.unit != calendar.UnitMonth {
		return int32(d.Sub(calendar.First()))
	}
	k, _ := l.months[s.day].Index(d)
	return int32(k)
}

// date returns the day of a position; none where the month lacks it and the policy skips that.
func (l *lanes) date(s shape, position int32) (calendar.Date, bool) {
	if s.unit != calendar.UnitMonth {
		return calendar.First().AddDays(int(position)), true
	}
	d, ok := l.months[s.day].At(int(position))
	if l.skipped && s.day > 28 {
		_, _, day := d.Date()
		ok = ok && day == int(s.day)
	}
	return d, ok
}

// lastOf returns the last position of a shape in the window.
func (l *lanes) lastOf(s shape) int32 { return l.last[s.day] }

// room returns how many positions a change affects: those from it to the end of the window.
func (l *lanes) room(s shape, c change) uint64 {
	if s.unit == calendar.UnitNone {
		return 1
	}
	return uint64((l.lastOf(s)-c.position())/s.step) + 1
}
