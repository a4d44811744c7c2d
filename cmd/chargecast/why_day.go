package main

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A lifeOf is one profile and a day of its life: by its forecast, or with a script by its simulation.
type lifeOf struct {
	stored   engine.Stored
	asOf, on calendar.Date
	policy   engine.Policy
	scripted bool
	script   engine.Script
	seed     uint64
}

// A dayOfLife is what happens on the day.
type dayOfLife struct {
	charges       []engine.Charge // automatic, dated on the day
	manual        []engine.Charge
	before, after calendar.Date // the nearest days with a charge; zero for none
	// stored is the profile before the run of the day, and plan what it will do then.
	stored engine.Stored
	plan   *engine.Plan
}

// day finds what happens on the day.
func (l *lifeOf) day() (*dayOfLife, error) {
	plan, err := engine.Compile(l.stored, l.asOf, l.policy)
	if err != nil {
		return nil, err
	}
	if l.scripted {
		return l.simulated(plan)
	}
	d := &dayOfLife{stored: l.stored, plan: plan}
	d.charges = slices.Collect(plan.Charges(calendar.Through(l.on, l.on)))
	earlier := calendar.Window{From: l.asOf, To: l.on}
	if n := plan.Count(earlier); n > 0 {
		d.before = dayOf(plan, earlier, n)
	}
	for c := range plan.Charges(calendar.Window{From: l.on.AddDays(1)}) {
		d.after = c.Date
		break
	}
	d.stored.State = plan.State(l.on.AddDays(-1))
	return d, nil
}

// simulated is day for a profile with a script.
func (l *lifeOf) simulated(created *engine.Plan) (*dayOfLife, error) {
	d := &dayOfLife{stored: l.stored, plan: created}
	sim := engine.Simulation{Stored: l.stored, AsOf: l.asOf, Until: calendar.Last(), Policy: l.policy, Script: l.script, Seed: l.seed}
	_, err := engine.Simulate(sim, func(e engine.Effect) bool {
		if e.Kind != engine.ChargeAttempted {
			return true
		}
		switch c := e.Charge; c.Date.Compare(l.on) {
		case -1:
			d.before = c.Date
		case 1:
			d.after = c.Date
			return false
		default:
			if c.Manual {
				d.manual = append(d.manual, c)
			} else {
				d.charges = append(d.charges, c)
			}
		}
		return true
	})
	if err != nil || l.on.Before(l.asOf) {
		d.stored.State = created.State(calendar.Date{})
		return d, err
	}
	if d.stored, err = l.beforeRun(sim, created); err != nil {
		return nil, err
	}
	d.plan, err = engine.Compile(d.stored, l.on, l.policy)
	return d, err
}

// beforeRun returns the profile of a simulation before the run of the day: after the day before it and
// the events that precede the run.
func (l *lifeOf) beforeRun(sim engine.Simulation, created *engine.Plan) (s engine.Stored, err error) {
	s = l.stored
	if l.on.After(l.asOf) {
		sim.Until = l.on.AddDays(-1)
		s, err = engine.Simulate(sim, func(engine.Effect) bool { return true })
	} else {
		s.State = created.State(calendar.Date{})
	}
	for _, step := range l.script.Steps {
		if step.Date == l.on && !step.After && step.Do != engine.DoNoRun {
			_, s, _ = engine.Apply(nil, s, step.Event, l.policy) // a refused event changes nothing
		}
	}
	return s, err
}

// noRun reports whether the script leaves out the run of the day.
func (l *lifeOf) noRun() bool {
	return slices.ContainsFunc(l.script.Steps, func(s engine.Step) bool { return s.Date == l.on && s.Do == engine.DoNoRun })
}

// charge is the charge of the day, of several the last; nil for none.
func (d *dayOfLife) charge() *engine.Charge {
	if n := len(d.charges); n > 0 {
		return &d.charges[n-1]
	}
	return nil
}

// The reasons that why gives; the first that holds is the one.
const (
	whyDue         = "due"
	whyNoSchedule  = "no-schedule"
	whyBeforeAsOf  = "before-as-of"
	whyBeforeStart = "before-start"
	whyStopped     = "stopped"
	whyNotDue      = "not-due"
	whyPaid        = "paid"
	whyMissed      = "missed"
)

// reason says why there is a charge on the day or none.
func (d *dayOfLife) reason(l *lifeOf) string {
	p := &d.stored.Profile
	k, due := d.grid(l).Index(l.on)
	switch {
	case len(d.charges) > 0:
		return whyDue
	case !p.Automatic():
		return whyNoSchedule
	case l.on.Before(l.asOf):
		return whyBeforeAsOf
	case k == 0 && !due:
		return whyBeforeStart
	case d.stoppedBefore(l):
		return whyStopped
	case !due:
		return whyNotDue
	case d.isPaid(l.on):
		return whyPaid
	}
	return whyMissed
}

// stoppedBefore reports whether the profile is stopped before the charge of the day would be made.
func (d *dayOfLife) stoppedBefore(l *lifeOf) bool {
	stop := d.stop()
	switch {
	case stop.IsZero():
		return d.stored.State.Status == engine.StatusStopped // on a day that is not known
	case stop.Date != l.on:
		return stop.Date.Before(l.on)
	case stop.Reasons == engine.ReasonFinishDate && l.on == d.stored.Profile.Finish:
		return l.policy.FinishBound == engine.FinishBoundExclusive
	}
	return !d.isPaid(l.on)
}

// stop is the stop that took place or that the plan foresees; zero for none.
func (d *dayOfLife) stop() engine.Stop {
	if d.stored.State.Status == engine.StatusStopped {
		return d.stored.State.Stop
	}
	return d.plan.Stop()
}

// isPaid reports whether the slot of a day was charged before.
func (d *dayOfLife) isPaid(on calendar.Date) bool { return slices.Contains(d.stored.State.Paid, on) }

// grid is the due days of the profile as of the day; without any for one that has no schedule.
func (d *dayOfLife) grid(l *lifeOf) calendar.Schedule {
	p := &d.stored.Profile
	grid, _ := calendar.NewSchedule(d.stored.State.Anchor, p.Unit, p.Interval, l.policy.MonthEnd)
	return grid
}

// An otherDay is a policy value under which the charge of the day is another.
type otherDay struct {
	policy  string
	charge  *engine.Charge // nil for none
	refused bool           // the profile is not accepted
}

// others are the values of each single key under which the charges of the day differ.
func (l *lifeOf) others(d *dayOfLife) []otherDay {
	var list []otherDay
	for key := range engine.Keys() {
		e := key.Entry()
		for i, r := range e.Readings {
			if r.Value == l.policy.Reading(key).Value {
				continue
			}
			other := *l
			other.policy = l.policy.WithReading(key, i)
			day, err := other.day()
			switch {
			case err != nil && len(d.charges) > 0:
				list = append(list, otherDay{policy: e.Key + "=" + r.Value, refused: true})
			case err == nil && !slices.EqualFunc(d.charges, day.charges, sameRecord):
				list = append(list, otherDay{policy: e.Key + "=" + r.Value, charge: day.charge()})
			}
		}
	}
	return list
}

// sameRecord reports whether two charges are the same in all that a record shows but reasons.
func sameRecord(a, b engine.Charge) bool {
	return a.Repeat == b.Repeat && a.Slot == b.Slot && a.Date == b.Date && a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0 && a.Outcome == b.Outcome
}
