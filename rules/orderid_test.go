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
		if ids.n != len(first) || ids.cut {
			t.Fatalf("round %d: %d ids, cut %t, want %d", round, ids.n, ids.cut, len(first))
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
		if ids.n != most || !ids.cut {
			t.Errorf("most %d: %d ids, cut %t", most, ids.n, ids.cut)
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

// TestOrderIDsOfRowsBetweenChunks: a row that was read between two chunks got room for thousands of ids, each time, which
// stayed empty: a payload that can be divided only now and then took several times the memory of others.
func TestOrderIDsOfRowsBetweenChunks(t *testing.T) {
	ids, row := orderIDs{most: 1 << 20}, 0
	id := func(row int) string { return fmt.Sprintf("%07d", row) }
	for range 1000 {
		var chunk listedIDs
		for n := range 200 {
			chunk.add(id(row+n+1), n+1)
		}
		if !ids.meetAll(&chunk, row) {
			t.Fatalf("a row after row %d is a repetition", row)
		}
		row += 201
		if earlier, _ := ids.meet(id(row), row); earlier != 0 {
			t.Fatalf("row %d is a repetition", row)
		}
	}
	noted := 0
	for _, piece := range ids.risen {
		noted += len(piece)
	}
	if ids.n != row || noted != row {
		t.Errorf("%d ids of %d rows, %d noted", ids.n, row, noted)
	}
	for _, n := range []int{1, 200, 201, 202, row - 201, row - 1, row} {
		if got, _ := ids.meet(id(n), row+1); got != n {
			t.Errorf("the id of row %d repeats row %d", n, got)
		}
	}
}

// TestOrderIDsOfChunks: the ids of a chunk are compared with all before them as one by one, whether they rise or not, on
// both sides of the most that may be remembered.
func TestOrderIDsOfChunks(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for round := range 3000 {
		most := []int{-1, 1, 2, 5, 9, 1 << 20}[chance.IntN(6)]
		row := []int{0, 0, 1_000_000}[chance.IntN(3)]
		rising, kinds := chance.IntN(2) == 0, 1+chance.IntN(40)
		one, chunks := orderIDs{most: most}, orderIDs{most: most}
		for range 8 {
			var list listedIDs
			var ids []string
			var earlier []int
			repeated := false
			for range chance.IntN(5) {
				id := strconv.Itoa(chance.IntN(kinds))
				if rising && chance.IntN(12) > 0 {
					id = fmt.Sprintf("r%07d", row+len(ids))
				}
				ids = append(ids, id)
				list.add(id, len(ids))
				first, _ := one.meet(id, row+len(ids))
				earlier = append(earlier, first)
				repeated = repeated || earlier[len(ids)-1] != 0
			}
			if single := chunks.meetAll(&list, row); single && repeated {
				t.Fatalf("round %d: a chunk behind row %d is without a repetition: %t", round, row, single)
			} else if !single {
				for n, id := range ids {
					if got, _ := chunks.meet(id, row+n+1); got != earlier[n] {
						t.Fatalf("round %d: row %d with the id %q repeats row %d, want %d", round, row+n+1, id, got, earlier[n])
					}
				}
			}
			if row += len(ids); one.n != chunks.n || one.cut != chunks.cut {
				t.Fatalf("round %d, most %d, row %d: %d ids, cut %t, want %d, %t", round, most, row, chunks.n, chunks.cut, one.n, one.cut)
			}
		}
	}
}
