package gallery

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/internal/kit/laws"
)

// asked are the functions that a law asks for in its first cases.
func asked(l laws.Law, impl laws.Impl, cases uint64) []string {
	names, calls := map[string]bool{}, 0
	functions(reflect.ValueOf(&impl).Elem(), "", func(name string, f reflect.Value) {
		right := reflect.ValueOf(f.Interface())
		f.Set(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
			if calls++; calls > 1000 { // it asks for every day
				panic(laws.ErrNotSupported)
			}
			names[name] = true
			return right.Call(in)
		}))
	})
	for i := range cases {
		laws.Judge(l, laws.Source{Seed: 1}.Case(l, i), impl)
	}
	return slices.Sorted(maps.Keys(names))
}

// unsupported is our own code without one function: it returns the error where it can, or panics with it.
func unsupported(missing string, returned bool) laws.Impl {
	impl := laws.Ours()
	functions(reflect.ValueOf(&impl).Elem(), "", func(name string, f reflect.Value) {
		kind := f.Type()
		if name != missing {
			return
		}
		f.Set(reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value {
			last := kind.NumOut() - 1
			if !returned || last < 0 || kind.Out(last) != reflect.TypeFor[error]() {
				panic(laws.ErrNotSupported)
			}
			var out []reflect.Value
			for i := range last {
				out = append(out, reflect.Zero(kind.Out(i)))
			}
			return append(out, reflect.ValueOf(&laws.ErrNotSupported).Elem())
		}))
	})
	return impl
}

// No law fails since an implementation says that it does not support something, whichever function says
// so (G10).
func TestNotSupportedNeverFails(t *testing.T) {
	const cases = 5
	met := map[string]bool{}
	for _, l := range laws.Laws() {
		n := uint64(cases)
		if l.Once {
			n = 1
		}
		for _, name := range asked(l, laws.Ours(), n) {
			met[name] = true
			for _, returned := range [...]bool{true, false} {
				impl := unsupported(name, returned)
				for i := range n {
					v := laws.Judge(l, laws.Source{Seed: 1}.Case(l, i), impl)
					if v.Message != "" {
						t.Errorf("%s fails without %s, returned %v: %s", l.ID, name, returned, v.Message)
						break
					}
				}
			}
		}
	}
	impl := laws.Ours()
	functions(reflect.ValueOf(&impl).Elem(), "", func(name string, _ reflect.Value) {
		if !met[name] {
			t.Errorf("no law asks for %s in its first cases", name)
		}
	})
}
