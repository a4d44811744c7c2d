package record

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// DiffCharges compares two sequences of charges of one profile, such as the forecasts under two
// policies, or a simulation and the plain forecast. Charges with the same slot and kind are one
// charge; what is left is matched by repeat number, and has moved; the rest was added or removed.
// An attempt whose outcome is not known counts as approved. Both sequences are in order of date and
// are kept in memory. The differences, which have no profile and no currency, are in order of their
// dates.
func DiffCharges(old, new iter.Seq[engine.Charge]) []Difference {
	return diffCharges(slices.Collect(old), slices.Collect(new))
}

func diffCharges(old, new []engine.Charge) []Difference {
	for len(old) > 0 && len(new) > 0 && sameSlot(old[0]) == sameSlot(new[0]) && sameCharge(old[0], new[0]) {
		old, new = old[1:], new[1:]
	}
	var diffs []Difference
	old, new = match(old, new, sameSlot, func(a, b engine.Charge) {
		if !sameCharge(a, b) {
			diffs = append(diffs, difference(DifferenceChanged, &a, &b))
		}
	})
	old, new = match(old, new, sameRepeat, func(a, b engine.Charge) {
		diffs = append(diffs, difference(DifferenceMoved, &a, &b))
	})
	for i := range old {
		diffs = append(diffs, difference(DifferenceRemoved, &old[i], nil))
	}
	for i := range new {
		diffs = append(diffs, difference(DifferenceAdded, nil, &new[i]))
	}
	slices.SortStableFunc(diffs, func(a, b Difference) int { return a.Date().Compare(b.Date()) })
	return diffs
}

func difference(kind DifferenceKind, old, new *engine.Charge) Difference {
	d := Difference{Kind: kind}
	if old != nil {
		d.Old = &Charge{Charge: *old}
	}
	if new != nil {
		d.New = &Charge{Charge: *new}
	}
	return d
}

// Date returns the first day on which the difference shows.
func (d Difference) Date() calendar.Date {
	if d.Old == nil || d.New != nil && d.New.Charge.Date.Before(d.Old.Charge.Date) {
		return d.New.Charge.Date
	}
	return d.Old.Charge.Date
}

// A chargeKey identifies a charge when two sequences are matched.
type chargeKey struct {
	slot   calendar.Date
	repeat uint64
	manual bool
}

func sameSlot(c engine.Charge) chargeKey   { return chargeKey{slot: c.Slot, manual: c.Manual} }
func sameRepeat(c engine.Charge) chargeKey { return chargeKey{repeat: c.Repeat, manual: c.Manual} }

// match pairs the charges of both lists that have one key, each at most once and in order, and
// returns those that found no partner.
func match(old, new []engine.Charge, key func(engine.Charge) chargeKey, pair func(a, b engine.Charge)) (oldLeft, newLeft []engine.Charge) {
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

// sameCharge compares when and what is charged, not why.
func sameCharge(a, b engine.Charge) bool {
	return a.Repeat == b.Repeat && a.Date == b.Date && (a.Outcome == engine.OutcomeDeclined) == (b.Outcome == engine.OutcomeDeclined) &&
		a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}
