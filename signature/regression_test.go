package signature_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// TestVerifyNamesForm: where the text of a signature has a known wrong form, verify names that form (h211, L66).
func TestVerifyNamesForm(t *testing.T) {
	right := hmacCase(t, "secret")
	header, err := signature.ParseHeader(right.authorization)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := header.Value("oauth_signature")
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ reason, text, id string }{
		{"h211: hex is Base64 by accident", hex.EncodeToString(raw), "(signature-hex)"},
		{"h211: so is Base64 of hex", base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(raw))), "(signature-base64-of-hex)"},
		{"h211: wrapped", text[:9] + "\n" + text[9:], "(signature-wrapped)"},
		{"h211: escaped twice", signature.Encode(text), "(signature-encoded-twice)"},
		{"h211: without padding, and of letters and digits alone", strings.Repeat("Ab3", 8) + "AbA", "(signature-unpadded)"},
		{"h211: another alphabet", strings.Repeat("-_3", 8) + "-_A", "(signature-urlsafe)"},
	}
	for _, test := range tests {
		c := right
		c.authorization = withSignature(t, right.authorization, test.text)
		v := c.verify(t)
		if v.Signature == signature.OK || !slices.ContainsFunc(v.Findings, func(f signature.Finding) bool { return strings.Contains(f.Text, test.id) }) {
			t.Errorf("%s: %v %v", test.reason, v.Signature, v.Findings)
		}
	}
}

// TestVerifyNamesLargeNumber: an RSA signature of the right length that is no number below the modulus is told (h212).
func TestVerifyNamesLargeNumber(t *testing.T) {
	right := rsaCase(t)
	c := right
	c.authorization = withSignature(t, right.authorization, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xff", 256))))
	v := c.verify(t)
	if v.Signature != signature.Mismatch || !slices.Contains(codesOf(v.Findings), signature.SignatureLength) {
		t.Errorf("%v %v", v.Signature, v.Findings)
	}
}

// TestCopiesInEmptyBody: the OAuth parameters are a form of their own where the body is empty (5.5.5).
func TestCopiesInEmptyBody(t *testing.T) {
	r, o := workload(48)
	r.Params, r.Body, o.Place = nil, []byte{}, signature.HeaderAndBody
	s, err := signature.Sign(r, o, workloadSecret(t), signature.Gateway())
	if err != nil || !strings.Contains(string(s.Body), "oauth_version=1.0") {
		t.Errorf("%v, %v", s, err)
	}
}

// TestValuesPrintMasked: a copy of a value hides what a pointer to it hides (K01).
func TestValuesPrintMasked(t *testing.T) {
	const secret, card = "topsecretcanary", "4111111111111111"
	key, err := signature.NewSecret(secret, "")
	if err != nil {
		t.Fatal(err)
	}
	r, o := workload(48)
	r.Params = []signature.Param{{Name: "payload", Value: card}}
	signed, err := signature.Sign(r, o, key, signature.Gateway())
	if err != nil {
		t.Fatal(err)
	}
	trace, err := signature.TraceBase(r, signed.Header.Params, signature.Gateway())
	if err != nil {
		t.Fatal(err)
	}
	post := signature.Post{URL: r.URL, Body: signed.Body, Signed: signed}
	evidence := signature.Evidence{Authorization: signed.Authorization, BaseString: signed.BaseString}
	for _, value := range []any{*key, *signed, *trace, post, evidence, []any{*key, *signed}, &post} {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
			shown := fmt.Sprintf(verb, value)
			if strings.Contains(shown, secret) || strings.Contains(shown, card) || len(shown) > 400 {
				t.Errorf("%T as %s: %s", value, verb, shown)
			}
		}
	}
}

// TestSlashAddedToEmptyPath: software that puts a slash behind every path signs two for an empty one (signing 2).
func TestSlashAddedToEmptyPath(t *testing.T) {
	r, o := workload(48)
	r.URL = "https://h.example//"
	key := workloadSecret(t)
	wrong, err := signature.Authorization(r, o, key, signature.Gateway())
	if err != nil {
		t.Fatal(err)
	}
	r.URL = "https://h.example"
	d, err := signature.Diagnose(r, signature.Evidence{Authorization: wrong}, key, signature.Gateway())
	if err != nil || len(d.Causes) != 1 || !slices.Equal(d.Causes[0].IDs, []string{"trailing-slash-added"}) {
		t.Errorf("%v, %v", d, err)
	}
}
