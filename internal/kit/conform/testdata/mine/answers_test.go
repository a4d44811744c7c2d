package mine

import (
	"iter"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// A scheduler is the code under test: the default readings, for profiles that are created on as-of.
type scheduler struct{ fuzz.Job }

func schedule(j fuzz.Job) (fuzz.Forecast, error) {
	if !j.Plain() {
		return fuzz.Forecast{}, fuzz.ErrNotSupported
	}
	if j.Profile.Start.IsZero() {
		j.Profile.Start = j.AsOf
	}
	s := scheduler{j}
	return fuzz.Forecast{Charges: s.Charges, Next: s.Next, Count: s.Count, Stop: s.Stop, End: s.End}, nil
}

// due is the due day with a number, counted from the start; false past the end of the calendar, or without a schedule.
func (s scheduler) due(k int) (calendar.Date, bool) {
	year, month, day := s.Profile.Start.Date()
	n := k * min(s.Profile.Interval, 4_000_000) // as far as the calendar goes
	switch s.Profile.Unit {
	case calendar.UnitDay:
		day += n
	case calendar.UnitWeek:
		day += 7 * n
	case calendar.UnitMonth:
		month += time.Month(n)
		day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())
	default:
		return calendar.Date{}, false
	}
	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return calendar.Of(t), t.Year() <= 9999
}

// run yields the charges in order and gives the stop; the zero Stop if there is none.
func (s scheduler) run(yield func(engine.Charge) bool) fuzz.Stop {
	most, limited := s.Profile.MaxRepeats.Value()
	finish, n := s.Profile.Finish, uint64(0)
	stop := func(d calendar.Date, over bool) (s fuzz.Stop) {
		if limited && n >= most {
			s = fuzz.Stop{Date: d, Reasons: []string{"max-repeats"}}
		}
		if over {
			s = fuzz.Stop{Date: d, Reasons: append(s.Reasons, "finish-date")}
		}
		return s
	}
	after := func(d calendar.Date) bool { return !finish.IsZero() && d.After(finish) }
	if s := stop(s.AsOf, after(s.AsOf)); s.Reasons != nil {
		return s
	}
	for k := 0; ; k++ {
		d, ok := s.due(k)
		if !ok || after(d) {
			return stop(finish, !finish.IsZero())
		}
		if d.Before(s.AsOf) {
			continue
		}
		low, high := s.Profile.Amounts.Bounds(n)
		if !yield(engine.Charge{Repeat: n, Slot: d, Date: d, Min: low, Max: high}) {
			return fuzz.Stop{}
		}
		n++
		if s := stop(d, d == finish); s.Reasons != nil {
			return s
		}
	}
}

func (s scheduler) Stop() fuzz.Stop { return s.run(func(engine.Charge) bool { return true }) }

func (s scheduler) Charges(w calendar.Window) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		s.run(func(c engine.Charge) bool {
			return (w.To.IsZero() || c.Date.Before(w.To)) && (c.Date.Before(w.From) || yield(c))
		})
	}
}

func (s scheduler) Next(n int) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		s.run(func(c engine.Charge) bool { return int(c.Repeat) < n && yield(c) })
	}
}

func (s scheduler) Count(w calendar.Window) (n int) {
	for range s.Charges(w) {
		n++
	}
	return n
}

func (s scheduler) End(d calendar.Date) fuzz.End {
	var e fuzz.End
	stop := s.run(func(c engine.Charge) bool {
		if c.Date.After(d) {
			return false
		}
		e.Repeat++
		return true
	})
	e.Status = engine.StatusActive
	if stop.Reasons != nil && !stop.Date.After(d) {
		e.Status, e.Stop = engine.StatusStopped, stop
	}
	e.LastDay = d == calendar.MaxDate() && e.Stop.Reasons == nil && s.Profile.Automatic()
	return e
}

func TestScheduler(t *testing.T) {
	impl := fuzz.Impl{Name: "scheduler"}
	impl.Forecast = schedule
	fuzz.Check(t, impl, fuzz.Options{Cases: 100, Policy: new(engine.Policy), Workers: 2})
}
