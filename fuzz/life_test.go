package fuzz_test

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
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A life is a life of package vector with its values read.
type life struct {
	vector.Life

	policy   engine.Policy
	sim      engine.Simulation
	readable bool // its columns can be read; else it has a fault that no engine sees
	charges  []vector.Charge
	events   []vector.Event
	end      *vector.End
}

// lifeOf reads what the kit needs of a life.
func lifeOf(raw vector.Life) (l life, err error) {
	l.Life = raw
	var errs [7]error
	profile, ok := readProfile(raw.ID, raw.Columns)
	l.readable = ok
	l.sim.Stored.Profile = profile
	errs[0] = l.sim.AsOf.UnmarshalText([]byte(raw.AsOf))
	errs[1] = l.sim.Until.UnmarshalText([]byte(raw.Until))
	l.policy, errs[2] = engine.ParsePolicy(policyText(raw.Policy))
	if raw.State != nil {
		errs[3] = json.Unmarshal(raw.State, &l.sim.Stored.State)
	}
	l.charges, errs[4] = vector.DecodeAll[vector.Charge](raw.Expect.Charges)
	l.events, errs[5] = vector.DecodeAll[vector.Event](raw.Expect.Events)
	l.end, errs[6] = vector.Decode[*vector.End](raw.Expect.End)
	l.sim.Script, err = scriptOf(raw.Script)
	return l, errors.Join(append(errs[:], err)...)
}

func policyText(values map[string]string) string {
	var items []string
	for key, value := range values {
		items = append(items, key+"="+value)
	}
	return strings.Join(items, ",")
}

func scriptOf(lines []json.RawMessage) (engine.Script, error) {
	s := engine.Script{Outcomes: map[uint64]engine.Outcome{}}
	for _, text := range lines {
		line, err := record.ParseScriptLine(text)
		if err != nil {
			return s, err
		}
		if line.IsOutcome {
			s.Outcomes[line.Repeat] = line.Outcome
			continue
		}
		if line.Step.Do == engine.DoUpdate {
			set := map[string]string{}
			for _, c := range line.Cells {
				set[c.Column] = c.Value
			}
			var ok bool
			if line.Step.Set, ok = readUpdate(set); !ok {
				line.Step.Set.Unreadable = ledger.Findings{{Code: "unreadable", Clause: clause.Doc21}}
			}
		}
		s.Steps = append(s.Steps, line.Step)
	}
	return s, nil
}

// judge compares what an implementation makes of a life with what must come of it.
func (l life) judge(t *testing.T, impl fuzz.Impl) {
	t.Helper()
	var got lived
	var err error
	switch {
	case !l.readable:
		if !l.Expect.Rejected {
			t.Errorf("%s: the columns cannot be read", l.ID)
		}
		return
	case l.Script != nil:
		got, err = l.simulated(impl, l.policy)
	default:
		got, err = l.forecast(impl)
	}
	if (err != nil) != l.Expect.Rejected {
		t.Errorf("%s: rejected is %v, want %v", l.ID, err != nil, l.Expect.Rejected)
	}
	if err == nil {
		l.compare(t, got)
	}
}

// lived is what an implementation makes of a life.
type lived struct {
	effects []engine.Effect
	end     fuzz.End
}

func (l life) forecast(impl fuzz.Impl) (got lived, err error) {
	f, err := impl.Forecast(fuzz.Job{Profile: l.sim.Stored.Profile, State: l.sim.Stored.State, AsOf: l.sim.AsOf, Policy: l.policy})
	if err != nil {
		return got, err
	}
	for c := range f.Charges(calendar.Through(l.sim.AsOf, l.sim.Until)) {
		got.effects = append(got.effects, engine.Effect{Kind: engine.ChargeAttempted, Date: c.Date, Charge: c})
	}
	got.end = f.End(l.sim.Until)
	return got, nil
}

func (l life) simulated(impl fuzz.Impl, p engine.Policy) (got lived, err error) {
	stored, err := impl.Simulate(p, l.sim, func(e engine.Effect) bool {
		got.effects = append(got.effects, e)
		return true
	})
	got.end = fuzz.End{Status: stored.State.Status, Repeat: stored.State.Repeat, Stop: laws.StopFrom(stored.State.Stop)}
	return got, err
}

// compare compares what the expectation has.
func (l life) compare(t *testing.T, got lived) {
	t.Helper()
	var charges []engine.Charge
	var events []vector.Event
	for _, e := range got.effects {
		switch e.Kind {
		case engine.ChargeAttempted:
			charges = append(charges, e.Charge)
		case engine.EventHandled:
			events = append(events, vector.Event{Date: e.Date.String(), Do: e.Event.String(), Result: e.Result.String()})
		}
	}
	if !slices.EqualFunc(charges, l.charges, func(c engine.Charge, want vector.Charge) bool { return matches(want, c, l.Script != nil) }) {
		t.Errorf("%s: charges\n got %+v\nwant %+v", l.ID, charges, l.charges)
	}
	if l.Script != nil && !slices.Equal(events, l.events) {
		t.Errorf("%s: events %v, want %v", l.ID, events, l.events)
	}
	want := l.end
	if want == nil {
		return
	}
	if got.end.Status.String() != want.Status || got.end.Repeat != want.Repeat {
		t.Errorf("%s: ends %v with repeat %d, want %s with %d", l.ID, got.end.Status, got.end.Repeat, want.Status, want.Repeat)
	}
	if want.Stop == nil {
		return
	}
	stop, err := vector.Decode[vector.Stop](want.Stop)
	date := ""
	if !got.end.Stop.Date.IsZero() {
		date = got.end.Stop.Date.String()
	}
	if err != nil || date != stop.Date || !slices.Equal(got.end.Stop.Reasons, stop.Reasons) {
		t.Errorf("%s: stop %v, want %+v (%v)", l.ID, got.end.Stop, stop, err)
	}
}

// matches compares a charge with the members that the expectation has. In a simulation a range stands for one
// drawn amount inside it.
func matches(want vector.Charge, got engine.Charge, drawn bool) bool {
	slot, kind := want.Slot, "automatic"
	if slot == "" {
		slot = want.Date
	}
	if got.Manual {
		kind = "manual"
	}
	if got.Repeat != want.Repeat || got.Date.String() != want.Date || !got.Manual && got.Slot.String() != slot ||
		want.Kind != "" && want.Kind != kind || want.Outcome != "" && want.Outcome != got.Outcome.String() {
		return false
	}
	low, high := want.Bounds()
	from, to := amount.MustParse(low), amount.MustParse(high)
	if drawn {
		return from.Compare(got.Min) <= 0 && got.Min == got.Max && got.Max.Compare(to) <= 0
	}
	return from.Compare(got.Min) == 0 && to.Compare(got.Max) == 0
}

// outcome is what an implementation makes of a life under a policy, as text that can be compared; "refused"
// where it refuses.
func (l life) outcome(impl fuzz.Impl, p engine.Policy) string {
	if !l.readable {
		return "refused"
	}
	got, err := l.simulated(impl, p)
	if err != nil {
		return "refused"
	}
	var text []byte
	for _, e := range got.effects {
		text = append(append(text, laws.EffectText(e)...), '\n')
	}
	text = append(text, got.end.Status.String()...)
	return string(strconv.AppendUint(text, got.end.Repeat, 10))
}
