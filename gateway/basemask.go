package gateway

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/cardtext"
)

// plainParams are the signed parameters whose values everybody may see.
var plainParams = [...]string{"oauth_consumer_key", "oauth_nonce", "oauth_signature_method", "oauth_timestamp", "oauth_version"}

// maskBase masks a base string, whatever mistakes it was made with, without changing its length.
// Method and URL are those of the request's line and are shown, unless they hold what could be a
// card number.
func maskBase(base string) string {
	elements := strings.SplitN(base, "&", 3)
	if len(elements) < 3 {
		return maskText(base) // encoded once more as a whole, or of another structure
	}
	for i := range 2 {
		if cardtext.Holds(elements[i]) {
			elements[i] = maskText(elements[i])
		}
	}
	elements[2] = maskPairs(elements[2])
	return strings.Join(elements, "&")
}

// maskPairs masks the third element, in which & and = are escaped, or not if that was forgotten.
func maskPairs(text string) string {
	separator, equals := "%26", "%3D"
	if !strings.Contains(text, equals) {
		separator, equals = "&", "="
	}
	pairs := strings.Split(text, separator)
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, equals)
		switch {
		case name == "payload":
			pairs[i] = name + maskText(pair[len(name):])
		case !slices.Contains(plainParams[:], name) || cardtext.Holds(value):
			pairs[i] = maskText(pair)
		}
	}
	return strings.Join(pairs, separator)
}

// maskText makes an x of every letter, digit and byte that is not ASCII. What punctuation is
// escaped as stays: most mistakes are about that.
func maskText(text string) string {
	b := []byte(text)
	for i := 0; i < len(b); i++ {
		if n := escapeLength(text[i:]); n > 0 {
			i += n - 1
			continue
		}
		if c := b[i]; c >= 0x80 || isLetterOrDigit(c) {
			b[i] = 'x'
		}
	}
	return string(b)
}

// escapeLength is how long the escape of a punctuation mark or of a space is that a text begins
// with, escaped once or several times; 0 if it begins with none.
func escapeLength(text string) int {
	if len(text) < 3 || text[0] != '%' {
		return 0
	}
	n := 1
	for strings.HasPrefix(text[n:], "25") {
		n += 2
	}
	if len(text) < n+2 {
		return 0
	}
	c, err := strconv.ParseUint(text[n:n+2], 16, 8)
	isSpace := c == ' ' || c == '\r' || c == '\n' || c == '\t'
	if err != nil || !isSpace && (c <= ' ' || c >= 0x7f || isLetterOrDigit(byte(c))) {
		return 0
	}
	return n + 2
}

func isLetterOrDigit(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }
