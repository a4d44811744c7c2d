package engine

import (
	"container/heap"
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// A chain is one series' charges that follow each other step by step, from change to change.
type chain[C any, P cell[C]] struct {
	lanes   *lanes
	shape   shape
	series  *series[C]
	changes []change // those to come
	at      int32    // the position
	run     C        // the charges there
}

// next moves to the next position with charges and reports whether there is one.
func (c *chain[C, P]) next() (calendar.Date, bool) {
	for c.step() {
		if d, ok := c.lanes.date(c.shape, c.at); ok && P(&c.run).charges() > 0 {
			return d, true
		}
	}
	return calendar.Date{}, false
}

// step moves to the next position that may have charges.
func (c *chain[C, P]) step() bool {
	c.at += c.shape.step
	if P(&c.run).charges() == 0 || c.shape.unit == calendar.UnitNone {
		if len(c.changes) == 0 {
			return false
		}
		c.at, c.run = c.changes[0].position(), *new(C)
	}
	for len(c.changes) > 0 && c.changes[0].position() == c.at {
		c.apply(c.changes[0])
		c.changes = c.changes[1:]
	}
	return c.at <= c.lanes.lastOf(c.shape)
}

// apply adds or takes out the charges of a change. It reports whether they could be taken out.
func (c *chain[C, P]) apply(ch change) bool {
	cell := c.series.find(ch)
	if ch.ends() {
		return P(&c.run).sub(cell)
	}
	P(&c.run).add(cell)
	return true
}

// chainsOf splits the changes of a series into chains.
func chainsOf[C any, P cell[C]](l *lanes, s shape, of *series[C]) []*chain[C, P] {
	changes := of.changes()
	if s.unit != calendar.UnitNone {
		slices.SortStableFunc(changes, func(a, b change) int { return int(a.position()%s.step - b.position()%s.step) })
	}
	var list []*chain[C, P]
	for i := 0; i < len(changes); {
		j := i + 1
		for j < len(changes) && (s.unit == calendar.UnitNone || (changes[j].position()-changes[i].position())%s.step == 0) {
			j++
		}
		list = append(list, &chain[C, P]{lanes: l, shape: s, series: of, changes: changes[i:j]})
		i = j
	}
	return list
}

func (c *chain[C, P]) addTo(t *tally) { P(&c.run).addTo(t, c.shape) }

// A walker is a chain of either kind of cells.
type walker interface {
	next() (calendar.Date, bool)
	addTo(t *tally)
}

// A visit is the next day of a chain.
type visit struct {
	date     calendar.Date
	currency int // its place in order
	chain    walker
}

// visits are a heap: the first in order of date, then currency, is the next one.
type visits []visit

func (v visits) Len() int { return len(v) }

func (v visits) Less(i, j int) bool {
	if v[i].date != v[j].date {
		return v[i].date.Before(v[j].date)
	}
	return v[i].currency < v[j].currency
}

func (v visits) Swap(i, j int) { v[i], v[j] = v[j], v[i] }

// Push and Pop are for package heap.
func (v *visits) Push(x any) { *v = append(*v, x.(visit)) }

func (v *visits) Pop() any {
	last := len(*v) - 1
	x := (*v)[last]
	*v = (*v)[:last]
	return x
}

// enter adds a chain, if it has charges.
func (v *visits) enter(currency int, c walker) {
	if d, ok := c.next(); ok {
		*v = append(*v, visit{d, currency, c})
	}
}

// visitsOf returns the first day of each chain.
func (p *Portfolio) visitsOf(currencies []string) visits {
	var v visits
	for i, currency := range currencies {
		b := p.books[currency]
		for s, of := range b.known {
			for _, c := range chainsOf(p.lanes, s, of) {
				v.enter(i, c)
			}
		}
		for s, of := range b.random {
			for _, c := range chainsOf(p.lanes, s, of) {
				v.enter(i, c)
			}
		}
	}
	heap.Init(&v)
	return v
}

// days yields what each day and currency comes to, in order, and reports whether yield took it all.
// A tally is good until yield returns.
func (p *Portfolio) days(currencies []string, yield func(d calendar.Date, currency int, t *tally) bool) bool {
	v := p.visitsOf(currencies)
	for len(v) > 0 {
		var t tally
		d, currency := v[0].date, v[0].currency
		for len(v) > 0 && v[0].date == d && v[0].currency == currency {
			v[0].chain.addTo(&t)
			if next, ok := v[0].chain.next(); ok {
				v[0].date = next
				heap.Fix(&v, 0)
			} else {
				heap.Pop(&v)
			}
		}
		if !yield(d, currency, &t) {
			return false
		}
	}
	return true
}
