package amount

import (
	"errors"
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
		p, err := ParsePercent(text)
		written, err2 := p.AppendText([]byte("x"))
		if err != nil || err2 != nil || p.String() != want || string(written) != "x"+want {
			t.Errorf("%q: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "-1", "5%", "100.01", "101", "0.001", "99.999", "1e1", "+5", ".5", "5.", "0.0000000000000000001", "99999999999999999999", "٥"} {
		p := mustPercent(t, "7")
		if err := p.UnmarshalText([]byte(text)); !errors.Is(err, ErrPercent) || p != mustPercent(t, "7") {
			t.Errorf("%q is taken for %v, %v", text, p, err)
		}
	}
	if mustPercent(t, "5.0") != mustPercent(t, "5") || mustPercent(t, "5").Compare(mustPercent(t, "40")) >= 0 {
		t.Error("percentages are compared as texts")
	}
}
