package gallery

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// planned is our own code that makes a forecast of another job.
func planned(change func(j *gen.Job)) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.Forecast
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			change(&j)
			return right(j)
		}
	})
}

// seen is our own code with each charge changed, or left out.
func seen(keep func(c *engine.Charge, j gen.Job) bool) laws.Impl {
	return foreseen(func(f *laws.Forecast, j gen.Job) {
		f.Charges = filtered(f.Charges, func(c *engine.Charge) bool { return keep(c, j) })
	})
}

func forecastDamages() []damage {
	return []damage{
		{"R06", "the end of a day is that before its run", foreseen(func(f *laws.Forecast, j gen.Job) {
			right := f.End
			f.End = func(d calendar.Date) laws.End {
				if before := d.AddDays(-1); !before.Before(j.AsOf) {
					d = before
				}
				return right(d)
			}
		})},
		{"T03", "max-repeats is ignored beside finish-date", planned(func(j *gen.Job) {
			if !j.Profile.Finish.IsZero() {
				j.Profile.MaxRepeats = engine.Limit{}
			}
		})},
		{"T04", "the first charge is lost in a long window", foreseen(func(f *laws.Forecast, _ gen.Job) {
			right := f.Charges
			f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
				if !w.To.IsZero() && w.To.Sub(w.From) > 60 {
					w.From = w.From.AddDays(1)
				}
				return right(w)
			}
		})},
		{"T06", "one charge too many", foreseen(func(f *laws.Forecast, _ gen.Job) {
			right := f.Next
			f.Next = func(n int) iter.Seq[engine.Charge] { return right(n + 1) }
		})},
		{"T14", "the stop is a day early", foreseen(func(f *laws.Forecast, _ gen.Job) {
			right := f.Stop
			f.Stop = func() laws.Stop {
				s := right()
				s.Date = s.Date.AddDays(-1)
				return s
			}
		})},
		{"T16", "the last day of the calendar is not counted", foreseen(func(f *laws.Forecast, _ gen.Job) {
			right := f.Count
			f.Count = func(w calendar.Window) int {
				if w.To.IsZero() {
					w.To = calendar.Last()
				}
				return right(w)
			}
		})},
		{"T18", "the slot is the day after", seen(func(c *engine.Charge, _ gen.Job) bool {
			c.Slot = c.Slot.AddDays(1)
			return true
		})},
		{"T22", "a cut series is not marked", foreseen(func(f *laws.Forecast, _ gen.Job) {
			right := f.End
			f.End = func(d calendar.Date) laws.End {
				e := right(d)
				e.LastDay = false
				return e
			}
		})},
		{"T23", "the stop is not known", foreseen(func(f *laws.Forecast, _ gen.Job) {
			f.Stop = func() laws.Stop { return laws.Stop{} }
		})},
	}
}

func policyDamages() []damage {
	startPast := func(from, to engine.StartPast) laws.Impl {
		return planned(func(j *gen.Job) {
			if j.Policy.StartPast == from {
				j.Policy.StartPast = to
			}
		})
	}
	return []damage{
		{"Y02", "skip leaves out the ends of months by the day too", seen(func(c *engine.Charge, j gen.Job) bool {
			_, _, day := c.Slot.Date()
			return j.Policy.MonthEnd != calendar.MonthEndSkip || day <= 28
		})},
		{"Y04", "the first charge is always counted", planned(func(j *gen.Job) { j.Policy.MaxCounts = engine.MaxCountsCharges })},
		{"Y06", "reanchor moves a start that is to come", planned(func(j *gen.Job) {
			if j.Policy.StartPast == engine.StartPastReanchor && j.Profile.Start.After(j.AsOf) {
				j.Profile.Start = j.AsOf
			}
		})},
		{"Y07", "missed dates are not counted", startPast(engine.StartPastCountMissed, engine.StartPastSkip)},
		{"Y08", "missed dates are not caught up", startPast(engine.StartPastCatchUp, engine.StartPastSkip)},
		{"Y09", "the grid is not moved", startPast(engine.StartPastReanchor, engine.StartPastSkip)},
		{"Y11", "resume-counter=reset resets without a resume", planned(func(j *gen.Job) {
			if j.Policy.ResumeCounter == engine.ResumeCounterReset && j.State.Status != 0 {
				j.State.Repeat = 0
			}
		})},
		{"Y12", "no other reading changes anything", ours(func(i *laws.Impl) {
			i.CompareReadings = func(gen.Job, calendar.Date) ([]engine.Sensitivity, error) { return nil, nil }
		})},
	}
}
