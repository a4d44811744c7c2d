package engine_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

func day(s string) calendar.Date { return calendar.MustParse(s) }

// daily is charged 10.00 a day from 2026-01-10 on.
func daily() engine.Profile {
	return engine.Profile{
		ID: "order-1", Kind: engine.KindSource, Start: day("2026-01-10"), Unit: calendar.UnitDay, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse("10.00")), Currency: "EUR",
	}
}

// stored is the daily profile in each status, as of 2026-01-12 before that day's run.
func stored(status engine.Status) engine.Stored {
	s := engine.Stored{Profile: daily()}
	if status == 0 {
		return s
	}
	s.State = engine.State{
		Status: status, Repeat: 2, Anchor: day("2026-01-10"), RanThrough: day("2026-01-11"),
		Paid: []calendar.Date{day("2026-01-11")},
	}
	if status == engine.StatusStopped {
		s.State.Stop = engine.Stop{Date: day("2026-01-11"), Reasons: engine.ReasonAPI, Because: ledger.On(clause.L23)}
	}
	return s
}

// difference is empty where two values are the same through and through.
// Which policy a stored profile is bound to is left out.
func difference(want, got any) string {
	if a, ok := want.(engine.Stored); ok {
		want = a.Under(engine.Policy{})
	}
	if b, ok := got.(engine.Stored); ok {
		got = b.Under(engine.Policy{})
	}
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return fmt.Sprintf("got  %+v\nwant %+v", got, want)
}

// compare lists what other readings would change up to a day.
func compare(s engine.Stored, asOf, until calendar.Date, pol engine.Policy) ([]engine.Sensitivity, error) {
	list, _, err := engine.New(pol).Sensitivities(nil, s, asOf, calendar.Through(asOf, until))
	return list, err
}

func effectsOf(t *testing.T, s engine.Simulation, policy ...engine.Policy) []engine.Effect {
	t.Helper()
	var pol engine.Policy
	if len(policy) > 0 {
		pol = policy[0]
	}
	var list []engine.Effect
	_, err := engine.New(pol).Simulate(s, func(e engine.Effect) bool {
		list = append(list, e)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEventOrder: time never goes back (E09).
func TestEventOrder(t *testing.T) {
	s := stored(engine.StatusActive)
	for _, date := range []string{"2026-01-10", "0001-01-01"} {
		_, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day(date), Kind: engine.EventRun})
		if !errors.Is(err, engine.ErrEventOrder) || difference(s, after) != "" {
			t.Errorf("%s: %v", date, err)
		}
		if last := s.State.RanThrough.String(); !strings.Contains(err.Error(), date+" is before "+last) {
			t.Errorf("%s: the error does not name both days (G13): %v", date, err)
		}
	}
	if _, _, err := engine.New(engine.Policy{}).Handle(s, engine.Event{Kind: engine.EventStop}); !errors.Is(err, engine.ErrEventOrder) {
		t.Errorf("an event without a date: %v", err)
	}
}

// TestSecondRunOfADay charges nothing twice (E08), and a slot that the first run found
// stopped is due in a second run after the resume (E13).
func TestSecondRunOfADay(t *testing.T) {
	run := engine.Event{Date: day("2026-01-12"), Kind: engine.EventRun}
	resume := engine.Event{Date: day("2026-01-12"), Kind: engine.EventResume}
	stop := engine.Event{Date: day("2026-01-12"), Kind: engine.EventStop}
	moved := engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.Update{Start: engine.To(day("2026-01-12"))}}
	for _, r := range []struct {
		reason  string
		from    engine.Status
		events  []engine.Event
		charges int
	}{
		{"E08", engine.StatusActive, []engine.Event{run, run, run}, 1},
		{"E07", engine.StatusActive, []engine.Event{run, stop, moved, resume, run}, 1},
		{"E13", engine.StatusStopped, []engine.Event{run, resume, run, run}, 1},
		{"E04", engine.StatusStopped, []engine.Event{run, moved, run}, 0},
	} {
		for _, missed := range []engine.Missed{engine.MissedSkip, engine.MissedCatchUp} {
			s, charges := stored(r.from), 0
			for _, e := range r.events {
				effects, next, err := engine.Apply(engine.New(engine.Policy{ResumeMissed: missed}), s, e)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range effects {
					if e.Kind == engine.EffectCharge {
						charges++
					}
				}
				s = next
			}
			if charges != r.charges {
				t.Errorf("%s, missed %d: %d charges, want %d", r.reason, missed, charges, r.charges)
			}
		}
	}
}

// TestSmallState: what 2.2.10 needs stays small however long a profile runs.
func TestSmallState(t *testing.T) {
	s := engine.Stored{Profile: daily()}
	s, err := engine.New(engine.Policy{}).Create(s.Profile, day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	for d := day("2026-01-10"); d.Before(day("2076-01-10")); d = d.AddDays(1) {
		if _, s, err = engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: d, Kind: engine.EventRun}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.State.Paid) > 1 || len(s.State.Missed) > 0 {
		t.Errorf("after 50 years: %d paid, %d missed", len(s.State.Paid), len(s.State.Missed))
	}
	if want := uint64(day("2076-01-10").Sub(day("2026-01-10"))); s.State.Repeat != want {
		t.Errorf("repeat %d, want %d", s.State.Repeat, want)
	}
}

// TestLastDayOfTheCalendar: nothing wraps where no day follows. Regressions of a slot
// charged twice, of a day without a run that ran, and of days before the last run that
// became owed (E07, E08).
func TestLastDayOfTheCalendar(t *testing.T) {
	last := calendar.MaxDate()
	p := daily()
	p.Start = last.AddDays(-1)
	step := func(do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: last, Kind: do}}
	}
	for _, r := range []struct {
		reason string
		steps  []engine.Step
		want   int
	}{
		{"stopped, run, resumed, run", []engine.Step{step(engine.EventStop), step(engine.EventRun), step(engine.EventResume)}, 1},
		{"no run", []engine.Step{step(engine.EventNoRun)}, 0},
		{"two runs", []engine.Step{step(engine.EventRun)}, 1},
		{"four runs, one afterwards", []engine.Step{step(engine.EventRun), step(engine.EventRun), {Event: engine.Event{Date: last, Kind: engine.EventRun}, After: true}}, 1},
	} {
		s := engine.Simulation{
			Stored: engine.Stored{Profile: p, State: engine.State{Status: engine.StatusActive, Anchor: p.Start}},
			AsOf:   last, Until: last, Steps: r.steps,
		}
		n := 0
		after, err := engine.New(engine.Policy{ResumeMissed: engine.MissedCatchUp, RunMissed: engine.MissedCatchUp}).Simulate(s, func(e engine.Effect) bool {
			if e.Kind == engine.EffectCharge {
				n++
			}
			return true
		})
		if err != nil || n != r.want {
			t.Errorf("%s: %d charges, want %d, %v", r.reason, n, r.want, err)
		}
		line, err := engine.AppendStateLine(nil, p.ID, after.State)
		if err != nil {
			t.Fatal(r.reason, err)
		}
		if _, _, err := engine.ParseStateLine(line); err != nil {
			t.Errorf("%s: %s: %v (E20)", r.reason, line, err)
		}
	}
}

// TestRefusedSharesNothing: the result of a refused event has lists of its own (E02).
func TestRefusedSharesNothing(t *testing.T) {
	s := stored(engine.StatusActive)
	_, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventResumeByAPI})
	if err == nil {
		t.Fatal("a resume through the API was accepted")
	}
	after.State.Paid[0] = day("2000-01-01")
	if s.State.Paid[0] != day("2026-01-11") {
		t.Error("the argument changed with the result")
	}
}

// TestIncompleteState: a state that leaves out its anchor and its last run is completed
// by an event as by a forecast (E08).
func TestIncompleteState(t *testing.T) {
	s := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusActive}}
	effects, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventRun})
	if err != nil || len(effects) != 2 || after.State.Anchor != day("2026-01-10") || after.State.Repeat != 1 {
		t.Errorf("%+v, %+v, %v", effects, after.State, err)
	}
	s.State.Status = engine.StatusStopped
	if _, after, _ = engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventStop}); difference(s, after) != "" {
		t.Errorf("an ignored event completed the state: %+v", after.State)
	}
}

// TestSimulateBreaksOff: breaking off gives the state of that day, not of the last one.
func TestSimulateBreaksOff(t *testing.T) {
	s := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-12-31")}
	n := 0
	after, err := engine.New(engine.Policy{}).Simulate(s, func(engine.Effect) bool {
		n++
		return n < 3
	})
	if err != nil || n != 3 || after.State.Repeat != 3 || after.State.RanThrough != day("2026-01-12") {
		t.Errorf("%d effects, %+v, %v", n, after.State, err)
	}
}

// TestLeftOfACatchUp: days behind the charge that reached the cap stay owed, though no
// slot lay on them that day: a grid that an update moves there later is charged. A run
// that finds the profile stopped leaves its day owed, though that day had a run before.
// Regressions of E23.
func TestLeftOfACatchUp(t *testing.T) {
	at := func(date string, do engine.EventKind, set engine.Update) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(date), Kind: do, Update: set}}
	}
	every9 := daily()
	every9.Start, every9.Interval, every9.MaxRepeats = day("2025-11-03"), 9, engine.AtMost(1)
	spent := engine.State{Status: engine.StatusActive, Repeat: 1, RanThrough: day("2025-12-18")}
	ran := engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-10"), Last: day("2026-01-10")}
	for _, r := range []struct {
		reason string
		policy engine.Policy
		s      engine.Simulation
		want   []string // the slots
	}{
		{"behind the cap", engine.Policy{ResumeCounter: engine.ResumeCounterReset, RunMissed: engine.MissedCatchUp}, engine.Simulation{
			Stored: engine.Stored{Profile: every9, State: spent}, AsOf: day("2026-01-01"), Until: day("2026-01-03"),
			Steps: []engine.Step{
				at("2026-01-02", engine.EventResume, engine.Update{}),
				at("2026-01-03", engine.EventUpdate, engine.Update{Start: engine.To(day("2025-12-28"))}),
				at("2026-01-03", engine.EventResume, engine.Update{}),
			},
		}, []string{"2025-12-27", "2025-12-28"}},
		{"a second run finds it stopped", engine.Policy{ResumeMissed: engine.MissedCatchUp}, engine.Simulation{
			Stored: engine.Stored{Profile: daily(), State: ran}, AsOf: day("2026-01-10"), Until: day("2026-01-11"),
			Steps: []engine.Step{
				at("2026-01-10", engine.EventStop, engine.Update{}),
				at("2026-01-10", engine.EventRun, engine.Update{}),
				at("2026-01-11", engine.EventResume, engine.Update{}),
			},
		}, []string{"2026-01-10", "2026-01-11"}},
	} {
		var got []string
		for _, e := range effectsOf(t, r.s, r.policy) {
			if e.Kind == engine.EffectCharge {
				got = append(got, e.Charge.Slot.String())
			}
		}
		if diff := difference(r.want, got); diff != "" {
			t.Errorf("%s: %s", r.reason, diff)
		}
	}
}

// TestStateToldByHand: the run through which a state says it ran charged what was due,
// though the state does not name the slot. A regression of a second charge by an extra
// run on that day (E07, E08).
func TestStateToldByHand(t *testing.T) {
	run := engine.Event{Date: day("2026-01-12"), Kind: engine.EventRun}
	byHand := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusActive, Repeat: 3, RanThrough: run.Date}}
	effects, after, err := engine.Apply(engine.New(engine.Policy{}), byHand, run)
	if err != nil || len(effects) != 1 || after.State.Repeat != 3 {
		t.Errorf("applied: %+v, repeat %d, %v", effects, after.State.Repeat, err)
	}
	s := engine.Simulation{Stored: byHand, AsOf: run.Date, Until: day("2026-01-14"), Steps: []engine.Step{{Event: run}}}
	var got []string
	for _, e := range effectsOf(t, s) {
		if e.Kind == engine.EffectCharge {
			got = append(got, e.Charge.Date.String())
		}
	}
	if diff := difference([]string{"2026-01-13", "2026-01-14"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestDaysWithoutARun follow run-missed, of a stopped profile too; resume-missed is for
// the days whose run found it stopped (L16, L16b).
func TestDaysWithoutARun(t *testing.T) {
	at := func(date string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(date), Kind: do}}
	}
	stopped := engine.State{Status: engine.StatusStopped, Repeat: 5, RanThrough: day("2026-02-20")}
	for _, r := range []struct {
		reason string
		state  engine.State
		policy engine.Policy
		steps  []engine.Step
		want   []string // the slots through 2026-02-24
	}{
		{"a gap, then a run that finds it stopped", stopped, engine.Policy{ResumeMissed: engine.MissedCatchUp},
			[]engine.Step{at("2026-02-24", engine.EventResume)}, []string{"2026-02-23", "2026-02-24"}},
		{"the same, runs caught up", stopped, engine.Policy{RunMissed: engine.MissedCatchUp},
			[]engine.Step{at("2026-02-24", engine.EventResume)}, []string{"2026-02-21", "2026-02-22", "2026-02-24"}},
		{"no run on the day of a stop and a resume", engine.State{Status: engine.StatusActive, RanThrough: day("2026-02-22")}, engine.Policy{RunMissed: engine.MissedCatchUp},
			[]engine.Step{at("2026-02-23", engine.EventStop), at("2026-02-23", engine.EventNoRun), at("2026-02-23", engine.EventResume)}, []string{"2026-02-23", "2026-02-24"}},
	} {
		s := engine.Simulation{
			Stored: engine.Stored{Profile: daily(), State: r.state}, AsOf: day("2026-02-23"), Until: day("2026-02-24"),
			Steps: r.steps,
		}
		var got []string
		for _, e := range effectsOf(t, s, r.policy) {
			if e.Kind == engine.EffectCharge {
				got = append(got, e.Charge.Slot.String())
			}
		}
		if diff := difference(r.want, got); diff != "" {
			t.Errorf("%s: %s", r.reason, diff)
		}
	}
}
