package values

import (
	"math/big"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// quantileLaws are the laws of how totals are distributed.
func quantileLaws() []laws.Law {
	return []laws.Law{
		{ID: "O11", Formula: "quantiles: q(0) = min, q(100) = max, monotone, any order; those counted, exactly for ≤ 10^5 outcomes, within the stated bounds for more", Clause: "L36d", Gen: gen.Quantiles(), Slow: true,
			Needs: func(i subject.Impl) bool { return i.Quantiles != nil },
			Check: func(t laws.T, c *laws.Case, impl subject.Impl) {
				quantilesAreCounted(t, c.Value.(gen.QuantileCase), impl)
			}},
	}
}

// boundsInWords are quantiles, each from its lower to its upper bound.
func boundsInWords(list []subject.Bounds) string {
	var texts []string
	for _, b := range list {
		texts = append(texts, b.Low+" to "+b.High)
	}
	return strings.Join(texts, ", ")
}

func quantilesAreCounted(t laws.T, c gen.QuantileCase, impl subject.Impl) {
	got := impl.Quantiles(c.Runs, c.Percents)
	if len(got) != len(c.Percents) {
		t.Errorf("%d quantiles, want %d", len(got), len(c.Percents))
		return
	}
	if last := len(c.Percents) - 1; last >= 0 {
		backwards := slices.Clone(c.Runs)
		slices.Reverse(backwards)
		if again := impl.Quantiles(backwards, c.Percents[last:]); !slices.Equal(again, got[last:]) {
			t.Errorf("%s %% is %s, in the other order %s", c.Percents[last], boundsInWords(got[last:]), boundsInWords(again))
		}
	}
	sums := count(c.Runs)
	var met []ratBounds
	for i, text := range c.Percents {
		p, _ := new(big.Rat).SetString(text)
		b, ok := ratBoundsOf(got[i])
		if !ok {
			t.Errorf("%s %%: %v is not two numbers", text, got[i])
			return
		}
		want := sums.quantile(p.Mul(p, big.NewRat(1, 100)))
		if b.low.Cmp(want) > 0 || b.high.Cmp(want) < 0 {
			t.Errorf("%s %% is from %s to %s, counted %s", text, got[i].Low, got[i].High, want.FloatString(4))
		}
		if certain := p.Sign() == 0 || p.Cmp(big.NewRat(1, 1)) == 0; (certain || sums.outcomes <= 100_000) && b.low.Cmp(b.high) != 0 {
			t.Errorf("%s %% of %d outcomes is not exact: %s to %s", text, sums.outcomes, got[i].Low, got[i].High)
		}
		met = append(met, ratBounds{p, b.low, b.high})
	}
	slices.SortFunc(met, func(a, b ratBounds) int { return a.p.Cmp(b.p) })
	for i := 1; i < len(met); i++ {
		if met[i-1].low.Cmp(met[i].low) > 0 || met[i-1].high.Cmp(met[i].high) > 0 {
			t.Errorf("the quantile of %v is above that of %v", met[i-1].p, met[i].p)
		}
	}
}

// ratBounds are the bounds of the quantile of a probability, as fractions.
type ratBounds struct{ p, low, high *big.Rat }

func ratBoundsOf(b subject.Bounds) (r ratBounds, ok bool) {
	low, ok1 := new(big.Rat).SetString(b.Low)
	high, ok2 := new(big.Rat).SetString(b.High)
	return ratBounds{low: low, high: high}, ok1 && ok2
}

// A counted is the outcomes of a total by its sum, in units above the least.
type counted struct {
	min, unit *big.Rat
	outcomes  uint64
	ways      []uint64 // by the number of units
}

// count counts the outcomes of charges, one draw after another and each of its values apart.
func count(runs []subject.RangeRun) counted {
	finest := 0
	for _, r := range runs {
		finest = max(finest, gen.GridScale(r.From, r.To, r.Currency))
	}
	c := counted{new(big.Rat), subject.RatOf(subject.Minor(1, finest)), 1, []uint64{1}}
	for _, r := range runs {
		step := 1
		for range finest - gen.GridScale(r.From, r.To, r.Currency) {
			step *= 10
		}
		width := new(big.Rat).Sub(subject.RatOf(r.To), subject.RatOf(r.From))
		span := int(width.Quo(width, c.unit).Num().Int64())
		for range r.N {
			c.min.Add(c.min, subject.RatOf(r.From))
			next := make([]uint64, len(c.ways)+span)
			for x := 0; x <= span; x += step {
				for at, ways := range c.ways {
					next[at+x] += ways
				}
			}
			c.ways, c.outcomes = next, c.outcomes*uint64(span/step+1)
		}
	}
	return c
}

// quantile is the least sum with P(total ≤ sum) ≥ p; the least of all for p = 0.
func (c counted) quantile(p *big.Rat) *big.Rat {
	want := new(big.Int).SetUint64(c.outcomes)
	want.Mul(want, p.Num())
	rest := new(big.Int)
	if want.QuoRem(want, p.Denom(), rest); rest.Sign() > 0 {
		want.Add(want, big.NewInt(1))
	}
	have, at := uint64(0), 0
	for at < len(c.ways)-1 {
		if have += c.ways[at]; have >= want.Uint64() && have > 0 {
			break
		}
		at++
	}
	sum := new(big.Rat).Mul(c.unit, big.NewRat(int64(at), 1))
	return sum.Add(sum, c.min)
}
