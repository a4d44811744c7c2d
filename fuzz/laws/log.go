package laws

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// logLaws are the laws of logs of events.
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
	}
}

func simulateIsForecast(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	l := t.live(p.Job, p.Day(p.B), engine.Script{})
	want := f.in(p.Window(0, p.B+1))
	got := l.charges()
	for i, w := range first(want, got) {
		if w.Min.Compare(got[i].Min) <= 0 && got[i].Max.Compare(w.Max) <= 0 { // drawn
			got[i].Min, got[i].Max = w.Min, w.Max
		}
	}
	t.Equal("simulated, against the forecast", got, want)
	t.Equal("the end, simulated and forecast", plainEnd(l.end.State), f.End(p.Day(p.B)).plain())
}

// stoppedStays follows the status through the effects.
func stoppedStays(t *T, l gen.LogCase) {
	stopped := l.State.Status == engine.StatusStopped
	resumed := false
	life := t.life(l)
	for _, e := range life.effects {
		switch {
		case e.Kind == engine.ProfileStopped:
			if stopped {
				t.Errorf("stopped again on %v while stopped", e.Date)
			}
			stopped = true
		case e.Kind == engine.ChargeAttempted && stopped && (!e.Charge.Manual || l.Policy.ManualWhenStopped == engine.ManualWhenStoppedRefuse):
			t.Errorf("a charge on %v while stopped", e.Date)
		case e.Kind == engine.EventHandled && e.Event == engine.DoResume && e.Result == engine.ResultAccepted:
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
			if e.Kind == engine.ChargeAttempted {
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
	var want life
	sim := engine.Simulation{Stored: engine.Stored{Profile: l.Profile, State: l.State}, AsOf: l.AsOf, Until: l.Until(), Script: l.Script(), Seed: 1}
	var err error
	want.end, err = ReferenceEngine(oracle.Right()).Simulate(l.Policy, sim, func(e engine.Effect) bool {
		want.effects = append(want.effects, e)
		return true
	})
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
		case e.Kind == engine.EventHandled && e.Event == engine.DoResume && e.Result == engine.ResultAccepted && l.Policy.ResumeCounter == engine.ResumeCounterReset:
			next = 0
		case e.Kind != engine.ChargeAttempted:
		case e.Charge.Repeat != next:
			t.Errorf("repeat %d on %v, want %d", e.Charge.Repeat, e.Date, next)
			return
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
	without.Steps = slices.DeleteFunc(slices.Clone(l.Steps), func(s engine.Step) bool { return s.Do == engine.DoCharge })
	t.Equal("with uncounted manual charges", t.life(l).charges(), t.life(without).charges())

	l.Policy.ManualCounts = engine.ManualCountsYes
	repeatFalls(t, l)
}

// fold lets events happen one after the other, each run as a day's own. The effects are plain.
func (t *T) fold(s engine.Stored, events []engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored) {
	var all []engine.Effect
	for _, e := range events {
		effects, next, _ := t.Apply(s, e, p)
		for _, f := range effects {
			all = append(all, plainEffect(f))
		}
		s = next
	}
	return all, s
}

// log is the case's events in order of date, each followed by that day's run.
func log(l gen.LogCase) []engine.Event {
	steps := slices.Clone(l.Steps)
	slices.SortStableFunc(steps, func(a, b engine.Step) int { return a.Date.Compare(b.Date) })
	var events []engine.Event
	for _, s := range steps {
		events = append(events, s.Event)
		if !s.After {
			events = append(events, engine.Event{Date: s.Date, Do: engine.DoRun})
		}
	}
	return events
}
