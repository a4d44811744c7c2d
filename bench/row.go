package main

import (
	"fmt"
	"strconv"
)

// A row of the table: something of ours against a peer, a limit or itself.
type row struct {
	id       string
	ours     string
	against  string
	goal     goal
	possible string
	// note says where the two sides answer different questions.
	note string
	// ready makes the contest; a row that counts has none. It panics where there can be none, see
	// must.
	ready func() contest
	// count gives a number that needs no clock, such as allocations.
	count func() float64
}

// A goal is what the ratio of a row is compared with.
type goal struct {
	kind  goalKind
	value float64
	unit  string // what a count counts
}

type goalKind uint8

const (
	atLeast goalKind = iota // times as fast as theirs
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
	notMeasured verdict = "not measured"
)

// A result is a row that was run.
type result struct {
	ratio   float64
	spread  float64 // 0 for a count
	verdict verdict
}

func (g goal) judge(ratio, spread float64) verdict {
	switch short := g.shortfall(ratio); {
	case spread > noisy:
		return isNoisy
	case short <= 1:
		return met
	case short <= miss:
		return near
	}
	return missed
}

// A setupError is why a row could not be made ready.
type setupError struct{ error }

// must returns a value, and ends the row at hand if it could not be had.
func must[T any](v T, err error) T {
	if err != nil {
		panic(setupError{err})
	}
	return v
}

// run checks the answers of a row and measures it.
func (r row) run(rounds int) (got result, err error) {
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case setupError:
			got, err = result{verdict: notMeasured}, fmt.Errorf("%s against %s: %w", r.id, r.against, failed.error)
		default:
			panic(failed)
		}
	}()
	if r.count != nil {
		n := r.count()
		return result{ratio: n, verdict: r.goal.judge(n, 0)}, nil
	}
	c := r.ready()
	if c.end != nil {
		defer c.end()
	}
	must(0, c.agree())
	ours, theirs := measure(c, rounds)
	ratio, spread := r.goal.ratio(ours.min, theirs.min), max(ours.spread(), theirs.spread())
	return result{ratio: ratio, spread: spread, verdict: r.goal.judge(ratio, spread)}, nil
}
