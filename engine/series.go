package engine

import (
	"math"
	"math/bits"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A dateIndex maps dates of a window to the indexes of an array: one for each day, or one for each
// month where all dates are on one day of the month. So the charges of a profile by months are
// whole steps apart, and all profiles with that day share the indexes, whatever their start and
// interval.
type dateIndex struct {
	monthDay uint8 // 0 for all days
	skip     bool  // months that lack the day have no date
	grid     calendar.Schedule
	first    int   // the number in grid of the first date in the window
	size     int32 // the dates in the window
	begin    calendar.Date
}

func newDateIndex(monthDay int, w calendar.Window, end calendar.MonthEnd) dateIndex {
	x := dateIndex{monthDay: uint8(monthDay), begin: w.From}
	if monthDay == 0 {
		if !w.IsEmpty() {
			x.size = int32(w.Last().Sub(x.begin)) + 1
		}
		return x
	}
	if x.skip = end == calendar.MonthEndSkip && monthDay > 28; x.skip {
		end = calendar.MonthEndClamp // the dates that exist are the same
	}
	x.grid, _ = calendar.NewSchedule(calendar.MinDate().AddDays(monthDay-1), calendar.UnitMonth, 1, end)
	x.first, _ = x.grid.Index(x.begin)
	x.size = int32(x.grid.Count(w))
	return x
}

// position returns the index of a date.
func (x *dateIndex) position(d calendar.Date) int32 {
	if x.monthDay == 0 {
		return int32(d.Sub(x.begin))
	}
	k, _ := x.grid.Index(d)
	return int32(k - x.first)
}

// day returns how many days after the window's first the date of an index is, and false if it has
// none.
func (x *dateIndex) day(position int32) (days int, ok bool) {
	if x.monthDay == 0 {
		return int(position), true
	}
	d, _ := x.grid.At(x.first + int(position))
	if x.skip {
		if _, _, day := d.Date(); day != int(x.monthDay) {
			return 0, false
		}
	}
	return d.Sub(x.begin), true
}

// A seriesKey is what the charges of a [series] have in common. Scales are part of it: the text of
// a sum has the decimals of the charges in it, and of no others.
type seriesKey struct {
	currency           string
	part               part
	minScale, maxScale uint8
	// values is how many values, 10^-minScale apart, the amounts are drawn from, in a series that
	// counts draws; 0 in one of sums.
	values   uint64
	monthDay uint8          // the dateIndex
	step     int32          // of runs of charges, from one to the next; 0 for single charges
	because  ledger.Because // where that is kept
}

// setStep makes k the key of runs of charges on the due days of a grid.
func (k *seriesKey) setStep(grid *calendar.Schedule) {
	k.step = int32(min(grid.Interval(), math.MaxInt32/7))
	switch grid.Unit() {
	case calendar.UnitMonth:
		_, _, day := grid.Start().Date()
		k.monthDay = uint8(day)
	case calendar.UnitWeek:
		k.step *= 7
	}
}

// A part of the charges of a total.
type part uint8

const (
	partApproved part = iota
	partExpired       // approved, after the expiry of the card
	partDeclined
)

// A cell is a number of charges and the sums of their least and greatest amounts. All numbers wrap
// around, so that a cell can also be a difference.
type cell struct {
	n        uint64
	min, max wide
}

// A wide is a number of 128 bits. Fewer than 2^64 amounts below 2^63 stay below 2^127.
type wide struct{ hi, lo uint64 }

func (w *wide) add(o wide) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, o.lo, 0)
	w.hi += o.hi + carry
}

func (w wide) times(n uint64) wide {
	hi, lo := bits.Mul64(w.lo, n)
	return wide{hi + w.hi*n, lo}
}

func (c *cell) add(o *cell) {
	c.n += o.n
	c.min.add(o.min)
	c.max.add(o.max)
}

func (c *cell) times(n uint64) cell { return cell{c.n * n, c.min.times(n), c.max.times(n)} }

// addTimes adds n charges, which may be below 0.
func (c *cell) addTimes(low, high amount.Amount, n int64) {
	c.n += uint64(n)
	c.min.add(timesOf(low, n))
	c.max.add(timesOf(high, n))
}

func timesOf(a amount.Amount, n int64) wide {
	hi, lo := bits.Mul64(uint64(a.Coefficient()), uint64(n))
	if n < 0 {
		hi -= uint64(a.Coefficient())
	}
	return wide{hi, lo}
}

// A series is an array of the charges with one key. With step 0 a cell is the charges of its day.
// Otherwise it is a difference array: a cell has the charges that begin on its day less those that
// have ended, and the charges of a day are the cell and all cells that are whole steps before it.
// So a run of charges is at most two changes, however long it is.
type series struct {
	key    seriesKey
	size   int32
	sparse map[int32]*cell
	dense  []*cell // in its place once many are used
}

// of returns the series of a key.
func (b *Book) of(key *seriesKey) *series {
	if b.last != nil && b.last.key == *key {
		return b.last
	}
	of := b.series[*key]
	if of == nil {
		of = &series{key: *key, size: b.indexes[key.monthDay].size, sparse: map[int32]*cell{}}
		of.key.currency = strings.Clone(key.currency) // which may be a part of a long text
		b.series[of.key] = of
	}
	b.last = of
	return of
}

// at returns the cell of a position.
func (s *series) at(position int32) *cell {
	if int(position) < len(s.dense) && s.dense[position] != nil {
		return s.dense[position]
	}
	return s.find(position)
}

// find is at for a cell that is not in the dense table. Apart from it, at is small enough to be
// inlined.
//
//go:noinline
func (s *series) find(position int32) *cell {
	c := s.sparse[position]
	if c != nil {
		return c
	}
	c = new(cell)
	if s.dense == nil && len(s.sparse) < int(s.size)/8 {
		s.sparse[position] = c
		return c
	}
	if s.dense == nil {
		s.dense = make([]*cell, s.size)
		for i, c := range s.sparse {
			s.dense[i] = c
		}
		s.sparse = nil
	}
	s.dense[position] = c
	return c
}

// A change is a cell that is not zero, and its position.
type change struct {
	at int32
	cell
}

// changes returns all changes, in no order.
func (s *series) changes() (list []change) {
	add := func(at int32, c *cell) {
		if c != nil && *c != (cell{}) {
			list = append(list, change{at, *c})
		}
	}
	for at, c := range s.sparse {
		add(at, c)
	}
	for at, c := range s.dense {
		add(int32(at), c)
	}
	return list
}
