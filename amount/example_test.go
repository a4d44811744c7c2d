package amount_test

import (
	"errors"
	"fmt"

	"github.com/chargecast/chargecast/amount"
)

func ExampleParse() {
	for _, text := range []string{"1.50", "00012.5", "1e3", "5."} {
		a, err := amount.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(a)
	}
	// Output:
	// 1.50
	// 12.5
	// amount: not an amount: write digits, optionally a point and digits, nothing else (L36), at byte 1
	// amount: not an amount: write digits, optionally a point and digits, nothing else (L36), at byte 2
}

// An error names its fault and, for a text, the place.
func ExampleError() {
	_, err := amount.Parse("1,5")
	fmt.Println(errors.Is(err, amount.ErrSyntax))
	if e, ok := errors.AsType[*amount.Error](err); ok {
		fmt.Println(e.Offset)
	}
	// Output:
	// true
	// 1
}

func ExampleFromMinor() {
	a, err := amount.FromMinor(1050, 2)
	fmt.Println(a, err)
	// Output: 10.50 <nil>
}

// Amounts are equal by value even where they are written differently.
func ExampleAmount_Compare() {
	a, b := amount.MustParse("10.0"), amount.MustParse("10.00")
	fmt.Println(a.Compare(b), a == b, a.Reduce() == b.Reduce())
	// Output: 0 false true
}

// What does each charge of a sequence cost? The first charge has the index 0.
func ExampleSequence() {
	q, err := amount.NewSequence([]amount.Amount{
		amount.MustParse("1.00"), amount.MustParse("9.99"), amount.MustParse("19.99"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for repeat := range uint64(5) {
		a, _ := q.Bounds(repeat)
		fmt.Println(repeat, a)
	}
	// Output:
	// 0 1.00
	// 1 9.99
	// 2 19.99
	// 3 19.99
	// 4 19.99
}

// What can a random amount be? It is a multiple of the currency's minor unit.
func ExampleNewRange() {
	from, to := amount.MustParse("1"), amount.MustParse("5")
	for _, currency := range []string{"EUR", "JPY", "KWD"} {
		r, err := amount.NewRange(from, to, currency)
		fmt.Println(currency, r.Values(), err)
	}
	_, err := amount.NewRange(to, from, "EUR")
	fmt.Println(err)
	// Output:
	// EUR 401 <nil>
	// JPY 5 <nil>
	// KWD 4001 <nil>
	// amount: the range begins above its end: swap the two (L33)
}

// Which amounts would a simulation charge? The same ones in any order.
func ExampleRange_Draw() {
	r, err := amount.NewRange(amount.MustParse("1.00"), amount.MustParse("9.99"), "EUR")
	if err != nil {
		fmt.Println(err)
		return
	}
	seed := amount.NewSeed(42, "order-1")
	for _, repeat := range []uint64{2, 0, 1, 2} {
		fmt.Println(repeat, r.Draw(seed, repeat))
	}
	// Output:
	// 2 8.95
	// 0 9.55
	// 1 4.72
	// 2 8.95
}

// What do three charges come to?
func ExampleSum() {
	var s amount.Sum
	s.AddTimes(amount.MustParse("0.10"), 10)
	s.Add(amount.MustParse("1.5"))
	fmt.Println(s)
	// Output: 2.50
}

// What will a year of a random amount cost, at least, at most and on average?
func ExampleTotal() {
	r, err := amount.NewRange(amount.MustParse("0.01"), amount.MustParse("0.02"), "EUR")
	if err != nil {
		fmt.Println(err)
		return
	}
	var t amount.Total
	t.AddRun(r, 0, 11)
	fmt.Println(t.Charges(), t.Min(), t.Max(), t.Mean(), t.Variance())
	// Output: 11 0.11 0.22 0.165 11/40000
}

// How many decimals has a currency?
func ExampleMinorUnits() {
	for _, code := range []string{"EUR", "JPY", "KWD", "XAU", "QQQ"} {
		digits, ok := amount.MinorUnits(code)
		fmt.Println(code, digits, ok, amount.ListedCurrency(code))
	}
	// Output:
	// EUR 2 true true
	// JPY 0 true true
	// KWD 3 true true
	// XAU 0 false true
	// QQQ 0 false false
}
