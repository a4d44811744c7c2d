package engine_test

import (
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// TestTakesAsNew: a subscription that runs already and has no state was forecast from its first charge on without a word.
func TestTakesAsNew(t *testing.T) {
	asOf := calendar.MustParse("2026-03-01")
	past := engine.Profile{Kind: engine.KindSource, Unit: calendar.UnitMonth, Interval: 1, Start: calendar.MustParse("2026-01-31")}
	today, none, byHand := past, past, past
	today.Start, none.Start, byHand.Unit, byHand.Interval = asOf, calendar.Date{}, calendar.UnitNone, 0
	counting := engine.Policy{StartPast: engine.StartPastCountMissed}
	for _, c := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		policy  engine.Policy
		want    bool
	}{
		{"it started before", past, engine.State{}, engine.Policy{}, true},
		{"it starts today", today, engine.State{}, engine.Policy{}, false},
		{"it starts on the as-of date by default", none, engine.State{}, engine.Policy{}, false},
		{"nothing is charged automatically", byHand, engine.State{}, engine.Policy{}, false},
		{"it has a state", past, engine.State{Repeat: 2}, engine.Policy{}, false},
		{"it has a state without a charge", past, engine.State{Status: engine.StatusActive}, engine.Policy{}, false},
		{"the days before are counted", past, engine.State{}, counting, false},
	} {
		if got := engine.New(c.policy).TakesAsNew(engine.Stored{Profile: c.profile, State: c.state}, asOf); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}
