package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Why is the main reason why a profile is or is not charged on a day. The zero value is none.
type Why uint8

// The reasons. Without a charge, the first that holds, in this order, is the one.
const (
	WhyDue         Why = iota + 1 // there is at least one automatic charge
	WhyNoSchedule                 // no period and interval (2.2.3, L25)
	WhyBeforeAsOf                 // the forecast starts later; the past is in the state
	WhyBeforeStart                // the first due day is later
	WhyStopped                    // stopped before that day's charge
	WhyNotDue                     // not a due day
	WhyPaid                       // the slot was charged before (2.2.10)
	WhyMissed                     // due, but its run is over, left out, or past the last repeat number
)

var whyWords = enum.Words{Type: "Why", Words: []string{
	"", "due", "no-schedule", "before-as-of", "before-start", "stopped", "not-due", "paid", "missed",
}}

// String returns the word of the reason that outputs use; it is empty for none.
func (w Why) String() string { return whyWords.String(uint8(w)) }

// MarshalText returns the word; a value that is not a Why is an error.
func (w Why) MarshalText() ([]byte, error) { return whyWords.Marshal(uint8(w)) }

// UnmarshalText reads what MarshalText writes. On an error w is unchanged.
func (w *Why) UnmarshalText(text []byte) error { return whyWords.Unmarshal(text, (*uint8)(w)) }

// An Explanation says what happens on a day, and why.
type Explanation struct {
	Date    calendar.Date
	Why     Why
	Charges []Charge // the automatic charges dated on the day; several where a run catches up
	Manual  []Charge // the manual charges of the day, which are not what Why is about
	// Before and After are the nearest days with a charge on either side; zero for none.
	Before, After calendar.Date
	Stop          Stop // the stop that took place by the day, or that is foreseen
	// Sentences are the arithmetic of the day in words, each with what it rests on.
	Sentences []Sentence
	Because   ledger.Because // what the charge, or its absence, rests on
}

// A Sentence is one step of an explanation. It shows amounts, dates and numbers of the profile, and
// no other value.
type Sentence struct {
	Text    string         `json:"text"`
	Because ledger.Because `json:"because"`
}

// An OtherReading is a reading of one silence under which the automatic charges of a day differ.
type OtherReading struct {
	Clause  ledger.Clause // the entry of the ledger, which has a key
	Value   string        // the other value of its key
	Charges []Charge      // those of the day; none if there is no charge
	Refused bool          // the profile is not accepted
}

// Explain says whether the profile is charged on day d, with the arithmetic in words. For a Date
// that is not a day it returns the zero Explanation.
func (p *Plan) Explain(d calendar.Date) Explanation {
	if !d.IsDay() {
		return Explanation{}
	}
	l := p.life(d)
	return l.explain(p.day(d))
}

// Others returns the readings of single silences under which the automatic charges of day d differ.
func (p *Plan) Others(d calendar.Date) []OtherReading {
	if !d.IsDay() {
		return nil
	}
	l := p.life(d)
	return l.others(p.day(d).charges)
}

// Explain is [Plan.Explain] for a profile with a script: what happens on a day of a simulation, whose
// Until is not used. It fails as [Engine.Simulate] does.
func (e Engine) Explain(s Simulation, d calendar.Date) (Explanation, error) {
	l := life{engine: e, sim: s, scripted: true, on: d}
	day, err := l.day()
	if err != nil {
		return Explanation{}, err
	}
	return l.explain(day), nil
}

// Others is [Plan.Others] for a profile with a script.
func (e Engine) Others(s Simulation, d calendar.Date) ([]OtherReading, error) {
	l := life{engine: e, sim: s, scripted: true, on: d}
	day, err := l.day()
	if err != nil {
		return nil, err
	}
	return l.others(day.charges), nil
}

// A life is a profile and a day of its life: by its forecast, or with a script by its simulation.
type life struct {
	engine   Engine
	sim      Simulation // its profile, as-of day and script
	scripted bool
	on       calendar.Date
}

// A dayOfLife is what happens on the day.
type dayOfLife struct {
	charges, manual []Charge
	before, after   calendar.Date // the nearest days with a charge
	stored          Stored        // the profile before the run of the day
	stopped         Stop          // that of the script through the end of the day; zero for none
	plan            *Plan         // what it will do then
}

// life returns the life of the profile of p as far as it concerns day d.
func (p *Plan) life(d calendar.Date) life {
	s := Stored{Profile: p.profile, State: p.given}
	return life{engine: Engine{p.policy}, sim: Simulation{Stored: s, AsOf: p.asOf}, on: d}
}

// day returns what the plan does on day d.
func (p *Plan) day(d calendar.Date) *dayOfLife {
	day := &dayOfLife{plan: p, charges: slices.Collect(p.Charges(calendar.Through(d, d)))}
	if from, to := p.ordinals(calendar.Window{To: d}); from < to {
		day.before = p.dateOf(to - 1)
	}
	if from, to := p.ordinals(calendar.Window{From: d.AddDays(1)}); from < to {
		day.after = p.dateOf(from)
	}
	day.stored = Stored{Profile: p.profile, State: p.State(d.AddDays(-1))}
	return day
}

// day returns what happens on the day.
func (l *life) day() (*dayOfLife, error) {
	created, err := l.engine.Compile(l.sim.Stored, l.sim.AsOf)
	if err != nil {
		return nil, err
	}
	if !l.scripted {
		return created.day(l.on), nil
	}
	d := &dayOfLife{stored: l.sim.Stored, plan: created}
	sim := l.sim
	sim.Until = calendar.MaxDate()
	_, err = l.engine.Simulate(sim, func(e Effect) bool {
		if e.Kind != EffectCharge {
			d.follow(&e, l.on)
			return true
		}
		switch c := e.Charge; {
		case c.Date.Before(l.on):
			d.before = c.Date
		case c.Date.After(l.on):
			d.after = c.Date
			return false
		case c.Manual:
			d.manual = append(d.manual, c)
		default:
			d.charges = append(d.charges, c)
		}
		return true
	})
	if err != nil || l.on.Before(l.sim.AsOf) {
		d.stored.State = created.State(calendar.Date{})
		return d, err
	}
	if d.stored, err = l.beforeRun(created); err != nil {
		return nil, err
	}
	d.plan, err = l.engine.Compile(d.stored, l.on)
	return d, err
}

// beforeRun returns the profile of a simulation before the run of the day: after the day before it and
// the events that precede the run.
func (l *life) beforeRun(created *Plan) (s Stored, err error) {
	s = l.sim.Stored
	if l.on.After(l.sim.AsOf) {
		sim := l.sim
		sim.Until = l.on.AddDays(-1)
		s, err = l.engine.Simulate(sim, func(Effect) bool { return true })
	} else {
		s.State = created.State(calendar.Date{})
	}
	for _, step := range l.sim.Script.Steps {
		if step.Date == l.on && !step.After && step.Kind != EventNoRun {
			_, s, _ = l.engine.Apply(nil, s, step.Event) // a refused event changes nothing
		}
	}
	return s, err
}

// noRun reports whether the script leaves out the run of the day.
func (l *life) noRun() bool {
	return slices.ContainsFunc(l.sim.Script.Steps, func(s Step) bool { return s.Date == l.on && s.Kind == EventNoRun })
}

// why returns the reason why there is a charge on the day or none.
func (l *life) why(d *dayOfLife) Why {
	k, due := d.grid().Index(l.on)
	switch {
	case len(d.charges) > 0:
		return WhyDue
	case !d.stored.Profile.Automatic():
		return WhyNoSchedule
	case l.on.Before(l.sim.AsOf):
		return WhyBeforeAsOf
	case k == 0 && !due:
		return WhyBeforeStart
	case l.stoppedBefore(d):
		return WhyStopped
	case !due:
		return WhyNotDue
	case d.isPaid(l.on):
		return WhyPaid
	}
	return WhyMissed
}

// stoppedBefore reports whether the profile is stopped before the charge of the day would be made.
func (l *life) stoppedBefore(d *dayOfLife) bool {
	stop := d.stop()
	switch {
	case stop.IsZero():
		return d.stored.State.Status == StatusStopped // on a day that is not known
	case stop.Date != l.on:
		return stop.Date.Before(l.on)
	case stop.Reasons == ReasonFinishDate && l.on == d.stored.Profile.Finish:
		return l.engine.policy.FinishBound == FinishBoundExclusive
	}
	return !d.isPaid(l.on)
}

// stop is the stop that took place or that the plan foresees; zero for none.
func (d *dayOfLife) stop() Stop {
	if d.stored.State.Status == StatusStopped {
		return d.stored.State.Stop
	}
	return d.plan.stop
}

// lastStop is the stop by the end of the day, or the one that the plan foresees; zero for none.
func (d *dayOfLife) lastStop() Stop {
	if !d.stopped.IsZero() {
		return d.stopped
	}
	return d.stop()
}

// follow takes note of an effect that stops or resumes the profile by the end of the day.
func (d *dayOfLife) follow(e *Effect, on calendar.Date) {
	switch {
	case e.Date.After(on):
	case e.Kind == EffectStop:
		d.stopped = e.Stop
	case e.Event == EventResume && e.Result == ResultAccepted:
		d.stopped = Stop{}
	}
}

// isPaid reports whether the slot of a day was charged before.
func (d *dayOfLife) isPaid(on calendar.Date) bool { return slices.Contains(d.stored.State.Paid, on) }

// grid is the due days of the profile as of the day; without any for one that has no schedule.
func (d *dayOfLife) grid() calendar.Schedule {
	return gridOf(&d.stored.Profile, d.stored.State.Anchor, d.plan.policy)
}

// others are the readings of single silences under which the charges of the day are not these.
func (l *life) others(charges []Charge) []OtherReading {
	var list []OtherReading
	for key := range Keys() {
		for value, policy := range l.engine.policy.others(key) {
			other := *l
			other.engine.policy = policy
			other.sim.Stored = l.sim.Stored.Under(policy)
			day, err := other.day()
			switch {
			case err != nil && len(charges) > 0:
				list = append(list, OtherReading{Clause: key, Value: value, Refused: true})
			case err == nil && !slices.EqualFunc(charges, day.charges, func(a, b Charge) bool { return a.Slot == b.Slot && sameCharge(a, b) }):
				list = append(list, OtherReading{Clause: key, Value: value, Charges: day.charges})
			}
		}
	}
	return list
}
