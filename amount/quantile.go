package amount

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"math/bits"
	"slices"
)

// The size up to which a distribution is computed, in units of the grid.
const (
	maxWidth = 1 << 19
	maxSteps = 1 << 24 // the width times the number of draws
)

func quantiles(min Sum, d *distribution, ps []Percent) []Sum {
	var reach func(Percent) *big.Int
	switch {
	case d.isOne():
		reach = d.reachOne
	case !d.isNormal():
		chances := d.convolve()
		reach = func(p Percent) *big.Int {
			at, _ := slices.BinarySearch(chances, share(certain, p.wanted(), wantedOf))
			return big.NewInt(int64(at))
		}
	default:
		reach = d.reachNormal
	}
	sums := make([]Sum, len(ps))
	for i, p := range ps {
		switch p.hundredths() {
		case 0:
			sums[i] = d.sum(new(big.Int))
		case hundred:
			sums[i] = d.sum(d.width)
		default:
			sums[i] = d.sum(reach(p))
		}
		sums[i].AddSum(min)
	}
	return sums
}

// A distribution is that of the sum of draws, in units of the finest of them above the least sum.
type distribution struct {
	scale  int // of the unit
	draws  []Draws
	n      *big.Int // the number of draws
	width  *big.Int // the greatest sum
	spread *big.Int // twelve times the variance: Σ (v²-1)·u² for draws of v values, u units apart
}

func distributionOf(draws []Draws) *distribution {
	d := &distribution{draws: draws, n: new(big.Int), width: new(big.Int), spread: new(big.Int)}
	for _, one := range draws {
		d.scale = max(d.scale, one.Scale)
	}
	for _, one := range draws {
		unit, n := new(big.Int).SetUint64(d.unit(one)), new(big.Int).SetUint64(one.Charges)
		span := new(big.Int).SetUint64(one.Values - 1)
		span.Mul(span, unit)
		width := new(big.Int).Mul(span, n)
		d.n.Add(d.n, n)
		d.width.Add(d.width, width)
		span.Add(span, unit).Add(span, unit) // (v²-1)·u² is (v-1)·u·(v+1)·u
		d.spread.Add(d.spread, span.Mul(span, width))
	}
	return d
}

// isOne reports whether there is a single draw.
func (d *distribution) isOne() bool { return d.n.Cmp(big.NewInt(1)) == 0 }

// isNormal reports whether the distribution is too large to be computed.
func (d *distribution) isNormal() bool {
	steps := new(big.Int).Mul(d.width, d.n)
	return !d.isOne() && (d.width.Cmp(big.NewInt(maxWidth)) > 0 || steps.Cmp(big.NewInt(maxSteps)) > 0)
}

// unit returns how many units the values of draws are apart.
func (d *distribution) unit(of Draws) uint64 { return pow10[d.scale-of.Scale] }

// sum returns so many units as a sum.
func (d *distribution) sum(units *big.Int) Sum {
	var b [24]byte
	digits := units.Bytes() // at most 24 for fewer than 2^64 charges
	copy(b[max(0, len(b)-len(digits)):], digits[max(0, len(digits)-len(b)):])
	return Sum{binary.BigEndian.Uint64(b[16:]), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[:]), uint8(d.scale)}
}

// wanted returns the probability that a quantile has to reach, in parts of 10^-12: one less than p,
// so that an equal one that is computed a little too low reaches it. p is not 0.
func (p Percent) wanted() uint64 { return p.hundredths()*(wantedOf/hundred) - 1 }

// wantedOf is how many parts of 10^-12 are 1.
const wantedOf = 1_000_000_000_000

// reachOne returns the quantile of a single draw, which has width+1 values: the least t for which
// (t+1)/(width+1) is what is wanted or more.
func (d *distribution) reachOne(p Percent) *big.Int {
	t := new(big.Int).Add(d.width, big.NewInt(1))
	t.Mul(t, new(big.Int).SetUint64(p.wanted()))
	return t.Quo(t.Sub(t, big.NewInt(1)), big.NewInt(wantedOf))
}

// certain is the probability 1. It is computed with in whole numbers, the same on every machine.
const certain = 1 << 62

// convolve returns P(sum ≤ k) for each k up to the width.
//
// A draw of v values, u units apart, makes of P(sum ≤ k) the mean of those at k, k-u … k-(v-1)·u.
// Their sum is that of a sliding window, and exact. Rounding makes the mean too low by less than 5/2
// of the 2^62 parts of [certain], beside what its terms are too low. There are at most 2^12 draws,
// since n² ≤ n·w, so that all results are too low by less than 2^12 · 5/2 · 2^-62 < 10^-14. Where no
// sum is k, the windows of k and k-1 are equal, and so are their results: the first k to reach a
// probability is a possible sum.
func (d *distribution) convolve() []uint64 {
	chances := make([]uint64, d.width.Uint64()+1)
	for k := range chances {
		chances[k] = certain // of the sum of no draws; above the greatest sum it stays
	}
	narrowFirst := slices.SortedFunc(slices.Values(d.draws), func(a, b Draws) int {
		return cmp.Or(cmp.Compare((a.Values-1)*d.unit(a), (b.Values-1)*d.unit(b)), cmp.Compare(a.Values, b.Values))
	})
	size := 1
	for _, one := range narrowFirst {
		for range one.Charges {
			size += int((one.Values - 1) * d.unit(one))
			addDraw(chances[:size], one.Values-1, int(d.unit(one)))
			chances[size-1] = certain // as all above it
		}
	}
	return chances
}

// addDraw adds a draw of span+1 values to the chances of the sums that are possible with it.
func addDraw(chances []uint64, span uint64, unit int) {
	// With 2^shift < v ≤ 2^(shift+1) the mean is window/2^shift times 2^shift/v. The first, rounded
	// down, fits 64 bits; the second is below 1 and rounded down to a multiple of 2^-64.
	shift := bits.Len64(span) - 1
	inverse, _ := bits.Div64(1<<shift, 0, span+1)
	for top := len(chances) - 1; top > len(chances)-1-unit && top >= 0; top-- {
		hi, lo := bits.Mul64(span, certain) // all but the last are above the greatest sum so far
		var carry uint64
		next := top - int(span)*unit
		if next >= 0 {
			lo, carry = bits.Add64(lo, chances[next], 0)
			hi += carry
		}
		for k := top; k >= 0; k -= unit {
			first := chances[k]
			chances[k], _ = bits.Mul64(hi<<(64-shift)|lo>>shift, inverse)
			lo, carry = bits.Sub64(lo, first, 0)
			hi -= carry
			if next -= unit; next >= 0 {
				lo, carry = bits.Add64(lo, chances[next], 0)
				hi += carry
			}
		}
	}
}

// reachNormal returns the least t for which (t + 1/2 - width/2) / σ is at least the deviate z of p,
// within the width.
func (d *distribution) reachNormal(p Percent) *big.Int {
	// 2t ≥ width-1 + 2zσ, where 2σ is the root of spread/3.
	z := new(big.Int).SetUint64(p.deviate())
	deviation := new(big.Int).Mul(z, z)
	deviation.Mul(deviation, d.spread)
	deviation.Sqrt(deviation.Quo(deviation, big.NewInt(3)))
	if p.hundredths() < hundred/2 {
		deviation.Neg(deviation)
	}
	t := new(big.Int).Sub(d.width, big.NewInt(1))
	t.Add(t.Lsh(t, deviateBits), deviation) // 2t in parts of 2^-deviateBits, to be rounded up
	t.Add(t, big.NewInt(1<<(deviateBits+1)-1)).Rsh(t, deviateBits+1)
	switch {
	case t.Sign() < 0:
		return t.SetInt64(0)
	case t.Cmp(d.width) > 0:
		return d.width
	}
	return t
}

// share returns x·y/z rounded down, which is below 2^64.
func share(x, y, z uint64) uint64 {
	hi, lo := bits.Mul64(x, y)
	quotient, _ := bits.Div64(hi, lo, z)
	return quotient
}
