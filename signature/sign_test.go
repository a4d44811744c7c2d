package signature_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestSignErrors: what cannot be signed is an error with a code, never an empty signature (S10).
func TestSignErrors(t *testing.T) {
	r, o := signtest.Workload(48)
	key := signtest.Secret(t, signtest.WorkloadKey)
	type in struct {
		r signtest.Request
		o signature.OAuth
		p signature.Profile
	}
	tests := []struct {
		name, reason string
		change       func(*in)
		want         ledger.Code
	}{
		{"GET", "h197", func(x *in) { x.r.Method = "GET" }, signature.MethodNotPost},
		{"post", "h197", func(x *in) { x.r.Method = "post" }, signature.MethodNotPost},
		{"no method at all", "h197", func(x *in) { x.r.Method = "A B"; x.p = signature.ProfileRFC5849 }, signature.MethodForm},
		{"query", "L59", func(x *in) { x.r.URL += "?a=1" }, signature.URLQuery},
		{"bad escape in the query", "signing 4", func(x *in) { x.r.URL += "?a=%4"; x.p = signature.ProfileRFC5849 }, signature.FormEscape},
		{"no consumer key", "R121", func(x *in) { x.o.ConsumerKey = "" }, signature.OAuthMissing},
		{"no nonce", "R122", func(x *in) { x.o.Nonce = "" }, signature.OAuthMissing},
		{"no timestamp", "R124", func(x *in) { x.o.Timestamp = "" }, signature.OAuthMissing},
		{"milliseconds", "h215", func(x *in) { x.o.Timestamp += "000" }, signature.TimestampMillis},
		{"signed timestamp", "h216", func(x *in) { x.o.Timestamp = "-1" }, signature.TimestampSyntax},
		{"long nonce", "h224", func(x *in) { x.o.Nonce = strings.Repeat("n", 10_000) }, signature.LimitHeader},
		{"line break in realm", "h208", func(x *in) { x.o.Realm = new("a\r\nb") }, signature.HeaderSyntax},
		{"signature in the body", "R126", func(x *in) {
			x.r.Params = append(slices.Clip(x.r.Params), signtest.Param{"oauth_signature", "x"})
		}, signature.SignatureInBody},
		{"another nonce in the body", "L61", func(x *in) {
			x.r.Params = append(slices.Clip(x.r.Params), signtest.Param{"oauth_nonce", "x"})
		}, signature.OAuthConflict},
		{"bad escape in the body", "h156", func(x *in) { x.r.Body, x.r.ContentType = []byte("a=%u0041"), signtest.FormType }, signature.FormEscape},
		{"copies in a body that is no form", "5.5.5", func(x *in) {
			x.r.Body, x.r.ContentType, x.p, x.o.InBody = []byte("{}"), "application/json", signature.ProfileRFC5849, true
		}, signature.ContentType},
		{"JSON", "4.1", func(x *in) { x.r.Body, x.r.ContentType = []byte("{}"), "application/json" }, signature.ContentType},
		{"10,001 pairs", "h159", func(x *in) {
			x.r.Body, x.r.ContentType = []byte(strings.Repeat("a=1&", 10_001)), signtest.FormType
		}, signature.LimitParameters},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		x := in{r, o, signature.ProfileGateway}
		test.change(&x)
		signed, err := sign(x.r, x.o, key, x.p)
		if !errors.Is(err, test.want) || signed != (signature.Signed{}) || signed.Authorization() != "" {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// TestSignFindings: what is signed and worth a word.
func TestSignFindings(t *testing.T) {
	_, o := signtest.Workload(0)
	form := func(body, contentType string) signtest.Request {
		return signtest.Request{URL: "https://h/p", Body: []byte(body), ContentType: contentType}
	}
	tests := []struct {
		name, reason, secret string
		request              signtest.Request
		want                 []ledger.Code
	}{
		{"plain", "4.1", "s", form("payload=x", signtest.FormType), nil},
		{"two payloads", "L60", "s", form("payload=x&payload=x", signtest.FormType), []ledger.Code{signature.ParameterDuplicate}},
		{"another parameter", "R106", "s", form("payload=x&a=1", signtest.FormType), []ledger.Code{signature.ParameterExtra}},
		{"plus", "L68", "s", form("payload=a+b", signtest.FormType), []ledger.Code{signature.FormPlus}},
		{"charset", "R104", "s", form("payload=x", "Application/X-WWW-Form-Urlencoded; charset=utf-8"), []ledger.Code{signature.ContentTypeCharset}},
		{"no content type", "R104", "s", form("payload=x", ""), []ledger.Code{signature.ContentTypeMissing}},
		{"secret to be encoded", "L64", "s&", form("payload=x", signtest.FormType), []ledger.Code{signature.SecretEncoded}},
		{"foreign host", "h196", "s", signtest.Request{URL: "https://bücher.example/"}, []ledger.Code{signature.URLHost}},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		key, err := signature.NewSecret(test.secret, "")
		if err != nil {
			t.Fatal(err)
		}
		signed, err := sign(test.request, o, key, signature.ProfileGateway)
		if err != nil || !slices.Equal(codesOf(signed.Findings()), test.want) {
			t.Errorf("%s: %v, %v", test.name, signed, err)
		}
	}
	if _, err := signature.NewSecret("", ""); !errors.Is(err, signature.SecretEmpty) {
		t.Errorf("an empty secret: %v", err)
	}
}

// TestProfilesDiffer: what the profiles sign of the header, and that order and encoding are alike.
func TestProfilesDiffer(t *testing.T) {
	oauth := []signtest.Param{{"oauth_consumer_key", "k"}, {"oauth_token", ""}, {"foo", "1"}, {"oauth_signature", "x"}}
	r := signtest.Request{URL: "https://h/p", Params: []signtest.Param{{"b", "2"}, {"b", "10"}, {"a-b"}, {"a", "x"},
		{"c@", " +"}, {"c2", ""}}}
	const head = "POST&https%3A%2F%2Fh%2Fp&"
	const ours = "a%3Dx%26a-b%3D%26b%3D10%26b%3D2%26c%2540%3D%2520%252B%26c2%3D%26oauth_consumer_key%3Dk"
	for _, test := range []struct {
		reason  string
		profile signature.Profile
		want    string
	}{
		{"L57, 5.2.1", signature.ProfileGateway, ours},
		{"signing 1: all oauth_ of the header", signature.ProfileRFC5849, ours + "%26oauth_token%3D"},
	} {
		got, err := baseString(r, oauth, test.profile)
		if err != nil || got != head+test.want {
			t.Errorf("%s\n got %s, %v\nwant %s", test.reason, got, err, head+test.want)
		}
		trace, err := signature.NewTrace(r.Made().WithAuthorization(headerOf(nil, oauth).String()), test.profile)
		if err != nil || trace.BaseString() != got || signature.Encode(trace.Parameters()) != test.want || trace.URI() != "https://h/p" {
			t.Errorf("%s: the trace ends in %s, %v", test.reason, trace.BaseString(), err)
		}
	}
}

// TestAgainstTheStandardLibrary: HMAC and RSA equal crypto/hmac and crypto/rsa, with short and long keys (S03, S04).
func TestAgainstTheStandardLibrary(t *testing.T) {
	for n := range 200 {
		secret := strings.Repeat("k", n+1)
		key, err := signature.NewSecret(secret, "t&")
		if err != nil {
			t.Fatal(err)
		}
		base := strings.Repeat("b", 3*n)
		mac := oracle.HMACSHA1(secret+"&t%26", base)
		if got := signedBase(t, key, base); got != base64.StdEncoding.EncodeToString(mac) || !signature.VerifyBase(key, base, mac) {
			t.Errorf("a key of %d bytes: %s", n+1, got)
		}
	}
	want, err := oracle.SignRSA(string(signtest.KeyFile(t, "pkcs1.pem")), "POST&a&b")
	if err != nil {
		t.Fatal(err)
	}
	got, err := signature.SignBase(signtest.PrivateKey(t, "pkcs1.pem"), "POST&a&b")
	if err != nil || got != base64.StdEncoding.EncodeToString(want) {
		t.Errorf("RSA: %s, %v", got, err)
	}
}

// TestBodyPlaces: one base string wherever the OAuth parameters stand; the body as it is to be sent (R142, X12, B05).
func TestBodyPlaces(t *testing.T) {
	r, o := signtest.Workload(48)
	key := signtest.Secret(t, signtest.WorkloadKey)
	header, err := sign(r, o, key, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	o.InBody = true
	both, err := sign(r, o, key, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	vectortest.Same(t, "base string", both.BaseString(), header.BaseString())
	vectortest.Same(t, "authorization", both.Authorization(), header.Authorization())
	vectortest.Same(t, "body", string(both.Body()), string(header.Body())+"&oauth_consumer_key=merchant-login&oauth_nonce=0123456789abcdef0123456789abcdef"+
		"&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1790000000&oauth_version=1.0")
	sent := reqOf(both.Request())
	v, err := verify(sent, both.Authorization(), key, signature.Options{})
	if err != nil || v.Signature != signature.VerdictOK || len(v.Findings) > 0 {
		t.Errorf("as sent: %+v, %v", v, err)
	}
	sent.Body = append(slices.Clip(sent.Body), "&oauth_signature=x"...)
	v, err = verify(sent, both.Authorization(), key, signature.Options{AllowUnsigned: true})
	if err != nil || v.Signature != signature.VerdictOK || !slices.Contains(codesOf(v.Findings), signature.SignatureInBody) {
		t.Errorf("with the signature in the body: %+v, %v", v, err)
	}
	sent.Body = []byte(strings.Replace(string(both.Body()), "version=1.0", "version=1.1", 1))
	v, err = verify(sent, both.Authorization(), key, signature.Options{})
	if !errors.Is(err, signature.OAuthConflict) || v.Signature != signature.VerdictMismatch {
		t.Errorf("with another value in the body: %+v, %v", v, err)
	}
}
