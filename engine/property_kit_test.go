package engine_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/record"
)

// A prop is what a property reports, and the engines that it asks.
type prop struct {
	*gen.Report

	books func(engine.Policy, engine.Scope) (Book, error) // nil for those of the engine
}

// holds tests a property on a number of cases.
func holds[V any](t *testing.T, cases int, draw func(gen.Chooser) V, check func(*prop, V)) {
	t.Parallel()
	gen.Hold(t, cases, draw, func(r *gen.Report, v V) { check(&prop{Report: r}, v) })
}

// Equal reports how two values differ, if they do. An empty list is none.
func (t *prop) Equal(what string, got, want any) bool {
	a, b := reflect.ValueOf(got), reflect.ValueOf(want)
	if reflect.DeepEqual(got, want) || a.Kind() == reflect.Slice && a.Len()+b.Len() == 0 {
		return true
	}
	if s, ok := want.(engine.State); ok && s.Equal(got.(engine.State)) {
		return true
	}
	t.Errorf("%s: %+v, want %+v", what, got, want)
	return false
}

func (t *prop) Create(profile engine.Profile, day calendar.Date, p engine.Policy) (engine.Stored, error) {
	return engine.New(p).Create(profile, day)
}

func (t *prop) Advance(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
	return engine.New(p).Advance(s, through)
}

func (t *prop) Handle(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
	return engine.New(p).Handle(s, e)
}

// forecast is the forecast of a job that must not be refused.
func (t *prop) forecast(j gen.Job) *engine.Plan {
	plan, err := engine.New(j.Policy).Compile(j.Stored(), j.AsOf)
	if err != nil {
		t.Fatalf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
	}
	return plan
}

// in are the charges of a window.
func in(f *engine.Plan, w calendar.Window) []engine.Charge { return plain.ChargesOf(f.Charges(w)) }

// days is the daily runs of a case after its creation, or from its state on, one by one.
func (t *prop) days(p gen.PlanCase, s engine.Stored, through calendar.Date) ([]engine.Effect, engine.Stored) {
	var effects []engine.Effect
	first := later(s.State.RanThrough.AddDays(1), s.State.Last)
	if s.State.RanThrough.IsZero() {
		first = p.AsOf // the first day of the calendar
	}
	for d := first; !d.After(through); d = d.AddDays(1) {
		next, list := t.ran(s, d, p.Policy)
		effects, s = append(effects, list...), next
	}
	return effects, s
}

// sameLife compares two ways to live the same days.
func (t *prop) sameLife(what string, got, want []engine.Effect, state, wanted engine.State) bool {
	return t.Equal(what, got, want) && t.Equal(what+": the state", state, wanted)
}

// saved is a state that went through a file.
func (t *prop) saved(s engine.State) engine.State {
	_, back, err := engine.ParseStateLine(stateLine(t, s))
	if err != nil {
		t.Errorf("a saved state is not read back: %v", err)
	}
	return back
}

func later(a, b calendar.Date) calendar.Date {
	return slices.MaxFunc([]calendar.Date{a, b}, calendar.Date.Compare)
}

// stored is given, without a slot that was paid after the first run, which contradicts the state.
func (t *prop) stored(j gen.Job) engine.Stored {
	s := t.given(j)
	first := later(s.State.RanThrough.AddDays(1), s.State.Last)
	s.State.Paid = slices.DeleteFunc(slices.Clone(s.State.Paid), func(d calendar.Date) bool { return d.After(first) })
	return s
}

// given is the case's profile on as-of, before its run. A state that came with it is
// completed as the requirements say.
func (t *prop) given(j gen.Job) engine.Stored {
	s := j.Stored()
	if j.State.Status != 0 {
		m := gen.MachineOf(j, oracle.Right())
		s.State.Anchor = gen.DateNumbered(m.Anchor)
		if s.State.RanThrough.IsZero() && !plain.MadeOnFirstDay(s.State) {
			s.State.RanThrough = j.AsOf.AddDays(-1)
		}
		if s.State.RanThrough.IsZero() {
			s.State.Last = calendar.MinDate() // as-of, or the state is of that day already
		}
		return s
	}
	s, err := t.Create(j.Profile, j.AsOf, j.Policy)
	if err != nil {
		t.Fatalf("the profile is not created: %v", err)
	}
	return s
}

// fold lets events happen one after the other. The effects are plain.
func (t *prop) fold(s engine.Stored, events []engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored) {
	var all []engine.Effect
	for _, e := range events {
		next, effects, _ := t.happen(s, e, p)
		for _, f := range effects {
			all = append(all, plain.EffectOf(f))
		}
		s = next
	}
	return all, s
}

// happen lets an event happen; EventRun is the daily runs up to its day.
func (t *prop) happen(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
	if e.Kind == engine.EventRun {
		return t.Advance(s, e.Date, p)
	}
	return t.Handle(s, e, p)
}

// log is the case's events in order of date that a program handles, most of them followed by that day's run.
func log(l gen.LogCase) []engine.Event {
	steps := slices.Clone(l.Steps)
	slices.SortStableFunc(steps, func(a, b engine.Step) int { return a.Date.Compare(b.Date) })
	var events []engine.Event
	for _, s := range steps {
		if s.Kind <= engine.EventCharge {
			events = append(events, s.Event)
		}
		if !s.After {
			events = append(events, engine.Event{Date: s.Date, Kind: engine.EventRun})
		}
	}
	return events
}

// live simulates a job up to a day.
func (t *prop) live(j gen.Job, until calendar.Date, script record.Script) plain.Simulated {
	sim := plain.Simulation(j, until, script)
	l, err := plain.SimulatedBy(plain.Simulate, j.Policy, sim)
	if err != nil {
		t.Fatalf("the simulation is refused: %v", err)
	}
	return l
}

// life is what a simulation of the case gives.
func (t *prop) life(l gen.LogCase) plain.Simulated {
	return t.live(l.Job, l.Until(), l.Script())
}

// happened lets one event happen that must be accepted.
func (t *prop) happened(s engine.Stored, e engine.Event, p engine.Policy) engine.Stored {
	next, _, err := t.Handle(s, e, p)
	if err != nil {
		t.Errorf("%v on %v is refused: %v", e.Kind, e.Date, err)
	}
	return next
}

// ran lets the daily runs up to and including a day take place. On the day before the first of the calendar there was none.
func (t *prop) ran(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect) {
	if !through.IsDay() {
		return s, nil
	}
	next, effects, err := t.Advance(s, through, p)
	if err != nil {
		t.Fatalf("the runs up to %v are refused: %v", through, err)
	}
	return next, effects
}

// madeBy are the automatic charges among effects.
func madeBy(effects []engine.Effect) []engine.Charge {
	var list []engine.Charge
	for _, e := range effects {
		if e.Kind == engine.EffectCharge && !e.Charge.Manual {
			list = append(list, plain.ChargeOf(e.Charge))
		}
	}
	return list
}

// first are the first charges of a list, at most as many as another list has.
func first(list, of []engine.Charge) []engine.Charge { return list[:min(len(list), len(of))] }
