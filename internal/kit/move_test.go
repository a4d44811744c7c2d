package kit_test

import (
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
)

// TestMoveMissedWindow: a window of missed days through 9999-12-31 has no day To. Moved
// back it ends before the as-of date, and moved onto that day it is not empty.
func TestMoveMissedWindow(t *testing.T) {
	last := calendar.MaxDate()
	for _, c := range []struct{ from, to calendar.Date }{
		{last, last.AddDays(-1)},
		{last.AddDays(-1), last},
	} {
		job := gen.Job{AsOf: c.from, State: engine.State{RanThrough: c.from, Missed: []calendar.Window{calendar.Through(c.from, c.from)}}}
		gen.MoveDays(&job, c.to.Sub(c.from))
		if got, want := job.State.Missed[0], calendar.Through(c.to, c.to); got != want || job.AsOf != c.to {
			t.Errorf("from %v: missed %v as of %v, want %v", c.from, got, job.AsOf, want)
		}
	}
}
