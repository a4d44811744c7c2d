package plain

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/record"
)

// A Stop is the day of a stop and its reasons, in the order in which they are reported. The zero
// Stop is none, or one that is not known.
type Stop struct {
	Date    calendar.Date
	Reasons []string
}

// StopOf is a stop of the library without its clauses.
func StopOf(s engine.Stop) Stop {
	if s.IsZero() {
		return Stop{}
	}
	return Stop{s.Date, slices.Collect(s.Reasons.All())}
}

// String says when and why a profile is stopped.
func (s Stop) String() string {
	switch {
	case s.Date.IsZero():
		return "never stopped"
	case len(s.Reasons) == 0:
		return "stopped on " + s.Date.String() + " without a reason"
	}
	return "stopped on " + s.Date.String() + " by " + strings.Join(s.Reasons, " and ")
}

// ChargeOf is a charge as a user sees it: without the clauses that it cites, whatever its outcome.
func ChargeOf(c engine.Charge) engine.Charge {
	return engine.Charge{Repeat: c.Repeat, Slot: c.Slot, Date: c.Date, Min: c.Min.Reduce(), Max: c.Max.Reduce(), Manual: c.Manual}
}

// ChargesOf are charges as a user sees them.
func ChargesOf(charges iter.Seq[engine.Charge]) []engine.Charge {
	var list []engine.Charge
	for c := range charges {
		list = append(list, ChargeOf(c))
	}
	return list
}

// EffectOf is what two implementations must agree on: an effect without the clauses that it cites.
func EffectOf(e engine.Effect) engine.Effect {
	plain := engine.Effect{Kind: e.Kind, Date: e.Date}
	switch c := &e.Charge; e.Kind {
	case engine.EffectCharge:
		plain.Charge = ChargeOf(*c)
		plain.Charge.Date, plain.Charge.Outcome = calendar.Date{}, c.Outcome
	case engine.EffectStop:
		plain.Stop = engine.Stop{Date: e.Stop.Date, Reasons: e.Stop.Reasons}
	case engine.EffectEvent:
		plain.Event, plain.Result = e.Event, e.Result
	}
	return plain
}

// EffectsOf are the effects of simulations that follow each other, without their clauses.
func EffectsOf(parts ...Simulated) []engine.Effect {
	var all []engine.Effect
	for _, p := range parts {
		for _, e := range p.Effects {
			all = append(all, EffectOf(e))
		}
	}
	return all
}

// A Simulated is what a simulation gave: its effects in order, and the profile at the end.
type Simulated struct {
	Effects []engine.Effect
	End     engine.Stored
}

// A Simulator yields the effects of a simulation in order, and returns the profile at the end.
type Simulator = func(engine.Policy, engine.Simulation, func(engine.Effect) bool) (engine.Stored, error)

// Simulate is the Simulator of the library.
func Simulate(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
	return engine.New(p).Simulate(s, yield)
}

// SimulatedBy is all that a Simulator gives.
func SimulatedBy(simulate Simulator, p engine.Policy, s engine.Simulation) (got Simulated, err error) {
	got.End, err = simulate(p, s, func(e engine.Effect) bool {
		got.Effects = append(got.Effects, e)
		return true
	})
	return got, err
}

// Simulation is the request to simulate a job up to a day.
func Simulation(j gen.Job, until calendar.Date, script record.Script) engine.Simulation {
	return engine.Simulation{Stored: j.Stored(), AsOf: j.AsOf, Until: until, Steps: script.Steps, Outcomes: script.Outcomes, Seed: 1}
}

// WalkTo is the oracle's machine of a job after it walked to a day, or to the stop before; nil for
// a job that it refuses.
func WalkTo(j gen.Job, d calendar.Date) *oracle.Machine {
	m := gen.MachineOf(j, oracle.Right())
	if m != nil {
		m.UntilStopped(gen.DayNumber(d))
	}
	return m
}

// MadeOnFirstDay reports whether a state is that of a profile made on the first day of the
// calendar, which had no run: no day before it can be named.
func MadeOnFirstDay(s engine.State) bool {
	return s.RanThrough.IsZero() && s.Last == calendar.MinDate()
}

// ChargeText is a charge in words: repeat 3 on 2026-04-01: 10.5.
func ChargeText(c engine.Charge) string {
	text := "repeat " + strconv.FormatUint(c.Repeat, 10) + " on " + c.Date.String()
	if c.Manual {
		text = "a manual charge, " + text
	}
	if c.Slot != c.Date && !c.Slot.IsZero() {
		text += " for " + c.Slot.String()
	}
	if text += ": " + c.Min.Reduce().String(); c.Max.Compare(c.Min) != 0 {
		text += " to " + c.Max.Reduce().String()
	}
	return text
}

// EffectText is an effect in words.
func EffectText(e engine.Effect) string {
	switch e.Kind {
	case engine.EffectCharge:
		c := e.Charge
		c.Date = e.Date
		return ChargeText(c) + ", " + c.Outcome.String()
	case engine.EffectStop:
		text := StopOf(e.Stop).String()
		if e.Stop.Date != e.Date {
			text += ", on " + e.Date.String()
		}
		return text
	case engine.EffectEvent:
		return e.Event.String() + " on " + e.Date.String() + " " + e.Result.String()
	}
	return "nothing"
}

// A Text is printed whole, not as the letters in which two differ.
type Text struct{ text string }

func (t Text) String() string { return t.text }

// Equal lets go-cmp print them so.
func (t Text) Equal(o Text) bool { return t == o }

// Texts are the values of a list, each as a text.
func Texts[V any](list []V, text func(V) string) []Text {
	var all []Text
	for _, v := range list {
		all = append(all, Text{text(v)})
	}
	return all
}
