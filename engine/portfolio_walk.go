package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// A course is a series with its changes in the order of its chains: those that are whole steps apart
// together, in order of position.
type course[C any, P cell[C]] struct {
	lanes   *lanes
	shape   shape
	series  *series[C]
	changes []change
}

// A chain is the charges of a course that follow each other step by step, from change to change.
type chain[C any, P cell[C]] struct {
	course   *course[C, P]
	from, to int32 // the changes to come
	at       int32 // the position
	run      C     // the charges there
}

// next moves to the next position with charges and reports whether there is one.
func (c *chain[C, P]) next() (calendar.Date, bool) {
	for c.step() {
		if d, ok := c.course.lanes.date(c.course.shape, c.at); ok && P(&c.run).charges() > 0 {
			return d, true
		}
	}
	return calendar.Date{}, false
}

// step moves to the next position that may have charges.
func (c *chain[C, P]) step() bool {
	s := &c.course.shape
	c.at += s.step
	if P(&c.run).charges() == 0 || s.unit == calendar.UnitNone {
		if c.from == c.to {
			return false
		}
		c.at, c.run = c.course.changes[c.from].position(), *new(C)
	}
	for c.from < c.to && c.course.changes[c.from].position() == c.at {
		c.change()
	}
	return c.at <= c.course.lanes.lastOf(*s)
}

// change applies the next change and reports whether the charges that end were there.
func (c *chain[C, P]) change() bool {
	ch := c.course.changes[c.from]
	c.from++
	cell := c.course.series.find(ch)
	if ch.ends() {
		return P(&c.run).sub(cell)
	}
	P(&c.run).add(cell)
	return true
}

// chainsOf splits the changes of a series into chains.
func chainsOf[C any, P cell[C]](l *lanes, s shape, of *series[C]) []chain[C, P] {
	c := &course[C, P]{l, s, of, of.changes()}
	all := int32(len(c.changes))
	if s.unit == calendar.UnitNone {
		return []chain[C, P]{{course: c, to: all}}
	}
	slices.SortStableFunc(c.changes, func(a, b change) int { return int(a.position()%s.step - b.position()%s.step) })
	starts := func(i int32) bool { return i == 0 || (c.changes[i].position()-c.changes[i-1].position())%s.step != 0 }
	n := 0
	for i := range all {
		if starts(i) {
			n++
		}
	}
	list := make([]chain[C, P], 0, n)
	for i := range all {
		if starts(i) {
			list = append(list, chain[C, P]{course: c, from: i})
		}
		list[len(list)-1].to = i + 1
	}
	return list
}

func (c *chain[C, P]) addTo(t *tally) { P(&c.run).addTo(t, c.course.shape) }

// A walker is a chain of either kind of cells.
type walker interface {
	next() (calendar.Date, bool)
	addTo(t *tally)
}

// A waiting is a chain and the next day on which it has charges. Lists of them are linked by their
// numbers, from 1 on.
type waiting struct {
	chain    walker
	date     calendar.Date
	currency int32 // its place in order
	next     int32
}

// blockDays is how many days are looked at together. Chains whose next day is later wait for the
// block after it.
const blockDays = 1024

// An agenda has the chains of a portfolio by the day on which they have charges next.
type agenda struct {
	chains []waiting
	base   calendar.Date    // the first day of the block
	days   [blockDays]int32 // the chains of each day of it
	later  int32            // the others
	left   int              // how many chains have charges left
}

func (p *Portfolio) agenda(currencies []string) *agenda {
	most := 0 // chains
	for _, b := range p.books {
		most += mostChains(b.known) + mostChains(b.random)
	}
	a := &agenda{base: p.scope.Window.First(), chains: make([]waiting, 0, most)}
	for i, currency := range currencies {
		b := p.books[currency]
		for s, of := range b.known {
			enter(a, i, chainsOf(p.lanes, s, of))
		}
		for s, of := range b.random {
			enter(a, i, chainsOf(p.lanes, s, of))
		}
	}
	return a
}

func mostChains[C any](g group[C]) int {
	n := 0
	for s, of := range g {
		if s.unit == calendar.UnitNone {
			n++
			continue
		}
		n += len(of.index)
	}
	return n
}

func enter[C any, P cell[C]](a *agenda, currency int, list []chain[C, P]) {
	for i := range list {
		a.chains = append(a.chains, waiting{chain: &list[i], currency: int32(currency)})
		a.left++
		a.advance(int32(len(a.chains)))
	}
}

// advance puts a chain on the list of its next day.
func (a *agenda) advance(number int32) {
	c := &a.chains[number-1]
	d, ok := c.chain.next()
	if !ok {
		a.left--
		return
	}
	c.date = d
	a.wait(number)
}

func (a *agenda) wait(number int32) {
	c := &a.chains[number-1]
	list := &a.later
	if i := c.date.Sub(a.base); i < blockDays {
		list = &a.days[i]
	}
	c.next, *list = *list, number
}

// turn goes to the next block.
func (a *agenda) turn() {
	a.base = a.base.AddDays(blockDays)
	list := a.later
	a.later = 0
	for list > 0 {
		next := a.chains[list-1].next
		a.wait(list)
		list = next
	}
}

// days yields what each day and currency comes to, in order, and reports whether yield took it all.
// A tally is good until yield returns.
func (p *Portfolio) days(currencies []string, yield func(d calendar.Date, currency int, t *tally) bool) bool {
	tallies := make([]tally, len(currencies))
	var touched []int // the currencies of the day
	for a := p.agenda(currencies); a.left > 0; a.turn() {
		for i := range a.days {
			list := a.days[i]
			if list == 0 {
				continue
			}
			a.days[i], touched = 0, touched[:0]
			for list > 0 {
				c := &a.chains[list-1]
				if t := &tallies[c.currency]; !t.used {
					t.used = true
					touched = append(touched, int(c.currency))
				}
				c.chain.addTo(&tallies[c.currency])
				number := list
				list = c.next
				a.advance(number)
			}
			slices.Sort(touched)
			for _, currency := range touched {
				if !yield(a.base.AddDays(i), currency, &tallies[currency]) {
					return false
				}
				tallies[currency] = tally{}
			}
		}
	}
	return true
}
