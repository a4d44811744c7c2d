// Package signtest has what the tests of signature and of signature/diagnose share: requests that a
// test can change, the workload, test keys, and the input of a vector about signatures.
package signtest

import (
	"testing"

	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/signature"
)

// FormType is the content type of a form.
const FormType = "application/x-www-form-urlencoded"

// A Param is a parameter that a test can compare and change: its name and value, as a vector has
// them.
type Param = [2]string

// Params are parameters as the package under test has them.
func Params(list []Param) []signature.Param {
	var out []signature.Param
	for _, p := range list {
		out = append(out, signature.NewParam(p[0], p[1]))
	}
	return out
}

// A Request is a request that a test can change.
type Request struct {
	Method, URL, ContentType string
	Params                   []Param // of the body, where Body is nil
	Body                     []byte
}

// Made is r as the package under test has it.
func (r Request) Made() signature.Request {
	out := signature.NewRequest(r.Method, r.URL)
	if r.Body != nil {
		return out.WithBody(r.ContentType, string(r.Body))
	}
	return out.WithParams(Params(r.Params)...)
}

// Authorization is the header of r, signed.
func Authorization(r Request, o signature.OAuth, key signature.SigningKey) (string, error) {
	signed, _, err := signature.Sign(r.Made(), o, key)
	return signed.Authorization(), err
}

// Header is an Authorization header of parameters, without a realm.
func Header(list []Param) signature.Header { return signature.Header{Params: Params(list)} }

// Value is the value of a header's parameter; empty for none.
func Value(h signature.Header, name string) string {
	return h.Value(name)
}

// WorkloadKey is the secret of the workload.
const WorkloadKey = "00000000-1111-2222-3333-444444444444"

// WorkloadURL is where the workload is sent to.
const WorkloadURL = "https://gate.example.com/paynet/api/v4/create-recurring-payments/1234"

// Workload is the real operation with a payload of n bytes: byte k is a mix of k.
func Workload(n int) (Request, signature.OAuth) {
	raw := make([]byte, n)
	for k := range raw {
		raw[k] = byte(workload.Mix(uint64(k)))
	}
	p := signature.Payload(raw)
	return Request{URL: WorkloadURL, Params: []Param{{p.Name(), p.Value()}}},
		signature.OAuth{ConsumerKey: "merchant-login", Nonce: "0123456789abcdef0123456789abcdef", Timestamp: "1790000000"}
}

// Secret is a key of HMAC.
func Secret(tb testing.TB, text string) *signature.HMACKey {
	tb.Helper()
	s, err := signature.NewHMACKey(text)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// KeyFile is a file of package testkeys.
func KeyFile(tb testing.TB, name string) []byte {
	tb.Helper()
	text, err := testkeys.File(name)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// PrivateKey is the key in a file of package testkeys.
func PrivateKey(tb testing.TB, name string) *signature.PrivateKey {
	tb.Helper()
	key, err := signature.ParsePrivateKey(KeyFile(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// A Case is the real operation, signed: one parameter, a plain URL.
type Case struct {
	Request       Request
	Key           signature.VerifyingKey
	Authorization string
}

// HMAC is a case with a secret.
func HMAC(t *testing.T, secret string) Case {
	t.Helper()
	key := Secret(t, secret)
	r, o := Workload(48)
	return Case{r, key, Authorize(t, r, o, key)}
}

// RSA is a case with the first test key.
func RSA(t *testing.T) Case {
	t.Helper()
	key := PrivateKey(t, "pkcs1.pem")
	r, o := Workload(48)
	return Case{r, key.Public(), Authorize(t, r, o, key)}
}

// Authorize signs a request.
func Authorize(t *testing.T, r Request, o signature.OAuth, key signature.SigningKey) string {
	t.Helper()
	signed, _, err := signature.Sign(r.Made(), o, key)
	if err != nil {
		t.Fatal(err)
	}
	text := signed.Authorization()
	h, err := signature.ParseHeader(text)
	if err != nil || h.String() != text {
		t.Fatalf("the header is not that of the signature: %v", err)
	}
	return text
}

// WithSignature puts another text into a header.
func WithSignature(t *testing.T, authorization, text string) string {
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

// SignatureOf is the text of a header's signature.
func SignatureOf(t *testing.T, authorization string) string {
	t.Helper()
	h, err := signature.ParseHeader(authorization)
	if err != nil {
		t.Fatal(err)
	}
	return Value(h, "oauth_signature")
}

// UniqueReason refuses a table row without a reason and a name used twice.
func UniqueReason(t *testing.T, seen map[string]bool, name, reason string) {
	t.Helper()
	if name == "" || reason == "" || seen[name] {
		t.Fatalf("row %q: no name, no reason, or a name used twice", name)
	}
	seen[name] = true
}

// An Input is the input of a vector about signatures.
type Input struct {
	Text           *string `json:"text"`
	Hex            *string `json:"hex"`
	Form           string  `json:"form"`
	URL            string  `json:"url"`
	Method         string  `json:"method"`
	Params         []Param `json:"params"`
	BodyParams     []Param `json:"body_params"`
	OAuthParams    []Param `json:"oauth_params"`
	Body           *string `json:"body"`
	ContentType    string  `json:"content_type"`
	BaseString     string  `json:"base_string"`
	ConsumerSecret string  `json:"consumer_secret"`
	TokenSecret    string  `json:"token_secret"`
	PublicKey      string  `json:"public_key_pem"`
	Signature      string  `json:"signature"`
	Header         string  `json:"header"`
	Authorization  string  `json:"authorization"`
	File           string  `json:"file"`
	Realm          *string `json:"realm"`
}

// Secret is the secret of an input.
func (in Input) Secret(t *testing.T) *signature.HMACKey {
	t.Helper()
	s, err := signature.NewHMACKey(in.ConsumerSecret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Key is the public key of an input; its secret where it has none.
func (in Input) Key(t *testing.T) signature.VerifyingKey {
	t.Helper()
	if in.PublicKey == "" {
		return in.Secret(t)
	}
	public, err := signature.ParsePublicKey([]byte(in.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	return public
}
