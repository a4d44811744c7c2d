package capture

import (
	"strings"
	"testing"
)

// TestMaskedBase: of a base string only the OAuth parameters are shown, and escapes.
func TestMaskedBase(t *testing.T) {
	const base = "POST&https%3A%2F%2Fgate.example.com%2Fp&oauth_nonce%3Dn1%26payload%3D4111111111111111%253D"
	got := MaskedBase(base, -1)
	if want := strings.Replace(base, "4111111111111111", "xxxxxxxxxxxxxxxx", 1); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	at := strings.Index(base, "4111")
	if kept := MaskedBase(base, at); kept[at] != '4' || kept[at+1] != 'x' {
		t.Errorf("at the place: %s", kept)
	}
	if got := BaseAround(base, at); strings.Contains(got, "4111") || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "4xxxxxxxxxxxxxxx%253D") {
		t.Errorf("around it: %s", got)
	}
	if got := MaskedBase("no base string 4111111111111111", -1); strings.ContainsAny(got, "1n") {
		t.Errorf("without a known form: %s", got)
	}
}
