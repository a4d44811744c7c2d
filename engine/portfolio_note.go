package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// fewCharges is how many charges a profile may have in the window to be noted one by one: they need
// no series of their own, and cost about as much.
const fewCharges = 3

// addPlan notes the charges of a plan that are dated in the window.
func (p *Portfolio) addPlan(plan *Plan) error {
	from, to := plan.ordinals(p.scope.Window)
	if from == to {
		return nil
	}
	if err := p.checkRoom(); err != nil {
		return err
	}
	b := p.book(plan.profile.Currency)
	valid := plan.withCard(from, to)
	p.note(b, plan, from, valid, partApproved)
	p.note(b, plan, valid, to, partExpired)
	return nil
}

// withCard returns which of the charges from … to-1 is the first one dated after the card's expiry.
func (p *Plan) withCard(from, to int) int {
	if p.profile.CardExpires.IsZero() {
		return to
	}
	return min(max(from, p.through(p.profile.CardExpires)), to)
}

// note notes the charges with the ordinals from … to-1.
func (p *Portfolio) note(b *book, plan *Plan, from, to int, as part) {
	if from >= to {
		return
	}
	switch s := plan.profile.Amounts.(type) {
	case amount.Fixed:
		p.noteKnown(b, plan, from, to, s.Amount(), as)
	case amount.Range:
		low, high := s.Bounds(0)
		if low == high {
			p.noteKnown(b, plan, from, to, low, as)
			return
		}
		noteAlike(p, b.random, p.randomShape(s, as), plan, from, to, func(n uint64) random { return randomOf(s, n) })
	case amount.Sequence:
		last := uint64(s.Len() - 1)
		for ; from < to && plan.state.Repeat+uint64(from) < last; from++ {
			element, _ := s.Bounds(plan.state.Repeat + uint64(from))
			addSingle(p, b.known.of(knownShape(element, as)), plan.dateOf(from), knownOf(element, 1))
		}
		tail, _ := s.Bounds(last)
		p.noteKnown(b, plan, from, to, tail, as)
	}
}

func (p *Portfolio) noteKnown(b *book, plan *Plan, from, to int, a amount.Amount, as part) {
	noteAlike(p, b.known, knownShape(a, as), plan, from, to, func(n uint64) known { return knownOf(a, n) })
}

// noteAlike notes the charges with the ordinals from … to-1, of which of returns any number.
func noteAlike[C any, P cell[C]](p *Portfolio, g group[C], s shape, plan *Plan, from, to int, of func(n uint64) C) {
	if early := min(to, plan.slots.before(plan.first)); from < early {
		// The first run charges these for the days before it.
		addSingle[C, P](p, g.of(s), plan.first, of(uint64(early-from)))
		from = early
	}
	one := of(1)
	if to-from <= fewCharges {
		for ; from < to; from++ {
			addSingle[C, P](p, g.of(s), plan.dateOf(from), one)
		}
		return
	}
	s = s.ofRun(&plan.slots.grid)
	run := g.of(s)
	begin := beginAt(p.lanes.position(s, plan.dateOf(from)))
	end := endAt(p.lanes.position(s, plan.dateOf(to-1)) + s.step)
	P(run.at(begin)).add(&one)
	p.size += p.lanes.room(s, begin)
	if end.position() <= p.lanes.lastOf(s) {
		P(run.at(end)).add(&one)
		p.size -= p.lanes.room(s, end)
	}
}

// addSingle counts charges of one day.
func addSingle[C any, P cell[C]](p *Portfolio, s *series[C], d calendar.Date, c C) {
	P(s.at(beginAt(p.lanes.position(shape{}, d)))).add(&c)
	p.size += P(&c).charges()
}

// addDrawn counts the charges of a range, each with the amount that is drawn for it.
func (p *Portfolio) addDrawn(plan *Plan, r amount.Range, seed amount.Seed) error {
	from, to := plan.ordinals(p.scope.Window)
	if from == to {
		return nil
	}
	if err := p.checkRoom(); err != nil {
		return err
	}
	b := p.book(plan.profile.Currency)
	valid := plan.withCard(from, to)
	for n := from; n < to; n++ {
		as := partApproved
		if n >= valid {
			as = partExpired
		}
		drawn := r.Draw(seed, plan.state.Repeat+uint64(n))
		addSingle(p, b.known.of(knownShape(drawn, as)), plan.dateOf(n), knownOf(drawn, 1))
	}
	return nil
}

// knownShape returns the shape of single charges of an amount.
func knownShape(a amount.Amount, as part) shape {
	return shape{part: as, low: uint8(a.Scale()), high: uint8(a.Scale())}
}

// randomShape returns the shape of single charges of a range.
func (p *Portfolio) randomShape(r amount.Range, as part) shape {
	low, high := r.Bounds(0)
	s := shape{part: as, low: uint8(low.Scale()), high: uint8(high.Scale())}
	if r.Values() > 1 { // not a range such as 1.0 to 1.00
		s.grid, s.draws = uint8(r.Scale()), p.numberOf(r)
	}
	return s
}

func randomOf(r amount.Range, n uint64) (c random) {
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
