package engine_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/ledger"
)

// A life is a vector of the engine with its expectation decoded.
type life struct {
	vector.Life
	charges []vector.Charge
	events  []vector.Event
	end     *vector.End
}

func readVectors(t *testing.T) []life {
	t.Helper()
	all, err := vector.All()
	if err != nil {
		t.Fatal(err)
	}
	var list []life
	for _, v := range all {
		lives, err := v.Lives()
		if errors.Is(err, vector.ErrOp) {
			continue
		}
		if err != nil {
			t.Fatal(v.ID, err)
		}
		for _, l := range lives {
			one := life{Life: l}
			var err1, err2, err3 error
			one.charges, err1 = vector.DecodeAll[vector.Charge](l.Expect.Charges)
			one.events, err2 = vector.DecodeAll[vector.Event](l.Expect.Events)
			one.end, err3 = vector.Decode[*vector.End](l.Expect.End)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(v.ID, err)
			}
			list = append(list, one)
		}
	}
	return list
}

// TestVectors runs every vector of the engine through Compile and Simulate.
func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			p, err := profileOf(v.Columns)
			if err != nil {
				if !v.Expect.Rejected {
					t.Fatal(err)
				}
				return
			}
			pol, err := policyOf(v.Policy)
			if err != nil {
				t.Fatal(err)
			}
			state := stateOf(t, v.State)
			asOf, until := calendar.MustParse(v.AsOf), calendar.MustParse(v.Until)
			plan, err := engine.New(pol).Compile(engine.Stored{Profile: p, State: state}, asOf)
			if v.Expect.Rejected {
				if err == nil {
					t.Fatal("accepted")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v.Script == nil {
				window := calendar.Through(asOf, until)
				compareCharges(t, v, slices.Collect(plan.Charges(window)))
				compareEnd(t, v, plan.End(until))
				if got, want := plan.Count(window), len(v.charges); got != want {
					t.Errorf("Count is %d, want %d", got, want)
				}
			}
			sim := engine.Simulation{
				Stored: engine.Stored{Profile: p, State: state}, AsOf: asOf, Until: until,
				Script: scriptOf(t, v.Script), Seed: 7,
			}
			simulateVector(t, v, sim, pol)
		})
	}
}

func simulateVector(t *testing.T, v life, sim engine.Simulation, pol engine.Policy) {
	t.Helper()
	var charges []engine.Charge
	events := []vector.Event{}
	last, err := engine.New(pol).Simulate(sim, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.ChargeAttempted:
			charges = append(charges, e.Charge)
		case engine.EventHandled:
			events = append(events, vector.Event{Date: e.Date.String(), Do: e.Event.String(), Result: e.Result.String()})
		}
		if e.Because.IsZero() {
			t.Errorf("effect %+v rests on nothing", e)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	compareCharges(t, v, charges)
	end, err := engine.New(pol).End(last, sim.Until)
	if err != nil {
		t.Fatal(err)
	}
	compareEnd(t, v, end)
	if v.events != nil {
		if d := difference(v.events, events); d != "" {
			t.Errorf("events:\n%s", d)
		}
	}
}

func compareCharges(t *testing.T, v life, got []engine.Charge) {
	t.Helper()
	if len(got) != len(v.charges) {
		t.Fatalf("%d charges, want %d", len(got), len(v.charges))
	}
	for i, want := range v.charges {
		g := got[i]
		slot := want.Slot
		if slot == "" {
			slot = want.Date
		}
		if g.Repeat != want.Repeat || g.Date.String() != want.Date || g.Slot.String() != slot {
			t.Errorf("charge %d: repeat %d on %v for %v, want %+v", i, g.Repeat, g.Date, g.Slot, want)
		}
		lo, hi := want.Min, want.Max
		if want.Amount != "" {
			lo, hi = want.Amount, want.Amount
		}
		if g.Min.Compare(amount.MustParse(lo)) < 0 || g.Max.Compare(amount.MustParse(hi)) > 0 {
			t.Errorf("charge %d: %v to %v, want %s to %s", i, g.Min, g.Max, lo, hi)
		}
		if want.Kind != "" && (want.Kind == "manual") != g.Manual {
			t.Errorf("charge %d: manual is %v, want %s", i, g.Manual, want.Kind)
		}
		if want.Outcome != "" && g.Outcome.String() != want.Outcome {
			t.Errorf("charge %d: %v, want %s", i, g.Outcome, want.Outcome)
		}
		if g.Because.IsZero() {
			t.Errorf("charge %d rests on nothing", i)
		}
	}
}

func compareEnd(t *testing.T, v life, got engine.End) {
	t.Helper()
	want := v.end
	if got.Status.String() != want.Status || got.Repeat != want.Repeat {
		t.Errorf("end %v with repeat %d, want %s with %d", got.Status, got.Repeat, want.Status, want.Repeat)
	}
	if want.Stop == nil {
		return
	}
	text := "null"
	if !got.Stop.IsZero() {
		text = `{"date":"` + got.Stop.Date.String() + `","reasons":["` + strings.Join(slices.Collect(got.Stop.Reasons.All()), `","`) + `"]}`
	}
	if text != string(want.Stop) {
		t.Errorf("stop %s, want %s", text, want.Stop)
	}
}

func stateOf(t *testing.T, text json.RawMessage) engine.State {
	t.Helper()
	if text == nil {
		return engine.State{}
	}
	var s engine.State
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func policyOf(values map[string]string) (engine.Policy, error) {
	var items []string
	for k, v := range values {
		items = append(items, k+"="+v)
	}
	return engine.ParsePolicy(strings.Join(items, ","))
}

// A scriptLine is an event or an outcome of a vector. Package record, which reads scripts, lies above this one.
type scriptLine struct {
	Date    calendar.Date
	When    string // "after": after the day's run
	Do      engine.Verb
	Via     engine.Channel
	Set     columns
	Repeat  uint64
	Outcome engine.Outcome
}

func scriptOf(t *testing.T, lines []json.RawMessage) engine.Script {
	t.Helper()
	read, err := vector.DecodeAll[scriptLine](lines)
	if err != nil {
		t.Fatal(err)
	}
	s := engine.Script{Outcomes: map[uint64]engine.Outcome{}}
	for _, l := range read {
		if l.Do == 0 {
			s.Outcomes[l.Repeat] = l.Outcome
			continue
		}
		step := engine.Step{Event: engine.Event{Date: l.Date, Do: l.Do, Via: l.Via, Outcome: l.Outcome}, After: l.When == "after"}
		for name := range l.Set {
			setColumn(t, &step.Set, name, l.Set)
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

func setColumn(t *testing.T, u *engine.Update, name string, v columns) {
	t.Helper()
	switch name {
	case "start-date":
		u.Start = engine.To(v.date(name))
	case "finish-date":
		u.Finish = engine.To(v.date(name))
	case "max-repeats-number":
		u.MaxRepeats = engine.To(v.limit())
	case "period":
		u.Unit = engine.To(v.unit())
	case "interval":
		u.Interval = engine.To(v.interval())
	case "amount":
		u.Amount = v.amount(name)
	case "amount-from":
		u.AmountFrom = v.amount(name)
	case "amount-to":
		u.AmountTo = v.amount(name)
	case "amount-sequence":
		if u.Sequence = engine.Remove[[]amount.Amount](); v[name] != "" {
			u.Sequence = engine.To([]amount.Amount{})
			for _, e := range v.sequence() {
				u.Sequence.Value = append(u.Sequence.Value, amount.MustParse(e))
			}
		}
	default:
		t.Fatalf("a vector sets %s", name)
	}
}

// columns reads the few columns that a profile depends on. Values that cannot be read
// are left to the validation of rows; here they show as an impossible value.
type columns map[string]string

func (c columns) date(name string) calendar.Date {
	d, _ := calendar.ParseDotted(c[name])
	return d
}

func (c columns) limit() engine.Limit {
	n, err := strconv.ParseUint(c["max-repeats-number"], 10, 63)
	if err != nil {
		return engine.Limit{}
	}
	return engine.AtMost(n)
}

func (c columns) unit() calendar.Unit {
	u, _ := calendar.ParseUnit(c["period"])
	return u
}

func (c columns) interval() int {
	n, _ := strconv.Atoi(c["interval"])
	return n
}

func (c columns) amount(name string) engine.Change[amount.Amount] {
	if c[name] == "" {
		return engine.Remove[amount.Amount]()
	}
	return engine.To(amount.MustParse(c[name]))
}

func (c columns) sequence() []string {
	if c["amount-sequence"] == "" {
		return nil
	}
	return strings.Split(c["amount-sequence"], ",")
}

func profileOf(c columns) (engine.Profile, error) {
	p := engine.Profile{
		ID: "order-1", Start: c.date("start-date"), Finish: c.date("finish-date"),
		Unit: c.unit(), Interval: c.interval(), MaxRepeats: c.limit(), Currency: c["currency"],
	}
	p.Kind = engine.KindSource
	if c["rp_card_type"] == "DST" {
		p.Kind = engine.KindDestination
	}
	if strings.HasPrefix(c["max-repeats-number"], "-") {
		return p, ledger.Code("max-zero")
	}
	var err error
	p.Amounts, err = amounts(c["amount"], c["amount-from"], c["amount-to"], c.sequence()...)
	return p, err
}
