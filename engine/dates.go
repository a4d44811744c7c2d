package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// The lists of a State: paid dates in order, missed windows in order and apart. None of these
// functions writes to its arguments.

// later returns the later of two dates.
func later(a, b calendar.Date) calendar.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// sortedDates returns list in order and without repetition; list itself if it is so already.
func sortedDates(list []calendar.Date) []calendar.Date {
	for i := 1; i < len(list); i++ {
		if !list[i-1].Before(list[i]) {
			list = slices.Clone(list)
			slices.SortFunc(list, calendar.Date.Compare)
			return slices.Compact(list)
		}
	}
	return list
}

// withDate returns list, which is in order, and the day d.
func withDate(list []calendar.Date, d calendar.Date) []calendar.Date {
	at, found := slices.BinarySearchFunc(list, d, calendar.Date.Compare)
	if found {
		return list
	}
	return slices.Insert(slices.Clip(list), at, d)
}

// withWindow returns list and the window w, which ends after all of it.
func withWindow(list []calendar.Window, w calendar.Window) []calendar.Window {
	n := len(list)
	switch {
	case n == 0 || list[n-1].To.Before(w.From) && !list[n-1].To.IsZero():
		return append(slices.Clip(list), w)
	case list[n-1].To.IsZero(): // an open end holds every day there is
		return list
	}
	list = slices.Clone(list)
	list[n-1].To = w.To
	return list
}

// windowsAfter returns the part of windows after day d.
func windowsAfter(windows []calendar.Window, d calendar.Date) []calendar.Window {
	var rest []calendar.Window
	for _, w := range windows {
		w.From = later(w.From, d.AddDays(1))
		if !w.IsEmpty() {
			rest = append(rest, w)
		}
	}
	return rest
}

// paidStillRelevant returns the paid slots that a run after that of day d could still meet: those
// from d on, d itself if it was charged, and those on a missed day. Both lists are in order, and no
// paid slot is later than d. The result is a new slice.
func paidStillRelevant(paid []calendar.Date, d calendar.Date, missed []calendar.Window, charged bool) []calendar.Date {
	var list []calendar.Date
	add := func(p calendar.Date) {
		if list == nil {
			list = make([]calendar.Date, 0, len(paid)+1)
		}
		list = append(list, p)
	}
	for _, p := range paid {
		for len(missed) > 0 && !missed[0].To.IsZero() && !p.Before(missed[0].To) {
			missed = missed[1:] // it ends before p, and so before all that follow
		}
		if !p.Before(d) || len(missed) > 0 && missed[0].Contains(p) {
			add(p)
		}
	}
	if charged && (len(list) == 0 || list[len(list)-1] != d) {
		add(d)
	}
	return list
}
