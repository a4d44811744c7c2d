package laws

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// amountLaws are the laws of single amounts, of sums, and of the amounts of a profile.
func amountLaws() []Law {
	return []Law{
		law("A01", "L36", "Parse(t) accepts ⇔ t matches ^[0-9]+(\\.[0-9]+)?$ and fits; the error holds no part of t", gen.AmountTexts, amountForms),
		law("A02", "L36", "Parse(t).String() = t without needless zeros in front, scale kept; Parse(x.String()) = x", gen.AmountTexts, amountRoundTrip),
		law("A03", "L33", "Compare is by value, a total order, and equals that of fractions", gen.Amounts, comparison),
		law("A04", "L36d", "sums are exact, in any order and grouping", gen.Amounts, exactSums),
		law("A05", "L36", "FromDecimal(x.Decimal()) has x's value; negative and unfit values are refused", gen.Amounts, decimals),
		once("A06", "L36", "shopspring's package variables change no byte", hostGlobals).alone(),
		law("A07", "L36d", "no overflow: what is too large is an error or a wider number, never wrapped", gen.Amounts, wideSums).prompt(),
		once("A08", "L34", "of amount, from–to, sequence exactly one, whole", oneChoice),
		law("A09", "2.2.5", "Fixed: Bounds(k) = (x, x) for all k", gen.Amounts, fixedBounds),
		law("A10", "2.2.6 X7", "Sequence of n: element min(k, n−1); a copy of the last element changes nothing", gen.Amounts, sequenceBounds),
		law("A11", "2.2.5 2.2.6", "from repeat c0 the j-th charge takes element min(c0+j, n−1), or the profile's amount, or its bounds", gen.Plans, sequenceFrom),
		law("A12", "L33", "Range: Bounds(k) = (from, to); from = to gives the totals of Fixed", gen.Amounts, rangeBounds),
		law("A18", "2.2.5", "amounts times c: totals times c, dates unchanged", gen.Plans, scaled),
		once("A20", "L36", "parsing is linear at most; an over-long text fails before it is converted", longTexts).alone(),
	}
}

func amountForms(t *T, text string) {
	got, err := t.ParseAmount(text)
	want, bad := ReferenceAmounts().ParseAmount(text)
	if (err != nil) != (bad != nil) {
		t.Errorf("ParseAmount(%q) is refused: %v, want %v", text, err != nil, bad != nil)
		return
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
			if got, want := t.CompareAmounts(a, b), decimalOf(a).Cmp(decimalOf(b)); got != want {
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
	want := ReferenceAmounts().Sum(c.List)
	if got := t.Sum(c.List); got != want {
		t.Errorf("the sum of %v is %s, want %s", c.List, got, want)
	}
	reversed := slices.Clone(c.List)
	slices.Reverse(reversed)
	if got := t.Sum(reversed); got != want {
		t.Errorf("the sum of %v is %s, want %s", reversed, got, want)
	}
	dimes := slices.Repeat([]amount.Amount{gen.Minor(10, 2)}, int(c.N))
	if got, want := t.Sum(dimes), ReferenceAmounts().Sum(dimes); got != want {
		t.Errorf("%d times 0.10 is %s, want %s", c.N, got, want)
	}
}

// wideSums takes the largest amounts many times.
func wideSums(t *T, c gen.AmountCase) {
	most := gen.Minor(math.MaxInt64, int(c.Repeat%(amount.MaxScale+1)))
	list := append(slices.Repeat([]amount.Amount{most}, int(c.N)), c.List...)
	if got, want := t.Sum(list), ReferenceAmounts().Sum(list); got != want {
		t.Errorf("%d times %v and %v: %s, want %s", c.N, most, c.List, got, want)
	}
	n := c.Seed >> 1
	want := new(big.Rat).Mul(decimalOf(most).Rat(), new(big.Rat).SetInt(new(big.Int).SetUint64(n))).FloatString(most.Scale())
	if n == 0 {
		want = "0"
	}
	if got := t.TotalOf(amount.Fixed(most), 0, n); got.Min != want || got.Max != want || got.Charges != n {
		t.Errorf("%d charges of %v: %s to %s, want %s", n, most, got.Min, got.Max, want)
	}
}

// oneChoice tries every subset of the amount columns on a stored profile.
func oneChoice(t *T) {
	profile := gen.PlainProfile()
	_, stored, err := t.Apply(engine.Stored{Profile: profile}, engine.Event{Date: profile.Start, Do: engine.DoCreate}, engine.Policy{})
	if err != nil {
		t.Errorf("a plain profile is not created: %v", err)
		return
	}
	one := gen.Minor(100, 2)
	for subset := range 16 {
		u := engine.Update{Amount: engine.Remove[amount.Amount]()}
		groups := 0
		if subset&1 != 0 {
			u.Amount = engine.To(one)
			groups++
		}
		if subset&2 != 0 {
			u.AmountFrom = engine.To(one)
		}
		if subset&4 != 0 {
			u.AmountTo = engine.To(one)
		}
		if subset&6 != 0 {
			groups++
		}
		if subset&8 != 0 {
			u.Sequence = engine.To([]amount.Amount{one, one})
			groups++
		}
		half := subset&6 == 2 || subset&6 == 4
		_, _, err := t.Apply(stored, engine.Event{Date: profile.Start, Do: engine.DoUpdate, Set: u}, engine.Policy{})
		if want := groups == 1 && !half; (err == nil) != want {
			t.Errorf("amount %v, from %v, to %v, sequence %v: accepted is %v", subset&1 != 0, subset&2 != 0, subset&4 != 0, subset&8 != 0, err == nil)
		}
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

func sequenceBounds(t *T, c gen.AmountCase) {
	n := uint64(len(c.List))
	s := gen.SequenceOf(c.List)
	longer := gen.SequenceOf(append(slices.Clone(c.List), c.List[n-1]))
	for _, k := range [...]uint64{0, 1, 2, n - 1, n, n + 1, c.Repeat % (1 << 20)} {
		want := c.List[min(k, n-1)]
		if low, high := t.Bounds(s, k); low != want || high != want {
			t.Errorf("charge %d of %v is %v to %v, want %v", k, c.List, low, high, want)
		}
		if low, _ := t.Bounds(longer, k); low != want {
			t.Errorf("charge %d of %v with the last element twice is %v, want %v", k, c.List, low, want)
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
	t.Equal("the total of a range from = to and of a fixed amount", same.plain(), fixed.plain())
}

// equalRange is the range from a to a; from one to one where a does not fit its grid.
func equalRange(a amount.Amount, currency string) amount.Choice {
	r, err := amount.Range(a, a, currency)
	if err != nil {
		r, _ = amount.Range(gen.Minor(1, 0), gen.Minor(1, 0), currency)
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
		few, many := t.work(ask(short)), t.work(ask(long))
		if many.Exceeds(2*64, few) {
			t.Errorf("64 times the text takes %d steps and %d bytes, once %d and %d", many.Steps, many.Bytes, few.Steps, few.Bytes)
		}
		// The number would need about 4 bits for each digit.
		if most := uint64(len(long) / 8); many.Bytes > most {
			t.Errorf("%d bytes allocated to refuse a text of %d bytes, want at most %d", many.Bytes, len(long), most)
		}
	}
}

// hostGlobals sets each of shopspring's package variables to another value, as a host
// program may, and compares every text. It must not run beside other code that uses
// the dependency; it puts everything back.
func hostGlobals(t *T) {
	list := []amount.Amount{amount.MustParse("1.50"), amount.MustParse("0.0100"), amount.MustParse("1000000")}
	some, err := amount.Range(amount.MustParse("0.01"), amount.MustParse("0.02"), "EUR")
	if err != nil {
		t.Errorf("a plain range is refused")
		return
	}
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
		turned(&decimal.MarshalJSONWithoutQuotes, "MarshalJSONWithoutQuotes"),
		turned(&decimal.TrimTrailingZeros, "TrimTrailingZeros"),
		turned(&decimal.UseScientificNotation, "UseScientificNotation"),
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

// turned turns a variable round.
func turned(v *bool, name string) func() (string, func()) {
	return func() (string, func()) {
		*v = !*v
		return name, func() { *v = !*v }
	}
}

// times is a choice with every amount c times as large.
func times(s amount.Choice, c int64, currency string) amount.Choice {
	grow := func(a amount.Amount) amount.Amount { return gen.Minor(a.Coefficient()*c, a.Scale()) }
	from, to := s.Bounds(0)
	switch s.Kind() {
	case amount.KindFixed:
		return amount.Fixed(grow(from))
	case amount.KindRange:
		r, err := amount.Range(grow(from), grow(to), currency)
		if err != nil {
			panic(err)
		}
		return r
	case amount.KindSequence:
		list := s.Elements()
		for i, a := range list {
			list[i] = grow(a)
		}
		return gen.SequenceOf(list)
	}
	return s
}

func scaled(t *T, p gen.PlanCase) {
	c := int64(p.N%4 + 2)
	w := p.Window(0, p.C)
	before := t.forecast(p.Job)
	grown := p.Job
	grown.Profile.Amounts = times(p.Profile.Amounts, c, p.Profile.Currency)
	after := t.forecast(grown)
	a, b := before.in(w), after.in(w)
	for i := range a {
		a[i].Min, a[i].Max = gen.Minor(a[i].Min.Coefficient()*c, a[i].Min.Scale()).Reduce(), gen.Minor(a[i].Max.Coefficient()*c, a[i].Max.Scale()).Reduce()
	}
	t.Equal("grown amounts", b, a)
	x, y := before.Total(w), after.Total(w)
	for _, pair := range [...][2]string{{x.Min, y.Min}, {x.Max, y.Max}, {x.Mean, y.Mean}} {
		small, _ := new(big.Rat).SetString(pair[0])
		large, _ := new(big.Rat).SetString(pair[1])
		if small.Mul(small, big.NewRat(c, 1)).Cmp(large) != 0 {
			t.Errorf("a total of %s becomes %s with amounts %d times as large", pair[0], pair[1], c)
		}
	}
}

func sequenceFrom(t *T, p gen.PlanCase) {
	if p.N%2 != 0 && p.Profile.Amounts.Kind() != amount.KindSequence {
		p.Profile.Amounts = gen.SequenceOf([]amount.Amount{gen.Minor(1, 0), gen.Minor(2, 0), gen.Minor(3, 0)})
	}
	got := t.forecast(p.Job).in(p.Window(0, p.C+1))
	want := slices.Clone(got)
	for i, c := range got {
		c.Min, c.Max = boundsByWalk(p.Profile.Amounts, c.Repeat)
		want[i] = plainCharge(c)
	}
	t.Equal("with the amounts "+p.Profile.Amounts.String(), got, want)
	reached := slices.ContainsFunc(got, func(c engine.Charge) bool { return c.Repeat == 0 })
	if first := p.StartRepeat(); reached && first > 0 {
		t.Errorf("the first element is reached from repeat %d", first)
	}
}
