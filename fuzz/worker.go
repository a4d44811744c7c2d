package fuzz

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// A run judges laws.
type run struct {
	Options

	given   Impl
	impl    Impl // the same, guarded
	begun   time.Time
	refused bool // a case of any law asked for what is not supported
	lost    int  // workers that did not come back
	saver   saver
}

// maxLost is how many workers may be lost before no more laws are run: each still uses a processor.
const maxLost = 3

// A task is a law and what became of its cases so far.
type task struct {
	law   Law
	was   Kept         // what earlier runs have learned
	kept  []*laws.Case // its cases, judged first
	first uint64       // the index of the first case behind them
	next  int          // how many cases were judged, those kept included
	spent time.Duration
	done  bool // no more cases are wanted

	result  Result
	refused []int // the first cases that asked for what is not supported, in their order
	lacking bool  // each case so far asks for a function that is not there
	hits    gen.Hits
	last    int // how many cases had been judged when the last new class was met
	cover   cover
	tokens  []string // of the cover; nil where it has changed
}

// marked is what is known of the cases of a block with one mark.
type marked struct {
	count, first int      // first: how many cases of the block had been judged by then
	simplest     []uint64 // the choices of the simplest of them
}

func (r *run) task(l Law) *task {
	t := &task{law: l, result: Result{Law: l}, lacking: true, hits: gen.Hits{}}
	if l.Once {
		t.spent = 1 // after the first turn of the others
	}
	r.Corpus.begin(t, r.Options)
	return t
}

// judge judges the next n cases of a law, divided into blocks for the workers. It adds up the blocks in their
// order, up to the last failure that is wanted: how many workers there were does not show.
func (r *run) judge(t *task, n int) {
	switch {
	case !t.law.Covers(r.impl) || r.Program != nil && !r.Program.Judges(t.law.ID):
		t.result.NotCovered, t.done = true, true
		return
	case r.lost >= maxLost || r.Program != nil && !r.Program.Ready():
		t.result.NotRun, t.done = t.next == 0, true
		return
	}
	if !t.judgedAbsent() { // whether it is judged at all shows after the same case, however the cases are divided
		n = min(n, mostAbsent-t.next)
	}
	begun := time.Now()
	d := r.divide(t, n)
	results, stuck := r.work(d)
	sum := sum{r, d}
	for i, b := range results {
		if stuck.message != "" && i == d.blockOf(stuck.at) {
			sum.add(d.judge(r, d.first(i), stuck.at, nil))
			c := d.newCase(r, stuck.at)
			t.result.count(laws.Verdict{Message: stuck.message}, stuck.at < len(t.kept))
			f := failureOf(c, stuck.message).unasked()
			f.Stuck = true
			t.result.Failures = append(t.result.Failures, f)
			t.next, t.done = stuck.at+1, true
			break
		}
		if b == nil {
			break
		}
		if !sum.add(b) {
			t.done = true
			break
		}
	}
	t.spent += max(time.Since(begun), 1)
	t.done = t.done || t.law.Once || t.lacking && t.judgedAbsent()
}

// mostAbsent is how many cases of a law an implementation without its functions is asked.
const mostAbsent = 51

func (t *task) judgedAbsent() bool { return t.next >= mostAbsent }

// A division is cases of a law in blocks of one size.
type division struct {
	*task
	from, to, size int
	workers        int
}

func (r *run) divide(t *task, n int) division {
	d := division{task: t, from: t.next, to: t.next + n, size: 1024}
	d.workers = max(min(r.Workers, n), 1)
	if t.law.Alone || r.impl.Steps != nil || r.impl.Replies != nil {
		d.workers = 1
	}
	if d.workers > 1 {
		d.size = min(max(n/(8*d.workers), 1), d.size)
	}
	if r.impl.Replies != nil {
		d.size = 1 // each may take its time
	}
	return d
}

func (d division) blocks() int           { return (d.to - d.from + d.size - 1) / d.size }
func (d division) blockOf(index int) int { return (index - d.from) / d.size }
func (d division) first(block int) int   { return d.from + block*d.size }
func (d division) end(block int) int     { return min(d.first(block)+d.size, d.to) }

// newCase is the case of a law with a number, from 0: first those that were kept.
func (t *task) newCase(r *run, number int) *laws.Case {
	s := laws.Source{Seed: r.Seed, Policy: r.Policy, Given: r.Options.given}
	if number < len(t.kept) {
		s.Given = t.kept[number]
	}
	return s.Case(t.law, t.first+uint64(max(number-len(t.kept), 0)))
}

// A block is what became of some cases that follow each other.
type block struct {
	number, first, end int
	result             Result // its counts alone
	failed             []found
	refused            []int
	lacking            bool // each case asks for a function that is not there
	marks              map[gen.Mark]marked
	order              []gen.Mark // as they were met
}

// mostRefused is the number of refused cases of a law that are remembered.
const mostRefused = 20_000

// found is a case that breaks the law.
type found struct {
	index   int
	c       *laws.Case
	message string
}

// judge judges the cases from first up to end, or to the last failure that is wanted. It stores the
// number of the case that it is at, from 1.
func (d division) judge(r *run, first, end int, at *atomic.Int64) *block {
	b := &block{first: first, end: first, lacking: true, marks: map[gen.Mark]marked{}}
	for ; b.end < end && len(b.failed) < r.most(); b.end++ {
		i := b.end
		if at != nil {
			at.Store(int64(i) + 1)
		}
		c := d.newCase(r, i)
		marks := gen.MarksOf(c.Value, c.Choices) // before the law changes it
		v := laws.Judge(d.law, c, r.impl)
		b.lacking = b.lacking && v.Absent
		if v.NotCovered {
			b.refused = append(b.refused, i)
			continue
		}
		if v.Message != "" {
			b.failed = append(b.failed, found{i, c, v.Message})
		} else {
			for _, m := range marks {
				b.mark(m, c)
			}
		}
		b.result.count(v, i < len(d.kept))
	}
	return b
}

// mark notes a mark of a case.
func (b *block) mark(m gen.Mark, c *laws.Case) {
	of, known := b.marks[m]
	if !known {
		of = marked{first: b.result.judged(), simplest: c.Choices}
		b.order = append(b.order, m)
	} else if gen.Simpler(c.Choices, of.simplest) {
		of.simplest = c.Choices
	}
	of.count++
	b.marks[m] = of
}

// most is how many failures of a law are wanted.
func (o Options) most() int { return max(o.Failures, 1) }

// sum adds up blocks.
type sum struct {
	run *run
	division
}

// add adds the next block; false where the last failure that is wanted lies in it.
func (s sum) add(b *block) bool {
	left := s.run.most() - len(s.result.Failures)
	if len(b.failed) >= left && b.end > b.failed[left-1].index+1 { // it went on behind it
		b = s.judge(s.run, b.first, b.failed[left-1].index+1, nil)
	}
	s.task.add(b)
	for _, f := range b.failed {
		s.run.saveFound(s.task, f)
		s.result.Failures = append(s.result.Failures, s.run.shrink(s.law, f))
	}
	s.run.refused = s.run.refused || len(b.refused) > 0
	return len(b.failed) < left
}

// add adds the counts of a block.
func (t *task) add(b *block) {
	before, kept := t.result.judged(), t.result.Again+b.result.Again
	for _, m := range b.order {
		of := b.marks[m]
		for c := range m.Classes {
			if t.hits[c] == 0 {
				if t.last = before + of.first + 1; t.last > kept {
					t.result.New++
				}
			}
			t.hits[c] += of.count
		}
		if t.cover.add(m, of.simplest) {
			t.tokens = nil
		}
	}
	t.result.merge(b.result)
	if room := mostRefused - len(t.refused); room > 0 {
		t.refused = append(t.refused, b.refused[:min(room, len(b.refused))]...)
	}
	t.lacking = t.lacking && b.lacking
	t.next = b.end
}

// merge adds the counts of other cases.
func (r *Result) merge(o Result) {
	r.Cases += o.Cases
	r.Again += o.Again
	r.Unspecified += o.Unspecified
	r.Keys = slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.Keys, o.Keys))))
}

// timeout is how long a case of a law may take; 0 for ever. A law without random input has one case, which
// may go through the whole calendar.
func (o Options) timeout(l Law) time.Duration {
	timeout := max(cmp.Or(o.Timeout, time.Minute), 0)
	if l.Once {
		timeout *= 10
	}
	return timeout
}
