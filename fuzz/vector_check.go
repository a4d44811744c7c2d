package fuzz

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/subject"
	"github.com/chargecast/chargecast/ledger"
)

// CheckVector compares what an implementation makes of a vector with what it expects.
// It tells whether the vector could be asked at all.
func CheckVector(t T, v Vector, impl Impl) (covered bool) {
	t.Helper()
	job, ok := v.job()
	switch {
	case !ok: // a fault that no engine sees
		if !v.Expect.Rejected {
			t.Errorf("%s: the vector cannot be read", v.ID)
		}
		return true
	case len(v.Script) > 0:
		if impl.Simulate == nil {
			return false
		}
		v.simulate(t, job, impl)
		return true
	case impl.Forecast == nil:
		return false
	}
	v.forecast(t, job, impl)
	return true
}

func (v Vector) forecast(t T, job Job, impl Impl) {
	t.Helper()
	f, err := impl.Forecast(job)
	if (err != nil) != v.Expect.Rejected {
		t.Errorf("%s: rejected is %v, want %v", v.ID, err != nil, v.Expect.Rejected)
	}
	if err != nil {
		return
	}
	var effects []engine.Effect
	for c := range f.Charges(calendar.Through(v.AsOf, v.Until)) {
		effects = append(effects, engine.Effect{Kind: engine.ChargeAttempted, Date: c.Date, Charge: c})
	}
	v.charges(t, effects)
	v.end(t, f.End(v.Until))
}

func (v Vector) simulate(t T, job Job, impl Impl) {
	t.Helper()
	var effects []engine.Effect
	stored, err := impl.Simulate(v.simulation(job, job.Policy), func(e engine.Effect) bool {
		effects = append(effects, e)
		return true
	})
	if (err != nil) != v.Expect.Rejected {
		t.Errorf("%s: rejected is %v, want %v", v.ID, err != nil, v.Expect.Rejected)
		return
	}
	v.charges(t, effects)
	v.events(t, effects)
	v.end(t, End{Status: stored.State.Status, Repeat: stored.State.Repeat, Stop: subject.StopFrom(stored.State.Stop)})
}

// step is the line as a step of a script.
func (s VectorStep) step() engine.Step {
	words := map[string]engine.Verb{
		"run": engine.DoRun, "no-run": engine.DoNoRun, "charge": engine.DoCharge,
		"stop": engine.DoStop, "update": engine.DoUpdate, "resume": engine.DoResume,
	}
	e := engine.Event{Date: s.Date, Do: words[s.Do]}
	e.Via = map[string]engine.Channel{"ui": engine.ChannelUI, "api": engine.ChannelAPI}[s.Via]
	if s.Set != nil {
		var ok bool
		if e.Set, ok = readUpdate(s.Set); !ok {
			e.Set.Unreadable = ledger.Findings{{Code: "unreadable", Clause: ledger.Doc21}}
		}
	}
	return engine.Step{Event: e, After: s.When == "after"}
}

func (v Vector) charges(t T, effects []engine.Effect) {
	t.Helper()
	made := slices.DeleteFunc(slices.Clone(effects), func(e engine.Effect) bool { return e.Kind != engine.ChargeAttempted })
	if len(made) != len(v.Expect.Charges) {
		t.Errorf("%s: %d charges, want %d", v.ID, len(made), len(v.Expect.Charges))
		return
	}
	for i, want := range v.Expect.Charges {
		if !want.matches(made[i], v.Script != nil) {
			t.Errorf("%s: charge %d is %+v, want %+v", v.ID, i, made[i].Charge, want)
		}
	}
}

// matches compares a charge with the keys that the expectation has. In a simulation a
// range stands for one drawn amount inside it.
func (want VectorCharge) matches(got engine.Effect, drawn bool) bool {
	c := got.Charge
	slot := want.Slot
	if slot.IsZero() {
		slot = want.Date
	}
	kind := "automatic"
	if c.Manual {
		kind = "manual"
	}
	if c.Repeat != want.Repeat || c.Date != want.Date || !c.Manual && c.Slot != slot {
		return false
	}
	if want.Kind != "" && want.Kind != kind || want.Outcome != "" && want.Outcome != c.Outcome.String() {
		return false
	}
	low, high := want.Min, want.Max
	if want.Amount != "" {
		low, high = want.Amount, want.Amount
	}
	from, to := amount.MustParse(low), amount.MustParse(high)
	if drawn {
		return from.Compare(c.Min) <= 0 && c.Min == c.Max && c.Max.Compare(to) <= 0
	}
	return from.Compare(c.Min) == 0 && to.Compare(c.Max) == 0
}

func (v Vector) events(t T, effects []engine.Effect) {
	t.Helper()
	var got []VectorEvent
	for _, e := range effects {
		if e.Kind == engine.EventHandled {
			got = append(got, VectorEvent{e.Date, e.Event.String(), e.Result.String()})
		}
	}
	if !slices.Equal(got, v.Expect.Events) {
		t.Errorf("%s: events %v, want %v", v.ID, got, v.Expect.Events)
	}
}

func (v Vector) end(t T, got End) {
	t.Helper()
	want := v.Expect.End
	if want == nil {
		return
	}
	if got.Status.String() != want.Status || got.Repeat != want.Repeat {
		t.Errorf("%s: ends %v with repeat %d, want %s with %d", v.ID, got.Status, got.Repeat, want.Status, want.Repeat)
	}
	if want.Stop == nil {
		return
	}
	var stop struct {
		Date    calendar.Date
		Reasons []string
	}
	if json.Unmarshal(want.Stop, &stop) != nil {
		t.Errorf("%s: the expected stop cannot be read", v.ID)
	}
	if got.Stop.Date != stop.Date || !slices.Equal(got.Stop.Reasons, stop.Reasons) {
		t.Errorf("%s: stop %v %v, want %v %v", v.ID, got.Stop.Date, got.Stop.Reasons, stop.Date, stop.Reasons)
	}
}

// VectorOutcome is what an implementation makes of a vector under a changed policy, as
// text that can be compared; "refused" where it refuses.
func VectorOutcome(v Vector, impl Impl, change func(engine.Policy) engine.Policy) string {
	job, ok := v.job()
	if !ok || impl.Simulate == nil {
		return "refused"
	}
	var text []byte
	end, err := impl.Simulate(v.simulation(job, change(job.Policy)), func(e engine.Effect) bool {
		text = append(append(text, subject.EffectText(e)...), '\n')
		return true
	})
	if err != nil {
		return "refused"
	}
	text = append(text, end.State.Status.String()...)
	return string(strconv.AppendUint(text, end.State.Repeat, 10))
}

// simulation is the vector as a life of its profile.
func (v Vector) simulation(job Job, p engine.Policy) engine.Simulation {
	sim := engine.Simulation{Stored: engine.Stored{Profile: job.Profile, State: job.State}, AsOf: v.AsOf, Until: v.Until, Policy: p}
	sim.Script.Outcomes = map[uint64]engine.Outcome{}
	for _, s := range v.Script {
		if s.Repeat != nil {
			sim.Script.Outcomes[*s.Repeat] = map[string]engine.Outcome{"declined": engine.OutcomeDeclined}[s.Outcome]
			continue
		}
		sim.Script.Steps = append(sim.Script.Steps, s.step())
	}
	return sim
}
