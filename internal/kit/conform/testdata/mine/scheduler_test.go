package mine

import (
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

func TestLaws(t *testing.T) {
	impl := fuzz.Impl{Name: "mine"}
	impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		if !j.Plain() || j.Profile.Amounts.Kind() != amount.KindFixed || j.Profile.Start == calendar.MinDate() || j.Profile.Finish == calendar.MinDate() {
			return fuzz.Forecast{}, fuzz.ErrNotSupported
		}
		p := Profile{Created: day(j.AsOf), Start: day(j.Profile.Start), Finish: day(j.Profile.Finish), Price: j.Profile.Amounts.String()}
		p.Period, p.Interval = j.Profile.Unit.String(), j.Profile.Interval
		p.Max, p.Limited = j.Profile.MaxRepeats.Value()
		return fuzz.Forecast{Charges: func(w calendar.Window) iter.Seq[engine.Charge] {
			var list []engine.Charge
			for _, c := range Charges(p, day(w.First()), day(w.Last())) {
				list = append(list, engine.Charge{Repeat: c.Number, Date: calendar.Of(c.Day), Min: amount.MustParse(c.Price), Max: amount.MustParse(c.Price)})
			}
			return slices.Values(list)
		}}, nil
	}
	fuzz.Check(t, impl, fuzz.Options{Policy: new(engine.Policy)})
}

// day is a day as a time; the zero time for none.
func day(d calendar.Date) (t time.Time) { t, _ = time.Parse(time.DateOnly, d.String()); return t }
