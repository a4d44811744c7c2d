package amount

import (
	"cmp"
	"math/bits"
)

// Sum is an exact sum of amounts. The zero value is an empty sum, ready to use. Its scale is the
// largest scale of the amounts, so 1.50 and 1.5 make 3.00, and the order in which amounts and
// partial sums are added does not affect the result.
//
// A Sum is a plain value that may be copied. It is wide enough for any 2^64-1 amounts, so additions
// cannot fail. Sums of equal value and different scales are different by == and equal by
// [Sum.Compare].
type Sum struct {
	lo, mid, hi uint64 // in units of 10^-scale; below 2^64·2^63·10^18 < 2^187
	scale       uint8
}

// SumFromMinor returns the sum of hi·2^64 + lo units of 10^-scale: SumFromMinor(0, 1050, 2) is 10.50.
// The error is [ErrRange] for a scale outside 0 to [MaxScale], and for 2^127 units or more.
func SumFromMinor(hi, lo uint64, scale int) (Sum, error) {
	if scale < 0 || scale > MaxScale || hi>>63 != 0 {
		return Sum{}, refuse(ErrRange)
	}
	return Sum{lo: lo, mid: hi, scale: uint8(scale)}, nil
}

// Add adds one amount.
func (s *Sum) Add(a Amount) {
	// An amount is below 2^63. Where lo is, too, nothing is carried.
	if a.scale != s.scale || int64(s.lo) < 0 {
		s.addApart(a)
		return
	}
	s.lo += uint64(a.coef)
}

// addApart adds with a carry or another scale. Apart from it, [Sum.Add] is small enough to be
// inlined.
//
//go:noinline
func (s *Sum) addApart(a Amount) { s.AddSum(Sum{lo: uint64(a.coef), scale: a.scale}) }

// AddTimes adds a n times, in one step. It counts as n additions.
func (s *Sum) AddTimes(a Amount, n uint64) {
	mid, lo := bits.Mul64(uint64(a.coef), n)
	s.AddSum(Sum{lo, mid, 0, a.scale})
}

// AddSum adds another sum. The result has the larger of the two scales.
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

// Sub subtracts another sum. The result has the larger of the two scales. The error is
// [ErrNegative] where o is the larger sum; s is then as it was.
func (s *Sum) Sub(o Sum) error {
	if s.Compare(o) < 0 {
		return refuse(ErrNegative)
	}
	left, scale := *s, max(s.scale, o.scale)
	if !left.rescale(scale) || !o.rescale(scale) {
		return refuse(ErrRange) // only where more was added than a Sum is made for
	}
	var borrow uint64
	left.lo, borrow = bits.Sub64(left.lo, o.lo, 0)
	left.mid, borrow = bits.Sub64(left.mid, o.mid, borrow)
	left.hi, _ = bits.Sub64(left.hi, o.hi, borrow)
	*s = left
	return nil
}

// rescale writes the sum with more decimals and reports whether it still fits.
func (s *Sum) rescale(scale uint8) (fits bool) {
	fits = s.times(pow10[scale-s.scale])
	s.scale = scale
	return fits
}

// times multiplies the words, leaves the scale, and reports whether the product fits.
func (s *Sum) times(n uint64) (fits bool) {
	over, lo := bits.Mul64(s.lo, n)
	high, mid := bits.Mul64(s.mid, n)
	top, hi := bits.Mul64(s.hi, n)
	var carry uint64
	s.lo = lo
	s.mid, carry = bits.Add64(mid, over, 0)
	s.hi, carry = bits.Add64(hi, high, carry)
	return top|carry == 0
}

// IsZero reports whether the sum is zero: of nothing, or of zeros.
func (s Sum) IsZero() bool { return s.lo|s.mid|s.hi == 0 }

// Split returns the whole part of a sum, hi·2^64 + lo, and its decimals as an amount below 1 with the scale
// of the sum. It is ok for a sum below 2^128, which every sum of fewer than 2^64 amounts is.
func (s Sum) Split() (hi, lo uint64, decimals Amount, ok bool) {
	scale := s.scale
	rest := s.divide(pow10[scale])
	return s.mid, s.lo, Amount{int64(rest), scale}, s.hi == 0
}

// Compare returns -1, 0 or +1 as s is below, equal to or above o by value.
func (s Sum) Compare(o Sum) int {
	// The sum with more decimals does not change here. One that no longer fits is above it.
	scale := max(s.scale, o.scale)
	if !s.rescale(scale) {
		return +1
	}
	if !o.rescale(scale) {
		return -1
	}
	return cmp.Or(cmp.Compare(s.hi, o.hi), cmp.Compare(s.mid, o.mid), cmp.Compare(s.lo, o.lo))
}

// Equal reports whether two sums are the same as written, as == does; [Sum.Compare] compares values.
func (s Sum) Equal(o Sum) bool { return s == o }

// isBounded reports whether the sum is below 2^127, which every sum of fewer than 2^64 amounts is.
func (s Sum) isBounded() bool { return s.Compare(Sum{mid: 1 << 63}) < 0 }
