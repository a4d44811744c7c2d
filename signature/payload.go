package signature

import (
	"encoding/base64"
	"strings"
)

// A payloadForm is a form of the payload that was signed instead of the one that was sent.
type payloadForm uint8

const (
	payloadSent payloadForm = iota
	payloadSpaces
	payloadCSV
	payloadCRLF // the lines of the CSV ended in CRLF, and were sent with LF
	payloadLF   // the reverse
	payloadURLSafe
	payloadStandard // the reverse
	payloadUnpadded
	payloadPadded    // the reverse
	payloadUnwrapped // signed without the line breaks that were sent
	payloadWrapped   // and those after it: the rows of wrappings
)

// A wrapping is a way to break base64 into lines.
type wrapping struct {
	width int // characters of a line; 0: one line
	end   string
	last  bool // whether the last line has an end too
}

// wrappings are those of the usual encoders: MIME, PEM, and a shell that adds a line end.
var wrappings = [...]wrapping{
	{76, "\r\n", false}, {76, "\r\n", true}, {76, "\n", false}, {76, "\n", true}, {64, "\n", false}, {64, "\n", true},
	{64, "\r\n", true}, {60, "\n", true}, {0, "\n", true}, {0, "\r\n", true},
}

// payloadForms is the number of forms.
const payloadForms = int(payloadWrapped) + len(wrappings)

// apply changes the parameter payload; all others stay as they are.
func (f payloadForm) apply(it *item) {
	if f == payloadSent || it.raw.Name != namePayload {
		return
	}
	if changed, ok := f.change(it.raw.Value); ok && changed != it.raw.Value {
		it.raw.Value = changed
		it.sent.Value = Encode(changed)
	}
}

// change returns the form of a payload that was sent, and false if it has no such form.
func (f payloadForm) change(sent string) (string, bool) {
	switch f {
	case payloadSent:
		return sent, true
	case payloadSpaces:
		return strings.ReplaceAll(sent, "+", " "), true
	case payloadURLSafe:
		return strings.NewReplacer("+", "-", "/", "_").Replace(sent), true
	case payloadStandard:
		return strings.NewReplacer("-", "+", "_", "/").Replace(sent), true
	case payloadUnpadded:
		return strings.TrimRight(sent, "="), true
	case payloadPadded:
		return pad(sent), !strings.ContainsAny(sent, "=\r\n")
	case payloadUnwrapped:
		return strings.NewReplacer("\r", "", "\n", "").Replace(sent), true
	case payloadCSV, payloadCRLF, payloadLF:
		return f.changeText(sent)
	}
	if int(f) >= payloadForms || strings.ContainsAny(sent, "\r\n") {
		return "", false
	}
	return wrappings[f-payloadWrapped].wrap(sent), true
}

// changeText changes the CSV in a payload.
func (f payloadForm) changeText(sent string) (string, bool) {
	raw, err := base64.StdEncoding.Strict().DecodeString(sent)
	if err != nil {
		return "", false
	}
	text := string(raw)
	switch {
	case f == payloadCSV:
		return text, true
	case strings.ContainsAny(sent, "\r\n"): // the decoder skips line breaks; that would be another mistake
		return "", false
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if f == payloadCRLF {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return base64.StdEncoding.EncodeToString([]byte(text)), true
}

func (w wrapping) wrap(text string) string {
	var out strings.Builder
	for w.width > 0 && len(text) > w.width {
		out.WriteString(text[:w.width])
		out.WriteString(w.end)
		text = text[w.width:]
	}
	out.WriteString(text)
	if w.last {
		out.WriteString(w.end)
	}
	return out.String()
}

// differs reports whether signing a form of the payload would differ from signing it as it was sent
// or in an earlier form of the same mistake.
func (m *material) differs(f payloadForm) bool {
	first := payloadSent
	if f > payloadWrapped {
		first = payloadWrapped - 1
	}
	for _, list := range [...][]item{m.body, m.nonForm} {
		for _, it := range list {
			if it.raw.Name != namePayload {
				continue
			}
			changed, ok := f.change(it.raw.Value)
			if !ok || changed == it.raw.Value {
				continue
			}
			same := false
			for earlier := first + 1; f > payloadWrapped && earlier < f; earlier++ {
				other, _ := earlier.change(it.raw.Value)
				same = same || other == changed
			}
			if !same {
				return true
			}
		}
	}
	return false
}
