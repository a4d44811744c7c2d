package fuzz_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/fuzz"
)

// slow is an implementation that refuses every amount, after a time.
func slow(takes time.Duration) fuzz.Impl {
	impl := fuzz.Impl{Name: "slow", AmountImpl: fuzz.Ours().AmountImpl}
	impl.ParseAmount = func(string) (amount.Amount, error) {
		time.Sleep(takes)
		return amount.Amount{}, errors.New("refused")
	}
	return impl
}

// TestShrinkingHasALimit: where each case ends but takes its time, the search for a simpler one stops, and reports say
// so. The clock of the test goes on when all wait.
func TestShrinkingHasALimit(t *testing.T) {
	for _, c := range []struct {
		reason          string
		takes, limit    time.Duration
		shrinks         int
		stopped         string
		atLeast, atMost time.Duration
	}{
		{reason: "the limit when none is given", takes: 20 * time.Second, stopped: "the search took 1m0s", atLeast: time.Minute, atMost: 4 * time.Minute},
		{reason: "a limit of one's own", takes: 2 * time.Second, limit: 5 * time.Second, stopped: "the search took 5s", atLeast: 5 * time.Second, atMost: 20 * time.Second},
		{reason: "no limit: to the simplest case", takes: 20 * time.Second, limit: -1, atLeast: 2 * time.Minute, atMost: time.Hour},
		{reason: "steps have a limit of their own", takes: time.Millisecond, shrinks: 1, stopped: "step 1 was the last one allowed", atMost: time.Second},
		{reason: "who wants none is not told that it stopped", takes: time.Second, shrinks: -1, atMost: 10 * time.Second},
	} {
		t.Run(c.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				r := fuzz.Run(slow(c.takes), fuzz.Options{Laws: []string{"A01"}, Cases: 200, ShrinkTime: c.limit, Shrinks: c.shrinks})
				took := time.Since(begun)
				if len(r.Results[0].Failures) != 1 {
					t.Fatalf("%+v", r.Results)
				}
				f := r.Results[0].Failures[0]
				if f.ShrinkStopped != c.stopped || took < c.atLeast || took > c.atMost || (f.Shrinks > 0) == (c.shrinks < 0) {
					t.Errorf("%v, %d steps, %q", took, f.Shrinks, f.ShrinkStopped)
				}
				shown := r
				for i, form := range [][]byte{shown.AppendText(nil, nil), shown.AppendJUnit(nil, nil), shown.AppendJSON(nil)} {
					word := "not shrunk further: "
					if i == 2 {
						word = `"shrink_stopped":"`
					}
					if strings.Contains(string(form), word) != (c.stopped != "") || !strings.Contains(string(form), c.stopped) {
						t.Errorf("%s", form)
					}
				}
			})
		})
	}
}

// TestShrinkingMeetsAHang: a simpler case that does not come to an end ends the search, and what was found stays.
func TestShrinkingMeetsAHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		impl := slow(0)
		refuse, asked := impl.ParseAmount, new(atomic.Int64) // of goroutines that may have been given up
		impl.ParseAmount = func(text string) (amount.Amount, error) {
			if asked.Add(1) == 6 {
				<-release
			}
			return refuse(text)
		}
		r := fuzz.Run(impl, fuzz.Options{Laws: []string{"A01"}, Cases: 200, Seed: 5})
		if f := r.Results[0].Failures[0]; f.ShrinkStopped != "no answer within 1m0s" || f.Shrinks == 0 || f.Stuck {
			t.Errorf("%d steps, %q", f.Shrinks, f.ShrinkStopped)
		}
	})
}
