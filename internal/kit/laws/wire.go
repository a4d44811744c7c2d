package laws

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// wireLaws are the laws of base64 and form bodies.
func wireLaws() []Law {
	return []Law{
		law("W01", gen.Base64Texts, oneBase64),
		law("W04", gen.FormBodies, formAccounted),
		law("W07", gen.WireTexts, nothingBesideAnError),
	}
}

func (t *T) decode(wire []byte, o rules.Options) ([]byte, plain.Findings) {
	text, found := t.DecodePayload(wire, o)
	return text, found
}

// withoutLineEnd is a text as a file holds it, without its last line end.
func withoutLineEnd(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

// oneBase64 allows a reader to refuse more, by what was decoded: other kinds of files, or
// what is encoded twice. What begins as a payload it must take.
func oneBase64(t *T, text string) {
	got, found := t.decode([]byte(text), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputBase64})
	want, ok := oracle.Base64(withoutLineEnd(text))
	switch accepted := !plain.HasError(found); {
	case accepted && (!ok || !bytes.Equal(got, want)):
		t.Errorf("%q is decoded to %q, want %q (accepted: %v)", text, got, want, ok)
	case !accepted && ok && bytes.HasPrefix(want, []byte(gen.PayloadStart)):
		t.Errorf("%q is refused: %s", text, found)
	}
}

// formAccounted reads the body slowly, and looks for each pair in what the reader says.
func formAccounted(t *T, body string) {
	got, found := t.decode([]byte(body), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputForm})
	pairs := oracle.FormPairs(withoutLineEnd(body))
	payloads, others := 0, 0
	var first []byte
	readable := true
	for _, p := range pairs {
		if p.Fault != "" {
			// An earlier fault of the payload itself ends the reading too.
			if !plain.HasError(found) || readable && plain.FindingAt(found, ledger.Code(p.Fault), p.Offset) == nil {
				t.Errorf("%q: %s at %d is not reported, only\n%s", body, p.Fault, p.Offset, found)
			}
			return
		}
		switch {
		case p.Name == "payload":
			raw, ok := oracle.Base64(p.Value)
			if payloads++; payloads == 1 {
				first, readable = raw, ok && len(raw) > 0
			}
		case p.Name == "oauth_signature":
			if readable && plain.FindingAt(found, rules.SignatureInBody, p.Offset) == nil {
				t.Errorf("%q: oauth_signature at %d is not reported, only\n%s", body, p.Offset, found)
			}
		case !strings.HasPrefix(p.Name, "oauth_"):
			if others++; others == 1 && readable && plain.FindingAt(found, rules.ParameterExtra, p.Offset) == nil {
				t.Errorf("%q: the parameter at %d is not reported, only\n%s", body, p.Offset, found)
			}
		}
	}
	values, err := url.ParseQuery(withoutLineEnd(body))
	if err != nil || len(values["payload"]) != payloads {
		t.Errorf("%q: package url has %v, %v", body, values, err)
	}
	if right := payloads == 1 && readable && len(values["oauth_signature"]) == 0; right == plain.HasError(found) {
		t.Errorf("%q has one good payload: %v\n%s", body, right, found)
	} else if right && !bytes.Equal(got, first) {
		t.Errorf("%q is decoded to %q, want %q", body, got, first)
	}
}

func nothingBesideAnError(t *T, text string) {
	in := [...]rules.Input{rules.InputBase64, rules.InputForm}[len(text)%2]
	if got, found := t.decode([]byte(text), rules.Options{AsOf: gen.JudgedOn(), Input: in}); plain.HasError(found) && len(got) > 0 {
		t.Errorf("%q, read as %v, gives %q beside\n%s", text, in, got, found)
	}
}
