package laws

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// wireLaws are the laws of base64, form bodies and responses.
func wireLaws() []Law {
	return []Law{
		law("W01", gen.Base64Texts, oneBase64),
		own("W02", "4.1", "decode(encode(b)) = b; the encoder's alphabet is A-Za-z0-9+/=", gen.PayloadBytes, base64RoundTrip),
		own("W03", "4.1", "the form body percent-encodes + / =; form(payload) read back gives payload", gen.PayloadBytes, formRoundTrip),
		law("W04", gen.FormBodies, formAccounted),
		own("W05", "4.1", "one payload as CSV, as base64, as form body: same rows, same findings but for places in the wire form", gen.PayloadTexts, formsAlike).heavy(),
		own("W06", "L49", "each named base64 defect put onto a good text yields its own name", gen.PayloadBytes, defectsNamed).heavy(),
		law("W07", gen.WireTexts, nothingBesideAnError),
		own("W08", "L70", "parse(format(r)) = r, unknown names kept, joined by & or LF, one LF left out of each value", gen.Responses, responseRoundTrip),
	}
}

func (t *T) decode(wire []byte, o rules.Options) ([]byte, findings) {
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
	switch accepted := !hasError(found); {
	case accepted && (!ok || !bytes.Equal(got, want)):
		t.Errorf("%q is decoded to %q, want %q (accepted: %v)", text, got, want, ok)
	case !accepted && ok && bytes.HasPrefix(want, []byte(gen.PayloadStart)):
		t.Errorf("%q is refused: %s", text, found)
	}
}

func base64RoundTrip(t *T, text string) {
	coded := t.EncodePayload([]byte(text), rules.InputBase64)
	if want := base64.StdEncoding.EncodeToString([]byte(text)); string(coded) != want {
		t.Errorf("%q is encoded as %q, want %q", text, coded, want)
	}
	readBack(t, text, coded, rules.InputBase64)
}

func formRoundTrip(t *T, text string) {
	body := t.EncodePayload([]byte(text), rules.InputForm)
	pairs, err := url.ParseQuery(string(body))
	coded, named := strings.CutPrefix(string(body), "payload=")
	if raw, ok := oracle.Base64(pairs.Get("payload")); err != nil || !named || len(pairs) != 1 || strings.ContainsAny(coded, "+/=") || !ok || string(raw) != text {
		t.Errorf("%q is sent as %q", text, body)
	}
	readBack(t, text, body, rules.InputForm)
}

// readBack reads what was sent; half of the cases leave the form to be recognised.
func readBack(t *T, text string, sent []byte, in rules.Input) {
	if !strings.HasPrefix(text, gen.PayloadStart) {
		return // shrunk to something that is not a payload
	}
	if len(text)%2 == 1 {
		in = rules.InputAuto
	}
	if got, found := t.decode(sent, rules.Options{AsOf: gen.JudgedOn(), Input: in}); string(got) != text || len(found) > 0 {
		t.Errorf("%q is read back as %v: %q\n%s", sent, in, got, found)
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
			if !hasError(found) || readable && findingAt(found, ledger.Code(p.Fault), p.Offset) == nil {
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
			if readable && findingAt(found, rules.SignatureInBody, p.Offset) == nil {
				t.Errorf("%q: oauth_signature at %d is not reported, only\n%s", body, p.Offset, found)
			}
		case !strings.HasPrefix(p.Name, "oauth_"):
			if others++; others == 1 && readable && findingAt(found, rules.ParameterExtra, p.Offset) == nil {
				t.Errorf("%q: the parameter at %d is not reported, only\n%s", body, p.Offset, found)
			}
		}
	}
	values, err := url.ParseQuery(withoutLineEnd(body))
	if err != nil || len(values["payload"]) != payloads {
		t.Errorf("%q: package url has %v, %v", body, values, err)
	}
	if right := payloads == 1 && readable && len(values["oauth_signature"]) == 0; right == hasError(found) {
		t.Errorf("%q has one good payload: %v\n%s", body, right, found)
	} else if right && !bytes.Equal(got, first) {
		t.Errorf("%q is decoded to %q, want %q", body, got, first)
	}
}

func formsAlike(t *T, text string) {
	read := func(sent []byte, in rules.Input) ([]*PayloadRow, []Finding) {
		j := t.read(bytes.NewReader(sent), rules.Options{AsOf: gen.JudgedOn(), Input: in})
		var rows []*PayloadRow
		for _, s := range j.steps {
			if s.Row != nil {
				rows = append(rows, s.Row)
			}
		}
		return rows, slices.DeleteFunc(j.findings(), func(f Finding) bool { return f.Wire })
	}
	rows, found := read([]byte(text), rules.InputCSV)
	if has(found, rules.NotAPayload, 0) || len(text) == 0 {
		return // reported of the wire form then
	}
	for _, in := range [...]rules.Input{rules.InputBase64, rules.InputForm} {
		others, said := read(t.EncodePayload([]byte(text), in), in)
		t.Equal("the findings as "+in.String()+" and as CSV", said, found)
		t.Equal("the rows as "+in.String()+" and as CSV", others, rows)
	}
}

// defectsNamed adds bytes that make every defect possible: characters 62 and 63 and a
// padding of one.
func defectsNamed(t *T, text string) {
	for len(text)%3 != 0 {
		text += "x"
	}
	text = gen.PayloadStart + text + "\xfb\xef\xbe\xff\xff\xff" + "ab" // 3·5 bytes before it
	coded := base64.StdEncoding.EncodeToString([]byte(text))
	half := len(coded) / 2
	for _, defect := range [...]struct {
		code ledger.Code
		text string
	}{
		{rules.Base64Wrapped, coded[:half] + "\n" + coded[half:]},
		{rules.Base64Wrapped, coded[:half] + "\r\n" + coded[half:] + "\r\n"},
		{rules.Base64URLSafe, strings.NewReplacer("+", "-", "/", "_").Replace(coded)},
		{rules.Base64Unpadded, strings.TrimRight(coded, "=")},
		{rules.Base64Space, strings.ReplaceAll(coded, "+", " ")},
		{rules.Base64Double, base64.StdEncoding.EncodeToString([]byte(coded))},
		{rules.Base64StrayBits, coded[:len(coded)-2] + "J="},
		{rules.Base64Syntax, coded + "="},
	} {
		for _, in := range [...]rules.Input{rules.InputBase64, rules.InputAuto} {
			if _, found := t.decode([]byte(defect.text), rules.Options{AsOf: gen.JudgedOn(), Input: in}); len(found) != 1 || found[0].Code != defect.code {
				t.Errorf("%v of %q is reported, read as %v, as\n%s", defect.code, text, in, found)
			}
		}
	}
}

func nothingBesideAnError(t *T, text string) {
	in := [...]rules.Input{rules.InputBase64, rules.InputForm}[len(text)%2]
	if got, found := t.decode([]byte(text), rules.Options{AsOf: gen.JudgedOn(), Input: in}); hasError(found) && len(got) > 0 {
		t.Errorf("%q, read as %v, gives %q beside\n%s", text, in, got, found)
	}
}

// slowRecord writes a response: joined by & or LF, each value with LF after it or not.
func slowRecord(c gen.ResponseCase) string {
	pairs := [][2]string{{"type", c.Type.String()}}
	add := func(name, value string, always bool) {
		if value != "" || always {
			pairs = append(pairs, [2]string{name, value})
		}
	}
	failed := c.Type != response.TypeCreate
	add("recurring-payment-id", c.RecurringPaymentID, false)
	add("status", c.Status, false)
	add("serial-number", c.SerialNumber, false)
	add("error-message", c.ErrorMessage, failed)
	add("error-code", c.ErrorCode, failed)
	for _, p := range c.Extra {
		add(p.Name, p.Value, true)
	}
	join := [...]string{"&", "\n", "\n&"}[c.Pick%3]
	var list []string
	for _, p := range pairs {
		list = append(list, url.QueryEscape(p[0])+"="+url.QueryEscape(p[1]))
	}
	return strings.Join(list, join) + [...]string{"", "\n"}[c.Pick/3%2]
}

func responseRoundTrip(t *T, r gen.ResponseCase) {
	readAs := func(status int, text string) response.Record {
		back, err := t.ParseResponse(status, []byte(text))
		if err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
		return back
	}
	written, text := string(t.FormatResponse(r.Record)), slowRecord(r)
	t.Equal("a response that is written "+strconv.Quote(written), readAs(500, written), r.Record)
	t.Equal("the response "+strconv.Quote(text), readAs(200, text), r.Record)
	// A line end in a value that is not escaped: one is left out.
	raw := "type=" + r.Type.String() + "&status=a\n\n"
	if r.Type != response.TypeCreate {
		raw += "&error-message=m\n&error-code=1"
	}
	if back := readAs(200, raw); back.Status != "a\n" || back.Type != r.Type {
		t.Errorf("%q is read as %v with status %q, want %q", raw, back.Type, back.Status, "a\n")
	}
	if back, err := t.ParseResponse(200, []byte(strings.Replace(text, "type=", "type=x", 1))); err == nil || back.Outcome == response.OutcomeAccepted {
		t.Errorf("a type that does not exist is %v", back.Outcome)
	}
}
