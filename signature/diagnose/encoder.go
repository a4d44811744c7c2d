package diagnose

import (
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// An encoder is a wrong percent-encoder. A nil one is the right one.
type encoder struct {
	keeps string // what it leaves as it is, beside what the right one does
	takes string // what it encodes, though it should not
	space byte   // what a space becomes; 0 for %20
	lower bool   // hex digits are in lower case
	raw   bool   // nothing is encoded
}

var rawEncoder = &encoder{raw: true}

func (e *encoder) orElse(other *encoder) *encoder {
	if e != nil {
		return e
	}
	return other
}

// appendAs appends the encoding of a text.
func appendAs[S string | []byte](e *encoder, dst []byte, text S) []byte {
	switch {
	case e == nil:
		return base.AppendEncoded(dst, text)
	case e.raw:
		return append(dst, text...)
	}
	digits := base.UpperHex
	if e.lower {
		digits = "0123456789abcdef"
	}
	plain := 0 // where a run of bytes begins that stay as they are
	for i := range len(text) {
		c := text[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || e.leaves(c) {
			continue
		}
		dst = append(dst, text[plain:i]...)
		plain = i + 1
		if c == ' ' && e.space != 0 {
			dst = append(dst, e.space)
		} else {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return append(dst, text[plain:]...)
}

func (e *encoder) leaves(c byte) bool {
	return base.Unreserved(c) && strings.IndexByte(e.takes, c) < 0 || strings.IndexByte(e.keeps, c) >= 0
}
