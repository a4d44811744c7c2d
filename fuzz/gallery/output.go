package gallery

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// outputMembers are wrong about what they show. They stand on our own code, since the
// reference cites nothing.
func outputMembers() []Member {
	return []Member{
		{"pan-in-error", "a cell's value in a message", by("K01"), "card number in amount", ours(func(i *laws.Impl) {
			right := i.ParseAmount
			i.ParseAmount = func(s string) (amount.Amount, error) {
				a, err := right(s)
				if err != nil {
					err = errors.New("no amount: " + s)
				}
				return a, err
			}
		})},
		{"pan-in-format", "`%+v` of a row shows it", by("V19"), "any", ours(func(i *laws.Impl) {
			right, read := i.ShowPayload, i.ReadPayload
			i.ShowPayload = func(src io.Reader, o rules.Options) []string {
				var text bytes.Buffer
				shown := right(io.TeeReader(src, &text), o)
				read(&text, o, func(s laws.PayloadStep) bool {
					shown = append(shown, fmt.Sprintf("%+v", s.Row))
					return true
				})
				return shown
			}
		})},
		{"mask-keeps-eight", "first 8 shown", by("K02"), "16 digits", ours(func(i *laws.Impl) {
			right := i.Mask
			i.Mask = func(c rules.Column, s string) string {
				masked := right(c, s)
				if len(masked) != len(s) || len(s) < 13 {
					return masked
				}
				return s[:8] + masked[8:]
			}
		})},
		{"unsupported-as-stated", "an assumed reading tagged stated", by("X02"), "M = 0", cited(func(b ledger.Because) ledger.Because { return ledger.On(clause.Doc228) })},
		{"reading-uncited", "a record that depends on a key does not say so", by("X03"), "31.01 monthly", cited(func(b ledger.Because) ledger.Because {
			var rest ledger.Because
			for c := range b.All() {
				if c != clause.L01 {
					rest = rest.With(c)
				}
			}
			return rest
		})},
		{"cites-nothing", "charges without a clause", by("X01"), "any", cited(func(ledger.Because) ledger.Because { return ledger.Because{} })},
		{"explains-hastily", "a day without a charge is said to be charged", by("X04"), "a paid slot", foreseen(func(f *laws.Forecast, _ gen.Job) { f.Explain = hasty(f.Explain) })},
	}
}

// ours is our own code with a change.
func ours(change func(*laws.Impl)) laws.Impl {
	impl := laws.Ours()
	change(&impl)
	return impl
}

// foreseen is our own code with changed forecasts.
func foreseen(change func(f *laws.Forecast, j gen.Job)) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.Forecast
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			f, err := right(j)
			if err == nil {
				change(&f, j)
			}
			return f, err
		}
	})
}

// cited is our own code that says otherwise what its outputs rest on.
func cited(change func(ledger.Because) ledger.Because) laws.Impl {
	return foreseen(func(f *laws.Forecast, _ gen.Job) {
		right := *f
		f.Charges = filtered(right.Charges, func(c *engine.Charge) bool {
			c.Because = change(c.Because)
			return true
		})
		f.Stop = func() laws.Stop {
			s := right.Stop()
			s.Because = change(s.Because)
			return s
		}
		f.End = func(d calendar.Date) laws.End {
			e := right.End(d)
			e.Because, e.Stop.Because = change(e.Because), change(e.Stop.Because)
			return e
		}
	})
}

// hasty takes every day that it cannot account for otherwise for charged.
func hasty(right func(calendar.Date) engine.Explanation) func(calendar.Date) engine.Explanation {
	return func(d calendar.Date) engine.Explanation {
		e := right(d)
		if e.Why == engine.WhyPaid || e.Why == engine.WhyNotDue {
			e.Why = engine.WhyDue
		}
		return e
	}
}
