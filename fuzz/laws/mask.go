package laws

import (
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/rules"
)

// maskLaws are the laws of masking.
func maskLaws() []Law {
	return []Law{
		law("K02", "2.1", "a card number shows at most its first 6 and last 4 digits, at most half when shorter than 13; masking twice = once", digitTexts, masks),
	}
}

// digitTexts generates runs of 0 to 24 digits without repetition of one digit, so that a
// digit that shows can be known by its place.
func digitTexts(r gen.Chooser) string {
	n := r.Below(25)
	from := r.Below(10)
	var b strings.Builder
	for i := range n {
		b.WriteByte(byte('0' + (from+i*7)%10))
	}
	return b.String()
}

func masks(t *T, digits string) {
	got := t.Mask(rules.ColumnCardNumber, digits)
	mayShow(t, "a card number", digits, got)
	if again := t.Mask(rules.ColumnCardNumber, got); again != got {
		t.Errorf("masked twice it changes")
	}
	free := "order " + digits + " of today"
	masked := t.Mask(0, free)
	if len(digits) >= 12 {
		mayShow(t, "a run in free text", digits, strings.TrimSuffix(strings.TrimPrefix(masked, "order "), " of today"))
	}
	if again := t.Mask(0, masked); again != masked {
		t.Errorf("free text masked twice changes")
	}
	if got := t.Mask(rules.ColumnCVV2, digits); digits != "" && strings.ContainsAny(got, "0123456789") {
		t.Errorf("a cvv2 shows")
	}
}

// mayShow fails where more of the digits shows than may.
func mayShow(t *T, what, digits, got string) {
	if len(got) != len(digits) {
		return // hidden whole
	}
	seen := 0
	for i := range len(digits) {
		if got[i] != digits[i] {
			continue
		}
		seen++
		if len(digits) >= 13 && i >= 6 && i < len(digits)-4 {
			t.Errorf("%s of %d digits shows digit %d", what, len(digits), i+1)
		}
	}
	if len(digits) < 13 && seen > len(digits)/2 {
		t.Errorf("%s of %d digits shows %d of them", what, len(digits), seen)
	}
}
