package amount

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// drawsOf returns draws of classes "values charges decimals".
func drawsOf(classes ...string) Draws {
	var d Draws
	for _, text := range classes {
		var values, charges uint64
		var scale uint8
		if n, err := fmt.Sscan(text, &values, &charges, &scale); n != 3 {
			panic(err)
		}
		d.add(drawClass{values - 1, scale}, charges)
	}
	return d
}

func mustPercent(t testing.TB, s string) Percent {
	t.Helper()
	p, err := ParsePercent(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDrawsAreAMultiset(t *testing.T) {
	var d, parts Draws
	d.Add(mustRange(t, "1.00", "5.00", "EUR"), 3)
	d.Add(mustRange(t, "7", "7.00", "EUR"), 5) // equal ends: nothing is random
	d.Add(mustRange(t, "1", "5", "JPY"), 0)
	d.Add(mustRange(t, "2.00", "6.00", "USD"), 1) // as many values as the first
	d.Add(mustRange(t, "1.000", "5.000", "KWD"), 1)
	if want := drawsOf("401 4 2", "4001 1 3"); !reflect.DeepEqual(d, want) || d.Charges() != 5 || d.String() != "5 random charges" {
		t.Errorf("%v, want %v", d.counts, want.counts)
	}
	parts.Merge(drawsOf("4001 1 3"))
	parts.Merge(drawsOf("401 1 2"))
	parts.Merge(Draws{})
	parts.Merge(drawsOf("401 3 2"))
	if !reflect.DeepEqual(parts, d) {
		t.Errorf("merged %v, want %v", parts.counts, d.counts)
	}
	copied := parts.Clone()
	if err := parts.Sub(drawsOf("401 4 2")); err != nil || !reflect.DeepEqual(parts, drawsOf("4001 1 3")) || parts.String() != "1 random charge" {
		t.Errorf("%v, %v", parts.counts, err)
	}
	if !reflect.DeepEqual(copied, d) {
		t.Errorf("the clone has changed to %v", copied.counts)
	}
	for _, more := range []Draws{drawsOf("4001 2 3"), drawsOf("4001 1 2"), drawsOf("4001 1 3", "2 1 0")} {
		if err := parts.Sub(more); !errors.Is(err, ErrNotPart) || !reflect.DeepEqual(parts, drawsOf("4001 1 3")) {
			t.Errorf("without %v: %v, %v", more.counts, parts.counts, err)
		}
	}
	if err := parts.Sub(drawsOf("4001 1 3")); err != nil || !reflect.DeepEqual(parts, Draws{}) || !parts.IsZero() {
		t.Errorf("nothing is left, and it is %#v, %v", parts, err)
	}
}

// Counts beyond the documented limit neither wrap to none nor break a quantile.
func TestDrawsAtTheLimit(t *testing.T) {
	d := drawsOf("9223372036854775808 18446744073709551615 0")
	for range 40 {
		d.Merge(drawsOf("9223372036854775808 18446744073709551615 0", "9223372036854775807 18446744073709551615 0"))
	}
	for c, n := range d.counts {
		if n != math.MaxUint64 {
			t.Errorf("%v has %d charges", c, n)
		}
	}
	d.Quantiles(Sum{}, mustPercent(t, "5"))
}

func TestDrawsJSON(t *testing.T) {
	d := drawsOf("4001 1 3", "401 4 2")
	const text = `[{"decimals":2,"values":401,"charges":4},{"decimals":3,"values":4001,"charges":1}]`
	if b, err := json.Marshal(d); err != nil || string(b) != text {
		t.Errorf("%s, %v", b, err)
	}
	var back Draws
	if err := json.Unmarshal([]byte(`[{"charges":1,"values":4001,"decimals":3}, {"decimals":2,"values":401,"charges":4}]`), &back); err != nil || !reflect.DeepEqual(back, d) {
		t.Errorf("%v, %v", back.counts, err)
	}
	type row struct {
		because
		json   string
		fault  Fault
		part   string
		offset int
	}
	each(t, []row{
		{because{"null", "JSON"}, `null`, ErrType, "", 0},
		{because{"object", "a list"}, `{}`, ErrType, "", 0},
		{because{"cut", "JSON"}, `[`, ErrType, "", 0},
		{because{"element that is a list", "a class is an object"}, `[[]]`, ErrType, "", 1},
		{because{"unknown member", "none is ignored"}, `[{"decimals":2,"values":401,"charge":4}]`, ErrMember, "", 37},
		{because{"member left out", "all three are needed"}, `[{"decimals":2,"values":401}]`, ErrRange, "", 1},
		{because{"one value", "nothing is drawn"}, `[{"decimals":2,"values":1,"charges":4}]`, ErrRange, "", 1},
		{because{"no charges", "left out"}, `[{"decimals":2,"values":2,"charges":0}]`, ErrRange, "", 1},
		{because{"19 decimals", "L36c"}, `[{"decimals":19,"values":2,"charges":1}]`, ErrRange, "", 13},
		{because{"2^63+1 values", "more than a range has"}, `[{"decimals":2,"values":9223372036854775809,"charges":1}]`, ErrRange, "", 24},
		{because{"twice", "one form for one value"}, `[{"decimals":2,"values":2,"charges":1},{"decimals":2,"values":2,"charges":1}]`, ErrRange, "", 39},
		{because{"2^64 charges", "they wrap"}, `[{"decimals":2,"values":2,"charges":18446744073709551615},{"decimals":2,"values":3,"charges":1}]`, ErrRange, "", 58},
		{because{"values as text", "a number"}, `[{"decimals":2,"values":"2","charges":1}]`, ErrType, "", 24},
	}, func(t *testing.T, r row) {
		d := drawsOf("7 7 0")
		err := d.UnmarshalJSON([]byte(r.json))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != r.fault || e.Part != r.part || e.Offset != r.offset || !reflect.DeepEqual(d, drawsOf("7 7 0")) {
			t.Errorf("got %v, %#v; want %v, part %q, offset %d", d.counts, err, r.fault, r.part, r.offset)
		}
	})
}

func TestPercent(t *testing.T) {
	for text, want := range map[string]string{
		"5": "5", "97.50": "97.5", "0": "0", "100.000": "100", "0.000000000000000001": "0.000000000000000001", "007": "7",
	} {
		p, err := ParsePercent(text)
		written, err2 := p.AppendText([]byte("x"))
		if err != nil || err2 != nil || p.String() != want || string(written) != "x"+want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "-1", "5%", "100.01", "101", "1e1", "+5", ".5", "5.", "0.0000000000000000001", "99999999999999999999", "٥"} {
		p := mustPercent(t, "7")
		if err := p.UnmarshalText([]byte(text)); !errors.Is(err, ErrPercent) || p != mustPercent(t, "7") {
			t.Errorf("%q is taken for %v, %v", text, p, err)
		}
	}
	if mustPercent(t, "5.0") != mustPercent(t, "5") || mustPercent(t, "5").Compare(mustPercent(t, "40")) >= 0 {
		t.Error("percentages are compared as texts")
	}
}
