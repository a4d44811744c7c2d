package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// Goal: no program that keeps profiles loses or invents a charge without an error. Method: each way in which correct-looking
// code could, by name.

// TestNotCreated: a profile that nobody created is an error of everything that lets time pass, and may be asked about.
func TestNotCreated(t *testing.T) {
	e, s := engine.New(engine.Policy{}), engine.Stored{Profile: daily()}
	for name, door := range map[string]func() (engine.Stored, []engine.Effect, error){
		"Advance": func() (engine.Stored, []engine.Effect, error) { return e.Advance(s, day("2026-01-12")) },
		"Handle": func() (engine.Stored, []engine.Effect, error) {
			return e.Handle(s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
		},
		"Advance, bound": func() (engine.Stored, []engine.Effect, error) {
			_, effects, err := e.Advance(s.Under(engine.Policy{}), day("2026-01-12"))
			return s, effects, err
		},
	} {
		after, effects, err := door()
		if !errors.Is(err, engine.ErrNotCreated) || !errors.Is(err, ledger.Code("not-created")) || effects != nil || !after.Equal(s) || !strings.Contains(err.Error(), "Engine.Create") {
			t.Errorf("%s: %v, %v", name, effects, err)
		}
	}
	plan, err := e.Compile(s, day("2026-01-10"))
	if err != nil || plan.Count(calendar.Through(day("2026-01-10"), day("2026-01-12"))) != 3 {
		t.Errorf("a forecast of it: %v", err)
	}
}

// TestNoChargeIsLost: whatever comes first, the nightly job or the event, and however late, each due day is charged once, on its day;
// a job that is started twice charges nothing twice.
func TestNoChargeIsLost(t *testing.T) {
	e := engine.New(engine.Policy{})
	plan := compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{})
	var want []string
	for c := range plan.Charges(calendar.Through(day("2026-01-10"), day("2026-01-19"))) {
		want = append(want, c.Key())
	}
	for _, night := range []int{1, 2, 3, 7, 10} { // the job comes every so many days
		s, err := e.Create(daily(), day("2026-01-10"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		keep := func(after engine.Stored, effects []engine.Effect, err error) {
			if err != nil {
				t.Fatal(err)
			}
			s = after
			for _, f := range effects {
				if f.Kind == engine.EffectCharge {
					got = append(got, f.Charge.Key())
				}
			}
		}
		for d := day("2026-01-10"); d.Before(day("2026-01-20")); d = d.AddDays(night) {
			keep(e.Advance(s, d))
			keep(e.Advance(s, d))             // again
			keep(e.Advance(s, d.AddDays(-1))) // an older job, late
		}
		keep(e.Handle(s, engine.Event{Date: day("2026-01-20"), Kind: engine.EventStop}))
		if !slices.Equal(got, want) {
			t.Errorf("every %d days: %v, want %v", night, got, want)
		}
	}
}

// TestUnknownOutcomes: nobody was asked how a charge of a forecast, of Advance and of Handle ended.
func TestUnknownOutcomes(t *testing.T) {
	e := engine.New(engine.Policy{})
	s, err := e.Create(daily(), day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	_, advanced, err := e.Advance(s, day("2026-01-12"))
	if err != nil {
		t.Fatal(err)
	}
	_, handled, err := e.Handle(s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
	if err != nil {
		t.Fatal(err)
	}
	charges := slices.Collect(compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{}).Next(3))
	for _, f := range slices.Concat(advanced, handled) {
		if f.Kind == engine.EffectCharge {
			charges = append(charges, f.Charge)
		}
	}
	if len(charges) != 9 {
		t.Fatalf("%d charges", len(charges))
	}
	for _, c := range charges {
		if c.Outcome != engine.OutcomeUnknown || c.Outcome.String() != "unknown" {
			t.Errorf("%v: %v", c.Date, c.Outcome)
		}
	}
	for _, f := range effectsOf(t, engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-01-10")}) {
		if f.Charge.Outcome != engine.OutcomeApproved {
			t.Errorf("simulated: %v", f.Charge.Outcome)
		}
	}
}

// TestAmountIsDrawnOnce: a random charge says what is charged, on the grid of its profile, the same in a forecast, in Advance and as a
// simulation draws it; a fixed amount, and a range with equal ends, is as it is written.
func TestAmountIsDrawnOnce(t *testing.T) {
	ranged := func(from, to, currency string) amount.Choice {
		r, err := amount.Range(amount.MustParse(from), amount.MustParse(to), currency)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, r := range []struct {
		choice   amount.Choice
		currency string
	}{
		{ranged("1", "5", "EUR"), "EUR"}, {ranged("1", "500", "JPY"), "JPY"}, {ranged("1", "2.5", "KWD"), "KWD"}, {ranged("1.0001", "2", "EUR"), "EUR"}, {ranged("1", "9", ""), ""},
		{ranged("5", "5.00", "EUR"), "EUR"}, {ranged("5.00", "5", "EUR"), "EUR"}, {amount.Fixed(amount.MustParse("9.90")), "EUR"},
	} {
		p := daily()
		p.Amounts, p.Currency = r.choice, r.currency
		e, seed := engine.New(engine.Policy{}), amount.NewSeed(7, p.ID)
		s, err := e.Create(p, day("2026-01-10"))
		if err != nil {
			t.Fatal(err)
		}
		_, advanced, err := e.Advance(s, day("2026-02-28"))
		if err != nil {
			t.Fatal(err)
		}
		simulated := effectsOf(t, engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10"), Until: day("2026-02-28"), Seed: 7})
		values := map[string]bool{}
		for i, c := range slices.Collect(compile(t, p, engine.State{}, "2026-01-10", engine.Policy{}).Next(50)) {
			want := r.choice.Draw(seed, c.Repeat)
			if got := c.Amount(seed); got != want || advanced[i].Charge.Amount(seed) != want || simulated[i].Charge.Amount(seed) != want || simulated[i].Charge.Min != want || simulated[i].Charge.Max != want {
				t.Fatalf("%v, repeat %d: forecast %v, advanced %v, simulated %v, want %v", r.choice, c.Repeat, got, advanced[i].Charge.Amount(seed), simulated[i].Charge, want)
			}
			values[want.String()] = true
		}
		if r.choice.Values() > 50 && len(values) < 20 || r.choice.Values() == 1 && len(values) != 1 {
			t.Errorf("%v: %d values", r.choice, len(values))
		}
	}
	if (engine.Charge{}).Amount(amount.NewSeed(1, "")) != (amount.Amount{}) {
		t.Error("the zero Charge")
	}
	if c := (engine.Charge{Min: amount.MustParse("1.0"), Max: amount.MustParse("1.00")}); c.Amount(amount.Seed{}).String() != "1.0" {
		t.Errorf("%v", c.Amount(amount.Seed{}))
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "amount.Choice.Draw") {
			t.Errorf("a charge put together from fields: %s", text)
		}
	}()
	engine.Charge{Min: amount.MustParse("1.00"), Max: amount.MustParse("2.00")}.Amount(amount.Seed{})
}

// TestNoOtherJSON: a charge, an effect and an explanation have the JSON of package record alone.
func TestNoOtherJSON(t *testing.T) {
	for _, v := range []any{engine.Charge{}, &engine.Charge{}, engine.Effect{}, engine.Explanation{}, []engine.Charge{{}}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "record.Charge") {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
}

// TestPolicyGoesWithTheState: the state alone carries its policy too, also before the creation; another engine refuses it with both words;
// one that was put together from fields is taken by any engine, and bound by the first that lets time pass.
func TestPolicyGoesWithTheState(t *testing.T) {
	skip, plain := engine.New(engine.Policy{MonthEnd: calendar.MonthEndSkip}), engine.New(engine.Policy{})
	created, err := skip.Create(daily(), day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	uncreated := engine.Stored{Profile: daily()}.Under(engine.Policy{MonthEnd: calendar.MonthEndSkip})
	for _, s := range []engine.Stored{created, uncreated} {
		text, err := json.Marshal(s.State)
		if err != nil {
			t.Fatal(err)
		}
		back := engine.Stored{Profile: daily()}
		if err := json.Unmarshal(text, &back.State); err != nil || !back.Equal(s) {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
		for door, err := range map[string]error{
			"Compile":  second(plain.Compile(back, day("2026-01-12"))),
			"Advance":  third(plain.Advance(back, day("2026-01-12"))),
			"Handle":   third(plain.Handle(back, engine.Event{Date: day("2026-01-12"), Kind: engine.EventStop})),
			"Simulate": second(plain.Simulate(engine.Simulation{Stored: back, AsOf: day("2026-01-12"), Until: day("2026-01-12")}, nil)),
			"Explain":  second(plain.Explain(engine.Simulation{Stored: back, AsOf: day("2026-01-12")}, day("2026-01-12"))),
			"Check":    plain.Check(back, day("2026-01-12")),
		} {
			e, ok := errors.AsType[*engine.Error](err)
			if !ok || !errors.Is(err, engine.ErrPolicyDiffers) || e.Field != "month-end" || e.Have != "month-end=skip" || e.Want != "month-end=clamp" {
				t.Errorf("%s: %#v", door, err)
				continue
			}
			if text := err.Error(); strings.Count(text, "month-end") != 1 || !strings.Contains(text, "skip") || !strings.Contains(text, "clamp") || !strings.Contains(text, "Stored.Under") {
				t.Errorf("%s: %s", door, text)
			}
		}
	}
	if text, _ := json.Marshal(uncreated.State); string(text) != `{"status":"none","policy":{"month-end":"skip"}}` {
		t.Errorf("not created and bound: %s", text)
	}
	if text, _ := json.Marshal(engine.Stored{Profile: daily()}.Under(engine.Policy{}).State); string(text) != `{"status":"none","policy":{}}` {
		t.Errorf("not created, under the defaults: %s", text)
	}
	byHand := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-11")}}
	if _, known := byHand.Policy(); known {
		t.Error("a state put together from fields knows its policy")
	}
	after, _, err := skip.Advance(byHand, day("2026-01-12"))
	if policy, known := after.Policy(); err != nil || !known || policy.MonthEnd != calendar.MonthEndSkip {
		t.Errorf("bound by the first Advance: %v, %v, %v", policy, known, err)
	}
	if moved := created.Under(engine.Policy{}); moved.State.Repeat != created.State.Repeat || third(plain.Advance(moved, day("2026-01-12"))) != nil {
		t.Error("Under does not move it")
	}
}

// TestDefaultsOfVersion1: what is left out of the policy of a stored state means the same for ever. Do not change these words.
func TestDefaultsOfVersion1(t *testing.T) {
	const frozen = "month-end=clamp,start-absent=as-of,start-past=skip,finish-bound=inclusive,max-counts=charges,max-zero=stop," +
		"resume-counter=keep,resume-anchor=keep,resume-missed=skip,run-missed=skip,manual-counts=yes,manual-when-stopped=refuse,manual-takes-slot=no"
	var s engine.Stored
	if err := json.Unmarshal([]byte(`{"schema":"chargecast.stored/1","profile":{},"state":{"repeat":1,"policy":{}}}`), &s); err != nil {
		t.Fatal(err)
	}
	if policy, known := s.Policy(); !known || policy.String() != frozen {
		t.Errorf("%v: %v", known, policy)
	}
	for c := range engine.Keys() {
		for i := range c.Entry().Values() {
			policy := engine.Policy{}.WithReading(c, i)
			text, err := json.Marshal(engine.Stored{Profile: daily()}.Under(policy))
			value := policy.Reading(c).Value
			if err != nil || strings.Contains(string(text), `"`+c.Key()+`"`) == strings.Contains(","+frozen+",", ","+c.Key()+"="+value+",") {
				t.Errorf("%s=%s is written as %s, %v", c.Key(), value, text, err)
			}
			var back engine.Stored
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			if got, known := back.Policy(); !known || got != policy {
				t.Errorf("%s is read as %v", text, got)
			}
		}
	}
}

// TestSchemaOfStored: what a later version wrote, what has no schema and what has no profile are errors with a code of their own, through
// encoding/json too.
func TestSchemaOfStored(t *testing.T) {
	for text, code := range map[string]ledger.Code{
		`{}`:                               "schema-missing",
		`{"profile":{}}`:                   "schema-missing",
		`{"profile":{},"later":1}`:         "schema-missing",
		`{"schema":"chargecast.stored/1"}`: "json-type",
		`{"schema":"chargecast.stored/2"}`: "schema-later",
		`{"schema":"chargecast.stored/17","profile":{"new":1},"x":[]}`: "schema-later",
		`{"schema":"chargecast.stored/x","profile":{}}`:                "schema-missing",
		`{"schema":"chargecast.state/1","profile":{}}`:                 "schema-missing",
	} {
		var s engine.Stored
		if err := json.Unmarshal([]byte(text), &s); !errors.Is(err, code) {
			t.Errorf("%s: %v, want %s", text, err, code)
		}
		var list []engine.Stored
		if err := json.Unmarshal([]byte("["+text+"]"), &list); !errors.Is(err, code) {
			t.Errorf("[%s]: %v, want %s", text, err, code)
		}
	}
}

// TestNotEncodable: a state that no JSON can carry exactly is an error of MarshalJSON, and never reads back as another one.
func TestNotEncodable(t *testing.T) {
	for field, s := range map[string]engine.State{
		"state.manual": {Status: engine.StatusActive, Manual: 1 << 63},
		"state.repeat": {Status: engine.StatusActive, Repeat: 1 << 63},
		"state.missed": {Status: engine.StatusActive, Missed: []calendar.Window{{From: day("2026-01-01"), To: calendar.MaxDate().AddDays(1)}}},
		"state.stop":   {Status: engine.StatusStopped, Stop: engine.Stop{Date: calendar.MaxDate().AddDays(1)}},
		"month-end":    engine.Stored{State: engine.State{Status: engine.StatusActive}}.Under(engine.Policy{MonthEnd: 9}).State,
	} {
		text, err := json.Marshal(s)
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Field != field {
			t.Errorf("%s: %s, %v", field, text, err)
		}
	}
}

// TestPlanPastTheCalendar: a plan asked for a day after the last one answers for the last one.
func TestPlanPastTheCalendar(t *testing.T) {
	p := daily()
	p.Start = day("9999-12-01")
	plan := compile(t, p, engine.State{}, "9999-12-01", engine.Policy{})
	last, after := calendar.MaxDate(), calendar.MaxDate().AddDays(1)
	if !plan.State(after).Equal(plan.State(last)) || !reflect.DeepEqual(plan.End(after), plan.End(last)) || !plan.End(after).LastDay {
		t.Errorf("%+v, %+v; want %+v, %+v", plan.State(after), plan.End(after), plan.State(last), plan.End(last))
	}
	if text, err := json.Marshal(plan.State(after)); err != nil {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSetAmounts: one way of giving the amount replaces the others, whichever the profile has.
func TestSetAmounts(t *testing.T) {
	sequence, _ := amount.Sequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.00")})
	span, _ := amount.Range(amount.MustParse("1.00"), amount.MustParse("2.00"), "EUR")
	ways := []amount.Choice{amount.Fixed(amount.MustParse("3.00")), span, sequence}
	e := engine.New(engine.Policy{})
	for _, from := range ways {
		for _, to := range ways {
			p := daily()
			p.Amounts = from
			s, err := e.Create(p, day("2026-01-10"))
			if err != nil {
				t.Fatal(err)
			}
			after, _, err := e.Handle(s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.SetAmounts(to)})
			if err != nil || after.Profile.Amounts != to || after.State.Repeat != 2 {
				t.Errorf("%v to %v: %v, %v", from, to, after.Profile.Amounts, err)
			}
		}
	}
	s, _ := e.Create(daily(), day("2026-01-10"))
	if after, effects, err := e.Handle(s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.SetAmounts(amount.Choice{})}); !errors.Is(err, ledger.Code("amount-missing")) || !after.Equal(s) || len(effects) != 1 {
		t.Errorf("no amount: %v", err)
	}
}

// TestRefusedEventsHaveACode: whatever refuses an event, one code says that it was refused, and the
// rule that it would break is found too. An amount for a range is refused with words that say why.
func TestRefusedEventsHaveACode(t *testing.T) {
	e := engine.New(engine.Policy{})
	p := daily()
	p.Amounts, _ = amount.Range(amount.MustParse("1.00"), amount.MustParse("2.00"), "EUR")
	s, err := e.Create(p, day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	stopped, _, err := e.Handle(s, engine.Event{Date: day("2026-01-11"), Kind: engine.EventStop})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s     engine.Stored
		event engine.Event
		rule  ledger.Code
		says  string
	}{
		{stopped, engine.Event{Kind: engine.EventCharge}, engine.ErrEventRefused, "refused while stopped"},
		{s, engine.Event{Kind: engine.EventUpdate, Update: engine.Update{Amount: engine.To(amount.MustParse("3.00"))}}, "amount-modes", "an update removes none"},
		{s, engine.Event{Kind: engine.EventUpdate, Update: engine.SetAmounts(amount.Choice{})}, "amount-missing", "missing amount"},
	} {
		c.event.Date = day("2026-01-12")
		_, effects, err := e.Handle(c.s, c.event)
		if !errors.Is(err, engine.ErrEventRefused) || !errors.Is(err, c.rule) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "see because") {
			t.Errorf("%v: %v", c.event.Kind, err)
		}
		if code, ok := errors.AsType[ledger.Code](err); !ok || code != c.rule || len(effects) != 1 {
			t.Errorf("%v: the code is %q, not %q", c.event.Kind, code, c.rule)
		}
	}
	if _, _, err := e.Handle(s, engine.Event{Kind: engine.EventStop}); err == nil || errors.Is(err, engine.ErrEventRefused) {
		t.Errorf("an event without a day: %v", err)
	}
}

// TestChargeIsNotReadAsNothing: the JSON of a record.Charge is not read into a Charge with an amount of 0.
func TestChargeIsNotReadAsNothing(t *testing.T) {
	c := engine.Charge{Repeat: 3}
	err := json.Unmarshal([]byte(`{"type":"charge","profile":"rent-31","row":1,"repeat":0,"date":"2026-01-31","amount":"850.00","currency":"EUR"}`), &c)
	if err == nil || !strings.Contains(err.Error(), "record.Charge") || c.Repeat != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestLineHasNoPolicy: a line of a state file that has a policy, or says that its profile is not created, is an error, and
// not taken under another policy or as a new profile.
func TestLineHasNoPolicy(t *testing.T) {
	for line, want := range map[string]struct {
		code  ledger.Code
		field string
	}{
		`{"profile":"a","repeat":3,"policy":{"month-end":"skip"}}`: {"json-unknown-field", "policy"},
		`{"profile":"a","policy":{}}`:                              {"json-unknown-field", "policy"},
		`{"profile":"a","status":"none"}`:                          {"state-status", "status"},
	} {
		if _, _, err := engine.ParseStateLine([]byte(line)); !errors.Is(err, want.code) || !strings.HasPrefix(err.Error(), want.field+": ") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestErrorsSayWhatIsWrong: a day that is none is not out of order, a state without RanThrough does not contradict itself, a
// schema of something else is not missing, and one with any higher number is later.
func TestErrorsSayWhatIsWrong(t *testing.T) {
	e := engine.New(engine.Policy{})
	s, err := e.Create(daily(), day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []calendar.Date{{}, calendar.MaxDate().AddDays(1)} {
		_, _, advanced := e.Advance(s, d)
		_, _, handled := e.Handle(s, engine.Event{Date: d, Kind: engine.EventStop})
		_, created := e.Create(daily(), d)
		for _, err := range []error{advanced, handled, created} {
			if !errors.Is(err, engine.ErrEventOrder) || !strings.Contains(err.Error(), "not in the calendar") || strings.Contains(err.Error(), "order") {
				t.Error(err)
			}
		}
	}
	s.State.RanThrough = calendar.Date{}
	if _, _, err := e.Advance(s, day("2026-01-11")); !errors.Is(err, engine.ErrStateConflict) || !strings.Contains(err.Error(), "give RanThrough") {
		t.Error(err)
	}
	for schema, want := range map[string]ledger.Code{
		"chargecast.stored/2": "schema-later", "chargecast.stored/99999999999999999999": "schema-later",
		"chargecast.stored/0": "schema-missing", "chargecast.stored/x": "schema-missing", "chargecast.book/1": "schema-missing",
	} {
		if err := json.Unmarshal([]byte(`{"schema":"`+schema+`","profile":{}}`), &s); !errors.Is(err, want) {
			t.Errorf("%s: %v", schema, err)
		}
	}
	sim := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-01-10"), Outcomes: map[uint64]engine.Outcome{0: engine.OutcomeUnknown}}
	if _, err := e.Simulate(sim, func(engine.Effect) bool { return true }); err == nil || !strings.Contains(err.Error(), "neither approved nor declined") {
		t.Error(err)
	}
}
