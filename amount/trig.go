package amount

import (
	"math/big"
	"math/bits"
)

// The functions below compute with whole numbers of 2^-bits, so that every machine gets the same
// bytes, and each states how far its result can be from the truth, in units of 2^-bits.

// guard is how many more bits constants have, so that their own error does not count.
const guard = 64

// A circle computes points of the unit circle.
type circle struct {
	bits uint
	pi   *big.Int // with guard more bits, within 1 unit of 2^-(bits+guard/2)
}

func newCircle(bits uint) circle { return circle{bits, machin(bits + guard)} }

// machin returns π = 16 atan(1/5) - 4 atan(1/239). Its error is below one unit for each term of the
// two series, and so below 2^(guard/2) units.
func machin(bits uint) *big.Int {
	pi := atanInverse(5, bits)
	pi.Lsh(pi, 2).Sub(pi, atanInverse(239, bits))
	return pi.Lsh(pi, 2)
}

// atanInverse returns the arc tangent of 1/n.
func atanInverse(n int64, bits uint) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), bits)
	power.Quo(power, big.NewInt(n))
	square, sum, term, k := big.NewInt(n*n), new(big.Int), new(big.Int), new(big.Int)
	for i := int64(1); power.Sign() != 0; i += 4 {
		sum.Add(sum, term.Quo(power, k.SetInt64(i)))
		power.Quo(power, square)
		sum.Sub(sum, term.Quo(power, k.SetInt64(i+2)))
		power.Quo(power, square)
	}
	return sum
}

// A point is a point of the unit circle, or near it.
type point struct{ cos, sin *big.Int }

// at returns the point at the angle π·k/n, for n > 0 and any k. Each coordinate is within 1.25 units.
func (c circle) at(k, n *big.Int) point {
	// The angle is a quarter turn, quadrant times, and π·rest/(2n), which is less than one.
	double := new(big.Int).Lsh(k, 1)
	quadrant, rest := new(big.Int).DivMod(double, n, new(big.Int))
	turned := quadrant.Bit(0) + 2*quadrant.Bit(1)
	other := new(big.Int).Sub(n, rest)
	mirrored := rest.Cmp(other) > 0 // the angle is above π/4, its complement is not
	if mirrored {
		rest = other
	}
	angle := new(big.Int).Mul(rest, c.pi)
	p := c.taylor(angle.Quo(angle, double.Lsh(n, 1)))
	if mirrored {
		p.cos, p.sin = p.sin, p.cos
	}
	switch turned {
	case 1:
		p.cos, p.sin = p.sin.Neg(p.sin), p.cos
	case 2:
		p.cos.Neg(p.cos)
		p.sin.Neg(p.sin)
	case 3:
		p.cos, p.sin = p.sin, p.cos.Neg(p.cos)
	}
	return p
}

// taylor returns the point at an angle of at most π/4, which has guard more bits.
func (c circle) taylor(angle *big.Int) point {
	bits := c.bits + guard
	term, k := new(big.Int).Lsh(big.NewInt(1), bits), new(big.Int)
	p := point{new(big.Int).Set(term), new(big.Int)}
	for i := int64(1); term.Sign() != 0; i++ {
		term.Mul(term, angle).Rsh(term, bits).Quo(term, k.SetInt64(i))
		switch i % 4 {
		case 0:
			p.cos.Add(p.cos, term)
		case 1:
			p.sin.Add(p.sin, term)
		case 2:
			p.cos.Sub(p.cos, term)
		case 3:
			p.sin.Sub(p.sin, term)
		}
	}
	p.cos.Rsh(p.cos, guard)
	p.sin.Rsh(p.sin, guard)
	return p
}

// A turning is a point that turns by one angle again and again: after j turns it is within 5j units
// of the truth, since each turn adds less than 2 units for the angle and 2 for rounding.
type turning struct {
	point
	step point
	bits uint

	a, b, c, d *big.Int // products, which are none of their factors
}

// turning returns the multiples of an angle, from 0 turns on.
func (c circle) turning(step point) *turning {
	one := new(big.Int).Lsh(big.NewInt(1), c.bits)
	return &turning{point{one, new(big.Int)}, step, c.bits, new(big.Int), new(big.Int), new(big.Int), new(big.Int)}
}

func (t *turning) turn() {
	t.a.Mul(t.cos, t.step.cos)
	t.b.Mul(t.sin, t.step.sin)
	t.c.Mul(t.cos, t.step.sin)
	t.d.Mul(t.sin, t.step.cos)
	t.cos.Rsh(t.a.Sub(t.a, t.b), t.bits)
	t.sin.Rsh(t.c.Add(t.c, t.d), t.bits)
}

// zetas returns ζ(2), ζ(4) … ζ(2n), each within 2 units for n ≤ 2^12. By the recurrence
// (k+½)·ζ(2k) = Σ ζ(2i)·ζ(2k-2i) over 0 < i < k the error of ζ(2k) is at most k^4 times that of
// ζ(2), which is below 2^13 of the units that are computed with.
func (c circle) zetas(n int) []*big.Int {
	bits := c.bits + guard
	list := make([]*big.Int, n)
	term := new(big.Int)
	for k := range list {
		z := new(big.Int)
		if k == 0 {
			z.Mul(c.pi, c.pi).Rsh(z, bits).Quo(z, big.NewInt(6))
		}
		for i := range k {
			z.Add(z, term.Mul(list[i], list[k-1-i]))
		}
		if k > 0 {
			z.Rsh(z, bits-1).Quo(z, big.NewInt(int64(2*k+3)))
		}
		list[k] = z
	}
	for _, z := range list {
		z.Rsh(z, guard)
	}
	return list
}

// expNegative returns e^-x for x ≥ 0, within 2 units. It halves x often, and squares the result as often.
func expNegative(x *big.Int, bits uint) *big.Int {
	if x.BitLen() > int(bits)+10 || new(big.Int).Rsh(x, bits).Cmp(big.NewInt(int64(bits))) >= 0 {
		return new(big.Int) // e^-bits is below one unit
	}
	halvings := uint(max(0, x.BitLen()-int(bits))) + 8
	wide := bits + halvings + 16
	small := new(big.Int).Lsh(x, wide-bits-halvings)
	term, k := new(big.Int).Lsh(big.NewInt(1), wide), new(big.Int)
	sum := new(big.Int).Set(term)
	for i := int64(1); term.Sign() != 0; i++ {
		term.Mul(term, small).Rsh(term, wide).Quo(term, k.SetInt64(i))
		if i%2 == 1 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	for range halvings {
		sum.Mul(sum, sum).Rsh(sum, wide)
	}
	return sum.Rsh(sum, wide-bits)
}

// log2Floor returns a lower bound of the base-2 logarithm of num/denom ≥ 1, in parts of 2^-6 and less
// than two of them too small.
func log2Floor(num, denom *big.Int) int {
	const parts = 6
	shift := num.BitLen() - denom.BitLen()
	m := new(big.Int).Lsh(num, uint(max(0, 64-shift)))
	m.Quo(m, denom) // has 64 or 65 bits, or more where num is very large
	whole := m.BitLen() - 1 - max(0, 64-shift)
	m.Rsh(m, uint(m.BitLen()-64))
	log, x := whole, m.Uint64()
	for range parts {
		log *= 2
		x, _ = bits.Mul64(x, x)
		if x>>63 == 0 { // the square is below 2
			x <<= 1
		} else {
			log++
		}
	}
	return log
}
