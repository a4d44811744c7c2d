package laws

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
)

// without is an implementation that does not cite the ledger and leaves out a charge or event of a life: the first, or the last if n is -1.
func without(n int) Impl {
	impl := Ours()
	impl.Cites = false
	simulate := impl.Simulate
	impl.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
		var effects []engine.Effect
		stored, err := simulate(p, s, func(e engine.Effect) bool {
			effects = append(effects, e)
			return true
		})
		var at, seen int
		others := len(withoutStops(effects))
		for i, e := range effects {
			if e.Kind == engine.EffectStop {
				continue
			}
			if seen == (n+others)%others {
				at = i
			}
			seen++
		}
		for _, e := range slices.Delete(effects, at, at+1) {
			yield(e)
		}
		return stored, err
	}
	return impl
}

// TestLeftOpen: E23 fails no implementation for what the requirements leave open, behind such an event. In front of it, and for
// chargecast itself, which cites what it assumes there, the case is judged as any other.
func TestLeftOpen(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	third := func(do engine.EventKind, u engine.Update) engine.Step {
		return engine.Step{Event: engine.Event{Date: asOf.AddDays(2), Kind: do, Update: u}}
	}
	finished := third(engine.EventUpdate, engine.Update{Finish: engine.To(asOf.AddDays(1))})
	moved := third(engine.EventUpdate, engine.Update{Start: engine.To(asOf.AddDays(4))})
	e23, _ := Find("E23")
	for _, c := range []struct {
		name, entry string
		policy      engine.Policy
		steps       []engine.Step
	}{
		{"a charge past finish-date", "L11", engine.Policy{}, []engine.Step{finished, third(engine.EventCharge, engine.Update{})}},
		{"a charge at the cap", "L11", engine.Policy{}, []engine.Step{third(engine.EventUpdate, engine.Update{MaxRepeats: engine.To(engine.AtMost(2))}), third(engine.EventCharge, engine.Update{})}},
		{"a stop past finish-date", "L23", engine.Policy{}, []engine.Step{finished, third(engine.EventStop, engine.Update{})}},
		{"a grid that moves under a catch-up", "L18", engine.Policy{RunMissed: engine.MissedCatchUp}, []engine.Step{moved}},
		{"a start-date that is removed", "L18", engine.Policy{}, []engine.Step{third(engine.EventUpdate, engine.Update{Start: engine.Remove[calendar.Date]()})}},
		{"a charge", "", engine.Policy{}, []engine.Step{third(engine.EventCharge, engine.Update{})}},
		{"a stop", "", engine.Policy{}, []engine.Step{third(engine.EventStop, engine.Update{})}},
		{"a grid that moves", "", engine.Policy{}, []engine.Step{moved}},
	} {
		var l gen.LogCase
		l.AsOf, l.Policy, l.Steps, l.C = asOf, c.policy, c.steps, 9
		l.Profile = engine.Profile{ID: "p", Kind: engine.KindSource, Currency: "EUR", Unit: calendar.UnitDay, Interval: 1, Start: asOf, Amounts: amount.Fixed(gen.Minor(1000, 2))}
		judge := func(i Impl) Verdict { return Judge(e23, &Case{Law: "E23", Value: l}, i) }
		if v := judge(Ours()); v != (Verdict{}) {
			t.Errorf("%s: our own life: %+v", c.name, v)
		}
		if v := judge(without(-1)); (v.Unspecified == nil) == (c.entry != "") || v.Unspecified != nil && v.Unspecified.Key != c.entry || (v.Message == "") != (c.entry != "") {
			t.Errorf("%s: without the last effect: %+v", c.name, v)
		}
		citing := without(-1)
		citing.Cites = true
		for _, i := range []Impl{without(0), citing} {
			if v := judge(i); v.Message == "" {
				t.Errorf("%s: without an effect, with Cites %v: it is accepted", c.name, i.Cites)
			}
		}
	}
}
