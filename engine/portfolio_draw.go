package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// addDrawn counts the charges of a range, each with the amount that is drawn for it.
func (p *Portfolio) addDrawn(plan *Plan, r amount.Range, seed amount.Seed) error {
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

func (p *Portfolio) drawEach(plan *Plan, r amount.Range, seed amount.Seed, from, to int, as part) {
	if from >= to {
		return
	}
	scale := uint8(r.Scale())
	of := p.book(plan.profile.Currency).known.of(shape{part: as, low: scale, high: scale})
	of.prepareDays(p.scope.Window)
	p.size += uint64(to - from)
	for from < to {
		sp := plan.slots.find(from)
		end := min(sp.end(), to)
		repeat := plan.state.Repeat + uint64(from)
		last := sp.from + end - sp.before - 1
		for k, slot := range plan.slots.grid.From(sp.from + from - sp.before) {
			of.cells[of.placeOn(later(slot, plan.first))].addOne(r.Draw(seed, repeat))
			if repeat++; k == last {
				break
			}
		}
		from = end
	}
}

// A dayIndex is where a series has the cells of single days: a table in front of its map, for callers
// with many charges.
type dayIndex struct {
	first  calendar.Date
	places []int32 // one more than the place of the cell; 0 if it is not known yet
}

// mostDays is the longest window that has a table: 179 years.
const mostDays = 1 << 16

// prepareDays makes the table of a window, unless it would be a long one.
func (s *series[C]) prepareDays(w calendar.Window) {
	if days := w.Last().Sub(w.First()) + 1; s.days.places == nil && days <= mostDays {
		s.days = dayIndex{w.First(), make([]int32, days)}
	}
}

// placeOn returns the place of the cell of single charges on a day in the window.
func (s *series[C]) placeOn(d calendar.Date) int32 {
	i := d.Sub(s.days.first)
	if i < len(s.days.places) && s.days.places[i] > 0 {
		return s.days.places[i] - 1
	}
	place := s.place(beginAt(int32(d.Sub(calendar.First()))))
	if i < len(s.days.places) {
		s.days.places[i] = place + 1
	}
	return place
}
