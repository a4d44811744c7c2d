package reconcile

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// A pair is two values of a key.
type pair struct {
	clause ledger.Clause
	v, w   int
}

// level returns how certainly the trial tells a pair apart by a day.
func (t *trial) level(p pair, day int) int {
	if told, ok := t.told[p.clause]; ok {
		return told.level(p.v, p.w, day)
	}
	return levelNone
}

// day returns the first day on which the trial tells a pair apart; never for none.
func (t *trial) day(p pair) int {
	if told, ok := t.told[p.clause]; ok {
		return told.by[p.v][p.w]
	}
	return never
}

// pairsOf returns the pairs of values of a key.
func pairsOf(c ledger.Clause) []pair {
	var list []pair
	for w := range c.Entry().Readings {
		for v := range w {
			list = append(list, pair{c, v, w})
		}
	}
	return list
}

// A goal is a pair that some trial tells apart, and the level that is reached at best.
type goal struct {
	pair
	level int
}

// A search chooses among trials.
type search struct {
	trials []*trial
	last   int // the last day
	goals  []goal
	tells  []uint64 // of each trial, the goals that it reaches
	found  []int    // the places of the trials of the smallest choice so far
}

// newSearch lists what trials can tell of keys up to a day, what the fewest of them tell first.
func newSearch(trials []*trial, keys []ledger.Clause, last int) *search {
	s := &search{trials: trials, last: last, tells: make([]uint64, len(trials))}
	for _, c := range keys {
		for _, p := range pairsOf(c) {
			if level := bestLevel(trials, p, last); level > levelNone {
				s.goals = append(s.goals, goal{p, level})
			}
		}
	}
	reached := func(g goal) (n int) {
		for _, t := range trials {
			if s.reaches(t, g) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(s.goals, func(a, b goal) int { return cmp.Compare(reached(a), reached(b)) })
	for i, t := range trials {
		for n, g := range s.goals {
			if s.reaches(t, g) {
				s.tells[i] |= 1 << n
			}
		}
	}
	return s
}

// reaches reports whether a trial tells a pair apart as certainly as any does.
func (s *search) reaches(t *trial, g goal) bool { return t.level(g.pair, s.last) == g.level }

// bestLevel returns how certainly any of some trials tells a pair apart by a day.
func bestLevel(trials []*trial, p pair, day int) int {
	best := levelNone
	for _, t := range trials {
		best = max(best, t.level(p, day))
	}
	return best
}

// rows returns the smallest choice of trials that reaches all goals, in the order of the table: the one of the fewest rows,
// of those the one with the fewest steps, then the one that is over first.
func (s *search) rows() []*trial {
	for size := 0; s.found == nil; size++ {
		s.choose([]int{}, 0, size)
	}
	slices.Sort(s.found)
	return s.at(s.found)
}

// at returns the trials at some places.
func (s *search) at(places []int) (list []*trial) {
	for _, i := range places {
		list = append(list, s.trials[i])
	}
	return list
}

// choose adds trials to a choice that reaches some goals already, so long as it is no larger than size, and keeps it
// where it is the smallest that reaches all.
func (s *search) choose(choice []int, reached uint64, size int) {
	next := bits.TrailingZeros64(^reached)
	switch {
	case next == len(s.goals):
		if s.found == nil || s.compare(s.at(choice), s.at(s.found)) < 0 {
			s.found = slices.Clone(choice)
		}
	case len(choice) < size:
		for i, tells := range s.tells {
			if tells>>next&1 == 1 {
				s.choose(append(choice, i), reached|tells, size)
			}
		}
	}
}

// compare orders as many rows as others by their steps, then by the day on which they are over.
func (s *search) compare(a, b []*trial) int {
	return cmp.Or(cmp.Compare(steps(a), steps(b)), cmp.Compare(s.through(a), s.through(b)))
}

func steps(rows []*trial) (n int) {
	for _, t := range rows {
		n += len(t.lines)
	}
	return n
}

// through returns the first day by which rows have told all that they tell.
func (s *search) through(rows []*trial) (through int) {
	for _, g := range s.goals {
		first := never
		for _, t := range rows {
			if s.reaches(t, g) {
				first = min(first, t.day(g.pair))
			}
		}
		if first != never {
			through = max(through, first)
		}
	}
	return through
}
