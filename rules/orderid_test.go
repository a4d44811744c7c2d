package rules

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestOrderIDsOfFewRowsAndMany: whichever of the three ways an id is remembered (rising, few, in a
// table), a row is a repetition of the first row with its id, and of no other (L47). The sizes lie on
// both sides of where one way hands over to the next.
func TestOrderIDsOfFewRowsAndMany(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		rows, kinds := 1+chance.IntN(12), 1+chance.IntN(16)
		rising := chance.IntN(rows + 1)   // rows that rise before the first that does not
		step := 1 + chance.IntN(2)*40_000 // some rows are too far from the first for its block
		ids, first, row := orderIDs{most: 1 << 20}, map[string]int{}, 0
		for n := range rows {
			row += step
			id := strconv.Itoa(chance.IntN(kinds))
			if n < rising {
				id = fmt.Sprintf("r%06d", n)
			}
			if got, _ := ids.meet(id, row); got != first[id] {
				t.Fatalf("round %d: row %d with the id %q repeats row %d, want %d", round, row, id, got, first[id])
			}
			if first[id] == 0 {
				first[id] = row
			}
		}
		if ids.n != len(first) || ids.partial {
			t.Fatalf("round %d: %d ids, cut %t, want %d", round, ids.n, ids.partial, len(first))
		}
	}
}

// TestOrderIDsUpToALimit: past the limit no id is remembered, the summary says so, and those
// before it are still found, be they few or many.
func TestOrderIDsUpToALimit(t *testing.T) {
	for _, most := range []int{0, 1, 3, 4, 5} {
		ids := orderIDs{most: most}
		falling := func(n int) string { return fmt.Sprintf("%04d", 9000-n) }
		for n := range most + 2 {
			earlier, full := ids.meet(falling(n), n+1)
			if earlier != 0 {
				t.Errorf("most %d: row %d is new", most, n+1)
			}
			if full != (n == max(most, 1)) {
				t.Errorf("most %d: row %d is the first that is not remembered: %t", most, n+1, full)
			}
		}
		if ids.n != most || !ids.partial {
			t.Errorf("most %d: %d ids, cut %t", most, ids.n, ids.partial)
		}
		for n := range most + 2 {
			want := n + 1
			if n >= most {
				want = 0
			}
			if got, _ := ids.meet(falling(n), 10_000+n); got != want {
				t.Errorf("most %d: the id of row %d repeats row %d, want %d", most, n+1, got, want)
			}
		}
	}
}
