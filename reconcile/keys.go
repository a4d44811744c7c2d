package reconcile

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// PolicyKeys returns the policy keys that can affect the charges of a simulation up to Until, and
// the state of the profile then, under some policy, in the order of the ledger. It may return more:
// a key that it returns need not change anything, but any other key changes nothing under any
// policy. Keys that matter only together are returned both, such as month-end for a start-date in
// the past on day 5 that start-past=reanchor moves to day 31.
func PolicyKeys(s *engine.Simulation) []ledger.Clause {
	p := possibilitiesOf(s)
	var list []ledger.Clause
	for c := range engine.Keys() {
		if p.affects(c) {
			list = append(list, c)
		}
	}
	return list
}

// possibilities collects, over all policies, what may happen to a profile.
type possibilities struct {
	anchors  []calendar.Date // from which due days may be counted
	units    []calendar.Unit
	limits   []uint64
	finishes []calendar.Date // that are no earlier than as-of, up to the last day

	startPast bool // the profile is created after its start-date (L03)
	noAnchor  bool // the state has none
	noStart   bool // there may be no start-date
	moved     bool // an update may move the due days
	stopped   bool // the profile may be stopped
	resumed   bool // it may be resumed
	charged   bool // by hand
	notRun    bool // a day may pass without its run
}

func possibilitiesOf(s *engine.Simulation) *possibilities {
	p, state := &s.Stored.Profile, &s.Stored.State
	of := &possibilities{
		units: []calendar.Unit{p.Unit}, noAnchor: state.Anchor.IsZero(), noStart: p.Start.IsZero(), stopped: state.Status == engine.StatusStopped,
		startPast: state.Status == 0 && p.Automatic() && !p.Start.IsZero() && p.Start.Before(s.AsOf),
	}
	switch {
	case !of.noAnchor:
		of.anchors = []calendar.Date{state.Anchor}
	case of.noStart:
		of.anchors = []calendar.Date{s.AsOf}
	default:
		of.anchors = []calendar.Date{p.Start}
	}
	if of.startPast {
		of.anchors = append(of.anchors, s.AsOf)
	}
	of.limit(p.MaxRepeats)
	of.finish(p.Finish, s)
	if state.Status != 0 {
		neverRan := state.RanThrough.IsZero() && state.Last == calendar.MinDate()
		of.notRun = (neverRan || !state.RanThrough.IsZero()) && state.RanThrough.Before(s.AsOf.AddDays(-1))
	}
	for i := range s.Steps {
		if step := &s.Steps[i]; !step.Date.After(s.Until) {
			of.step(step, s)
		}
	}
	return of
}

func (p *possibilities) step(step *engine.Step, s *engine.Simulation) {
	switch step.Kind {
	case engine.EventStop:
		p.stopped = true
	case engine.EventResume:
		p.resumed = true
		p.anchors = append(p.anchors, step.Date)
	case engine.EventCharge:
		p.charged = true
	case engine.EventNoRun:
		p.notRun = true
	case engine.EventUpdate:
		u := &step.Update
		p.moved = p.moved || u.Start.Given || u.Unit.Given || u.Interval.Given
		if u.Start.Given {
			start := u.Start.Value
			if u.Start.Removed || start.IsZero() {
				p.noStart, start = true, step.Date
			}
			p.anchors = append(p.anchors, start)
		}
		p.units = append(p.units, u.Unit.Value)
		p.limit(u.MaxRepeats.Value)
		p.finish(u.Finish.Value, s)
	case engine.EventRun, engine.EventResumeByAPI:
	}
}

func (p *possibilities) limit(l engine.Limit) {
	if n, ok := l.Value(); ok {
		p.limits = append(p.limits, n)
		p.stopped = true
	}
}

func (p *possibilities) finish(d calendar.Date, s *engine.Simulation) {
	if d.IsZero() || d.After(s.Until) {
		return
	}
	p.stopped = true
	if !d.Before(s.AsOf) {
		p.finishes = append(p.finishes, d)
	}
}

// automatic reports whether there may be a schedule.
func (p *possibilities) automatic() bool {
	return slices.ContainsFunc(p.units, func(u calendar.Unit) bool { return u != 0 })
}

// shortMonth reports whether due days may be counted in months from a day that not every month has.
func (p *possibilities) shortMonth() bool {
	return slices.Contains(p.units, calendar.UnitMonth) && slices.ContainsFunc(p.anchors, func(d calendar.Date) bool {
		_, _, day := d.Date()
		return day > 28
	})
}

// affects reports whether the key of c can affect anything.
func (p *possibilities) affects(c ledger.Clause) bool {
	switch c {
	case clause.L01:
		return p.shortMonth()
	case clause.L02:
		return p.noStart && p.automatic() && (p.noAnchor || p.moved)
	case clause.L03:
		return p.startPast
	case clause.L05:
		return len(p.finishes) > 0
	case clause.L08:
		return slices.ContainsFunc(p.limits, func(n uint64) bool { return n > 0 })
	case clause.L09:
		return slices.Contains(p.limits, 0)
	case clause.L14:
		return p.resumed && p.stopped
	case clause.L15, clause.L16:
		return p.resumed && p.stopped && p.automatic()
	case clause.L16b:
		return p.notRun && p.automatic()
	case clause.L20:
		return p.charged
	case clause.L21:
		return p.charged && p.stopped
	case clause.L22:
		return p.charged && p.automatic()
	}
	return false
}
