package fuzz

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// A run judges one law after the other.
type run struct {
	Options

	given   Impl
	impl    Impl // the same, guarded
	hits    *gen.Hits
	refused bool // a case of any law asked for what is not supported
	lost    int  // workers that did not come back
}

// maxLost is how many workers may be lost before no more laws are run: each still uses a processor.
const maxLost = 3

// law is the outcome of one law.
func (r *run) law(l Law) outcome {
	switch {
	case !l.Covers(r.impl):
		return outcome{result: Result{Law: l, NotCovered: true}}
	case r.lost >= maxLost:
		return outcome{result: Result{Law: l, NotRun: true}}
	}
	o := r.judge(l)
	r.refused = r.refused || len(o.refused) > 0
	return o
}

// judge divides the cases of a law into blocks for the workers, and adds up the blocks in their
// order, up to the last failure that is wanted: how many workers there were does not show.
func (r *run) judge(l Law) outcome {
	division := r.divide(l)
	results, stuck := r.work(division)
	sum := sum{run: r, division: division, outcome: outcome{result: Result{Law: l}, hits: new(gen.Hits)}}
	for i, b := range results {
		if stuck.message != "" && i == division.blockOf(stuck.at) {
			sum.add(division.judge(r, division.first(i), stuck.at, nil))
			c := division.newCase(r, stuck.at)
			sum.result.Cases++
			f := failureOf(c, stuck.message).unasked()
			f.Stuck = true
			sum.result.Failures = append(sum.result.Failures, f)
			break
		}
		if b == nil || !sum.add(b) {
			break
		}
	}
	return sum.outcome
}

// A division is the cases of a law in blocks of one size.
type division struct {
	law         Law
	total, size int
	workers     int
}

func (r *run) divide(l Law) division {
	d := division{law: l, total: r.count(l)}
	d.workers = max(min(r.Workers, d.total), 1)
	if l.Alone || r.impl.Steps != nil || r.impl.Replies != nil {
		d.workers = 1
	}
	d.size = d.total
	if d.workers > 1 {
		d.size = min(max(d.total/(8*d.workers), 1), 1024)
	}
	return d
}

func (d division) blocks() int           { return (d.total + d.size - 1) / d.size }
func (d division) blockOf(index int) int { return index / d.size }
func (d division) first(block int) int   { return block * d.size }
func (d division) end(block int) int     { return min((block+1)*d.size, d.total) }

// source is where the cases come from.
func (o Options) source() laws.Source {
	return laws.Source{Seed: o.Seed, Policy: o.Policy, Given: o.Given}
}

func (d division) newCase(r *run, index int) *Case {
	return r.source().Case(d.law, r.First+uint64(index))
}

// A block is what became of some cases that follow each other.
type block struct {
	number  int
	first   int
	result  Result // without failures
	failed  []found
	hits    gen.Hits
	refused []int
	lacking bool // each of the first cases of the law asks for a function that is not there
}

// mostAbsent is the number of the case up to which an implementation without the functions of a law is asked.
const mostAbsent = 50

// found is a case that breaks the law.
type found struct {
	index   int
	c       *Case
	message string
}

// judge judges the cases from first up to end, or to the last failure that is wanted. It stores the
// number of the case that it is at, from 1.
func (d division) judge(r *run, first, end int, at *atomic.Int64) *block {
	b := &block{first: first, lacking: first == 0}
	for i := first; i < end && len(b.failed) < r.most(); i++ {
		if at != nil {
			at.Store(int64(i) + 1)
		}
		c := d.newCase(r, i)
		classes := gen.ClassesOf(c.Value) // before the law changes it
		v := laws.Judge(d.law, c, r.impl)
		b.result.count(v)
		if b.lacking = b.lacking && v.Absent; b.lacking && i == mostAbsent {
			return b
		}
		if v.NotCovered {
			b.refused = append(b.refused, i)
		} else {
			b.hits.Add(classes)
		}
		if v.Message != "" {
			b.failed = append(b.failed, found{i, c, v.Message})
		}
	}
	b.lacking = false
	return b
}

// most is how many failures of a law are wanted.
func (o Options) most() int { return max(o.Failures, 1) }

// sum adds up blocks.
type sum struct {
	run      *run
	division division
	outcome
}

// add adds the next block; false where the last failure that is wanted lies in it.
func (s *sum) add(b *block) bool {
	left := s.run.most() - len(s.result.Failures)
	if left < s.run.most() && len(b.failed) >= left { // it went on behind it, not knowing of those before
		b = s.division.judge(s.run, b.first, b.failed[left-1].index+1, nil)
	}
	s.result.merge(b.result)
	s.hits.Merge(&b.hits)
	s.refused = append(s.refused, b.refused...)
	for _, f := range b.failed {
		s.result.Failures = append(s.result.Failures, s.run.shrink(s.division.law, f))
	}
	return len(b.failed) < left && !b.lacking
}

// merge adds the counts of other cases.
func (r *Result) merge(o Result) {
	r.Cases += o.Cases
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
