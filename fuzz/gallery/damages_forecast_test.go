package gallery

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// A foresight is one of our own forecasts with other answers; those that are nil stay.
type foresight struct {
	subject.Forecast
	job     subject.Job
	charges func(w calendar.Window) iter.Seq[engine.Charge]
	next    func(n int) iter.Seq[engine.Charge]
	count   func(w calendar.Window) int
	total   func(w calendar.Window) subject.Total
	stop    func() subject.Stop
	end     func(d calendar.Date) subject.End
}

func (f foresight) Charges(w calendar.Window) iter.Seq[engine.Charge] {
	if f.charges == nil {
		return f.Forecast.Charges(w)
	}
	return f.charges(w)
}

func (f foresight) Next(n int) iter.Seq[engine.Charge] {
	if f.next == nil {
		return f.Forecast.Next(n)
	}
	return f.next(n)
}

func (f foresight) Count(w calendar.Window) int {
	if f.count == nil {
		return f.Forecast.Count(w)
	}
	return f.count(w)
}

func (f foresight) Total(w calendar.Window) subject.Total {
	if f.total == nil {
		return f.Forecast.Total(w)
	}
	return f.total(w)
}

func (f foresight) Stop() subject.Stop {
	if f.stop == nil {
		return f.Forecast.Stop()
	}
	return f.stop()
}

func (f foresight) End(d calendar.Date) subject.End {
	if f.end == nil {
		return f.Forecast.End(d)
	}
	return f.end(d)
}

// foreseen is our own code with changed forecasts.
func foreseen(change func(f *foresight)) subject.Impl {
	return planned(func(right forecast, j subject.Job) (subject.Forecast, error) {
		f, err := right(j)
		if err != nil {
			return nil, err
		}
		changed := foresight{Forecast: f, job: j}
		change(&changed)
		return changed, nil
	})
}

type forecast = func(subject.Job) (subject.Forecast, error)

// planned is our own code that makes a forecast in another way.
func planned(plan func(right forecast, j subject.Job) (subject.Forecast, error)) subject.Impl {
	return ours(func(i *subject.Impl) {
		right := i.Forecast
		i.Forecast = func(j subject.Job) (subject.Forecast, error) { return plan(right, j) }
	})
}

// seen is our own code with each charge changed, or left out.
func seen(each func(c *engine.Charge, j subject.Job) bool) subject.Impl {
	return foreseen(func(f *foresight) {
		f.charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				for c := range f.Forecast.Charges(w) {
					if each(&c, f.job) && !yield(c) {
						return
					}
				}
			}
		}
	})
}

func forecastDamages() []damage {
	return []damage{
		{"R06", "the end of a day is that before its run", foreseen(func(f *foresight) {
			f.end = func(d calendar.Date) subject.End {
				if before := d.AddDays(-1); !before.Before(f.job.AsOf) {
					d = before
				}
				return f.Forecast.End(d)
			}
		})},
		{"T03", "max-repeats is ignored beside finish-date", planned(func(right forecast, j subject.Job) (subject.Forecast, error) {
			if !j.Profile.Finish.IsZero() {
				j.Profile.MaxRepeats = engine.Limit{}
			}
			return right(j)
		})},
		{"T04", "the first charge is lost in a long window", foreseen(func(f *foresight) {
			f.charges = func(w calendar.Window) iter.Seq[engine.Charge] {
				if !w.To.IsZero() && w.To.Sub(w.From) > 60 {
					w.From = w.From.AddDays(1)
				}
				return f.Forecast.Charges(w)
			}
		})},
		{"T06", "one charge too many", foreseen(func(f *foresight) {
			f.next = func(n int) iter.Seq[engine.Charge] { return f.Forecast.Next(n + 1) }
		})},
		{"T14", "the stop is a day early", foreseen(func(f *foresight) {
			f.stop = func() subject.Stop {
				s := f.Forecast.Stop()
				s.Date = s.Date.AddDays(-1)
				return s
			}
		})},
		{"T16", "the last day of the calendar is not counted", foreseen(func(f *foresight) {
			f.count = func(w calendar.Window) int {
				if w.To.IsZero() {
					w.To = calendar.Last()
				}
				return f.Forecast.Count(w)
			}
		})},
		{"T18", "the slot is the day after", seen(func(c *engine.Charge, _ subject.Job) bool {
			c.Slot = c.Slot.AddDays(1)
			return true
		})},
		{"T22", "a cut series is not marked", foreseen(func(f *foresight) {
			f.end = func(d calendar.Date) subject.End {
				e := f.Forecast.End(d)
				e.LastDay = false
				return e
			}
		})},
		{"T23", "the stop is not known", foreseen(func(f *foresight) { f.stop = func() subject.Stop { return subject.Stop{} } })},
	}
}

func policyDamages() []damage {
	read := func(change func(j *subject.Job)) subject.Impl {
		return planned(func(right forecast, j subject.Job) (subject.Forecast, error) {
			change(&j)
			return right(j)
		})
	}
	startPast := func(from, to engine.StartPast) subject.Impl {
		return read(func(j *subject.Job) {
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
		{"Y04", "the first charge is always counted", read(func(j *subject.Job) { j.Policy.MaxCounts = engine.MaxCountsCharges })},
		{"Y06", "reanchor moves a start that is to come", read(func(j *subject.Job) {
			if j.Policy.StartPast == engine.StartPastReanchor && j.Profile.Start.After(j.AsOf) {
				j.Profile.Start = j.AsOf
			}
		})},
		{"Y07", "missed dates are not counted", startPast(engine.StartPastCountMissed, engine.StartPastSkip)},
		{"Y08", "missed dates are not caught up", startPast(engine.StartPastCatchUp, engine.StartPastSkip)},
		{"Y09", "the grid is not moved", startPast(engine.StartPastReanchor, engine.StartPastSkip)},
		{"Y11", "resume-counter=reset resets without a resume", read(func(j *subject.Job) {
			if j.Policy.ResumeCounter == engine.ResumeCounterReset && j.State.Status != 0 {
				j.State.Repeat = 0
			}
		})},
		{"Y12", "no other reading changes anything", ours(func(i *subject.Impl) {
			i.CompareReadings = func(subject.Job, calendar.Date) ([]engine.Sensitivity, error) { return nil, nil }
		})},
	}
}
