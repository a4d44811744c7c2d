package fuzz

import (
	"reflect"
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// settle is the result of a law once all laws were judged. A case that asks nothing holds whatever the
// implementation is: one that refuses anything does not cover a law by such cases alone.
func (r *run) settle(t *task) Result {
	result := t.result
	if result.NotCovered || result.NotRun {
		return result
	}
	if t.next == 0 {
		result.NotReached = true
		return result
	}
	if !r.covered(t) {
		return Result{Law: result.Law, NotCovered: true}
	}
	if r.byTime() {
		result.spent = t.spent
	}
	result.Met, result.Possible, result.Since = len(t.hits), t.hits.Possible(), t.since()
	for _, n := range t.hits {
		if n == 1 {
			result.Single++
		}
	}
	if t.cover != nil {
		result.Mended = r.Corpus.add(t, r.Seed)
	}
	if slices.Contains(r.Skip, result.Law.ID) {
		return result.skipped()
	}
	return result
}

// covered reports whether a law was judged.
func (r *run) covered(t *task) bool {
	return len(t.result.Failures) > 0 || t.result.judged() > 0 && (!r.refused || r.answered(t))
}

// answered reports whether any case of a law that holds had an answer: one that was not refused, though it would not
// hold where no question is answered. It looks at the first cases alone.
func (r *run) answered(t *task) bool {
	if r.impl.Replies != nil {
		return true // only cases with a reply count
	}
	nothing := refusing(r.given)
	refused := t.refused
	for i := range min(t.next, mostRefused) {
		if len(refused) > 0 && refused[0] == i {
			refused = refused[1:]
		} else if laws.Judge(t.law, t.newCase(r, i), nothing) != (laws.Verdict{}) {
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
