package engine

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
)

// A DifferenceKind says how a charge differs between two sequences. The zero value is none.
type DifferenceKind uint8

// The kinds of a [Difference].
const (
	DifferenceAdded   DifferenceKind = iota + 1 // only New is there
	DifferenceRemoved                           // only Old is there
	DifferenceMoved                             // the same repeat has another slot
	DifferenceChanged                           // the same slot has another repeat, amount, date or outcome
)

var differenceWords = enum.Words{Type: "DifferenceKind", Words: []string{"", "added", "removed", "moved", "changed"}}

// String returns the word that outputs use; it is empty for none.
func (k DifferenceKind) String() string { return differenceWords.String(uint8(k)) }

// MarshalText returns the word; a value that is not a DifferenceKind is an error.
func (k DifferenceKind) MarshalText() ([]byte, error) { return differenceWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes.
func (k *DifferenceKind) UnmarshalText(text []byte) error {
	return differenceWords.Unmarshal(text, (*uint8)(k))
}

// A Difference is one charge in which two sequences differ.
type Difference struct {
	Kind     DifferenceKind
	Old, New Charge // the zero Charge if there is none
}

// Date returns the first day on which the difference shows.
func (d Difference) Date() calendar.Date {
	if d.Kind == DifferenceAdded || d.Kind != DifferenceRemoved && d.New.Date.Before(d.Old.Date) {
		return d.New.Date
	}
	return d.Old.Date
}

// Diff compares two sequences of charges of one profile, such as the forecasts under two policies,
// or a simulation and the plain forecast. Charges with the same slot and kind are one charge; what
// is left is matched by repeat number, and has moved; the rest was added or removed. Both sequences
// are in order of date and are kept in memory. The differences are in order of their dates.
func Diff(old, new iter.Seq[Charge]) []Difference {
	var diffs []Difference
	was, is := apart(slices.Collect(old), slices.Collect(new))
	was, is = match(was, is, sameSlot, func(a, b Charge) {
		if !sameCharge(a, b) {
			diffs = append(diffs, Difference{DifferenceChanged, a, b})
		}
	})
	was, is = match(was, is, sameRepeat, func(a, b Charge) {
		diffs = append(diffs, Difference{DifferenceMoved, a, b})
	})
	for _, c := range was {
		diffs = append(diffs, Difference{Kind: DifferenceRemoved, Old: c})
	}
	for _, c := range is {
		diffs = append(diffs, Difference{Kind: DifferenceAdded, New: c})
	}
	slices.SortStableFunc(diffs, func(a, b Difference) int { return a.Date().Compare(b.Date()) })
	return diffs
}

// apart returns the two lists from the first place on at which they differ. The charges before it are
// each other's partners.
func apart(old, new []Charge) (oldRest, newRest []Charge) {
	for len(old) > 0 && len(new) > 0 && sameSlot(old[0]) == sameSlot(new[0]) && sameCharge(old[0], new[0]) {
		old, new = old[1:], new[1:]
	}
	return old, new
}

// A chargeKey identifies a charge when two sequences are matched.
type chargeKey struct {
	slot   calendar.Date
	repeat uint64
	manual bool
}

func sameSlot(c Charge) chargeKey   { return chargeKey{slot: c.Slot, manual: c.Manual} }
func sameRepeat(c Charge) chargeKey { return chargeKey{repeat: c.Repeat, manual: c.Manual} }

// match pairs the charges of both lists that have one key, each at most once and in order, and
// returns those that found no partner.
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
