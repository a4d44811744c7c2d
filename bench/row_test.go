package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/race"
)

// Every row of the table is made ready and both sides answer the same. Nothing here looks
// at a clock.
func TestRowsAgree(t *testing.T) {
	for _, r := range allRows() {
		t.Run(r.id+" "+r.ours+" against "+r.against, func(t *testing.T) {
			if r.count != nil {
				checkCount(t, r)
				return
			}
			c := r.ready()
			if c.end != nil {
				defer c.end()
			}
			if err := c.agree(); err != nil {
				t.Error(err)
			}
			if c.ours.units <= 0 || c.theirs.units <= 0 {
				t.Error("a side without units")
			}
		})
	}
}

// checkCount compares the count of a row with its goal: it does not depend on the machine.
func checkCount(t *testing.T, r row) {
	t.Helper()
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	if n := r.count(); r.goal.judge(n, 0) != met {
		t.Errorf("%s %s, goal %v", r.goal.show(n), r.goal.unit, r.goal)
	}
}

// The sums that the rows compare could agree by chance; the dates themselves cannot.
func TestDatesOneByOne(t *testing.T) {
	const n = 400
	for _, g := range []grid{
		{datesFrom, calendar.UnitMonth, 1},
		{datesFrom, calendar.UnitMonth, 3},
		{"2024-01-15", calendar.UnitMonth, 1},
		{datesFrom, calendar.UnitDay, 1},
		{datesFrom, calendar.UnitDay, 3},
		{datesFrom, calendar.UnitWeek, 1},
	} {
		next, idiom := g.rule().Iterator(), newTimeSchedule(g)
		for k, d := range g.schedule().From(0) {
			rule, _ := next()
			if calendar.Of(rule) != d || calendar.Of(idiom.at(k)) != d {
				t.Fatalf("%+v: date %d: ours %v, rrule-go %v, time %v", g, k, d, rule, idiom.at(k))
			}
			if k == n {
				break
			}
		}
	}
}

func TestGoal(t *testing.T) {
	for _, c := range []struct {
		reason       string
		goal         goal
		ours, theirs float64
		spread       float64
		text         string
		want         verdict
	}{
		{"fast enough", faster(50), 1, 60, 1, "60×", met},
		{"just fast enough", faster(50), 1, 50, 1, "50×", met},
		{"not fast enough, by less than half", faster(50), 1, 40, 1, "40×", near},
		{"not fast enough by far", faster(50), 1, 20, 1, "20×", missed},
		{"near the limit", within(3), 2, 1, 1, "2×", met},
		{"over the limit", within(3), 4, 1, 1, "4×", near},
		{"far over the limit", within(3), 5, 1, 1, "5×", missed},
		{"a small share", percent(1), 1, 200, 1, "0.50 %", met},
		{"too large a share", percent(1), 2, 100, 1, "2 %", missed},
		{"noise gives no verdict, good or bad", faster(50), 1, 20, 1.31, "20×", isNoisy},
	} {
		ratio := c.goal.ratio(c.ours, c.theirs)
		if got := c.goal.judge(ratio, c.spread); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
		if got := c.goal.show(ratio); got != c.text {
			t.Errorf("%s: shown as %q, want %q", c.reason, got, c.text)
		}
	}
	for n, want := range map[float64]verdict{0: met, 2: met, 2.5: near, 4: missed} {
		if got := allocs(2, "a row").judge(n, 0); got != want {
			t.Errorf("%v allocations of 2: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[float64]verdict{0: met, 1: missed} {
		if got := allocs(0, "a date").judge(n, 0); got != want {
			t.Errorf("%v allocations of none: %s, want %s", n, got, want)
		}
	}
}

func TestSummary(t *testing.T) {
	if got := summary([]float64{5, 2, 4, 3, 9, 2, 2}); got.min != 2 || got.median != 3 || got.spread() != 1.5 {
		t.Errorf("%+v", got)
	}
}

// A side that answers wrongly is never timed.
func TestWrongAnswer(t *testing.T) {
	timed := 0
	wrong := side{1, func() uint64 { timed++; return 1 }}
	right := side{1, func() uint64 { return 2 }}
	r := row{id: "X", against: "y", goal: faster(1), ready: func() contest { return contest{ours: wrong, theirs: right} }}
	got, err := r.run(minRounds)
	if err == nil || got.verdict != notMeasured || timed != 1 {
		t.Errorf("%v, %v, %d runs", got, err, timed)
	}
	r.ready = func() contest { return must(contest{}, errors.New("no workload")) }
	var stdout, stderr bytes.Buffer
	if o := printTable(&stdout, &stderr, []row{r}, minRounds); !o.failed || o.missed {
		t.Errorf("outcome %+v", o)
	}
	if !strings.Contains(stderr.String(), "no workload") || !strings.Contains(stdout.String(), string(notMeasured)) {
		t.Errorf("printed %q and %q", stdout.String(), stderr.String())
	}
}

// -check looks at what printTable says was missed: only what is missed by far, not what
// is near or noisy.
func TestMissed(t *testing.T) {
	for n, want := range map[float64]bool{2: false, 2.9: false, 3.1: true} {
		r := row{id: "X", against: "allocations", goal: allocs(2, "a row"), count: func() float64 { return n }}
		var stdout, stderr bytes.Buffer
		if o := printTable(&stdout, &stderr, []row{r}, minRounds); o.missed != want || o.failed {
			t.Errorf("%v of 2: %+v", n, o)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "3"}, {"file"}, {"-only", "P99"}, {"-wrong"}} {
		var stdout, stderr bytes.Buffer
		if code := run(args, &stdout, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("%q: exit %d, %q", args, code, stderr.String())
		}
	}
}
