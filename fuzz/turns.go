package fuzz

import "time"

const (
	// A run by time has at least so many turns of each law, if its cases are short enough.
	leastTurns = 20
	// turn is the most time of a turn.
	turn = 100 * time.Millisecond
)

// inTurns judges laws in turns until the time is over: always the law that has had the least of it.
func (r *run) inTurns(tasks []*task) {
	length := min(max(r.Time/time.Duration(leastTurns*max(len(tasks), 1)), time.Millisecond), turn)
	for !r.over() {
		var next *task
		for _, t := range tasks {
			if !t.done && (next == nil || t.spent < next.spent) {
				next = t
			}
		}
		if next == nil {
			return
		}
		r.judge(next, next.fitting(length))
		r.save(next)
	}
}

// mostTries is how many times as many cases as are wanted may be tried, where some are refused.
const mostTries = 20

// inParts judges so many cases of a law, in parts of about saveAfter.
func (r *run) inParts(t *task, cases int) {
	for {
		r.judge(t, min(t.fitting(saveAfter), r.left(t, cases)))
		r.save(t)
		if t.done || r.left(t, cases) <= 0 || r.over() {
			return
		}
	}
}

// left is how many of so many cases of a law are still to be judged. Of a number that was asked for each that is refused has
// another one in its place, if any had an answer.
func (r *run) left(t *task, cases int) int {
	tried := t.next - len(t.kept)
	if r.Cases > 0 && tried >= cases && t.result.Cases > 0 && tried < mostTries*cases {
		return cases - t.result.Cases
	}
	return cases - tried
}

// fitting is how many cases of a law fit into a time, at least one. What the first cases took tells little.
func (t *task) fitting(length time.Duration) int {
	judged := t.next - len(t.kept)
	switch {
	case t.law.Once:
		return 1
	case judged <= 0:
		return len(t.kept) - t.next + 1
	}
	each := max(t.spent/time.Duration(t.next), 1)
	return min(max(int(length/each), 1), 8*judged)
}

// over reports whether the run has to end: the time is over, or somebody stopped it.
func (r *run) over() bool { return r.Time > 0 && time.Since(r.begun) >= r.Time || r.stopped() }

// stopped reports whether somebody stopped the run.
func (r *run) stopped() bool {
	select {
	case <-r.Stop:
		return true
	default:
		return false
	}
}
