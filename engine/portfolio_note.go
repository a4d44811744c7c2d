package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// fewCharges is how many charges a profile may have in the window to be noted one by one: they need
// no series of their own, and cost about as much.
const fewCharges = 3

// A note is a cell to which n charges of each profile with some schedule are added. It stays true
// while the series exists.
type note[C any] struct {
	series *series[C]
	cell   int32
	n      uint64
}

// notes are what profiles change whose schedule is equal and whose amounts have one shape.
type notes struct {
	known    []note[known]
	random   []note[random]
	size     uint64    // how much they add to the size of the portfolio
	elements []element // of a short sequence, before its last element
}

// An element is one of the amounts of a sequence, by its index, and the cell of its charge.
type element struct {
	series *series[known]
	cell   int32
	index  int32
}

// fewElements is how many elements a sequence may have to be noted, so that notes stay small.
const fewElements = 8

func (n *notes) clear() {
	n.known, n.random, n.size, n.elements = n.known[:0], n.random[:0], 0, n.elements[:0]
}

// addFixed counts more profiles, each with a fixed amount: their number, and the sum of the amounts.
func (n *notes) addFixed(of *known) {
	if of.n == 0 {
		return
	}
	for _, to := range n.known {
		c := of.times(to.n)
		to.series.cells[to.cell].add(&c)
	}
}

// addTimes counts more profiles, all with the same range or sequence.
func (n *notes) addTimes(amounts amount.Choice, times uint64) {
	if times == 0 {
		return
	}
	for _, e := range n.elements {
		a, _ := amounts.Bounds(uint64(e.index))
		c := knownOf(a, times)
		e.series.cells[e.cell].add(&c)
	}
	n.add(amounts, times)
}

// add counts more profiles with the same amounts; of a sequence, with its last element alone.
func (n *notes) add(amounts amount.Choice, times uint64) {
	tail, _ := amounts.Bounds(uint64(amounts.Len()))
	n.addKnown(tail, times) // of a range where both bounds are one
	for _, to := range n.random {
		to.series.cells[to.cell].AddRun(amounts, 0, to.n*times)
	}
}

func (n *notes) addKnown(a amount.Amount, times uint64) {
	of := knownOf(a, times)
	n.addFixed(&of)
}

// addPlan counts the charges of a plan that are dated in the window. Its notes are those of
// p.scratch, but for the elements of a long sequence.
func (p *Portfolio) addPlan(plan *Plan) error {
	p.scratch.clear()
	from, to := plan.ordinals(p.scope.Window)
	if from == to {
		return nil
	}
	if err := p.checkRoom(); err != nil {
		return err
	}
	b := p.book(plan.profile.Currency)
	if q := plan.profile.Amounts; q.Kind() == amount.KindSequence {
		from = p.addElements(b, plan, q, from, to)
	}
	s := p.shapeOf(plan.profile.Amounts)
	valid := plan.withCard(from, to)
	p.note(b, s, plan, from, valid)
	s.part = partExpired
	p.note(b, s, plan, valid, to)
	p.size += p.scratch.size
	p.scratch.add(plan.profile.Amounts, 1)
	return nil
}

// withCard returns which of the charges from … to-1 is the first one dated after the card's expiry.
func (p *Plan) withCard(from, to int) int {
	if p.profile.CardExpires.IsZero() {
		return to
	}
	return min(max(from, p.through(p.profile.CardExpires)), to)
}

// addElements counts the charges of a sequence before its last element, one by one, and returns the
// ordinal of the next charge.
func (p *Portfolio) addElements(b *book, plan *Plan, q amount.Choice, from, to int) int {
	valid := plan.withCard(from, to)
	last := uint64(q.Len() - 1)
	for ; from < to; from++ {
		index := plan.state.Repeat + uint64(from)
		if index >= last {
			break
		}
		a, _ := q.Bounds(index)
		s := knownShape(a)
		if from >= valid {
			s.part = partExpired
		}
		series := b.known.of(s)
		cell := addSingle(p, series, plan.dateOf(from), knownOf(a, 1))
		if q.Len() <= fewElements {
			p.scratch.elements = append(p.scratch.elements, element{series, cell, int32(index)})
		}
	}
	return from
}

// note notes the charges with the ordinals from … to-1 in p.scratch.
func (p *Portfolio) note(b *book, s shape, plan *Plan, from, to int) {
	if from >= to {
		return
	}
	if s.isRandom {
		p.scratch.random = noteRuns(p, p.scratch.random, b.random, s, plan, from, to)
		return
	}
	p.scratch.known = noteRuns(p, p.scratch.known, b.known, s, plan, from, to)
}

func noteRuns[C any](p *Portfolio, list []note[C], g group[C], s shape, plan *Plan, from, to int) []note[C] {
	note := func(s shape, c change, n uint64) {
		of := g.of(s)
		list = append(list, note[C]{of, of.place(c), n})
		if room := n * p.lanes.room(s, c); c.ends() {
			p.scratch.size -= room
		} else {
			p.scratch.size += room
		}
	}
	if early := min(to, plan.slots.before(plan.first)); from < early {
		// The first run charges these for the days before it.
		note(s, beginAt(p.lanes.position(s, plan.first)), uint64(early-from))
		from = early
	}
	if to-from <= fewCharges {
		for ; from < to; from++ {
			note(s, beginAt(p.lanes.position(s, plan.dateOf(from))), 1)
		}
		return list
	}
	s = s.ofRun(&plan.slots.grid)
	note(s, beginAt(p.lanes.position(s, plan.dateOf(from))), 1)
	if end := p.lanes.position(s, plan.dateOf(to-1)) + s.step; end <= p.lanes.lastOf(s) {
		note(s, endAt(end), 1)
	}
	return list
}

// addSingle counts charges of one day and returns the place of their cell.
func addSingle[C any, P cell[C]](p *Portfolio, s *series[C], d calendar.Date, c C) int32 {
	cell := s.place(beginAt(p.lanes.position(shape{}, d)))
	P(&s.cells[cell]).add(&c)
	p.size += P(&c).charges()
	return cell
}

// shapeOf returns the shape of single charges of a strategy: of a sequence, those of its last
// element.
func (p *Portfolio) shapeOf(s amount.Choice) shape {
	if s.Kind() == amount.KindRange {
		return p.rangeShape(s)
	}
	tail, _ := s.Bounds(uint64(s.Len()))
	return knownShape(tail)
}

// knownShape returns the shape of single charges of an amount.
func knownShape(a amount.Amount) shape {
	return shape{low: uint8(a.Scale()), high: uint8(a.Scale())}
}

// rangeShape returns the shape of single charges of a range.
func (p *Portfolio) rangeShape(r amount.Choice) shape {
	low, high := r.Bounds(0)
	s := shape{low: uint8(low.Scale()), high: uint8(high.Scale()), isRandom: low != high}
	if r.Values() > 1 { // not a range such as 1.0 to 1.00
		s.grid, s.draws = uint8(r.Scale()), p.numberOf(r)
	}
	return s
}

func randomOf(r amount.Choice, n uint64) (c random) {
	c.AddRun(r, 0, n)
	return c
}

// ofRun returns the shape for runs on a grid. A run has several charges, so its step is within the
// calendar.
func (s shape) ofRun(grid *calendar.Schedule) shape {
	s.unit, s.step = grid.Unit(), int32(grid.Interval())
	switch s.unit {
	case calendar.UnitWeek:
		s.unit, s.step = calendar.UnitDay, 7*s.step
	case calendar.UnitMonth:
		_, _, day := grid.Start().Date()
		s.day = uint8(day)
	}
	return s
}
