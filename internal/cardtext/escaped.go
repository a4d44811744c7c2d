package cardtext

import "strings"

// MaxEscapes is how many times a text may be percent-encoded and still be shown.
const MaxEscapes = 8

// hidden replaces a text of which nothing is shown.
const hidden = "***"

// MaskEscaped masks a text that may be percent-encoded, any number of times. One that holds a card
// number and an escape is hidden altogether: the digits, or what is between them, may be the escapes.
func MaskEscaped(text string) string {
	if strings.ContainsAny(text, "%+") && Holds(text) {
		return hidden
	}
	return Mask(text)
}

// Holds reports whether a text holds what could be a card number, percent-encoded or not, any number of times. One that is
// encoded more than MaxEscapes times counts as holding one.
func Holds(text string) bool {
	for range MaxEscapes + 1 {
		if holds(text) || strings.Contains(text, "+") && holds(strings.ReplaceAll(text, "+", " ")) {
			return true // a plus sign is a space in a form
		}
		next := Unescape(text)
		if next == text {
			return false
		}
		text = next
	}
	return true
}

// Unescape decodes each escape of a text once, and leaves other percent signs.
func Unescape(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
			c, i = unhex(text[i+1])<<4|unhex(text[i+2]), i+2
		}
		b = append(b, c)
	}
	return string(b)
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
