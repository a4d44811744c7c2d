package fuzz

import (
	"reflect"
	"slices"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// An outcome is what became of the cases of one law, before it is known what the implementation
// does not support.
type outcome struct {
	result  Result
	hits    *gen.Hits // nil if no case was judged
	refused []int     // the cases that asked for what is not supported, in their order
}

// settle is the result of a law once all laws were judged. A case that asks nothing holds whatever the
// implementation is: one that refuses anything does not cover a law by such cases alone.
func (r *run) settle(o outcome) Result {
	result := o.result
	if result.NotCovered || result.NotRun {
		return result
	}
	if len(result.Failures) == 0 && (result.Cases == 0 || r.refused && !r.answered(o)) {
		return Result{Law: result.Law, NotCovered: true}
	}
	r.hits.Merge(o.hits)
	if slices.Contains(r.Skip, result.Law.ID) {
		return result.skipped()
	}
	return result
}

// answered reports whether any case of a law that holds had an answer: one that was not refused, though it would not
// hold where no question is answered.
func (r *run) answered(o outcome) bool {
	if r.impl.Replies != nil {
		return true // only cases with a reply count
	}
	d, nothing := r.divide(o.result.Law), refusing(r.given)
	refused := o.refused
	for i := range d.total {
		if len(refused) > 0 && refused[0] == i {
			refused = refused[1:]
		} else if laws.Judge(d.law, d.newCase(r, i), nothing) != (laws.Verdict{}) {
			return true
		}
	}
	return false
}

// refusing is the implementation with functions that support nothing in place of its own. That it makes a forecast is no
// answer yet.
func refusing(impl Impl) Impl {
	for _, part := range reflect.ValueOf(&impl).Elem().Fields() {
		if part.Kind() != reflect.Struct {
			continue
		}
		for _, f := range part.Fields() {
			if f.Kind() == reflect.Func && !f.IsNil() {
				f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { panic(ErrNotSupported) }))
			}
		}
	}
	if impl.Forecast != nil {
		impl.Forecast = func(Job) (Forecast, error) { return Forecast{}, nil }
	}
	return impl.Guarded()
}
