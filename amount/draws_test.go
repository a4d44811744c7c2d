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

func TestDrawsOfOneSpanAreCountedTogether(t *testing.T) {
	var d Draws
	d.Add(mustRange(t, "7", "7.00", "EUR"), 5) // equal ends: nothing is random
	d.Add(mustRange(t, "1", "5", "JPY"), 0)
	if !d.IsZero() {
		t.Errorf("nothing is drawn, and there is %v", d.counts)
	}
	d.Add(mustRange(t, "1.00", "5.00", "EUR"), 3)
	d.Add(mustRange(t, "2.00", "6.00", "USD"), 1) // as many values as the first
	d.Add(mustRange(t, "1.000", "5.000", "KWD"), 1)
	if want := drawsOf("401 4 2", "4001 1 3"); !reflect.DeepEqual(d, want) || d.IsZero() {
		t.Errorf("%v, want %v", d.counts, want.counts)
	}
}

// Counts beyond the documented limit neither wrap to none nor break a quantile.
func TestDrawsAtTheLimit(t *testing.T) {
	d := drawsOf("9223372036854775807 18446744073709551615 0")
	for range 40 {
		d.add(drawClass{math.MaxInt64, 0}, math.MaxUint64)
	}
	for c, n := range d.counts {
		if n != math.MaxUint64 {
			t.Errorf("%v has %d charges", c, n)
		}
	}
	d.Quantiles(Sum{}, mustPercent(t, "5"))
}

func TestDrawsHaveNoJSON(t *testing.T) {
	for _, d := range []Draws{{}, drawsOf("401 3 2")} {
		if b, err := json.Marshal(d); !errors.Is(err, errDraws) {
			t.Errorf("%v is written as %s, %v", d.counts, b, err)
		}
	}
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
