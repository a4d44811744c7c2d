// Package kit runs laws: it judges an implementation, or a program in any language, on the cases of laws, makes the cases that
// fail simpler, and reports what became of each law.
package kit

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// Options say what to run. The zero value runs every law on 20,000 cases, those whose cases are expensive on fewer.
type Options struct {
	// Laws are ids or patterns of ids, such as "T05", "C" for a whole group, "B*". None means all.
	Laws []string
	// Cases is how many cases each law is judged on, also one that is marked heavy or slow; a law without random input has
	// one. Zero leaves it to Time, or to Effort.
	Cases int
	// Time is how long the run takes, about; zero for no limit. Without Cases the laws are judged in turns until it is over.
	Time time.Duration
	// Effort is how many cases a law is judged on whose cases are cheap: a law marked heavy gets a quarter of it, one marked
	// slow a fortieth, but each at least one.
	Effort int
	// Seed is the base of all chance.
	Seed uint64
	// Ordinary keeps to what merchants send, and to no extreme.
	Ordinary bool
	// Skip are ids of laws that are known to fail. One that holds is a failure (G05).
	Skip []string
	// First are tokens of cases that failed in an earlier run, which are judged first.
	First []string
	// Failures is how many failing cases of a law are reported; 1 when zero.
	Failures int
	// Shrinks is the most steps from a failing case to a simpler one; 1,000 when zero, none when negative.
	Shrinks int
	// Timeout is how long a case may take before its law fails; 5 seconds when zero, forever when negative. The only case
	// of a law without random input may take ten times as long.
	Timeout time.Duration
	// Memory is how many bytes this process may use before the run ends with the case that used them; zero for no limit.
	Memory uint64
	// Policy holds the readings that every case asks for; nil leaves them to the generators. A law about a reading still
	// asks for that reading.
	Policy *engine.Policy
	// Before is called with the token of each case before it is judged, Found with that of each that fails before it is
	// made simpler, Progress after each turn of a law. Nil for none.
	Before   func(token string)
	Found    func(token string)
	Progress func(Progress)
	// Stop ends the run, once it is closed, after the case that is being judged. Nil for never.
	Stop <-chan struct{}
	// Program is how an implementation that runs outside this process is asked; nil for one that does not.
	Program *Program
	// Asked reports whether a law can be asked at all; nil for all laws.
	Asked func(law string) bool
}

// Progress is how far a run is.
type Progress struct {
	Law           string
	Cases         int // judged so far, of all laws
	Laws, AllLaws int // that were judged to their end, and that there are
	Failed        int // laws that fail
}

// A Program is what a run needs to know of an implementation outside this process. All functions are there.
type Program struct {
	// Judges reports whether the questions and answers of the program carry all that a law compares.
	Judges func(law string) bool
	// Ready reports whether the program runs, after it was started again where that was necessary and possible.
	Ready func() bool
	// Replies is how many questions the program has answered.
	Replies func() uint64
}

// Run runs laws against an implementation and gives every law's result.
func Run(impl laws.Impl, o Options) Report {
	r := &run{Options: o, given: impl, impl: impl.Guarded(), begun: time.Now()}
	if o.Program != nil {
		r.impl.Replies = o.Program.Replies
	}
	for _, l := range laws.Laws() {
		if o.wants(l.ID) {
			r.tasks = append(r.tasks, &task{law: l, result: Result{Law: l}})
		}
	}
	report := Report{Impl: impl.Name, Seed: o.Seed, Unknown: o.Unknown()}
	report.Mended = r.judgeFirst()
	if o.byTime() {
		r.inTurns()
	} else {
		for _, t := range r.tasks {
			r.inParts(t, r.count(t.law))
		}
	}
	for _, t := range r.tasks {
		report.Results = append(report.Results, r.settle(t))
	}
	report.Interrupted, report.Ended = r.stopped(), r.ended
	return report
}

// Again judges the case that a token names, under the policy of the token, and makes it simpler where it fails. The error says
// what is wrong with the token.
func Again(impl laws.Impl, token string, o Options) (Result, Counterexample, error) {
	l, c, err := laws.Replay(token)
	if err != nil {
		return Result{}, Counterexample{}, err
	}
	o.Laws, o.Cases, o.Time, o.First, o.Skip = []string{l.ID}, 1, 0, nil, nil
	r := &run{Options: o, given: impl, impl: impl.Guarded(), begun: time.Now(), only: c}
	if o.Program != nil {
		r.impl.Replies = o.Program.Replies
	}
	t := &task{law: l, result: Result{Law: l}}
	r.inParts(t, 1)
	result := r.settle(t)
	if len(result.Failures) > 0 {
		return result, result.Failures[0].Counterexample, nil
	}
	return result, c.Shown(), nil
}

// Unknown are the patterns of Laws and the ids of Skip that name no law.
func (o Options) Unknown() (names []string) {
	for _, pattern := range o.Laws {
		one := Options{Laws: []string{pattern}, Asked: o.Asked}
		if !slices.ContainsFunc(laws.Laws(), func(l laws.Law) bool { return one.wants(l.ID) }) {
			names = append(names, pattern)
		}
	}
	for _, id := range o.Skip {
		if _, ok := laws.Find(id); !ok {
			names = append(names, id)
		}
	}
	return names
}

// wants reports whether a law is among those wanted.
func (o Options) wants(id string) bool {
	if o.Asked != nil && !o.Asked(id) {
		return false
	}
	return len(o.Laws) == 0 || slices.ContainsFunc(o.Laws, func(pattern string) bool {
		match, err := path.Match(pattern, id)
		return err == nil && match || pattern == strings.TrimRight(id, "0123456789") // a group alone is its letters
	})
}

// byTime reports whether laws are judged in turns until the time is over.
func (o Options) byTime() bool { return o.Time > 0 && o.Cases == 0 && o.Effort == 0 }

// count is how many cases a law gets in a run without turns.
func (o Options) count(l laws.Law) int {
	effort := cmp.Or(o.Effort, 20_000)
	switch {
	case l.Once:
		return 1
	case o.Cases > 0:
		return o.Cases
	case l.Slow:
		return max(effort/40, 1)
	case l.Heavy:
		return max(effort/4, 1)
	}
	return effort
}

// A run judges laws.
type run struct {
	Options

	given laws.Impl
	impl  laws.Impl // the same, guarded
	tasks []*task
	only  *laws.Case // the only case; nil for those with a number
	begun time.Time
	lost  int    // workers that did not come back
	ended string // why the run ended before its cases
	cases int    // judged
}

// A task is a law and what became of its cases so far.
type task struct {
	law    laws.Law
	result Result
	next   uint64 // the index of the next case
	spent  time.Duration
	done   bool // no more cases are wanted
}

const (
	// A run by time has at least so many turns of each law, if its cases are short enough.
	leastTurns = 20
	// turn is the most time of a turn.
	turn = 100 * time.Millisecond
	// maxLost is how many workers may be lost before no more laws are run: each still uses a processor.
	maxLost = 3
	// mostTries is how many times as many cases as are wanted may be tried, where some are not supported.
	mostTries = 20
	// mostUnsupported is how many cases of a law an implementation that supports none is asked.
	mostUnsupported = 600
)

// judgeFirst judges the cases of tokens, and gives the tokens of those that hold now. Tokens of other generators are left out.
func (r *run) judgeFirst() (mended []string) {
	for _, token := range r.First {
		l, c, err := laws.Replay(token)
		at := slices.IndexFunc(r.tasks, func(t *task) bool { return t.law.ID == l.ID })
		if err != nil || at < 0 {
			continue
		}
		t := r.tasks[at]
		failures, judged := len(t.result.Failures), t.result.Cases
		r.judge(t, []*laws.Case{c})
		if len(t.result.Failures) == failures && t.result.Cases > judged {
			mended = append(mended, token)
		}
		t.result.Cases = judged
	}
	return mended
}

// inTurns judges laws in turns until the time is over: always the law that has had the least of it.
func (r *run) inTurns() {
	length := min(max(r.Time/time.Duration(leastTurns*max(len(r.tasks), 1)), time.Millisecond), turn)
	for !r.over() {
		var next *task
		for _, t := range r.tasks {
			if !t.done && (next == nil || t.spent < next.spent) {
				next = t
			}
		}
		if next == nil {
			return
		}
		r.judgeNext(next, next.fitting(length))
	}
}

// inParts judges so many cases of a law.
func (r *run) inParts(t *task, cases int) {
	for !t.done && !r.over() {
		left := cases - t.result.Cases
		if r.Cases == 0 || r.only != nil || t.next >= uint64(mostTries*cases) || t.result.Cases == 0 && t.next >= uint64(max(cases, mostUnsupported)) {
			left = cases - int(t.next)
		}
		if left <= 0 {
			return
		}
		r.judgeNext(t, min(t.fitting(time.Second), left))
	}
}

// fitting is how many cases of a law fit into a time, at least one. The first cases are not representative.
func (t *task) fitting(length time.Duration) int {
	if t.next == 0 || t.law.Once {
		return 1
	}
	each := max(t.spent/time.Duration(t.next), 1)
	return min(max(int(length/each), 1), 8*int(t.next))
}

// judgeNext judges the next n cases of a law.
func (r *run) judgeNext(t *task, n int) {
	if r.only != nil {
		r.judge(t, []*laws.Case{r.only})
		t.next, t.done = 1, true
		return
	}
	source := laws.Source{Seed: r.Seed, Policy: r.Policy, Ordinary: r.Ordinary}
	begun, first := time.Now(), t.next
	for at := 0; at < n && !t.done && !r.over(); at += batch {
		var cases []*laws.Case
		for i := range min(batch, n-at) {
			cases = append(cases, source.Case(t.law, first+uint64(at+i)))
		}
		t.next += uint64(r.judge(t, cases))
	}
	t.spent += max(time.Since(begun), 1)
	t.done = t.done || t.law.Once
	if r.Progress != nil {
		p := Progress{Law: t.law.ID, Cases: r.cases, AllLaws: len(r.tasks)}
		for _, o := range r.tasks {
			if len(o.result.Failures) > 0 {
				p.Failed++
			}
			if o.done || o.next > 0 && o != t {
				p.Laws++
			}
		}
		r.Progress(p)
	}
}

// batch is how many cases are made at once.
const batch = 64

// over reports whether the run has to end: the time is over, somebody stopped it, or it cannot go on.
func (r *run) over() bool {
	return r.Time > 0 && time.Since(r.begun) >= r.Time || r.ended != "" || r.stopped()
}

// stopped reports whether somebody stopped the run.
func (r *run) stopped() bool {
	select {
	case <-r.Stop:
		return true
	default:
		return false
	}
}
