package show

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// watch is a forecast whose windows and days the witness remembers. It lacks what the forecast lacks.
func (w *Witness) watch(f laws.Forecast, of *Question) laws.Forecast {
	note := func(until calendar.Date) {
		if until.IsDay() && !until.Before(of.AsOf) {
			w.Asked(func() Counterexample { return of.Show(until, nil) })
		}
	}
	watched := f
	if f.Charges != nil {
		watched.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			note(w.To.AddDays(-1))
			return f.Charges(w)
		}
	}
	if f.End != nil {
		watched.End = func(d calendar.Date) laws.End {
			note(d)
			return f.End(d)
		}
	}
	if f.Explain != nil {
		watched.Explain = func(d calendar.Date) engine.Explanation {
			note(d)
			return f.Explain(d)
		}
	}
	return watched
}
