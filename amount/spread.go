package amount

import (
	"math/big"
	"math/bits"
)

// A spread is twelve times a variance: the sum of v²−1 over the charges of ranges with v
// values each, in squares of units of 10^-scale. With v ≤ 2^63, fewer than 2^64 charges
// and squares of at most 10^18 units it stays below 2^310.
type spread struct {
	words [5]uint64 // the lowest first
	scale uint8
}

// add adds n charges of a range.
func (p *spread) add(r Range, n uint64) {
	// v²−1 = (v−1)(v+1)
	var o spread
	o.words[1], o.words[0] = bits.Mul64(r.span, r.span+2)
	o.scale = r.scale
	o.times(n)
	p.merge(o)
}

// merge adds another spread, both at the larger of the two scales.
func (p *spread) merge(o spread) {
	if p.scale != o.scale {
		scale := max(p.scale, o.scale)
		p.rescale(scale)
		o.rescale(scale)
	}
	var carry uint64
	for i := range p.words {
		p.words[i], carry = bits.Add64(p.words[i], o.words[i], carry)
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

func (p spread) variance() *big.Rat {
	twelfths := bigOf(p.words[:]...)
	units := power(2 * int64(p.scale))
	return new(big.Rat).SetFrac(twelfths, units.Mul(units, big.NewInt(12)))
}
