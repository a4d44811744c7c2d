package engine_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// paidToday is a state put together from its fields, with a slot that was paid before the day's run.
func paidToday(ran, paid string) engine.Stored {
	return engine.Stored{
		Profile: engine.Profile{Kind: engine.KindSource, Start: calendar.MustParse("2026-01-01"), Unit: calendar.UnitDay, Interval: 1, Amounts: amount.Fixed(amount.MustParse("1"))},
		State:   engine.State{Status: engine.StatusActive, RanThrough: calendar.MustParse(ran), Paid: []calendar.Date{calendar.MustParse(paid)}},
	}
}

// TestAdvanceAgainWithTodayPaid: a job that is started a second time is no error, whatever the next run will meet.
func TestAdvanceAgainWithTodayPaid(t *testing.T) {
	s := paidToday("2026-02-01", "2026-02-02")
	for _, through := range []string{"2026-01-15", "2026-02-01"} {
		after, effects, err := engine.Engine{}.Advance(s, calendar.MustParse(through))
		if err != nil || len(effects) > 0 || !after.Equal(s.Under(engine.Policy{})) {
			t.Errorf("Advance to %s: %d effects, %v", through, len(effects), err)
		}
	}
}

// TestHandleJudgesTheFirstRun: a state that contradicts its first run is refused by Handle as by Advance.
func TestHandleJudgesTheFirstRun(t *testing.T) {
	s := paidToday("2026-01-31", "2026-02-10")
	day := calendar.MustParse("2026-02-20")
	_, _, want := engine.Engine{}.Advance(s, day)
	after, effects, err := engine.Engine{}.Handle(s, engine.Event{Date: day, Kind: engine.EventStop})
	if !errors.Is(err, engine.ErrStateConflict) || err.Error() != want.Error() || len(effects) > 0 || !after.Equal(s) {
		t.Errorf("Handle: %d effects, %v, want %v", len(effects), err, want)
	}
}
