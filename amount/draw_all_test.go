package amount

import (
	"math"
	"strconv"
	"testing"
)

// Charges that are drawn together have the amounts that they have one by one, also where most words
// are replaced and where numbers of charges come near the end of their type.
func TestDrawAllIsDraw(t *testing.T) {
	for _, tc := range []struct {
		reason   string
		from, to string
		repeat   uint64
	}{
		{"a usual range", "1.00", "499.99", 0},
		{"one value", "5.00", "5.00", 3},
		{"few values, none of them favoured", "0.01", "0.03", 1},
		{"as many values as there are numbers", "0", strconv.FormatInt(math.MaxInt64/100, 10), 0},
		{"a third of 2^64 values and one, so that a third of all words is replaced", "0.01", "61489146912365172.06", 0},
		{"an end with more decimals than the currency", "1.0001", "2", 0},
		{"the last numbers there are", "1.00", "2.00", math.MaxUint64 - 300},
	} {
		r, err := Range(MustParse(tc.from), MustParse(tc.to), "EUR")
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		seed := NewSeed(42, tc.reason)
		all := make([]Amount, 300)
		r.DrawAll(all, seed, tc.repeat)
		for i, a := range all {
			if want := r.Draw(seed, tc.repeat+uint64(i)); a != want {
				t.Fatalf("%s: draw %d is %v, want %v", tc.reason, i, a, want)
			}
		}
		r.DrawAll(nil, seed, tc.repeat)
	}
}
