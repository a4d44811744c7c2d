package diagnose_test

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

const (
	formType       = "application/x-www-form-urlencoded"
	workloadKey    = "00000000-1111-2222-3333-444444444444"
	workloadTarget = "https://gate.example.com/paynet/api/v4/create-recurring-payments/1234"
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

func authorization(r req, o signature.OAuth, key signature.SigningKey, p signature.Profile) (string, error) {
	s, err := signature.Sign(r.made(), o, key, p)
	return s.Authorization(), err
}

func baseString(r req, oauth []param, p signature.Profile) (string, error) {
	header := cmp.Or(strings.TrimPrefix(headerOf(oauth).String(), "OAuth "), `realm=""`)
	trace, err := signature.NewTrace(r.made().WithAuthorization("OAuth "+header), p)
	return trace.BaseString(), err
}

func headerOf(list []param) signature.Header { return signature.Header{Params: paramsOf(list)} }

// signedBase is the signature of a base string under the key of the workload.
func signedBase(base string) string {
	return base64.StdEncoding.EncodeToString(macOf(workloadKey+"&", base))
}

// macOf is HMAC-SHA1 by the standard library.
func macOf(key, text string) []byte {
	mac := hmac.New(sha1.New, []byte(key))
	mac.Write([]byte(text))
	return mac.Sum(nil)
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

// workload is the real operation with a payload of so many bytes.
func workload(n int) (req, signature.OAuth) {
	raw := make([]byte, n)
	for i := range raw {
		raw[i] = byte(i*i*31 + i*7 + n)
	}
	return req{URL: workloadTarget, Params: []param{{"payload", base64.StdEncoding.EncodeToString(raw)}}},
		signature.OAuth{ConsumerKey: "merchant-login", Nonce: "0123456789abcdef0123456789abcdef", Timestamp: "1790000000"}
}

func workloadSecret(tb testing.TB) *signature.Secret {
	tb.Helper()
	key, err := signature.NewSecret(workloadKey, "")
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// signedCase is the real operation, signed: one parameter, a plain URL.
type signedCase struct {
	request       req
	key           signature.VerifyingKey
	authorization string
}

func hmacCase(t *testing.T, secret string) signedCase {
	t.Helper()
	key, err := signature.NewSecret(secret, "")
	if err != nil {
		t.Fatal(err)
	}
	r, o := workload(48)
	return signedCase{r, key, authorize(t, r, o, key)}
}

func rsaCase(t *testing.T) signedCase {
	t.Helper()
	key := privateKey(t, "pkcs1.pem")
	r, o := workload(48)
	return signedCase{r, key.Public(), authorize(t, r, o, key)}
}

func (c signedCase) verify(t *testing.T) signature.Verified {
	t.Helper()
	v, _ := signature.Verify(c.request.made().WithAuthorization(c.authorization), c.key, signature.Options{})
	return v
}

func authorize(t *testing.T, r req, o signature.OAuth, key signature.SigningKey) string {
	t.Helper()
	text, err := authorization(r, o, key, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// withSignature puts another text into a header.
func withSignature(t *testing.T, authorization, text string) string {
	t.Helper()
	h, err := signature.ParseHeader(authorization)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range h.Params {
		if p.Name() == "oauth_signature" {
			h.Params[i] = signature.NewParam(p.Name(), text)
		}
	}
	return h.String()
}

func signatureOf(t *testing.T, authorization string) string {
	t.Helper()
	h, err := signature.ParseHeader(authorization)
	i := slices.IndexFunc(h.Params, func(p signature.Param) bool { return p.Name() == "oauth_signature" })
	if err != nil || i < 0 {
		t.Fatal(err)
	}
	return h.Params[i].Value()
}

func keyFile(tb testing.TB, name string) []byte {
	tb.Helper()
	text, err := os.ReadFile("../../internal/testkeys/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func privateKey(tb testing.TB, name string) *signature.PrivateKey {
	tb.Helper()
	key, _, err := signature.LoadPrivateKey(keyFile(tb, name), signature.KeyRules{})
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// uniqueReason holds a row of a table to a name of its own and a reason.
func uniqueReason(t *testing.T, seen map[string]bool, name, reason string) {
	t.Helper()
	if reason == "" || seen[name] {
		t.Errorf("%s has no reason, or its name is used twice", name)
	}
	seen[name] = true
}

// diagnosed is a diagnosis without a limit; its error is left out where it is the verdict.
func diagnosed(t testing.TB, r req, header string, key signature.VerifyingKey, p signature.Profile) diagnose.Diagnosis {
	t.Helper()
	made := r.made().WithAuthorization(header)
	d, err := diagnose.Request(context.Background(), made, key, diagnose.Options{Verify: signature.Options{Profile: p}})
	if _, verdict := signature.Verify(made, key, signature.Options{Profile: p}); (err == nil) != (verdict == nil) || len(d.NotTried) > 0 {
		t.Errorf("the diagnosis returns %v, Verify %v; not tried: %v", err, verdict, d.NotTried)
	}
	return d
}
