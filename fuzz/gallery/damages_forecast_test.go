package gallery

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// planned is our own code that makes a forecast of another job.
func planned(change func(j *subject.Job)) subject.Impl {
	return ours(func(i *subject.Impl) {
		right := i.Forecast
		i.Forecast = func(j subject.Job) (subject.Forecast, error) {
			change(&j)
			return right(j)
		}
	})
}

// seen is our own code with each charge changed, or left out.
func seen(keep func(c *engine.Charge, j subject.Job) bool) subject.Impl {
	return foreseen(func(f *subject.Forecast, j subject.Job) {
		f.Charges = filtered(f.Charges, func(c *engine.Charge) bool { return keep(c, j) })
	})
}

func forecastDamages() []damage {
	return []damage{
		{"R06", "the end of a day is that before its run", foreseen(func(f *subject.Forecast, j subject.Job) {
			right := f.End
			f.End = func(d calendar.Date) subject.End {
				if before := d.AddDays(-1); !before.Before(j.AsOf) {
					d = before
				}
				return right(d)
			}
		})},
		{"T03", "max-repeats is ignored beside finish-date", planned(func(j *subject.Job) {
			if !j.Profile.Finish.IsZero() {
				j.Profile.MaxRepeats = engine.Limit{}
			}
		})},
		{"T04", "the first charge is lost in a long window", foreseen(func(f *subject.Forecast, _ subject.Job) {
			right := f.Charges
			f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
				if !w.To.IsZero() && w.To.Sub(w.From) > 60 {
					w.From = w.From.AddDays(1)
				}
				return right(w)
			}
		})},
		{"T06", "one charge too many", foreseen(func(f *subject.Forecast, _ subject.Job) {
			right := f.Next
			f.Next = func(n int) iter.Seq[engine.Charge] { return right(n + 1) }
		})},
		{"T14", "the stop is a day early", foreseen(func(f *subject.Forecast, _ subject.Job) {
			right := f.Stop
			f.Stop = func() subject.Stop {
				s := right()
				s.Date = s.Date.AddDays(-1)
				return s
			}
		})},
		{"T16", "the last day of the calendar is not counted", foreseen(func(f *subject.Forecast, _ subject.Job) {
			right := f.Count
			f.Count = func(w calendar.Window) int {
				if w.To.IsZero() {
					w.To = calendar.Last()
				}
				return right(w)
			}
		})},
		{"T18", "the slot is the day after", seen(func(c *engine.Charge, _ subject.Job) bool {
			c.Slot = c.Slot.AddDays(1)
			return true
		})},
		{"T22", "a cut series is not marked", foreseen(func(f *subject.Forecast, _ subject.Job) {
			right := f.End
			f.End = func(d calendar.Date) subject.End {
				e := right(d)
				e.LastDay = false
				return e
			}
		})},
		{"T23", "the stop is not known", foreseen(func(f *subject.Forecast, _ subject.Job) {
			f.Stop = func() subject.Stop { return subject.Stop{} }
		})},
	}
}

func policyDamages() []damage {
	startPast := func(from, to engine.StartPast) subject.Impl {
		return planned(func(j *subject.Job) {
			if j.Policy.StartPast == from {
				j.Policy.StartPast = to
			}
		})
	}
	return []damage{
		{"Y02", "skip leaves out the ends of months by the day too", seen(func(c *engine.Charge, j subject.Job) bool {
			_, _, day := c.Slot.Date()
			return j.Policy.MonthEnd != calendar.MonthEndSkip || day <= 28
		})},
		{"Y04", "the first charge is always counted", planned(func(j *subject.Job) { j.Policy.MaxCounts = engine.MaxCountsCharges })},
		{"Y06", "reanchor moves a start that is to come", planned(func(j *subject.Job) {
			if j.Policy.StartPast == engine.StartPastReanchor && j.Profile.Start.After(j.AsOf) {
				j.Profile.Start = j.AsOf
			}
		})},
		{"Y07", "missed dates are not counted", startPast(engine.StartPastCountMissed, engine.StartPastSkip)},
		{"Y08", "missed dates are not caught up", startPast(engine.StartPastCatchUp, engine.StartPastSkip)},
		{"Y09", "the grid is not moved", startPast(engine.StartPastReanchor, engine.StartPastSkip)},
		{"Y11", "resume-counter=reset resets without a resume", planned(func(j *subject.Job) {
			if j.Policy.ResumeCounter == engine.ResumeCounterReset && j.State.Status != 0 {
				j.State.Repeat = 0
			}
		})},
		{"Y12", "no other reading changes anything", ours(func(i *subject.Impl) {
			i.CompareReadings = func(subject.Job, calendar.Date) ([]engine.Sensitivity, error) { return nil, nil }
		})},
	}
}
