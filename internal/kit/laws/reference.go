package laws

import (
	"errors"
	"iter"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/signature"
)

// Reference is the slow oracle as an implementation: it passes every law that it covers.
// The functions that it shares with [Ours] are those that no oracle could write in
// another way.
func Reference() Impl {
	return Impl{
		Name:          "reference",
		CalendarImpl:  referenceCalendar(),
		AmountImpl:    referenceAmounts(),
		EngineImpl:    ReferenceEngine(oracle.Right()),
		SignatureImpl: referenceSignatures(),
	}
}

// referenceSignatures are the stage oracle's; it reads no header.
func referenceSignatures() SignatureImpl {
	return SignatureImpl{Encode: oracle.Encode, Decode: func(text string) (string, error) {
		out, err := oracle.Decode(text)
		if err != nil {
			return "", signature.FormEscape
		}
		return out, nil
	}}
}

// maxAmountText is the longest text that an implementation has to convert; a longer one
// may be refused unread (A20).
const maxAmountText = 64

// referenceAmounts are amounts by expressions, exact numbers and loops.
func referenceAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    parseByExpression,
		FormatAmount:   func(a amount.Amount) string { return plain.DecimalOf(a).String() },
		CompareAmounts: func(a, b amount.Amount) int { return plain.DecimalOf(a).Cmp(plain.DecimalOf(b)) },
		Sum:            sumByLoop,
		Bounds:         plain.BoundsByWalk,
		Draw:           ourAmounts().Draw, // the mixing is a promise, not a law
		TotalOf:        plain.TotalByLoop,
		MinorUnits:     amount.MinorUnits, // the table is data
	}
}

func parseByExpression(s string) (amount.Amount, error) {
	if len(s) > maxAmountText {
		return amount.Amount{}, errReference
	}
	d, ok := oracle.ParseDecimal(s)
	units, fits := d.Units()
	if !ok || !fits {
		return amount.Amount{}, errReference
	}
	return amount.FromMinor(units, d.Scale())
}

// sumByLoop adds amount after amount.
func sumByLoop(list []amount.Amount) string {
	var sum oracle.Decimal
	for _, a := range list {
		sum.Add(plain.DecimalOf(a))
	}
	return sum.String()
}

var errReference = errors.New("refused by the reference")

// referenceCalendar is the calendar of the oracle.
func referenceCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn: func(year int, month time.Month) int {
			if year < 1 || year > 9999 || month < 1 || month > 12 {
				return 0
			}
			return int(oracle.DaysIn(int64(year), int64(month)))
		},
		NewDate: func(year int, month time.Month, day int) (calendar.Date, error) {
			return realDay(oracle.DayOf(year, int(month), day))
		},
		DateOf: func(t time.Time) calendar.Date {
			y, m, d := t.Date()
			return gen.DateNumbered(oracle.DayOf(y, int(m), d))
		},
		ParseDate:   func(text string) (calendar.Date, error) { return realDay(oracle.ISO(text)) },
		ParseDotted: func(text string) (calendar.Date, error) { return realDay(oracle.Dotted(text)) },
		FormatDate:  func(d calendar.Date) string { return gen.DayNumber(d).String() },
		NewGrid:     referenceGrid,
	}
}

func realDay(d oracle.Day) (calendar.Date, error) {
	if d == 0 {
		return calendar.Date{}, errReference
	}
	return gen.DateNumbered(d), nil
}

func referenceGrid(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
	if start.IsZero() || unit == 0 || unit > calendar.UnitMonth || interval < 1 || end > calendar.MonthEndOverflow {
		return nil, errReference
	}
	return Walk{gen.GridOf(start, unit, interval, end).Days()}, nil
}

// A Walk is a grid that knows nothing but how to go through its dates from the first.
type Walk struct{ Days iter.Seq[oracle.Day] }

// At walks to date k.
func (w Walk) At(k int) (calendar.Date, bool) {
	if k < 0 {
		return calendar.Date{}, false
	}
	for d := range w.Days {
		if k == 0 {
			return gen.DateNumbered(d), true
		}
		k--
	}
	return calendar.Date{}, false
}

// Index walks to the first date from d on.
func (w Walk) Index(d calendar.Date) (k int, on bool) {
	target := gen.DayNumber(d)
	for day := range w.Days {
		if day >= target {
			return k, day == target
		}
		k++
	}
	return k, false
}

// Count walks through the window.
func (w Walk) Count(v calendar.Window) int {
	n := 0
	from, to := gen.DayNumber(v.From), gen.DayNumber(v.To)
	for day := range w.Days {
		if to != 0 && day >= to {
			break
		}
		if day >= from {
			n++
		}
	}
	return n
}

// From walks from date k to the end.
func (w Walk) From(k int) iter.Seq2[int, calendar.Date] {
	return func(yield func(int, calendar.Date) bool) {
		n := 0
		for day := range w.Days {
			if k >= 0 && n >= k && !yield(n, gen.DateNumbered(day)) {
				return
			}
			n++
		}
	}
}

// ReferenceEngine is the day-by-day oracle as an engine, with some rules: those of
// [oracle.Right], or wrong ones for the gallery.
func ReferenceEngine(rules oracle.Rules) EngineImpl {
	return EngineImpl{
		Forecast: func(j gen.Job) (Forecast, error) {
			w := walk{j, rules}
			if w.machine() == nil {
				return Forecast{}, errReference
			}
			return w.forecast(), nil
		},
		Simulate: func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return simulateByWalk(p, s, rules, yield)
		},
	}
}

// A walk is a forecast that lives through the days again for every question.
type walk struct {
	job   gen.Job
	rules oracle.Rules
}

func (w walk) forecast() Forecast {
	return Forecast{Charges: w.Charges, Stop: w.Stop, End: w.End}
}

// machine is the profile on as-of, before its run; nil where it is refused.
func (w walk) machine() *oracle.Machine {
	return gen.MachineOf(w.job, w.rules)
}

// lastDay is the last day of a window, as the oracle counts.
func lastDay(w calendar.Window) oracle.Day {
	if w.To.IsZero() {
		return oracle.Last
	}
	return gen.DayNumber(w.To) - 1
}

func (w walk) Charges(v calendar.Window) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		m := w.machine()
		m.UntilStopped(lastDay(v))
		for _, c := range gen.ChargesFromOracle(m.Records) {
			if !c.Date.Before(v.From) && !yield(c) {
				return
			}
		}
	}
}

// Stop walks to the stop, unless nothing could ever stop the profile.
func (w walk) Stop() plain.Stop {
	m := w.machine()
	if _, capped := w.rules.Cap(m); capped || m.Profile.Finish != 0 {
		m.UntilStopped(oracle.Last)
	}
	return stopFromOracle(m.Stop)
}

func (w walk) End(d calendar.Date) End {
	m := w.machine()
	m.UntilStopped(gen.DayNumber(d))
	e := End{Status: engine.StatusActive, Repeat: m.Repeat, Stop: stopFromOracle(m.Stop)}
	if m.Stopped {
		e.Status = engine.StatusStopped
	}
	return e
}

// stopFromOracle is a stop of the oracle in the words of the kit.
func stopFromOracle(s oracle.Stop) plain.Stop {
	return plain.Stop{Date: gen.DateNumbered(s.Day), Reasons: s.Reasons}
}

func simulateByWalk(p engine.Policy, s engine.Simulation, rules oracle.Rules, yield func(engine.Effect) bool) (engine.Stored, error) {
	m := gen.Lived(p, s, rules)
	if m == nil {
		return s.Stored, errReference
	}
	for _, r := range m.Records {
		e := gen.EffectFromOracle(r)
		if c := &e.Charge; e.Kind == engine.EffectCharge && c.Min != c.Max {
			drawn := gen.RangeOf(c.Min, c.Max, s.Stored.Profile.Currency)
			c.Min = drawn.Draw(amount.NewSeed(s.Seed, s.Stored.Profile.ID), c.Repeat)
			c.Max = c.Min
		}
		if !yield(e) {
			break
		}
	}
	return engine.Stored{Profile: gen.ProfileFromOracle(m.Profile, s.Stored.Profile), State: gen.StateFromOracle(m.Save())}.Under(p), nil
}
