package laws

import (
	"fmt"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/record"
)

// logLaws are the laws of what happens to a profile: whole logs, and single events.
func logLaws() []Law {
	return []Law{
		law("E03", "2.2.1 2.2.7", "simulate without a script ≡ forecast", gen.Plans, simulateIsForecast),
		law("E04", "3", "no automatic charge while stopped; only a resume through the UI leads out", gen.Logs, stoppedStays),
		law("E07", "2.2.10", "each slot is charged automatically at most once in every interleaving", gen.Logs, slotOnce),
		law("E19", "L25", "DST or no schedule: no automatic charge under any log", gen.Logs, neverAutomatic),
		law("E22", "L13", "a declined attempt uses up slot, repeat and element and is never retried", gen.Logs, declinedIsMade),
		law("E23", "3 L32b", "a log of events = the oracle's life, one day after the other", gen.Logs, equalsLife),
		law("R05", "L14", "the repeat number falls only at an accepted resume under resume-counter=reset", gen.Logs, repeatFalls),
		law("R07", "L20", "a manual charge carries the current repeat number and advances it; uncounted, the later charges are as without it", gen.Logs, manualCounts),
		law("E11", "L17 X11", "resume while a stop condition holds: active, then stopped again in that day's run, no charge", gen.Plans, resumeAtStop),
		law("E13", "L14 L15 L16", "resume keeps counter, anchor and paid slots; days missed while stopped are not charged", gen.Plans, resumeKeeps).presuming("resume-counter", "resume-anchor", "resume-missed"),
		law("E14", "L18", "start-date updated on an active profile: grid from the new anchor, repeat goes on, paid slots stay", gen.Plans, newStart),
		law("E15", "L10 L19", "finish-date or M updated acts at the next run; M at or under the counter stops there", gen.Plans, newLimits),
		law("E16", "L26", "amounts replaced: new strategy at the same repeat number", gen.Plans, newAmounts),
		law("E17", "L20 L21 L22", "manual charge: accepted when active, refused when stopped, takes no slot, stops at K", gen.Plans, manualCharge).presuming("manual-counts", "manual-when-stopped", "manual-takes-slot"),
		law("E18", "L23 L24", "stop before the run: no charge that day; after it: one; reason stopped-by-api", gen.Plans, stopThatDay),
		law("E29", "L16", "resume-anchor=resume-date: resume-missed decides the resume's own day alone, and only after its run", gen.Plans, missedByNewAnchor),
	}
}

func simulateIsForecast(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	l := t.live(p.Job, p.Day(p.B), record.Script{})
	want := f.in(p.Window(0, p.B+1))
	got := l.charges()
	t.Equal("simulated, against the forecast", undrawn(got, want), want)
	t.Equal("the end, simulated and forecast", plainEnd(l.end.State), f.End(p.Day(p.B)).plain())
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

// stoppedStays follows the status through the effects.
func stoppedStays(t *T, l gen.LogCase) {
	stopped := l.State.Status == engine.StatusStopped
	resumed := false
	life := t.life(l)
	for _, e := range life.effects {
		switch {
		case e.Kind == engine.EffectStop:
			if stopped {
				t.Errorf("stopped again on %v while stopped", e.Date)
			}
			stopped = true
		case e.Kind == engine.EffectCharge && stopped && (!e.Charge.Manual || l.Policy.ManualWhenStopped == engine.ManualWhenStoppedRefuse):
			t.Errorf("a charge on %v while stopped", e.Date)
		case e.Kind == engine.EffectEvent && e.Event == engine.EventResume && e.Result == engine.ResultAccepted:
			if !stopped {
				t.Errorf("a resume of an active profile is accepted on %v", e.Date)
			}
			stopped, resumed = false, true
		}
	}
	end := life.end.State
	if (end.Status == engine.StatusStopped) != stopped {
		t.Errorf("the status at the end is %v, by the effects stopped is %v, resumed %v", end.Status, stopped, resumed)
	}
}

func slotOnce(t *T, l gen.LogCase) {
	seen := map[calendar.Date]bool{}
	for _, c := range t.life(l).charges() {
		if seen[c.Slot] || slices.Contains(l.State.Paid, c.Slot) {
			t.Errorf("slot %v is charged again on %v", c.Slot, c.Date)
		}
		seen[c.Slot] = true
	}
}

func neverAutomatic(t *T, l gen.LogCase) {
	l.Profile.Unit, l.Profile.Interval, l.Profile.Kind = 0, 0, engine.KindDestination
	for _, c := range t.life(l).charges() {
		t.Errorf("an automatic charge on %v", c.Date)
	}
}

// declinedIsMade compares with the same log without outcomes.
func declinedIsMade(t *T, l gen.LogCase) {
	plain := l
	plain.Declined = nil
	all := func(l life) (list []engine.Charge, declined []uint64) {
		for _, e := range l.effects {
			if e.Kind == engine.EffectCharge {
				list = append(list, plainCharge(e.Charge))
				if e.Charge.Outcome == engine.OutcomeDeclined {
					declined = append(declined, e.Charge.Repeat)
				}
			}
		}
		return list, declined
	}
	got, declined := all(t.life(l))
	want, _ := all(t.life(plain))
	t.Equal("with declined attempts", got, want)
	for _, c := range got {
		if slices.Contains(l.Declined, c.Repeat) && !slices.Contains(declined, c.Repeat) {
			t.Errorf("the attempt with repeat %d was to be declined", c.Repeat)
		}
	}
}

// equalsLife compares every effect with the oracle's.
func equalsLife(t *T, l gen.LogCase) {
	got := t.life(l)
	want, err := lifeBy(ReferenceEngine(oracle.Right()), l.Policy, simulation(l.Job, l.Until(), l.Script()))
	if err != nil {
		t.Fatalf("the oracle refuses the log")
	}
	if !t.Equal("the effects", plainEffects(got), plainEffects(want)) {
		return
	}
	a, b := got.end, want.end
	t.Equal("the end", plainEnd(a.State), plainEnd(b.State))
	t.Equal("the anchor at the end", a.State.Anchor, b.State.Anchor)
	t.Equal("the profile at the end", columnsOf(a.Profile), columnsOf(b.Profile))
}

// repeatFalls follows the repeat number through the charges: it falls only behind a
// resume that resets it.
func repeatFalls(t *T, l gen.LogCase) {
	next := l.StartRepeat()
	for _, e := range t.life(l).effects {
		switch {
		case e.Kind == engine.EffectEvent && e.Event == engine.EventResume && e.Result == engine.ResultAccepted && l.Policy.ResumeCounter == engine.ResumeCounterReset:
			next = 0
		case e.Kind != engine.EffectCharge:
		case e.Charge.Repeat != next:
			t.Fatalf("repeat %d on %v, want %d", e.Charge.Repeat, e.Date, next)
		case !e.Charge.Manual || l.Policy.ManualCounts == engine.ManualCountsYes:
			next++
		}
	}
	if got := t.life(l).end.State.Repeat; got != next {
		t.Errorf("the repeat number at the end is %d, want %d", got, next)
	}
}

func manualCounts(t *T, l gen.LogCase) {
	l.Policy.ManualCounts, l.Policy.ManualTakesSlot = engine.ManualCountsNo, engine.ManualTakesSlotNo
	without := l
	without.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Kind == engine.EventCharge })
	t.Equal("with uncounted manual charges", t.life(l).charges(), t.life(without).charges())

	l.Policy.ManualCounts = engine.ManualCountsYes
	repeatFalls(t, l)
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

// resumeAtStop caps the profile at the repeat number that it has.
func resumeAtStop(t *T, p gen.PlanCase) {
	p.Policy.ResumeCounter, p.Policy.MaxCounts, p.Policy.MaxZero = engine.ResumeCounterKeep, engine.MaxCountsCharges, engine.MaxZeroStop
	p.Profile.MaxRepeats = engine.AtMost(p.StartRepeat())
	s := t.stoppedOn(p, p.A)
	day := p.Day(p.B)
	s = t.happened(s, engine.Event{Date: day, Kind: engine.EventResume}, p.Policy)
	if s.State.Status != engine.StatusActive {
		t.Errorf("a resumed profile is %v", s.State.Status)
	}
	next := day
	if s.State.RanThrough == day { // as-of had its run
		next = day.AddDays(1)
	}
	if !next.IsDay() {
		return
	}
	s, effects := t.ran(s, next, p.Policy)
	if s.State.Status != engine.StatusStopped || len(madeBy(effects)) > 0 || s.State.Stop.Date != next {
		t.Errorf("resumed at the cap, the run of %v leaves it %v, %s, with %d charges", next, s.State.Status, StopFrom(s.State.Stop), len(madeBy(effects)))
	}
}

func resumeKeeps(t *T, p gen.PlanCase) {
	p.Policy.ResumeCounter, p.Policy.ResumeAnchor, p.Policy.ResumeMissed = 0, 0, 0
	p.Policy.RunMissed, p.Policy.StartPast = 0, 0
	p.State.Missed = nil
	s := t.stoppedOn(p, p.A)
	day := p.Day(p.B)
	s, _ = t.ran(s, later(p.Day(p.A), day.AddDays(-1)), p.Policy)
	after := t.happened(s, engine.Event{Date: day, Kind: engine.EventResume}, p.Policy)
	t.Equal("what a resume keeps", keptOf(after.State), keptOf(s.State))
	_, effects := t.ran(after, day, p.Policy)
	for _, c := range madeBy(effects) {
		if c.Slot != day || c.Repeat != s.State.Repeat {
			t.Errorf("the run after a resume on %v charges slot %v with repeat %d", day, c.Slot, c.Repeat)
		}
	}
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

func newLimits(t *T, p gen.PlanCase) {
	p.Policy.MaxCounts = engine.MaxCountsCharges
	s, _ := t.ran(t.stored(p.Job), p.AsOf.AddDays(-1), p.Policy)
	if s.State.Status != engine.StatusActive || s.State.Repeat == 0 {
		return
	}
	next := p.AsOf
	if s.State.RanThrough == p.AsOf { // as-of had its run
		next = p.AsOf.AddDays(1)
	}
	if !next.IsDay() {
		return
	}
	lower := engine.Update{MaxRepeats: engine.To(engine.AtMost(1 + (s.State.Repeat-1)/2))}
	past := engine.Update{Finish: engine.To(p.AsOf.AddDays(-1))}
	for _, u := range [...]engine.Update{lower, past} {
		if past.Finish.Value.IsZero() {
			continue
		}
		after := t.happened(s, engine.Event{Date: p.AsOf, Kind: engine.EventUpdate, Update: u}, p.Policy)
		if after.State.Status != engine.StatusActive {
			t.Errorf("an update stops at once")
		}
		ran, effects := t.ran(after, next, p.Policy)
		if len(madeBy(effects)) > 0 || ran.State.Status != engine.StatusStopped || ran.State.Stop.Date != next {
			t.Errorf("the next run leaves it %v, with %d charges", ran.State.Status, len(madeBy(effects)))
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

func manualCharge(t *T, p gen.PlanCase) {
	p.Policy.ManualCounts, p.Policy.ManualWhenStopped, p.Policy.ManualTakesSlot = 0, 0, 0
	s := t.stored(p.Job)
	if s.State.Last.IsZero() {
		s.State.Last = s.State.RanThrough // a state that was saved, so that nothing is filled in
	}
	s, _ = t.ran(s, p.AsOf.AddDays(-1), p.Policy)
	after, effects, err := t.Handle(s, engine.Event{Date: p.AsOf, Kind: engine.EventCharge}, p.Policy)
	if s.State.Status == engine.StatusStopped {
		if err == nil || !after.State.Equal(s.State) {
			t.Errorf("a manual charge on a stopped profile is not refused")
		}
		return
	}
	if err != nil {
		t.Fatalf("a manual charge is refused: %v", err)
	}
	most, capped := capOf(p.Job)
	if capped && s.State.Repeat >= most || !p.Profile.Finish.IsZero() && !p.AsOf.Before(p.Profile.Finish) {
		t.open = clause.L11.String()
	}
	kept := keptOf(s.State)
	kept.Repeat++
	t.Equal("after a manual charge", keptOf(after.State), kept)
	if reached := capped && after.State.Repeat >= most; reached != (after.State.Status == engine.StatusStopped) {
		t.Errorf("with %d of at most %d repeats the profile is %v", after.State.Repeat, most, after.State.Status)
	}
	for _, f := range effects {
		if f.Kind == engine.EffectCharge && (!f.Charge.Manual || f.Charge.Repeat != s.State.Repeat || f.Charge.Date != p.AsOf) {
			t.Errorf("the manual charge is %s, want repeat %d on %v", EffectText(f), s.State.Repeat, p.AsOf)
		}
	}
}

// stopThatDay stops on the day of the first charge, before its run and after it.
func stopThatDay(t *T, p gen.PlanCase) {
	plain := t.live(p.Job, p.Day(p.C), record.Script{}).charges()
	if len(plain) == 0 {
		return
	}
	day := plain[0].Date
	for _, after := range [...]bool{false, true} {
		step := engine.Step{Event: engine.Event{Date: day, Kind: engine.EventStop}, After: after}
		l := t.live(p.Job, p.Day(p.C), record.Script{Steps: []engine.Step{step, step}})
		var want []engine.Charge
		if after {
			want = slices.DeleteFunc(slices.Clone(plain), func(c engine.Charge) bool { return c.Date.After(day) })
		}
		t.Equal("stopped on "+day.String(), l.charges(), want)
		stop := StopFrom(l.end.State.Stop)
		if l.end.State.Status != engine.StatusStopped || stop.Date != day {
			t.Errorf("stopped on %v, it ends %v since %v", day, l.end.State.Status, stop.Date)
		}
		if !after && !slices.Equal(stop.Reasons, []string{"stopped-by-api"}) {
			t.Errorf("after a stop through the update operation it is %s", stop)
		}
	}
}
