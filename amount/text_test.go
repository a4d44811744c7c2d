package amount

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// plainText returns the text of a coefficient and a scale in the simplest way: the oracle of
// Append.
func plainText(digits string, scale int) string {
	for len(digits) <= scale {
		digits = "0" + digits
	}
	if scale == 0 {
		return digits
	}
	return digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// Goal: the text keeps every decimal and reads back to the same amount (A02). Method: numbers
// of all lengths at all scales, and random ones, compared with plainText.
func TestTextRoundTrip(t *testing.T) {
	check := func(a Amount) {
		t.Helper()
		text := a.String()
		if want := plainText(rat(Amount{a.coef, 0}).Num().String(), a.Scale()); text != want {
			t.Fatalf("%d, scale %d: %s, want %s", a.Coefficient(), a.Scale(), text, want)
		}
		if back, err := Parse(text); back != a || err != nil {
			t.Fatalf("%s reads back as %v, %v", text, back, err)
		}
		marshalled, err := a.MarshalText()
		if string(marshalled) != text || err != nil {
			t.Fatalf("MarshalText: %s, %v", marshalled, err)
		}
		appended, err := a.AppendText([]byte("x "))
		if string(appended) != "x "+text || err != nil {
			t.Fatalf("AppendText: %s, %v", appended, err)
		}
	}
	for scale := range uint8(MaxScale + 1) {
		for power := int64(1); ; power *= 10 {
			for _, coef := range []int64{power - 1, power, power + 1} {
				check(Amount{coef, scale})
			}
			if power == 1e18 {
				break
			}
		}
		check(Amount{1<<63 - 1, scale})
	}
	r := source(4)
	for range 5000 {
		check(anyAmount(r))
	}
}

// A text that is read and written again loses its leading zeros and nothing else (A02).
func TestTextDropsLeadingZeros(t *testing.T) {
	r := source(5)
	for range 2000 {
		text := anyAmount(r).String()
		zeros := strings.Repeat("0", r.IntN(30))
		if got := MustParse(zeros + text).String(); got != text {
			t.Fatalf("%s%s is written %s", zeros, text, got)
		}
	}
}

func TestUnmarshal(t *testing.T) {
	type row struct {
		because
		in    string
		want  string
		fault error
	}
	table := []row{
		{because{"string", "h037: money is a string"}, `"1.50"`, "1.50", nil},
		{because{"null", "h036"}, `null`, "", ErrType},
		{because{"number", "h037"}, `10.5`, "", ErrType},
		{because{"exponent", "h037"}, `1E+400`, "", ErrType},
		{because{"array", "h036"}, `["1"]`, "", ErrType},
		{because{"empty string", "h021"}, `""`, "", ErrSyntax},
		{because{"negative", "h009"}, `"-1"`, "", ErrSyntax},
		{because{"escaped digit", "A02: one text for one amount"}, `"\u0031"`, "", ErrSyntax},
		{because{"space", "h015"}, `" 1"`, "", ErrSyntax},
	}
	each(t, table, func(t *testing.T, r row) {
		before := MustParse("7.7")
		v := struct{ Amount Amount }{before}
		err := json.Unmarshal([]byte(`{"Amount":`+r.in+`}`), &v)
		if r.fault != nil {
			if !errors.Is(err, r.fault) || v.Amount != before {
				t.Errorf("got %v, %v", v.Amount, err)
			}
			return
		}
		if err != nil || v.Amount != MustParse(r.want) {
			t.Fatalf("got %v, %v", v.Amount, err)
		}
		if out, err := json.Marshal(v); string(out) != `{"Amount":`+r.in+`}` || err != nil {
			t.Errorf("written %s, %v", out, err)
		}
	})
	for _, in := range []string{``, `"`, `1"`, `"1`} {
		a := MustParse("7")
		if err := a.UnmarshalJSON([]byte(in)); !errors.Is(err, ErrType) || a != MustParse("7") {
			t.Errorf("%q: %v, %v", in, a, err)
		}
	}
	a := MustParse("7")
	if err := a.UnmarshalText([]byte("1.")); !errors.Is(err, ErrSyntax) || a != MustParse("7") {
		t.Errorf("UnmarshalText: %v, %v", a, err)
	}
}
