package laws

import (
	"errors"
	"io"
	"iter"
	"reflect"
	"runtime"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/rules"
)

// Guarded is the implementation as laws ask it: [ErrNotSupported] ends the case, whichever function returns it or is not there,
// and so does an iterator that goes on when there can be no more.
func (i Impl) Guarded() Impl {
	if i.guarded {
		return i
	}
	i.guarded = true
	date := i.NewDate
	for _, part := range reflect.ValueOf(&i).Elem().Fields() {
		if part.Kind() == reflect.Struct {
			guardFunctions(part)
		}
	}
	grid, forecast, simulate, read := i.NewGrid, i.Forecast, i.Simulate, i.ReadPayload
	i.NewGrid = func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
		g, err := grid(start, unit, interval, end)
		if err != nil || g == nil {
			return g, err
		}
		return boundedGrid{g}, nil
	}
	i.Forecast = func(j gen.Job) (Forecast, error) {
		f, err := forecast(j)
		if err != nil {
			return f, err
		}
		return f.guarded(mostSlots(&j)), nil
	}
	// C01 asks for every day of the calendar, which is too often for reflection.
	if date != nil {
		i.NewDate = func(year int, month time.Month, day int) (calendar.Date, error) {
			d, err := date(year, month, day)
			endUnsupported(err)
			return d, err
		}
	}
	i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
		return simulate(p, s, bounded("Simulate", mostSteps, yield))
	}
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(plain.PayloadStep) bool) plain.PayloadEnd {
		return read(src, o, bounded("ReadPayload", mostSteps, yield))
	}
	return i
}

// guarded is the forecast as laws ask it. There may be some more charges than the days of a window.
func (f Forecast) guarded(extra int) Forecast {
	guardFunctions(reflect.ValueOf(&f).Elem())
	charges := f.Charges
	f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
		most := calendarDays + allowance
		if !w.To.IsZero() && !w.From.IsZero() {
			most = 2*max(w.To.Sub(w.From), 0) + extra + allowance
		}
		return boundedCharges(most, charges(w))
	}
	return f
}

// guardFunctions lets the functions of a struct end the case where they do not support what they are asked.
func guardFunctions(of reflect.Value) {
	for _, f := range of.Fields() {
		if f.Kind() != reflect.Func {
			continue
		}
		kind, asked := f.Type(), reflect.ValueOf(f.Interface())
		switch {
		case f.IsNil():
			f.Set(reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value { panic(ErrAbsent) }))
		case kind.NumOut() > 0 && kind.Out(kind.NumOut()-1) == reflect.TypeFor[error]():
			f.Set(reflect.MakeFunc(kind, func(in []reflect.Value) []reflect.Value {
				out := asked.Call(in)
				err, _ := out[len(out)-1].Interface().(error)
				endUnsupported(err)
				return out
			}))
		}
	}
}

func endUnsupported(err error) {
	if errors.Is(err, ErrNotSupported) {
		panic(ErrNotSupported)
	}
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
	panic(Abort{Kind: AbortFailed, Text: what + " yields more than " + strconv.Itoa(most) + " times"})
}

// boundedCharges ends the case with far more charges than there can be. A charge without a slot is for
// its date.
func boundedCharges(most int, charges iter.Seq[engine.Charge]) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		charges(bounded("Charges", most, func(c engine.Charge) bool {
			if c.Slot.IsZero() && !c.Manual {
				c.Slot = c.Date
			}
			return yield(c)
		}))
	}
}

// mostSlots is how many slots before as-of can be charged later: those of the past, and days that
// were missed.
func mostSlots(j *gen.Job) int {
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

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
