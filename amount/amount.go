package amount

import (
	"cmp"
	"math/bits"
)

// MaxScale is the largest scale of an [Amount].
const MaxScale = 18

// Amount is an exact amount of money without a currency. It is zero or more and has as many
// decimals as were written (L36, L36c). It is a small value without pointers. The zero value is 0.
//
// 1.5 and 1.50 are different by == and equal by [Amount.Compare].
type Amount struct {
	coef  int64 // ≥ 0
	scale uint8 // ≤ MaxScale
}

// pow10 is never written.
var pow10 = [...]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// FromMinor returns the amount of coef units of 10^-scale: FromMinor(1050, 2) is 10.50. The error
// is [ErrNegative] for a coefficient below zero and [ErrRange] for a scale outside 0 to [MaxScale].
func FromMinor(coef int64, scale int) (Amount, error) {
	if coef < 0 {
		return Amount{}, refuse(ErrNegative)
	}
	if scale < 0 || scale > MaxScale {
		return Amount{}, refuse(ErrRange)
	}
	return Amount{coef: coef, scale: uint8(scale)}, nil
}

// Coefficient returns the value in units of 10^-scale: 1050 for 10.50. It is never negative.
func (a Amount) Coefficient() int64 { return a.coef }

// Scale returns the number of decimals as written, 0 to [MaxScale]: 2 for 10.50.
func (a Amount) Scale() int { return int(a.scale) }

// IsZero reports whether the value is zero, whatever the scale. Zero is an error in a payload
// (L36).
func (a Amount) IsZero() bool { return a.coef == 0 }

// Compare returns -1, 0 or +1 as a is below, equal to or above b by value: 1.0 equals 1.00.
func (a Amount) Compare(b Amount) int {
	if a.scale == b.scale {
		return cmp.Compare(a.coef, b.coef)
	}
	return a.compareScaled(b)
}

func (a Amount) compareScaled(b Amount) int {
	s := max(a.scale, b.scale)
	ah, al := bits.Mul64(uint64(a.coef), pow10[s-a.scale])
	bh, bl := bits.Mul64(uint64(b.coef), pow10[s-b.scale])
	if c := cmp.Compare(ah, bh); c != 0 {
		return c
	}
	return cmp.Compare(al, bl)
}

// Equal reports whether a and b are the same as written, as == does: 1.5 and 1.50 are not.
// [Amount.Compare] compares values.
func (a Amount) Equal(b Amount) bool { return a == b }

// Reduce returns the same value with the smallest scale: 1.5 for 1.50, 0 for 0.00, and 100 for 100.
func (a Amount) Reduce() Amount {
	for a.scale > 0 && a.coef%10 == 0 {
		a.coef /= 10
		a.scale--
	}
	return a
}

// rescale returns the coefficient at a scale not below a's, and whether it fits.
func (a Amount) rescale(scale uint8) (coef int64, fits bool) {
	hi, lo := bits.Mul64(uint64(a.coef), pow10[scale-a.scale])
	return int64(lo), hi == 0 && int64(lo) >= 0
}
