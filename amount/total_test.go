package amount

import (
	"errors"
	"math"
	"math/big"
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
		runs                     []run
		charges                  uint64
		min, max, mean, variance string
	}
	fixed := func(s string) Choice { return Fixed(MustParse(s)) }
	sequence := mustSequence(t, "1.00", "9.99", "19.99")
	table := []row{
		{because{"nothing", "O06"}, nil, 0, "0", "0", "0", "0"},
		{because{"no charges", "O06"}, []run{{fixed("7.77"), 0, 0}}, 0, "0", "0", "0", "0"},
		{because{"fixed", "O08"}, []run{{fixed("10.50"), 3, 4}}, 4, "42.00", "42.00", "42.00", "0"},
		{because{"sequence and its tail", "A10, 2.2.6"}, []run{{sequence, 0, 5}}, 5, "70.96", "70.96", "70.96", "0"},
		{because{"sequence from its middle", "A11"}, []run{{sequence, 1, 2}}, 2, "29.98", "29.98", "29.98", "0"},
		{because{"sequence, begin only", "A11"}, []run{{sequence, 0, 2}}, 2, "10.99", "10.99", "10.99", "0"},
		{because{"sequence, tail only", "X7"}, []run{{sequence, 3, 2}}, 2, "39.98", "39.98", "39.98", "0"},
		{because{"sequence, last element alone", "X7"}, []run{{sequence, 2, 1}}, 1, "19.99", "19.99", "19.99", "0"},
		{because{"sequence without its tail", "A11: its decimals are not charged"}, []run{{mustSequence(t, "1.00", "2.0000"), 0, 1}}, 1, "1.00", "1.00", "1.00", "0"},
		{because{"no choice", "it charges nothing"}, []run{{Choice{}, 0, 3}}, 0, "0", "0", "0", "0"},
		{because{"range", "A17"}, []run{{mustRange(t, "1.00", "2.00", "EUR"), 0, 2}}, 2, "2.00", "4.00", "3.00", "17/100"},
		{because{"half a cent", "A17, gallery mean-truncated"}, []run{{mustRange(t, "0.01", "0.02", "EUR"), 0, 1}}, 1, "0.01", "0.02", "0.015", "1/40000"},
		{because{"two half cents", "A17"}, []run{{mustRange(t, "0.01", "0.02", "EUR"), 0, 2}}, 2, "0.02", "0.04", "0.03", "1/20000"},
		{because{"half a yen", "A17"}, []run{{mustRange(t, "1", "2", "JPY"), 0, 1}}, 1, "1", "2", "1.5", "1/4"},
		{because{"range of one value", "L33, A12"}, []run{{mustRange(t, "10.0", "10.00", "EUR"), 0, 3}}, 3, "30.0", "30.00", "30.00", "0"},
		{because{"ends of two scales", "A17"}, []run{{mustRange(t, "1", "1.5", "EUR"), 0, 1}}, 1, "1", "1.5", "1.25", "13/600"},
		{
			because{"grids of two scales", "A17"},
			[]run{{mustRange(t, "1", "2", "JPY"), 0, 1}, {mustRange(t, "0.01", "0.02", "EUR"), 0, 1}},
			2, "1.01", "2.02", "1.515", "10001/40000",
		},
		{because{"all three", "O01"}, []run{{fixed("1"), 0, 1}, {sequence, 0, 1}, {mustRange(t, "1", "2", "JPY"), 0, 1}}, 3, "3.00", "4.00", "3.50", "1/4"},
		{
			because{"tail of 2^63 charges", "O05: no enumeration"},
			[]run{{sequence, 0, 1 << 63}},
			1 << 63,
			"184375207016726968372.93", "184375207016726968372.93", "184375207016726968372.93", "0",
		},
		{because{"to the last index", "A07"}, []run{{sequence, math.MaxUint64, 1}}, 1, "19.99", "19.99", "19.99", "0"},
		{
			because{"10^8 charges of the largest payload amount", "O07, gallery total-wraps"},
			[]run{{fixed("9999999999"), 0, 1e8}},
			1e8,
			"999999999900000000", "999999999900000000", "999999999900000000", "0",
		},
	}
	each(t, table, func(t *testing.T, r row) {
		var total Total
		for _, run := range r.runs {
			total.AddRun(run.choice, run.first, run.n)
		}
		if total.Charges() != r.charges || total.Min().String() != r.min || total.Max().String() != r.max || meanText(total) != r.mean {
			t.Errorf("%d charges, %v … %v, mean %s", total.Charges(), total.Min(), total.Max(), meanText(total))
		}
		if mean := total.Mean(); mean.Rat().Cmp(ratText(t, r.mean)) != 0 {
			t.Errorf("Mean: %v", mean)
		}
		if total.Variance().Cmp(ratText(t, r.variance)) != 0 {
			t.Errorf("variance %v, want %s", total.Variance(), r.variance)
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

// Goal: mean and variance are those of the amounts that can be drawn (A17). Method: enumerate every
// value of every charge and add values and squares as fractions.
func TestMomentsAgainstEnumeration(t *testing.T) {
	r := source(13)
	for range 60 {
		var total Total
		low, high, mean, variance := new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)
		for range 1 + r.IntN(4) {
			s := anyChoice(t, r.IntN)
			first, n := uint64(r.IntN(8)), uint64(r.IntN(6))
			total.AddRun(s, first, n)
			for k := first; k < first+n; k++ {
				from, to := s.Bounds(k)
				low.Add(low, rat(from))
				high.Add(high, rat(to))
				m, v := enumerated(s, k)
				mean.Add(mean, m)
				variance.Add(variance, v)
			}
		}
		switch {
		case ratSum(t, total.Min()).Cmp(low) != 0, ratSum(t, total.Max()).Cmp(high) != 0:
			t.Fatalf("bounds %v … %v, want %v … %v", total.Min(), total.Max(), low, high)
		case total.Mean().Rat().Cmp(mean) != 0, ratText(t, meanText(total)).Cmp(mean) != 0:
			t.Fatalf("mean %v, %s, want %v", total.Mean(), meanText(total), mean)
		case total.Variance().Cmp(variance) != 0:
			t.Fatalf("variance %v, want %v", total.Variance(), variance)
		}
	}
}

// enumerated returns the mean and the variance of one charge from all amounts that it can have.
func enumerated(c Choice, repeat uint64) (mean, variance *big.Rat) {
	from, to := c.Bounds(repeat)
	count := c.Values()
	unit := new(big.Rat).SetFrac(big.NewInt(1), tenTo(c.Scale()))
	mean, variance = new(big.Rat), new(big.Rat)
	values := make([]*big.Rat, count)
	for i := range values {
		step := new(big.Rat).SetInt64(int64(i))
		values[i] = step.Mul(step, unit).Add(step, rat(from))
		mean.Add(mean, values[i])
	}
	if values[count-1].Cmp(rat(to)) != 0 {
		panic("the grid does not end at the upper end")
	}
	n := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).SetUint64(count))
	mean.Mul(mean, n)
	for _, v := range values {
		d := new(big.Rat).Sub(v, mean)
		variance.Add(variance, d.Mul(d, d))
	}
	return mean, variance.Mul(variance, n)
}

// Goal: the closed form equals the enumeration, and the order of merges does not affect it (O02,
// A18). Method: the same charges one by one, in one run, and in two halves, merged both ways.
func TestTotalsAddUp(t *testing.T) {
	r := source(14)
	for range 500 {
		var runs, singly, left, right Total
		for range 1 + r.IntN(5) {
			s := anyChoice(t, r.IntN)
			first, n := uint64(r.IntN(8)), uint64(r.IntN(12))
			runs.AddRun(s, first, n)
			cut := r.Uint64N(n + 1)
			for k := range n {
				singly.Add(s, first+k)
			}
			left.AddRun(s, first, cut)
			right.AddRun(s, first+cut, n-cut)
		}
		a, b := left, right
		a.Merge(right)
		b.Merge(left)
		b.Merge(Total{})
		if runs != singly || runs != a || runs != b {
			t.Fatalf("%+v\n%+v\n%+v\n%+v", runs, singly, a, b)
		}
		if left.Charges()+right.Charges() != runs.Charges() {
			t.Fatal("a merge changed its argument")
		}
		if !runs.isPossible() {
			t.Fatalf("%v is said to be impossible", runs)
		}
		// The whole without one part is the other part, except for decimals.
		rest := runs
		err := rest.Sub(right)
		left.min.Add(Amount{0, uint8(right.Min().Scale())})
		left.max.Add(Amount{0, uint8(right.Max().Scale())})
		if left.Charges() == 0 {
			left = Total{}
		}
		if err != nil || rest.String() != left.String() || rest.Variance().Cmp(left.Variance()) != 0 || rest.Charges() != left.Charges() {
			t.Fatalf("%v - %v = %v, %v; want %v", runs, right, rest, err, left)
		}
		if err := rest.Sub(rest); err != nil || rest != (Total{}) {
			t.Fatalf("a total without itself is %+v, %v", rest, err)
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
		if s.Compare(total.Min()) < 0 || s.Compare(total.Max()) > 0 {
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
	if ratSum(t, total.Max()).Cmp(top) != 0 || !total.Min().IsZero() {
		t.Errorf("bounds %v … %v, want %v", total.Min(), total.Max(), top)
	}
	mean := new(big.Rat).Mul(top, big.NewRat(1, 2))
	if total.Mean().Rat().Cmp(mean) != 0 || ratText(t, meanText(total)).Cmp(mean) != 0 {
		t.Errorf("mean %v, want %v", total.Mean(), mean)
	}
	// n·(v²−1)/12 with v = 2^63, and 3/12 of the square of the finest unit
	v := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 63))
	variance := v.Mul(v, v).Sub(v, big.NewRat(1, 1))
	variance.Mul(variance, n).Mul(variance, big.NewRat(1, 12))
	variance.Add(variance, unit.Mul(unit, unit).Mul(unit, big.NewRat(1, 4)))
	if total.Variance().Cmp(variance) != 0 {
		t.Errorf("variance %v, want %v", total.Variance(), variance)
	}
}

// The values that a total returns belong to the caller and share nothing with it.
func TestTotalSharesNothing(t *testing.T) {
	var total Total
	total.AddRun(mustRange(t, "1", "2", "EUR"), 0, 3)
	before := total
	total.Variance().SetInt64(7)
	low := total.Min()
	low.Add(MustParse("5"))
	copied := total
	copied.Add(Fixed(MustParse("1")), 0)
	total.Mean().BigInt().SetInt64(7)
	if total != before {
		t.Errorf("%+v became %+v", before, total)
	}
}

func TestTotalSubRefuses(t *testing.T) {
	// Nothing wraps, and a total that is not a part leaves the other as it was.
	one := func(c Choice, n uint64) (t Total) { t.AddRun(c, 0, n); return t }
	both := func(a, b Total) Total { a.Merge(b); return a }
	fixed := func(s string) Choice { return Fixed(MustParse(s)) }
	cents := func(from, to string) Choice { return mustRange(t, from, to, "EUR") }
	type row struct {
		because
		whole, part Total
	}
	each(t, []row{
		{because{"more charges", "no negative number of charges"}, one(fixed("5.00"), 2), one(fixed("1.00"), 3)},
		{because{"from nothing", "no negative number of charges"}, Total{}, one(fixed("0.00"), 1)},
		{because{"larger sums", "no negative sum"}, one(fixed("1.00"), 3), one(fixed("5.00"), 2)},
		{because{"larger max alone", "no negative sum"}, one(fixed("5.00"), 3), one(cents("1.00", "20.00"), 1)},
		{because{"charges used up, money left", "no charges have it"}, one(fixed("5.00"), 1), one(fixed("1.00"), 1)},
		{because{"charges used up, min left", "no charges have it"}, one(fixed("5.00"), 1), one(cents("1.00", "5.00"), 1)},
		{because{"charges used up, max left", "no charges have it"}, one(cents("1.00", "5.00"), 1), one(fixed("1.00"), 1)},
		{because{"charges used up, spread left", "no charges have it"}, one(cents("0.00", "0.02"), 1), one(mustRange(t, "0", "0.02", "KWD"), 1)},
		{because{"more spread", "no negative variance"}, one(cents("1.00", "2.00"), 2), one(mustRange(t, "1.00", "2.00", "XAU"), 1)},
		{because{"spread without sums", "no charges have it"}, one(cents("1.00", "3.00"), 1), one(cents("1.00", "2.00"), 1)},
		{because{"sums without spread", "8 × (2²-1) = 3 × (3²-1)"}, one(cents("1.00", "1.01"), 8), one(cents("1.00", "1.02"), 3)},
		{because{"min above max", "no charges have it"}, both(one(cents("1.00", "1.02"), 4), one(fixed("9.00"), 8)), one(cents("1.00", "1.01"), 9)},
		{because{"more than an amount left to one charge", "no charge has it"}, one(Fixed(Amount{1<<63 - 1, 0}), 3), one(fixed("0"), 2)},
	}, func(t *testing.T, r row) {
		before := r.whole
		if err := r.whole.Sub(r.part); !errors.Is(err, ErrNotPart) || r.whole != before {
			t.Errorf("%v - %v = %v, %v", before, r.part, r.whole, err)
		}
	})
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
