package signature_test

import (
	"encoding/base64"
	"encoding/hex"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// A param is a parameter that a test can compare and change.
type param struct{ Name, Value string }

func paramsOf(list []param) []signature.Param {
	var out []signature.Param
	for _, p := range list {
		out = append(out, signature.NewParam(p.Name, p.Value))
	}
	return out
}

func plain(list []signature.Param) []param {
	var out []param
	for _, p := range list {
		out = append(out, param{p.Name(), p.Value()})
	}
	return out
}

// A req is a request that a test can change.
type req struct {
	Method, URL, ContentType string
	Params                   []param
	Body                     []byte
}

func (r req) made() signature.Request {
	out := signature.NewRequest(r.Method, r.URL)
	if r.Body != nil {
		return out.WithBody(r.ContentType, string(r.Body))
	}
	return out.WithParams(paramsOf(r.Params)...)
}

func reqOf(r signature.Request) req {
	return req{Method: r.Method(), URL: r.URL(), ContentType: r.ContentType(), Body: r.Body()}
}

func sign(r req, o signature.OAuth, key signature.SigningKey, p signature.Profile) (signature.Signed, error) {
	return signature.Sign(r.made(), o, key, p)
}

func authorization(r req, o signature.OAuth, key signature.SigningKey, p signature.Profile) (string, error) {
	s, err := sign(r, o, key, p)
	return s.Authorization(), err
}

func baseString(r req, oauth []param, p signature.Profile) (string, error) {
	return signature.BaseString(r.made(), paramsOf(oauth), p)
}

func verify(r req, header string, key signature.VerifyingKey, o signature.Options) (signature.Verified, error) {
	return signature.Verify(r.made().WithAuthorization(header), key, o)
}

func headerOf(realm *string, list []param) signature.Header {
	return signature.Header{Realm: realm, Params: paramsOf(list)}
}

func valueOf(h signature.Header, name string) string {
	for _, p := range h.Params {
		if p.Name() == name {
			return p.Value()
		}
	}
	return ""
}

func codesOf(found ledger.Findings) []ledger.Code {
	var codes []ledger.Code
	for _, f := range found {
		codes = append(codes, f.Code)
	}
	return codes
}

func hexOf(raw []byte) string { return hex.EncodeToString(raw) }

func mustBase64(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func signedBase(t testing.TB, key signature.SigningKey, base string) string {
	t.Helper()
	text, err := signature.SignBase(key, base)
	if err != nil {
		t.Error(err)
	}
	return text
}

const formType = "application/x-www-form-urlencoded"
