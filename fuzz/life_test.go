package fuzz_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A life is a life of package vectortest with its values read.
type life struct {
	vectortest.Life

	policy   engine.Policy
	sim      engine.Simulation
	readable bool // its columns can be read; else it has a fault that no engine sees
}

// lifeOf reads what the kit needs of a life.
func lifeOf(raw vectortest.Life) (l life, err error) {
	l.Life = raw
	var errs [4]error
	profile, ok := readProfile(raw.ID, raw.Columns)
	l.readable = ok
	l.sim.Stored.Profile = profile
	errs[0] = l.sim.AsOf.UnmarshalText([]byte(raw.AsOf))
	errs[1] = l.sim.Until.UnmarshalText([]byte(raw.Until))
	l.policy, errs[2] = engine.ParsePolicy(policyText(raw.Policy))
	if raw.State != nil {
		errs[3] = json.Unmarshal(raw.State, &l.sim.Stored.State)
	}
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
	if !l.readable {
		l.Same(t, vectortest.Lived{Rejected: true})
		return
	}
	lives := l.forecast
	if l.Script != nil {
		lives = func(impl fuzz.Impl) (lived, error) { return l.simulated(impl, l.policy) }
	}
	got, err := lives(impl)
	if err != nil {
		l.Same(t, vectortest.Lived{Rejected: true})
		return
	}
	l.Same(t, got.words(l.Script != nil))
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

// words are those of package vectortest for it; drawn: random amounts stand for one in their range.
func (l lived) words(drawn bool) vectortest.Lived {
	words := vectortest.Lived{Drawn: drawn, End: vectortest.End{Status: l.end.Status.String(), Repeat: l.end.Repeat}}
	for _, e := range l.effects {
		switch e.Kind {
		case engine.ChargeAttempted:
			c, kind := e.Charge, "automatic"
			if c.Manual {
				kind = "manual"
			}
			words.Charges = append(words.Charges, vectortest.Charge{
				Repeat: c.Repeat, Date: c.Date.String(), Slot: c.Slot.String(), Min: c.Min.String(), Max: c.Max.String(), Kind: kind, Outcome: c.Outcome.String(),
			})
		case engine.EventHandled:
			words.Events = append(words.Events, vectortest.Event{Date: e.Date.String(), Do: e.Event.String(), Result: e.Result.String()})
		}
	}
	if stop := l.end.Stop; !stop.Date.IsZero() {
		words.End.Stop = &vectortest.Stop{Date: stop.Date.String(), Reasons: stop.Reasons}
	}
	return words
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
