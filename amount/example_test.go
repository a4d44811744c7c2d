package amount_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chargecast/chargecast/amount"
)

// How is an amount read, and why is one refused?
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
	// amount: not an amount at byte 1; write digits, optionally a point and more digits (L36)
	// amount: not an amount at byte 2; write digits, optionally a point and more digits (L36)
}

// What is wrong, and where?
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

// How is an amount made from a number of cents?
func ExampleFromMinor() {
	a, err := amount.FromMinor(1050, 2)
	fmt.Println(a, err)
	// Output: 10.50 <nil>
}

// Which of two amounts is larger? Amounts are compared by value, however they are written.
func ExampleAmount_Compare() {
	a, b := amount.MustParse("10.0"), amount.MustParse("10.00")
	fmt.Println(a.Compare(b), a == b, a.Reduce() == b.Reduce())
	fmt.Println(a.Compare(amount.MustParse("9.99")))
	// Output:
	// 0 false true
	// 1
}

// How is an amount stored? As a JSON string, with its decimals.
func ExampleAmount_MarshalText() {
	type invoice struct {
		Total amount.Amount `json:"total"`
	}
	text, err := json.Marshal(invoice{amount.MustParse("1.50")})
	fmt.Println(string(text), err)

	var back invoice
	err = json.Unmarshal([]byte(`{"total":1.5}`), &back)
	fmt.Println(errors.Is(err, amount.ErrType))
	// Output:
	// {"total":"1.50"} <nil>
	// true
}

// How much does each charge of a sequence cost? The first charge has the index 0.
func ExampleSequence() {
	q, err := amount.Sequence([]amount.Amount{
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

// How many different amounts can a random charge have? They are multiples of the minor unit.
func ExampleRange() {
	from, to := amount.MustParse("1"), amount.MustParse("5")
	for _, currency := range []string{"EUR", "JPY", "KWD"} {
		r, err := amount.Range(from, to, currency)
		fmt.Println(currency, r.Values(), err)
	}
	_, err := amount.Range(to, from, "EUR")
	fmt.Println(err)
	// Output:
	// EUR 401 <nil>
	// JPY 5 <nil>
	// KWD 4001 <nil>
	// amount: amount-from is above amount-to; swap the two (L33)
}

// Which amounts would a simulation charge? They do not depend on the order of the questions.
func ExampleChoice_Draw() {
	r, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("9.99"), "EUR")
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

// What do several amounts add up to?
func ExampleSum() {
	var s amount.Sum
	s.AddTimes(amount.MustParse("0.10"), 10)
	s.Add(amount.MustParse("1.5"))
	fmt.Println(s)
	// Output: 2.50
}

// What is left of a sum? It is never below zero.
func ExampleSum_Sub() {
	s, err := amount.ParseSum("2.50")
	if err != nil {
		fmt.Println(err)
		return
	}
	half, err := amount.ParseSum("1.25")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Sub(half), s)
	fmt.Println(s.Sub(half), s)
	fmt.Println(s.Sub(half), s)
	// Output:
	// <nil> 1.25
	// <nil> 0.00
	// amount: below zero; use zero or more (L36) 0.00
}

// What do eleven charges of a random amount cost, at least, at most and on average?
func ExampleTotal() {
	r, err := amount.Range(amount.MustParse("0.01"), amount.MustParse("0.02"), "EUR")
	if err != nil {
		fmt.Println(err)
		return
	}
	var t amount.Total
	t.AddRun(r, 0, 11)
	fmt.Println(t)
	fmt.Println(t.Charges, t.Min, t.Max, t.Mean())
	// Output:
	// 11 charges, 0.11 to 0.22, mean 0.165
	// 11 0.11 0.22 0.165
}

// How are totals of parts added up?
func ExampleTotal_Merge() {
	var january, february amount.Total
	january.AddRun(amount.Fixed(amount.MustParse("9.99")), 0, 3)
	february.AddRun(amount.Fixed(amount.MustParse("5.00")), 0, 2)

	both := january
	both.Merge(february)
	fmt.Println(both)
	// Output:
	// 5 charges, 39.97
}

// What do twelve charges of a random amount come to in 5, 50 and 95 of 100 cases at most?
func ExampleTotal_Quantiles() {
	r, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
	if err != nil {
		fmt.Println(err)
		return
	}
	var t amount.Total
	t.AddRun(r, 0, 12)
	sums, err := t.Quantiles(5, 50, 95)
	fmt.Println(t)
	fmt.Println(sums, t.Normal(), err)
	// Output:
	// 12 charges, 12.00 to 60.00, mean 36.00
	// [29.40 36.00 42.60] false <nil>
}

// How many decimals does a currency have?
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
