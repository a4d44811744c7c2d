package rules

import "github.com/chargecast/chargecast/internal/cardtext"

// Mask returns a value of column c as it may be shown: a card number with at most its first
// 6 and last 4 digits (at most half of them, the last ones, when it has fewer than 13);
// cvv2, ssn, e-mail, phone, birthday and names not at all, not even their length; a callback address
// without userinfo, the values of its query and its fragment, and not at all if a card number is
// percent-encoded in it; in any other column a run of 12 and more digits, with single spaces or dashes
// between them or not, like a card number. Masking twice is the same as once. The zero Column is
// for text of no known column, masked like free text.
func Mask(c Column, s string) string {
	switch c.Spec().privacy {
	case masked:
		if s == "" {
			return ""
		}
		return hidden
	case edges:
		return maskCard(s)
	case address:
		return maskAddress(s)
	}
	return cardtext.Mask(s)
}

const hidden = "***"

// maskCard masks a whole value: anything but digits (and what an earlier masking left)
// hides it altogether.
func maskCard(s string) string {
	b := []byte(s)
	for i, d := range b {
		if !isDigit(d) && d != cardtext.Cover {
			return hidden
		}
		if !cardtext.Shows(i, len(b)) {
			b[i] = cardtext.Cover
		}
	}
	return string(b)
}

func isDigit(c byte) bool { return c-'0' < 10 }
