package main

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A side is one way to do the work of a row.
type side struct {
	// units is how many dates, rows or whatever the row counts one run makes.
	units int
	// run does the work once and gives an answer made from all of its results, so that
	// nothing can be left out and the two sides can be compared.
	run func() uint64
}

// A contest is a row made ready: keys parsed, rules built, data in memory.
type contest struct {
	ours, theirs side
	// differ stands in for comparing the two answers where they cannot be equal. It
	// gives an error when either side is wrong.
	differ func() error
	// end takes away what the contest left outside the program; nil: nothing.
	end func()
}

// agree runs both sides once and compares what they answer.
func (c contest) agree() error {
	if c.differ != nil {
		return c.differ()
	}
	if a, b := c.ours.run(), c.theirs.run(); a != b {
		return fmt.Errorf("the sides disagree: ours %d, theirs %d", a, b)
	}
	return nil
}

const (
	// minRounds is the fewest rounds whose minimum is worth printing.
	minRounds = 7
	// minRound is how long one side of a round takes at least: short against the
	// scheduler, a round is chance.
	minRound = 20 * time.Millisecond
	// noisy is the quotient of median and minimum above which a row has no verdict.
	noisy = 1.3
)

// A sample is what one side took, in nanoseconds a unit.
type sample struct{ min, median float64 }

func (s sample) spread() float64 { return s.median / s.min }

// measure times the two sides in turns. Each goes first in every other round, for the
// second one finds the caches and the clock as the first one left them.
func measure(c contest, rounds int) (ours, theirs sample) {
	sides := [2]side{c.ours, c.theirs}
	var reps [2]int
	for i, s := range sides {
		reps[i] = enough(s)
	}
	times := [2][]float64{}
	for round := range rounds {
		for turn := range sides {
			i := (round + turn) % 2
			runtime.GC()
			d := clock(sides[i], reps[i])
			times[i] = append(times[i], float64(d)/float64(reps[i]*sides[i].units))
		}
	}
	return summary(times[0]), summary(times[1])
}

// enough is how often a side runs in a round.
func enough(s side) int {
	for reps := 1; ; reps *= 2 {
		d := clock(s, reps)
		if d >= minRound {
			return reps
		}
		if d > minRound/8 {
			// A tenth more than needed, for a round must not fall short.
			return 1 + int(float64(reps)*1.1*float64(minRound)/float64(d))
		}
	}
}

func clock(s side, reps int) time.Duration {
	begin := time.Now()
	var answer uint64
	for range reps {
		answer ^= s.run()
	}
	d := time.Since(begin)
	runtime.KeepAlive(answer)
	return d
}

func summary(times []float64) sample {
	slices.Sort(times)
	return sample{min: times[0], median: times[len(times)/2]}
}

// allocated is the number of objects that a side allocates for each of its units.
func allocated(s side) float64 {
	return testing.AllocsPerRun(3, func() { s.run() }) / float64(s.units)
}
