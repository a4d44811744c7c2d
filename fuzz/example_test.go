package fuzz_test

import (
	"fmt"
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// A scheduler that knows days alone, and tells its charges alone. In a test, fuzz.Check takes the place of fuzz.Run.
func Example() {
	impl := fuzz.Impl{Name: "daily"}
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		p := j.Profile
		if !j.Plain() || p.Unit != calendar.UnitDay || !p.Finish.IsZero() {
			return fuzz.Forecast{}, fuzz.ErrNotSupported
		}
		if p.Start.IsZero() {
			p.Start = j.AsOf
		}
		most, limited := p.MaxRepeats.Value()
		return fuzz.Forecast{Charges: func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				n := uint64(0)
				for d := p.Start; !d.IsZero() && (w.To.IsZero() || d.Before(w.To)) && (!limited || n < most); d = d.AddDays(p.Interval) {
					if d.Before(j.AsOf) {
						continue
					}
					low, high := p.Amounts.Bounds(n)
					if !d.Before(w.From) && !yield(engine.Charge{Repeat: n, Date: d, Slot: d, Min: low, Max: high}) {
						return
					}
					n++
				}
			}
		}}, nil
	}
	report := fuzz.Run(impl, fuzz.Options{Laws: []string{"T"}, Cases: 40, Policy: new(engine.Policy)})
	fmt.Print(report)

	// Output:
	// Held: T07 T21
	//
	// daily: all laws that were judged hold; 2 judged on 80 cases, 2 not covered, seed 0
}
