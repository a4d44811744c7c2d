package main

import (
	"fmt"
	"runtime"
	"strconv"
)

// A row of the table: something of ours against a peer, a limit or itself.
type row struct {
	id       string
	ours     string
	against  string
	goal     goal
	possible string
	// today is what a count that misses its goal is, so that a test finds it grown; 0 for one that meets it.
	today float64
	// note says where the two sides answer different questions.
	note string
	// cores is how many cores it takes; 0 is one.
	cores int
	// ready makes the contest; a row that counts has none.
	ready func() (contest, error)
	// count gives a number that needs no clock, such as allocations.
	count func() (float64, error)
}

// A goal is what the ratio of a row is held against.
type goal struct {
	kind  goalKind
	value float64
	unit  string // what a count counts
}

type goalKind uint8

const (
	told    goalKind = iota // no goal, shown as times as long as theirs
	atLeast                 // times as fast as theirs
	atMost                  // times as long as theirs
	share                   // part of theirs, shown in per cent
	upTo                    // a count
)

func faster(n float64) goal             { return goal{kind: atLeast, value: n} }
func within(n float64) goal             { return goal{kind: atMost, value: n} }
func percent(n float64) goal            { return goal{kind: share, value: n / 100} }
func allocs(n float64, per string) goal { return goal{kind: upTo, value: n, unit: per} }
func (g goal) ratio(ours, theirs float64) float64 {
	if g.kind == atLeast {
		return theirs / ours
	}
	return ours / theirs
}

// shortfall is how far a ratio is from the goal: 1 or less when it is met, 2 when it is
// missed twofold.
func (g goal) shortfall(ratio float64) float64 {
	switch g.kind {
	case told:
		return 0
	case atLeast:
		return g.value / ratio
	case upTo:
		if g.value == 0 {
			// Nothing is near to none at all.
			return 1 + 10*ratio
		}
	}
	return ratio / g.value
}

// show writes a ratio in the goal's unit.
func (g goal) show(ratio float64) string {
	switch g.kind {
	case upTo:
		return short(ratio)
	case share:
		return short(ratio*100) + " %"
	}
	return short(ratio) + "×"
}

func (g goal) String() string {
	switch g.kind {
	case told:
		return "none"
	case atLeast:
		return "≥ " + g.show(g.value)
	case upTo:
		return "≤ " + g.show(g.value) + " " + g.unit
	}
	return "≤ " + g.show(g.value)
}

// short is a number with three digits or so.
func short(x float64) string {
	switch {
	case x == float64(int64(x)) || x >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// miss is the shortfall at which -check fails: what lies below may be the machine.
const miss = 1.5

// A verdict is the last column of a row.
type verdict string

const (
	met         verdict = "met"
	near        verdict = "near"
	missed      verdict = "missed"
	isNoisy     verdict = "noisy"
	isTold      verdict = "told"
	notMeasured verdict = "not measured"
	tooFewCores verdict = "skipped: it needs more cores"
)

// A result is a row that was run.
type result struct {
	ratio   float64
	spread  float64 // 0 for a count
	verdict verdict
	details []string // lines for below the table
}

func (g goal) judge(ratio, spread float64) verdict {
	switch short := g.shortfall(ratio); {
	case g.kind == told:
		return isTold
	case spread > noisy:
		return isNoisy
	case short <= 1:
		return met
	case short <= miss:
		return near
	}
	return missed
}

// run checks the answers of a row and measures it.
func (r row) run(rounds int) (result, error) {
	if runtime.NumCPU() < r.cores {
		return result{verdict: tooFewCores}, nil
	}
	if r.count != nil {
		n, err := r.count()
		if err != nil {
			return result{verdict: notMeasured}, fmt.Errorf("%s: %w", r.id, err)
		}
		return result{ratio: n, verdict: r.goal.judge(n, 0)}, nil
	}
	c, err := r.ready()
	if c.end != nil {
		defer c.end()
	}
	if err == nil {
		err = c.agree()
	}
	if err != nil {
		return result{verdict: notMeasured}, fmt.Errorf("%s against %s: %w", r.id, r.against, err)
	}
	ours, theirs := measure(c, rounds)
	ratio, spread := r.goal.ratio(ours.min, theirs.min), max(ours.spread(), theirs.spread())
	return result{ratio: ratio, spread: spread, verdict: r.goal.judge(ratio, spread)}, nil
}
