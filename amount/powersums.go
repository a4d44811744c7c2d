package amount

import "math/big"

// A narrow is the part of f, of the distribution's characteristic function, that comes from draws of
// few values against N: for them log(sin(v·a) / (v·sin a)) = -Σ ζ(2k)/k·(v^2k - 1)·(a/π)^2k over
// k > 0 converges fast, and its sum over any number of draws needs only Σ (v^2k - 1).
type narrow struct {
	bits  uint
	terms int
	// series has ζ(2k)/k·Σ (v^2k - 1)·(terms/N)^2k.
	series []*big.Int
}

// newNarrow returns the part of the piles from wide on, for which v·terms/N ≤ 1/4. With q the
// largest of these, the terms of the series after K add less than draws·q^(2K+2), one unit.
func newNarrow(v *inversion, l *lattice, wide, terms int) *narrow {
	w := &narrow{bits: v.bits, terms: terms}
	reach := new(big.Int).Mul(l.piles[wide].v, big.NewInt(int64(terms)))
	const parts = 64
	size := (int(v.bits)+l.draws.BitLen())*parts/(2*log2Floor(v.nodes, reach)) + 1
	sums := w.powerSums(v, l.piles[wide:], size)
	for k, zeta := range v.circle.zetas(size) {
		zeta.Mul(zeta, sums[k]).Rsh(zeta, v.bits)
		w.series = append(w.series, zeta.Quo(zeta, big.NewInt(int64(k+1))))
	}
	return w
}

// powerSums returns Σ (v^2k - 1)·(terms/N)^2k for k from 1 to size, within 4 units for each draw.
func (w *narrow) powerSums(v *inversion, piles []pile, size int) []*big.Int {
	sums := make([]*big.Int, size)
	for k := range sums {
		sums[k] = new(big.Int)
	}
	square := new(big.Int).Mul(v.nodes, v.nodes)
	count := new(big.Int)
	terms := big.NewInt(int64(w.terms))
	base, power, part := new(big.Int), new(big.Int), new(big.Int) // no product is one of its factors
	add := func(value, times *big.Int) {
		power.Mul(value, terms)
		part.Mul(power, power)
		base.Quo(part.Lsh(part, w.bits), square)
		power.Set(base)
		for _, sum := range sums {
			if power.Sign() == 0 {
				break
			}
			sum.Add(sum, part.Mul(power, times))
			power.Rsh(part.Mul(power, base), w.bits)
		}
	}
	for _, p := range piles {
		n := new(big.Int).SetUint64(p.n)
		add(p.v, n)
		count.Add(count, n)
	}
	add(one, count.Neg(count))
	return sums
}

// multiply multiplies the terms by the part.
func (w *narrow) multiply(terms []*big.Int) {
	whole := big.NewInt(int64(w.terms))
	whole.Mul(whole, whole)
	for i, term := range terms {
		j := big.NewInt(int64(i + 1))
		j.Mul(j, j)
		exponent := new(big.Int)
		for k := len(w.series) - 1; k >= 0; k-- {
			exponent.Add(exponent, w.series[k])
			exponent.Mul(exponent, j).Quo(exponent, whole)
		}
		if exponent.Sign() < 0 { // by rounding
			exponent.SetInt64(0)
		}
		term.Mul(term, expNegative(exponent, w.bits)).Rsh(term, w.bits)
	}
}
