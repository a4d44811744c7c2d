package amount

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// An oracle for quantiles: outcomes are counted sum by sum, one value of one draw after another, in
// units of the finest grid.
func countedSums(d Draws) (counts map[int64]*big.Int, outcomes *big.Int) {
	var finest uint8
	for c := range d.counts {
		finest = max(finest, c.scale)
	}
	counts, outcomes = map[int64]*big.Int{0: big.NewInt(1)}, big.NewInt(1)
	for c, n := range d.counts {
		unit := tenTo(int(finest - c.scale)).Int64()
		for range n {
			next := make(map[int64]*big.Int, len(counts))
			for at, ways := range counts {
				for x := range int64(c.span) + 1 {
					to := at + x*unit
					if next[to] == nil {
						next[to] = new(big.Int)
					}
					next[to].Add(next[to], ways)
				}
			}
			counts = next
			outcomes.Mul(outcomes, big.NewInt(int64(c.span)+1))
		}
	}
	return counts, outcomes
}

// countedQuantile returns the least sum with P(sum ≤ t) ≥ p.
func countedQuantile(counts map[int64]*big.Int, outcomes *big.Int, p *big.Rat) int64 {
	sums := make([]int64, 0, len(counts))
	for at := range counts {
		sums = append(sums, at)
	}
	slices.Sort(sums)
	ways := new(big.Int)
	for _, at := range sums {
		if ways.Add(ways, counts[at]); new(big.Rat).SetFrac(ways, outcomes).Cmp(p) >= 0 {
			return at
		}
	}
	return sums[len(sums)-1]
}

func units(s Sum, scale uint8) int64 {
	s.AddSum(Sum{scale: scale})
	return int64(s.lo)
}

// anyDraws returns draws with at most so many sums, of one grid or of several.
func anyDraws(r *rand.Rand, sums uint64) Draws {
	var d Draws
	scales := 1 + r.IntN(2)*r.IntN(3)
	for size := uint64(1); ; {
		c := drawClass{1 + r.Uint64N(1+r.Uint64N(60)), uint8(2 + r.IntN(scales))}
		if r.IntN(4) == 0 {
			c.span = 1 + r.Uint64N(3)
		}
		n := 1 + r.Uint64N(1+r.Uint64N(20))
		more := n * c.span * [...]uint64{1, 10, 100}[4-int(c.scale)]
		if size+more > sums && d.IsZero() {
			continue
		}
		if size += more; size > sums {
			return d
		}
		d.add(c, n)
		if r.IntN(4) == 0 {
			return d
		}
	}
}

// probabilities are the ends, some that are met exactly, some far out, and some at random.
func probabilities(t *testing.T, r *rand.Rand) (list []Percent) {
	for _, text := range []string{"0", "100", "50", "25", "5", "0.0000000001", "99.9999999999", "0.000000000000000001"} {
		list = append(list, mustPercent(t, text))
	}
	for range 4 {
		list = append(list, Percent{Amount{r.Int64N(100_00000), 5}.Reduce()})
	}
	return list
}

// TestQuantilesAreThoseCounted: quantiles of few sums are exact, whichever way they are found (O11).
func TestQuantilesAreThoseCounted(t *testing.T) {
	r := source(301)
	for range 400 {
		d := anyDraws(r, 1500)
		counts, outcomes := countedSums(d)
		ps := probabilities(t, r)
		scale := d.grids().scale
		for i, q := range d.Quantiles(Sum{}, ps...) {
			f := ps[i].probability()
			if want := countedQuantile(counts, outcomes, new(big.Rat).SetFrac(f.num, f.denom)); !q.Exact() || units(q.Low, scale) != want {
				t.Fatalf("%v %% of %v: %v, want %d", ps[i], d.counts, q, want)
			}
		}
	}
}

// TestInversionIsWithinItsSlack: every probability is as near the counted one as is claimed, at every
// number of digits, and as the claim is wider than the digits asked for, for any number of draws.
func TestInversionIsWithinItsSlack(t *testing.T) {
	r := source(302)
	within := 0
	for range 1500 {
		d := anyDraws(r, 400)
		if g := d.grids(); len(g.parts) == 1 {
			l := newLattice(g.parts[0].piles)
			inv, ok := l.invert(uint(8 + r.IntN(120)))
			if !ok {
				continue
			}
			if claim := new(big.Int).Lsh(one, inv.bits-inv.digits+2); inv.slack.Cmp(claim) != 0 {
				t.Fatalf("%v: the slack is %v units, not 2^(2-%d)", d.counts, inv.slack, inv.digits)
			}
			counts, outcomes := countedSums(d)
			ways := new(big.Int)
			for at := range l.top.Int64() + 1 {
				ways.Add(ways, counts[at])
				have, inside := inv.atMost(big.NewInt(at))
				if !inside {
					if inv.nodes.Cmp(l.top) > 0 {
						t.Fatalf("%v: all sums count, but %d has no probability", d.counts, at)
					}
					continue
				}
				within++
				wrong := have.Mul(have, outcomes)
				wrong.Sub(wrong, new(big.Int).Lsh(ways, inv.bits))
				if wrong.CmpAbs(new(big.Int).Mul(inv.slack, outcomes)) > 0 {
					t.Fatalf("%v: P(sum ≤ %d) with %d digits is wrong by more than 2^(2-digits)", d.counts, at, inv.digits)
				}
			}
		}
	}
	if within < 10_000 {
		t.Errorf("only %d probabilities are compared", within)
	}
}

// TestWindowHoldsTheRest: outside the window the probability is below 2^-digits, inside it few terms
// are added, and all sums count where the digits ask for it.
func TestWindowHoldsTheRest(t *testing.T) {
	d := drawsOf("6 60 2")
	l := newLattice(d.grids().parts[0].piles)
	counts, outcomes := countedSums(d)
	for _, digits := range []uint{4, 10, 20, 40, 400} {
		n := l.window(digits)
		if digits == 400 && n.Cmp(big.NewInt(301)) != 0 {
			t.Errorf("%v of 301 sums count", n)
		}
		if n.Bit(0) != 1 {
			t.Errorf("%d digits: %v sums cannot lie evenly about the middle of 301", digits, n)
		}
		// N² ≥ 8·s²·ln 2·(digits+1) with s² = spread/12, where 8·ln 2/12 = 0.46209… (doc of inversion).
		least := new(big.Int).Mul(l.spread, big.NewInt(46209*int64(digits+1)))
		if square := new(big.Int).Mul(n, n); n.Cmp(big.NewInt(301)) < 0 && square.Mul(square, big.NewInt(100_000)).Cmp(least) < 0 {
			t.Errorf("%d digits: %v sums are too few for the bound of their tails", digits, n)
		}
		outside := new(big.Int)
		for at, ways := range counts {
			if y := 2*at - 300; max(y, -y) >= n.Int64() {
				outside.Add(outside, ways)
			}
		}
		if outside.Lsh(outside, digits).Cmp(outcomes) >= 0 {
			t.Errorf("%d digits: too much lies outside %v sums", digits, n)
		}
	}
}

// TestQuantileBounds: where sums of several grids are too many to count, and where draws are left
// out, the quantile lies within the bounds, and these are as narrow as is promised.
func TestQuantileBounds(t *testing.T) {
	r := source(303)
	for range 100 {
		d := anyDraws(r, 1500)
		g := d.grids()
		counts, outcomes := countedSums(d)
		var ps []fraction
		for _, p := range probabilities(t, r) {
			ps = append(ps, p.probability())
		}
		charges := uint64(0)
		for _, n := range d.counts {
			charges += n
		}
		width := new(big.Int).SetUint64(2*charges + 2) // in units of the largest grid
		width.Mul(width, g.parts[0].unit)
		for i, b := range g.bound(ps) {
			want := big.NewInt(countedQuantile(counts, outcomes, new(big.Rat).SetFrac(ps[i].num, ps[i].denom)))
			if certain := ps[i].num.Sign() == 0 || ps[i].num.Cmp(ps[i].denom) == 0; certain && !b.isExact() {
				t.Errorf("%v of %v, an end, is not known: above %v, at most %v", ps[i], d.counts, b.low, b.high)
			}
			if b.low.Cmp(want) >= 0 || b.high.Cmp(want) < 0 {
				t.Fatalf("%v of %v: above %v, at most %v, counted %v", ps[i], d.counts, b.low, b.high, want)
			}
			if new(big.Int).Sub(b.high, b.low).Cmp(width) > 0 {
				t.Errorf("%v of %v: above %v, at most %v, which is wider than %v", ps[i], d.counts, b.low, b.high, width)
			}
		}
	}
}

// TestWaysAgree: the closed form and the inversion find the same quantiles of draws of any size.
func TestWaysAgree(t *testing.T) {
	r := source(304)
	for range 20 {
		var piles []pile
		for range 1 + r.IntN(2) {
			v := new(big.Int).SetUint64(2 + r.Uint64N(1<<(1+r.UintN(62))))
			piles = append(piles, pile{v, 6 + r.Uint64N(8)})
		}
		l := newLattice(piles)
		var ps []fraction
		for _, p := range probabilities(t, r) {
			ps = append(ps, p.probability())
		}
		form := newClosedForm(l)
		list := make([]bracket, len(ps))
		for i, p := range ps {
			list[i] = l.start(p)
		}
		if !l.invertAll(ps, list) {
			continue // one of the piles is far wider than the other
		}
		for i, p := range ps {
			want := l.start(p).narrow(form.judge(p))
			if list[i].low.Cmp(want.low) > 0 || list[i].high.Cmp(want.high) < 0 {
				t.Fatalf("%v of %v: above %v, at most %v; the closed form says %v", p, piles, list[i].low, list[i].high, want.high)
			}
		}
	}
}

func TestQuantileString(t *testing.T) {
	for _, r := range [][3]string{{"1.50", "1.50", "1.50"}, {"1.50", "1.5", "1.50"}, {"1.50", "2.00", "1.50 to 2.00"}} {
		if q := (Quantile{sumOf(MustParse(r[0])), sumOf(MustParse(r[1]))}); q.String() != r[2] || q.Exact() == strings.Contains(r[2], "to") {
			t.Errorf("%v, want %s", q, r[2])
		}
	}
}

func TestQuantileOfManyKinds(t *testing.T) {
	type row struct {
		because
		draws     Draws
		min, q    string
		low, high string
	}
	each(t, []row{
		{because{"nothing random", "O11: min"}, Draws{}, "7.00", "95", "7.00", "7.00"},
		{because{"0 %", "O11: min"}, drawsOf("401 3 2"), "3.00", "0", "3.00", "3.00"},
		{because{"100 %", "O11: max"}, drawsOf("401 3 2"), "3.00", "100", "15.00", "15.00"},
		{because{"100 % of many draws", "O11: max, which no digits of a probability prove"}, drawsOf("401 300 2"), "300.00", "100", "1500.00", "1500.00"},
		{because{"two dice, 1 of 36 not yet", "2.7 % < 1/36"}, drawsOf("6 2 0"), "2", "2.777777777777777777", "2", "2"},
		{because{"two dice, above 1 of 36", "2.8 % > 1/36"}, drawsOf("6 2 0"), "2", "2.777777777777777778", "3", "3"},
		{because{"a tie", "25 % is reached by the first of 4 values"}, drawsOf("4 1 0"), "1", "25", "1", "1"},
		{because{"a tie of 12 draws of 10 values", "10^-10 % is reached by the first outcome"}, drawsOf("10 12 0"), "0", "0.0000000001", "0", "0"},
		{because{"above that tie", "10^-10 % and a little"}, drawsOf("10 12 0"), "0", "0.00000000010001", "1", "1"},
		{because{"holes in the grid", "0, 1, 10 and 11 thousandths"}, drawsOf("2 1 2", "2 1 3"), "0", "50", "0.001", "0.001"},
		{because{"fixed amounts of more decimals", "the grid of min"}, drawsOf("11 1 1"), "0.005", "50", "0.505", "0.505"},
		{because{"normal from afar", "mean - 1.644854 standard deviations of 9128.709"}, drawsOf("10000 100000 2"), "0", "5", "4984484.61", "4984484.61"},
		{because{"one range far wider", "its values alone, 50 others in the middle"}, drawsOf("100000000 1 2", "400 50 2"), "0", "95", "950099.74", "950099.74"},
		{because{"two ranges far wider, of many kinds", "what is left out is between 0 and its top"},
			drawsOf("1000000000000000 1 2", "3000000000000000 1 2", "400 50 2", "399 50 2", "398 50 2", "397 50 2"), "0", "5", "5477225575051.65", "5477225575846.65"},
		{because{"two grids, many draws", "5 draws of thousandths"}, drawsOf("10000 100000 2", "5001 5 3"), "0", "5", "4984497.080", "4984497.160"},
		{because{"two grids, few sums", "counted"}, drawsOf("401 3 2", "4 5 3"), "0", "5", "2.677", "2.677"},
		{because{"2^63 draws of 2^63 values", "A07: nothing wraps"}, drawsOf("9223372036854775808 9223372036854775808 0"), "0", "50", "42535295865117307928310139910543638528", "42535295865117307928310139910543638528"},
	}, func(t *testing.T, r row) {
		min, err := ParseSum(r.min)
		if err != nil {
			t.Fatal(err)
		}
		if q := r.draws.Quantiles(min, mustPercent(t, r.q))[0]; q.Low.String() != r.low || q.High.String() != r.high || q.Exact() != (r.low == r.high) {
			t.Errorf("%v, want %s to %s", q, r.low, r.high)
		}
	})
}

// Work is bounded: of draws made to be slow, none needs more than so many terms.
func TestQuantileWorkIsBounded(t *testing.T) {
	r := source(305)
	for range 15 {
		var piles []pile
		for range 1 + r.IntN(300) {
			v := new(big.Int).SetUint64(2 + r.Uint64N(1<<(1+r.UintN(62))))
			piles = append(piles, pile{v, 1 + r.Uint64N(1<<r.UintN(8))})
		}
		l := newLattice(piles)
		for _, digits := range []uint{60, 120, 400} {
			inv, ok := l.invert(digits)
			if ok && (len(inv.terms) > maxTerms || l.wide(inv.nodes, len(inv.terms))*len(inv.terms) > maxFactor) {
				t.Errorf("%d terms of %d piles", len(inv.terms), len(piles))
			}
		}
	}
}
