package engine

import (
	"math"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// Most profiles of a large portfolio are new and differ from one before them in their id and their
// amount alone, or have the same sequence. What such a profile changes is known then, and its plan need not be made again.

// mostSchedules bounds the memory for schedules that may come again.
const mostSchedules = 4096

// A schedule is all that decides which cells a new profile changes. Its fields are in an order
// without gaps between them, which makes it faster to look up.
type schedule struct {
	currency               string
	sequence               amount.Sequence // short; the zero Sequence for other amounts
	interval               int
	most                   uint64 // noLimit for none
	start, finish, expires calendar.Date
	draws                  uint32
	unit                   calendar.Unit
	kind                   Kind
	low, high, grid        uint8
	isRandom               bool
}

// noLimit is no value of a [Limit].
const noLimit = math.MaxUint64

// scheduleOf returns the schedule of a new profile; none for the others, and for one with a long
// sequence.
func (p *Portfolio) scheduleOf(s *Stored) (schedule, bool) {
	prof := &s.Profile
	var sequence amount.Sequence
	switch amounts := prof.Amounts.(type) {
	case amount.Fixed, amount.Range:
	case amount.Sequence:
		if sequence = amounts; sequence.Len() == 0 || sequence.Len() > fewElements {
			return schedule{}, false
		}
	default:
		return schedule{}, false
	}
	most, set := prof.MaxRepeats.Value()
	if !set {
		most = noLimit
	}
	amounts := p.shapeOf(prof.Amounts)
	return schedule{
		currency: prof.Currency, sequence: sequence, interval: prof.Interval, most: most,
		start: prof.Start, finish: prof.Finish, expires: prof.CardExpires, unit: prof.Unit, kind: prof.Kind,
		draws: amounts.draws, low: amounts.low, high: amounts.high, grid: amounts.grid, isRandom: amounts.isRandom,
	}, s.State.IsZero()
}

// addAgain counts a profile whose schedule came before, and reports whether it did.
func (p *Portfolio) addAgain(key schedule, prof *Profile) bool {
	again := p.schedules[key]
	if again == nil || checkText(prof.ID, "") != nil || p.checkRoom() != nil {
		return false
	}
	again.addAgain(p, prof.Amounts)
	return true
}

// remember keeps the notes of the profile that was added last.
func (p *Portfolio) remember(key schedule) {
	if p.schedules == nil {
		p.schedules = map[schedule]*notes{}
	}
	if len(p.schedules) == mostSchedules {
		clear(p.schedules)
	}
	key.currency = strings.Clone(key.currency)
	of := &p.scratch
	p.schedules[key] = &notes{slices.Clone(of.known), slices.Clone(of.random), of.size, slices.Clone(of.elements)}
}
