package fuzz_test

import (
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
)

// altered is a forecast whose charges in long windows, or in Next, are changed.
func altered(f laws.Forecast, change func(c *engine.Charge)) laws.Forecast {
	changed := func(all iter.Seq[engine.Charge]) iter.Seq[engine.Charge] {
		return func(yield func(engine.Charge) bool) {
			for c := range all {
				if change(&c); !yield(c) {
					return
				}
			}
		}
	}
	charges, next := f.Charges, f.Next
	f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
		if !w.To.IsZero() && w.To.Sub(w.From) <= 60 {
			return charges(w)
		}
		return changed(charges(w))
	}
	f.Next = func(n int) iter.Seq[engine.Charge] { return changed(next(n)) }
	return f
}

// A message about charges shows the first that differ, by repeat, day and amount, as go-cmp prints texts: no value as Go prints
// it where there are words for it, and no list of hundreds.
func TestMessagesOfCharges(t *testing.T) {
	a := func(change func(c *engine.Charge)) fuzz.Impl {
		impl := fuzz.Ours()
		right := impl.Forecast
		impl.Forecast = func(j gen.Job) (laws.Forecast, error) {
			f, err := right(j)
			if err != nil {
				return f, err
			}
			return altered(f, change), nil
		}
		return impl
	}
	unstopped := fuzz.Ours()
	unstopped.Forecast = func(j gen.Job) (laws.Forecast, error) {
		if !j.Profile.Finish.IsZero() {
			j.Profile.MaxRepeats = engine.Limit{}
		}
		return fuzz.Ours().Forecast(j)
	}
	repeat := a(func(c *engine.Charge) { c.Repeat++ })
	for _, row := range []struct {
		law, want string
		impl      fuzz.Impl
	}{
		{"T01", "+ \t\"repeat ", repeat},
		{"T03", "+ \t\"repeat ", unstopped},
		{"T04", "+ \t\"repeat ", repeat},
		{"T05", "+ \t\"repeat ", repeat},
		{"T05", "+ \t\tBecause:", a(func(c *engine.Charge) { c.Because = c.Because.And(ledger.On(clause.L20)) })},
		{"T05", "+ \t\tCardExpired:", a(func(c *engine.Charge) { c.CardExpired = !c.CardExpired })},
		{"T06", "+ \t\"repeat ", repeat},
		{"T20", "+ \t\"", a(func(c *engine.Charge) {
			if c.Repeat == 0 {
				c.Date = c.Date.AddDays(1)
			}
		})},
		{"T21", "as the same profile ", a(func(c *engine.Charge) {
			if c.Date.Weekday() == time.Saturday {
				c.Date = c.Date.AddDays(2)
			}
		})},
	} {
		r := fuzz.Run(row.impl, fuzz.Options{Laws: []string{row.law}, Cases: 300, Seed: 1, Failures: 20, Shrinks: -1})
		said := false
		for _, f := range r.Results[0].Failures {
			said = said || strings.Contains(f.Message, row.want)
			if !strings.Contains(f.Message, "(-want +got):\n") || strings.Contains(f.Message, "0x") || len(f.Message) > 2000 {
				t.Errorf("%s: %s", row.law, f.Message)
			}
		}
		if !said {
			t.Errorf("%s: none of %d messages says %q", row.law, len(r.Results[0].Failures), row.want)
		}
	}
}
