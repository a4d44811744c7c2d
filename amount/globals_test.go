package amount

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// everyText returns texts of all kinds that the package makes.
func everyText(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	var sum Sum
	var total Total
	for _, text := range []string{"0.00", "1.50", "100", "0.000000000000000001", "9223372036854775807", "10.0"} {
		a := MustParse(text)
		sum.Add(a)
		total.Add(a, a)
		fmt.Fprintln(&out, a, a.Reduce())
		back, err := FromDecimal(a.Decimal())
		fmt.Fprintln(&out, back, err, a.Decimal().Coefficient(), a.Decimal().Exponent())
	}
	drawn := mustRange(t, "1.00", "2.01", "EUR")
	total.AddRun(drawn, 0, 3)
	fmt.Fprintln(&out, sum, sum.Decimal().Coefficient(), sum.Decimal().Exponent())
	fmt.Fprintln(&out, drawn.Draw(NewSeed(1, "order-1"), 4), total.Min, total.Max, meanText(total))
	fmt.Fprintln(&out, total.Mean().Coefficient(), total.Mean().Exponent())
	for _, d := range []decimal.Decimal{decimal.New(15, 3), decimal.New(1500000, -20), decimal.New(1, math.MaxInt32), decimal.New(-1, 0)} {
		a, err := FromDecimal(d)
		fmt.Fprintln(&out, a, err)
	}
	for _, c := range []Choice{drawn, Fixed(MustParse("1.50")), mustSequence(t, "1.50", "2")} {
		fmt.Fprintln(&out, c)
	}
	text, err := json.Marshal(total)
	fmt.Fprintln(&out, total, string(text), err)
	_, err = Parse("1e3")
	fmt.Fprintln(&out, err)
	if err := json.NewEncoder(&out).Encode(struct {
		A Amount
		S Sum
	}{MustParse("1.50"), sum}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Goal: a host program that changes shopspring's package variables changes no byte of ours
// (A06, gallery host-globals). Method: one variable at a time.
func TestHostGlobalsDoNotShow(t *testing.T) {
	want := everyText(t)
	if !strings.Contains(want, "1.50") {
		t.Fatal("the sample lacks a trailing zero")
	}
	type row struct {
		because
		flip func() (restore func())
	}
	number := func(variable *int, value int) func() func() {
		return func() func() {
			old := *variable
			*variable = value
			return func() { *variable = old }
		}
	}
	toggle := func(variable *bool) func() func() {
		return func() func() {
			*variable = !*variable
			return func() { *variable = !*variable }
		}
	}
	table := []row{
		{because{"DivisionPrecision", "A06"}, number(&decimal.DivisionPrecision, 0)},
		{because{"PowPrecisionNegativeExponent", "A06"}, number(&decimal.PowPrecisionNegativeExponent, 0)},
		{because{"ExpMaxIterations", "A06"}, number(&decimal.ExpMaxIterations, 0)},
		{because{"MaxDecodeExponent", "A06"}, number(&decimal.MaxDecodeExponent, 0)},
		{because{"MarshalJSONWithoutQuotes", "A06"}, toggle(&decimal.MarshalJSONWithoutQuotes)},
		{because{"TrimTrailingZeros", "A06"}, toggle(&decimal.TrimTrailingZeros)},
		{because{"UseScientificNotation", "A06"}, toggle(&decimal.UseScientificNotation)},
		{because{"Zero", "A06: not a setting, but as writable"}, func() func() {
			old := decimal.Zero
			decimal.Zero = decimal.New(7, 0)
			return func() { decimal.Zero = old }
		}},
	}
	each(t, table, func(t *testing.T, r row) {
		restore := r.flip()
		defer restore()
		if got := everyText(t); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	if got := everyText(t); got != want {
		t.Error("a variable was not restored")
	}
}
