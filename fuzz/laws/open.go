package laws

import (
	"reflect"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// The requirements leave open what follows a manual charge or a stop while a stop condition holds that no run has judged, an
// update that moves the grid under a catch-up policy, and one that removes start-date. The ledger assumes something there, by
// which an implementation is judged that cites the ledger. A case of any other is unspecified, if its answer differs behind
// such an event only.

// A simulated life is a request to simulate and the reply to it.
type simulated struct {
	policy engine.Policy
	asked  engine.Simulation
	life   life
}

// noteLife keeps a life in which something may be open.
func (t *T) noteLife(p engine.Policy, s engine.Simulation, l life) {
	if !t.Cites && len(s.Script.Steps) > 0 {
		t.lives = append(t.lives, simulated{p, s, l})
	}
}

// leftOpen is the entry of the ledger that accounts for what a law reports; empty if it breaks the law.
func (t *T) leftOpen() string {
	if t.Cites || t.broken {
		return ""
	}
	for _, s := range t.lives {
		if entry := s.leftOpen(); entry != "" {
			return entry
		}
	}
	return t.open
}

// leftOpen is the entry of the open event behind which the life differs from the oracle's. Amounts are not compared: no open
// event decides one.
func (s simulated) leftOpen() string {
	m := gen.Lived(s.policy, s.asked, oracle.Right())
	if m == nil || m.Open.Entry == "" {
		return ""
	}
	var want []engine.Effect
	for _, r := range m.Records {
		want = append(want, gen.EffectFromOracle(r))
	}
	before, got := withoutStops(want[:m.Open.Records]), withoutStops(s.life.effects)
	if len(got) < len(before) || !slices.EqualFunc(before, got[:len(before)], sameButAmount) {
		return ""
	}
	a, b := s.life.end.State, gen.StateFromOracle(m.Save())
	if slices.EqualFunc(s.life.effects, want, sameButAmount) && a.Anchor == b.Anchor && reflect.DeepEqual(plainEnd(a), plainEnd(b)) {
		return ""
	}
	return m.Open.Entry
}

// withoutStops leaves out what a program tells of its last stop only.
func withoutStops(list []engine.Effect) []engine.Effect {
	return slices.DeleteFunc(slices.Clone(list), func(e engine.Effect) bool { return e.Kind == engine.ProfileStopped })
}

func sameButAmount(a, b engine.Effect) bool {
	bare := func(e engine.Effect) engine.Effect {
		e = plainEffect(e)
		e.Charge.Min, e.Charge.Max = b.Charge.Min, b.Charge.Min
		if e.Charge.Manual {
			e.Charge.Slot = e.Date
		}
		return e
	}
	return bare(a) == bare(b)
}
