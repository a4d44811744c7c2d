// Package ordered maps a sequence with several workers and keeps its order: what comes out is the same for any
// number of them.
package ordered

import (
	"iter"
	"sync"
)

// Ahead is how many values beyond the number of workers are under way, so that the workers have something to do
// while the caller has.
const Ahead = 2

// resultsAhead is how many results of a value may wait to be taken.
const resultsAhead = 4

// Map calls work for each value of in, on up to workers goroutines at a time, and yields what work gives: all results
// of a value before those of the next. worker is the number of the goroutine, from 0; no two calls with the same number
// run at the same time, so that each number may have a buffer or a sum of its own. With one worker, work runs on the
// caller's goroutine.
//
// give waits while earlier values have results that were not taken, so that memory stays bounded: at most workers +
// Ahead values are under way, each with a few results. When give returns false no more is wanted, and work returns.
// in is read on the caller's goroutine, ahead of the results. A panic of work goes to the caller, after the
// results before it. No goroutine is left when the sequence ends, however it ends.
func Map[In, Out any](in iter.Seq[In], workers int, work func(worker int, v In, give func(Out) bool)) iter.Seq[Out] {
	return func(yield func(Out) bool) {
		if workers <= 1 {
			for v := range in {
				wanted := true
				work(0, v, func(out Out) bool {
					wanted = wanted && yield(out)
					return wanted
				})
				if !wanted {
					return
				}
			}
			return
		}
		p := newPool(workers, work)
		defer p.end()
		for v := range in {
			if p.give(v); len(p.underWay) == workers+Ahead && !p.take(yield) {
				return
			}
		}
		for len(p.underWay) > 0 {
			if !p.take(yield) {
				return
			}
		}
	}
}

// A pool has the workers of one Map.
type pool[In, Out any] struct {
	work     func(int, In, func(Out) bool)
	tasks    chan *task[In, Out]
	underWay []*task[In, Out] // in order
	stop     chan struct{}    // closed when no more results are wanted
	crew     sync.WaitGroup
}

// A task is a value and what comes of it.
type task[In, Out any] struct {
	value   In
	results chan Out // closed after the last one
	fault   any      // what work panicked with
}

func newPool[In, Out any](workers int, work func(int, In, func(Out) bool)) *pool[In, Out] {
	p := &pool[In, Out]{work: work, tasks: make(chan *task[In, Out], workers+Ahead), stop: make(chan struct{})}
	for worker := range workers {
		p.crew.Go(func() {
			for t := range p.tasks {
				p.do(worker, t)
			}
		})
	}
	return p
}

func (p *pool[In, Out]) do(worker int, t *task[In, Out]) {
	defer close(t.results)
	defer func() { t.fault = recover() }()
	p.work(worker, t.value, func(out Out) bool {
		select {
		case t.results <- out:
			return true
		case <-p.stop:
			return false
		}
	})
}

func (p *pool[In, Out]) give(v In) {
	t := &task[In, Out]{value: v, results: make(chan Out, resultsAhead)}
	p.underWay = append(p.underWay, t)
	p.tasks <- t
}

// take yields the results of the first value under way.
func (p *pool[In, Out]) take(yield func(Out) bool) (wanted bool) {
	t := p.underWay[0]
	p.underWay = p.underWay[1:]
	for out := range t.results {
		if !yield(out) {
			return false
		}
	}
	if t.fault != nil {
		panic(t.fault)
	}
	return true
}

func (p *pool[In, Out]) end() {
	close(p.stop)
	close(p.tasks)
	p.crew.Wait()
}
