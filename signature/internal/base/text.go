package base

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// DecodeText reads a signature strictly: standard alphabet, padded, no line breaks, no stray bits
// (L66). Go's strict decoder skips CR and LF, and returns a prefix beside its error, so both are
// excluded here.
func DecodeText(text string) ([]byte, bool) {
	if text == "" || strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	out, err := base64.StdEncoding.Strict().DecodeString(text)
	return out, err == nil
}

// The readers below undo the known ways to write a signature wrongly. Each returns false if the
// text is not of its form.

func readHexText(text string) ([]byte, bool) {
	out, err := hex.DecodeString(text)
	return out, err == nil && len(out) > 0
}

func readBase64OfHex(text string) ([]byte, bool) {
	inner, ok := DecodeText(text)
	if !ok {
		return nil, false
	}
	return readHexText(string(inner))
}

func readWrapped(text string) ([]byte, bool) {
	if !strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	return DecodeText(strings.NewReplacer("\r", "", "\n", "").Replace(text))
}

func readEncodedTwice(text string) ([]byte, bool) {
	if !strings.Contains(text, "%") {
		return nil, false
	}
	once, bad := Decode(text)
	if bad >= 0 {
		return nil, false
	}
	return DecodeText(once)
}

func readPlusAsSpace(text string) ([]byte, bool) {
	if !strings.Contains(text, " ") {
		return nil, false
	}
	return DecodeText(strings.ReplaceAll(text, " ", "+"))
}

func readURLSafe(text string) ([]byte, bool) {
	if strings.ContainsAny(text, "+/") {
		return nil, false
	}
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(text)
	if standard == text && len(text)%4 == 0 {
		return nil, false
	}
	return DecodeText(Pad(standard))
}

func readUnpadded(text string) ([]byte, bool) {
	if len(text)%4 == 0 || strings.HasSuffix(text, "=") {
		return nil, false
	}
	return DecodeText(Pad(text))
}

// Pad adds the = that base64 ends with.
func Pad(text string) string {
	for len(text)%4 != 0 {
		text += "="
	}
	return text
}

// A TextForm is a known way to write a signature wrongly.
type TextForm struct {
	ID        string
	Rank      int
	Text, Fix string
	Read      func(text string) ([]byte, bool) // false if the text is not of this form
}

// URLSafe is the ID of the form that a text without padding has, too.
const URLSafe = "signature-urlsafe"

// TextForms are the known ones.
func TextForms() []TextForm {
	const fix = "send base64 of the signature bytes, padded, on one line, percent-encoded once"
	return []TextForm{
		{"signature-hex", 19, "the signature was sent as hex", fix, readHexText},
		{"signature-base64-of-hex", 19, "the hex text of the signature was sent in base64", fix, readBase64OfHex},
		{"signature-wrapped", 19, "the signature has line breaks", fix, readWrapped},
		{"signature-encoded-twice", 23, "the signature was percent-encoded twice", fix, readEncodedTwice},
		{"signature-plus-as-space", 23, "the + of the signature became spaces", "percent-encode the signature in the header: + is %2B", readPlusAsSpace},
		{URLSafe, 32, "the URL-safe base64 alphabet was used", fix, readURLSafe},
		{"signature-unpadded", 32, "the = at the end of the signature is missing", fix, readUnpadded},
	}
}
