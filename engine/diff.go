package engine

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// A DifferenceKind says how a charge of one course of events stands to that of
// another. The zero value is none.
type DifferenceKind uint8

// The kinds of a [Difference].
const (
	Added   DifferenceKind = iota + 1 // only the new course has New
	Removed                           // only the old course has Old
	Moved                             // the same repeat on another day
	Changed                           // the same slot with another repeat, amount, date or outcome
)

// String is the word that outputs use; empty for none.
func (k DifferenceKind) String() string {
	return [...]string{"", "added", "removed", "moved", "changed"}[min(k, 5)%5]
}

// A Difference is one charge in which two courses of events differ.
type Difference struct {
	Kind     DifferenceKind
	Old, New Charge // the zero Charge where there is none
}

// Date is the first day on which the difference shows.
func (d Difference) Date() calendar.Date {
	switch {
	case d.Kind == Added || d.Kind != Removed && d.New.Date.Before(d.Old.Date):
		return d.New.Date
	}
	return d.Old.Date
}

// Diff compares the charges of one profile in two courses of events, such as the
// forecast under two policies or a simulation with the plain forecast. A charge is
// known again by its slot and kind; what is left is matched by repeat number, and has
// moved; the rest was added or removed. Both sequences come in order of date and are
// held in memory. The differences are in order of their dates.
func Diff(old, new iter.Seq[Charge]) []Difference {
	var diffs []Difference
	was, is := slices.Collect(old), slices.Collect(new)
	was, is = match(was, is, sameSlot, func(a, b Charge) {
		if !sameCharge(a, b) {
			diffs = append(diffs, Difference{Changed, a, b})
		}
	})
	was, is = match(was, is, sameRepeat, func(a, b Charge) {
		diffs = append(diffs, Difference{Moved, a, b})
	})
	for _, c := range was {
		diffs = append(diffs, Difference{Kind: Removed, Old: c})
	}
	for _, c := range is {
		diffs = append(diffs, Difference{Kind: Added, New: c})
	}
	slices.SortStableFunc(diffs, func(a, b Difference) int { return a.Date().Compare(b.Date()) })
	return diffs
}

// A chargeKey is what a charge is known by when two courses are matched.
type chargeKey struct {
	slot   calendar.Date
	repeat uint64
	manual bool
}

func sameSlot(c Charge) chargeKey   { return chargeKey{slot: c.Slot, manual: c.Manual} }
func sameRepeat(c Charge) chargeKey { return chargeKey{repeat: c.Repeat, manual: c.Manual} }

// match pairs the charges of both lists that have one key, each at most once and in
// order, and returns those that found no partner.
func match(old, new []Charge, key func(Charge) chargeKey, pair func(a, b Charge)) (oldLeft, newLeft []Charge) {
	waiting := make(map[chargeKey][]int, len(new))
	for i, c := range new {
		waiting[key(c)] = append(waiting[key(c)], i)
	}
	taken := make([]bool, len(new))
	for _, c := range old {
		k := key(c)
		at := waiting[k]
		if len(at) == 0 {
			oldLeft = append(oldLeft, c)
			continue
		}
		pair(c, new[at[0]])
		taken[at[0]] = true
		waiting[k] = at[1:]
	}
	for i, c := range new {
		if !taken[i] {
			newLeft = append(newLeft, c)
		}
	}
	return oldLeft, newLeft
}

// sameCharge compares what a charge is, not what it rests on.
func sameCharge(a, b Charge) bool {
	return a.Repeat == b.Repeat && a.Date == b.Date && a.Outcome == b.Outcome &&
		a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}
