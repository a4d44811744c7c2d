package amount

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// ratSum returns the value of a sum, taken from its text.
func ratSum(t *testing.T, s Sum) *big.Rat {
	t.Helper()
	return ratText(t, s.String())
}

func sumOf(amounts ...Amount) (s Sum) {
	for _, a := range amounts {
		s.Add(a)
	}
	return s
}

func TestSumText(t *testing.T) {
	type row struct {
		because
		amounts []string
		want    string
	}
	table := []row{
		{because{"nothing", "A04"}, nil, "0"},
		{because{"one", "A04"}, []string{"1.50"}, "1.50"},
		{because{"ten times ten cents", "gallery total-float"}, slices.Repeat([]string{"0.10"}, 10), "1.00"},
		{because{"largest scale, first", "A04"}, []string{"1.50", "1"}, "2.50"},
		{because{"largest scale, last", "A04"}, []string{"1", "1.50"}, "2.50"},
		{because{"largest scale of a zero", "A04"}, []string{"1", "0.00"}, "1.00"},
		{because{"zeros", "A04"}, []string{"0", "0.000"}, "0.000"},
		{because{"over 2^63", "A07"}, []string{"9223372036854775807", "1"}, "9223372036854775808"},
		{because{"over 2^64", "A07"}, []string{"9223372036854775807", "9223372036854775807", "2"}, "18446744073709551616"},
		{because{"over 2^64 with decimals", "A07"}, []string{"9223372036854775807", "0.000000000000000001"}, "9223372036854775807.000000000000000001"},
		{because{"twenty digits, decimals", "A07"}, []string{"184467440737095516.15", "0.01"}, "184467440737095516.16"},
	}
	each(t, table, func(t *testing.T, r row) {
		var s Sum
		parts := split(r.amounts)
		for _, a := range parts {
			s.Add(a)
		}
		if s.String() != r.want {
			t.Errorf("got %v", s)
		}
		appended, err := s.AppendText([]byte("x "))
		if string(appended) != "x "+r.want || err != nil {
			t.Errorf("AppendText: %s, %v", appended, err)
		}
		if text, err := json.Marshal(s); string(text) != `"`+r.want+`"` || err != nil {
			t.Errorf("JSON: %s, %v", text, err)
		}
		if d := s.Decimal(); d.Rat().Cmp(ratText(t, r.want)) != 0 || int(-d.Exponent()) != int(s.scale) {
			t.Errorf("Decimal: %v", d)
		}
		if s.IsZero() != (ratText(t, r.want).Sign() == 0) {
			t.Errorf("IsZero is %t", s.IsZero())
		}
	})
}

// split parses amounts; 2^64-1 cents become three of them.
func split(texts []string) (amounts []Amount) {
	for _, text := range texts {
		if text == "184467440737095516.15" {
			amounts = append(amounts, Amount{1<<63 - 1, 2}, Amount{1<<63 - 1, 2}, Amount{1, 2})
			continue
		}
		amounts = append(amounts, MustParse(text))
	}
	return amounts
}

// Goal: sums are exact in any order and grouping and with each method (A04, A07). Method: random
// amounts, the largest included, compared with math/big.
func TestSumAgainstBig(t *testing.T) {
	r := source(10)
	for range 500 {
		amounts := make([]Amount, r.IntN(40))
		want := new(big.Rat)
		scale := 0
		for i := range amounts {
			amounts[i] = anyAmount(r)
			if i > 0 && r.IntN(2) == 0 { // runs of one scale
				amounts[i].scale = amounts[i-1].scale
			}
			want.Add(want, rat(amounts[i]))
			scale = max(scale, amounts[i].Scale())
		}
		s := sumOf(amounts...)
		if ratSum(t, s).Cmp(want) != 0 || int(s.scale) != scale {
			t.Fatalf("got %v, want %v", s, want)
		}
		r.Shuffle(len(amounts), func(i, j int) { amounts[i], amounts[j] = amounts[j], amounts[i] })
		all := sumOf(amounts...)
		cut := r.IntN(len(amounts) + 1)
		left, right := sumOf(amounts[:cut]...), sumOf(amounts[cut:]...)
		left.AddSum(right)
		if all != s || left != s {
			t.Fatalf("%v, %v, %v: order or grouping shows", s, all, left)
		}
	}
}

// Goal: n times is n additions, up to the largest n and amounts (A07). Method: comparison
// with math/big, up to the widest sum.
func TestAddTimes(t *testing.T) {
	r := source(11)
	counts := []uint64{0, 1, 2, 1 << 32, 1<<63 + 1, math.MaxUint64}
	for range 2000 {
		a, n := anyAmount(r), counts[r.IntN(len(counts))]
		var s Sum
		s.AddTimes(a, n)
		want := new(big.Rat).SetInt(new(big.Int).SetUint64(n))
		want.Mul(want, rat(a))
		if ratSum(t, s).Cmp(want) != 0 || int(s.scale) != a.Scale() {
			t.Fatalf("%v × %d: %v", a, n, s)
		}
	}
	var s Sum
	s.AddTimes(Amount{1<<63 - 1, 0}, math.MaxUint64-1)
	s.Add(Amount{1, 18})
	if want := "170141183460469231694793815568465002498.000000000000000001"; s.String() != want {
		t.Errorf("the widest sum is %v, want %s", s, want)
	}
}

func TestSumCompare(t *testing.T) {
	r := source(12)
	sums := []Sum{{}, sumOf(MustParse("0.00")), sumOf(MustParse("1")), sumOf(MustParse("1.00"))}
	for range 40 {
		var s Sum
		for range r.IntN(3) {
			s.AddTimes(anyAmount(r), 1+r.Uint64()>>r.IntN(64)/3)
		}
		sums = append(sums, s)
	}
	// Equal in two words and different in the third.
	sums = append(sums, Sum{1, 1, 1, 0}, Sum{2, 1, 1, 0}, Sum{1, 2, 1, 0}, Sum{1, 1, 2, 0})
	for _, a := range sums {
		for _, b := range sums {
			if got, want := a.Compare(b), ratSum(t, a).Cmp(ratSum(t, b)); got != want {
				t.Errorf("%v, %v: %d, want %d", a, b, got, want)
			}
		}
	}
}

// Goal: a change of scale carries through all three words. Method: sums that fill them, brought to
// larger scales by adding a zero, compared with math/big.
func TestSumRescales(t *testing.T) {
	r := source(15)
	for range 5000 {
		var s Sum
		scale := uint8(r.IntN(MaxScale + 1))
		for range 1 + r.IntN(3) {
			s.AddTimes(Amount{int64(r.Uint64() >> (1 + r.IntN(63))), scale}, r.Uint64()>>(2+r.IntN(62)))
		}
		want := ratSum(t, s)
		s.Add(Amount{0, MaxScale})
		if ratSum(t, s).Cmp(want) != 0 || s.scale != MaxScale {
			t.Fatalf("%v, want %v", s, want)
		}
	}
	// The lowest word alone carries into the highest.
	s := Sum{math.MaxUint64, math.MaxUint64, 0, 0}
	want := ratSum(t, s)
	s.Add(Amount{0, 1})
	if ratSum(t, s).Cmp(want) != 0 {
		t.Errorf("%v, want %v", s, want)
	}
}

// A copy of a sum is independent.
func TestSumCopies(t *testing.T) {
	a := sumOf(MustParse("1.00"))
	b := a
	b.Add(MustParse("0.001"))
	if a.String() != "1.00" || b.String() != "1.001" {
		t.Errorf("%v and %v", a, b)
	}
	a.AddSum(a)
	if a.String() != "2.00" {
		t.Errorf("a sum added to itself is %v", a)
	}
}

// Goal: the text of a wide sum is right at every length and scale. Method: powers of two and of ten
// and their neighbours, compared with math/big.
func TestWideSumText(t *testing.T) {
	one := big.NewInt(1)
	check := func(n *big.Int) {
		t.Helper()
		if n.Sign() < 0 || n.BitLen() > 192 {
			return
		}
		mask := new(big.Int).SetUint64(math.MaxUint64)
		word := func(shift uint) uint64 {
			w := new(big.Int).Rsh(n, shift)
			return w.And(w, mask).Uint64()
		}
		for scale := range uint8(MaxScale + 2) {
			s := Sum{word(0), word(64), word(128), scale}
			if want := plainText(n.String(), int(scale)); s.String() != want {
				t.Fatalf("%v at scale %d: got %v, want %s", n, scale, s, want)
			}
		}
	}
	for i := range uint(193) {
		power := new(big.Int).Lsh(one, i)
		check(power)
		check(new(big.Int).Sub(power, one))
	}
	for i := range 58 {
		power := tenTo(i)
		check(power)
		check(new(big.Int).Sub(power, one))
		check(new(big.Int).Add(power, one))
	}
}

// Goal: Sub is the inverse of AddSum, and says so where the result would be below zero. Method:
// random sums and pairs of sums, against math/big.
func TestSumSub(t *testing.T) {
	r := source(16)
	anySum := func() (s Sum) {
		for range r.IntN(3) {
			s.AddTimes(anyAmount(r), 1+r.Uint64()>>r.IntN(64)/3)
		}
		return s
	}
	negative := 0
	for range 5000 {
		a, b := anySum(), anySum()
		sum := a
		sum.AddSum(b)
		if err := sum.Sub(b); err != nil || sum.Compare(a) != 0 || int(sum.scale) != int(max(a.scale, b.scale)) {
			t.Fatalf("%v + %v - %v = %v, %v", a, b, b, sum, err)
		}
		want := new(big.Rat).Sub(ratSum(t, a), ratSum(t, b))
		left := a
		err := left.Sub(b)
		if want.Sign() < 0 {
			negative++
			if !errors.Is(err, ErrNegative) || left != a {
				t.Fatalf("%v - %v = %v, %v", a, b, left, err)
			}
		} else if err != nil || ratSum(t, left).Cmp(want) != 0 {
			t.Fatalf("%v - %v = %v, %v", a, b, left, err)
		}
	}
	if negative < 1000 || negative > 4000 {
		t.Errorf("%d of 5000 below zero: one case is hardly tried", negative)
	}
	// A borrow through all words.
	s := Sum{0, 0, 1, 0}
	if err := s.Sub(Sum{1, 0, 0, 0}); err != nil || s != (Sum{math.MaxUint64, math.MaxUint64, 0, 0}) {
		t.Errorf("2^128 - 1 = %v, %v", s, err)
	}
}

// A sum of more additions than a Sum is made for still compares by value, and Sub does not wrap.
func TestSumsBeyondTheLimit(t *testing.T) {
	for _, huge := range []Sum{{0, 0, 1 << 63, 0}, {0, 0, 1 << 63, 1}, {math.MaxUint64, math.MaxUint64, math.MaxUint64, 0}} {
		fine := Sum{1, 2, 3, MaxScale}
		if huge.Compare(fine) != 1 || fine.Compare(huge) != -1 {
			t.Errorf("%v is not above %v", huge, fine)
		}
		before := huge
		if err := huge.Sub(fine); !errors.Is(err, ErrRange) || huge != before {
			t.Errorf("%v - %v = %v, %v", before, fine, huge, err)
		}
		if err := fine.Sub(huge); !errors.Is(err, ErrNegative) {
			t.Error(err)
		}
	}
}

// Goal: times multiplies all words and reports the product that does not fit. Method: math/big,
// around 2^192.
func TestSumTimes(t *testing.T) {
	r := source(17)
	limit, fitting := new(big.Int).Lsh(big.NewInt(1), 192), 0
	for range 20000 {
		words := [3]uint64{r.Uint64(), r.Uint64() >> r.IntN(65), r.Uint64() >> r.IntN(65)}
		n := r.Uint64() >> r.IntN(64)
		if r.IntN(2) == 0 && words[2] > 0 {
			n = math.MaxUint64/words[2] + uint64(r.IntN(2)) // the product is about 2^192
		}
		s := Sum{words[0], words[1], words[2], 0}
		want := new(big.Int).Mul(bigOf(words[:]...), new(big.Int).SetUint64(n))
		fits := s.times(n)
		if fits != (want.Cmp(limit) < 0) || bigOf(s.lo, s.mid, s.hi).Cmp(want.Mod(want, limit)) != 0 {
			t.Fatalf("%v × %d: %v, %v", words, n, s, fits)
		}
		if fits {
			fitting++
		}
	}
	if fitting < 2000 || fitting > 18000 {
		t.Errorf("%d of 20000 fit: one case is hardly tried", fitting)
	}
}

func TestParseSum(t *testing.T) {
	type row struct {
		because
		in    string
		fault Fault
	}
	each(t, []row{
		{because{"2^64", "wider than an amount"}, "18446744073709551616", ""},
		{because{"2^64 with decimals", "wider than an amount"}, "18446744073709551616.000000000000000001", ""},
		{because{"the widest sum", "2^64-1 of the largest amount"}, "170141183460469231713240559642174554110", ""},
		{because{"below 2^127", "A07"}, "170141183460469231731687303715884105727.999999999999999999", ""},
		{because{"2^127", "A07: 32 sums can be added"}, "170141183460469231731687303715884105728", ErrRange},
		{because{"2^127 with decimals", "A07"}, "170141183460469231731687303715884105728.00", ErrRange},
		{because{"58 digits", "A07: above 2^192"}, strings.Repeat("9", 58), ErrRange},
		{because{"64 digits", "A07: above 2^192"}, strings.Repeat("9", 64), ErrRange},
		{because{"2^192", "A07: wraps to 0"}, "6277101735386680763835789423207666416102355444464034512896", ErrRange},
		{because{"2^192 and 5", "A07: wraps to 5"}, "6277101735386680763835789423207666416102355444464034512901", ErrRange},
		{because{"2^192 as decimals", "A07: wraps to 0"}, "6277101735386680763835789423207666416102.355444464034512896", ErrRange},
		{because{"nineteen decimals", "A07"}, "0.0000000000000000000", ErrRange},
		{because{"62 decimals", "A07: no table goes so far"}, "0." + strings.Repeat("0", 61) + "1", ErrRange},
		{because{"65 bytes", "A20"}, strings.Repeat("0", 65), ErrTooLong},
		{because{"below zero", "L36"}, "-1", ErrSyntax},
		{because{"empty", "L36"}, "", ErrSyntax},
	}, func(t *testing.T, r row) {
		s, err := ParseSum(r.in)
		if r.fault != "" {
			if !errors.Is(err, r.fault) || s != (Sum{}) {
				t.Errorf("got %v, %v; want %v", s, err, r.fault)
			}
			return
		}
		if err != nil || s.String() != r.in {
			t.Errorf("got %v, %v", s, err)
		}
	})
	var widest Sum
	widest.AddTimes(Amount{1<<63 - 1, 0}, math.MaxUint64)
	widest.Add(Amount{0, MaxScale})
	if back, err := ParseSum(widest.String()); err != nil || back != widest {
		t.Errorf("the widest sum comes back as %v, %v", back, err)
	}
}

func TestSumFromMinor(t *testing.T) {
	type row struct {
		because
		hi, lo uint64
		scale  int
		want   string // empty where it is refused
	}
	each(t, []row{
		{because{"two decimals", "A07"}, 0, 1050, 2, "10.50"},
		{because{"the smallest scale", "A07"}, 0, 7, 0, "7"},
		{because{"the largest scale", "A07"}, 0, 1, MaxScale, "0.000000000000000001"},
		{because{"2^64 units", "A07"}, 1, 0, 2, "184467440737095516.16"},
		{because{"2^127 - 1 units", "A07"}, 1<<63 - 1, math.MaxUint64, 0, "170141183460469231731687303715884105727"},
		{because{"2^127 units", "A07"}, 1 << 63, 0, 0, ""},
		{because{"a scale below 0", "A07"}, 0, 1, -1, ""},
		{because{"a scale above the largest", "A07"}, 0, 1, MaxScale + 1, ""},
	}, func(t *testing.T, r row) {
		s, err := SumFromMinor(r.hi, r.lo, r.scale)
		if r.want == "" {
			if !errors.Is(err, ErrRange) || s != (Sum{}) {
				t.Errorf("got %v, %v", s, err)
			}
			return
		}
		if err != nil || s.String() != r.want {
			t.Errorf("got %v, %v", s, err)
		}
	})
}

// TestEqualAsWritten: the methods that others compare with, as go-cmp does, tell 1.50 from 1.5 and from 1.51.
func TestEqualAsWritten(t *testing.T) {
	texts := []string{"1.50", "1.5", "1.51", "0"}
	for i, a := range texts {
		for j, b := range texts {
			if got := MustParse(a).Equal(MustParse(b)); got != (i == j) {
				t.Errorf("amounts %s and %s: %v", a, b, got)
			}
			if got := sumOf(MustParse(a)).Equal(sumOf(MustParse(b))); got != (i == j) {
				t.Errorf("sums %s and %s: %v", a, b, got)
			}
		}
	}
}

// TestTallyIsZero: an attempt that was declined is one, too.
func TestTallyIsZero(t *testing.T) {
	var none, approved, declined Tally
	one := MustParse("1.00")
	approved.Total.Add(one, one)
	declined.Declined.Add(one, one)
	if !none.IsZero() || approved.IsZero() || declined.IsZero() {
		t.Errorf("got %v, %v and %v", none.IsZero(), approved.IsZero(), declined.IsZero())
	}
}

// TestTallyEqual: a tally that differs in one part is another one.
func TestTallyEqual(t *testing.T) {
	var tallies [4]Tally
	one := MustParse("1.00")
	tallies[1].Total.Add(one, one)
	tallies[2].Declined.Add(one, one)
	tallies[3].CardExpired.Add(one, one)
	for i, a := range tallies {
		for j, b := range tallies {
			if a.Equal(b) != (i == j) {
				t.Errorf("%v and %v: %v", a, b, a.Equal(b))
			}
		}
	}
}

// TestWithin: the place of a fault in a part is counted from the beginning of the whole; without one it is that of the part.
func TestWithin(t *testing.T) {
	for offset, want := range map[int]int{-1: 5, 0: 5, 3: 8} {
		var e *Error
		if err := within("p", 5, refuseAt(ErrSyntax, offset)); !errors.As(err, &e) || e.Offset != want || e.Part != "p" || e.Fault != ErrSyntax {
			t.Errorf("at %d: %+v, want %d", offset, e, want)
		}
	}
}

// TestSplitIsTheSum: the whole part and the decimals come to the sum again.
func TestSplitIsTheSum(t *testing.T) {
	r := source(16)
	for range 500 {
		var s Sum
		for range r.IntN(4) {
			s.AddTimes(anyAmount(r), r.Uint64()>>r.UintN(64))
		}
		hi, lo, decimals, ok := s.Split()
		whole, err := SumFromMinor(hi, lo, 0)
		back := whole
		if back.Add(decimals); !ok || err != nil || back != s || decimals.Compare(Amount{coef: 1}) >= 0 {
			t.Fatalf("%v is split into %v and %v, %v, %v", s, whole, decimals, ok, err)
		}
	}
	beyond := Sum{hi: 1}
	if _, _, _, ok := beyond.Split(); ok {
		t.Error("2^128 is split")
	}
}
