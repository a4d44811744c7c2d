package diagnose

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// A payloadForm is a form of the payload that was signed instead of the one that was sent.
type payloadForm uint8

const (
	payloadSpaces payloadForm = iota
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

// inPayload changes the parameter payload; all others stay as they are.
func inPayload(forms ...payloadForm) []variant {
	return variantOf(stepPayload, forms, func(c *candidate, f payloadForm) bool { return c.changePayload(f.change) })
}

// changePayload changes the values of payload, and reports whether one became another.
func (c *candidate) changePayload(change func(sent string) (string, bool)) bool {
	found := false
	c.body = mapped(c.body, func(it *item) {
		if it.Name != base.Payload {
			return
		}
		if changed, ok := change(it.Value); ok && changed != it.Value {
			it.set(changed)
			found = true
		}
	})
	return found
}

func wrappedPayloads() []variant {
	out := inPayload(payloadUnwrapped)
	for i := range wrappings {
		out = append(out, inPayload(payloadWrapped+payloadForm(i))...)
	}
	return out
}

// finalNewlines are a line end behind the last value of the body or behind the CSV of the payload,
// more or less than was sent.
func finalNewlines() []variant {
	lines := [...]func(string) string{wrapped("", "\n"), wrapped("", "\r\n"), trimNewline}
	var out []variant
	for _, change := range lines {
		out = append(out, variants(stepPayload,
			func(c *candidate) bool {
				last := len(c.body) - 1
				if last < 0 {
					return false
				}
				changed := change(c.body[last].Value)
				if changed == c.body[last].Value {
					return false
				}
				c.body = slices.Clone(c.body)
				c.body[last].set(changed)
				return true
			},
			func(c *candidate) bool {
				return c.changePayload(func(sent string) (string, bool) {
					csv, isCSV := payloadCSV.change(sent)
					return base64.StdEncoding.EncodeToString([]byte(change(csv))), isCSV && csv != "" && !strings.ContainsAny(sent, "\r\n")
				})
			})...)
	}
	return out
}

func trimNewline(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

// change returns the form of a payload that was sent, and false if it has no such form.
func (f payloadForm) change(sent string) (string, bool) {
	switch f {
	case payloadSpaces:
		return strings.ReplaceAll(sent, "+", " "), true
	case payloadURLSafe:
		return strings.NewReplacer("+", "-", "/", "_").Replace(sent), true
	case payloadStandard:
		return strings.NewReplacer("-", "+", "_", "/").Replace(sent), true
	case payloadUnpadded:
		return strings.TrimRight(sent, "="), true
	case payloadPadded:
		return base.Pad(sent), !strings.ContainsAny(sent, "=\r\n")
	case payloadUnwrapped:
		return strings.NewReplacer("\r", "", "\n", "").Replace(sent), true
	case payloadCSV, payloadCRLF, payloadLF:
		return f.changeText(sent)
	}
	if strings.ContainsAny(sent, "\r\n") {
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
