package signature

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// decodeText reads a signature strictly: standard alphabet, padded, no line breaks, no stray bits
// (L66). Go's strict decoder skips CR and LF, and returns a prefix beside its error, so both are
// excluded here.
func decodeText(text string) ([]byte, bool) {
	if text == "" || strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	out, err := base64.StdEncoding.Strict().DecodeString(text)
	return out, err == nil
}

// The readers below undo the known ways to write a signature wrongly. Each returns false if the text
// is not of its form.

func readHexText(text string) ([]byte, bool) {
	out, err := hex.DecodeString(text)
	return out, err == nil && len(out) > 0
}

func readBase64OfHex(text string) ([]byte, bool) {
	inner, ok := decodeText(text)
	if !ok {
		return nil, false
	}
	return readHexText(string(inner))
}

func readWrapped(text string) ([]byte, bool) {
	if !strings.ContainsAny(text, "\r\n") {
		return nil, false
	}
	return decodeText(strings.NewReplacer("\r", "", "\n", "").Replace(text))
}

func readEncodedTwice(text string) ([]byte, bool) {
	if !strings.Contains(text, "%") {
		return nil, false
	}
	once, err := decode(text, partText, 0)
	if err != nil {
		return nil, false
	}
	return decodeText(once)
}

func readPlusAsSpace(text string) ([]byte, bool) {
	if !strings.Contains(text, " ") {
		return nil, false
	}
	return decodeText(strings.ReplaceAll(text, " ", "+"))
}

func readURLSafe(text string) ([]byte, bool) {
	if strings.ContainsAny(text, "+/") {
		return nil, false
	}
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(text)
	if standard == text && len(text)%4 == 0 {
		return nil, false
	}
	return decodeText(pad(standard))
}

func readUnpadded(text string) ([]byte, bool) {
	if len(text)%4 == 0 || strings.HasSuffix(text, "=") {
		return nil, false
	}
	return decodeText(pad(text))
}

func pad(text string) string {
	for len(text)%4 != 0 {
		text += "="
	}
	return text
}

const textFix = "send base64 of the signature bytes, padded, on one line, percent-encoded once in the header"

// textFinding says why the text of a signature cannot be read (L66).
func textFinding(text string) ledger.Finding {
	f := about(found(SignatureText, partHeader, "", ""), nameSignature)
	for _, m := range textMistakes() {
		if m.ID == idURLSafe && !strings.ContainsAny(text, "-_") {
			continue // only its padding is missing
		}
		if _, ok := m.read(text); ok {
			f.Message = "the signature is not plain base64: " + m.Text + " (" + m.ID + ")"
			break
		}
	}
	return f
}

// A reading is one way to read the text of a signature: the bytes, and the mistake that it implies,
// if any.
type reading struct {
	ids []string
	raw []byte
}

func readSignature(text string) []reading {
	var out []reading
	if raw, ok := decodeText(text); ok {
		out = append(out, reading{nil, raw})
	}
	for _, m := range textMistakes() {
		if raw, ok := m.read(text); ok {
			out = append(out, reading{[]string{m.ID}, raw})
		}
	}
	return out
}
