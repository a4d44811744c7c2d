package amount

import "math/big"

// An inversion knows the distribution of the sum of many draws from a few values of its
// characteristic function.
//
// Let c = top/2 be the mean and N, of the parity of top+1, the number of whole numbers about c that
// count: all of them, or so many that the sum is elsewhere with probability below 2^-digits. Then
//
//	P(sum ≤ t) = 1/2 + x/N + Σ f(πj/N)·sin(2πjx/N) / (N·sin(πj/N)),  x = t - c + 1/2
//
// over 0 < j < N/2, where f(a) = Π sin(v·a) / (v·sin a) over the draws. Two bounds make few terms
// enough. For N: the draws are sub-Gaussian, so that P(|sum-c| ≥ y) ≤ 2·exp(-y²/2s²) with the
// variance s². For the terms: |sin(v·a) / (v·sin a)| is at most exp(-(v²-1)·a²/6) where v·a ≤ π, and
// at most π/(2v·a) elsewhere. The rest is rounding, which is counted.
type inversion struct {
	digits uint
	bits   uint
	top    *big.Int
	nodes  *big.Int // N
	terms  []*big.Int
	slack  *big.Int // what a probability can be wrong by, in units of 2^-bits
	circle circle
}

// Limits on the work of an inversion.
const (
	maxTerms  = 1 << 13 // terms of the sum
	maxFactor = 1 << 16 // terms times piles that need a factor of their own
)

// invert prepares an inversion that is right to within 2^(2-digits), unless that is too much work.
func (l *lattice) invert(digits uint) (*inversion, bool) {
	v := &inversion{digits: digits, top: l.top, nodes: l.window(digits)}
	terms, ok := l.termsFor(v.nodes, digits+8)
	wide := l.wide(v.nodes, terms)
	if !ok || wide*terms > maxFactor {
		return nil, false
	}
	v.bits = l.precision(v, wide, terms)
	v.circle = newCircle(v.bits)
	v.slack = new(big.Int).Lsh(one, v.bits-digits+2)
	v.prepare(l, wide, terms)
	return v, true
}

// window returns N. By the bound above N² ≥ 8·s²·ln 2·(digits+1) is enough, and s² = spread/12.
func (l *lattice) window(digits uint) *big.Int {
	all := new(big.Int).Add(l.top, one)
	n := new(big.Int).Mul(l.spread, big.NewInt(47*int64(digits+1)))
	n.Sqrt(n.Quo(n, big.NewInt(100)))
	n.Add(n, big.NewInt(2))
	if n.Cmp(all) >= 0 {
		return all
	}
	if n.Bit(0) != all.Bit(0) {
		n.Add(n, one)
	}
	return n
}

// termsFor returns how many terms to add, so that those after them have factors f below 2^-need; all
// of them if there are few. It returns false for more than maxTerms.
//
// The terms after j have a sum of at most f(j)·log2 N, since 1/(N·sin(πj/N)) ≤ 1/2j.
func (l *lattice) termsFor(nodes *big.Int, need uint) (terms int, ok bool) {
	last := maxTerms
	if half := new(big.Int).Rsh(new(big.Int).Sub(nodes, one), 1); half.Cmp(big.NewInt(maxTerms)) <= 0 {
		last = int(half.Int64())
	} else if !l.decays(nodes, maxTerms, need) {
		return 0, false
	}
	low, high := 0, last
	for low+1 < high {
		if mid := (low + high) / 2; l.decays(nodes, mid, need) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// decays reports whether f is known to be below 2^-need at the angle πj/N and all after it. Below
// one half the bounds of a draw do not fall until v·a = π, but never rise.
func (l *lattice) decays(nodes *big.Int, j int, need uint) bool {
	const parts = 64 // of a bit
	want := new(big.Int).SetUint64(uint64(need) * parts)
	have, n := new(big.Int), new(big.Int)
	jj := big.NewInt(int64(j))
	left := new(big.Int).Set(l.spread)
	// -log2 exp(-(v²-1)·a²/6) = (v²-1)·j²·2.373…/N²
	scale := new(big.Int).Mul(jj, jj)
	scale.Mul(scale, big.NewInt(2373*parts))
	unit := new(big.Int).Mul(nodes, nodes)
	unit.Mul(unit, big.NewInt(1000))
	for _, p := range l.piles {
		n.SetUint64(p.n)
		reach := new(big.Int).Mul(p.v, jj)
		spread := p.spread()
		switch {
		case reach.Cmp(nodes) > 0:
			n.Mul(n, big.NewInt(int64(log2Floor(reach.Lsh(reach, 1), nodes))))
		case bitsOf(spread, n, scale, unit).Cmp(big.NewInt(parts)) > 0:
			n.Mul(n, big.NewInt(parts))
		default:
			left.Mul(left, scale)
			return have.Add(have, left.Quo(left, unit)).Cmp(want) >= 0
		}
		left.Sub(left, spread)
		if have.Add(have, n).Cmp(want) >= 0 {
			return true
		}
	}
	return false
}

// bitsOf returns spread/n·scale/unit: what one draw of a pile contributes.
func bitsOf(spread, n, scale, unit *big.Int) *big.Int {
	x := new(big.Int).Quo(spread, n)
	x.Mul(x, scale)
	return x.Quo(x, unit)
}

// wide returns how many piles come first for which the series of [inversion.narrowPiles] does not
// converge fast: those with v·j/N > 1/4.
func (l *lattice) wide(nodes *big.Int, terms int) (piles int) {
	reach := new(big.Int)
	for _, p := range l.piles {
		if reach.Mul(p.v, big.NewInt(4*int64(terms))).Cmp(nodes) <= 0 {
			break
		}
		piles++
	}
	return piles
}

// precision returns the number of bits with which rounding stays below 2^-digits. In units of
// 2^-bits a factor of [inversion.prepare] is within 8N+4 for each draw with a factor of its own and
// 2^15 for each other draw, a term within that and 5N+4.
func (l *lattice) precision(v *inversion, wide, terms int) uint {
	own := new(big.Int)
	for _, p := range l.piles[:wide] {
		own.Add(own, new(big.Int).SetUint64(p.n))
	}
	others := new(big.Int).Sub(l.draws, own)
	eight := new(big.Int).Lsh(v.nodes, 3)
	wrong := own.Mul(own.Add(own, one), eight.Add(eight, big.NewInt(4)))
	wrong.Add(wrong, others.Lsh(others.Add(others, one), 15))
	wrong.Mul(wrong, big.NewInt(int64(terms+1)))
	return v.digits + uint(wrong.BitLen()) + 2
}

// prepare computes f(πj/N) / (N·sin(πj/N)) for the terms.
func (v *inversion) prepare(l *lattice, wide, terms int) {
	unit := new(big.Int).Lsh(one, v.bits)
	v.terms = make([]*big.Int, terms)
	for j := range v.terms {
		v.terms[j] = new(big.Int).Set(unit)
	}
	if terms > 0 && wide < len(l.piles) {
		newNarrow(v, l, wide, terms).multiply(v.terms)
	}
	sines := make([]*big.Int, terms)
	base := v.circle.turning(v.circle.at(one, v.nodes))
	for j := range sines {
		base.turn()
		sines[j] = new(big.Int).Set(base.sin)
	}
	for _, p := range l.piles[:wide] {
		v.multiply(p, sines)
	}
	for j, term := range v.terms {
		term.Lsh(term, v.bits).Quo(term, sines[j])
		term.Quo(term, v.nodes)
	}
}

// multiply multiplies the terms by the factors of a pile.
func (v *inversion) multiply(p pile, sines []*big.Int) {
	unit := new(big.Int).Lsh(one, v.bits)
	t := v.circle.turning(v.circle.at(p.v, v.nodes))
	below := new(big.Int)
	for j, sine := range sines {
		t.turn()
		factor := new(big.Int).Lsh(t.sin, v.bits)
		factor.Quo(factor, below.Mul(p.v, sine))
		if factor.CmpAbs(unit) > 0 {
			factor.Mul(unit, big.NewInt(int64(factor.Sign())))
		}
		factor = powerOf(factor, p.n, v.bits)
		v.terms[j].Mul(v.terms[j], factor).Rsh(v.terms[j], v.bits)
	}
}

// powerOf returns x^n for n ≥ 1 and |x| ≤ 1. An error of x grows n times, rounding adds less than n.
func powerOf(x *big.Int, n uint64, bits uint) *big.Int {
	if n == 1 {
		return x
	}
	half := powerOf(x, n/2, bits)
	square := new(big.Int).Mul(half, half)
	square.Rsh(square, bits)
	if n%2 == 1 {
		square.Mul(square, x).Rsh(square, bits)
	}
	return square
}

// narrow searches a bracket for the quantile of p.
func (v *inversion) narrow(p fraction, b bracket) bracket {
	// Outside the window the probability is below 2^-digits, or above 1 less that.
	if new(big.Int).Rsh(p.denom, v.digits-2).Cmp(least(p)) < 0 {
		first := new(big.Int).Sub(v.top, v.nodes)
		first.Add(first, one).Rsh(first, 1) // of the window
		last := new(big.Int).Sub(v.top, first)
		b = bracket{larger(b.low, first.Sub(first, one)), smaller(b.high, last)}
	}
	want := new(big.Int).Lsh(p.num, v.bits)
	slack := new(big.Int).Mul(v.slack, p.denom)
	return b.narrow(func(t *big.Int) verdict {
		have, ok := v.atMost(t)
		if !ok {
			return unsure
		}
		have.Mul(have, p.denom).Sub(have, want)
		switch {
		case have.CmpAbs(slack) < 0:
			return unsure
		case have.Sign() < 0:
			return below
		}
		return reached
	})
}

// least returns the numerator of the smaller of p and 1-p.
func least(p fraction) *big.Int {
	return smaller(p.num, new(big.Int).Sub(p.denom, p.num))
}

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// atMost returns the probability of a sum of at most t, to within slack; false outside the window.
func (v *inversion) atMost(t *big.Int) (*big.Int, bool) {
	twice := new(big.Int).Lsh(t, 1) // 2x
	twice.Sub(twice, v.top).Add(twice, one)
	if twice.CmpAbs(v.nodes) > 0 {
		return nil, false
	}
	sum, product := new(big.Int), new(big.Int)
	angle := v.circle.turning(v.circle.at(twice, v.nodes))
	for _, term := range v.terms {
		angle.turn()
		sum.Add(sum, product.Mul(term, angle.sin))
	}
	sum.Rsh(sum, v.bits)
	sum.Add(sum, product.Lsh(one, v.bits-1))
	linear := twice.Lsh(twice, v.bits-1)
	return sum.Add(sum, linear.Quo(linear, v.nodes)), true
}
