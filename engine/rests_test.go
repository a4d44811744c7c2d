package engine_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

var restsCases = flag.Int("rests", 2, "profiles of TestRestsOn, each under all policies")

// policies yields every policy whose values of some keys are free, those of the others being the defaults.
func policies(keys []ledger.Clause, yield func(engine.Policy)) {
	var walk func(p engine.Policy, rest []ledger.Clause)
	walk = func(p engine.Policy, rest []ledger.Clause) {
		if len(rest) == 0 {
			yield(p)
			return
		}
		for i := range rest[0].Entry().Values() {
			walk(p.WithReading(rest[0], i), rest[1:])
		}
	}
	walk(engine.Policy{}, keys)
}

// lifeUnder is what a simulation comes to under a policy: its charges and its end, or that it is refused.
func lifeUnder(s engine.Simulation, p engine.Policy) string {
	var b []byte
	e := engine.New(p)
	after, err := e.Simulate(s, func(f engine.Effect) bool {
		if f.Kind == engine.ChargeAttempted {
			c := f.Charge
			b = c.Date.Append(c.Slot.Append(binary.AppendUvarint(b, c.Repeat)))
			b = c.Max.Append(append(c.Min.Append(append(b, ' ')), '-'))
			b = append(strconv.AppendBool(b, c.Manual), byte(c.Outcome))
		}
		return true
	})
	if err != nil {
		return "refused"
	}
	end, err := e.End(after, s.Until)
	b = append(binary.AppendUvarint(b, end.Repeat), byte(end.Status), byte(end.Stop.Reasons))
	return string(end.Stop.Date.Append(b)) + fmt.Sprint(err)
}

// TestRestsOn: a key that is left out changes no charge and no end, whatever the others are: against all 61,440 policies.
func TestRestsOn(t *testing.T) {
	all := slices.Collect(engine.Keys())
	sizes := map[int]int{}
	for i := range *restsCases {
		l := gen.Logs(gen.ChooserOf(gen.NewSource("rests", 1, uint64(i)).Uint64()))
		s := engine.Simulation{Stored: engine.Stored{Profile: l.Profile, State: l.State}, AsOf: l.AsOf, Until: l.Until(), Script: l.Script(), Undrawn: true}
		if !s.Until.IsDay() || s.Until.Before(s.AsOf) {
			continue
		}
		keys := s.RestsOn()
		lives := map[engine.Policy]string{}
		policies(keys, func(p engine.Policy) { lives[p] = lifeUnder(s, p) })
		sizes[len(lives)]++
		failed := false
		policies(all, func(p engine.Policy) {
			kept := engine.Policy{}
			for _, c := range keys {
				i, _ := p.Place(c)
				kept = kept.WithReading(c, i)
			}
			if got, want := lifeUnder(s, p), lives[kept]; got != want && !failed {
				failed = true
				t.Errorf("case %d rests on more than %v: under %v\n%s\nwithout the others\n%s\n%v", i, names(keys), p, got, want, l)
			}
		})
	}
	t.Log("products of values and how many profiles have them:", sizes)
}

func names(keys []ledger.Clause) (list []string) {
	for _, c := range keys {
		list = append(list, c.Key())
	}
	return list
}

// TestRestsOnFew: usual profiles rest on few keys.
func TestRestsOnFew(t *testing.T) {
	p := gen.PlainProfile()
	p.Start = calendar.MustParse("2026-01-15")
	for _, test := range []struct {
		name   string
		change func(*engine.Simulation)
		keys   []ledger.Clause
	}{
		{"plain", func(*engine.Simulation) {}, nil},
		{"day 31 of the past", func(s *engine.Simulation) {
			s.Stored.Profile.Start = calendar.MustParse("2026-01-05")
			s.AsOf = calendar.MustParse("2026-01-31")
		},
			[]ledger.Clause{clause.L01, clause.L03}},
		{"far cap", func(s *engine.Simulation) { s.Stored.Profile.MaxRepeats = engine.AtMost(1000) }, nil},
		{"near cap", func(s *engine.Simulation) { s.Stored.Profile.MaxRepeats = engine.AtMost(3) }, []ledger.Clause{clause.L08}},
		{"far end", func(s *engine.Simulation) { s.Stored.Profile.Finish = calendar.MustParse("2030-12-31") }, nil},
		{"resume without a stop", func(s *engine.Simulation) {
			s.Script.Steps = []engine.Step{{Event: engine.Event{Date: calendar.MustParse("2026-03-01"), Do: engine.DoResume, Via: engine.ChannelUI}}}
		}, nil},
	} {
		s := engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: p.Start, Until: calendar.MustParse("2026-12-31"), Undrawn: true}
		test.change(&s)
		if got := s.RestsOn(); !slices.Equal(got, test.keys) {
			t.Errorf("%s: %v, want %v", test.name, names(got), names(test.keys))
		}
	}
}
