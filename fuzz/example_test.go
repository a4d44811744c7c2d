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
	report := fuzz.Run(impl, fuzz.Options{Laws: []string{"R01", "T0*"}, Cases: 20, Policy: new(engine.Policy)})
	fmt.Printf("%s", report.AppendText(nil, nil))

	// Output:
	// Law        cases  classes met    new    cases since  met once
	// T01           18   166 of 730    166              0    28.3 %
	// T02           20   184 of 730    184              0    29.3 %
	// T04           20   181 of 730    181              0    35.3 %
	// T09           20   218 of 730    218              0    41.2 %
	// R01           20   186 of 730    186              0    30.6 %
	// T05           20   177 of 730    177              0    33.3 %
	//
	// Held: R01 T01 T02 T04 T05 T09
	//
	// Not covered: T03 T06 T07 T08
	//
	// daily: all laws that were judged hold; 6 judged, 4 not covered, seed 0
}
