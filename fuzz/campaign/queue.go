package campaign

import (
	"sync"
	"time"
)

// A batch is cases of one law in a row.
type batch struct {
	of       *queued
	first, n uint64
}

// A queued law waits for its turn.
type queued struct {
	law
	next  uint64        // the index of the next case
	rest  uint64        // the least index of a case that was given out and not judged; the most there is for none
	taken uint64        // cases that were given out in this campaign
	cases uint64        // that were judged
	spent time.Duration // for them
	left  uint64        // cases still to be given out, in a campaign by number
	busy  bool          // in a campaign by number: a worker has it
	done  bool
	found map[string]bool // findings, by name
	// failed is how many cases failed, including those whose counterexample is a finding already.
	failed int
}

const (
	// A law ends after mostFindings findings, since more of one law say little, or after mostFailed
	// failing cases, which may shrink to fewer findings, and each of which takes time.
	mostFindings = 5
	mostFailed   = 50
	// batchTime is how long a batch should take, batchCases how many cases it has at most.
	batchTime  = 10 * time.Millisecond
	batchCases = 4096
	// byNumber is the size of a batch in a campaign by number, on which its findings depend.
	byNumber = 256
	// No law gets more than one in share of all cases, if more random laws than that run.
	share = 10
)

// A queue gives out batches to workers.
type queue struct {
	sync.Mutex
	c        *campaign
	laws     []*queued
	random   int // how many of the laws are random and still run
	taken    uint64
	deadline time.Time // zero for none
}

// casesOf is how many cases a law gets in a campaign by number; the most there are in one by time.
func (c *campaign) casesOf(l law) uint64 {
	switch {
	case !l.random:
		return 1
	case c.Cases == 0:
		return 1<<64 - 1
	case l.slow:
		return max(c.Cases/40, 1)
	case l.heavy:
		return max(c.Cases/4, 1)
	}
	return c.Cases
}

// take is the next batch; false when there is none.
func (q *queue) take() (batch, bool) {
	q.Lock()
	defer q.Unlock()
	if q.over() {
		return batch{}, false
	}
	var best *queued
	for _, of := range q.laws {
		if of.done || of.busy || of.left == 0 || q.allowed(of) == 0 {
			continue
		}
		if best == nil || of.spent < best.spent {
			best = of
		}
	}
	if best == nil {
		return batch{}, false
	}
	b := q.give(best, min(best.size(q.c.Cases > 0), best.left, q.allowed(best)))
	if q.c.Cases > 0 || !best.random {
		best.busy = true // its findings depend on the order of its batches
	} else {
		best.spent += best.estimate(b.n) // until the real time is known
	}
	return b, true
}

// give gives out the next n cases of a law.
func (q *queue) give(of *queued, n uint64) batch {
	b := batch{of, of.next, n}
	of.left -= n
	if of.random {
		of.next += n
		of.taken += n
		q.taken += n
	}
	return b
}

// over reports whether the time is over.
func (q *queue) over() bool { return !q.deadline.IsZero() && !time.Now().Before(q.deadline) }

// allowed is how many cases a law may have before it has to wait for the others. With few laws none
// waits.
func (q *queue) allowed(of *queued) uint64 {
	if q.c.Cases > 0 || q.random <= share || !of.random {
		return of.left
	}
	if of.taken < byNumber { // before there are shares
		return byNumber
	}
	// The most n with share·(taken + n) ≤ all + n. It is above 0 for the law with the fewest cases.
	return (q.taken - min(share*of.taken, q.taken)) / (share - 1)
}

// size is the number of cases of the next batch.
func (of *queued) size(number bool) uint64 {
	switch {
	case number:
		return byNumber
	case of.slow || !of.random || of.cases == 0:
		return 1
	}
	each := max(of.spent/time.Duration(of.cases), 1)
	return min(max(uint64(batchTime/each), 1), batchCases, 8*of.cases) // what the first cases took tells little
}

func (of *queued) estimate(n uint64) time.Duration {
	if of.cases == 0 {
		return batchTime
	}
	return of.spent / time.Duration(of.cases) * time.Duration(n)
}

// leave leaves the cases from first up to end of a random law to the next campaign. The lock is
// held.
func (of *queued) leave(q *queue, first, end uint64) {
	if !of.random || first >= end {
		return
	}
	of.rest = min(of.rest, first)
	of.taken -= end - first
	q.taken -= end - first
}

// end marks a law as finished. The caller holds the lock.
func (q *queue) end(of *queued) {
	if !of.done && of.random {
		q.random--
	}
	of.done = true
}

func (q *queue) enough(of *queued) bool {
	q.Lock()
	defer q.Unlock()
	return of.enough()
}

// enough reports whether more findings of a law would say little.
func (of *queued) enough() bool { return len(of.found) >= mostFindings || of.failed >= mostFailed }
