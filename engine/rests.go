package engine

import (
	"iter"
	"math"
	"slices"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// RestsOn returns the keys on whose values the charges of a simulation up to Until, and where the profile is then,
// can rest under any values of the other keys, in the order of the ledger: those that matter jointly alone are among
// them, such as month-end for a start-date in the past on day 5 that start-past=reanchor moves to day 31. Another key
// changes nothing, whatever the rest of the policy is; one that is returned need not change anything.
func (s *Simulation) RestsOn() []ledger.Clause {
	r := restsOf(s)
	var list []ledger.Clause
	for c := range Keys() {
		if r.on(c) {
			list = append(list, c)
		}
	}
	return list
}

// A rests is what may become of a profile under one policy or another: each field is the answer for all of them.
type rests struct {
	*Simulation
	anchors   []calendar.Date // from which due days may be counted
	units     []calendar.Unit
	intervals []int
	limits    []uint64
	finishes  []calendar.Date

	noStart  bool // there may be no start-date
	moved    bool // an update touches the due days
	resumed  bool // a stopped profile may be resumed
	charged  bool // by hand
	unrun    bool // a day may pass without its run
	attempts uint64
}

func restsOf(s *Simulation) *rests {
	r := &rests{Simulation: s}
	p, state := &s.Stored.Profile, &s.Stored.State
	r.units, r.intervals = []calendar.Unit{p.Unit}, []int{p.Interval}
	r.limit(p.MaxRepeats)
	r.finish(p.Finish)
	r.noStart = p.Start.IsZero()
	switch {
	case !state.Anchor.IsZero():
		r.anchors = []calendar.Date{state.Anchor}
	case r.noStart:
		r.anchors = []calendar.Date{s.AsOf}
	default:
		r.anchors = []calendar.Date{p.Start}
	}
	if r.startPast() {
		r.anchors = append(r.anchors, s.AsOf)
	}
	before := s.AsOf.AddDays(-1)
	r.unrun = state.Status != 0 && (state.neverRan() || !state.RanThrough.IsZero()) && state.RanThrough.Before(before)
	r.attempts = state.Repeat
	for step := range r.steps() {
		r.step(step)
	}
	r.count()
	return r
}

// steps yields the events that may take place.
func (r *rests) steps() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for i := range r.Script.Steps {
			if s := &r.Script.Steps[i]; !s.Date.After(r.Until) && !yield(s) {
				return
			}
		}
	}
}

func (r *rests) step(s *Step) {
	switch s.Kind {
	case EventResume:
		if s.Via == ChannelUI {
			r.resumed = true
			r.anchors = append(r.anchors, s.Date)
		}
	case EventCharge:
		r.charged = true
		r.attempts++
	case EventNoRun:
		r.unrun = true
	case EventUpdate:
		u := &s.Update
		r.moved = r.moved || u.movesDueDays()
		if u.Start.Given {
			start := u.Start.over(calendar.Date{})
			if start.IsZero() {
				r.noStart, start = true, s.Date
			}
			r.anchors = append(r.anchors, start)
		}
		if u.Unit.Given {
			r.units = append(r.units, u.Unit.over(0))
		}
		if u.Interval.Given {
			r.intervals = append(r.intervals, u.Interval.over(0))
		}
		r.limit(u.MaxRepeats.over(Limit{}))
		r.finish(u.Finish.over(calendar.Date{}))
	case EventCreate, EventRun, EventStop:
	}
}

func (r *rests) limit(l Limit) {
	if n, ok := l.Value(); ok {
		r.limits = append(r.limits, n)
	}
}

func (r *rests) finish(d calendar.Date) {
	if !d.IsZero() {
		r.finishes = append(r.finishes, d)
	}
}

// automatic reports whether there may be a schedule.
func (r *rests) automatic() bool {
	for _, u := range r.units {
		if u != 0 {
			return true
		}
	}
	return false
}

// startPast reports whether a profile is created after its start-date (L03).
func (r *rests) startPast() bool {
	p := &r.Stored.Profile
	return r.Stored.State.Status == 0 && p.Automatic() && !p.Start.IsZero() && p.Start.Before(r.AsOf)
}

// count adds to the attempts as many as there can be due days: of every grid all up to Until.
func (r *rests) count() {
	const least = 28 // days from one due day of a month to that of the next but one, at least
	days := [...]int{calendar.UnitDay: 1, calendar.UnitWeek: 7, calendar.UnitMonth: least}
	for _, anchor := range r.anchors {
		for _, u := range r.units {
			for _, n := range r.intervals {
				if span := r.Until.Sub(anchor); u != 0 && int(u) < len(days) && n > 0 && span >= 0 {
					r.attempts += uint64(span/days[u]/n) + 2
				}
			}
		}
	}
	r.attempts = min(r.attempts, math.MaxInt64)
}

// reaches reports whether the repeat number may come to a limit.
func (r *rests) reaches(n uint64) bool { return n <= r.attempts }

// stops reports whether the profile may be stopped at any time.
func (r *rests) stops() bool {
	if r.Stored.State.Status == StatusStopped {
		return true
	}
	if slices.ContainsFunc(r.limits, r.reaches) {
		return true
	}
	for _, d := range r.finishes {
		if !d.After(r.Until) {
			return true
		}
	}
	for s := range r.steps() {
		if s.Kind == EventStop {
			return true
		}
	}
	return false
}

// on reports whether anything may rest on the key of c.
func (r *rests) on(c ledger.Clause) bool {
	switch c {
	case clause.L01:
		return r.shortMonth()
	case clause.L02:
		fresh := r.Stored.State.Anchor.IsZero() && r.Stored.Profile.Automatic()
		return r.noStart && r.automatic() && (fresh || r.moved)
	case clause.L03:
		return r.startPast()
	case clause.L05:
		for _, d := range r.finishes {
			if !d.Before(r.AsOf) && !d.After(r.Until) {
				return true
			}
		}
	case clause.L08:
		for _, n := range r.limits {
			if n > 0 && r.reaches(n) {
				return true
			}
		}
	case clause.L09:
		if slices.Contains(r.limits, 0) {
			return true
		}
	case clause.L14:
		return r.resumed && r.stops()
	case clause.L15, clause.L16:
		return r.resumed && r.automatic() && r.stops()
	case clause.L16b:
		return r.unrun && r.automatic()
	case clause.L20:
		return r.charged
	case clause.L21:
		return r.charged && r.stops()
	case clause.L22:
		return r.charged && r.automatic()
	}
	return false
}

// shortMonth reports whether one of the grids may have a month, up to Until, that lacks the day of its anchor.
func (r *rests) shortMonth() bool {
	for _, anchor := range r.anchors {
		for _, u := range r.units {
			for _, n := range r.intervals {
				if u == calendar.UnitMonth && n > 0 && lacksDay(anchor, n, r.Until) {
					return true
				}
			}
		}
	}
	return false
}

// lacksDay reports whether one of the months that are multiples of n after an anchor, and begin by a day, may be too
// short for the anchor's day. Months repeat after twelve of them; a February counts as a short one, whatever its year.
func lacksDay(anchor calendar.Date, n int, until calendar.Date) bool {
	year, month, day := anchor.Date()
	last, lastMonth, _ := until.Date()
	left := 12*(last-year) + int(lastMonth-month) // months
	for k := 1; k <= 12 && day > 28 && n <= left/k; k++ {
		if day > calendar.DaysIn(2023, time.Month((int(month)-1+k*n)%12+1)) {
			return true
		}
	}
	return false
}
