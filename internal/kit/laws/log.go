package laws

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
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
	got := withoutStops(plainEffects(t.life(l)))
	want := withoutStops(plainEffects(t.oracleLife(l)))
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
	if !t.Equal("the end", plainEnd(got.end.State), plainEnd(want.end.State)) {
		return
	}
	stops := func(l life) []engine.Effect {
		return slices.DeleteFunc(plainEffects(l), func(e engine.Effect) bool { return e.Kind != engine.EffectStop })
	}
	if reported := stops(got); len(reported) > 0 {
		t.Equal("the stops", reported, stops(want))
	}
}

// oracleLife is the life that the oracle walks.
func (t *T) oracleLife(l gen.LogCase) life {
	want, err := lifeBy(ReferenceEngine(oracle.Right()), l.Policy, simulation(l.Job, l.Until(), l.Script()))
	if err != nil {
		t.Fatalf("the oracle refuses the log")
	}
	return want
}

// A life is what a simulation gave.
type life struct {
	effects []engine.Effect
	end     engine.Stored
}

// lifeBy is what an engine makes of a simulation.
func lifeBy(by EngineImpl, p engine.Policy, s engine.Simulation) (l life, err error) {
	l.end, err = by.Simulate(p, s, func(e engine.Effect) bool {
		l.effects = append(l.effects, e)
		return true
	})
	return l, err
}

func simulation(j gen.Job, until calendar.Date, script record.Script) engine.Simulation {
	return engine.Simulation{Stored: j.Stored(), AsOf: j.AsOf, Until: until, Steps: script.Steps, Outcomes: script.Outcomes, Seed: 1}
}

// live simulates a job up to a day.
func (t *T) live(j gen.Job, until calendar.Date, script record.Script) life {
	sim := simulation(j, until, script)
	l, err := lifeBy(t.EngineImpl, j.Policy, sim)
	if err != nil {
		t.Fatalf("the simulation is refused: %v", err)
	}
	t.noteLife(j.Policy, sim, l)
	return l
}

// life is what a simulation of the case gives.
func (t *T) life(l gen.LogCase) life {
	return t.live(l.Job, l.Until(), l.Script())
}

// plainEffect is what two implementations must agree on: an effect without the clauses that it cites.
func plainEffect(e engine.Effect) engine.Effect {
	plain := engine.Effect{Kind: e.Kind, Date: e.Date}
	switch c := &e.Charge; e.Kind {
	case engine.EffectCharge:
		plain.Charge = plainCharge(*c)
		plain.Charge.Date, plain.Charge.Outcome = calendar.Date{}, c.Outcome
	case engine.EffectStop:
		plain.Stop = engine.Stop{Date: e.Stop.Date, Reasons: e.Stop.Reasons}
	case engine.EffectEvent:
		plain.Event, plain.Result = e.Event, e.Result
	}
	return plain
}

// plainEffects are the plain effects of the parts of a life.
func plainEffects(parts ...life) []engine.Effect {
	var all []engine.Effect
	for _, p := range parts {
		for _, e := range p.effects {
			all = append(all, plainEffect(e))
		}
	}
	return all
}

// plainEnd is the end of a saved state in the same words.
func plainEnd(s engine.State) End {
	return End{Status: s.Status, Repeat: s.Repeat, Stop: StopFrom(s.Stop).plain()}
}
