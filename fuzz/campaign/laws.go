package campaign

import (
	"context"
	"math"
	"sync"
	"time"
)

// runLaws judges laws until a time is over or each has its cases.
func (c *campaign) runLaws(ctx context.Context, laws []law, begun time.Time, limit time.Duration) {
	q := &queue{c: c}
	if limit > 0 {
		q.deadline = begun.Add(limit)
	}
	started := time.Now()
	hasGrid := false
	for _, l := range laws {
		of := &queued{law: l, next: c.state.Laws[l.id].Next, rest: math.MaxUint64, left: c.casesOf(l), found: map[string]bool{}}
		q.laws = append(q.laws, of)
		if l.random {
			q.random++
		}
		hasGrid = hasGrid || l.id == "C30"
	}
	q.once(ctx)
	if hasGrid && ctx.Err() == nil {
		c.runGrid(ctx, q.deadline)
	}
	var wg sync.WaitGroup
	met := make([]classes, c.Workers)
	for i := range c.Workers {
		wg.Go(func() { q.work(ctx, &met[i]) })
	}
	wg.Wait()
	for i := range met {
		c.met.merge(&met[i])
	}
	if c.Cases == 0 {
		c.report.LawTime = time.Since(started)
	}
	if c.gaveUp() {
		c.report.Incomplete = "cases were left out after " + counted(int(c.lost.Load()), "case") + " without an answer"
	}
	for _, of := range q.laws {
		was := c.state.Laws[of.id]
		c.state.Laws[of.id] = lawState{Next: min(of.next, of.rest), Cases: was.Cases + of.cases}
		c.report.Laws = append(c.report.Laws, Law{ID: of.id, Clause: of.clause, Formula: of.formula, Cases: of.cases})
	}
}

// once checks the laws that measure, one after the other, before the workers begin. A law without
// random input is checked once in each campaign.
func (q *queue) once(ctx context.Context) {
	for _, of := range q.laws {
		if !of.alone || ctx.Err() != nil || q.c.gaveUp() || q.over() {
			continue
		}
		if of.random {
			of.left = min(of.left, byNumber)
		}
		q.judge(q.give(of, of.left), &q.c.met)
		q.end(of)
	}
}

// work judges batches until there are no more.
func (q *queue) work(ctx context.Context, met *classes) {
	for ctx.Err() == nil && !q.c.gaveUp() {
		b, ok := q.take()
		if !ok {
			return
		}
		q.judge(b, met)
	}
}

// judge judges a batch. After a case that fails it goes on with the rest, until the law has enough
// findings or the time is over: what is left then is for the next campaign.
func (q *queue) judge(b batch, met *classes) {
	guess := time.Duration(0)
	if q.c.Cases == 0 && b.of.random && !b.of.alone {
		guess = b.of.estimate(b.n)
	}
	started := time.Now()
	var cases uint64
	first, end := b.first, b.first+b.n
	for first < end && !q.enough(b.of) {
		j := judge(*q.c.Impl, b.of.law, q.c.state.Seed, first, end-first, q.limit(b.of), met)
		cases += j.cases
		if j.token == "" {
			first = end
			break
		}
		first = indexOf(j.token) + 1
		if j.stuck != nil {
			q.abandon(b.of, *j.stuck)
			break
		}
		if q.keep(b.of, j.token); q.over() {
			break
		}
	}
	took := time.Since(started)
	q.Lock()
	defer q.Unlock()
	b.of.leave(q, first, end)
	b.of.cases += cases
	b.of.spent += took - min(guess, b.of.spent)
	b.of.busy = false
	if b.of.enough() {
		q.end(b.of)
	}
}

// limit is how long a case may take. The only case of a law without random input may take longer,
// but not past the time of the laws.
func (q *queue) limit(of *queued) time.Duration {
	switch {
	case of.random:
		return caseTimeout
	case q.deadline.IsZero():
		return oneCase * caseTimeout
	}
	return min(max(time.Until(q.deadline), caseTimeout), oneCase*caseTimeout)
}

// abandon keeps a case without an answer as a finding, and ends its law: other cases would be stuck
// as well.
func (q *queue) abandon(of *queued, f Finding) {
	q.c.lost.Add(1)
	q.Lock()
	defer q.Unlock()
	q.c.found(f)
	q.end(of)
}

// gaveUp reports whether too many cases had no answer for more to be judged.
func (c *campaign) gaveUp() bool { return c.lost.Load() >= mostLost }

// shrinkTime is how long a failing case may be shrunk: no longer than the time that is left.
func (q *queue) shrinkTime() time.Duration {
	if q.deadline.IsZero() {
		return caseTimeout
	}
	return min(time.Until(q.deadline), caseTimeout)
}

// keep shrinks a failing case and keeps it as a finding.
func (q *queue) keep(of *queued, token string) {
	limit := q.shrinkTime()
	f, fails := replay(*q.c.Impl, token, limit)
	switch {
	case fails && limit <= 0:
		f.ShrinkStopped = "the time of the campaign was over"
	case !fails: // it fails only among others
		f = Finding{Law: of.id, Clause: of.clause, Formula: of.formula, Token: token, Message: "the case failed once, and holds when it is judged again"}
	}
	q.Lock()
	defer q.Unlock()
	of.failed++
	of.found[f.named().ID] = true
	q.c.found(f)
}
