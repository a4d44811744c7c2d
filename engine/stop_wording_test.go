package engine_test

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestStopAsTheLedgerWords: what the texts of L05, L10 and L11 say of the reasons of a stop and of the days that are
// caught up. The profile is due each day from 10 January 2026, and its finish-date is 14 January.
func TestStopAsTheLedgerWords(t *testing.T) {
	const limit, finish = engine.ReasonMaxRepeats, engine.ReasonFinishDate
	for _, r := range []struct {
		reason  string
		asOf    string
		repeat  uint64
		bound   engine.FinishBound
		reasons engine.Reasons
		charges int // that the run of the as-of day makes, with start-past=catch-up
	}{
		{"L11: a counter at the cap, on finish-date", "2026-01-14", 5, engine.FinishBoundInclusive, limit, 0},
		{"L11: a counter at the cap, on finish-date, which is over", "2026-01-14", 5, engine.FinishBoundExclusive, limit | finish, 0},
		{"L11: a counter at the cap, the day after", "2026-01-15", 5, engine.FinishBoundInclusive, limit | finish, 0},
		{"L11: a counter at the cap, the day before", "2026-01-13", 5, engine.FinishBoundExclusive, limit, 0},
		{"L05: earlier due days are caught up on finish-date", "2026-01-14", 0, engine.FinishBoundInclusive, limit | finish, 5},
		{"L05: they are not where it is over", "2026-01-14", 0, engine.FinishBoundExclusive, finish, 0},
		{"L05: nor the day after", "2026-01-15", 0, engine.FinishBoundInclusive, finish, 0},
	} {
		p := daily()
		p.Start, p.Finish, p.MaxRepeats = day("2026-01-10"), day("2026-01-14"), engine.AtMost(5)
		policy := engine.Policy{FinishBound: r.bound, StartPast: engine.StartPastCatchUp}
		s := engine.Stored{Profile: p}
		if r.repeat > 0 {
			s.State = engine.State{Status: engine.StatusActive, Repeat: r.repeat, Anchor: p.Start, RanThrough: day(r.asOf).AddDays(-1)}
		}
		plan, err := engine.New(policy).Compile(s, day(r.asOf))
		if err != nil {
			t.Fatal(err)
		}
		stop := plan.Stop()
		if n := plan.Count(calendar.Through(day(r.asOf), day(r.asOf))); stop.Date != day(r.asOf) || stop.Reasons != r.reasons || n != r.charges {
			t.Errorf("%s: %+v, %d charges", r.reason, stop, n)
		}
	}
}

// TestStopOnADueDayIsNotBetweenDueDays: L07 is about a finish-date between two due days. With finish-bound=exclusive a stop
// on a finish-date that is a due day rested on it as well.
func TestStopOnADueDayIsNotBetweenDueDays(t *testing.T) {
	for _, r := range []struct {
		reason   string
		interval int
		finish   string
		bound    engine.FinishBound
		want     ledger.Because
	}{
		{"a due day, charged", 1, "2026-01-14", engine.FinishBoundInclusive, ledger.On(clause.X8)},
		{"a due day, not charged", 1, "2026-01-14", engine.FinishBoundExclusive, ledger.Because{}},
		{"the first due day, not charged", 1, "2026-01-10", engine.FinishBoundExclusive, ledger.Because{}},
		{"between two due days", 3, "2026-01-14", engine.FinishBoundInclusive, ledger.On(clause.L07)},
		{"between two due days, exclusive", 3, "2026-01-14", engine.FinishBoundExclusive, ledger.On(clause.L07)},
		{"one of them, exclusive", 4, "2026-01-14", engine.FinishBoundExclusive, ledger.Because{}},
	} {
		p := daily()
		p.Start, p.Finish, p.Interval = day("2026-01-10"), day(r.finish), r.interval
		stop := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{FinishBound: r.bound}).Stop()
		want := r.want.And(ledger.On(clause.Doc229, clause.L05, clause.L32b))
		if stop.Date != p.Finish || !slices.Equal(slices.Collect(stop.Because.All()), slices.Collect(want.All())) {
			t.Errorf("%s: %v because of %v, want %v", r.reason, stop.Date, stop.Because, want)
		}
	}
}
