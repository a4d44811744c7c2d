package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// State is what to save after the run of day d, so that a forecast as of a later day
// continues this one. A day before the first run gives the state before it.
func (p *Plan) State(d calendar.Date) State {
	s := p.state
	if p.first.IsZero() || d.Before(p.first) {
		return s
	}
	n := p.through(d)
	stopped := s.Status == Stopped || !p.stop.IsZero() && !p.stop.Date.After(d)
	s.Repeat += uint64(n)
	s.RanThrough, s.Last = d, d
	s.Missed = p.missedAfter(n, d, stopped)
	s.Paid = stillMet(s.Paid, d, s.Missed, n > 0 && p.slots.at(n-1) == d)
	if stopped {
		s.Status, s.Stop = Stopped, p.stop
	}
	return s
}

// missedAfter are the days that a catch-up policy still owes after the run of day d,
// by when n charges were made.
func (p *Plan) missedAfter(n int, d calendar.Date, stopped bool) []calendar.Window {
	missed := p.state.Missed
	from := p.first // the first day whose run found the profile stopped
	if p.state.Status == Active {
		missed = p.owedAfter(n)
		if stopped {
			from = p.stop.Date.AddDays(1)
		}
	}
	if !stopped || p.policy.ResumeMissed == MissedSkip || from.IsZero() || from.After(d) {
		return missed
	}
	return withWindow(missed, calendar.Through(from, d))
}

// owedAfter is what the first run left of the missed days: all of them when it
// stopped before it charged, those behind the charge that reached the cap, else none.
func (p *Plan) owedAfter(n int) []calendar.Window {
	missed := p.state.Missed
	switch {
	case len(missed) == 0 || p.stop.Date != p.first:
		return nil
	case p.charges == 0:
		return missed
	case p.stop.Reasons&ByMaxRepeats != 0:
		return after(missed, p.slots.at(n-1))
	}
	return nil
}

// after is the part of windows behind day d.
func after(windows []calendar.Window, d calendar.Date) []calendar.Window {
	var rest []calendar.Window
	for _, w := range windows {
		w.From = later(w.From, d.AddDays(1))
		if !w.IsEmpty() {
			rest = append(rest, w)
		}
	}
	return rest
}

func later(a, b calendar.Date) calendar.Date {
	if a.Before(b) {
		return b
	}
	return a
}

// withDate is list, which is in order, and the day d.
func withDate(list []calendar.Date, d calendar.Date) []calendar.Date {
	at, found := slices.BinarySearchFunc(list, d, calendar.Date.Compare)
	if found {
		return list
	}
	return slices.Insert(slices.Clip(list), at, d)
}

// stillMet are the paid slots that a run after that of day d could still meet: those
// from d on, d itself if it was charged, and those on a day that is still owed. None is
// later than d. The result is a list of its own.
func stillMet(paid []calendar.Date, d calendar.Date, missed []calendar.Window, charged bool) []calendar.Date {
	met := func(p calendar.Date) bool {
		return !p.Before(d) || slices.ContainsFunc(missed, func(w calendar.Window) bool { return w.Contains(p) })
	}
	n := 0
	for _, p := range paid {
		if met(p) {
			n++
		}
	}
	if charged {
		n++
	}
	if n == 0 {
		return nil
	}
	list := make([]calendar.Date, 0, n)
	for _, p := range paid {
		if met(p) {
			list = append(list, p)
		}
	}
	if charged {
		list = append(list, d)
	}
	return list
}
