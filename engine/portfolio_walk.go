package engine

import (
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

// A waiting is a chain and the next day on which it has charges. Lists of them are linked by their
// numbers, from 1 on.
type waiting struct {
	chain    walker
	date     calendar.Date
	currency int // its place in order
	next     int
}

// blockDays is how many days are looked at together. Chains whose next day is later wait for the
// block after it.
const blockDays = 1024

// An agenda has the chains of a portfolio by the day on which they have charges next.
type agenda struct {
	chains []waiting
	base   calendar.Date  // the first day of the block
	days   [blockDays]int // the chains of each day of it
	later  int            // the others
	left   int            // how many chains have charges left
}

func (p *Portfolio) agenda(currencies []string) *agenda {
	a := &agenda{base: p.scope.Window.First()}
	for i, currency := range currencies {
		b := p.books[currency]
		for s, of := range b.known {
			for _, c := range chainsOf(p.lanes, s, of) {
				a.enter(i, c)
			}
		}
		for s, of := range b.random {
			for _, c := range chainsOf(p.lanes, s, of) {
				a.enter(i, c)
			}
		}
	}
	return a
}

func (a *agenda) enter(currency int, c walker) {
	a.chains = append(a.chains, waiting{chain: c, currency: currency})
	a.left++
	a.advance(len(a.chains))
}

// advance puts a chain on the list of its next day.
func (a *agenda) advance(number int) {
	c := &a.chains[number-1]
	d, ok := c.chain.next()
	if !ok {
		a.left--
		return
	}
	c.date = d
	a.wait(number)
}

func (a *agenda) wait(number int) {
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
					touched = append(touched, c.currency)
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
