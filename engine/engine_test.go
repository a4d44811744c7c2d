package engine_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// TestZeroIsNotAbsent: an end of a range that is zero is there, and so is an amount of zero; what an
// update removes is absent (G01).
func TestZeroIsNotAbsent(t *testing.T) {
	zero, one, five := amount.MustParse("0.00"), amount.MustParse("1.00"), amount.MustParse("5.00")
	upTo5, err := amount.Range(zero, five, "EUR")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		reason string
		before amount.Choice
		set    engine.Update
		want   string
	}{
		{"the upper end of 0 to 5", upTo5, engine.Update{AmountTo: engine.To(one)}, "0.00 to 1.00"},
		{"the lower end of 0 to 5", upTo5, engine.Update{AmountFrom: engine.To(one)}, "1.00 to 5.00"},
		{"a lower end of zero", upTo5, engine.Update{AmountFrom: engine.To(zero), AmountTo: engine.To(one)}, "0.00 to 1.00"},
		{"a fixed zero stays fixed", amount.Fixed(zero), engine.Update{Finish: engine.To(day("2027-01-01"))}, "0.00"},
		{"a fixed zero is not a range", amount.Fixed(zero), engine.Update{AmountFrom: engine.To(one), AmountTo: engine.To(five)}, ""},
		{"a zero that is removed", amount.Fixed(zero), engine.Update{Amount: engine.Remove[amount.Amount](), AmountFrom: engine.To(one), AmountTo: engine.To(five)}, "1.00 to 5.00"},
	} {
		s := stored(engine.StatusActive)
		s.Profile.Amounts = r.before
		_, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: r.set})
		if (err == nil) != (r.want != "") || err == nil && after.Profile.Amounts.String() != r.want || err != nil && !errors.Is(err, ledger.Code("amount-modes")) {
			t.Errorf("%s: %v, %v; want %q", r.reason, after.Profile.Amounts, err, r.want)
		}
	}
}

// TestOneGrid: a range draws on the minor units of its currency, whichever way it came (G02).
func TestOneGrid(t *testing.T) {
	var read engine.Profile
	if err := json.Unmarshal([]byte(`{"amount-from":"1","amount-to":"5","currency":"EUR"}`), &read); err != nil {
		t.Fatal(err)
	}
	made, err := amount.Range(amount.MustParse("1"), amount.MustParse("5"), "EUR")
	if err != nil || read.Amounts != made || made.Values() != 401 {
		t.Errorf("%d values, read as %d: %v", made.Values(), read.Amounts.Values(), err)
	}
}

// TestRunsBeforeAnEvent: an event after an outage does not lose the due days before it where the runs
// are made up first, and is all or nothing (G13).
func TestRunsBeforeAnEvent(t *testing.T) {
	e := engine.New(engine.Policy{})
	s, err := e.Create(daily(), day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	stop := engine.Event{Date: day("2026-01-14"), Kind: engine.EventStop}
	after, effects, err := e.Handle(s, stop)
	var charged []string
	for _, f := range effects {
		if f.Kind == engine.EffectCharge {
			charged = append(charged, f.Date.String())
		}
	}
	if err != nil || !slices.Equal(charged, []string{"2026-01-10", "2026-01-11", "2026-01-12", "2026-01-13"}) || after.State.Status != engine.StatusStopped || after.State.Repeat != 4 {
		t.Errorf("%v, %+v, %v", charged, after.State, err)
	}
	refused := engine.Event{Date: day("2026-01-14"), Kind: engine.EventUpdate, Update: engine.Update{Interval: engine.To(0)}}
	after, effects, err = e.Handle(s, refused)
	if err == nil || effects[0].Refusal != err || len(effects) != 1 || effects[0].Result != engine.ResultRefused || !after.Equal(s) {
		t.Errorf("a refused event leaves %d effects and %+v: %v", len(effects), after.State, err)
	}
	if after, err = e.Create(daily(), day("2026-01-10")); err != nil || !after.Equal(s) {
		t.Errorf("a creation: %+v, %v", after.State, err)
	}
	if _, _, err = e.Handle(s, engine.Event{Date: day("2026-01-09"), Kind: engine.EventStop}); !errors.Is(err, engine.ErrEventOrder) {
		t.Errorf("an event before the creation: %v", err)
	}
}

// TestPolicyIsBound: a stored profile says under which policy it was made, and an engine with another
// one refuses it until it is moved there (G14).
func TestPolicyIsBound(t *testing.T) {
	skip := engine.Policy{MonthEnd: calendar.MonthEndSkip, MaxZero: engine.MaxZeroUnlimited}
	p := daily()
	s, err := engine.New(skip).Create(p, day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil || !strings.Contains(string(text), `"policy":{"month-end":"skip","max-zero":"unlimited"}}}`) {
		t.Errorf("%s, %v", text, err)
	}
	var back engine.Stored
	if err := json.Unmarshal(text, &back); err != nil || !back.Equal(s) {
		t.Errorf("%+v, %v", back, err)
	}
	if pol, known := back.Policy(); !known || pol != skip {
		t.Errorf("%v, %v", pol, known)
	}
	other := engine.New(engine.Policy{MonthEnd: calendar.MonthEndSkip})
	_, err = other.Compile(back, day("2026-01-12"))
	if e, ok := errors.AsType[*engine.Error](err); !ok || !errors.Is(err, engine.ErrPolicyDiffers) || e.Field != "max-zero" {
		t.Errorf("another policy: %v", err)
	}
	if _, err := other.Compile(back.Under(engine.Policy{MonthEnd: calendar.MonthEndSkip}), day("2026-01-12")); err != nil {
		t.Errorf("moved to it: %v", err)
	}
	byHand := engine.Stored{Profile: p, State: engine.State{Status: engine.StatusActive}}
	if _, err := other.Compile(byHand, day("2026-01-12")); err != nil {
		t.Errorf("written by hand: %v", err)
	}
	if err := json.Unmarshal([]byte(`{"schema":"chargecast.stored/1","profile":{},"state":{"policy":{"month-end":"never"}}}`), &back); err == nil {
		t.Error("a stored profile with an unknown reading is read")
	}
}

// TestOutcomesByRepeat: a run that catches up makes several attempts, each with an outcome of its own,
// which changes nothing else (G15).
func TestOutcomesByRepeat(t *testing.T) {
	p := daily()
	p.Start = day("2026-01-08")
	e := engine.New(engine.Policy{StartPast: engine.StartPastCatchUp})
	s, err := e.Create(p, day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	sim := engine.Simulation{Stored: s, AsOf: day("2026-01-10"), Until: day("2026-01-10"), Outcomes: map[uint64]engine.Outcome{0: engine.OutcomeDeclined, 2: engine.OutcomeDeclined}}
	var got []engine.Outcome
	after, err := e.Simulate(sim, func(f engine.Effect) bool {
		got = append(got, f.Charge.Outcome)
		return true
	})
	if err != nil || !slices.Equal(got, []engine.Outcome{engine.OutcomeDeclined, engine.OutcomeApproved, engine.OutcomeDeclined}) {
		t.Errorf("%v, %v", got, err)
	}
	if plain, effects, err := e.Advance(s, day("2026-01-10")); err != nil || !plain.Equal(after) || effects[0].Charge.Outcome != engine.OutcomeUnknown {
		t.Errorf("%+v, want %+v, %v", after.State, plain.State, err)
	}
	for _, o := range []engine.Outcome{engine.OutcomeUnknown, 9} {
		sim.Outcomes = map[uint64]engine.Outcome{7: o}
		if _, err := e.Simulate(sim, nil); !errors.Is(err, ledger.Code("script-outcome")) {
			t.Errorf("the outcome %v of a script: %v", o, err)
		}
	}
}

// TestKeysAreUnique: no two charges of a life have one key, whatever the policy, the events and the
// restarts; the repeat number is none (G21).
func TestKeysAreUnique(t *testing.T) {
	repeats := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 21))
		pol := randomPolicy(r)
		pol.StartAbsent, pol.StartPast = 0, engine.StartPast(r.IntN(2))
		p := daily()
		p.Interval, p.Start = 1+r.IntN(3), day("2026-01-05").AddDays(r.IntN(10))
		e := engine.New(pol)
		s, err := e.Create(p, day("2026-01-10"))
		if err != nil {
			continue
		}
		keys, numbers := map[string]bool{}, map[uint64]bool{}
		var effects []engine.Effect
		for d := day("2026-01-10"); d.Before(day("2026-02-10")); {
			event := engine.Event{Date: d}
			event.Kind = []engine.EventKind{engine.EventRun, engine.EventRun, engine.EventCharge, engine.EventCharge, engine.EventStop, engine.EventResume, engine.EventNoRun}[r.IntN(7)]
			effects, s, _ = engine.Apply(e, s, event)
			for _, f := range effects {
				if f.Kind != engine.EffectCharge {
					continue
				}
				if key := f.Charge.Key(); keys[key] {
					t.Fatalf("seed %d, %v: the key %s is given twice", seed, pol, key)
				}
				keys[f.Charge.Key()] = true
				if numbers[f.Charge.Repeat] {
					repeats++
				}
				numbers[f.Charge.Repeat] = true
			}
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			s = engine.Stored{}
			if err := json.Unmarshal(text, &s); err != nil {
				t.Fatal(err)
			}
			d = d.AddDays(r.IntN(2))
		}
	}
	if repeats < 1000 {
		t.Errorf("only %d repeat numbers came twice: the test is too tame", repeats)
	}
}

// TestNullIsNoValue: a member of a state that is null is refused, whatever it holds.
func TestNullIsNoValue(t *testing.T) {
	for _, name := range []string{"status", "repeat", "ran_through", "anchor", "last", "manual", "paid", "missed", "stop", "because"} {
		var line strings.Builder
		line.WriteString(`{"profile":"a","` + name + `":null`)
		for _, needed := range []string{`"status":"active"`, `"repeat":1`} {
			if !strings.HasPrefix(needed, `"`+name) {
				line.WriteString("," + needed)
			}
		}
		if _, _, err := engine.ParseStateLine([]byte(line.String() + "}")); !errors.Is(err, ledger.Code("json-type")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPolicyInStored: the error of the policy in a stored profile is that of the policy by itself.
func TestPolicyInStored(t *testing.T) {
	for text, code := range map[string]ledger.Code{
		`{"month-ends":"skip"}`: engine.ErrPolicyKey,
		`{"month-end":"skips"}`: engine.ErrPolicyValue,
		`[]`:                    "json-type",
	} {
		var s engine.Stored
		err := json.Unmarshal([]byte(`{"schema":"chargecast.stored/1","profile":{},"state":{"policy":`+text+`}}`), &s)
		if !errors.Is(err, code) || !strings.Contains(err.Error(), "policy") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
