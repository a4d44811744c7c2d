package fuzz

import (
	"sync/atomic"
	"time"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// A worker judges blocks and shows which case it is at. One that is stuck in a case cannot be
// ended: it is left alone, and what it gives later is not read.
type worker struct {
	at    atomic.Int64 // changes with each case
	ended chan struct{}
	clean bool // to be read once it has ended: it returned
}

// start runs a function as a worker.
func start(f func(w *worker)) *worker {
	w := &worker{ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		f(w)
		w.clean = true
	}()
	return w
}

// wait waits for a worker, unless it is at one case for too long. It returns why the case fails;
// empty when the worker came to its end.
func (r *run) wait(l Law, w *worker) string {
	timeout := r.timeout(l)
	if timeout == 0 {
		<-w.ended
		return w.verdict()
	}
	tick := time.NewTicker(max(timeout/8, time.Millisecond))
	defer tick.Stop()
	at, since := w.at.Load(), time.Now()
	for {
		select {
		case <-w.ended:
			return w.verdict()
		case now := <-tick.C:
			if next := w.at.Load(); next != at {
				at, since = next, now
			} else if now.Sub(since) >= timeout {
				r.lost++
				return "no answer within " + timeout.String()
			}
		}
	}
}

// verdict is what to report of a worker that has ended.
func (w *worker) verdict() string {
	if w.clean {
		return ""
	}
	return "a function ended its goroutine, as t.Fatal does: it has to return or panic"
}

// stuck is a case at which a worker was lost; the zero value is none.
type stuck struct {
	at      int // its index
	message string
}

// work has the blocks of a law judged. It returns those that were judged, nil behind the last
// failure that is wanted, and the first case at which a worker was lost.
func (r *run) work(d division) ([]*block, stuck) {
	n := d.blocks()
	var next, enough atomic.Int64
	enough.Store(int64(n))
	judged := make(chan *block, n) // a worker that was lost can always write
	var workers []*worker
	for range d.workers {
		workers = append(workers, start(func(w *worker) {
			for i := next.Add(1) - 1; i < enough.Load() && !r.over(); i = next.Add(1) - 1 {
				b := d.judge(r, d.first(int(i)), d.end(int(i)), &w.at)
				b.number = int(i)
				judged <- b
				if len(b.failed) == r.most() {
					lower(&enough, i+1)
				}
			}
		}))
	}
	var first stuck
	for _, w := range workers {
		message := r.wait(d.law, w)
		if at := int(w.at.Load()) - 1; message != "" && (first.message == "" || at < first.at) {
			first = stuck{at, message}
			lower(&enough, int64(d.blockOf(at)))
		}
	}
	blocks := make([]*block, n)
	for {
		select {
		case b := <-judged:
			blocks[b.number] = b
		default:
			return blocks, first
		}
	}
}

// lower makes a number smaller, unless it is already.
func lower(n *atomic.Int64, to int64) {
	for old := n.Load(); to < old && !n.CompareAndSwap(old, to); old = n.Load() {
	}
}

// show is what an implementation is asked in a failing case.
func (r *run) show(l Law, f Failure) Counterexample {
	if shown, ok := f.of.Shown(); ok {
		return shown
	}
	again := func(impl Impl) { laws.Judge(l, f.of, impl) }
	if r.Program != nil {
		return r.Program.Shown(f.Token, func() { again(r.impl) })
	}
	shown := laws.TokenShown(f.Token)
	var witness laws.Witness
	asked := make(chan Counterexample, 1)
	r.wait(l, start(func(*worker) {
		again(laws.Watch(r.impl, &witness))
		asked <- witness.Show(f.Token)
	}))
	select {
	case shown = <-asked:
	default:
	}
	return shown
}
