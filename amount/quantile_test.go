package amount

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawsOf returns draws of classes "values charges decimals".
func drawsOf(classes ...string) drawSet {
	var d drawSet
	for _, text := range classes {
		var values, charges uint64
		var scale uint8
		if n, err := fmt.Sscan(text, &values, &charges, &scale); n != 3 {
			panic(err)
		}
		d.add(drawClass{values - 1, scale}, charges)
	}
	return d
}

// A drawClass is draws that are alike: span+1 values, 10^-scale apart.
type drawClass struct {
	span  uint64
	scale uint8
}

// A drawSet is draws by class.
type drawSet struct{ counts map[drawClass]uint64 }

func (d *drawSet) add(c drawClass, n uint64) {
	if d.counts == nil {
		d.counts = map[drawClass]uint64{}
	}
	d.counts[c] += n
}

func (d drawSet) Quantiles(min Sum, q ...Percent) (sums []Sum, normal bool) {
	of := distributionOf(groupsOf(d))
	return quantiles(min, of, q), of.isNormal()
}

// Draws beyond the documented limit do not break a quantile.
func TestDrawsAtTheLimit(t *testing.T) {
	d := drawsOf("3 18446744073709551615 18")
	for span := range uint64(40) {
		d.add(drawClass{math.MaxInt64 - span, 0}, math.MaxUint64)
	}
	if _, normal := d.Quantiles(Sum{}, mustPercent(t, "5"), mustPercent(t, "100")); !normal {
		t.Error("a distribution beyond all limits is computed")
	}
}

// An oracle for quantiles: outcomes are counted sum by sum, one value of one draw after another, in
// units of the finest grid.
func countedSums(d drawSet) (counts map[int64]*big.Int, outcomes *big.Int) {
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

// countedQuantile returns the least sum with P(sum ≤ t) ≥ p - 10^-12; the least of all for 0 %.
func countedQuantile(counts map[int64]*big.Int, outcomes *big.Int, p Percent) int64 {
	want := big.NewRat(int64(p.hundredths())*100_000_000-1, 1_000_000_000_000)
	if p.hundredths() == 100_00 {
		want.SetInt64(1)
	}
	ways := new(big.Int)
	sums := slices.Sorted(maps.Keys(counts))
	for _, at := range sums {
		if ways.Add(ways, counts[at]); new(big.Rat).SetFrac(ways, outcomes).Cmp(want) >= 0 {
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
func anyDraws(r *rand.Rand, sums uint64) drawSet {
	var d drawSet
	scales := 1 + r.IntN(2)*r.IntN(3)
	for size := uint64(1); ; {
		c := drawClass{1 + r.Uint64N(1+r.Uint64N(60)), uint8(2 + r.IntN(scales))}
		if r.IntN(4) == 0 {
			c.span = 1 + r.Uint64N(3)
		}
		n := 1 + r.Uint64N(1+r.Uint64N(20))
		more := n * c.span * [...]uint64{1, 10, 100}[4-int(c.scale)]
		if size+more > sums && len(d.counts) == 0 {
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

// somePercents are the ends, some that are met exactly, some far out, and some at random.
func somePercents(r *rand.Rand) []Percent {
	list := []Percent{0, 100, 50, 25, 5, 0.01, 99.99}
	for range 4 {
		list = append(list, Percent(float64(r.UintN(100_01))/100))
	}
	return list
}

// groupsOf returns the groups of draws, in any order.
func groupsOf(d drawSet) (list []Draws) {
	for c, n := range d.counts {
		list = append(list, Draws{c.span + 1, int(c.scale), n})
	}
	return list
}

// TestQuantilesAreThoseCounted: where the distribution is computed, its quantiles are those of all
// outcomes (O11).
func TestQuantilesAreThoseCounted(t *testing.T) {
	r := source(301)
	for range 400 {
		d := anyDraws(r, 1500)
		counts, outcomes := countedSums(d)
		ps := somePercents(r)
		scale := uint8(distributionOf(groupsOf(d)).scale)
		sums, normal := d.Quantiles(Sum{}, ps...)
		for i, q := range sums {
			if want := countedQuantile(counts, outcomes, ps[i]); normal || units(q, scale) != want {
				t.Fatalf("%v %% of %v: %v, want %d", ps[i], d.counts, q, want)
			}
		}
	}
}

// TestConvolutionIsWithinItsBound: every probability is too low by less than 5/2 parts for each draw,
// none is below that of a smaller sum, and each is that of the sum before it where none is possible.
func TestConvolutionIsWithinItsBound(t *testing.T) {
	r := source(302)
	draws := []drawSet{drawsOf("2 120 0"), drawsOf("3 100 0", "401 5 0"), drawsOf("2 30 0", "5 3 2"), drawsOf("1025 2 0", "1024 2 0")}
	for range 120 {
		draws = append(draws, anyDraws(r, 1000))
	}
	for _, d := range draws {
		of := distributionOf(groupsOf(d))
		chances := of.convolve()
		counts, outcomes := countedSums(d)
		bound := new(big.Int).Mul(of.n, big.NewInt(5))
		bound.Mul(bound, outcomes)
		ways := new(big.Int)
		for k, have := range chances {
			if n := counts[int64(k)]; n != nil {
				ways.Add(ways, n)
			} else if have != chances[k-1] {
				t.Fatalf("%v: no sum is %d, and it has a probability", d.counts, k)
			}
			if k > 0 && have < chances[k-1] {
				t.Fatalf("%v: the probability falls at %d", d.counts, k)
			}
			low := new(big.Int).Mul(ways, big.NewInt(certain))
			low.Sub(low, new(big.Int).Mul(outcomes, new(big.Int).SetUint64(have)))
			if low.Sign() < 0 || low.Lsh(low, 1).Cmp(bound) >= 0 {
				t.Fatalf("%v: P(sum ≤ %d) is %d parts, of %v outcomes %v are right", d.counts, k, have, outcomes, ways)
			}
		}
	}
}

// TestNormalIsWithinItsBounds: the quantiles of the normal approximation have the probabilities of
// the distribution within the bounds that the doc of Quantiles states.
func TestNormalIsWithinItsBounds(t *testing.T) {
	r := source(303)
	draws := []drawSet{drawsOf("2000 1 0"), drawsOf("2000 2 0"), drawsOf("401 100 0"), drawsOf("2 300 0"), drawsOf("3000 1 0", "2 1 0"), drawsOf("5 1 2", "16 1 4", "2 1 2")}
	for range 100 {
		draws = append(draws, anyDraws(r, 1000))
	}
	for _, d := range draws {
		of := distributionOf(groupsOf(d))
		chances := of.convolve()
		var sum, squares, powers float64
		oneGrid := true
		for _, g := range of.draws {
			v := (math.Pow(float64(g.Values), 2) - 1) / 12 * math.Pow(float64(of.unit(g)), 2)
			sum += float64(g.Charges) * v
			squares += float64(g.Charges) * v * v
			powers += float64(g.Charges) * math.Pow(v, 1.5)
			oneGrid = oneGrid && g.Scale == of.scale
		}
		bound := 0.73*powers/math.Pow(sum, 1.5) + 0.2/math.Sqrt(sum)
		if oneGrid {
			bound = min(bound, 0.06*squares/(sum*sum)+0.02/sum)
		}
		last := int64(0)
		for h := uint16(1); h < 100_00; h += 61 {
			p := float64(h) / 100_00
			at := of.reachNormal(Percent(p * 100)).Int64()
			if at < last || at >= int64(len(chances)) {
				t.Fatalf("%v: %d is the quantile of %v, after %d", d.counts, at, p, last)
			}
			last = at
			above, below := float64(chances[at])/certain, 0.0
			if at > 0 {
				below = float64(chances[at-1]) / certain
			}
			if above < p-bound || below > p+bound {
				t.Fatalf("%v: P(sum ≤ %d) is from %.4f to %.4f, not within %.4f of %v", d.counts, at, below, above, bound, p)
			}
		}
	}
}

// TestSizeOfConvolution: the distribution is computed up to the size that the doc of Quantiles states.
func TestSizeOfConvolution(t *testing.T) {
	for _, r := range []struct {
		draws  drawSet
		normal bool
	}{
		{drawSet{}, false},
		{drawsOf("9223372036854775808 1 0"), false}, // a single draw
		{drawsOf("262145 2 0"), false},
		{drawsOf("262145 1 0", "262146 1 0"), true}, // wider by one
		{drawsOf("2 4096 0"), false},
		{drawsOf("2 4097 0"), true},
		{drawsOf("17 1024 0"), false},
		{drawsOf("17 1023 0", "18 1 0"), true},
		{drawsOf("2 1 0", "2 1 18"), true},
		{drawsOf("9223372036854775808 9223372036854775808 0"), true},
	} {
		if _, normal := r.draws.Quantiles(Sum{}, 5); normal != r.normal {
			t.Errorf("%v: by the normal approximation is %v", r.draws.counts, normal)
		}
	}
}

// drawSet of any order and grouping have one distribution, to the last bit.
func TestOrderOfDrawsIsOne(t *testing.T) {
	r := source(304)
	for range 50 {
		groups := groupsOf(anyDraws(r, 1500))
		want := distributionOf(groups).convolve()
		r.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
		if got := distributionOf(groups).convolve(); !slices.Equal(got, want) {
			t.Fatalf("%v have two distributions", groups)
		}
	}
}

func TestQuantileOfManyKinds(t *testing.T) {
	type row struct {
		because
		draws        drawSet
		min, q, want string
	}
	each(t, []row{
		{because{"nothing random", "O11: min"}, drawSet{}, "7.00", "95", "7.00"},
		{because{"0 %", "O11: min"}, drawsOf("401 3 2"), "3.00", "0", "3.00"},
		{because{"100 %", "O11: max"}, drawsOf("401 3 2"), "3.00", "100", "15.00"},
		{because{"100 % of many draws", "O11: max"}, drawsOf("401 300 2"), "300.00", "100", "1500.00"},
		{because{"two dice, 1 of 36 not yet", "2.77 % < 1/36"}, drawsOf("6 2 0"), "2", "2.77", "2"},
		{because{"two dice, above 1 of 36", "2.78 % > 1/36"}, drawsOf("6 2 0"), "2", "2.78", "3"},
		{because{"a tie", "25 % is reached by the first of 4 values"}, drawsOf("4 1 0"), "1", "25", "1"},
		{because{"a tie of 4 draws of 10 values", "0.01 % is reached by the first outcome"}, drawsOf("10 4 0"), "0", "0.01", "0"},
		{because{"above that tie", "0.02 % is reached by the five first"}, drawsOf("10 4 0"), "0", "0.02", "1"},
		{because{"holes in the grid", "0, 1, 10 and 11 thousandths"}, drawsOf("2 1 2", "2 1 3"), "0", "50", "0.001"},
		{because{"fixed amounts of more decimals", "the grid of min"}, drawsOf("11 1 1"), "0.005", "50", "0.505"},
		{because{"one draw", "100 values"}, drawsOf("100 1 2"), "0", "5", "0.04"},
		{because{"one draw of 2^63 values", "10^-12 of them fewer than the half"}, drawsOf("9223372036854775808 1 0"), "0", "50", "4611686018418164531"},
		{because{"normal from afar", "mean - 1.644854 standard deviations of 9128.709"}, drawsOf("10000 100000 2"), "0", "5", "4984484.61"},
		{because{"normal, the middle", "999900000 / 2"}, drawsOf("10000 100000 2"), "0", "50", "4999500.00"},
		{because{"normal, rounded up", "(1048575 - 1) / 2 = 524287, of an even number of sums the lower middle"}, drawsOf("262144 1 0", "786433 1 0"), "0", "50", "524287"},
		{because{"normal, below the least sum", "mean - 3.72 standard deviations"}, drawsOf("1000000 1 0", "2 1 0"), "0", "0.01", "0"},
		{because{"normal, above the greatest sum", "mean + 3.72 standard deviations"}, drawsOf("1000000 1 0", "2 1 0"), "0", "99.99", "1000000"},
		{because{"normal of two grids", "2000.75 - 1.644854 · 36.606"}, drawsOf("401 1000 2", "4 500 3"), "0", "5", "1940.538"},
		{because{"2^63 draws of 2^63 values", "A07: nothing wraps"}, drawsOf("9223372036854775808 9223372036854775808 0"), "0", "50", "42535295865117307928310139910543638528"},
	}, func(t *testing.T, r row) {
		min, err := ParseSum(r.min)
		if err != nil {
			t.Fatal(err)
		}
		if q, _ := r.draws.Quantiles(min, mustPercent(t, r.q)); q[0].String() != r.want {
			t.Errorf("%v, want %s", q[0], r.want)
		}
	})
}

// The quantiles of the normal distribution are those in tables.
func TestNormalDistribution(t *testing.T) {
	for text, want := range map[string]float64{"50": 0, "2.5": 1.959963984540, "97.5": 1.959963984540, "95": 1.644853626951, "99.5": 2.575829303549, "99.99": 3.719016485456, "0.01": 3.719016485456} {
		if got := float64(mustPercent(t, text).deviate()) / (1 << deviateBits); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s %%: %.12f, want %.12f", text, got, want)
		}
	}
}
