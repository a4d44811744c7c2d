package reconcile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// tells makes a trial that tells pairs of values of start-past, each by a day.
func tells(days map[[2]int]int) *trial {
	told := &telling{values: 5}
	for v := range told.by {
		for w := range told.by[v] {
			told.by[v][w] = never
		}
	}
	for p, day := range days {
		told.by[p[0]][p[1]], told.by[p[1]][p[0]] = day, day
	}
	return &trial{told: map[ledger.Clause]*telling{clause.L03: told}}
}

// TestSearch: the smallest choice is found where the trial that tells most is none of it, and the last day is the least on
// which all is told that the rows tell.
func TestSearch(t *testing.T) {
	big := tells(map[[2]int]int{{0, 2}: 1, {0, 3}: 1, {0, 4}: 1, {1, 2}: 1})
	left := tells(map[[2]int]int{{0, 1}: 3, {0, 2}: 5, {0, 3}: 2})
	right := tells(map[[2]int]int{{0, 4}: 2, {1, 2}: 2, {1, 3}: 4, {0, 2}: 9})
	busy := tells(map[[2]int]int{{0, 1}: 0, {0, 2}: 0, {0, 3}: 0})
	busy.lines = make([]record.ScriptLine, 1)
	late := tells(map[[2]int]int{{0, 1}: 6, {0, 2}: 5, {0, 3}: 2})
	trials, keys := []*trial{busy, late, left, big, right}, []ledger.Clause{clause.L03}
	s := newSearch(trials, keys, 9)
	if len(s.goals) != 6 {
		t.Fatalf("%d goals", len(s.goals))
	}
	rows := s.rows()
	if !slices.Equal(rows, []*trial{left, right}) {
		t.Fatalf("%d rows, the big one among them: %v", len(rows), slices.Contains(rows, big))
	}
	if through := s.through(rows); through != 5 {
		t.Errorf("over on day %d, want 5: right tells one pair by day 9, which left tells by day 5", through)
	}
	if s := newSearch(trials, keys, 2); len(s.goals) != 5 {
		t.Errorf("%d goals in three days", len(s.goals))
	}
	if rows := newSearch(nil, keys, 9).rows(); len(rows) > 0 {
		t.Errorf("%d rows where nothing can be told", len(rows))
	}
}

// TestSmallest: no other choice among the rows of the table tells as much with fewer rows, with as many rows and fewer steps,
// or with as many of both and earlier.
func TestSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 4))
	all := slices.Collect(engine.Keys())
	for n := range 20 {
		asOf := calendar.MustParse("2026-01-01").AddDays(r.IntN(1500))
		o := ProbeOptions{AsOf: asOf, Days: 1 + r.IntN(120)}
		for _, c := range all {
			if n%2 == 1 && r.IntN(3) == 0 {
				o.Keys = append(o.Keys, c)
			}
		}
		sums, err := o.settle()
		if err != nil {
			t.Fatal(err)
		}
		s := newSearch(tryAll(asOf, o.Days, sums), o.Keys, o.Days-1)
		rows := s.rows()
		if len(rows) > 12 {
			t.Errorf("%v, %d days: %d rows", asOf, o.Days, len(rows))
		}
		choices(s, len(rows), func(other []*trial) {
			if s.compare(other, rows) < 0 || len(other) < len(rows) {
				t.Errorf("%v, %d days, %v: %d rows with %d steps through day %d would do, and there are %d, %d and %d",
					asOf, o.Days, o.Keys, len(other), steps(other), s.through(other), len(rows), steps(rows), s.through(rows))
			}
		})
	}
}

// choices calls f with every choice of trials, up to a size, that tells each pair as certainly as all trials do.
func choices(s *search, most int, f func([]*trial)) {
	var add func(from int, rows []*trial, left uint64)
	add = func(from int, rows []*trial, left uint64) {
		if left == 0 {
			f(rows)
			return
		}
		for i := from; i < len(s.trials) && len(rows) < most; i++ {
			if s.tells[i]&left != 0 {
				add(i+1, append(rows, s.trials[i]), left&^s.tells[i])
			}
		}
	}
	add(0, nil, 1<<len(s.goals)-1)
}

// TestUnless: a key is told unless another has a value under which it has no effect, and not where that value lets it have
// one; always, where that is possible.
func TestUnless(t *testing.T) {
	three := &trial{keys: []axis{{clause.L14, 2, 1}, {clause.L15, 2, 2}, {clause.L16, 2, 4}}}
	for _, c := range []struct {
		reason string
		class  []int // of keep and reset, under keep and resume-date, under skip and catch-up
		want   *condition
		told   bool
	}{
		{"always told", []int{0, 1, 2, 3, 4, 5, 6, 7}, nil, true},
		{"never told", []int{0, 0, 2, 2, 4, 4, 6, 6}, nil, false},
		{"no effect under resume-date", []int{0, 1, 2, 2, 0, 1, 2, 2}, &condition{1, 1}, true},
		{"no effect under keep", []int{2, 2, 0, 1, 2, 2, 0, 1}, &condition{1, 0}, true},
		{"an effect under resume-date that catch-up turns round", []int{0, 1, 2, 3, 0, 1, 3, 2}, nil, false},
		{"no effect under resume-date, where all is as under keep", []int{0, 1, 0, 0, 0, 1, 0, 0}, nil, false},
	} {
		got, told := three.unless(0, c.class)
		if told != c.told || (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v, %v", c.reason, got, told)
		}
	}
}
