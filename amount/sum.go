package amount

import (
	"cmp"
	"math/bits"
)

// A Sum is an exact sum of amounts. The zero value is an empty sum, ready to use. Its
// scale is the largest scale met, so 1.50 and 1.5 make 3.00, and the order in which
// amounts and partial sums come in does not show (A04).
//
// A Sum is a plain value: a copy goes its own way. It is wide enough for any 2^64 − 1
// amounts and has therefore no error to report (A07). The operator == tells apart sums
// of different scales; [Sum.Compare] does not.
type Sum struct {
	lo, mid, hi uint64 // in units of 10^-scale; fewer than 2^64·2^63·10^18 < 2^187
	scale       uint8
}

// Add adds one amount.
func (s *Sum) Add(a Amount) {
	// An amount is below 2^63: with the lower half that low too nothing is carried.
	if a.scale != s.scale || int64(s.lo) < 0 {
		s.addApart(a)
		return
	}
	s.lo += uint64(a.coef)
}

// addApart adds with a carry or another scale. It is kept out of [Sum.Add], which is
// small enough to be inlined.
//
//go:noinline
func (s *Sum) addApart(a Amount) { s.AddSum(Sum{lo: uint64(a.coef), scale: a.scale}) }

// AddAll adds all the amounts. It is [Sum.Add] for many: the running sum stays in
// registers while the scale does not change.
func (s *Sum) AddAll(amounts []Amount) {
	for i := 0; i < len(amounts); {
		scale := amounts[i].scale
		var lo, mid, carry uint64
		for ; i < len(amounts) && amounts[i].scale == scale; i++ {
			lo, carry = bits.Add64(lo, uint64(amounts[i].coef), 0)
			mid += carry
		}
		s.AddSum(Sum{lo, mid, 0, scale})
	}
}

// AddTimes adds a, n times, in one step. It counts as n additions.
func (s *Sum) AddTimes(a Amount, n uint64) {
	mid, lo := bits.Mul64(uint64(a.coef), n)
	s.AddSum(Sum{lo, mid, 0, a.scale})
}

// AddSum adds another sum. Whichever of the two has fewer decimals is brought to the
// scale of the other.
func (s *Sum) AddSum(o Sum) {
	if s.scale != o.scale {
		scale := max(s.scale, o.scale)
		s.rescale(scale)
		o.rescale(scale)
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.mid, carry = bits.Add64(s.mid, o.mid, carry)
	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
}

// rescale writes the sum with more decimals.
func (s *Sum) rescale(scale uint8) {
	s.times(pow10[scale-s.scale])
	s.scale = scale
}

// times multiplies the words and leaves the scale.
func (s *Sum) times(n uint64) {
	over, lo := bits.Mul64(s.lo, n)
	high, mid := bits.Mul64(s.mid, n)
	var carry uint64
	s.lo = lo
	s.mid, carry = bits.Add64(mid, over, 0)
	s.hi = s.hi*n + high + carry
}

// IsZero reports whether the sum is zero, be it of nothing or of zeros.
func (s Sum) IsZero() bool { return s.lo|s.mid|s.hi == 0 }

// Scale is the number of decimals of the sum: the largest scale met.
func (s Sum) Scale() int { return int(s.scale) }

// Compare is −1, 0 or +1 as s is below, equal to or above o by value.
func (s Sum) Compare(o Sum) int {
	scale := max(s.scale, o.scale)
	s.rescale(scale)
	o.rescale(scale)
	return cmp.Or(cmp.Compare(s.hi, o.hi), cmp.Compare(s.mid, o.mid), cmp.Compare(s.lo, o.lo))
}
