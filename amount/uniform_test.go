package amount

import (
	"fmt"
	"testing"
)

// Goal: draws are uniform and independent of each other (A16). Method: Pearson's χ² at
// fixed seeds, so that all runs are equal; the limit is the quantile that chance
// exceeds once in a million. 64 cells have 63 degrees of freedom, 3 cells 2.
const (
	quantile2  = 27.63
	quantile63 = 131.37
)

// chiSquare compares counts with the expectation from their shares. It uses floats, since it counts
// no money.
func chiSquare(counts []int, shares []uint64) float64 {
	total, whole := 0, uint64(0)
	for i := range counts {
		total += counts[i]
		whole += shares[i]
	}
	x := 0.0
	for i, n := range counts {
		expected := float64(total) * float64(shares[i]) / float64(whole)
		x += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return x
}

// cell returns the cell of a drawn amount, and shares the number of values of each cell.
func cell(r Choice, a Amount, cells uint64) int {
	return int(uint64(a.Coefficient()-r.low) * cells / r.Values())
}

func shares(r Choice, cells uint64) []uint64 {
	s := make([]uint64, cells)
	for i := range cells {
		// The values x with x·cells/values = i.
		first := (i*r.Values() + cells - 1) / cells
		next := ((i+1)*r.Values() + cells - 1) / cells
		s[i] = next - first
	}
	return s
}

func TestDrawIsUniform(t *testing.T) {
	const draws = 200_000
	type row struct {
		because
		from, to string
		cells    uint64
		quantile float64
	}
	table := []row{
		{because{"3 values", "A16"}, "1.00", "1.02", 3, quantile2},
		{because{"401 values", "A16"}, "1.00", "5.00", 64, quantile63},
		{because{"3·10^9 values", "A16, gallery range-modulo"}, "0.01", "30000000.00", 64, quantile63},
		{because{"2^63 values", "A16: no modulo bias at the widest"}, "0", "92233720368547758.07", 64, quantile63},
	}
	// Draws for the charges of one profile, for the first charges of many profiles, and for one
	// charge under many seeds.
	along := map[string]func(i uint64) (Seed, uint64){
		"repeats":  func(i uint64) (Seed, uint64) { return NewSeed(1, "order-1"), i },
		"profiles": func(i uint64) (Seed, uint64) { return NewSeed(1, fmt.Sprint("order-", i)), 0 },
		"seeds":    func(i uint64) (Seed, uint64) { return NewSeed(i, "order-1"), 5 },
	}
	each(t, table, func(t *testing.T, r row) {
		drawn := mustRange(t, r.from, r.to, "EUR")
		if drawn.Values() == 1<<63 {
			// The index times 64 would not fit in 64 bits: 2^57 values to a cell.
			for name, at := range along {
				counts, even := make([]int, 64), make([]uint64, 64)
				for i := range uint64(draws) {
					seed, k := at(i)
					counts[drawn.Draw(seed, k).Coefficient()>>57]++
				}
				for i := range even {
					even[i] = 1
				}
				if x := chiSquare(counts, even); x > r.quantile {
					t.Errorf("along %s: χ² is %.1f", name, x)
				}
			}
			return
		}
		for name, at := range along {
			counts := make([]int, r.cells)
			for i := range uint64(draws) {
				seed, k := at(i)
				counts[cell(drawn, drawn.Draw(seed, k), r.cells)]++
			}
			if x := chiSquare(counts, shares(drawn, r.cells)); x > r.quantile {
				t.Errorf("along %s: χ² is %.1f", name, x)
			}
		}
	})
}

// Goal: neighbours are unrelated (A16, gallery range-drawn-once). Method: χ² over the 8×8
// cells of pairs of draws that are neighbours in some direction.
func TestDrawsAreUnrelated(t *testing.T) {
	const draws = 200_000
	drawn := mustRange(t, "1.00", "8.99", "EUR") // 800 values, 100 to a cell
	at := func(seed uint64, profile, repeat uint64) int {
		return cell(drawn, drawn.Draw(NewSeed(seed, fmt.Sprint("order-", profile)), repeat), 8)
	}
	type row struct {
		because
		pair func(i uint64) (a, b int)
	}
	table := []row{
		{because{"repeat and next repeat", "A16"}, func(i uint64) (int, int) { return at(1, 1, i), at(1, 1, i+1) }},
		{because{"repeat and the one a year on", "A16"}, func(i uint64) (int, int) { return at(1, 1, i), at(1, 1, i+12) }},
		{because{"profile and next profile", "A16"}, func(i uint64) (int, int) { return at(1, i, 0), at(1, i+1, 0) }},
		{because{"profile and next profile, next repeat", "A16"}, func(i uint64) (int, int) { return at(1, i, 3), at(1, i+1, 4) }},
		{because{"two profiles, repeat by repeat", "A16"}, func(i uint64) (int, int) { return at(1, 1, i), at(1, 2, i) }},
		{because{"seed and next seed", "A16"}, func(i uint64) (int, int) { return at(i, 1, 0), at(i+1, 1, 0) }},
		{because{"two seeds, repeat by repeat", "A16"}, func(i uint64) (int, int) { return at(1, 1, i), at(2, 1, i) }},
	}
	even := make([]uint64, 64)
	for i := range even {
		even[i] = 1
	}
	each(t, table, func(t *testing.T, r row) {
		counts := make([]int, 64)
		for i := range uint64(draws) {
			a, b := r.pair(i)
			counts[8*a+b]++
		}
		if x := chiSquare(counts, even); x > quantile63 {
			t.Errorf("χ² is %.1f", x)
		}
	})
}

// The statistic can fail: it rejects a generator with the usual modulo bias, and one draw for all
// charges.
func TestChiSquareNotices(t *testing.T) {
	drawn := mustRange(t, "0.01", "30000000.00", "EUR")
	biased := make([]int, 64)
	for i := range uint64(200_000) {
		x := mix(i) >> 32 % drawn.Values()
		biased[x*64/drawn.Values()]++
	}
	if x := chiSquare(biased, shares(drawn, 64)); x < quantile63 {
		t.Errorf("32 bits modulo 3·10^9: χ² is only %.1f", x)
	}
	once := make([]int, 64)
	once[5] = 200_000
	if x := chiSquare(once, shares(drawn, 64)); x < quantile63 {
		t.Errorf("one value for all: χ² is only %.1f", x)
	}
}
