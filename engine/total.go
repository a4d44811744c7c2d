package engine

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Total is what the charges of one currency in one period add up to.
type Total struct {
	// Period is the first day of the period, as [By.Period] returns it.
	Period   calendar.Date
	Currency string
	amount.Tally
	Because ledger.Because // what the charges depend on, where that is kept
}

// Equal reports whether two totals are the same as written.
func (t Total) Equal(o Total) bool {
	return t.Period == o.Period && t.Currency == o.Currency && t.Tally.Equal(o.Tally) && t.Because == o.Because
}

// A run is the charges of a series whose positions are whole steps apart, from the first position
// on that is not counted yet.
type run struct {
	key      *seriesKey
	index    *dateIndex
	currency int      // its place in order
	changes  []change // after at
	now      cell     // the charges at each position up to the next change
	at       int32
	day      int // of at, counted from the window's first; noDay at the end
}

const noDay = math.MaxInt

// runs returns all runs at their first days. Those of draws are in the order of
// [amount.Total.Draws].
func (b *Book) runs(currencies []string) (runs []*run) {
	for _, s := range b.series {
		track := func(c change) int32 { return c.at % max(1, s.key.step) } // one for single charges
		list := s.changes()
		slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(track(a), track(b)), cmp.Compare(a.at, b.at)) })
		currency, _ := slices.BinarySearch(currencies, s.key.currency)
		for len(list) > 0 {
			n := 1
			for n < len(list) && track(list[n]) == track(list[0]) {
				n++
			}
			r := &run{key: &s.key, index: &b.indexes[s.key.monthDay], currency: currency, changes: list[:n]}
			r.next()
			runs = append(runs, r)
			list = list[n:]
		}
	}
	slices.SortFunc(runs, func(a, b *run) int {
		return cmp.Or(cmp.Compare(a.key.minScale, b.key.minScale), cmp.Compare(a.key.values, b.key.values))
	})
	return runs
}

// next moves to the next position with charges.
func (r *run) next() {
	for {
		r.at += r.key.step
		if r.now == (cell{}) || r.key.step == 0 {
			if len(r.changes) == 0 {
				r.day = noDay
				return
			}
			r.at, r.now = r.changes[0].at, cell{}
		}
		for len(r.changes) > 0 && r.changes[0].at == r.at {
			r.now.add(&r.changes[0].cell)
			r.changes = r.changes[1:]
		}
		if r.at >= r.index.size {
			r.day = noDay
			return
		}
		if r.now != (cell{}) {
			var ok bool
			if r.day, ok = r.index.day(r.at); ok {
				return
			}
		}
	}
}

// alike returns how many positions before a day have the same charges as the one at hand. Where the
// index has months it is 1.
func (r *run) alike(end int) uint64 {
	if r.key.monthDay != 0 || r.key.step == 0 {
		return 1
	}
	last := min(end, int(r.index.size))
	if len(r.changes) > 0 {
		last = min(last, int(r.changes[0].at))
	}
	step := int(r.key.step)
	return uint64((last - int(r.at) + step - 1) / step)
}

// skip moves on by n positions, which are alike.
func (r *run) skip(n uint64) {
	r.at += r.key.step * int32(n-1)
	r.next()
}

// A row is a total that is being added up, with its draws by part.
type row struct {
	Total
	draws [partDeclined + 1][]amount.Draws
}

// mostRows is about how many rows, and draws in them, are made at once.
const mostRows = 4096

// totals yields the totals by period.
func (b *Book) totals(by By, yield func(Total) bool) {
	if by.Period(calendar.MinDate()).IsZero() || len(b.series) == 0 {
		return
	}
	names, perRow := map[string]bool{}, 1
	for key := range b.series {
		names[key.currency] = true
		if key.values > 0 {
			perRow++
		}
	}
	currencies := slices.Sorted(maps.Keys(names))
	runs := b.runs(currencies)
	if by == ByWeekday {
		b.weekdays(runs, currencies, yield)
		return
	}
	rows := make([]row, max(1, mostRows/perRow/len(currencies))*len(currencies))
	for {
		first := noDay
		for _, r := range runs {
			first = min(first, r.day)
		}
		if first == noDay {
			return
		}
		ends := b.periods(by, first, len(rows)/len(currencies))
		for _, r := range runs {
			for i := 0; r.day < ends[len(ends)-1]; {
				if r.day >= ends[i] {
					i += sort.SearchInts(ends[i:], r.day+1)
				}
				n := r.alike(ends[i])
				rows[i*len(currencies)+r.currency].count(r.key, r.now.times(n))
				r.skip(n)
			}
		}
		runs = slices.DeleteFunc(runs, func(r *run) bool { return r.day == noDay })
		for i, end := range ends {
			period := by.Period(b.scope.Window.From.AddDays(end - 1))
			if !yieldRows(rows[i*len(currencies):][:len(currencies)], period, currencies, yield) {
				return
			}
		}
	}
}

// periods returns the ends of at most n periods from the one of a day on, as days after the
// window's first: the days before the first end are in the first period.
func (b *Book) periods(by By, day, n int) []int {
	ends := make([]int, 0, n)
	from := b.scope.Window.From
	d := by.Period(from.AddDays(day))
	for len(ends) < n {
		switch by {
		case ByDay:
			d = d.AddDays(1)
		case ByWeek:
			d = d.AddDays(7)
		case ByMonth:
			d = d.AddMonths(1)
		default:
			d = d.AddMonths(3)
		}
		if !d.IsDay() { // the last period of the calendar
			return append(ends, calendar.MaxDate().Sub(from)+1)
		}
		ends = append(ends, d.Sub(from))
	}
	return ends
}

// weekdays yields the totals by weekday.
func (b *Book) weekdays(runs []*run, currencies []string, yield func(Total) bool) {
	const week = 7
	first := ByWeekday.Period(b.scope.Window.From).Sub(calendar.MinDate())
	rows := make([]row, week*len(currencies))
	for _, r := range runs {
		for r.day < noDay {
			n := r.alike(noDay)
			for i := range min(n, week) { // every seventh of them is on one weekday
				weekday := (first + r.day + int(i)*int(r.key.step)) % week
				rows[weekday*len(currencies)+r.currency].count(r.key, r.now.times((n-i+week-1)/week))
			}
			r.skip(n)
		}
	}
	for weekday := range week {
		if !yieldRows(rows[weekday*len(currencies):][:len(currencies)], calendar.MinDate().AddDays(weekday), currencies, yield) {
			return
		}
	}
}

// yieldRows yields the totals of a period that have a charge, and clears the rows.
func yieldRows(rows []row, period calendar.Date, currencies []string, yield func(Total) bool) bool {
	for i := range rows {
		r := &rows[i]
		if r.IsZero() {
			continue
		}
		t := r.Total
		t.Period, t.Currency = period, currencies[i]
		t.Tally.Total.AddDraws(r.draws[partApproved]...)
		t.Tally.Total.AddDraws(r.draws[partExpired]...)
		t.CardExpired.AddDraws(r.draws[partExpired]...)
		t.Declined.AddDraws(r.draws[partDeclined]...)
		r.Total = Total{}
		for part := range r.draws {
			r.draws[part] = r.draws[part][:0]
		}
		if !yield(t) {
			return false
		}
	}
	return true
}

// count adds the charges of a series.
func (r *row) count(key *seriesKey, c cell) {
	if key.values > 0 {
		r.draws[key.part] = append(r.draws[key.part], amount.Draws{Values: key.values, Scale: int(key.minScale), Charges: c.n})
		return
	}
	of := amount.Total{Charges: c.n}
	of.Min, _ = amount.SumFromMinor(c.min.hi, c.min.lo, int(key.minScale))
	of.Max, _ = amount.SumFromMinor(c.max.hi, c.max.lo, int(key.maxScale))
	switch key.part {
	case partDeclined:
		r.Declined.Merge(of)
	case partExpired:
		r.CardExpired.Merge(of)
		fallthrough
	default:
		r.Tally.Total.Merge(of)
	}
	r.Because = r.Because.And(key.because)
}
