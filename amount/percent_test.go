package amount

import (
	"errors"
	"math"
	"testing"
)

func mustPercent(t testing.TB, s string) Percent {
	t.Helper()
	p, err := ParsePercent(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPercent(t *testing.T) {
	for text, want := range map[string]string{
		"5": "5", "97.50": "97.5", "0": "0", "100.000": "100", "0.01": "0.01", "99.99": "99.99", "007": "7",
	} {
		if p, err := ParsePercent(text); err != nil || p.String() != want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "-1", "5%", "100.01", "101", "0.001", "99.999", "1e1", "+5", ".5", "5.", "0.0000000000000000001", "99999999999999999999", "٥"} {
		if p, err := ParsePercent(text); !errors.Is(err, ErrPercent) || p != 0 {
			t.Errorf("%q is taken for %v, %v", text, p, err)
		}
	}
	if mustPercent(t, "5.0") != 5 || mustPercent(t, "97.5") != 97.5 || mustPercent(t, "0.07") != 0.07 {
		t.Error("the percentage of a text is not the constant of the same digits")
	}
}

// TestQuantilesRefuseWhatIsNoPercentage: a number outside 0 to 100, one with a third decimal, or none is an
// error and never another quantile; one that is off by rounding alone is taken.
func TestQuantilesRefuseWhatIsNoPercentage(t *testing.T) {
	var total Total
	total.AddRun(mustRange(t, "1.00", "2.00", "EUR"), 0, 3)
	for _, q := range []Percent{-1, -1e-9, 100.01, 101, 0.005, 50.001, 99.999, Percent(math.NaN()), Percent(math.Inf(1)), Percent(math.Inf(-1))} {
		if sums, err := total.Quantiles(50, q); !errors.Is(err, ErrPercent) || sums != nil {
			t.Errorf("%v: %v, %v", q, sums, err)
		}
	}
	tenth, fifth := 0.1, 0.2
	for _, q := range []Percent{0, 100, Percent(tenth + fifth), 33.33, Percent(1.1 * 3)} {
		if sums, err := total.Quantiles(q); err != nil || len(sums) != 1 {
			t.Errorf("%v: %v, %v", q, sums, err)
		}
	}
	if got := Percent(tenth + fifth).String(); got != "0.3" {
		t.Error(got)
	}
	if total.Normal() || (Total{}).Normal() {
		t.Error("three draws are by the normal approximation")
	}
	total.AddRun(mustRange(t, "1.00", "9000.00", "EUR"), 0, 100)
	if !total.Normal() {
		t.Error("a wide total is not by the normal approximation")
	}
	total.Add(MustParse("1"), MustParse("2"))
	if total.Normal() {
		t.Error("a total without quantiles is by the normal approximation")
	}
}
