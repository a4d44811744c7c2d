package amount

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"
)

func meanText(t Total) string { return string(t.AppendMean(nil)) }

func TestTotal(t *testing.T) {
	type run struct {
		choice   Choice
		first, n uint64
	}
	type row struct {
		because
		runs           []run
		charges        uint64
		min, max, mean string
	}
	fixed := func(s string) Choice { return Fixed(MustParse(s)) }
	sequence := mustSequence(t, "1.00", "9.99", "19.99")
	table := []row{
		{because{"nothing", "O06"}, nil, 0, "0", "0", "0"},
		{because{"no charges", "O06"}, []run{{fixed("7.77"), 0, 0}}, 0, "0", "0", "0"},
		{because{"fixed", "O08"}, []run{{fixed("10.50"), 3, 4}}, 4, "42.00", "42.00", "42.00"},
		{because{"sequence and its tail", "A10, 2.2.6"}, []run{{sequence, 0, 5}}, 5, "70.96", "70.96", "70.96"},
		{because{"sequence from its middle", "A11"}, []run{{sequence, 1, 2}}, 2, "29.98", "29.98", "29.98"},
		{because{"sequence, begin only", "A11"}, []run{{sequence, 0, 2}}, 2, "10.99", "10.99", "10.99"},
		{because{"sequence, tail only", "X7"}, []run{{sequence, 3, 2}}, 2, "39.98", "39.98", "39.98"},
		{because{"sequence, last element alone", "X7"}, []run{{sequence, 2, 1}}, 1, "19.99", "19.99", "19.99"},
		{because{"sequence without its tail", "A11: its decimals are not charged"}, []run{{mustSequence(t, "1.00", "2.0000"), 0, 1}}, 1, "1.00", "1.00", "1.00"},
		{because{"no choice", "it charges nothing"}, []run{{Choice{}, 0, 3}}, 0, "0", "0", "0"},
		{because{"range", "A17"}, []run{{mustRange(t, "1.00", "2.00", "EUR"), 0, 2}}, 2, "2.00", "4.00", "3.00"},
		{because{"half a cent", "A17, gallery mean-truncated"}, []run{{mustRange(t, "0.01", "0.02", "EUR"), 0, 1}}, 1, "0.01", "0.02", "0.015"},
		{because{"two half cents", "A17"}, []run{{mustRange(t, "0.01", "0.02", "EUR"), 0, 2}}, 2, "0.02", "0.04", "0.03"},
		{because{"half a yen", "A17"}, []run{{mustRange(t, "1", "2", "JPY"), 0, 1}}, 1, "1", "2", "1.5"},
		{because{"range of one value", "L33, A12"}, []run{{mustRange(t, "10.0", "10.00", "EUR"), 0, 3}}, 3, "30.0", "30.00", "30.00"},
		{because{"ends of two scales", "A17"}, []run{{mustRange(t, "1", "1.5", "EUR"), 0, 1}}, 1, "1", "1.5", "1.25"},
		{
			because{"grids of two scales", "A17"},
			[]run{{mustRange(t, "1", "2", "JPY"), 0, 1}, {mustRange(t, "0.01", "0.02", "EUR"), 0, 1}},
			2, "1.01", "2.02", "1.515",
		},
		{because{"all three", "O01"}, []run{{fixed("1"), 0, 1}, {sequence, 0, 1}, {mustRange(t, "1", "2", "JPY"), 0, 1}}, 3, "3.00", "4.00", "3.50"},
		{
			because{"tail of 2^63 charges", "O05: no enumeration"},
			[]run{{sequence, 0, 1 << 63}},
			1 << 63,
			"184375207016726968372.93", "184375207016726968372.93", "184375207016726968372.93",
		},
		{because{"to the last index", "A07"}, []run{{sequence, math.MaxUint64, 1}}, 1, "19.99", "19.99", "19.99"},
		{
			because{"10^8 charges of the largest payload amount", "O07, gallery total-wraps"},
			[]run{{fixed("9999999999"), 0, 1e8}},
			1e8,
			"999999999900000000", "999999999900000000", "999999999900000000",
		},
	}
	each(t, table, func(t *testing.T, r row) {
		var total Total
		for _, run := range r.runs {
			total.AddRun(run.choice, run.first, run.n)
		}
		if total.Charges != r.charges || total.Min.String() != r.min || total.Max.String() != r.max || meanText(total) != r.mean {
			t.Errorf("%d charges, %v … %v, mean %s", total.Charges, total.Min, total.Max, meanText(total))
		}
		if mean := total.Mean(); mean.Rat().Cmp(ratText(t, r.mean)) != 0 {
			t.Errorf("Mean: %v", mean)
		}
	})
}

// anyChoice has few values, so that a range can be enumerated.
func anyChoice(t *testing.T, pick func(n int) int) Choice {
	t.Helper()
	currencies := []string{"EUR", "JPY", "KWD", "QQQ"}
	switch pick(3) {
	case 0:
		return Fixed(Amount{int64(pick(2000)), uint8(pick(4))})
	case 1:
		from := Amount{int64(pick(50)), uint8(pick(3))}
		to := Amount{from.coef*10 + int64(pick(300)), from.scale + 1}
		r, err := Range(from, to, currencies[pick(len(currencies))])
		if err != nil {
			t.Fatal(err)
		}
		return r
	default:
		elements := make([]Amount, 1+pick(5))
		for i := range elements {
			elements[i] = Amount{int64(pick(5000)), uint8(pick(4))}
		}
		q, err := Sequence(elements)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
}

// Goal: bounds and mean are those of the amounts that can be drawn (A17). Method: enumerate every value
// of every charge and add them as fractions.
func TestMeanAgainstEnumeration(t *testing.T) {
	r := source(13)
	for range 60 {
		var total Total
		low, high, mean := new(big.Rat), new(big.Rat), new(big.Rat)
		for range 1 + r.IntN(4) {
			s := anyChoice(t, r.IntN)
			first, n := uint64(r.IntN(8)), uint64(r.IntN(6))
			total.AddRun(s, first, n)
			for k := first; k < first+n; k++ {
				from, to := s.Bounds(k)
				low.Add(low, rat(from))
				high.Add(high, rat(to))
				mean.Add(mean, enumerated(s, k))
			}
		}
		switch {
		case ratSum(t, total.Min).Cmp(low) != 0, ratSum(t, total.Max).Cmp(high) != 0:
			t.Fatalf("bounds %v … %v, want %v … %v", total.Min, total.Max, low, high)
		case total.Mean().Rat().Cmp(mean) != 0, ratText(t, meanText(total)).Cmp(mean) != 0:
			t.Fatalf("mean %v, %s, want %v", total.Mean(), meanText(total), mean)
		}
	}
}

// enumerated returns the mean of one charge from all amounts that it can have.
func enumerated(c Choice, repeat uint64) *big.Rat {
	from, to := c.Bounds(repeat)
	unit := new(big.Rat).SetFrac(big.NewInt(1), tenTo(c.Scale()))
	mean, value := new(big.Rat), rat(from)
	for i := range c.Values() {
		if i > 0 {
			value.Add(value, unit)
		}
		mean.Add(mean, value)
	}
	if value.Cmp(rat(to)) != 0 {
		panic("the grid does not end at the upper end")
	}
	return mean.Mul(mean, new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).SetUint64(c.Values())))
}

// Goal: the closed form equals the enumeration, and the order of merges does not affect it (O02,
// A18). Method: the same charges one by one, in one run, and in two halves, merged both ways.
func TestTotalsAddUp(t *testing.T) {
	r := source(14)
	for range 500 {
		var runs, singly, bounds, left, right Total
		for range 1 + r.IntN(5) {
			s := anyChoice(t, r.IntN)
			first, n := uint64(r.IntN(8)), uint64(r.IntN(12))
			runs.AddRun(s, first, n)
			cut := r.Uint64N(n + 1)
			for k := range n {
				singly.AddRun(s, first+k, 1)
				bounds.Add(s.Bounds(first + k))
			}
			left.AddRun(s, first, cut)
			right.AddRun(s, first+cut, n-cut)
		}
		a, b := left, right
		a.Merge(right)
		b.Merge(left)
		b.Merge(Total{})
		if !runs.Equal(singly) || !runs.Equal(a) || !runs.Equal(b) {
			t.Fatalf("%+v\n%+v\n%+v\n%+v", runs, singly, a, b)
		}
		if bounds.draws = runs.draws; !bounds.Equal(runs) {
			t.Fatalf("by their bounds the charges come to %v, want %v", bounds, runs)
		}
		if left.Charges+right.Charges != runs.Charges {
			t.Fatal("a merge changed its argument")
		}
	}
}

// Every simulated total lies within the bounds, and they differ (A17).
func TestSimulatedTotalsLieWithinBounds(t *testing.T) {
	drawn := mustRange(t, "1.00", "3.00", "EUR")
	var total Total
	total.AddRun(drawn, 0, 12)
	different := map[string]bool{}
	for seed := range uint64(500) {
		var s Sum
		for k := range uint64(12) {
			s.Add(drawn.Draw(NewSeed(seed, "order-1"), k))
		}
		if s.Compare(total.Min) < 0 || s.Compare(total.Max) > 0 {
			t.Fatalf("seed %d: %v", seed, s)
		}
		different[s.String()] = true
	}
	if len(different) < 200 {
		t.Errorf("only %d different totals", len(different))
	}
}

// Goal: the widest total does not wrap (A07). Method: 2^64-1 charges of the widest range with one
// on the finest grid, compared with math/big.
func TestWidestTotal(t *testing.T) {
	widest, err := Range(Amount{0, 0}, Amount{1<<63 - 1, 0}, "JPY")
	if err != nil {
		t.Fatal(err)
	}
	finest, err := Range(Amount{0, 18}, Amount{1, 18}, "JPY")
	if err != nil {
		t.Fatal(err)
	}
	var total Total
	total.AddRun(finest, 0, 1)
	total.AddRun(widest, 0, math.MaxUint64-1)

	n := new(big.Rat).SetInt(new(big.Int).SetUint64(math.MaxUint64 - 1))
	unit := rat(Amount{1, 18})
	top := new(big.Rat).Mul(n, rat(Amount{1<<63 - 1, 0}))
	top.Add(top, unit)
	if ratSum(t, total.Max).Cmp(top) != 0 || !total.Min.IsZero() {
		t.Errorf("bounds %v … %v, want %v", total.Min, total.Max, top)
	}
	mean := new(big.Rat).Mul(top, big.NewRat(1, 2))
	if total.Mean().Rat().Cmp(mean) != 0 || ratText(t, meanText(total)).Cmp(mean) != 0 {
		t.Errorf("mean %v, want %v", total.Mean(), mean)
	}
}

// The values that a total returns belong to the caller and share nothing with it.
func TestTotalSharesNothing(t *testing.T) {
	var total Total
	total.AddRun(mustRange(t, "1", "2", "EUR"), 0, 3)
	before := total
	low := total.Min
	low.Add(MustParse("5"))
	copied := total
	copied.AddRun(mustRange(t, "1", "3", "EUR"), 0, 1)
	total.Mean().BigInt().SetInt64(7)
	if !total.Equal(before) {
		t.Errorf("%+v became %+v", before, total)
	}
}

// Goal: what totals are drawn from is theirs alone, however they are copied and merged. Method: a tree
// of copies that go on differently, each beside a map of what was added to it.
func TestDrawsOfCopies(t *testing.T) {
	r := source(15)
	type pair struct {
		total Total
		want  map[drawClass]uint64
	}
	list := []pair{{want: map[drawClass]uint64{}}}
	for range 4000 {
		from, n := list[r.IntN(len(list))], uint64(1+r.IntN(3))
		c, err := Range(Amount{}, Amount{int64(1 + r.IntN(40)), uint8(r.IntN(2))}, "")
		if err != nil {
			t.Fatal(err)
		}
		next := pair{from.total, maps.Clone(from.want)}
		if r.IntN(4) == 0 {
			o := list[r.IntN(len(list))]
			next.total.Merge(o.total)
			for class, m := range o.want {
				next.want[class] += m
			}
		}
		next.total.AddRun(c, 0, n)
		next.want[drawClass{c.span, c.scale}] += n
		if len(list) < 12 {
			list = append(list, next)
		} else {
			list[r.IntN(12)] = next
		}
		for _, p := range list {
			got := p.total.Draws()
			if len(got) != len(p.want) || slices.ContainsFunc(got, func(d Draws) bool { return p.want[drawClass{d.Values - 1, uint8(d.Scale)}] != d.Charges }) {
				t.Fatalf("%v, want %v", got, p.want)
			}
		}
	}
}

// TestQuantilesOfAnyTotal: a total has quantiles by one call, in the order asked for, however it was
// added up; and none, rather than wrong ones, where the draws of some charges are not known (G12).
func TestQuantilesOfAnyTotal(t *testing.T) {
	cents := mustRange(t, "1.00", "1.99", "EUR")
	percents := []Percent{100, 0, 50}
	var total, part Total
	total.AddRun(Fixed(MustParse("10.00")), 0, 1)
	total.AddRun(cents, 0, 1)
	total.Add(MustParse("5.00"), MustParse("5.00")) // not random
	check := func(of Total, want ...string) {
		t.Helper()
		sums, err := of.Quantiles(percents...)
		if err != nil || of.Normal() || len(sums) != 3 {
			t.Fatalf("%v: %v, %v", of, sums, err)
		}
		for i, sum := range sums {
			if sum.String() != want[i] {
				t.Errorf("%v: %v %% is %v, want %s", of, percents[i], sum, want[i])
			}
		}
	}
	check(Total{}, "0", "0", "0")
	check(total, "16.99", "16.00", "16.49")
	part.AddRun(cents, 0, 1)
	total.Merge(part)
	back := Total{Charges: total.Charges, Min: total.Min, Max: total.Max}
	back.AddDraws(total.Draws()...)
	back.AddDraws(Draws{Values: 1, Scale: 2, Charges: 7}, Draws{Values: 5, Scale: 19, Charges: 7}, Draws{Values: 5, Scale: -1, Charges: 7}, Draws{Values: 5}) // no charge has these
	if !back.Equal(total) {
		t.Errorf("%v, want %v", back.Draws(), total.Draws())
	}
	check(total, "18.98", "17.00", "17.99")
	check(back, "18.98", "17.00", "17.99")
	back.Add(MustParse("1.00"), MustParse("1.01"))
	if sums, err := back.Quantiles(percents...); !errors.Is(err, ErrDraws) || sums != nil {
		t.Errorf("with a charge of unknown draws: %v, %v", sums, err)
	}
	total.Merge(back)
	if _, err := total.Quantiles(); !errors.Is(err, ErrDraws) {
		t.Errorf("merged with it: %v", err)
	}
}

func TestTotalString(t *testing.T) {
	type row struct {
		because
		choice Choice
		n      uint64
		want   string
	}
	each(t, []row{
		{because{"nothing", "the zero value"}, Fixed(Amount{}), 0, "0 charges, 0"},
		{because{"one", "singular"}, Fixed(MustParse("9.99")), 1, "1 charge, 9.99"},
		{because{"fixed", "no bounds to name"}, Fixed(MustParse("10.00")), 3, "3 charges, 30.00"},
		{because{"range", "L36d"}, mustRange(t, "10.00", "15.00", "EUR"), 3, "3 charges, 30.00 to 45.00, mean 37.50"},
		{because{"one of a range", "singular"}, mustRange(t, "0.01", "0.02", "EUR"), 1, "1 charge, 0.01 to 0.02, mean 0.015"},
		{because{"range of one value", "L33: equal by value"}, mustRange(t, "10.0", "10.00", "EUR"), 3, "3 charges, 30.00"},
		{because{"very many", "numbers without limit"}, Fixed(MustParse("1")), math.MaxUint64, "18446744073709551615 charges, 18446744073709551615"},
	}, func(t *testing.T, r row) {
		var total Total
		if total.AddRun(r.choice, 0, r.n); total.String() != r.want {
			t.Errorf("got %q, want %q", total, r.want)
		}
	})
}
