package campaign

import (
	"flag"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
	"github.com/chargecast/chargecast/internal/oracle"
)

var wholeGrid = flag.Bool("grid", false, "judge the whole grid of law C30: about three minutes")

// startAt is the number of a day in the cycle.
func startAt(year, month, day int) uint64 {
	return uint64(oracle.DayOf(year, month, day) - gridStart(0))
}

// TestGridIsRight: our own series and the walk agree, on the starts that differ most or on all of them.
func TestGridIsRight(t *testing.T) {
	starts := []uint64{
		0, gridStarts - 1, startAt(2028, 2, 29), startAt(2026, 1, 29), startAt(2026, 1, 30), startAt(2026, 1, 31), startAt(2026, 3, 31),
		startAt(2096, 2, 29), startAt(2100, 2, 28), startAt(2399, 12, 31), startAt(2026, 12, 1),
	}
	if *wholeGrid {
		starts = nil
		for n := range uint64(gridStarts) {
			starts = append(starts, n)
		}
	}
	ours := fuzz.Ours()
	var wg sync.WaitGroup
	for part := range slices.Chunk(starts, len(starts)/runtime.GOMAXPROCS(0)+1) {
		wg.Go(func() {
			for _, n := range part {
				if report := judgeStart(ours, n); report != "" {
					t.Error(report)
				}
			}
		})
	}
	wg.Wait()
}

// TestGridRejects: the grid sees a fault in the closed form.
func TestGridRejects(t *testing.T) {
	for _, name := range []string{"skip-subsampled", "month-drift", "overflow-chained", "next-first-as-overflow", "interval-plus-one", "skip-counts-missing", "clamp-to-28"} {
		if judgeStart(*member(t, name), startAt(2026, 1, 31)) == "" && judgeStart(*member(t, name), startAt(2026, 3, 31)) == "" {
			t.Errorf("%s passes", name)
		}
	}
}

// TestGridWalk holds a few walked dates to dates written by hand.
func TestGridWalk(t *testing.T) {
	w := walkFrom(gridStart(startAt(2028, 1, 31)))
	for _, c := range []struct {
		end   calendar.MonthEnd
		month int
		want  string
	}{
		{calendar.MonthEndClamp, 0, "2028-01-31"},
		{calendar.MonthEndClamp, 1, "2028-02-29"},
		{calendar.MonthEndClamp, 13, "2029-02-28"},
		{calendar.MonthEndNextFirst, 1, "2028-03-01"},
		{calendar.MonthEndOverflow, 1, "2028-03-02"},
		{calendar.MonthEndOverflow, 13, "2029-03-03"},
		{calendar.MonthEndOverflow, 2, "2028-03-31"},
		{calendar.MonthEndSkip, 2, "2028-03-31"},
		{calendar.MonthEndOverflow, gridMonths, "2064-01-31"},
	} {
		if got := w.inMonth[c.end][c.month]; got.String() != c.want {
			t.Errorf("%v, month %d: %v, want %s", c.end, c.month, got, c.want)
		}
	}
	if d := w.inMonth[calendar.MonthEndSkip][1]; !d.IsZero() {
		t.Errorf("skip has %v in February", d)
	}
}

// TestGridGoesOn: what was judged of the grid is kept, the rest is judged next, and what fails is judged again.
func TestGridGoesOn(t *testing.T) {
	o := Options{Targets: []string{"C30"}, Inputs: 3, Store: storeIn(t, t.TempDir())}
	run(t, o)
	if g := run(t, o).Grid; g == nil || g.Series != 3*gridSeries || g.All != 6*gridSeries || g.Whole != 63_113_904 || len(g.Failures) > 0 {
		t.Errorf("%+v", g)
	}
	c := &campaign{Options: o, ctx: t.Context()}
	c.Workers = 2
	c.judgeGrid(*member(t, "interval-plus-one"))
	if g := c.report.Grid; len(g.Failures) == 0 || g.All != 6*gridSeries || c.report.OK() {
		t.Errorf("%+v", g)
	}
}

// member is a known-wrong implementation.
func member(t *testing.T, name string) *fuzz.Impl {
	t.Helper()
	m, ok := gallery.Find(name)
	if !ok {
		t.Fatalf("the gallery has no %s", name)
	}
	impl := m.Impl()
	return &impl
}
