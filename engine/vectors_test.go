package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// TestVectors runs every life of the vectors through Compile and Simulate, with its row and its script read as the
// command reads them, and every line of a file of states.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "engine", map[string]vectortest.Judge{"forecast": judgeSimulations, "simulate": judgeSimulations, "state-line": judgeStateLine})
}

func judgeStateLine(t *testing.T, v vectortest.Vector) {
	_, _, err := engine.ParseStateLine([]byte(vectortest.Input[struct{ Line vectortest.Text }](t, v).Line))
	f, _ := errors.AsType[ledger.Finding](err)
	v.SameCode(t, string(f.Code))
	if (err == nil) != (f.Code == "") {
		t.Errorf("%v has no code", err)
	}
}

func judgeSimulations(t *testing.T, v vectortest.Vector) {
	for _, l := range v.Simulations(t) {
		judgeSimulation(t, l)
	}
}

func judgeSimulation(t *testing.T, l vectortest.Simulation) {
	var items []string
	for k, v := range l.Policy {
		items = append(items, k+"="+v)
	}
	pol, err := engine.ParsePolicy(strings.Join(items, ","))
	if err != nil {
		t.Fatal(err)
	}
	asOf, until := calendar.MustParse(l.AsOf), calendar.MustParse(l.Until)
	ours := engine.New(pol)
	stored, readable := storedOf(t, l, pol)
	plan, err := ours.Compile(stored, asOf)
	if !readable || err != nil {
		l.Same(t, vectortest.Outcome{Rejected: true})
		return
	}
	if l.Script == nil {
		window := calendar.Through(asOf, until)
		got := vectortest.Outcome{End: endOf(plan.End(until))}
		for c := range plan.Charges(window) {
			got.Charges = append(got.Charges, chargeOf(t, c))
		}
		l.Same(t, got)
		vectortest.Same(t, "Count", plan.Count(window), len(got.Charges))
	}
	// A forecast is a simulation without a script (E03).
	got := vectortest.Outcome{Drawn: true}
	sim := engine.Simulation{Stored: stored, AsOf: asOf, Until: until, Seed: 7}
	sim.Steps, sim.Outcomes = scriptOf(t, l)
	last, err := ours.Simulate(sim, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.EffectCharge:
			got.Charges = append(got.Charges, chargeOf(t, e.Charge))
		case engine.EffectEvent:
			do, _, _ := strings.Cut(e.Event.String(), "-by-")
			got.Events = append(got.Events, vectortest.Event{Date: e.Date.String(), Do: do, Result: e.Result.String()})
		}
		if e.Because.IsZero() {
			t.Errorf("effect %+v rests on nothing", e)
		}
		return true
	})
	if err != nil {
		t.Fatalf("%s: %v", l.ID, err)
	}
	end, err := ours.End(last, until)
	if err != nil {
		t.Fatalf("%s: %v", l.ID, err)
	}
	got.End = endOf(end)
	l.Same(t, got)
}

// storedOf is the profile, read as a row of a payload is, and its state; false where the row has an error.
func storedOf(t *testing.T, l vectortest.Simulation, pol engine.Policy) (out engine.Stored, ok bool) {
	t.Helper()
	for row := range rules.NewReader(bytes.NewReader(l.Payload().Bytes()), rules.Options{AsOf: calendar.MustParse(l.AsOf), Policy: pol}).Rows() {
		if row != nil {
			out.Profile, ok = row.Profile(), true
		}
	}
	if l.State != nil {
		if err := json.Unmarshal(l.State, &out.State); err != nil {
			t.Fatal(err)
		}
	}
	return out, ok
}

func scriptOf(t *testing.T, l vectortest.Simulation) (steps []engine.Step, outcomes map[uint64]engine.Outcome) {
	t.Helper()
	outcomes = map[uint64]engine.Outcome{}
	for _, text := range l.Script {
		line, err := record.ParseScriptLine(text)
		if err != nil {
			t.Fatal(err)
		}
		if line.IsOutcome {
			outcomes[line.Repeat] = line.Outcome
			continue
		}
		if line.Step.Kind == engine.EventUpdate {
			line.Step.Update, _ = rules.ParseUpdate(func(yield func(string, string) bool) {
				for _, c := range line.Cells {
					if !yield(c.Column, c.Value) {
						return
					}
				}
			}, rules.UpdateOptions{})
		}
		steps = append(steps, line.Step)
	}
	return steps, outcomes
}

func chargeOf(t *testing.T, c engine.Charge) vectortest.Charge {
	t.Helper()
	if c.Because.IsZero() {
		t.Errorf("charge %+v rests on nothing", c)
	}
	out := vectortest.Charge{Repeat: c.Repeat, Date: c.Date.String(), Slot: c.Slot.String(), Min: c.Min.String(), Max: c.Max.String(), Kind: "automatic", Outcome: c.Outcome.String()}
	if c.Outcome == engine.OutcomeUnknown {
		out.Outcome = "approved" // of a forecast
	}
	if c.Manual {
		out.Kind = "manual"
	}
	return out
}

func endOf(e engine.End) vectortest.End {
	end := vectortest.End{Status: e.Status.String(), Repeat: e.Repeat}
	if !e.Stop.IsZero() {
		end.Stop = &vectortest.Stop{Date: e.Stop.Date.String(), Reasons: slices.Collect(e.Stop.Reasons.All())}
	}
	return end
}
