package engine_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A broken value is one field of a stored profile or of a policy that no program may use.
type broken struct {
	field  string
	want   ledger.Code
	change func(*engine.Stored, *engine.Policy)
}

// brokenStored lists every field in turn, as of 2026-01-12.
func brokenStored() []broken {
	list := []broken{
		{"client-orderid", ledger.Code("invalid-utf8"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.ID = "a\xffb" }},
		{"client-orderid", ledger.Code("nul-character"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.ID = "a\x00b" }},
		{"currency", ledger.Code("nul-character"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Currency = "EU\x00" }},
		{"start-date", ledger.Code("date-not-a-day"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Start = pastCalendar }},
		{"finish-date", ledger.Code("date-not-a-day"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Finish = pastCalendar }},
		{"expire-year", ledger.Code("date-not-a-day"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.CardExpires = pastCalendar }},
		{"state.anchor", ledger.Code("date-not-a-day"), func(s *engine.Stored, _ *engine.Policy) { s.State.Anchor = pastCalendar }},
		{"rp_card_type", ledger.Code("card-type"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Kind = 0 }},
		{"rp_card_type", ledger.Code("card-type"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Kind = 3 }},
		{"period", ledger.Code("schedule-pair"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Unit = 0 }},
		{"period", ledger.Code("interval-value"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Unit = 4 }},
		{"interval", ledger.Code("schedule-pair"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Interval = 0 }},
		{"interval", ledger.Code("interval-value"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Interval = math.MinInt }},
		{"period", ledger.Code("schedule-on-dst"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Kind = engine.KindDestination }},
		{"amount", ledger.Code("amount-missing"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Amounts = amount.Choice{} }},
		{"amount", ledger.Code("amount-missing"), func(s *engine.Stored, _ *engine.Policy) { s.Profile.Amounts = amount.Choice{} }},
		{"currency", ledger.Code("amount-grid"), func(s *engine.Stored, _ *engine.Policy) {
			s.Profile.Amounts, _ = amount.Range(amount.MustParse("1"), amount.MustParse("5"), "JPY")
		}},
		{"max-repeats-number", ledger.Code("max-zero"), func(s *engine.Stored, p *engine.Policy) {
			s.Profile.MaxRepeats, p.MaxZero = engine.AtMost(0), engine.MaxZeroReject
		}},
		{"start-date", ledger.Code("start-absent"), func(s *engine.Stored, p *engine.Policy) {
			s.Profile.Start, s.State.Anchor, p.StartAbsent = calendar.Date{}, calendar.Date{}, engine.StartAbsentReject
		}},
		{"state.status", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) { s.State.Status = 7 }},
		{"state.status", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) { s.State.Status = 0 }},
		{"state.ran_through", engine.ErrEventOrder, func(s *engine.Stored, _ *engine.Policy) { s.State.RanThrough = day("2026-01-13") }},
		{"state.last", engine.ErrEventOrder, func(s *engine.Stored, _ *engine.Policy) { s.State.Last = day("2026-01-13") }},
		{"state.repeat", ledger.Code("state-repeat"), func(s *engine.Stored, _ *engine.Policy) { s.State.Repeat = math.MaxUint64 }},
		{"state.paid", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) { s.State.Paid = []calendar.Date{{}} }},
		{"state.paid", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) {
			s.State.Paid = []calendar.Date{day("2026-01-13")}
		}},
		{"state.missed", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) {
			s.State.Missed = []calendar.Window{calendar.Through(day("2026-02-01"), day("2026-02-03"))}
		}},
		{"state.missed", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) {
			s.State.Missed = []calendar.Window{{From: day("2026-01-05"), To: day("2026-01-05")}}
		}},
		{"state.stop", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) { s.State.Stop.Date = day("2026-01-11") }},
		{"state.stop", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) { s.State.Stop.Reasons = engine.ReasonAPI }},
		{"state.stop", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) {
			s.State.Status = engine.StatusStopped
			s.State.Stop = engine.Stop{Date: day("2026-01-11"), Reasons: 8}
		}},
		{"state.stop", engine.ErrStateConflict, func(s *engine.Stored, _ *engine.Policy) {
			s.State.Status = engine.StatusStopped
			s.State.Stop = engine.Stop{Date: day("2026-01-13"), Reasons: engine.ReasonAPI}
		}},
	}
	for c := range engine.Keys() {
		list = append(list, broken{c.Key(), engine.ErrPolicy, func(_ *engine.Stored, p *engine.Policy) { *p = policyWith(c, 9) }})
	}
	return list
}

// policyWith has a value that the key of c does not have.
func policyWith(c ledger.Clause, n uint8) engine.Policy {
	var p engine.Policy
	fields := reflect.ValueOf(&p).Elem()
	i := 0
	for key := range engine.Keys() {
		if key == c {
			fields.Field(i).SetUint(uint64(n))
		}
		i++
	}
	return p
}

// TestOneGate: a broken field is refused by every door with the same error, which names the field,
// and nothing changes (E1, E27, h313).
func TestOneGate(t *testing.T) {
	asOf := day("2026-01-12")
	for _, b := range brokenStored() {
		s, pol := stored(engine.StatusActive), engine.Policy{}
		b.change(&s, &pol)
		before := s
		for door, err := range map[string]error{
			"Check":    engine.New(pol).Check(s, asOf),
			"Compile":  second(engine.New(pol).Compile(s, asOf)),
			"Apply":    third(engine.Apply(engine.New(pol), s, engine.Event{Date: asOf, Kind: engine.EventRun})),
			"Stop":     third(engine.Apply(engine.New(pol), s, engine.Event{Date: asOf, Kind: engine.EventStop})),
			"Advance":  third(engine.New(pol).Advance(s, asOf)),
			"Simulate": second(engine.New(pol).Simulate(engine.Simulation{Stored: s, AsOf: asOf, Until: asOf}, func(engine.Effect) bool { return true })),
			"End":      second(engine.New(pol).End(s, asOf)),
			"Compare":  second(compare(s, asOf, asOf, pol)),
		} {
			switch {
			case s.State.Status == 0 && door == "Advance":
				if !errors.Is(err, engine.ErrNotCreated) {
					t.Errorf("%s: a profile that is not created is advanced: %v", b.want, err)
				}
				continue
			case b.want == engine.ErrEventOrder && door == "Advance":
				if err != nil {
					t.Errorf("%s: a job that is started twice: %v", b.want, err)
				}
				continue
			}
			e, ok := errors.AsType[*engine.Error](err)
			if !ok || e.Field != b.field || e.Code != b.want || !errors.Is(err, b.want) {
				t.Errorf("%s: %s says %v, want %v in %s", b.want, door, err, b.want, b.field)
			}
		}
		if !reflect.DeepEqual(s, before) {
			t.Errorf("%s: the argument changed", b.field)
		}
	}
	if err := engine.New(engine.Policy{}).Check(stored(engine.StatusActive), asOf); err != nil {
		t.Errorf("the sound profile: %v", err)
	}
	if err := engine.New(engine.Policy{}).Check(stored(engine.StatusActive), calendar.Date{}); !errors.Is(err, ledger.Code("as-of")) {
		t.Errorf("no as-of: %v", err)
	}
}

func second[T any](_ T, err error) error        { return err }
func third[T, U any](_ T, _ U, err error) error { return err }

// TestMonthEndOutOfRange: a month end that is none of the four is refused by a run, not taken for a
// schedule without dates (E1).
func TestMonthEndOutOfRange(t *testing.T) {
	s := stored(engine.StatusActive)
	_, after, err := engine.Apply(engine.New(engine.Policy{MonthEnd: 9}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventRun})
	if e, ok := errors.AsType[*engine.Error](err); !ok || e.Field != "month-end" || difference(s, after) != "" {
		t.Errorf("%v", err)
	}
}

// TestCatchUpOnTheLastDay: days that a run on 9999-12-31 caught up with are not owed afterwards;
// the year 9998 is the same life (E2, h314).
func TestCatchUpOnTheLastDay(t *testing.T) {
	pol := engine.Policy{RunMissed: engine.MissedCatchUp}
	for _, last := range []string{"9998-12-31", "9999-12-31"} {
		on := day(last)
		p := daily()
		p.Start, p.MaxRepeats = on.AddDays(-3), engine.AtMost(4)
		s := engine.Stored{Profile: p, State: engine.State{Status: engine.StatusActive, RanThrough: on.AddDays(-4)}}
		plan, err := engine.New(pol).Compile(s, on)
		if err != nil {
			t.Fatal(err)
		}
		s.State = plan.State(on)
		if n := plan.Count(calendar.Window{}); n != 4 || s.State.Repeat != 4 || len(s.State.Missed) > 0 {
			t.Errorf("%s: %d charges, then %+v", last, n, s.State)
		}
		for _, e := range []engine.Event{
			{Date: on, Kind: engine.EventUpdate, Update: engine.Update{MaxRepeats: engine.To(engine.AtMost(9))}},
			{Date: on, Kind: engine.EventResume},
			{Date: on, Kind: engine.EventRun},
		} {
			effects, next, err := engine.Apply(engine.New(pol), s, e)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range effects {
				if f.Kind == engine.EffectCharge {
					t.Errorf("%s: the slot %v is charged twice (2.2.10)", last, f.Charge.Slot)
				}
			}
			s = next
		}
	}
}

// TestPlanSharesNothing: writing to the lists that went in or came out changes no plan (E3).
func TestPlanSharesNothing(t *testing.T) {
	s := stored(engine.StatusActive)
	s.State.Paid = []calendar.Date{day("2026-01-05"), day("2026-01-12")}
	s.State.Missed = []calendar.Window{calendar.Through(day("2026-01-05"), day("2026-01-06"))}
	plan, err := engine.New(engine.Policy{}).Compile(s, day("2026-01-12"))
	if err != nil {
		t.Fatal(err)
	}
	before, want := plan.State(day("2026-01-11")), slices.Collect(plan.Next(5))
	for _, lists := range []engine.State{s.State, plan.State(day("2026-01-11")), plan.State(day("2026-01-12")), plan.State(day("2026-01-20"))} {
		for i := range lists.Paid {
			lists.Paid[i] = day("2030-01-01")
		}
		for i := range lists.Missed {
			lists.Missed[i] = calendar.Through(day("2030-01-01"), day("2030-01-02"))
		}
	}
	if got := slices.Collect(plan.Next(5)); !slices.Equal(got, want) || !reflect.DeepEqual(plan.State(day("2026-01-11")), before) {
		t.Errorf("the plan changed: %v, want %v", got, want)
	}
}

// TestFirstChargeHasOneReason: forecast, simulation and events give the charge on the start date
// the same clauses (E4).
func TestFirstChargeHasOneReason(t *testing.T) {
	asOf := day("2026-01-10")
	forecast := slices.Collect(compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{}).Next(1))[0]
	created, err := engine.New(engine.Policy{}).Create(daily(), asOf)
	if err != nil {
		t.Fatal(err)
	}
	ran, _, err := engine.Apply(engine.New(engine.Policy{}), created, engine.Event{Date: asOf, Kind: engine.EventRun})
	if err != nil {
		t.Fatal(err)
	}
	_, advanced, err := engine.New(engine.Policy{}).Advance(created, asOf)
	if err != nil {
		t.Fatal(err)
	}
	simulated := effectsOf(t, engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: asOf, Until: asOf})
	simulated[0].Charge.Outcome = engine.OutcomeUnknown // what it says beside a forecast
	for name, c := range map[string]engine.Charge{"Apply": ran[1].Charge, "Advance": advanced[0].Charge, "Simulate": simulated[0].Charge} {
		if c != forecast {
			t.Errorf("%s: %+v, want %+v", name, c, forecast)
		}
	}
	if !forecast.Because.Has(clause.Doc21) || !forecast.Because.Has(clause.Doc224) {
		t.Errorf("it rests on %v", forecast.Because)
	}
}

// TestLastEventBindsEveryone: nothing before the last event is forecast, simulated or ended (E6).
func TestLastEventBindsEveryone(t *testing.T) {
	s := stored(engine.StatusActive)
	_, s, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-20"), Kind: engine.EventCharge})
	if err != nil {
		t.Fatal(err)
	}
	asOf := day("2026-01-15")
	for door, err := range map[string]error{
		"Compile":  second(engine.New(engine.Policy{}).Compile(s, asOf)),
		"Apply":    third(engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: asOf, Kind: engine.EventRun})),
		"Handle":   third(engine.New(engine.Policy{}).Handle(s, engine.Event{Date: asOf, Kind: engine.EventStop})),
		"Simulate": second(engine.New(engine.Policy{}).Simulate(engine.Simulation{Stored: s, AsOf: asOf, Until: day("2026-02-01")}, func(engine.Effect) bool { return true })),
		"End":      second(engine.New(engine.Policy{}).End(s, asOf)),
	} {
		if !errors.Is(err, engine.ErrEventOrder) {
			t.Errorf("%s: %v", door, err)
		}
	}
}

// TestWideRange: a range that is too wide is not told to swap its ends (E7).
func TestWideRange(t *testing.T) {
	if _, err := amounts("", "1", "9223372036854775807"); !errors.Is(err, ledger.Code("amount-range")) {
		t.Errorf("1 to 2^63-1: %v", err)
	}
	if _, err := amounts("", "9223372036854775807", "1"); !errors.Is(err, ledger.Code("amount-order")) {
		t.Errorf("2^63-1 to 1: %v", err)
	}
}

// TestManualChargeOnAnExclusiveFinish: on finish-date itself the stop is due if the bound is
// exclusive, and the charge says so (E8).
func TestManualChargeOnAnExclusiveFinish(t *testing.T) {
	s := stored(engine.StatusActive)
	s.Profile.Finish = day("2026-01-12")
	for _, bound := range []engine.FinishBound{engine.FinishBoundInclusive, engine.FinishBoundExclusive} {
		effects, _, err := engine.Apply(engine.New(engine.Policy{FinishBound: bound}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
		if err != nil {
			t.Fatal(err)
		}
		if got := effects[1].Charge.Because.Has(clause.L19); got != (bound == engine.FinishBoundExclusive) {
			t.Errorf("%v: the charge rests on %v", bound, effects[1].Charge.Because)
		}
	}
}

// TestScheduleAddedWithoutAStart: an update that adds a schedule needs a start-date where creation
// does (E9).
func TestScheduleAddedWithoutAStart(t *testing.T) {
	s := stored(engine.StatusActive)
	s.Profile.Start, s.Profile.Unit, s.Profile.Interval = calendar.Date{}, 0, 0
	add := engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.Update{Unit: engine.To(calendar.UnitDay), Interval: engine.To(1)}}
	strict := engine.Policy{StartAbsent: engine.StartAbsentReject}
	if _, _, err := engine.Apply(engine.New(strict), s, add); !errors.Is(err, ledger.Code("start-absent")) {
		t.Errorf("reject: %v", err)
	}
	if _, _, err := engine.Apply(engine.New(engine.Policy{}), s, add); err != nil {
		t.Errorf("as-of: %v", err)
	}
	other := engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.Update{Amount: engine.To(amount.MustParse("2"))}}
	if _, _, err := engine.Apply(engine.New(strict), s, other); err != nil {
		t.Errorf("an update of another column: %v", err)
	}
}

// TestCompareReturnsErrors: a profile that cannot be forecast is not one that rests on no
// assumption (E15).
func TestCompareReturnsErrors(t *testing.T) {
	s := engine.Stored{Profile: daily()}
	if _, err := compare(s, day("2026-01-12"), day("2026-01-11"), engine.Policy{}); !errors.Is(err, ledger.Code("until")) {
		t.Errorf("until before as-of: %v", err)
	}
	s.Profile.Amounts = amount.Choice{}
	if list, err := compare(s, day("2026-01-10"), day("2026-02-10"), engine.Policy{}); !errors.Is(err, ledger.Code("amount-missing")) || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}

// TestResetClears: after a failed Reset nothing of the old forecast is left (E16).
func TestResetClears(t *testing.T) {
	plan := compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{})
	if err := engine.New(engine.Policy{}).Recompile(plan, engine.Stored{}, day("2026-01-10")); !errors.Is(err, ledger.Code("card-type")) {
		t.Fatal(err)
	}
	w := calendar.Window{}
	if plan.Count(w) != 0 || len(slices.Collect(plan.Charges(w))) != 0 || len(slices.Collect(plan.Next(3))) != 0 || !plan.Stop().IsZero() {
		t.Error("the old forecast still answers")
	}
	total := plan.Total(w)
	if e := plan.End(day("2026-01-10")); total.Charges != 0 || e.Status != 0 || !plan.State(day("2026-01-10")).IsZero() {
		t.Errorf("the zero Plan ends %+v", e)
	}
}

// TestCompareFarAhead: equal plans are not walked: a comparison of ten thousand years of daily
// charges under every reading ends at once (E17); a walk would make 70 million charges.
func TestCompareFarAhead(t *testing.T) {
	p := daily()
	p.Start = day("0001-01-01")
	s := engine.Stored{Profile: p}
	list, err := compare(s, day("0001-01-01"), calendar.MaxDate(), engine.Policy{})
	if err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestOutcomesChangeNothing: how attempts end changes nothing but the outcome of the charges (E18).
func TestOutcomesChangeNothing(t *testing.T) {
	for _, do := range []engine.EventKind{engine.EventRun, engine.EventCharge} {
		live := func(o engine.Outcome) (effects []engine.Effect, after engine.Stored, err error) {
			step := engine.Step{Event: engine.Event{Date: day("2026-01-12"), Kind: do}}
			sim := engine.Simulation{Stored: stored(engine.StatusActive), AsOf: step.Date, Until: step.Date, Steps: []engine.Step{step}, Outcomes: map[uint64]engine.Outcome{2: o, 3: o}}
			after, err = engine.New(engine.Policy{}).Simulate(sim, func(e engine.Effect) bool {
				effects = append(effects, e)
				return true
			})
			return effects, after, err
		}
		one, after, err1 := live(engine.OutcomeApproved)
		two, other, err2 := live(engine.OutcomeDeclined)
		if err1 != nil || err2 != nil || difference(after, other) != "" || len(one) != len(two) {
			t.Errorf("%v: %v, %v\n%s", do, err1, err2, difference(after, other))
		}
		for i := range two {
			if two[i].Kind == engine.EffectCharge && two[i].Charge.Outcome != engine.OutcomeDeclined {
				t.Errorf("%v: the charge is %v", do, two[i].Charge.Outcome)
			}
			two[i].Charge.Outcome = one[i].Charge.Outcome
			if one[i] != two[i] {
				t.Errorf("%v: %+v, approved %+v", do, two[i], one[i])
			}
		}
	}
}

// TestTexts: values print as what they mean (E19).
func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		ledger.On(clause.Doc21, clause.L01).String():                                                                                "2.1 L01",
		(engine.ReasonMaxRepeats | engine.ReasonAPI).String():                                                                       "max-repeats,stopped-by-api",
		engine.WhyNotDue.String():                                                                                                   "not-due",
		(&engine.Error{Code: ledger.Code("state-repeat")}).Error():                                                                  "repeat numbers end at 2^63-1 (2.2.7)",
		(&engine.Error{Field: "state.paid", Code: ledger.Code("nul-character")}).Error():                                            "state.paid: the text has a NUL character: remove it (L41b)",
		(&engine.Error{Code: ledger.Code("card-type")}).Error():                                                                     "rp_card_type is neither SRC nor DST: give one of the two (2.1)",
		(&engine.Error{Field: "x", Code: "date-syntax"}).Error():                                                                    "x: date-syntax",
		(&engine.Error{Field: "month-end", Code: engine.ErrPolicyDiffers, Have: "month-end=skip", Want: "month-end=clamp"}).Error(): "month-end: the state was made under skip, this engine has clamp: use an engine with that policy, or switch with Stored.Under (L01)",
		(&engine.Error{Field: "state.status", Code: engine.ErrNotCreated}).Error():                                                  "state.status: the profile is not created: create it with Engine.Create (4.1)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAdvanceIsARunEveryDay: charges, stop and state are those of a run on every day (E21, E26).
func TestAdvanceIsARunEveryDay(t *testing.T) {
	for _, pol := range []engine.Policy{{}, {StartPast: engine.StartPastCatchUp}, {ResumeMissed: engine.MissedCatchUp, MaxCounts: engine.MaxCountsRepeatsAfterFirst}} {
		p := daily()
		p.Unit, p.Start, p.MaxRepeats = calendar.UnitWeek, day("2025-12-01"), engine.AtMost(9)
		s, err := engine.New(pol).Create(p, day("2026-01-10"))
		if err != nil {
			t.Fatal(err)
		}
		daily, at := []engine.Effect(nil), s
		for d := day("2026-01-10"); !d.After(day("2026-04-10")); d = d.AddDays(1) {
			effects, next, err := engine.Apply(engine.New(pol), at, engine.Event{Date: d, Kind: engine.EventRun})
			if err != nil {
				t.Fatal(err)
			}
			daily, at = append(daily, effects[1:]...), next
		}
		after, got, err := engine.New(pol).Advance(s, day("2026-04-10"))
		if err != nil || !slices.Equal(got, daily) || difference(after, at) != "" {
			t.Errorf("%v: %v\n%v, want\n%v\n%s", pol, err, got, daily, difference(after, at))
		}
		for cut := day("2026-01-09"); !cut.After(day("2026-04-10")); cut = cut.AddDays(1) {
			middle, front, err := engine.New(pol).Advance(s, cut)
			if err != nil || cut == day("2026-01-09") && (front != nil || !middle.Equal(s)) { // before the creation
				t.Fatal(cut, front, err)
			}
			text, err := json.Marshal(middle)
			if err != nil {
				t.Fatal(err)
			}
			var back engine.Stored
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			end, rest, err := engine.New(pol).Advance(back, day("2026-04-10"))
			both := slices.Concat(front, rest)
			if err != nil || !slices.Equal(both, got) || difference(end, after) != "" {
				t.Fatalf("cut at %v: %v, %d effects of %d", cut, err, len(both), len(got))
			}
		}
	}
}

// TestAdvanceEdges: what has nothing to do does nothing, and what cannot be done is refused whole.
func TestAdvanceEdges(t *testing.T) {
	s := stored(engine.StatusActive)
	for _, r := range []struct {
		reason  string
		stored  engine.Stored
		through string
		want    error
	}{
		{"not created", engine.Stored{Profile: daily()}, "2026-01-12", engine.ErrNotCreated},
		{"the day of the last run", s, "2026-01-11", nil},
		{"before the last run", s, "2026-01-10", nil},
		{"no day of the last run", engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusActive}}, "2026-01-12", engine.ErrStateConflict},
	} {
		after, got, err := engine.New(engine.Policy{}).Advance(r.stored, day(r.through))
		if !errors.Is(err, r.want) || (err == nil) != (r.want == nil) || got != nil || difference(after, r.stored) != "" {
			t.Errorf("%s: %v, %d effects\n%s", r.reason, err, len(got), difference(after, r.stored))
		}
	}
	s.State.RanThrough = day("9990-01-01")
	after, got, err := engine.New(engine.Policy{FinishBound: engine.FinishBoundExclusive}).Advance(s, calendar.MaxDate())
	if want := calendar.MaxDate().Sub(s.State.RanThrough); err != nil || len(got) != want || after.State.RanThrough != calendar.MaxDate() {
		t.Errorf("to the end of the calendar: %d effects, want %d, %v", len(got), want, err)
	}
	after.State.Paid = append(after.State.Paid, day("2026-01-01"))
	if s.State.Paid[0] != day("2026-01-11") {
		t.Error("the argument changed")
	}
}

// TestLongStates: a state with 100,000 paid and as many missed days is read, checked and continued
// in one pass over both lists (E5, h306); a pass over one list for each day of the other would be
// ten thousand million steps.
func TestLongStates(t *testing.T) {
	const n = 100_000
	s := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusActive, Anchor: day("1400-01-01"), RanThrough: day("2026-01-11")}}
	s.Profile.Start = s.State.Anchor
	for i := range n {
		d := s.State.Anchor.AddDays(2 * i)
		s.State.Paid = append(s.State.Paid, d)
		s.State.Missed = append(s.State.Missed, calendar.Through(d, d))
	}
	line, err := engine.AppendStateLine(nil, "a", s.State)
	if err != nil {
		t.Fatal(err)
	}
	if _, s.State, err = engine.ParseStateLine(line); err != nil || len(s.State.Paid) != n || len(s.State.Missed) != n {
		t.Fatal(err)
	}
	s.Profile.MaxRepeats = engine.AtMost(0) // stopped before it charges, so that all stays owed
	plan, err := engine.New(engine.Policy{}).Compile(s, day("2026-01-12"))
	if err != nil {
		t.Fatal(err)
	}
	if after := plan.State(day("2026-01-12")); len(after.Paid) != n || len(after.Missed) != n {
		t.Errorf("%d paid, %d missed of %d", len(after.Paid), len(after.Missed), n)
	}
	if _, _, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventRun}); err != nil {
		t.Error(err)
	}
}

// TestSequenceOutlivesReset: a sequence of charges is that of the plan it was taken from.
func TestSequenceOutlivesReset(t *testing.T) {
	plan := compile(t, daily(), engine.State{}, "2026-01-10", engine.Policy{})
	sequence := plan.Next(3)
	want := slices.Collect(sequence)
	for _, s := range []engine.Stored{{}, {Profile: daily(), State: engine.State{Status: engine.StatusActive, Repeat: 9}}} {
		_ = engine.New(engine.Policy{}).Recompile(plan, s, day("2026-03-01"))
		if got := slices.Collect(sequence); !slices.Equal(got, want) || len(got) != 3 {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// TestOutcomesOfAScript: an outcome that is none is refused, and an attempt that the script does not name is approved.
func TestOutcomesOfAScript(t *testing.T) {
	s := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-01-10")}
	s.Outcomes = map[uint64]engine.Outcome{0: 9}
	if _, err := engine.New(engine.Policy{}).Simulate(s, func(engine.Effect) bool { return true }); !errors.Is(err, ledger.Code("script-outcome")) {
		t.Errorf("outcome 9: %v", err)
	}
	s.Steps = []engine.Step{{Event: engine.Event{Date: day("2026-01-10"), Kind: engine.EventCharge}}}
	for _, r := range []struct {
		outcomes map[uint64]engine.Outcome
		want     engine.Outcome
	}{{nil, engine.OutcomeApproved}, {map[uint64]engine.Outcome{0: engine.OutcomeDeclined}, engine.OutcomeDeclined}} {
		s.Outcomes = r.outcomes
		if got := effectsOf(t, s)[1].Charge; !got.Manual || got.Outcome != r.want {
			t.Errorf("%+v, want %v", got, r.want)
		}
	}
}

// TestGapBeforeAnEvent: the days without a run before an event are judged before it moves the due
// days, and rest on L16b whichever way the life was reached (E25).
func TestGapBeforeAnEvent(t *testing.T) {
	s := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusStopped, RanThrough: day("2026-01-10")}}
	pol := engine.Policy{ResumeAnchor: engine.ResumeAnchorResumeDate}
	resume := engine.Event{Date: day("2026-01-19"), Kind: engine.EventResume}
	simulated := effectsOf(t, engine.Simulation{Stored: s, AsOf: resume.Date, Until: resume.Date, Steps: []engine.Step{{Event: resume}}}, pol)
	_, after, err := engine.Apply(engine.New(pol), s, resume)
	if err != nil {
		t.Fatal(err)
	}
	ran, _, err := engine.Apply(engine.New(pol), after, engine.Event{Date: resume.Date, Kind: engine.EventRun})
	simulated[1].Charge.Outcome = engine.OutcomeUnknown
	if err != nil || ran[1].Charge != simulated[1].Charge || !ran[1].Because.Has(clause.L16b) {
		t.Errorf("applied %+v, simulated %+v, %v", ran[1].Charge, simulated[1].Charge, err)
	}
}

// TestScheduleAddedRestsOnL02: due days that begin on the creation day because no start-date says
// otherwise rest on L02, also when an update adds the schedule.
func TestScheduleAddedRestsOnL02(t *testing.T) {
	p := daily()
	p.Start, p.Unit, p.Interval = calendar.Date{}, 0, 0
	s, err := engine.New(engine.Policy{}).Create(p, day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []engine.Event{
		{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.Update{Unit: engine.To(calendar.UnitDay), Interval: engine.To(2)}},
		{Date: day("2026-01-12"), Kind: engine.EventRun},
	} {
		effects, next, err := engine.Apply(engine.New(engine.Policy{}), s, e)
		if err != nil {
			t.Fatal(err)
		}
		if last := effects[len(effects)-1]; last.Kind == engine.EffectCharge && !last.Because.Has(clause.L02) {
			t.Errorf("the charge rests on %v", last.Because)
		}
		s = next
	}
	if s.State.Repeat != 1 {
		t.Errorf("%d charges", s.State.Repeat)
	}
}

// TestFirstDayOfTheCalendar: a life that begins on 0001-01-01 is that of another year.
func TestFirstDayOfTheCalendar(t *testing.T) {
	for _, pol := range []engine.Policy{{}, {RunMissed: engine.MissedCatchUp}} {
		var lives [2][]string
		for i, first := range []string{"0001-01-01", "0003-01-01"} {
			p := daily()
			p.Start = day(first)
			s, err := engine.New(pol).Create(p, p.Start)
			if err != nil {
				t.Fatal(err)
			}
			_, advanced, err := engine.New(pol).Advance(s, p.Start.AddDays(4))
			if err != nil {
				t.Fatal(err)
			}
			ran, _, err := engine.Apply(engine.New(pol), s, engine.Event{Date: p.Start.AddDays(4), Kind: engine.EventRun})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range slices.Concat(advanced, ran) {
				lives[i] = append(lives[i], e.Kind.String()+" "+strconv.Itoa(e.Charge.Slot.Sub(p.Start))+" "+strconv.Itoa(e.Date.Sub(p.Start)))
			}
		}
		for i := range lives[0] {
			if strings.HasPrefix(lives[0][i], "event") {
				lives[0][i], lives[1][i] = "event", "event" // it has no slot
			}
		}
		if !slices.Equal(lives[0], lives[1]) {
			t.Errorf("%v: %v, want %v", pol, lives[0], lives[1])
		}
	}
}

// TestAnyKindOfEvent: whatever its number, a kind is an event of Handle or an error, and of Simulate.
func TestAnyKindOfEvent(t *testing.T) {
	for n := range 256 {
		kind := engine.EventKind(n)
		_, _, err := engine.New(engine.Policy{}).Handle(stored(engine.StatusActive), engine.Event{Date: day("2026-01-12"), Kind: kind})
		if known := n > 0 && kind <= engine.EventCharge; known == errors.Is(err, ledger.Code("event-kind")) {
			t.Errorf("kind %d: %v", n, err)
		}
		sim := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-01-10"), Steps: []engine.Step{{Event: engine.Event{Date: day("2026-01-10"), Kind: kind}}}}
		_, err = engine.New(engine.Policy{}).Simulate(sim, func(engine.Effect) bool { return true })
		if known := n > 0 && kind <= engine.EventResumeByAPI; known == errors.Is(err, ledger.Code("event-kind")) {
			t.Errorf("kind %d in a script: %v", n, err)
		}
	}
}

// TestExplainTheEndOfRepeats: a due day beyond the last repeat number was not charged before.
func TestExplainTheEndOfRepeats(t *testing.T) {
	s := engine.State{Status: engine.StatusActive, Repeat: math.MaxInt64}
	if e := explain(t, daily(), s, "2026-01-12", engine.Policy{}, "2026-01-12"); e.Why != engine.WhyMissed || e.Because.IsZero() {
		t.Errorf("%v because of %v", e.Why, e.Because)
	}
}

// TestPolicyFaultsCiteTheirKey: a policy out of range is refused because of the entry of its key.
func TestPolicyFaultsCiteTheirKey(t *testing.T) {
	for c := range engine.Keys() {
		err := engine.New(policyWith(c, 9)).Check(stored(engine.StatusActive), day("2026-01-12"))
		if want := c.Key() + ": unknown policy value: use the named constants (" + c.String() + ")"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCompareShiftedGrids: due days counted from another start on the same grid are not walked
// (E17): a daily profile of ten thousand years, begun long before as-of.
func TestCompareShiftedGrids(t *testing.T) {
	for _, r := range []struct {
		unit     calendar.Unit
		interval int
		start    string
	}{{calendar.UnitDay, 1, "0001-01-01"}, {calendar.UnitDay, 3, "0001-01-01"}, {calendar.UnitWeek, 1, "0001-01-03"}, {calendar.UnitMonth, 1, "0001-01-15"}, {calendar.UnitMonth, 1, "0001-01-31"}} {
		p := daily()
		p.Start, p.Unit, p.Interval = day(r.start), r.unit, r.interval
		s := engine.Stored{Profile: p}
		list, err := compare(s, day("0002-01-31"), calendar.MaxDate(), engine.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]calendar.Date{}
		for _, found := range list {
			named[found.Value] = found.First
		}
		// The oracle walks both forecasts.
		old := compile(t, p, engine.State{}, "0002-01-31", engine.Policy{})
		other := compile(t, p, engine.State{}, "0002-01-31", engine.Policy{StartPast: engine.StartPastReanchor})
		var want calendar.Date
		a, b := slices.Collect(old.Next(5000)), slices.Collect(other.Next(5000))
		for i := range a {
			if a[i].Date != b[i].Date {
				want = earlierOf(a[i].Date, b[i].Date)
				break
			}
		}
		if named["reanchor"] != want {
			t.Errorf("%v %d from %s: reanchor differs first on %q, want %q", r.unit, r.interval, r.start, named["reanchor"], want)
		}
	}
}

func earlierOf(a, b calendar.Date) calendar.Date {
	if a.Before(b) {
		return a
	}
	return b
}
