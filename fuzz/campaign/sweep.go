package campaign

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// A sweep judges the starts of the grid in one campaign.
type sweep struct {
	sync.Mutex
	c        *campaign
	ctx      context.Context
	deadline time.Time // zero for none
	next     uint64    // the start whose turn is next
	end      uint64
	left     uint64 // the first start that was given out and not judged
	bad      map[uint64]string
}

// stripe is how many starts a worker takes at once.
const stripe = 64

// runGrid judges starts of the grid, side by side: as many as a campaign by number has cases, or
// for a quarter of the time that laws have.
func (c *campaign) runGrid(ctx context.Context, deadline time.Time) {
	if !deadline.IsZero() {
		deadline = time.Now().Add(time.Until(deadline) / 4)
	}
	first, end := c.state.Grid, uint64(gridStarts)
	if c.Cases > 0 {
		end = min(end, first+c.Cases)
	}
	s := &sweep{c: c, ctx: ctx, deadline: deadline, next: first, end: end, left: gridStarts, bad: map[uint64]string{}}
	var wg sync.WaitGroup
	for range c.Workers {
		wg.Go(s.work)
	}
	wg.Wait()
	c.state.Grid = min(s.next, s.left)
	c.report.Grid = Grid{Series: (c.state.Grid - first) * gridSeries, All: c.state.Grid * gridSeries, Whole: gridStarts * gridSeries}
	c.keepGrid(s.bad)
}

// take is the next stripe; an empty one when no more are to be judged.
func (s *sweep) take() (from, to uint64) {
	s.Lock()
	defer s.Unlock()
	if s.ctx.Err() != nil || s.c.gaveUp() || !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		return 0, 0
	}
	from = s.next
	s.next = min(s.next+stripe, s.end)
	return from, s.next
}

func (s *sweep) work() {
	for from, to := s.take(); from < to; from, to = s.take() {
		for n := from; n < to; n++ {
			if s.c.gaveUp() {
				s.leave(n)
				return
			}
			if report := tryStart(*s.c.Impl, n); report != "" {
				s.fails(n, report)
			}
		}
	}
}

// leave leaves a start, and all behind it, to the next campaign.
func (s *sweep) leave(n uint64) {
	s.Lock()
	defer s.Unlock()
	s.left = min(s.left, n)
}

func (s *sweep) fails(n uint64, report string) {
	s.Lock()
	defer s.Unlock()
	s.bad[n] = report
	if strings.HasSuffix(report, noAnswer) {
		s.c.lost.Add(1)
	}
}

// tryStart is judgeStart with a limit of time and for an implementation that may panic.
func tryStart(impl fuzz.Impl, n uint64) string {
	report := within("the implementation", func() string { return judgeStart(impl, n) })
	if report == noAnswer {
		return dayOf(oracle.At(gridStart(n))).String() + ": " + noAnswer // a finding is known by its message
	}
	return report
}

// keepGrid keeps the first starts that fail.
func (c *campaign) keepGrid(bad map[uint64]string) {
	for range min(mostFindings, len(bad)) {
		least := uint64(gridStarts)
		for n := range bad {
			least = min(least, n)
		}
		l := lawsOf([]string{"C30"})[0]
		c.found(Finding{Law: l.id, Clause: l.clause, Formula: l.formula, Message: bad[least], Grid: least + 1})
		delete(bad, least)
	}
}
