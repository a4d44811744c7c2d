package amount

import (
	"maps"
	"math/big"
	"slices"
)

// A closedForm counts the outcomes of few draws by inclusion and exclusion: of n draws of v1, v2 …
// values the sum is at most t in Σ ±C(t-s+n, n) ways, where s goes through the sums of the subsets
// of the v, with + for even subsets, as long as s ≤ t.
type closedForm struct {
	knots []knot   // in order of at
	draws int64    // n
	all   *big.Int // the number of outcomes, times n!
}

// A knot is a sum of values with the number of even subsets that have it, less that of odd ones.
type knot struct{ at, times *big.Int }

// isClosed reports whether the closed form is small: its knots, and their factors.
func (l *lattice) isClosed() bool {
	const mostKnots, mostFactors = 1 << fewDraws, 1 << 14
	if l.draws.Cmp(big.NewInt(mostFactors)) > 0 {
		return false
	}
	knots, draws := 1, int(l.draws.Int64())
	for _, p := range l.piles {
		if knots *= int(p.n) + 1; knots > mostKnots || knots*draws > mostFactors {
			return false
		}
	}
	return true
}

func newClosedForm(l *lattice) *closedForm {
	f := &closedForm{draws: l.draws.Int64()}
	f.all = new(big.Int).MulRange(1, f.draws)
	sums := map[string]knot{"": {new(big.Int), big.NewInt(1)}}
	for _, p := range l.piles {
		for range p.n {
			f.all.Mul(f.all, p.v)
			sums = withDraw(sums, p.v)
		}
	}
	f.knots = slices.SortedFunc(maps.Values(sums), func(a, b knot) int { return a.at.Cmp(b.at) })
	return f
}

// withDraw returns the knots after one more draw of v values.
func withDraw(sums map[string]knot, v *big.Int) map[string]knot {
	next := make(map[string]knot, 2*len(sums))
	add := func(at, times *big.Int) {
		key := string(at.Bytes())
		if k, ok := next[key]; ok {
			times = new(big.Int).Add(k.times, times)
		}
		next[key] = knot{at, times}
	}
	for _, k := range sums {
		add(k.at, k.times)
		add(new(big.Int).Add(k.at, v), new(big.Int).Neg(k.times))
	}
	return next
}

// judge returns the judge of a probability. It is never unsure.
func (f *closedForm) judge(p fraction) func(t *big.Int) verdict {
	want := new(big.Int).Mul(f.all, p.num)
	return func(t *big.Int) verdict {
		have := f.atMost(t)
		if have.Mul(have, p.denom).Cmp(want) < 0 {
			return below
		}
		return reached
	}
}

// atMost returns the number of outcomes of at most t, times n!.
func (f *closedForm) atMost(t *big.Int) *big.Int {
	sum, x, factor := new(big.Int), new(big.Int), new(big.Int)
	for _, k := range f.knots {
		x.Sub(t, k.at)
		if x.Sign() < 0 {
			break
		}
		ways := new(big.Int).Set(k.times)
		for i := range f.draws {
			ways.Mul(ways, factor.Add(x, factor.SetInt64(i+1)))
		}
		sum.Add(sum, ways)
	}
	return sum
}
