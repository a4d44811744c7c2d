package gallery

import (
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// Every law fails under some wrong answer of a function that it asks (G11): one that rejects nothing is not known to be able to
// fail.
func TestEveryLawCanFail(t *testing.T) {
	for _, l := range laws.Laws() {
		if !canFail(l) {
			t.Errorf("%s rejects no wrong answer: nothing shows that it can fail", l.ID)
		}
	}
}

func canFail(l laws.Law) bool {
	for _, name := range asked(l, laws.Ours(), 3) {
		for _, wrong := range wrongs {
			for _, every := range [...]int{1, 2, 3} { // a law that compares two answers sees that one of them is wrong
				for _, first := range [...]bool{true, false} {
					if failsUnder(l, perturbed(name, wrong, every, first)) {
						return true
					}
				}
			}
		}
	}
	return false
}

func failsUnder(l laws.Law, impl laws.Impl) bool {
	for i := range uint64(8) {
		if v := laws.Judge(l, laws.Source{Seed: 1}.Case(l, i), impl); v.Message != "" && !strings.HasPrefix(v.Message, "panic: ") {
			return true
		}
		if l.Once {
			break
		}
	}
	return false
}

// A wrong is a way in which an answer can be wrong.
type wrong uint8

const (
	off     wrong = iota // by one day, one unit, one character
	dropped              // the last of several, and an error; an answer without one is an error
	doubled
	swapped
)

var wrongs = [...]wrong{off, dropped, doubled, swapped}

// perturbed is our own code whose every so manieth answer of one function is wrong: its first result, or all.
func perturbed(name string, w wrong, every int, first bool) laws.Impl {
	impl := laws.Ours()
	functions(reflect.ValueOf(&impl).Elem(), "", func(of string, f reflect.Value) {
		if of != name {
			return
		}
		right, calls := reflect.ValueOf(f.Interface()), 0
		f.Set(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
			if calls++; calls%every != 0 {
				return right.Call(in)
			}
			for i, v := range in {
				if v.Kind() == reflect.Func { // what is reported one by one
					in[i] = w.yield(v)
				}
			}
			out := right.Call(in)
			for i, v := range out {
				if out[i] = w.of(v); first {
					break
				}
			}
			return out
		}))
	})
	return impl
}

// yield reports to a function what is wrong: values of their own, none of them, or each of them twice.
func (w wrong) yield(right reflect.Value) reflect.Value {
	return reflect.MakeFunc(right.Type(), func(in []reflect.Value) []reflect.Value {
		more := []reflect.Value{reflect.ValueOf(true)}
		switch w {
		case off, swapped:
			for i, v := range in {
				in[i] = w.of(v)
			}
		case dropped:
			return more
		case doubled:
			if out := right.Call(in); !out[0].Bool() {
				return out
			}
		}
		return right.Call(in)
	})
}

// of is a wrong value in place of a right one.
func (w wrong) of(v reflect.Value) reflect.Value {
	changed := reflect.New(v.Type()).Elem()
	changed.Set(v)
	switch right := v.Interface().(type) {
	case calendar.Date:
		changed.Set(reflect.ValueOf(right.AddDays(1)))
		return changed
	case amount.Amount:
		if a, err := amount.FromMinor(right.Coefficient()/2+1, right.Scale()); err == nil {
			changed.Set(reflect.ValueOf(a))
		}
		return changed
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		changed.SetInt(v.Int() + 1)
	case reflect.Uint8, reflect.Uint64:
		changed.SetUint(v.Uint() + 1)
	case reflect.Bool:
		changed.SetBool(!v.Bool())
	case reflect.String:
		changed.SetString(w.text(v.String()))
	case reflect.Slice:
		changed.Set(w.list(v))
	case reflect.Func:
		if v.Type().NumIn() == 1 && v.Type().NumOut() == 0 { // an iterator
			changed.Set(reflect.MakeFunc(v.Type(), func(in []reflect.Value) []reflect.Value {
				return v.Call([]reflect.Value{w.yield(in[0])})
			}))
		}
	case reflect.Struct:
		for i, f := range changed.Fields() {
			if i.IsExported() {
				f.Set(w.of(f))
			}
		}
	case reflect.Pointer:
		changed.SetZero()
	case reflect.Interface:
		if v.Type() != reflect.TypeFor[error]() {
			break
		}
		if changed.SetZero(); v.IsNil() && w == dropped {
			changed.Set(reflect.ValueOf(errors.New("wrong")))
		}
	}
	return changed
}

func (w wrong) text(s string) string {
	switch {
	case w == doubled:
		return s + s
	case w == swapped && len(s) > 1:
		return s[1:] + s[:1]
	case w == dropped || s == "":
		return s[:max(len(s)-1, 0)]
	}
	return s[:len(s)-1] + string(s[len(s)-1]^1)
}

func (w wrong) list(v reflect.Value) reflect.Value {
	n := v.Len()
	list := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n), v)
	switch {
	case n == 0 && w == off:
		list = reflect.Append(list, reflect.Zero(v.Type().Elem()))
	case n == 0:
	case w == dropped:
		list = list.Slice(0, n-1)
	case w == doubled:
		list = reflect.AppendSlice(list, v)
	case w == swapped && n > 1:
		reflect.Swapper(list.Interface())(0, n-1)
	default:
		list.Index(n - 1).Set(w.of(v.Index(n - 1)))
	}
	return list
}

// An openGrid is a grid whose functions can be changed.
type openGrid struct {
	At_    func(k int) (calendar.Date, bool)
	Index_ func(d calendar.Date) (int, bool)
	Count_ func(w calendar.Window) int
	From_  func(k int) iter.Seq2[int, calendar.Date]
}

func (g *openGrid) At(k int) (calendar.Date, bool)           { return g.At_(k) }
func (g *openGrid) Index(d calendar.Date) (int, bool)        { return g.Index_(d) }
func (g *openGrid) Count(w calendar.Window) int              { return g.Count_(w) }
func (g *openGrid) From(k int) iter.Seq2[int, calendar.Date] { return g.From_(k) }

// made is what a function makes whose own functions can be changed: a forecast, a grid. The value is a struct that can be set, and
// what to return for it.
func made(v reflect.Value) (of, result reflect.Value, ok bool) {
	switch right := v.Interface().(type) {
	case laws.Forecast:
		of = reflect.New(v.Type()).Elem()
		of.Set(v)
		return of, of, true
	case laws.Grid:
		g := &openGrid{right.At, right.Index, right.Count, right.From}
		return reflect.ValueOf(g).Elem(), reflect.ValueOf(g), true
	}
	return of, result, false
}

// functions are those of an implementation by name, and those of the forecasts and grids that they
// make: "Forecast.Stop". Each may be changed.
func functions(of reflect.Value, prefix string, each func(name string, f reflect.Value)) {
	for field, value := range of.Fields() {
		switch name := prefix + strings.TrimSuffix(field.Name, "_"); {
		case name == "Replies": // it counts, and supports nothing
		case value.Kind() == reflect.Func && !value.IsNil():
			each(name, value)
			kind := value.Type()
			if makers := []reflect.Type{reflect.TypeFor[laws.Forecast](), reflect.TypeFor[laws.Grid]()}; kind.NumOut() != 2 || !slices.Contains(makers, kind.Out(0)) {
				continue
			}
			maker := reflect.ValueOf(value.Interface())
			value.Set(reflect.MakeFunc(kind, func(in []reflect.Value) []reflect.Value {
				out := maker.Call(in)
				if of, result, ok := made(out[0]); ok {
					functions(of, name+".", each)
					out[0] = result
				}
				return out
			}))
		case value.Kind() == reflect.Struct:
			functions(value, prefix, each)
		}
	}
}
