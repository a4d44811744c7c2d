package show

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// A watchedForecast is a forecast whose windows a witness remembers.
type watchedForecast struct {
	subject.Forecast

	job     *Question
	witness *Witness
}

func (f watchedForecast) note(until calendar.Date) {
	if !until.IsZero() && !until.Before(f.job.AsOf) {
		f.witness.Asked(func() Counterexample { return f.job.Show(until, nil) })
	}
}

// Charges notes the window's last day.
func (f watchedForecast) Charges(w calendar.Window) iter.Seq[engine.Charge] {
	f.note(w.To.AddDays(-1))
	return f.Forecast.Charges(w)
}

// End notes the day.
func (f watchedForecast) End(d calendar.Date) subject.End {
	f.note(d)
	return f.Forecast.End(d)
}

// Explain answers if the forecast does.
func (f watchedForecast) Explain(d calendar.Date) engine.Explanation {
	f.note(d)
	if e, ok := f.Forecast.(subject.Explainer); ok {
		return e.Explain(d)
	}
	panic(subject.ErrNotSupported)
}
