package laws

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/record"
)

// logLaws are the laws of what happens to a profile.
func logLaws() []Law {
	return []Law{
		law("E23", gen.Logs, walkedLife),
		law("E31", gen.Logs, walkedLifeEnd),
	}
}

// walkedLife compares the charges and events with the oracle's.
func walkedLife(t *T, l gen.LogCase) {
	got := withoutStops(plain.EffectsOf(t.life(l)))
	want := withoutStops(plain.EffectsOf(t.oracleLife(l)))
	for i := range min(len(got), len(want)) {
		if got[i].Kind == engine.EffectCharge && want[i].Kind == engine.EffectCharge && l.Profile.Amounts.Kind() == amount.KindRange && drawnFrom(got[i].Charge, want[i].Charge, l) {
			got[i].Charge.Min, got[i].Charge.Max = want[i].Charge.Min, want[i].Charge.Max
		}
	}
	if slices.Equal(got, want) {
		return
	}
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	n = max(n-1, 0) // the one before shows where it went wrong
	t.Equal("the charges and events", got[min(n, len(got)):], want[min(n, len(want)):])
}

// drawnFrom reports whether a drawn amount keeps the bounds of the profile's range. How it is drawn is everybody's own business.
func drawnFrom(got, want engine.Charge, l gen.LogCase) bool {
	low, high := l.Profile.Amounts.Bounds(want.Repeat)
	return got.Min == got.Max && low.Compare(got.Min) <= 0 && got.Max.Compare(high) <= 0
}

// walkedLifeEnd compares where the life ends, and the stops on the way where the implementation tells them.
func walkedLifeEnd(t *T, l gen.LogCase) {
	got, want := t.life(l), t.oracleLife(l)
	if !t.Equal("the end", plainEnd(got.End.State), plainEnd(want.End.State)) {
		return
	}
	stops := func(l plain.Simulated) []engine.Effect {
		return slices.DeleteFunc(plain.EffectsOf(l), func(e engine.Effect) bool { return e.Kind != engine.EffectStop })
	}
	if reported := stops(got); len(reported) > 0 {
		t.Equal("the stops", reported, stops(want))
	}
}

// oracleLife is the life that the oracle walks.
func (t *T) oracleLife(l gen.LogCase) plain.Simulated {
	want, err := plain.SimulatedBy(ReferenceEngine(oracle.Right()).Simulate, l.Policy, plain.Simulation(l.Job, l.Until(), l.Script()))
	if err != nil {
		t.Fatalf("the oracle refuses the log")
	}
	return want
}

// live simulates a job up to a day.
func (t *T) live(j gen.Job, until calendar.Date, script record.Script) plain.Simulated {
	sim := plain.Simulation(j, until, script)
	l, err := plain.SimulatedBy(t.Simulate, j.Policy, sim)
	if err != nil {
		t.Fatalf("the simulation is refused: %v", err)
	}
	t.noteLife(j.Policy, sim, l)
	return l
}

// life is what a simulation of the case gives.
func (t *T) life(l gen.LogCase) plain.Simulated {
	return t.live(l.Job, l.Until(), l.Script())
}

// plainEnd is the end of a saved state in the same words.
func plainEnd(s engine.State) End {
	return End{Status: s.Status, Repeat: s.Repeat, Stop: plain.StopOf(s.Stop)}
}
