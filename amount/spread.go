package amount

import (
	"cmp"
	"math/big"
	"math/bits"
)

// A spread is twelve times a variance: the sum of v²-1 over the charges of ranges with v values
// each, in squares of units of 10^-scale. With v ≤ 2^63, fewer than 2^64 charges and squares of at
// most 10^36 finest units it stays below 2^310. The spread of no ranges is the zero value.
type spread struct {
	words [5]uint64 // the lowest first
	scale uint8
}

// add adds n charges of a range.
func (p *spread) add(r Choice, n uint64) {
	if r.span > 0 {
		p.merge(spreadOf(r.span, r.scale, n))
	}
}

// spreadOf returns the spread of n charges of span+1 values.
func spreadOf(span uint64, scale uint8, n uint64) (p spread) {
	// v²-1 = (v-1)(v+1)
	p.words[1], p.words[0] = bits.Mul64(span, span+2)
	p.scale = scale
	p.times(n)
	return p
}

// merge adds another spread, at the larger of the two scales.
func (p *spread) merge(o spread) {
	p.align(&o)
	var carry uint64
	for i := range p.words {
		p.words[i], carry = bits.Add64(p.words[i], o.words[i], carry)
	}
}

// sub subtracts another spread and reports whether it was not the larger one.
func (p *spread) sub(o spread) bool {
	p.align(&o)
	var borrow uint64
	for i := range p.words {
		p.words[i], borrow = bits.Sub64(p.words[i], o.words[i], borrow)
	}
	if p.isZero() {
		*p = spread{}
	}
	return borrow == 0
}

func (p spread) isZero() bool { return p.words == [5]uint64{} }

// compare returns -1, 0 or +1 as p is below, equal to or above o by value.
func (p spread) compare(o spread) int {
	p.align(&o)
	c := 0
	for i := range p.words {
		c = cmp.Or(cmp.Compare(p.words[i], o.words[i]), c)
	}
	return c
}

// align brings two spreads to the larger of their scales.
func (p *spread) align(o *spread) {
	if p.scale != o.scale {
		scale := max(p.scale, o.scale)
		p.rescale(scale)
		o.rescale(scale)
	}
}

// rescale writes the spread in squares of smaller units.
func (p *spread) rescale(scale uint8) {
	step := pow10[scale-p.scale]
	p.times(step)
	p.times(step)
	p.scale = scale
}

func (p *spread) times(n uint64) {
	var over, carry uint64
	for i, w := range p.words {
		hi, lo := bits.Mul64(w, n)
		p.words[i], carry = bits.Add64(lo, over, 0)
		over = hi + carry
	}
}

// fraction returns the variance as numerator and denominator, which is 12·10^(2·scale).
func (p spread) fraction() (num, denom *big.Int) {
	denom = power(2 * int64(p.scale))
	return bigOf(p.words[:]...), denom.Mul(denom, big.NewInt(12))
}
