package laws

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
)

// TestTruthHoldsOfEveryPolicy: Z01 of every policy, where CHARGECAST_POLICIES=61440 says so, in seventeen cases each, more
// than a million; else of some.
func TestTruthHoldsOfEveryPolicy(t *testing.T) {
	t.Parallel()
	const cases, step = 17, 25_903
	n := 60
	if text := os.Getenv("CHARGECAST_POLICIES"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	policies := everyPolicyOfAll()
	impl := Ours()
	for i := range n {
		p := policies[i*step%len(policies)]
		for k := range cases {
			seed := uint64(i*cases + k)
			r := gen.ChooserOf(seed)
			r.Policy = &p
			judge := T{Impl: impl}
			truthHolds(&judge, gen.Gateways(r))
			for _, report := range judge.reports {
				t.Errorf("policy %v, seed %d: %s", p, seed, report)
			}
		}
	}
}

func everyPolicyOfAll() (list []engine.Policy) {
	everyPolicy(slices.Collect(engine.Keys()), engine.Policy{}, func(p engine.Policy) { list = append(list, p) })
	return list
}
