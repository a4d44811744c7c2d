package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A growth shows how the time for totals by day grows with one of three things: the number of
// profiles, the years of the window, the interval of the profiles.
type growth struct {
	title, axis string
	points      []growthPoint
}

// A growthPoint is one workload with what it took.
type growthPoint struct {
	x            int // what grows
	work         growthWork
	ours, theirs time.Duration // 0: not measured
}

// A growthWork is totals by day of so many profiles of W1, with another window or interval.
type growthWork struct{ profiles, years, interval int }

const (
	growthProfiles = 1_000 // where something else grows
	growthYears    = 5
	// naivePatience is how long the naive side may be expected to take for one point.
	naivePatience = 4 * time.Second
	// growthPasses is how often all points are measured, and growthRuns how often a side of a point
	// runs each time; the least time counts.
	growthPasses = 2
	growthRuns   = 8
	// growthBook is how many profiles are kept in memory; more of them are these again.
	growthBook = 1_000_000
)

// growths are the three of them, up to so many profiles.
func growths(most int) []growth {
	profiles := growth{title: "Profiles", axis: "profiles, 5 years, each day, week or month"}
	for n := 1_000; n <= most; n *= 10 {
		profiles.add(n, growthWork{n, growthYears, 1})
		if half := n * 10 / 3; half <= most {
			profiles.add(half, growthWork{half, growthYears, 1})
		}
	}
	years := growth{title: "Window", axis: "years, 1,000 profiles"}
	for _, n := range []int{1, 2, 5, 10, 20, 50, 100} {
		years.add(n, growthWork{growthProfiles, n, 1})
	}
	intervals := growth{title: "Interval", axis: "interval, 1,000 profiles, 5 years"}
	for _, n := range []int{1, 3, 10, 30, 100, 300, 1_000} {
		intervals.add(n, growthWork{growthProfiles, growthYears, n})
	}
	return []growth{profiles, years, intervals}
}

func (g *growth) add(x int, w growthWork) { g.points = append(g.points, growthPoint{x: x, work: w}) }

// measure takes the time of every point, and keeps the shorter one of an earlier pass. Both sides must come to the same totals.
func (g *growth) measure(list []engine.Profile, log io.Writer) error {
	expected := time.Duration(0) // of the naive side
	for i := range g.points {
		p := &g.points[i]
		if i > 0 && g.points[i-1].theirs > 0 {
			expected = g.points[i-1].theirs * time.Duration(p.work.charges()) / time.Duration(g.points[i-1].work.charges())
		}
		ours := p.work.ours(list)
		if i == 0 || g.points[i-1].theirs > 0 && expected <= naivePatience {
			naive, err := p.work.naive()
			if err != nil {
				return err
			}
			if ours.run() != naive.run() {
				return fmt.Errorf("%s %d: the sides disagree", g.title, p.x)
			}
			p.theirs = shorter(p.theirs, least(naive))
		}
		p.ours = shorter(p.ours, least(ours))
		fmt.Fprintf(log, "%s %d: %v, %v\n", g.title, p.x, p.ours, p.theirs)
	}
	return nil
}

// charges is roughly how many charges there are, which is what the naive side's time grows with.
func (w growthWork) charges() int { return max(w.profiles, w.profiles*w.years*55/w.interval) }

// shorter is the shorter of two times, of which the first may not have been measured.
func shorter(before, now time.Duration) time.Duration {
	if before == 0 {
		return now
	}
	return min(before, now)
}

// least is the least time of several runs.
func least(s side) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range growthRuns {
		runtime.GC()
		best = min(best, clock(s, 1))
		if best > time.Second {
			break
		}
	}
	return best
}

// ours adds the profiles to a book and reads its totals by day.
func (w growthWork) ours(list []engine.Profile) side {
	return answers(w.profiles, func() (none portfolioSums, _ int) {
		p, err := engine.New(engine.Policy{}).NewBook(portfolioScope(w.years))
		if err != nil {
			return none, 0
		}
		for i := range w.profiles {
			profile := list[i%len(list)]
			profile.Interval = w.interval
			if err := p.Add(engine.Stored{Profile: profile}); err != nil {
				return none, 0
			}
		}
		return sumUp(p)
	})
}

// naive walks the dates of each rule and adds decimals in a map. Its rules are ready before the time
// is taken.
func (w growthWork) naive() (side, error) {
	last, _ := calendar.New(2026+w.years-1, time.December, 31)
	rules, err := naiveRules(w.profiles, w.interval, last.String())
	return naiveSide(rules), err
}
