package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// addDrawn counts the charges of a range, each with the amount that is drawn for it.
func (p *Portfolio) addDrawn(plan *Plan, r amount.Choice, seed amount.Seed) error {
	from, to := plan.ordinals(p.scope.Window)
	if from == to {
		return nil
	}
	if err := p.checkRoom(); err != nil {
		return err
	}
	valid := plan.withCard(from, to)
	p.drawEach(plan, r, seed, from, valid, partApproved)
	p.drawEach(plan, r, seed, valid, to, partExpired)
	return nil
}

func (p *Portfolio) drawEach(plan *Plan, r amount.Choice, seed amount.Seed, from, to int, as part) {
	if from >= to {
		return
	}
	scale := uint8(r.Scale())
	of := p.book(plan.profile.Currency).known.of(shape{part: as, low: scale, high: scale})
	of.prepareDays(p.scope.Window)
	p.size += uint64(to - from)
	origin, early := p.scope.Window.From, plan.slots.before(plan.first)
	var days [drawnAtOnce]int32 // since origin
	var amounts [drawnAtOnce]amount.Amount
	for from < to {
		n := plan.slots.days(days[:min(to-from, drawnAtOnce)], from, origin)
		for i := range min(n, early-from) { // the first run charges these for the days before it
			days[i] = int32(plan.first.Sub(origin))
		}
		r.DrawAll(amounts[:n], seed, plan.state.Repeat+uint64(from))
		addDays(of, origin, days[:n], amounts[:n])
		from += n
	}
}

// drawnAtOnce is how many charges are drawn together. Loops over their days, their amounts and their
// cells, one after the other, are faster than one that does it all.
const drawnAtOnce = 64

// addDays counts a charge of each amount, on days of the window since origin, its first.
func addDays(of *series[known], origin calendar.Date, days []int32, amounts []amount.Amount) {
	cells, places := of.cells, of.days
	for i, day := range days {
		if uint(day) < uint(len(places)) && places[day] > 0 {
			cells[places[day]-1].addOne(amounts[i])
			continue
		}
		place := of.place(beginAt(int32(origin.Sub(calendar.First())) + day))
		cells = of.cells
		cells[place].addOne(amounts[i])
		if uint(day) < uint(len(places)) {
			places[day] = place + 1
		}
	}
}

// A dayIndex is where a series has the cells of single days: a table in front of its map, for callers
// with many charges. An element is one more than the place of the cell, or 0 if that is not known yet.
type dayIndex []int32

// mostDays is the longest window that has a table: 179 years.
const mostDays = 1 << 16

// prepareDays makes the table of a window, unless it would be a long one.
func (s *series[C]) prepareDays(w calendar.Window) {
	if days := w.Last().Sub(w.First()) + 1; s.days == nil && days <= mostDays {
		s.days = make(dayIndex, days)
	}
}
