package fuzz

import (
	"fmt"
	"math/rand"
	"sync"
	"time"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// A search looks for simpler cases that break the law too, from one to the next.
type search struct {
	sync.Mutex // the worker may be left alone and go on

	best  Failure
	again bool // the failure itself was judged once more
	begun time.Time
	limit time.Duration // 0: none
	over  string        // why the search stopped before its end
}

// shrink is the failure with the simplest case that was found. The search is gopter's.
func (r *run) shrink(l Law, f found) Failure {
	s := &search{best: failureOf(f.c, f.message), begun: time.Now(), limit: r.shrinkTime()}
	most := r.shrinks()
	worker := start(func(w *worker) {
		seen := func(c *laws.Case, v laws.Verdict) {
			w.at.Add(1)
			s.seen(c, v)
		}
		params := &gopter.GenParameters{MaxShrinkCount: most, Rng: rand.New(rand.NewSource(0))}
		l.Prop(s.within(r, laws.Source{Policy: r.Policy, Given: f.c}.Gen(l, 0), most), r.impl, seen)(params)
	})
	if why := r.wait(l, worker); why != "" {
		s.stop(why)
	}
	s.Lock()
	last := s.best
	last.ShrinkStopped = s.over
	s.Unlock()
	last.Value, last.Token = valueOf(last.of), last.of.Token()
	last.Counterexample = r.show(l, last)
	return last
}

// within is a generator whose search for simpler values ends with its time, or after so many steps.
func (s *search) within(r *run, from gopter.Gen, most int) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		result := from(p)
		simpler := result.Shrinker
		result.Shrinker = func(v any) gopter.Shrink {
			next := simpler(v)
			return func() (any, bool) {
				if r.stopped() {
					s.stop("the run was stopped")
					return nil, false
				}
				if s.ended(most) {
					return nil, false
				}
				return next()
			}
		}
		return result
	}
}

// seen notes a case that was judged: the first is the failure itself, as it was found.
func (s *search) seen(c *laws.Case, v laws.Verdict) {
	s.Lock()
	defer s.Unlock()
	if s.again && v.Message != "" {
		s.best.of, s.best.Message = c, v.Message
		s.best.Shrinks++
	}
	s.again = true
}

// ended reports whether the search has to end, and remembers why.
func (s *search) ended(most int) bool {
	s.Lock()
	defer s.Unlock()
	switch {
	case s.limit > 0 && time.Since(s.begun) >= s.limit:
		s.over = "the search took " + s.limit.String()
	case s.best.Shrinks >= most:
		if most > 0 { // else as wanted
			s.over = fmt.Sprintf("step %d was the last one allowed", most)
		}
	default:
		return false
	}
	return true
}

// stop remembers why the search stopped.
func (s *search) stop(why string) {
	s.Lock()
	defer s.Unlock()
	s.over = why
}
