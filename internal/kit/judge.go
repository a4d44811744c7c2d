package kit

import (
	"cmp"
	"reflect"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// judge judges cases of a law up to the last failure that is wanted, and returns how many.
func (r *run) judge(t *task, cases []*laws.Case) (judged int) {
	switch {
	case r.Program != nil && !r.Program.Judges(t.law.ID):
		t.result.NotCovered, t.done = true, true
		return 0
	case r.lost >= maxLost:
		t.result.NotRun, t.done, r.ended = t.next == 0, true, strconv.Itoa(maxLost)+" cases had no answer in time"
		return 0
	}
	var failed []failing
	why := r.watch(t.law, func(w *worker) {
		for _, c := range cases {
			if !r.ready() || !w.begin(c) {
				return
			}
			if r.Before != nil {
				r.Before(c.Token())
			}
			v := laws.Judge(t.law, c, r.impl)
			if !w.note(func() {
				judged++
				t.count(c, v)
				if v.Message != "" {
					failed = append(failed, failing{c, v.Message})
				}
			}) || len(t.result.Failures)+len(failed) >= max(r.Failures, 1) {
				return
			}
		}
	}, func(c *laws.Case, why string) {
		judged++
		t.result.Cases++
		t.result.Failures = append(t.result.Failures, failureOf(c, why))
		t.done = true
	})
	r.cases += judged
	if judged < len(cases) && why == "" && len(failed) == 0 && r.Program != nil && r.ended != "" {
		t.result.NotRun, t.done = t.next == 0 && judged == 0, true
	}
	for _, f := range failed {
		if r.Found != nil {
			r.Found(f.c.Token())
		}
		t.result.Failures = append(t.result.Failures, r.simplest(t.law, f))
	}
	t.done = t.done || len(t.result.Failures) >= max(r.Failures, 1)
	return judged
}

// ready reports whether the next case can be asked.
func (r *run) ready() bool {
	if r.stopped() || r.ended != "" {
		return false
	}
	if r.Program != nil && !r.Program.Ready() {
		r.ended = "the program cannot be started again"
		return false
	}
	return true
}

// failing is a case that breaks a law.
type failing struct {
	c       *laws.Case
	message string
}

// count adds the verdict on a case.
func (t *task) count(c *laws.Case, v laws.Verdict) {
	if v.Absent {
		t.result.NotCovered, t.done = true, true
	}
	if v.NotCovered {
		t.result.unsupported++
		return
	}
	t.result.Cases++
	if v.Unspecified != nil {
		t.result.unspecified(c, v.Unspecified)
	}
}

// A worker judges cases one after the other. One that does not come back cannot be ended: it is left alone, and what it
// finds later is not counted.
type worker struct {
	sync.Mutex

	at    *laws.Case
	begun time.Time
	left  bool
	clean bool // it returned
}

// begin notes the case that is being judged; false for a worker that was left alone.
func (w *worker) begin(c *laws.Case) bool {
	return w.note(func() { w.at, w.begun = c, time.Now() })
}

func (w *worker) note(f func()) bool {
	w.Lock()
	defer w.Unlock()
	if !w.left {
		f()
	}
	return !w.left
}

// watch waits for a worker. Where a case takes too long, or too much memory, or ends its goroutine, fails is called with the
// case and the reason, which is returned too.
func (r *run) watch(l laws.Law, work func(*worker), fails func(*laws.Case, string)) (why string) {
	w, ended := &worker{}, make(chan struct{})
	go func() {
		defer close(ended)
		work(w)
		w.note(func() { w.clean = true })
	}()
	timeout := r.timeout(l)
	tick := time.NewTicker(min(max(timeout/8, time.Millisecond), 10*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ended:
			if !w.clean && w.at != nil {
				why = "a function ended its goroutine, as t.Fatal does: it has to return or panic"
				fails(w.at, why)
			}
			return why
		case now := <-tick.C:
			w.note(func() {
				switch {
				case w.at == nil:
				case timeout > 0 && now.Sub(w.begun) >= timeout:
					why = "no answer within " + timeout.String()
					r.lost++
				case r.usesTooMuch():
					why = "the case uses more than " + strconv.FormatUint(r.Memory>>20, 10) + " MiB of memory"
					r.ended = why
				}
				if why != "" {
					w.left = true
					fails(w.at, why)
				}
			})
			if why != "" {
				return why
			}
		}
	}
}

// usesTooMuch reports whether this process uses more memory than it may, garbage left out.
func (r *run) usesTooMuch() bool {
	if r.Memory == 0 || inUse() <= r.Memory {
		return false
	}
	runtime.GC()
	return inUse() > r.Memory
}

// inUse is how many bytes of the heap are in use, or garbage.
func inUse() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// timeout is how long a case of a law may take; 0 for ever. A law without random input has one case, which may go through the
// whole calendar.
func (o Options) timeout(l laws.Law) time.Duration {
	timeout := max(cmp.Or(o.Timeout, 5*time.Second), 0)
	if l.Once {
		timeout *= 10
	}
	return timeout
}

// shrinkTime is how long a simpler case is looked for.
const shrinkTime = 10 * time.Second

// simplest is the failure with the simplest case that was found.
func (r *run) simplest(l laws.Law, f failing) Failure {
	best := failureOf(f.c, f.message)
	most := cmp.Or(r.Shrinks, 1000)
	begun, limit := time.Now(), shrinkTime
	if r.Time > 0 {
		limit = min(limit, max(r.Time-time.Since(r.begun), r.Time/10))
	}
	if r.Timeout < 0 {
		limit = max(limit, time.Minute)
	}
	var steps int
	simplest := f.c
	r.watch(l, func(w *worker) {
		for next := l.Simpler(f.c); steps < most; {
			c, ok := next()
			if !ok || r.stopped() || time.Since(begun) > limit || !r.ready() || !w.begin(c) {
				return
			}
			if v := laws.Judge(l, c, r.impl); v.Message != "" {
				w.note(func() {
					steps++
					best, simplest = failureOf(c, v.Message), c
				})
				next = l.Simpler(c)
			}
		}
	}, func(*laws.Case, string) {})
	best.Shrinks = steps
	r.watch(l, func(w *worker) {
		if !r.ready() || !w.begin(simplest) {
			return
		}
		of := laws.Fitting(simplest, r.impl)
		readings := slices.DeleteFunc(laws.Fitting(f.c, r.impl), func(reading string) bool { return !slices.Contains(of, reading) })
		if len(readings) > 0 {
			w.note(func() { best.Advice = r.advice(readings) })
		}
	}, func(*laws.Case, string) {})
	return best
}

// advice is what to do about an answer that is right under other readings.
func (r *run) advice(readings []string) string {
	set := "set Options.Policy"
	if r.Program != nil {
		set = "give --policy"
	}
	return "fits " + strings.Join(readings, " or ") + "; if that is yours, " + set
}

// settle is the result of a law once all laws were judged. A case in which no function was called passes trivially: a law is not
// covered by such cases alone.
func (r *run) settle(t *task) Result {
	result := t.result
	switch {
	case result.NotRun || len(result.Failures) > 0:
	case result.NotCovered || t.next > 0 && result.Cases == 0:
		return Result{Law: result.Law, NotCovered: true}
	case t.next == 0:
		result.NotReached = true
		return result
	case (result.unsupported > 0 || !t.law.Once && r.only == nil) && !r.answered(t):
		return Result{Law: result.Law, NotCovered: true}
	}
	if slices.Contains(r.Skip, result.Law.ID) {
		return result.skipped()
	}
	return result
}

// answered reports whether any case of a law that holds had an answer: one that would not hold where no question is answered.
func (r *run) answered(t *task) bool {
	if r.Program != nil {
		return true // only cases with a reply count
	}
	nothing := refusing(r.given)
	source := laws.Source{Seed: r.Seed, Policy: r.Policy, Ordinary: r.Ordinary}
	for i := range min(t.next, mostUnsupported) {
		c := source.Case(t.law, i)
		if v := laws.Judge(t.law, c, r.impl); !v.NotCovered && laws.Judge(t.law, source.Case(t.law, i), nothing) != (laws.Verdict{}) {
			return true
		}
	}
	return false
}

// refusing is the implementation with functions that support nothing in place of its own. Constructing a forecast does not count
// as an answer.
func refusing(impl laws.Impl) laws.Impl {
	for _, part := range reflect.ValueOf(&impl).Elem().Fields() {
		if part.Kind() != reflect.Struct {
			continue
		}
		for _, f := range part.Fields() {
			if f.Kind() == reflect.Func && !f.IsNil() {
				f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { panic(laws.ErrNotSupported) }))
			}
		}
	}
	if impl.Forecast != nil {
		impl.Forecast = func(gen.Job) (laws.Forecast, error) { return laws.Forecast{}, nil }
	}
	return impl.Guarded()
}
