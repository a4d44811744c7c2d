package enum_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/internal/enum"
)

func TestWords(t *testing.T) {
	w := enum.Words{Type: "Color", Words: []string{"", "red", "blue"}}
	for n := range 256 {
		named := n < 3
		text, err := w.Marshal(uint8(n))
		if w.Has(uint8(n)) != named || (err == nil) != named || named && (string(text) != w.Words[n] || w.String(uint8(n)) != w.Words[n]) {
			t.Errorf("%d: %q, %q, %v", n, w.String(uint8(n)), text, err)
		}
		if !named {
			continue
		}
		back := uint8(9)
		if err := w.Unmarshal(text, &back); err != nil || int(back) != n {
			t.Errorf("%q is read as %d, %v", text, back, err)
		}
	}
	if got := w.String(7); got != "Color(7)" {
		t.Errorf("a number without a word is %q", got)
	}
	for _, text := range []string{"Red", "red ", "Color(7)", "7"} {
		n := uint8(5)
		if err := w.Unmarshal([]byte(text), &n); !errors.Is(err, enum.ErrUnnamed) || n != 5 {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
}
