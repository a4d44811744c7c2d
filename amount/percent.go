package amount

import (
	"math"
	"strconv"
)

// Percent is a percentage from 0 to 100 with at most two decimals: which quantile of a total is meant. The
// zero value is 0 %. A number that differs from one of two decimals by less than 10^-11, as a computed
// one may, counts as that. [Total.Quantiles] refuses any other number with [ErrPercent].
//
// A float, since callers compute quantiles as such; no amount is made from it but by a whole number of hundredths.
type Percent float64

// ParsePercent returns the percentage of a text: "5", "97.5", without a percent sign. Its form is that of
// [Parse]. Anything else, a value above 100, or one that needs a third decimal is [ErrPercent].
func ParsePercent(s string) (Percent, error) {
	a, err := parse(s)
	if a = a.Reduce(); err != nil || a.scale > 2 || a.Compare(Amount{coef: 100}) > 0 {
		return 0, refuse(ErrPercent)
	}
	hundredths, _ := a.rescale(2)
	return Percent(float64(hundredths) / 100), nil
}

// String returns the percentage without zeros at its end: "97.5".
func (p Percent) String() string {
	if !p.isValid() {
		return strconv.FormatFloat(float64(p), 'g', -1, 64)
	}
	return Amount{int64(p.hundredths()), 2}.Reduce().String()
}

// isValid reports whether p is from 0 to 100 and a whole number of hundredths.
func (p Percent) isValid() bool {
	h := 100 * float64(p)
	return 0 <= p && p <= 100 && math.Abs(h-math.Round(h)) <= 1e-9
}

// hundredths returns p in hundredths of a percent.
func (p Percent) hundredths() uint64 { return uint64(math.Round(100 * float64(p))) }

// hundred is 100 % in hundredths.
const hundred = 100_00

// deviateBits is how many bits after the point a deviate has.
const deviateBits = 32

// deviate returns z, rounded down, in parts of 2^-deviateBits: a normal deviate is within z of the mean, on the side of p,
// with the probability between p and 50 %. The floats are probabilities, and end here: the 32 bits are far from what
// a float leaves out, and the amounts are computed from whole numbers.
func (p Percent) deviate() uint64 {
	between := math.Abs(float64(p.hundredths())-hundred/2) / hundred
	return uint64(math.Sqrt2 * math.Erfinv(2*between) * (1 << deviateBits))
}
