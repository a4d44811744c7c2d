package laws

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
)

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
