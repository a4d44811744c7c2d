package reconcile

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// tells makes a trial that tells pairs of values of start-past, each by a day.
func tells(days map[[2]int]int) *trial {
	told := telling{clause: clause.L03, values: 5}
	for v := range told.by {
		for w := range told.by[v] {
			told.by[v][w] = never
		}
	}
	for p, day := range days {
		told.by[p[0]][p[1]], told.by[p[1]][p[0]] = day, day
	}
	return &trial{draft: new(draft), told: []telling{told}}
}

// TestSearch: a row that the ones chosen after it make superfluous is left out, and the last day is the least on which all
// is told that the rows tell.
func TestSearch(t *testing.T) {
	big := tells(map[[2]int]int{{0, 2}: 1, {0, 3}: 1, {0, 4}: 1, {1, 2}: 1})
	left := tells(map[[2]int]int{{0, 1}: 3, {0, 2}: 5, {0, 3}: 2})
	right := tells(map[[2]int]int{{0, 4}: 2, {1, 2}: 2, {1, 3}: 4, {0, 2}: 9})
	busy := tells(map[[2]int]int{{0, 1}: 0, {0, 2}: 0, {0, 3}: 0})
	busy.lines = make([]record.ScriptLine, 1)
	s := search{of: &Experiment{Keys: []ledger.Clause{clause.L03}, Days: 10}, trials: []*trial{busy, left, big, right}}
	s.listPairs()
	if len(s.pairs) != 6 {
		t.Fatalf("%d pairs", len(s.pairs))
	}
	rows := s.rows()
	if !slices.Equal(rows, []*trial{left, right}) {
		t.Fatalf("%d rows, the big one among them: %v", len(rows), slices.Contains(rows, big))
	}
	if through := s.through(rows); through != 5 {
		t.Errorf("over on day %d, want 5: right tells one pair by day 9, which left tells by day 5", through)
	}
	s.of.Days = 3 // the last of which is day 2
	s.pairs, s.best = nil, nil
	if s.listPairs(); len(s.pairs) != 5 {
		t.Errorf("%d pairs in three days", len(s.pairs))
	}
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
