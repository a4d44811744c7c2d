package engine

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestTimesOfASum: so many times the charges are so many, and their sum is so many times the sum, up to 2^127.
func TestTimesOfASum(t *testing.T) {
	big128 := func(c known) *big.Int {
		sum := new(big.Int).SetUint64(c.hi)
		return sum.Or(sum.Lsh(sum, 64), new(big.Int).SetUint64(c.lo))
	}
	r := rand.New(rand.NewPCG(9, 10))
	carried := 0
	for range 2000 {
		c := known{n: r.Uint64() >> 40, lo: r.Uint64(), hi: r.Uint64() >> (10 + r.IntN(54))}
		n := r.Uint64() >> (54 + r.IntN(10)) // below 2^10
		want := new(big.Int).Mul(big128(c), new(big.Int).SetUint64(n))
		if want.BitLen() > 127 {
			continue
		}
		if c.hi > 0 && n > 1 {
			carried++
		}
		if got := c.times(n); got.n != n*c.n || big128(got).Cmp(want) != 0 {
			t.Fatalf("%d times %+v is %+v, want %v", n, c, got, want)
		}
	}
	if carried < 100 {
		t.Errorf("%d sums were beyond 64 bits", carried)
	}
}
