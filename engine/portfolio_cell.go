package engine

import (
	"math"
	"math/bits"

	"github.com/chargecast/chargecast/amount"
)

// A cell is what some charges come to. There are two kinds, since nearly all charges have a known
// amount, for which a fifth of the memory is enough.
type cell[C any] interface {
	*C
	add(o *C)
	// sub takes charges out. It reports whether they can be in c; if not, c is useless afterwards.
	sub(o *C) bool
	charges() uint64
	addTo(t *tally, s shape)
}

// known are charges of known amounts: their number, and their sum as a number of 128 bits. Fewer
// than 2^64 amounts below 2^63 stay below 2^127.
type known struct{ n, lo, hi uint64 }

// knownOf returns n charges of one amount, in its units.
func knownOf(a amount.Amount, n uint64) known {
	hi, lo := bits.Mul64(uint64(a.Coefficient()), n)
	return known{n, lo, hi}
}

func (c *known) charges() uint64 { return c.n }

func (c *known) add(o *known) {
	var carry uint64
	c.n += o.n
	c.lo, carry = bits.Add64(c.lo, o.lo, 0)
	c.hi += o.hi + carry
}

// addOne adds one charge.
func (c *known) addOne(a amount.Amount) {
	var carry uint64
	c.n++
	c.lo, carry = bits.Add64(c.lo, uint64(a.Coefficient()), 0)
	c.hi += carry
}

// times returns n times the charges.
func (c *known) times(n uint64) known {
	hi, lo := bits.Mul64(c.lo, n)
	return known{c.n * n, lo, hi + c.hi*n}
}

func (c *known) sub(o *known) bool {
	enough := o.n <= c.n
	var borrow uint64
	c.n -= o.n
	c.lo, borrow = bits.Sub64(c.lo, o.lo, 0)
	c.hi, borrow = bits.Sub64(c.hi, o.hi, borrow)
	return enough && borrow == 0 && c.isPossible()
}

// isPossible reports whether so many amounts can have the sum.
func (c *known) isPossible() bool {
	hi, lo := bits.Mul64(math.MaxInt64, c.n)
	return c.hi < hi || c.hi == hi && c.lo <= lo
}

// settle adds the charges to a total. What matters is their number and their sum: n charges that
// come to s count as s mod n charges of one unit more than s div n, and the rest of s div n.
func (c *known) settle(t *amount.Total, scale uint8) {
	if c.n == 0 {
		return
	}
	each, more := bits.Div64(c.hi, c.lo, c.n)
	t.AddRun(amount.Fixed(unitsOf(each, scale)), 0, c.n-more)
	if more > 0 {
		t.AddRun(amount.Fixed(unitsOf(each+1, scale)), 0, more)
	}
}

// unitsOf returns the amount of n units of 10^-scale, both of which are those of amounts.
func unitsOf(n uint64, scale uint8) amount.Amount {
	a, _ := amount.FromMinor(int64(n), int(scale))
	return a
}

// random are charges of random amounts, whose bounds and variance are added up.
type random struct{ amount.Total }

func (c *random) charges() uint64 { return c.Charges() }

func (c *random) add(o *random) { c.Merge(o.Total) }

func (c *random) sub(o *random) bool { return c.Sub(o.Total) == nil }
