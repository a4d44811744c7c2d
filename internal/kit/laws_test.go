package kit_test

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

var (
	caseCount = flag.Int("cases", 2000, "cases of each law; laws over payloads get a quarter, slow ones a fortieth; the gate asks for 20000")
	baseSeed  = flag.Uint64("seed", 1, "base of all chance")
	oneToken  = flag.String("token", "", "repeat one case instead")
)

// TestMain collects garbage less often than usual, and takes no samples of allocations: cases allocate
// much and keep nothing. Under the race detector, which looks for races and not for broken laws, each
// law gets fewer cases.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1600)
	debug.SetMemoryLimit(1 << 30) // of which there are four with 32 bits
	runtime.MemProfileRate = 0    // the flag -memprofile sets it again
	flag.Parse()
	if race.Enabled {
		*caseCount = min(*caseCount, 2000)
	}
	os.Exit(m.Run())
}

// TestLaws: every law holds for our own code. The numbered cases come first, then as many that gopter draws.
func TestLaws(t *testing.T) {
	if *oneToken != "" {
		if r, _, err := kit.Again(laws.Ours(), *oneToken, kit.Options{}); err != nil || r.Failed() {
			t.Errorf("%v: %+v", err, r.Failures)
		}
		return
	}
	for _, l := range laws.Laws() {
		t.Run(l.ID, func(t *testing.T) {
			if !l.Alone {
				t.Parallel()
			}
			r := kit.Run(laws.Ours(), kit.Options{Laws: []string{l.ID}, Effort: *caseCount, Seed: *baseSeed, Timeout: -1})
			if !r.OK() || !r.Results[0].Covered() {
				t.Errorf("%s", r.AppendText(nil, nil))
			}
		})
	}
}

// TestGopter: the strict laws hold for what gopter draws, and shrinks by choices.
func TestGopter(t *testing.T) {
	p := gopter.DefaultTestParametersWithSeed(int64(*baseSeed))
	p.MinSuccessfulTests = 300
	properties := gopter.NewProperties(p)
	for _, id := range []string{"T07", "T25", "T26", "E23", "E31", "C30"} {
		l, _ := laws.Find(id)
		properties.Property(id, prop.ForAll(func(d *gen.Drawn) string {
			return laws.Judge(l, &laws.Case{Law: id, Value: d.Value}, laws.Ours()).Message
		}, gen.Gopter(l.Draw)))
	}
	properties.TestingRun(t)
}

// The slow reference passes too: a law that rejects it would be wrong. It walks, so it
// gets fewer cases.
func TestReference(t *testing.T) {
	for _, l := range laws.Laws() {
		t.Run(l.ID, func(t *testing.T) {
			if !l.Alone {
				t.Parallel()
			}
			r := kit.Run(laws.Reference(), kit.Options{Laws: []string{l.ID}, Effort: 20, Seed: *baseSeed, Timeout: -1})
			for _, f := range r.Results[0].Failures {
				t.Errorf("%s\n%s\n%s", f.Message, f.Token, f.Value)
			}
		})
	}
}
