package laws

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
)

// quantileLaws are the laws of how totals are distributed.
func quantileLaws() []Law {
	return []Law{
		law("O11", "L36d", "quantiles: q(0) = min, q(100) = max, monotone, any order; those counted, within 10^-12 up to the stated size and within the bound of the normal approximation above it", gen.Quantiles, quantilesAreCounted).slow(),
	}
}

func quantilesAreCounted(t *T, c gen.QuantileCase) {
	got, normal := t.Quantiles(c.Runs, c.Percents)
	if len(got) != len(c.Percents) {
		t.Errorf("%d quantiles, want %d", len(got), len(c.Percents))
		return
	}
	backwards := slices.Clone(c.Runs)
	slices.Reverse(backwards)
	if again, _ := t.Quantiles(backwards, c.Percents); !slices.Equal(again, got) {
		t.Errorf("the quantiles are %s, in the other order %s", strings.Join(got, ", "), strings.Join(again, ", "))
	}
	sums := count(c.Runs)
	if normal != sums.isLarge() {
		t.Errorf("the quantiles of %d draws over %d units are by a normal approximation: %s, want %s",
			sums.draws, sums.width(), yesNo(normal), yesNo(sums.isLarge()))
	}
	var list []quantile
	for i, text := range c.Percents {
		p, _ := new(big.Rat).SetString(text)
		at, ok := sums.units(got[i])
		if !ok {
			t.Errorf("%s %%: %s is no sum between the least and the greatest on the grid", text, got[i])
			return
		}
		list = append(list, quantile{p.Quo(p, big.NewRat(100, 1)), at})
	}
	slices.SortFunc(list, func(a, b quantile) int { return a.p.Cmp(b.p) })
	sums.judge(t, list, normal)
	for i := 1; i < len(list); i++ {
		if list[i-1].at > list[i].at {
			t.Errorf("the quantile of %s is above that of %s", list[i-1].p.RatString(), list[i].p.RatString())
		}
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// A quantile is a number of units above the least sum, for a probability.
type quantile struct {
	p  *big.Rat
	at int
}

// A counted is the outcomes of a total by its sum, in units above the least.
type counted struct {
	min, unit *big.Rat
	outcomes  uint64
	ways      []uint64 // by the number of units
	draws     int      // that have a choice
	grids     int      // different units of the draws
	// The variance of the sum, and the sums of the variances of draws to the powers of 2 and 1.5.
	variance, squares, powers float64
}

// count counts the outcomes of charges, one draw after another: those of a sum are those of the sum
// a step below it, with those that the draw's least value adds, without those beyond its greatest.
func count(runs []gen.RangeRun) *counted {
	finest := 0
	for _, r := range runs {
		finest = max(finest, gen.GridScale(r.From, r.To, r.Currency))
	}
	c := &counted{min: new(big.Rat), unit: decimalOf(gen.Minor(1, finest)).Rat(), outcomes: 1, ways: []uint64{1}}
	steps := map[int]bool{}
	for _, r := range runs {
		step := 1
		for range finest - gen.GridScale(r.From, r.To, r.Currency) {
			step *= 10
		}
		width := new(big.Rat).Sub(decimalOf(r.To).Rat(), decimalOf(r.From).Rat())
		span := int(width.Quo(width, c.unit).Num().Int64())
		for range r.N {
			c.min.Add(c.min, decimalOf(r.From).Rat())
			if span > 0 {
				c.draw(span, step)
				steps[step] = true
			}
		}
	}
	c.grids = len(steps)
	return c
}

func (c *counted) draw(span, step int) {
	next := make([]uint64, len(c.ways)+span)
	for at := range next {
		if at >= step {
			next[at] = next[at-step]
		}
		if at < len(c.ways) {
			next[at] += c.ways[at]
		}
		if beyond := at - span - step; beyond >= 0 && beyond < len(c.ways) {
			next[at] -= c.ways[beyond]
		}
	}
	c.ways, c.outcomes = next, c.outcomes*uint64(span/step+1)
	c.draws++
	variance := float64(span) * float64(span+2*step) / 12
	c.variance += variance
	c.squares += variance * variance
	c.powers += math.Pow(variance, 1.5)
}

func (c *counted) width() int { return len(c.ways) - 1 }

// isLarge reports whether the total has passed the size up to which its distribution is computed
// (docs/output.md).
func (c *counted) isLarge() bool {
	return c.draws > 1 && (c.width() > 1<<19 || c.draws*c.width() > 1<<24)
}

// bound is how far the probabilities of a normal approximation may be from those counted.
func (c *counted) bound() float64 {
	bound := 0.73*c.powers/math.Pow(c.variance, 1.5) + 0.2/math.Sqrt(c.variance)
	if c.grids == 1 {
		bound = min(bound, 0.06*c.squares/(c.variance*c.variance)+0.02/c.variance)
	}
	return bound
}

// units is a text as units above the least sum; false if it is no sum on the grid, or outside.
func (c *counted) units(text string) (at int, ok bool) {
	sum, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false
	}
	sum.Quo(sum.Sub(sum, c.min), c.unit)
	if !sum.IsInt() || !sum.Num().IsInt64() || sum.Sign() < 0 || sum.Cmp(big.NewRat(int64(c.width()), 1)) > 0 {
		return 0, false
	}
	return int(sum.Num().Int64()), true
}

// judge compares quantiles, by their probability, with the outcomes.
func (c *counted) judge(t *T, list []quantile, normal bool) {
	slack := big.NewRat(2, 1_000_000_000_000) // that of the quantile and that of the probability
	if normal {
		slack.SetFloat64(c.bound())
	}
	certain := big.NewRat(1, 1)
	below, next := uint64(0), 0 // outcomes of sums below next
	for _, q := range list {
		if q.p.Sign() == 0 || q.p.Cmp(certain) == 0 {
			if want := c.width() * int(q.p.Num().Int64()); q.at != want {
				t.Errorf("%s of outcomes are up to %s, want %s: that is an end", q.p.RatString(), c.text(q.at), c.text(want))
			}
			continue
		}
		for ; next < q.at; next++ {
			below += c.ways[next]
		}
		if next > q.at {
			continue // not monotone
		}
		less, reached := c.share(below), c.share(below+c.ways[next])
		limit := q.p
		if normal {
			limit = new(big.Rat).Add(q.p, slack)
		}
		switch {
		case reached.Add(reached, slack).Cmp(q.p) < 0:
			t.Errorf("%s of outcomes are not up to %s: that is too low", q.p.RatString(), c.text(q.at))
		case less.Cmp(limit) >= 0:
			t.Errorf("%s of outcomes are below %s already: that is too high", q.p.RatString(), c.text(q.at))
		case !normal && c.ways[q.at] == 0:
			t.Errorf("%s of outcomes are up to %s, which no outcome is", q.p.RatString(), c.text(q.at))
		}
	}
}

func (c *counted) share(ways uint64) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(ways), new(big.Int).SetUint64(c.outcomes))
}

// text is the sum of so many units above the least.
func (c *counted) text(units int) string {
	sum := new(big.Rat).Mul(c.unit, big.NewRat(int64(units), 1))
	return sum.Add(sum, c.min).FloatString(4)
}
