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
	refused int       // cases that asked for what is not supported
}

// settle is the result of a law once all laws were judged. A case that asks nothing holds whatever the
// implementation is: one that refuses anything does not cover a law by such cases alone.
func (r *run) settle(o outcome) Result {
	result := o.result
	if result.NotCovered || result.NotRun {
		return result
	}
	if len(result.Failures) == 0 && (result.Cases == 0 || r.refused > 0 && !r.answered(o)) {
		return Result{Law: result.Law, NotCovered: true}
	}
	r.hits.Merge(o.hits)
	if slices.Contains(r.Skip, result.Law.ID) {
		return result.skipped()
	}
	return result
}

// answered reports whether any case of a law that holds had an answer. Where nothing is supported the
// cases that ask nothing hold, and all others are those that were refused and those that were answered.
func (r *run) answered(o outcome) bool {
	if r.impl.Replies != nil {
		return true // only cases with a reply count
	}
	d, nothing := r.divide(o.result.Law), refusing(r.impl)
	asked := 0
	for i := 0; i < d.total && asked <= o.refused; i++ {
		if laws.Judge(d.law, d.newCase(r, i), nothing) != (laws.Verdict{}) {
			asked++
		}
	}
	return asked > o.refused
}

// refusing is the implementation with functions that support nothing in place of its own.
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
	return impl
}
