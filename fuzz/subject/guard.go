package subject

import (
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/rules"
)

// Guarded is the implementation as laws ask it: [ErrNotSupported] ends the case, and so does an
// iterator that goes on when there can be no more.
func (i Impl) Guarded() Impl {
	if i.guarded {
		return i
	}
	i.guarded = true
	if grid := i.NewGrid; grid != nil {
		i.NewGrid = func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
			g, err := grid(start, unit, interval, end)
			if err != nil || g == nil {
				return g, supported(err)
			}
			return boundedGrid{g}, nil
		}
	}
	if forecast := i.Forecast; forecast != nil {
		i.Forecast = func(j Job) (Forecast, error) {
			f, err := forecast(j)
			if err != nil {
				return f, supported(err)
			}
			return f.guarded(mostSlots(&j)), nil
		}
	}
	if simulate := i.Simulate; simulate != nil {
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			end, err := simulate(p, s, bounded("Simulate", mostSteps, yield))
			return end, supported(err)
		}
	}
	if apply := i.Apply; apply != nil {
		i.Apply = func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, next, err := apply(s, e, p)
			return effects, next, supported(err)
		}
	}
	i.guardWire()
	return i
}

// guardWire guards what is about payloads and signatures.
func (i *Impl) guardWire() {
	if read := i.ReadPayload; read != nil {
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(PayloadStep) bool) PayloadEnd {
			return read(src, o, bounded("ReadPayload", mostSteps, yield))
		}
	}
	if base := i.BaseString; base != nil {
		i.BaseString = func(r SignRequest, oauth []Pair) (string, error) {
			text, err := base(r, oauth)
			return text, supported(err)
		}
	}
	if sign := i.Sign; sign != nil {
		i.Sign = func(r SignRequest, c SignChoices, key SignKey) (string, error) {
			text, err := sign(r, c, key)
			return text, supported(err)
		}
	}
}

// supported ends the case if the error says that something is not supported.
func supported(err error) error {
	if err != nil && errors.Is(err, ErrNotSupported) {
		panic(ErrNotSupported)
	}
	return err
}

const (
	calendarDays = 3_652_059 // so many dates there are, and no series has one twice
	mostSteps    = 1 << 22   // of a simulation or a reading; those of the laws are much shorter
	// What is only a few too many is left to the laws, which say more about it.
	allowance = 1000
)

// bounded ends the case when a function yields more than so many times.
func bounded[V any](what string, most int, yield func(V) bool) func(V) bool {
	n := 0
	return func(v V) bool {
		if n++; n > most {
			endless(what, most)
		}
		return yield(v)
	}
}

func endless(what string, most int) {
	panic(Abort{AbortFailed, what + " yields more than " + strconv.Itoa(most) + " times"})
}

// guarded is the forecast as laws ask it. There may be some more charges than the days of a window.
func (f Forecast) guarded(extra int) Forecast {
	f = f.whole()
	charges, next := f.Charges, f.Next
	f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
		most := calendarDays + allowance
		if !w.To.IsZero() && !w.From.IsZero() {
			most = 2*max(w.To.Sub(w.From), 0) + extra + allowance
		}
		return boundedCharges("Charges", most, charges(w))
	}
	f.Next = func(n int) iter.Seq[engine.Charge] { return boundedCharges("Next", 2*max(n, 0)+allowance, next(n)) }
	return f
}

// whole is the forecast with functions that support nothing in place of those that are nil.
func (f Forecast) whole() Forecast {
	if f.Charges == nil {
		f.Charges = func(calendar.Window) iter.Seq[engine.Charge] { panic(ErrNotSupported) }
	}
	if f.Next == nil {
		f.Next = func(int) iter.Seq[engine.Charge] { panic(ErrNotSupported) }
	}
	if f.Count == nil {
		f.Count = func(calendar.Window) int { panic(ErrNotSupported) }
	}
	if f.Total == nil {
		f.Total = func(calendar.Window) Total { panic(ErrNotSupported) }
	}
	if f.Stop == nil {
		f.Stop = func() Stop { panic(ErrNotSupported) }
	}
	if f.End == nil {
		f.End = func(calendar.Date) End { panic(ErrNotSupported) }
	}
	if f.State == nil {
		f.State = func(calendar.Date) engine.State { panic(ErrNotSupported) }
	}
	if f.Explain == nil {
		f.Explain = func(calendar.Date) engine.Explanation { panic(ErrNotSupported) }
	}
	return f
}

// boundedCharges ends the case with far more charges than there can be. A charge without a slot is for
// its date.
func boundedCharges(what string, most int, charges iter.Seq[engine.Charge]) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		n := 0
		charges(func(c engine.Charge) bool {
			if n++; n > most {
				endless(what, most)
			}
			if c.Slot.IsZero() && !c.Manual {
				c.Slot = c.Date
			}
			return yield(c)
		})
	}
}

// mostSlots is how many slots before as-of can be charged later: those of the past, and days that
// were missed.
func mostSlots(j *Job) int {
	n := 1
	if !j.Profile.Start.IsZero() && j.Profile.Start.Before(j.AsOf) {
		n += j.AsOf.Sub(j.Profile.Start)
	}
	if a := j.State.Anchor; !a.IsZero() && a.Before(j.AsOf) {
		n += j.AsOf.Sub(a)
	}
	for _, w := range j.State.Missed {
		n += w.To.Sub(w.From)
	}
	return n
}

// A boundedGrid is a series that no loop over it can be caught in.
type boundedGrid struct{ Grid }

// From ends the case with more dates than there are.
func (g boundedGrid) From(k int) iter.Seq2[int, calendar.Date] {
	return func(yield func(int, calendar.Date) bool) {
		n := 0
		g.Grid.From(k)(func(k int, d calendar.Date) bool {
			if n++; n > calendarDays+allowance {
				endless("a series", calendarDays+allowance)
			}
			return yield(k, d)
		})
	}
}
