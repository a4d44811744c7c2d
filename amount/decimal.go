package amount

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// Decimal returns the same value for programs that compute with shopspring/decimal. Its exponent is
// minus the scale.
func (a Amount) Decimal() decimal.Decimal { return decimal.New(a.coef, -int32(a.scale)) }

// FromDecimal returns the same value as an [Amount]. The error is [ErrNegative] for a value below
// zero and [ErrRange] for one that does not fit. Zeros after the point are kept where they fit; no
// other digit is ever dropped. The cost depends on the size of d's coefficient and not on its
// exponent, since a decimal of eleven characters can have 10^9 digits.
func FromDecimal(d decimal.Decimal) (Amount, error) {
	coef, exp := d.Coefficient(), int64(d.Exponent())
	if coef.Sign() < 0 {
		return Amount{}, refuse(ErrNegative)
	}
	if coef.Sign() == 0 {
		return Amount{0, uint8(min(max(-exp, 0), MaxScale))}, nil
	}
	if exp > MaxScale {
		return Amount{}, refuse(ErrRange)
	}
	if exp > 0 {
		coef.Mul(coef, power(exp))
		exp = 0
	}
	if drop := -exp - MaxScale; drop > 0 {
		// A number of n bits ends in fewer than n/3 zeros.
		if drop > int64(coef.BitLen()/3) || !divide(coef, power(drop)) {
			return Amount{}, refuse(ErrRange)
		}
		exp = -MaxScale
	}
	ten := big.NewInt(10)
	for !coef.IsInt64() && exp < 0 && divide(coef, ten) {
		exp++
	}
	if !coef.IsInt64() {
		return Amount{}, refuse(ErrRange)
	}
	return Amount{coef.Int64(), uint8(-exp)}, nil
}

// divide divides x by y and reports whether the remainder is zero; otherwise x stays as it was.
func divide(x, y *big.Int) bool {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 {
		return false
	}
	x.Set(q)
	return true
}

// power returns 10^n.
func power(n int64) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil)
}
