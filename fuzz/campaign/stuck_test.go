package campaign

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// without is chargecast with functions that do not come to an end until release is closed.
func without(release chan struct{}, stuckAt func(start calendar.Date) bool) *fuzz.Impl {
	impl := fuzz.Ours()
	parse, grid := impl.ParseAmount, impl.NewGrid
	impl.ParseAmount = func(text string) (amount.Amount, error) {
		<-release
		return parse(text)
	}
	impl.NewGrid = func(start calendar.Date, u calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
		if stuckAt(start) {
			<-release
		}
		return grid(start, u, interval, end)
	}
	return &impl
}

func never(calendar.Date) bool  { return false }
func always(calendar.Date) bool { return true }

// fast is a test with a clock that goes on when all wait, and a channel that is closed at its end.
func fast(t *testing.T, test func(t *testing.T, release chan struct{})) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		test(t, release)
	})
}

// about reports whether a time is over one of caseTimeout, by no more than the eighth after which a worker is looked at.
func about(took, want time.Duration) bool { return took >= want && took <= want+want/8 }

// TestLawWithoutEnd: a case that does not come to an end is a finding, ends its law and no other, and is judged
// again by later campaigns.
func TestLawWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	fast(t, func(t *testing.T, release chan struct{}) {
		o := Options{Impl: without(release, never), Laws: []string{"A01", "C07"}, Cases: 1000, Dir: dir, Workers: 2}
		for campaign := range 2 {
			begun := time.Now()
			r := run(t, o)
			if len(r.Findings) != 1 || r.Findings[0].Law != "A01" || r.Findings[0].Token == "" || r.Findings[0].Message != "no answer within 25s" || !r.Findings[0].Fails() {
				t.Errorf("campaign %d: findings %+v", campaign, r.Findings)
			}
			if r.Findings[0].New != (campaign == 0) || r.Laws[0].Cases != 1 || r.Laws[1].Cases != 1000 || r.Incomplete != "" {
				t.Errorf("campaign %d: %s", campaign, r.AppendText(nil))
			}
			if took := time.Since(begun); !about(took, time.Duration(campaign+1)*caseTimeout) {
				t.Errorf("campaign %d took %v", campaign, took)
			}
		}
		o.Impl = nil
		if r := run(t, o); !r.OK() || r.Laws[0].Cases != 1000 {
			t.Errorf("mended: %s", r.AppendText(nil))
		}
	})
}

// TestLawsWithoutEnd: a campaign whose laws do not come to an end is over soon after its time, and leaves out laws when
// too many cases had no answer.
func TestLawsWithoutEnd(t *testing.T) {
	for _, c := range []struct {
		laws     []string
		time     time.Duration
		cases    uint64
		took     time.Duration
		findings int
		reason   string
	}{
		{[]string{"A01"}, 10 * time.Second, 0, caseTimeout, 1, "a case that begins in time gets its time"},
		{[]string{"A01", "A02"}, 10 * time.Second, 0, caseTimeout, 2, "two workers wait at once"},
		{[]string{"A01", "A02", "C08", "C09", "C10", "C16"}, time.Minute, 0, 2 * caseTimeout, 4, "three lost cases end all"},
		{[]string{"C24"}, 10 * time.Second, 0, caseTimeout, 1, "a law with one case may not go on past the time"},
		{[]string{"C24"}, 0, 5, 10 * caseTimeout, 1, "by number it gets more time"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			fast(t, func(t *testing.T, release chan struct{}) {
				begun := time.Now()
				r := run(t, Options{Impl: without(release, always), Laws: c.laws, Time: c.time, Cases: c.cases, Workers: 2})
				if took := time.Since(begun); !about(took, c.took) || len(r.Findings) != c.findings {
					t.Errorf("%v, %d findings: %s", took, len(r.Findings), r.AppendText(nil))
				}
				for i, form := range forms(r) {
					if strings.Contains(form, "cases were left out after 4 cases without an answer") != (c.findings == 4) {
						t.Errorf("form %d:\n%s", i, form)
					}
				}
			})
		})
	}
}

// TestSlowCases: where each case fails and takes its time, a campaign shrinks no longer than its time, says so, and is
// over soon after it. A later campaign judges the findings again without shrinking them.
func TestSlowCases(t *testing.T) {
	const takes = 6 * time.Second
	dir := t.TempDir()
	fast(t, func(t *testing.T, _ chan struct{}) {
		impl := fuzz.Ours()
		impl.ParseAmount = func(string) (amount.Amount, error) {
			time.Sleep(takes)
			return amount.Amount{}, errors.New("refused")
		}
		for campaign := range 2 {
			begun := time.Now()
			r := run(t, Options{Impl: &impl, Laws: []string{"A01"}, Time: time.Minute, Dir: dir, Workers: 2})
			if took := time.Since(begun); took > time.Minute+caseTimeout || len(r.Findings) == 0 {
				t.Errorf("campaign %d took %v: %s", campaign, took, r.AppendText(nil))
			}
			stopped := 0
			for _, f := range r.Findings {
				if f.ShrinkStopped != "" {
					stopped++
				}
			}
			all := forms(r)
			if stopped == 0 || strings.Count(all[0], "not shrunk further: ") != stopped || strings.Count(all[1], `"shrink_stopped":"`) != stopped || strings.Count(all[2], "not shrunk further: ") != stopped {
				t.Errorf("%d findings were not shrunk as far as possible:\n%s", stopped, all)
			}
		}
	})
}

// TestFailureAtTheDeadline: where the time is over once a failing case is judged, the cases that were judged count, and
// the next campaign goes on with the first that was not: that one, and no other, is behind the last one that counts.
func TestFailureAtTheDeadline(t *testing.T) {
	dir := t.TempDir()
	fast(t, func(t *testing.T, _ chan struct{}) {
		begun, broken := time.Now(), false
		impl := fuzz.Ours()
		parse := impl.ParseAmount
		impl.ParseAmount = func(text string) (amount.Amount, error) {
			time.Sleep(time.Microsecond) // so that a batch has many cases
			if !broken && time.Since(begun) > 100*time.Millisecond {
				broken = true
				time.Sleep(20 * time.Second) // past the deadline
			}
			if broken {
				return amount.Amount{}, errors.New("refused")
			}
			return parse(text)
		}
		r := run(t, Options{Impl: &impl, Laws: []string{"A01"}, Time: 15 * time.Second, Dir: dir, Workers: 1})
		var s state
		if err := json.Unmarshal([]byte(files(t, dir)[stateFile]), &s); err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || s.Laws["A01"] != (lawState{r.Cases(), r.Cases()}) {
			t.Fatalf("%+v: %s", s.Laws, r.AppendText(nil))
		}
		if last := indexOf(r.Findings[0].Token); last+1 != r.Cases() {
			t.Errorf("case %d fails, and %d are counted", last, r.Cases())
		}
	})
	// Some later batch may be given out in full before: a fixed one shows that the rest of its cases is not lost.
	q := &queue{c: &campaign{}}
	of := &queued{law: law{random: true}, rest: math.MaxUint64, left: 100, taken: 0}
	q.give(of, 50)
	b := q.give(of, 50)
	of.leave(q, b.first+20, b.first+b.n)
	of.leave(q, 10, 50)
	if of.rest != 10 || of.taken != 30 || q.taken != 30 || of.next != 100 {
		t.Errorf("%+v", of)
	}
}

// TestGridWithoutEnd: a start of the grid that does not come to an end is a finding, and the others are judged; after
// three of them the rest is left to the next campaign.
func TestGridWithoutEnd(t *testing.T) {
	second := dayOf(oracle.At(gridStart(2)))
	fast(t, func(t *testing.T, release chan struct{}) {
		o := Options{Impl: without(release, func(d calendar.Date) bool { return d == second }), Laws: []string{"C30"}, Cases: 5, Dir: t.TempDir(), Workers: 2}
		for range 2 {
			r := run(t, o)
			i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Grid == 3 })
			if len(r.Findings) != 1 || i < 0 || r.Findings[i].Message != "2000-01-03: no answer within 25 seconds" || r.Grid.Series != 5*gridSeries {
				t.Errorf("%+v, %+v", r.Grid, r.Findings)
			}
		}
	})
	fast(t, func(t *testing.T, release chan struct{}) {
		o := Options{Impl: without(release, func(d calendar.Date) bool { return !d.Before(second) }), Laws: []string{"C30"}, Cases: 500, Dir: t.TempDir(), Workers: 1}
		r := run(t, o)
		if len(r.Findings) != 3 || r.Grid.All != 5*gridSeries || r.Incomplete == "" {
			t.Errorf("%+v, %s", r.Grid, r.AppendText(nil))
		}
	})
}

// TestGridPanics: an implementation that panics is a finding of the grid.
func TestGridPanics(t *testing.T) {
	impl := fuzz.Ours()
	impl.NewGrid = func(calendar.Date, calendar.Unit, int, calendar.MonthEnd) (laws.Grid, error) { panic("oops") }
	if got := tryStart(impl, 0); got != "oops" {
		t.Errorf("%q", got)
	}
}
