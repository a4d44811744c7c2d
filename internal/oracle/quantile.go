package oracle

import (
	"math"
	"math/big"
)

// A Counted is the outcomes of a sum of draws by their sum, in units above the least.
type Counted struct {
	min, unit *big.Rat
	Outcomes  uint64
	Ways      []uint64 // by the number of units
	Draws     int      // that have a choice
	grids     int      // different units of the draws
	// The variance of the sum, and the sums of the variances of draws to the powers of 2 and 1.5.
	variance, squares, powers float64
}

// A Run is a number of draws between two bounds, on the grid of so many decimals.
type Run struct {
	From, To *big.Rat
	Scale    int
	N        uint64
}

// Count counts the outcomes of draws, one after another: those of a sum are those of the sum a step below it, with those
// that the draw's least value adds, without those beyond its greatest. There must be fewer than 2^64.
func Count(runs []Run) *Counted {
	finest := 0
	for _, r := range runs {
		finest = max(finest, r.Scale)
	}
	one := DecimalOf(1, finest)
	c := &Counted{min: new(big.Rat), unit: one.Rat(), Outcomes: 1}
	steps := map[int]bool{}
	spans := make([]int, len(runs))
	most := 1
	for i, r := range runs {
		width := new(big.Rat).Sub(r.To, r.From)
		spans[i] = int(width.Quo(width, c.unit).Num().Int64())
		most += spans[i] * int(r.N)
	}
	c.Ways = append(make([]uint64, 0, most), 1)
	for i, r := range runs {
		step := 1
		for range finest - r.Scale {
			step *= 10
		}
		for range r.N {
			c.min.Add(c.min, r.From)
			if spans[i] > 0 {
				c.draw(spans[i], step)
				steps[step] = true
			}
		}
	}
	c.grids = len(steps)
	return c
}

func (c *Counted) draw(span, step int) {
	ways := c.Ways[:len(c.Ways)+span]
	for at := len(ways) - 1; at >= span+step; at-- {
		ways[at] -= ways[at-span-step]
	}
	for at := step; at < len(ways); at++ {
		ways[at] += ways[at-step]
	}
	c.Ways, c.Outcomes = ways, c.Outcomes*uint64(span/step+1)
	c.Draws++
	variance := float64(span) * float64(span+2*step) / 12
	c.variance += variance
	c.squares += variance * variance
	c.powers += math.Pow(variance, 1.5)
}

// Width is how many units lie between the least sum and the greatest.
func (c *Counted) Width() int { return len(c.Ways) - 1 }

// IsLarge reports whether the total has passed the size up to which its distribution is computed
// (docs/output.md).
func (c *Counted) IsLarge() bool {
	return c.Draws > 1 && (c.Width() > 1<<19 || c.Draws*c.Width() > 1<<24)
}

// Bound is how far the probabilities of a normal approximation may be from those counted.
func (c *Counted) Bound() float64 {
	bound := 0.73*c.powers/math.Pow(c.variance, 1.5) + 0.2/math.Sqrt(c.variance)
	if c.grids == 1 {
		bound = min(bound, 0.06*c.squares/(c.variance*c.variance)+0.02/c.variance)
	}
	return bound
}

// Units is a text as units above the least sum; false if it is no sum on the grid, or outside.
func (c *Counted) Units(text string) (at int, ok bool) {
	sum, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false
	}
	sum.Quo(sum.Sub(sum, c.min), c.unit)
	if !sum.IsInt() || !sum.Num().IsInt64() || sum.Sign() < 0 || sum.Cmp(big.NewRat(int64(c.Width()), 1)) > 0 {
		return 0, false
	}
	return int(sum.Num().Int64()), true
}

// Share is a number of outcomes as a part of all.
func (c *Counted) Share(ways uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(ways), new(big.Int).SetUint64(c.Outcomes))
}

// Text is the sum of so many units above the least.
func (c *Counted) Text(units int) string {
	sum := new(big.Rat).Mul(c.unit, big.NewRat(int64(units), 1))
	return sum.Add(sum, c.min).FloatString(4)
}
