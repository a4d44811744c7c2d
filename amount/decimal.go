package amount

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// Decimal is the same value for programs that compute with shopspring/decimal. Its
// exponent is minus the scale.
func (a Amount) Decimal() decimal.Decimal { return decimal.New(a.coef, -int32(a.scale)) }

// FromDecimal is the same value as an [Amount], or an error: [ErrNegative] below zero,
// [ErrRange] when it does not fit. Zeros after the point are kept where they fit, and
// nothing but zeros is ever dropped. The cost depends on the size of d's coefficient,
// never on its exponent: a decimal may be eleven characters long and have 10^9 digits.
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
		// A number of n bits has fewer than n/3 zeros at its end.
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

// divide makes x the quotient by y when nothing is left over.
func divide(x, y *big.Int) bool {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 {
		return false
	}
	x.Set(q)
	return true
}

// power is 10^n.
func power(n int64) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil)
}
