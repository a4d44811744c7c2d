package laws

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
)

// amountLaws are the laws of amounts: single ones, sums, those of a profile, random ones, and how totals are distributed.
func amountLaws() []Law {
	return []Law{
		law("A01", gen.AmountTexts, amountForms),
		own("A02", "L36", "Parse(t).String() = t without needless zeros in front, scale kept; Parse(x.String()) = x", gen.AmountTexts, amountRoundTrip),
		own("A03", "L33", "Compare is by value, a total order, and equals that of fractions", gen.Amounts, comparison),
		law("A04", gen.Amounts, exactSums),
		own("A05", "L36", "FromDecimal(x.Decimal()) has x's value; negative and unfit values are refused", gen.Amounts, decimals),
		ownOnce("A06", "L36", "shopspring's package variables change no byte", hostGlobals).alone(),
		own("A07", "L36d", "no overflow: what is too large is an error or a wider number, never wrapped", gen.Amounts, wideSums),
		own("A09", "2.2.5", "Fixed: Bounds(k) = (x, x) for all k", gen.Amounts, fixedBounds),
		own("A12", "L33", "Range: Bounds(k) = (from, to); from = to gives the totals of Fixed", gen.Amounts, rangeBounds),
		ownOnce("A20", "L36", "an over-long text fails before it is converted: parsing allocates in proportion at most", longTexts).alone(),
		own("A13", "L36d", "from ≤ Draw ≤ to, on the currency's minor-unit grid; both ends are reached", gen.Amounts, drawsInside),
		own("A14", "L36d", "Draw depends on (seed, profile, repeat) alone", gen.Amounts, drawsAlone),
		ownOnce("A15", "L36d", "golden draws", goldenDraws),
		ownOnce("A16", "L36d", "uniform: χ² stays under the 10^-6 quantile; profiles and repeats unrelated", uniformDraws),
		own("A17", "L36d", "total of n charges: min, max, mean exact; every simulated total lies within", gen.Amounts, totals),
		ownOnce("A19", "L36c", "MinorUnits equals the dated table; an unknown code is (0, false); nothing is ever rounded", minorUnits),
		own("O11", "L36d", "quantiles: q(0) = min, q(100) = max, monotone, any order; those counted, within 10^-12 up to the stated size and within the bound of the normal approximation above it", gen.Quantiles, quantilesAreCounted).slow(),
	}
}

func amountForms(t *T, text string) {
	got, err := t.ParseAmount(text)
	want, bad := parseByExpression(text)
	if (err != nil) != (bad != nil) {
		t.Fatalf("ParseAmount(%q) is refused: %v, want %v", text, err != nil, bad != nil)
	}
	if got != want {
		t.Errorf("ParseAmount(%q) is %d·10^-%d, want %d·10^-%d", text, got.Coefficient(), got.Scale(), want.Coefficient(), want.Scale())
	}
	if err != nil && len(text) > 3 && strings.Contains(err.Error(), text) {
		t.Errorf("the error shows the text: %v", err)
	}
}

func amountRoundTrip(t *T, text string) {
	a, err := t.ParseAmount(text)
	if err != nil {
		return
	}
	want := strings.TrimLeft(text, "0")
	if want == "" || want[0] == '.' {
		want = "0" + want
	}
	got := t.FormatAmount(a)
	if got != want {
		t.Errorf("%q is written %q, want %q", text, got, want)
	}
	if again, err := t.ParseAmount(got); err != nil || again != a {
		t.Errorf("%q is not read back", got)
	}
}

func comparison(t *T, c gen.AmountCase) {
	for _, a := range c.List {
		for _, b := range c.List {
			if got, want := t.CompareAmounts(a, b), plain.DecimalOf(a).Cmp(plain.DecimalOf(b)); got != want {
				t.Errorf("%v and %v compare as %d, want %d", a, b, got, want)
			}
		}
		if shifted := a.Coefficient() * 10; a.Scale() < amount.MaxScale && shifted/10 == a.Coefficient() {
			if t.CompareAmounts(a, gen.Minor(shifted, a.Scale()+1)) != 0 {
				t.Errorf("%v and the same with one more zero differ", a)
			}
		}
	}
}

func exactSums(t *T, c gen.AmountCase) {
	want := sumByLoop(c.List)
	if got := t.Sum(c.List); got != want {
		t.Errorf("the sum of %v is %s, want %s", c.List, got, want)
	}
	reversed := slices.Clone(c.List)
	slices.Reverse(reversed)
	if got := t.Sum(reversed); got != want {
		t.Errorf("the sum of %v is %s, want %s", reversed, got, want)
	}
	dimes := slices.Repeat([]amount.Amount{gen.Minor(10, 2)}, int(c.N))
	if got, want := t.Sum(dimes), sumByLoop(dimes); got != want {
		t.Errorf("%d times 0.10 is %s, want %s", c.N, got, want)
	}
}

// wideSums takes the largest amounts many times.
func wideSums(t *T, c gen.AmountCase) {
	most := gen.Minor(math.MaxInt64, int(c.Repeat%(amount.MaxScale+1)))
	list := append(slices.Repeat([]amount.Amount{most}, int(c.N)), c.List...)
	if got, want := t.Sum(list), sumByLoop(list); got != want {
		t.Errorf("%d times %v and %v: %s, want %s", c.N, most, c.List, got, want)
	}
}

func fixedBounds(t *T, c gen.AmountCase) {
	s := amount.Fixed(c.List[0])
	for _, k := range [...]uint64{0, 1, c.Repeat, math.MaxUint64} {
		if low, high := t.Bounds(s, k); low != c.List[0] || high != c.List[0] {
			t.Errorf("charge %d of a fixed amount is %v to %v, want %v", k, low, high, c.List[0])
		}
	}
}

func rangeBounds(t *T, c gen.AmountCase) {
	r := c.Choice
	if r.Kind() != amount.KindRange {
		r = equalRange(c.List[0], c.Currency)
	}
	from, to := r.Bounds(0)
	for _, k := range [...]uint64{0, 1, c.Repeat} {
		if low, high := t.Bounds(r, k); low != from || high != to {
			t.Errorf("charge %d is %v to %v, want %v to %v", k, low, high, from, to)
		}
	}
	same, fixed := t.TotalOf(equalRange(from, c.Currency), c.First, c.N), t.TotalOf(amount.Fixed(from), c.First, c.N)
	t.Equal("the total of a range from = to and of a fixed amount", same.Reduced(), fixed.Reduced())
}

// equalRange is the range from a to a; from one to one where a does not fit its grid.
func equalRange(a amount.Amount, currency string) amount.Choice {
	r, err := amount.Range(a, a, currency)
	if err != nil {
		r = gen.RangeOf(gen.Minor(1, 0), gen.Minor(1, 0), currency)
	}
	return r
}

func longTexts(t *T) {
	for _, form := range [...]string{"9", "0", "0.0"} {
		short, long := form+strings.Repeat("0", 1<<12), form+strings.Repeat("0", 1<<18)
		ask := func(text string) func() { return func() { _, _ = t.ParseAmount(text) } }
		if _, err := t.ParseAmount(long); err == nil {
			t.Errorf("a text of %d bytes is accepted", len(long))
		}
		few, many := allocated(ask(short)), allocated(ask(long))
		if many > 2*64*few+64<<10 {
			t.Errorf("64 times the text allocates %d bytes, once %d", many, few)
		}
		// The number would need about 4 bits for each digit.
		if most := uint64(len(long) / 8); many > most {
			t.Errorf("%d bytes allocated to refuse a text of %d bytes, want at most %d", many, len(long), most)
		}
	}
}

// hostGlobals sets each of shopspring's package variables to another value, as a host
// program may, and compares every text. It must not run beside other code that uses
// the dependency; it puts everything back.
func hostGlobals(t *T) {
	list := []amount.Amount{amount.MustParse("1.50"), amount.MustParse("0.0100"), amount.MustParse("1000000")}
	some := gen.RangeOf(gen.Minor(1, 2), gen.Minor(2, 2), "EUR")
	texts := func() string {
		var s strings.Builder
		s.WriteString(t.Sum(list))
		for _, a := range list {
			s.WriteString(" " + t.FormatAmount(a))
		}
		if a, err := t.ParseAmount("12.50"); err == nil {
			s.WriteString(" " + t.FormatAmount(a))
		}
		total := t.TotalOf(some, 0, 3)
		return s.String() + " " + total.Min + " " + total.Max + " " + total.Mean
	}
	want := texts()
	for _, set := range [...]func() (name string, restore func()){
		number1(&decimal.DivisionPrecision, "DivisionPrecision"),
		number1(&decimal.PowPrecisionNegativeExponent, "PowPrecisionNegativeExponent"),
		number1(&decimal.ExpMaxIterations, "ExpMaxIterations"),
		number1(&decimal.MaxDecodeExponent, "MaxDecodeExponent"),
		negate(&decimal.MarshalJSONWithoutQuotes, "MarshalJSONWithoutQuotes"),
		negate(&decimal.TrimTrailingZeros, "TrimTrailingZeros"),
		negate(&decimal.UseScientificNotation, "UseScientificNotation"),
	} {
		name, restore := set()
		got := texts()
		restore()
		if got != want {
			t.Errorf("with another %s: %s, want %s", name, got, want)
		}
	}
}

// number1 sets a variable to 1.
func number1(v *int, name string) func() (string, func()) {
	return func() (string, func()) {
		old := *v
		*v = 1
		return name, func() { *v = old }
	}
}

// negate returns a func that flips a variable.
func negate(v *bool, name string) func() (string, func()) {
	return func() (string, func()) {
		*v = !*v
		return name, func() { *v = !*v }
	}
}

func drawsInside(t *T, c gen.AmountCase) {
	low := c.List[0]
	if low.Coefficient() > 1<<40 || low.Scale() > 6 {
		low = gen.Minor(1, 2)
	}
	// A range of few values, so that both ends come soon.
	scale := gen.GridScale(low, low, c.Currency)
	step := new(big.Rat).SetFrac(big.NewInt(int64(c.N%4)), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	high := gen.AmountOf(step.Add(step, plain.DecimalOf(low).Rat()).FloatString(scale))
	r := gen.RangeOf(low, high, c.Currency)
	met := map[string]bool{}
	for k := range uint64(120) {
		a := t.Draw(r, c.Seed, c.Profile, k)
		if a.Compare(low) < 0 || a.Compare(high) > 0 || a.Reduce().Scale() > scale {
			t.Fatalf("draw %d from %v to %v in %s is %v", k, low, high, c.Currency, a)
		}
		met[a.Reduce().String()] = true
	}
	// With up to four values one of them stays away 120 times once in 10^14 cases.
	if want := int(c.N%4) + 1; len(met) != want {
		t.Errorf("%d values from %v to %v in %s, want %d: %s", len(met), low, high, c.Currency, want, strings.Join(slices.Sorted(maps.Keys(met)), ", "))
	}
}

func drawsAlone(t *T, c gen.AmountCase) {
	r := c.Choice
	if r.Kind() != amount.KindRange {
		r = gen.RangeOf(gen.Minor(1, 2), gen.Minor(3_000_000_000, 2), c.Currency)
	}
	var forward, backward []amount.Amount
	for k := range uint64(8) {
		forward = append(forward, t.Draw(r, c.Seed, c.Profile, c.First+k))
	}
	t.Draw(r, c.Seed, "somebody else", 0)
	for k := uint64(8); k > 0; k-- {
		backward = append(backward, t.Draw(r, c.Seed, c.Profile, c.First+k-1))
	}
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) {
		t.Errorf("draws in order are %v, in the other order %v", forward, backward)
	}
}

// goldenDraws holds a few draws. Do not change them: fix the code.
func goldenDraws(t *T) {
	for _, g := range [...]struct {
		seed             uint64
		profile          string
		repeat           uint64
		from, to, amount string
	}{
		{0, "", 0, "1.00", "5.00", "1.55"},
		{1, "order-1", 0, "1.00", "5.00", "1.37"},
		{1, "order-1", 1, "1.00", "5.00", "1.63"},
		{1, "order-2", 0, "1.00", "5.00", "3.74"},
		{2, "order-1", 0, "1.00", "5.00", "4.85"},
		{1<<64 - 1, "order-1", 1 << 40, "0.01", "30000000.00", "16896770.76"},
	} {
		r := gen.RangeOf(amount.MustParse(g.from), amount.MustParse(g.to), "EUR")
		if got := t.Draw(r, g.seed, g.profile, g.repeat); got.String() != g.amount {
			t.Errorf("seed %d, profile %q, repeat %d: %v, want %s", g.seed, g.profile, g.repeat, got, g.amount)
		}
	}
}

// uniformDraws counts draws in up to 64 buckets and compares χ² with its quantile
// for a chance of one in a million.
func uniformDraws(t *T) {
	const draws = 16_384
	for _, span := range [...]struct {
		values int64
		limit  float64
	}{{3, 27.7}, {401, 130}, {3_000_000_000, 130}} {
		r := gen.RangeOf(gen.Minor(1, 2), gen.Minor(span.values, 2), "EUR")
		for _, by := range [...]string{"repeats", "profiles", "seeds"} {
			buckets := min(span.values, 64)
			met := make([]int64, buckets)
			for i := range uint64(draws) {
				seed, profile, repeat := uint64(7), "order-1", i
				switch by {
				case "profiles":
					profile, repeat = "order-"+string(rune('0'+i%10))+strings.Repeat("x", int(i/10%40))+string(rune('a'+i/400)), 0
				case "seeds":
					seed, repeat = i, 0
				}
				a := t.Draw(r, seed, profile, repeat)
				at := (ratCents(a) - 1) * buckets / span.values
				if at < 0 || at >= buckets {
					t.Fatalf("a draw of %d values is outside them", span.values)
				}
				met[at]++
			}
			if x := chiSquare(met, span.values, draws); x > span.limit {
				t.Errorf("%d values over %s: χ² is %.1f, above %.1f", span.values, by, x, span.limit)
			}
		}
	}
}

// ratCents is an amount in hundredths, cut off.
func ratCents(a amount.Amount) int64 {
	x := new(big.Rat).Mul(plain.DecimalOf(a).Rat(), big.NewRat(100, 1))
	return new(big.Int).Quo(x.Num(), x.Denom()).Int64()
}

// chiSquare compares counts with those that as many equally likely values give.
func chiSquare(met []int64, values int64, draws float64) float64 {
	n := int64(len(met))
	sum := 0.0
	for i, m := range met {
		first := (int64(i)*values + n - 1) / n
		last := ((int64(i)+1)*values + n - 1) / n
		want := draws * float64(last-first) / float64(values)
		sum += (float64(m) - want) * (float64(m) - want) / want
	}
	return sum
}

func totals(t *T, c gen.AmountCase) {
	got := t.TotalOf(c.Choice, c.First, c.N)
	t.Equal("the total", got.Reduced(), plain.TotalByLoop(c.Choice, c.First, c.N).Reduced())
	r := c.Choice
	if r.Kind() != amount.KindRange {
		return
	}
	var sum oracle.Decimal
	for k := range c.N {
		sum.Add(plain.DecimalOf(t.Draw(r, c.Seed, c.Profile, c.First+k)))
	}
	if x := sum.Rat(); x.Cmp(ratText(got.Min)) < 0 || x.Cmp(ratText(got.Max)) > 0 {
		t.Errorf("a simulated total %s is outside %s … %s", sum.String(), got.Min, got.Max)
	}
}

// minorUnits has the codes without two digits; the rest of the table has two.
func minorUnits(t *T) {
	digits := map[string]int{}
	for n, codes := range map[int]string{
		0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
		2: "EUR USD GBP CHF CAD AUD CZK PLN SEK NOK DKK INR BRL ZAR",
		3: "BHD IQD JOD KWD LYD OMR TND",
		4: "CLF UYW",
	} {
		for code := range strings.FieldsSeq(codes) {
			digits[code] = n
		}
	}
	for code, want := range digits {
		if got, ok := t.MinorUnits(code); !ok || got != want {
			t.Errorf("%s has %d digits, %v; want %d", code, got, ok, want)
		}
	}
	for _, code := range [...]string{"", "eur", "EURO", "QQQ", "ZZZ", "€"} {
		if got, ok := t.MinorUnits(code); ok || got != 0 {
			t.Errorf("%q is a currency of %d digits", code, got)
		}
	}
	for _, text := range [...]string{"1.005", "10.50", "0.001", "1.0001", "0.999"} {
		if a, err := t.ParseAmount(text); err != nil || t.FormatAmount(a) != text {
			t.Errorf("%s becomes %v", text, a)
		}
	}
}

func decimals(t *T, c gen.AmountCase) {
	for _, a := range c.List {
		d := decimal.New(a.Coefficient(), -int32(a.Scale()))
		back, err := t.FromDecimal(d)
		if err != nil || plain.DecimalOf(back).Cmp(plain.DecimalOf(a)) != 0 {
			t.Errorf("%v becomes %v, %v", a, back, err)
		}
		if _, err := t.FromDecimal(d.Neg()); err == nil {
			t.Errorf("minus %v is accepted", a)
		}
		if _, err := t.FromDecimal(d.Shift(40)); err == nil {
			t.Errorf("%v·10^40 is accepted", a)
		}
		if _, err := t.FromDecimal(decimal.New(1, -100)); err == nil {
			t.Errorf("10^-100 is accepted")
		}
	}
}

func quantilesAreCounted(t *T, c gen.QuantileCase) {
	got, normal := t.Quantiles(c.Runs, c.Percents)
	if len(got) != len(c.Percents) {
		t.Fatalf("%d quantiles, want %d", len(got), len(c.Percents))
	}
	backwards := slices.Clone(c.Runs)
	slices.Reverse(backwards)
	if again, _ := t.Quantiles(backwards, c.Percents); !slices.Equal(again, got) {
		t.Errorf("the quantiles are %s, in the other order %s", strings.Join(got, ", "), strings.Join(again, ", "))
	}
	sums := counted(c.Runs)
	if normal != sums.IsLarge() {
		t.Errorf("the quantiles of %d draws over %d units are by a normal approximation: %v, want %v",
			sums.Draws, sums.Width(), normal, sums.IsLarge())
	}
	var list []quantile
	for i, text := range c.Percents {
		p := ratText(text)
		at, ok := sums.Units(got[i])
		if !ok {
			t.Fatalf("%s %%: %s is not a possible sum on the grid", text, got[i])
		}
		list = append(list, quantile{p.Quo(p, big.NewRat(100, 1)), at})
	}
	slices.SortFunc(list, func(a, b quantile) int { return a.p.Cmp(b.p) })
	t.quantiles(sums, list, normal)
	for i := 1; i < len(list); i++ {
		if list[i-1].at > list[i].at {
			t.Errorf("the quantile of %s is above that of %s", list[i-1].p.RatString(), list[i].p.RatString())
		}
	}
}

// A quantile is a number of units above the least sum, for a probability.
type quantile struct {
	p  *big.Rat
	at int
}

// counted are the outcomes of charges as the oracle counts them.
func counted(runs []gen.RangeRun) *oracle.Counted {
	var list []oracle.Run
	for _, r := range runs {
		list = append(list, oracle.Run{From: plain.DecimalOf(r.From).Rat(), To: plain.DecimalOf(r.To).Rat(), Scale: gen.GridScale(r.From, r.To, r.Currency), N: r.N})
	}
	return oracle.Count(list)
}

// quantiles compares quantiles, by their probability, with the outcomes.
func (t *T) quantiles(c *oracle.Counted, list []quantile, normal bool) {
	slack := big.NewRat(2, 1_000_000_000_000) // that of the quantile and that of the probability
	if normal {
		slack.SetFloat64(c.Bound())
	}
	certain := big.NewRat(1, 1)
	below, next := uint64(0), 0 // outcomes of sums below next
	for _, q := range list {
		if q.p.Sign() == 0 || q.p.Cmp(certain) == 0 {
			if want := c.Width() * int(q.p.Num().Int64()); q.at != want {
				t.Errorf("%s of outcomes are up to %s, want %s: that is an end", q.p.RatString(), c.Text(q.at), c.Text(want))
			}
			continue
		}
		for ; next < q.at; next++ {
			below += c.Ways[next]
		}
		if next > q.at {
			continue // not monotone
		}
		less, reached := c.Share(below), c.Share(below+c.Ways[next])
		limit := q.p
		if normal {
			limit = new(big.Rat).Add(q.p, slack)
		}
		switch {
		case reached.Add(reached, slack).Cmp(q.p) < 0:
			t.Errorf("%s of outcomes are not up to %s: that is too low", q.p.RatString(), c.Text(q.at))
		case less.Cmp(limit) >= 0:
			t.Errorf("%s of outcomes are below %s already: that is too high", q.p.RatString(), c.Text(q.at))
		case !normal && c.Ways[q.at] == 0:
			t.Errorf("%s of outcomes are up to %s, which no outcome is", q.p.RatString(), c.Text(q.at))
		}
	}
}

func ratText(text string) *big.Rat {
	x, _ := new(big.Rat).SetString(text)
	return x
}
