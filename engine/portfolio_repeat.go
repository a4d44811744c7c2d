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
func (p *Portfolio) scheduleOf(s *Stored) (key schedule, ok bool) {
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

// hash returns the number by which a schedule is found. Schedules may share one: then the last of them
// is found.
func (k *schedule) hash() uint64 {
	const odd = 0x9e3779b97f4a7c15
	dates := uint64(k.start.Sub(calendar.Date{}))<<42 ^ uint64(k.finish.Sub(calendar.Date{}))<<21 ^ uint64(k.expires.Sub(calendar.Date{}))
	bytes := uint64(k.unit) | uint64(k.kind)<<8 | uint64(k.low)<<16 | uint64(k.high)<<24 | uint64(k.grid)<<32 | uint64(len(k.currency))<<40
	first, _ := k.sequence.Bounds(0)
	last, _ := k.sequence.Bounds(fewElements)
	h := uint64(k.sequence.Len())
	for _, c := range []byte(k.currency[:min(len(k.currency), 3)]) {
		h = h<<8 | uint64(c)
	}
	for _, word := range [...]uint64{dates, bytes, k.most, uint64(k.interval)<<32 ^ uint64(k.draws), uint64(first.Coefficient()), uint64(last.Coefficient())} {
		h = (h ^ word) * odd
		h ^= h >> 32
	}
	return h
}

// A repeated schedule is one that came before: what one more profile with it changes, and the profiles
// that are not in those cells yet. They are added up first, since a schedule has several cells.
type repeated struct {
	key     schedule
	fixed   known           // the fixed amounts of these profiles, each once
	amounts amount.Strategy // the range or the sequence of the others
	times   uint64          // … and how many they are
	notes   notes
}

// addAgain counts a profile whose schedule came before, and reports whether it did.
func (p *Portfolio) addAgain(key *schedule, prof *Profile) bool {
	again := p.repeated[key.hash()]
	if again == nil || again.key != *key || checkText(prof.ID, "") != nil || p.checkRoom() != nil {
		return false
	}
	p.size += again.notes.size + uint64(len(again.notes.elements))
	again.count(prof.Amounts)
	return true
}

// count counts one more profile with these amounts.
func (r *repeated) count(amounts amount.Strategy) {
	if f, ok := amounts.(amount.Fixed); ok {
		r.fixed.addOne(f.Amount())
		return
	}
	if amounts != r.amounts {
		r.settle()
		r.amounts = amounts
	}
	r.times++
}

// settle adds what was counted to the cells.
func (r *repeated) settle() {
	r.notes.addFixed(&r.fixed)
	r.notes.addTimes(r.amounts, r.times)
	r.fixed, r.amounts, r.times = known{}, nil, 0
}

// settle brings all cells up to date, for who reads them.
func (p *Portfolio) settle() {
	for _, r := range p.repeated {
		r.settle()
	}
}

// remember keeps the notes of the profile that was added last.
func (p *Portfolio) remember(key *schedule) {
	hash := key.hash()
	if len(p.repeated) == mostSchedules {
		p.forget()
	}
	if before := p.repeated[hash]; before != nil {
		before.settle()
	}
	if p.repeated == nil {
		p.repeated = map[uint64]*repeated{}
	}
	of := &p.scratch
	again := &repeated{key: *key, notes: notes{slices.Clone(of.known), slices.Clone(of.random), of.size, slices.Clone(of.elements)}}
	again.key.currency = strings.Clone(key.currency)
	p.repeated[hash] = again
}

// forget ends what is remembered: the notes that are to come, or the series themselves, are others.
func (p *Portfolio) forget() {
	p.settle()
	clear(p.repeated)
}
