package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// Goal: a rule changes its answer exactly at its bound. Method: the last case on one side of it and
// the first on the other.

// TestTailOfASequence: charges after the last element repeat it, and say why (X7).
func TestTailOfASequence(t *testing.T) {
	p := daily()
	elements, err := amount.NewSequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.00")})
	if err != nil {
		t.Fatal(err)
	}
	p.Amounts = elements
	for _, c := range slices.Collect(compile(t, p, engine.State{}, "2026-01-10", engine.Policy{}).Next(4)) {
		if want := c.Repeat >= 2; c.Because.Has(ledger.X7) != want {
			t.Errorf("charge %d, because of %v", c.Repeat, c.Because)
		}
	}
}

// TestManualChargeReachesTheCap: it stops the profile by the cap (L20); that the cap was passed
// before (L10) is a reason only where it was.
func TestManualChargeReachesTheCap(t *testing.T) {
	for _, r := range []struct {
		reason string
		repeat uint64
		passed bool
	}{
		{"the charge is the last of three", 2, false},
		{"the cap is reached already", 3, false},
		{"the cap is passed already", 4, true},
	} {
		s := stored(engine.StatusActive)
		s.Profile.MaxRepeats = engine.AtMost(3)
		s.State.Repeat = r.repeat
		effects, after, err := engine.Apply(nil, s, engine.Event{Date: day("2026-01-12"), Do: engine.DoCharge}, engine.Policy{})
		if err != nil || after.State.Status != engine.StatusStopped {
			t.Fatalf("%s: %v, %v", r.reason, after.State.Status, err)
		}
		stop := effects[len(effects)-1]
		if stop.Kind != engine.ProfileStopped || !stop.Because.Has(ledger.L20) || stop.Because.Has(ledger.L10) != r.passed {
			t.Errorf("%s: stopped because of %v", r.reason, stop.Because)
		}
	}
}

// TestTextWithNULFirst: a NUL is found wherever it is.
func TestTextWithNULFirst(t *testing.T) {
	for _, id := range []string{"\x00", "\x00a", "a\x00"} {
		p := daily()
		p.ID = id
		_, err := engine.Compile(engine.Stored{Profile: p}, day("2026-01-10"), engine.Policy{})
		if !errors.Is(err, engine.ErrNUL) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestMissedUpToYesterday: without a last run, the days before as-of can have been missed, and no
// later ones.
func TestMissedUpToYesterday(t *testing.T) {
	for through, want := range map[string]error{"2026-01-11": nil, "2026-01-12": engine.ErrStateConflict, "2026-01-13": engine.ErrStateConflict} {
		s := engine.Stored{Profile: daily(), State: engine.State{
			Status: engine.StatusActive, Missed: []calendar.Window{calendar.Through(day("2026-01-10"), day(through))},
		}}
		if err := s.Check(day("2026-01-12"), engine.Policy{}); !errors.Is(err, want) {
			t.Errorf("missed through %s: %v, want %v", through, err, want)
		}
	}
}
