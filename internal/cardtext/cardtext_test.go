package cardtext_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/cardtext"
)

func TestMaskEscaped(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"nothing to mask", "order 17", "order 17"},
		{"an escape alone", "a%20b+c", "a%20b+c"},
		{"a run of digits", "4111111111111111", "411111******1111"},
		{"a run that ends with the text, in which escapes would be cut", "a%4111111111111111%", "***"},
		{"spaces as plus signs", "4111+1111+1111+1111", "***"},
		{"escaped spaces", "4111%201111%201111%201111", "***"},
		{"escaped digits", "%34111111111111111", "***"},
		{"11 digits", "411111%311111", "411111%311111"},
		{"not an escape", "50%zz", "50%zz"},
		{"escaped once more", "4111%25201111%25201111%25201111", "***"},
		{"more escapes than are undone", "a%" + strings.Repeat("25", cardtext.MaxEscapes+1) + "20", "***"},
	} {
		got := cardtext.MaskEscaped(c.text)
		if got != c.want {
			t.Errorf("%s: %q, not %q", c.reason, got, c.want)
		}
		if again := cardtext.MaskEscaped(got); again != got {
			t.Errorf("%s: masked twice it is %q", c.reason, again)
		}
	}
}

// TestUnescape: what package net/url can unescape becomes the same.
func TestUnescape(t *testing.T) {
	for _, text := range []string{"", "a", "%41", "%2525", "a%2Fb%2f", "%e2%82%ac", "+", "%00"} {
		want, err := url.PathUnescape(text)
		if got := cardtext.Unescape(text); err != nil || got != want {
			t.Errorf("%q: %q, not %q (%v)", text, got, want, err)
		}
	}
	for text, want := range map[string]string{"%": "%", "%4": "%4", "%4g%41": "%4gA", "%%41": "%A"} {
		if got := cardtext.Unescape(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
