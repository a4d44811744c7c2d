package laws

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// drawLaws are the laws of random amounts, totals and currencies.
func drawLaws() []Law {
	return []Law{
		law("A13", "L36d", "from ≤ Draw ≤ to, on the currency's minor-unit grid; both ends are reached", gen.Amounts, drawsInside),
		law("A14", "L36d", "Draw depends on (seed, profile, repeat) alone", gen.Amounts, drawsAlone),
		once("A15", "L36d", "golden draws", goldenDraws),
		once("A16", "L36d", "uniform: χ² stays under the 10^-6 quantile; profiles and repeats unrelated", uniformDraws),
		law("A17", "L36d", "total of n charges: min, max, mean exact; every simulated total lies within", gen.Amounts, totals),
		once("A19", "L36c", "MinorUnits equals the dated table; an unknown code is (0, false); nothing is ever rounded", minorUnits),
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
	high := gen.AmountOf(step.Add(step, decimalOf(low).Rat()).FloatString(scale))
	r, err := amount.Range(low, high, c.Currency)
	if err != nil {
		t.Errorf("the range from %v to %v is refused: %v", low, high, err)
		return
	}
	met := map[string]bool{}
	for k := range uint64(120) {
		a := t.Draw(r, c.Seed, c.Profile, k)
		if a.Compare(low) < 0 || a.Compare(high) > 0 || a.Reduce().Scale() > scale {
			t.Errorf("draw %d from %v to %v in %s is %v", k, low, high, c.Currency, a)
			return
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
		r, _ = amount.Range(gen.Minor(1, 2), gen.Minor(3_000_000_000, 2), c.Currency)
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
		r, err := amount.Range(amount.MustParse(g.from), amount.MustParse(g.to), "EUR")
		if got := t.Draw(r, g.seed, g.profile, g.repeat); err != nil || got.String() != g.amount {
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
		r, err := amount.Range(gen.Minor(1, 2), gen.Minor(span.values, 2), "EUR")
		if err != nil {
			t.Errorf("a range of %d values is refused", span.values)
			continue
		}
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
					t.Errorf("a draw of %d values is outside them", span.values)
					return
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
	x := new(big.Rat).Mul(decimalOf(a).Rat(), big.NewRat(100, 1))
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
	t.Equal("the total", got.plain(), totalByLoop(c.Choice, c.First, c.N).plain())
	r := c.Choice
	if r.Kind() != amount.KindRange {
		return
	}
	var sum oracle.Decimal
	for k := range c.N {
		sum.Add(decimalOf(t.Draw(r, c.Seed, c.Profile, c.First+k)))
	}
	if x := sum.Rat(); x.Cmp(ratText(got.Min)) < 0 || x.Cmp(ratText(got.Max)) > 0 {
		t.Errorf("a simulated total %s is outside %s … %s", sum.String(), got.Min, got.Max)
	}
}

// minorUnits holds the codes without two digits; the rest of the table has two.
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
		if err != nil || decimalOf(back).Cmp(decimalOf(a)) != 0 {
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
