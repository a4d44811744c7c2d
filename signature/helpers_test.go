package signature_test

import (
	"encoding/base64"
	"encoding/hex"
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

func plain(list []signature.Param) []signtest.Param {
	var out []signtest.Param
	for _, p := range list {
		out = append(out, signtest.Param{p.Name(), p.Value()})
	}
	return out
}

func reqOf(r signature.Request) signtest.Request {
	return signtest.Request{Method: r.Method(), URL: r.URL(), ContentType: r.ContentType(), Body: r.Body()}
}

func sign(r signtest.Request, o signature.OAuth, key signature.SigningKey) (signature.Request, error) {
	signed, _, err := signature.Sign(r.Made(), o, key)
	return signed, err
}

// baseString is that of a request and the OAuth parameters of its header.
func baseString(r signtest.Request, oauth []signtest.Param) (string, error) {
	header := headerOf(nil, oauth)
	if len(oauth) == 0 {
		header.Realm = new("")
	}
	trace, err := signature.NewTrace(r.Made().WithAuthorization(header.String()))
	return trace.BaseString(), err
}

func verify(r signtest.Request, header string, key signature.VerifyingKey, o signature.Options) (signature.Verified, error) {
	return signature.Verify(r.Made().WithAuthorization(header), o, key)
}

func headerOf(realm *string, list []signtest.Param) signature.Header {
	h := signtest.Header(list)
	h.Realm = realm
	return h
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
