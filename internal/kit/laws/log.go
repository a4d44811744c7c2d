package laws

import (
	"fmt"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/record"
)

// logLaws are the laws of what happens to a profile: whole logs, and single events.
func logLaws() []Law {
	return []Law{
		law("E23", gen.Logs, walkedLife),
		law("E31", gen.Logs, walkedLifeEnd),
		own("E14", "L18", "start-date updated on an active profile: grid from the new anchor, repeat goes on, paid slots stay", gen.Plans, newStart),
		own("E16", "L26", "amounts replaced: new strategy at the same repeat number", gen.Plans, newAmounts),
		own("E29", "L16", "resume-anchor=resume-date: resume-missed decides the resume's own day alone, and only after its run", gen.Plans, missedByNewAnchor),
	}
}

// walkedLife compares the charges and events with the oracle's.
func walkedLife(t *T, l gen.LogCase) {
	got := withoutStops(plainEffects(t.life(l)))
	want := withoutStops(plainEffects(t.oracleLife(l)))
	for i := range min(len(got), len(want)) {
		if got[i].Kind == engine.EffectCharge && want[i].Kind == engine.EffectCharge && l.Profile.Amounts.Kind() == amount.KindRange && drawnFrom(got[i].Charge, want[i].Charge, l) {
			got[i].Charge.Min, got[i].Charge.Max = want[i].Charge.Min, want[i].Charge.Max
		}
	}
	if slices.Equal(got, want) {
		return
	}
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	n = max(n-1, 0) // the one before shows where it went wrong
	t.Equal("the charges and events", got[min(n, len(got)):], want[min(n, len(want)):])
}

// drawnFrom reports whether a drawn amount keeps the bounds of the profile's range. How it is drawn is everybody's own business.
func drawnFrom(got, want engine.Charge, l gen.LogCase) bool {
	low, high := l.Profile.Amounts.Bounds(want.Repeat)
	return got.Min == got.Max && low.Compare(got.Min) <= 0 && got.Max.Compare(high) <= 0
}

// walkedLifeEnd compares where the life ends, and the stops on the way where the implementation tells them.
func walkedLifeEnd(t *T, l gen.LogCase) {
	got, want := t.life(l), t.oracleLife(l)
	if !t.Equal("the end", plainEnd(got.end.State), plainEnd(want.end.State)) {
		return
	}
	stops := func(l life) []engine.Effect {
		return slices.DeleteFunc(plainEffects(l), func(e engine.Effect) bool { return e.Kind != engine.EffectStop })
	}
	if told := stops(got); len(told) > 0 {
		t.Equal("the stops", told, stops(want))
	}
}

// oracleLife is the life that the oracle walks.
func (t *T) oracleLife(l gen.LogCase) life {
	want, err := lifeBy(ReferenceEngine(oracle.Right()), l.Policy, simulation(l.Job, l.Until(), l.Script()))
	if err != nil {
		t.Fatalf("the oracle refuses the log")
	}
	return want
}

// fold lets events happen one after the other. The effects are plain.
func (t *T) fold(s engine.Stored, events []engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored) {
	var all []engine.Effect
	for _, e := range events {
		next, effects, _ := t.happen(s, e, p)
		for _, f := range effects {
			all = append(all, plainEffect(f))
		}
		s = next
	}
	return all, s
}

// happen lets an event happen; EventRun is the daily runs up to its day.
func (t *T) happen(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
	if e.Kind == engine.EventRun {
		return t.Advance(s, e.Date, p)
	}
	return t.Handle(s, e, p)
}

// log is the case's events in order of date that a program handles, most of them followed by that day's run.
func log(l gen.LogCase) []engine.Event {
	steps := slices.Clone(l.Steps)
	slices.SortStableFunc(steps, func(a, b engine.Step) int { return a.Date.Compare(b.Date) })
	var events []engine.Event
	for _, s := range steps {
		if s.Kind <= engine.EventCharge {
			events = append(events, s.Event)
		}
		if !s.After {
			events = append(events, engine.Event{Date: s.Date, Kind: engine.EventRun})
		}
	}
	return events
}

// A life is what a simulation gave.
type life struct {
	effects []engine.Effect
	end     engine.Stored
}

// lifeBy is what an engine makes of a simulation.
func lifeBy(by EngineImpl, p engine.Policy, s engine.Simulation) (l life, err error) {
	l.end, err = by.Simulate(p, s, func(e engine.Effect) bool {
		l.effects = append(l.effects, e)
		return true
	})
	return l, err
}

func simulation(j gen.Job, until calendar.Date, script record.Script) engine.Simulation {
	return engine.Simulation{Stored: j.Stored(), AsOf: j.AsOf, Until: until, Steps: script.Steps, Outcomes: script.Outcomes, Seed: 1}
}

// live simulates a job up to a day.
func (t *T) live(j gen.Job, until calendar.Date, script record.Script) life {
	sim := simulation(j, until, script)
	l, err := lifeBy(t.EngineImpl, j.Policy, sim)
	if err != nil {
		t.Fatalf("the simulation is refused: %v", err)
	}
	t.noteLife(j.Policy, sim, l)
	return l
}

// charges are the automatic charges of a life.
func (l life) charges() []engine.Charge {
	var list []engine.Charge
	for _, e := range l.effects {
		if e.Kind == engine.EffectCharge && !e.Charge.Manual {
			list = append(list, plainCharge(e.Charge))
		}
	}
	return list
}

// life is what a simulation of the case gives.
func (t *T) life(l gen.LogCase) life {
	return t.live(l.Job, l.Until(), l.Script())
}

// plainEffect is what two implementations must agree on: an effect without what it rests on.
func plainEffect(e engine.Effect) engine.Effect {
	plain := engine.Effect{Kind: e.Kind, Date: e.Date}
	switch c := &e.Charge; e.Kind {
	case engine.EffectCharge:
		plain.Charge = plainCharge(*c)
		plain.Charge.Date, plain.Charge.Outcome = calendar.Date{}, c.Outcome
	case engine.EffectStop:
		plain.Stop = engine.Stop{Date: e.Stop.Date, Reasons: e.Stop.Reasons}
	case engine.EffectEvent:
		plain.Event, plain.Result = e.Event, e.Result
	}
	return plain
}

// plainEffects are the plain effects of the parts of a life.
func plainEffects(parts ...life) []engine.Effect {
	var all []engine.Effect
	for _, p := range parts {
		for _, e := range p.effects {
			all = append(all, plainEffect(e))
		}
	}
	return all
}

// happened lets one event happen that must be accepted.
func (t *T) happened(s engine.Stored, e engine.Event, p engine.Policy) engine.Stored {
	next, _, err := t.Handle(s, e, p)
	if err != nil {
		t.Errorf("%v on %v is refused: %v", e.Kind, e.Date, err)
	}
	return next
}

// ran lets the daily runs up to and including a day take place. On the day before the first of the calendar there was none.
func (t *T) ran(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect) {
	if !through.IsDay() {
		return s, nil
	}
	next, effects, err := t.Advance(s, through, p)
	if err != nil {
		t.Fatalf("the runs up to %v are refused: %v", through, err)
	}
	return next, effects
}

// stoppedOn is the case's profile, stopped on a day through the update operation.
func (t *T) stoppedOn(p gen.PlanCase, n int) engine.Stored {
	s := t.stored(p.Job)
	if s.State.Status == engine.StatusActive {
		s = t.happened(s, engine.Event{Date: p.Day(n), Kind: engine.EventStop}, p.Policy)
	}
	return s
}

// madeBy are the automatic charges of one event's effects.
func madeBy(effects []engine.Effect) []engine.Charge {
	return life{effects: effects}.charges()
}

// keptOf is what a change of a profile's status or columns leaves alone.
func keptOf(s engine.State) engine.State {
	return engine.State{Repeat: s.Repeat, Anchor: s.Anchor, Paid: s.Paid}
}

// missedByNewAnchor resumes before and after the run of a day, with a new anchor and both values of
// resume-missed, and compares what that day's run and the next one charge.
func missedByNewAnchor(t *T, p gen.PlanCase) {
	p.Policy.ResumeAnchor = engine.ResumeAnchorResumeDate
	p.Policy.ResumeMissed, p.Policy.RunMissed, p.Policy.StartPast = engine.MissedSkip, engine.MissedSkip, engine.StartPastSkip
	p.Profile.MaxRepeats, p.Profile.Finish = engine.Limit{}, calendar.Date{}
	p.State.Missed = nil
	s := t.stoppedOn(p, p.A)
	day := p.Day(p.B)
	next := day.AddDays(1)
	if !next.IsDay() || s.State.RanThrough == day {
		return
	}
	charged := func(missed engine.Missed, ran bool) (slots []calendar.Date) {
		policy := p.Policy
		policy.ResumeMissed = missed
		s := s.Under(policy)
		if ran {
			s, _ = t.ran(s, day, policy)
		}
		s = t.happened(s, engine.Event{Date: day, Kind: engine.EventResume}, policy)
		_, effects := t.ran(s, next, policy)
		for _, c := range madeBy(effects) {
			slots = append(slots, c.Slot)
		}
		return slots
	}
	skip, catchUp := charged(engine.MissedSkip, false), charged(engine.MissedCatchUp, false)
	t.Equal(fmt.Sprintf("resumed on %v before its run, the slots of resume-missed=catch-up and of skip", day), catchUp, skip)
	skip, catchUp = charged(engine.MissedSkip, true), charged(engine.MissedCatchUp, true)
	if p.Profile.Unit != 0 && !slices.Contains(s.State.Paid, day) && s.State.Repeat < 1<<62 {
		skip = append([]calendar.Date{day}, skip...)
	}
	t.Equal(fmt.Sprintf("resumed on %v after its run, the slots of resume-missed=catch-up", day), catchUp, skip)
}

func newStart(t *T, p gen.PlanCase) {
	s := t.stored(p.Job)
	if s.State.Status != engine.StatusActive || p.Profile.Unit == 0 || s.State.RanThrough == p.AsOf {
		return
	}
	before, _ := t.ran(s, p.AsOf, p.Policy)
	start := p.Day(p.A - p.N)
	after := t.happened(before, engine.Event{Date: p.AsOf, Kind: engine.EventUpdate, Update: engine.Update{Start: engine.To(start)}}, p.Policy)
	kept := keptOf(before.State)
	kept.Anchor = start
	t.Equal("what a new start-date keeps", keptOf(after.State), kept)
	t.Equal("the status under a new start-date", after.State.Status, before.State.Status)
	// What the run charged is not charged again, whatever the grid: not by the next run, nor by a second one of the day.
	back := t.happened(after, engine.Event{Date: p.AsOf, Kind: engine.EventUpdate, Update: engine.Update{Start: engine.To(p.AsOf)}}, p.Policy)
	job := p.Job
	job.Profile, job.State = back.Profile, back.State
	again := engine.Step{Event: engine.Event{Date: p.AsOf, Kind: engine.EventRun}}
	for _, c := range t.live(job, p.Day(1), record.Script{Steps: []engine.Step{again}}).charges() {
		if slices.Contains(before.State.Paid, c.Slot) {
			t.Errorf("the paid slot %v is charged again", c.Slot)
		}
	}
}

func newAmounts(t *T, p gen.PlanCase) {
	day := p.Day(p.A)
	s, _ := t.ran(t.stored(p.Job), day.AddDays(-1), p.Policy)
	list := []amount.Amount{gen.Minor(11, 2), gen.Minor(22, 2), gen.Minor(33, 2), gen.Minor(44, 2)}
	u := engine.SetAmounts(gen.SequenceOf(list))
	after := t.happened(s, engine.Event{Date: day, Kind: engine.EventUpdate, Update: u}, p.Policy)
	if after.State.Repeat != s.State.Repeat || after.State.Status != s.State.Status {
		t.Errorf("new amounts change repeat %d to %d", s.State.Repeat, after.State.Repeat)
	}
	_, effects := t.ran(after, day, p.Policy)
	for i, c := range madeBy(effects) {
		repeat := s.State.Repeat + uint64(i)
		if want := list[min(repeat, 3)]; c.Repeat != repeat || c.Min.Compare(want) != 0 {
			t.Errorf("charge with repeat %d of %v, want %d of %v", c.Repeat, c.Min, repeat, want)
		}
	}
}

// undrawn are charges of a simulation with the bounds of those of a forecast, where what was drawn keeps to them.
func undrawn(list, of []engine.Charge) []engine.Charge {
	list = slices.Clone(list)
	for i, c := range first(of, list) {
		if c.Min.Compare(list[i].Min) <= 0 && list[i].Max.Compare(c.Max) <= 0 {
			list[i].Min, list[i].Max = c.Min, c.Max
		}
	}
	return list
}
