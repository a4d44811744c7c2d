package fuzz

import (
	"fmt"
	"sync"
	"time"
)

// A search looks for simpler cases that break the law too, from one to the next.
type search struct {
	sync.Mutex // the worker may be left alone and go on

	best Failure
}

// shrink is the failure with the simplest case that was found.
func (r *run) shrink(l Law, f found) Failure {
	s := &search{best: failureOf(f.c, f.message)}
	worker := start(func(w *worker) { s.stop(s.descend(r, l, f.c, w)) })
	s.stop(r.wait(l, worker))
	s.Lock()
	last := s.best
	s.Unlock()
	last.Value = valueOf(last.Case)
	last.Counterexample = r.show(l, last)
	return last
}

// descend goes from a failing case to a simpler one until none is simpler. It returns why it stopped before.
func (s *search) descend(r *run, l Law, c *Case, w *worker) string {
	most, limit, begun := r.shrinks(), r.shrinkTime(), time.Now()
	over := func() bool { return limit > 0 && time.Since(begun) >= limit }
	goOn := func() bool {
		w.at.Add(1)
		return !over()
	}
	for range most {
		next, report := c.Simpler(l, r.impl, goOn)
		switch {
		case next != nil:
			c = next
			s.found(next, report)
		case over():
			return "the search took " + limit.String()
		default:
			return ""
		}
	}
	if most == 0 {
		return "" // as wanted
	}
	return fmt.Sprintf("step %d was the last one allowed", most)
}

func (s *search) found(c *Case, report string) {
	s.Lock()
	defer s.Unlock()
	s.best.Case, s.best.Message = c, report
	s.best.Shrinks++
}

// stop remembers why the search stopped; empty for no reason.
func (s *search) stop(why string) {
	s.Lock()
	defer s.Unlock()
	if why != "" {
		s.best.ShrinkStopped = why
	}
}
