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

// A schedule is all that decides which cells a new profile changes.
type schedule struct {
	numbers  [5]uint64 // the columns that are not texts, close together, since they are compared for each profile
	currency string
	sequence amount.Choice // short; the zero Sequence for other amounts
}

// noLimit is no value of a [Limit].
const noLimit = math.MaxUint64

// scheduleOf returns the schedule of a new profile; none for the others, and for one with a long
// sequence.
func (p *Portfolio) scheduleOf(s *Stored) (key schedule, ok bool) {
	prof := &s.Profile
	var sequence amount.Choice
	switch prof.Amounts.Kind() {
	case amount.KindFixed, amount.KindRange:
	case amount.KindSequence:
		if sequence = prof.Amounts; sequence.Len() > fewElements {
			return schedule{}, false
		}
	default:
		return schedule{}, false
	}
	most, set := prof.MaxRepeats.Value()
	if !set {
		most = noLimit
	}
	expires := prof.CardExpires
	if !expires.Before(p.scope.Window.Last()) {
		expires = calendar.Date{} // all charges of the window are before
	}
	amounts := p.shapeOf(prof.Amounts)
	kinds := uint64(prof.Unit) | uint64(prof.Kind)<<8 | uint64(amounts.low)<<16 | uint64(amounts.high)<<24 | uint64(amounts.grid)<<32
	if amounts.isRandom {
		kinds |= 1 << 40
	}
	return schedule{
		numbers: [...]uint64{
			dayNumber(prof.Start)<<32 | dayNumber(prof.Finish), dayNumber(expires)<<32 | uint64(amounts.draws),
			uint64(prof.Interval), most, kinds,
		},
		currency: prof.Currency, sequence: sequence,
	}, s.State.IsZero()
}

// dayNumber returns the number of a day, which is below 2^32; 0 for none.
func dayNumber(d calendar.Date) uint64 { return uint64(d.Sub(calendar.Date{})) }

// hash returns the number by which a schedule is found. Schedules may share one: then the last of them
// is found.
func (k *schedule) hash() uint64 {
	const odd = 0x9e3779b97f4a7c15
	first, _ := k.sequence.Bounds(0)
	h := uint64(first.Coefficient())<<8 | uint64(k.sequence.Len())
	for _, c := range []byte(k.currency[:min(len(k.currency), 3)]) {
		h = (h ^ uint64(c)) * odd
	}
	for _, n := range k.numbers {
		h = (h ^ n) * odd
		h ^= h >> 32
	}
	return h
}

// A repeated schedule is one that came before: what one more profile with it changes, and the profiles
// that are not in those cells yet. They are added up first, since a schedule has several cells.
type repeated struct {
	key     schedule
	size    uint64        // how much a profile adds to the size of the portfolio
	fixed   known         // the fixed amounts of these profiles, each once
	amounts amount.Choice // the range or the sequence of the others
	times   uint64        // … and how many they are
	notes   notes
}

// addAgain counts a profile whose schedule came before, and reports whether it did.
func (p *Portfolio) addAgain(key *schedule, prof *Profile) bool {
	again := p.repeated[key.hash()]
	if again == nil || again.key != *key || checkText(prof.ID, "") != nil || p.checkRoom() != nil {
		return false
	}
	p.size += again.size
	again.count(prof.Amounts)
	return true
}

// count counts one more profile with these amounts.
func (r *repeated) count(amounts amount.Choice) {
	if amounts.Kind() == amount.KindFixed {
		f, _ := amounts.Bounds(0)
		r.fixed.addOne(f)
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
	r.fixed, r.amounts, r.times = known{}, amount.Choice{}, 0
}

// settle brings all cells up to date before they are read.
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
		p.repeated, p.currencies = map[uint64]*repeated{}, map[string]string{}
	}
	of := &p.scratch
	again := &repeated{key: *key, size: of.size + uint64(len(of.elements)), notes: notes{
		known: slices.Clone(of.known), random: slices.Clone(of.random), elements: slices.Clone(of.elements),
	}}
	again.key.currency = p.currency(key.currency)
	p.repeated[hash] = again
}

// forget ends what is remembered: the notes that are to come, or the series themselves, are others.
func (p *Portfolio) forget() {
	p.settle()
	clear(p.repeated)
	clear(p.currencies)
}

// currency returns a currency in memory that all schedules with it share: comparing them reads it often.
func (p *Portfolio) currency(s string) string {
	known, ok := p.currencies[s]
	if !ok {
		known = strings.Clone(s)
		p.currencies[known] = known
	}
	return known
}
