package vector_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// judgeLife forecasts and simulates: a forecast is a simulation without a script (E03).
func judgeLife(t *testing.T, v vector.Vector) {
	lives, err := v.Lives()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lives {
		replayLife(t, l)
	}
}

func replayLife(t *testing.T, l vector.Life) {
	var items []string
	for k, v := range l.Policy {
		items = append(items, k+"="+v)
	}
	slices.Sort(items)
	pol, err := engine.ParsePolicy(strings.Join(items, ","))
	if err != nil {
		t.Fatal(err)
	}
	asOf, until := calendar.MustParse(l.AsOf), calendar.MustParse(l.Until)
	stored, ok := storedOf(t, l, asOf, pol)
	if !ok {
		if !l.Expect.Rejected {
			t.Errorf("%s: the row is refused", l.ID)
		}
		return
	}
	ours := engine.New(pol)
	plan, err := ours.Compile(stored, asOf)
	if (err != nil) != l.Expect.Rejected {
		t.Fatalf("%s: %v, want rejected %v", l.ID, err, l.Expect.Rejected)
	}
	if err != nil {
		return
	}
	if l.Script == nil {
		var effects []engine.Effect
		for c := range plan.Charges(calendar.Through(asOf, until)) {
			effects = append(effects, engine.Effect{Kind: engine.ChargeAttempted, Date: c.Date, Charge: c})
		}
		sameLife(t, l, effects, plan.End(until))
	}
	var effects []engine.Effect
	sim := engine.Simulation{Stored: stored, AsOf: asOf, Until: until, Script: scriptOf(t, l), Seed: 7}
	last, err := ours.Simulate(sim, func(e engine.Effect) bool {
		effects = append(effects, e)
		return true
	})
	if err != nil {
		t.Fatalf("%s: %v", l.ID, err)
	}
	end, err := ours.End(last, until)
	if err != nil {
		t.Fatalf("%s: %v", l.ID, err)
	}
	sameLife(t, l, effects, end)
}

// storedOf is the profile, read as a row of a payload is, and its state; false where the row has an error.
func storedOf(t *testing.T, l vector.Life, asOf calendar.Date, pol engine.Policy) (engine.Stored, bool) {
	t.Helper()
	kind := l.Columns["rp_card_type"]
	set := map[string]vector.Text{}
	for _, name := range []string{"amount", "currency", "period", "interval", "start-date", "finish-date", "max-repeats-number"} {
		set[name] = ""
	}
	for name, value := range l.Columns {
		set[name] = vector.Text(value)
	}
	set["expire-year"] = ""
	if kind == "SRC" {
		set["expire-year"] = "9999"
	}
	text, err := vector.Payload{Row: kind, Set: set}.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var out engine.Stored
	found := false
	for row := range rules.NewReader(strings.NewReader(string(text)), rules.Options{AsOf: asOf, Policy: pol}).Rows() {
		if row != nil {
			out.Profile, found = row.Profile(), true
		}
	}
	if l.State != nil {
		out.State = decoded[engine.State](t, l.State)
	}
	return out, found
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

func sameLife(t *testing.T, l vector.Life, effects []engine.Effect, end engine.End) {
	t.Helper()
	want, err := vector.DecodeAll[vector.Charge](l.Expect.Charges)
	if err != nil {
		t.Fatal(err)
	}
	events, err := vector.DecodeAll[vector.Event](l.Expect.Events)
	if err != nil {
		t.Fatal(err)
	}
	var charges []engine.Charge
	var handled []vector.Event
	for _, e := range effects {
		switch e.Kind {
		case engine.ChargeAttempted:
			charges = append(charges, e.Charge)
		case engine.EventHandled:
			handled = append(handled, vector.Event{Date: e.Date.String(), Do: e.Event.String(), Result: e.Result.String()})
		}
	}
	if l.Script != nil && !slices.Equal(handled, events) {
		t.Errorf("%s: events\n got %v\nwant %v", l.ID, handled, events)
	}
	if len(charges) != len(want) {
		t.Fatalf("%s: %d charges, want %d\n got %+v\nwant %+v", l.ID, len(charges), len(want), charges, want)
	}
	for i := range want {
		if !sameCharge(charges[i], want[i]) {
			t.Errorf("%s: charge %d\n got %+v\nwant %+v", l.ID, i, charges[i], want[i])
		}
	}
	sameEnd(t, l, end)
}

// sameCharge compares a charge with the members that an expectation has. In a simulation a range stands
// for one drawn amount inside it.
func sameCharge(got engine.Charge, want vector.Charge) bool {
	slot, kind := want.Slot, "automatic"
	if slot == "" {
		slot = want.Date
	}
	if got.Manual {
		kind = "manual"
	}
	low, high := want.Bounds()
	from, to := amount.MustParse(low), amount.MustParse(high)
	drawn := got.Min == got.Max
	return got.Repeat == want.Repeat && got.Date.String() == want.Date && (got.Manual || got.Slot.String() == slot) &&
		(want.Kind == "" || want.Kind == kind) && (want.Outcome == "" || want.Outcome == got.Outcome.String()) &&
		from.Compare(got.Min) <= 0 && got.Max.Compare(to) <= 0 && (drawn || from.Compare(got.Min) == 0 && got.Max.Compare(to) == 0)
}

func sameEnd(t *testing.T, l vector.Life, got engine.End) {
	t.Helper()
	want := decoded[vector.End](t, l.Expect.End)
	if got.Status.String() != want.Status || got.Repeat != want.Repeat {
		t.Errorf("%s: ends %v with repeat %d, want %s with %d", l.ID, got.Status, got.Repeat, want.Status, want.Repeat)
	}
	if want.Stop == nil {
		return
	}
	stop := decoded[vector.Stop](t, want.Stop)
	date := ""
	if !got.Stop.IsZero() {
		date = got.Stop.Date.String()
	}
	if date != stop.Date || !slices.Equal(slices.Collect(got.Stop.Reasons.All()), stop.Reasons) {
		t.Errorf("%s: stop %v, want %+v", l.ID, got.Stop, stop)
	}
}
