package engine_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/fuzz/vector/vectortest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// TestVectors runs every life of the vectors through Compile and Simulate, with its row and its script read as the
// command reads them, and every line of a file of states.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "engine", map[string]vectortest.Judge{"forecast": judgeLives, "simulate": judgeLives, "state-line": judgeStateLine})
}

func judgeStateLine(t *testing.T, v vector.Vector) {
	_, _, err := engine.ParseStateLine([]byte(vectortest.Input[struct{ Line vector.Text }](t, v).Line))
	f, _ := errors.AsType[ledger.Finding](err)
	vectortest.Code(t, v, string(f.Code))
	if (err == nil) != (f.Code == "") {
		t.Errorf("%v has no code", err)
	}
}

func judgeLives(t *testing.T, v vector.Vector) {
	lives, err := v.Lives()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lives {
		judgeLife(t, l)
	}
}

func judgeLife(t *testing.T, l vector.Life) {
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
		vectortest.Life(t, l, vectortest.Lived{Rejected: true})
		return
	}
	if l.Script == nil {
		window := calendar.Through(asOf, until)
		got := vectortest.Lived{End: endOf(t, plan.End(until))}
		for c := range plan.Charges(window) {
			got.Charges = append(got.Charges, chargeOf(t, c))
		}
		vectortest.Life(t, l, got)
		vectortest.Same(t, "Count", plan.Count(window), len(got.Charges))
	}
	// A forecast is a simulation without a script (E03).
	got := vectortest.Lived{Drawn: true}
	sim := engine.Simulation{Stored: stored, AsOf: asOf, Until: until, Script: scriptOf(t, l), Seed: 7}
	last, err := ours.Simulate(sim, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.ChargeAttempted:
			got.Charges = append(got.Charges, chargeOf(t, e.Charge))
		case engine.EventHandled:
			got.Events = append(got.Events, vector.Event{Date: e.Date.String(), Do: e.Event.String(), Result: e.Result.String()})
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
	got.End = endOf(t, end)
	vectortest.Life(t, l, got)
}

// storedOf is the profile, read as a row of a payload is, and its state; false where the row has an error.
func storedOf(t *testing.T, l vector.Life, pol engine.Policy) (out engine.Stored, ok bool) {
	t.Helper()
	text, err := l.Payload().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for row := range rules.NewReader(strings.NewReader(string(text)), rules.Options{AsOf: calendar.MustParse(l.AsOf), Policy: pol}).Rows() {
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

func scriptOf(t *testing.T, l vector.Life) engine.Script {
	t.Helper()
	s := engine.Script{Outcomes: map[uint64]engine.Outcome{}}
	for _, text := range l.Script {
		line, err := record.ParseScriptLine(text)
		if err != nil {
			t.Fatal(err)
		}
		if line.IsOutcome {
			s.Outcomes[line.Repeat] = line.Outcome
			continue
		}
		if line.Step.Do == engine.DoUpdate {
			line.Step.Set, _ = rules.ParseUpdate(func(yield func(string, string) bool) {
				for _, c := range line.Cells {
					if !yield(c.Column, c.Value) {
						return
					}
				}
			})
		}
		s.Steps = append(s.Steps, line.Step)
	}
	return s
}

func chargeOf(t *testing.T, c engine.Charge) vector.Charge {
	t.Helper()
	if c.Because.IsZero() {
		t.Errorf("charge %+v rests on nothing", c)
	}
	out := vector.Charge{Repeat: c.Repeat, Date: c.Date.String(), Slot: c.Slot.String(), Min: c.Min.String(), Max: c.Max.String(), Kind: "automatic", Outcome: c.Outcome.String()}
	if c.Manual {
		out.Kind = "manual"
	}
	return out
}

func endOf(t *testing.T, e engine.End) vector.End {
	t.Helper()
	var stop *vector.Stop
	if !e.Stop.IsZero() {
		stop = &vector.Stop{Date: e.Stop.Date.String(), Reasons: slices.Collect(e.Stop.Reasons.All())}
	}
	text, err := json.Marshal(stop)
	if err != nil {
		t.Fatal(err)
	}
	return vector.End{Status: e.Status.String(), Repeat: e.Repeat, Stop: text}
}
