package fuzz_test

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
)

var (
	caseCount = flag.Int("cases", 2000, "cases of each law; laws over payloads get a quarter, slow ones a fortieth; the gate asks for 20000")
	baseSeed  = flag.Uint64("seed", 1, "base of all chance")
	oneToken  = flag.String("token", "", "replay one case instead")
)

// TestMain collects garbage less often than usual, and takes no samples of allocations: cases allocate
// much and keep nothing. Under the race detector, which looks for races and not for broken laws, each
// law gets fewer cases.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1600)
	debug.SetMemoryLimit(1 << 30) // of which there are four with 32 bits
	runtime.MemProfileRate = 0    // the flag -memprofile sets it again
	flag.Parse()
	if raceEnabled {
		*caseCount = min(*caseCount, 2000)
	}
	os.Exit(m.Run())
}

// Every law holds for our own code.
func TestLaws(t *testing.T) {
	if *oneToken != "" {
		l, c, err := laws.Replay(*oneToken)
		if err != nil {
			t.Fatal(err)
		}
		if v := laws.Judge(l, c, fuzz.Ours()); v.Message != "" {
			t.Errorf("%s\n%+v", v.Message, c.Value)
		}
		return
	}
	var (
		all  fuzz.Report
		lock sync.Mutex
	)
	laws := fuzz.Laws()
	t.Cleanup(func() { // after the laws that run side by side
		// 2,000 cases meet every pair of classes (G03).
		if len(all.Results) < len(laws) || *caseCount < 2000 {
			return
		}
		for _, pair := range all.Missing() {
			t.Errorf("no case of %s", pair)
		}
	})
	for _, l := range laws {
		t.Run(l.ID, func(t *testing.T) {
			if !l.Alone {
				t.Parallel()
			}
			r := fuzz.Check(t, fuzz.Ours(), fuzz.Options{Laws: []string{l.ID}, Effort: *caseCount, Seed: *baseSeed, Timeout: -1})
			if len(r.Results) != 1 || r.Results[0].NotCovered {
				t.Errorf("%s is not covered by our own code", l.ID)
			}
			lock.Lock()
			defer lock.Unlock()
			all.Merge(r)
		})
	}
}

// The slow reference passes too: a law that rejects it would be wrong. It walks, so it
// gets fewer cases.
func TestReference(t *testing.T) {
	for _, l := range fuzz.Laws() {
		t.Run(l.ID, func(t *testing.T) {
			if !l.Alone {
				t.Parallel()
			}
			r := fuzz.Run(laws.Reference(), fuzz.Options{Laws: []string{l.ID}, Effort: 6, Seed: *baseSeed, Timeout: -1})
			for _, f := range r.Results[0].Failures {
				t.Errorf("%s\n%s\n%s", f.Message, f.Token, f.Value)
			}
		})
	}
}
