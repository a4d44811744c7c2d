package signature_test

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// TestSignErrors: what cannot be signed is an error with a code, never an empty signature (S10).
func TestSignErrors(t *testing.T) {
	r, o := workload(48)
	key := workloadSecret(t)
	type in struct {
		r signature.Request
		o signature.OAuth
		p signature.Profile
	}
	tests := []struct {
		name, reason string
		change       func(*in)
		want         signature.Code
	}{
		{"GET", "h197", func(x *in) { x.r.Method = "GET" }, signature.MethodNotPost},
		{"post", "h197", func(x *in) { x.r.Method = "post" }, signature.MethodNotPost},
		{"no method at all", "h197", func(x *in) { x.r.Method = "A B"; x.p = signature.RFC5849() }, signature.MethodForm},
		{"query", "L59", func(x *in) { x.r.URL += "?a=1" }, signature.URLQuery},
		{"bad escape in the query", "signing 4", func(x *in) { x.r.URL += "?a=%4"; x.p = signature.RFC5849() }, signature.FormEscape},
		{"no consumer key", "R121", func(x *in) { x.o.ConsumerKey = "" }, signature.OAuthMissing},
		{"no nonce", "R122", func(x *in) { x.o.Nonce = "" }, signature.OAuthMissing},
		{"no timestamp", "R124", func(x *in) { x.o.Timestamp = "" }, signature.OAuthMissing},
		{"milliseconds", "h215", func(x *in) { x.o.Timestamp += "000" }, signature.TimestampMillis},
		{"signed timestamp", "h216", func(x *in) { x.o.Timestamp = "-1" }, signature.TimestampSyntax},
		{"long nonce", "h224", func(x *in) { x.o.Nonce = strings.Repeat("n", 10_000) }, signature.LimitHeader},
		{"line break in realm", "h208", func(x *in) { x.o.Realm = signature.Realm{Present: true, Value: "a\r\nb"} }, signature.HeaderSyntax},
		{"signature in the body", "R126", func(x *in) {
			x.r.Params = append(slices.Clip(x.r.Params), signature.Param{Name: "oauth_signature", Value: "x"})
		}, signature.SignatureInBody},
		{"another nonce in the body", "L61", func(x *in) {
			x.r.Params = append(slices.Clip(x.r.Params), signature.Param{Name: "oauth_nonce", Value: "x"})
		}, signature.OAuthConflict},
		{"bad escape in the body", "h156", func(x *in) { x.r.Body, x.r.ContentType = []byte("a=%u0041"), signature.FormType }, signature.FormEscape},
		{"copies in a body that is no form", "5.5.5", func(x *in) {
			x.r.Body, x.r.ContentType, x.p, x.o.Place = []byte("{}"), "application/json", signature.RFC5849(), signature.HeaderAndBody
		}, signature.ContentType},
		{"JSON", "4.1", func(x *in) { x.r.Body, x.r.ContentType = []byte("{}"), "application/json" }, signature.ContentType},
		{"10,000 pairs", "h159", func(x *in) {
			x.r.Body, x.r.ContentType = []byte(strings.Repeat("a=1&", 10_000)), signature.FormType
		}, signature.LimitParameters},
		{"a reading of diagnosis", "signing 1", func(x *in) { x.p.Sort = signature.SortRawNames }, signature.ProfileDiagnosis},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		x := in{r, o, signature.Gateway()}
		test.change(&x)
		signed, err := signature.Sign(x.r, x.o, key, x.p)
		header, alone := signature.Authorization(x.r, x.o, key, x.p)
		if !errors.Is(err, test.want) || signed != nil || !errors.Is(alone, test.want) || header != "" {
			t.Errorf("%s: %v and %v, want %s", test.name, err, alone, test.want)
		}
	}
}

// TestSignFindings: what is signed and worth a word.
func TestSignFindings(t *testing.T) {
	_, o := workload(0)
	form := func(body, contentType string) signature.Request {
		return signature.Request{URL: "https://h/p", Body: []byte(body), ContentType: contentType}
	}
	tests := []struct {
		name, reason, secret string
		request              signature.Request
		want                 []signature.Code
	}{
		{"plain", "4.1", "s", form("payload=x", signature.FormType), nil},
		{"two payloads", "L60", "s", form("payload=x&payload=x", signature.FormType), []signature.Code{signature.ParameterDuplicate}},
		{"another parameter", "R106", "s", form("payload=x&a=1", signature.FormType), []signature.Code{signature.ParameterExtra}},
		{"plus", "L68", "s", form("payload=a+b", signature.FormType), []signature.Code{signature.FormPlus}},
		{"charset", "R104", "s", form("payload=x", "Application/X-WWW-Form-Urlencoded; charset=utf-8"), []signature.Code{signature.ContentTypeCharset}},
		{"no content type", "R104", "s", form("payload=x", ""), []signature.Code{signature.ContentTypeMissing}},
		{"secret to be encoded", "L64", "s&", form("payload=x", signature.FormType), []signature.Code{signature.SecretEncoded}},
		{"foreign host", "h196", "s", signature.Request{URL: "https://bücher.example/"}, []signature.Code{signature.URLHost}},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		key, err := signature.NewSecret(test.secret, "")
		if err != nil {
			t.Fatal(err)
		}
		signed, err := signature.Sign(test.request, o, key, signature.Gateway())
		if err != nil || !slices.Equal(codesOf(signed.Findings), test.want) {
			t.Errorf("%s: %v, %v", test.name, signed, err)
		}
	}
	if _, err := signature.NewSecret("", ""); !errors.Is(err, signature.SecretEmpty) {
		t.Errorf("an empty secret: %v", err)
	}
}

// TestProfilesDiffer: each deviation of signing.md that shows in the base string.
func TestProfilesDiffer(t *testing.T) {
	oauth := []signature.Param{{Name: "oauth_consumer_key", Value: "k"}, {Name: "oauth_token", Value: ""}, {Name: "foo", Value: "1"}, {Name: "oauth_signature", Value: "x"}}
	r := signature.Request{URL: "https://h/p", Params: []signature.Param{{Name: "b", Value: "2"}, {Name: "b", Value: "10"}, {Name: "a-b"}, {Name: "a", Value: "x"},
		{Name: "c@", Value: " +"}, {Name: "c2", Value: ""}}}
	const head = "POST&https%3A%2F%2Fh%2Fp&"
	ours := "a%3Dx%26a-b%3D%26b%3D10%26b%3D2%26c%2540%3D%2520%252B%26c2%3D%26oauth_consumer_key%3Dk"
	change := func(f func(*signature.Profile)) signature.Profile {
		p := signature.Gateway()
		f(&p)
		return p
	}
	tests := []struct {
		name, reason string
		profile      signature.Profile
		want         string
	}{
		{"gateway", "L57, 5.2.1", signature.Gateway(), ours},
		{"rfc5849", "signing 1: all oauth_ of the header", signature.RFC5849(), ours + "%26oauth_token%3D"},
		{"values only", "L57", change(func(p *signature.Profile) { p.Names = signature.ValuesOnly }), strings.Replace(
			strings.Replace(ours, "c%2540%3D%2520%252B%26", "", 1), "c2%3D", "c2%3D%26c%40%3D%2520%252B", 1)},
		{"raw names", "L57", change(func(p *signature.Profile) { p.Sort = signature.SortRawNames }), strings.Replace(
			ours, "c%2540%3D%2520%252B%26c2%3D", "c2%3D%26c%2540%3D%2520%252B", 1)},
		{"joined pairs", "L57", change(func(p *signature.Profile) { p.Sort = signature.SortJoinedPairs }), strings.Replace(
			ours, "a%3Dx%26a-b%3D", "a-b%3D%26a%3Dx", 1)},
		{"first", "L60", change(func(p *signature.Profile) { p.Duplicates = signature.KeepFirst }), strings.Replace(ours, "b%3D10%26", "", 1)},
		{"last", "L60", change(func(p *signature.Profile) { p.Duplicates = signature.KeepLast }), strings.Replace(ours, "%26b%3D2", "", 1)},
		{"joined", "L60", change(func(p *signature.Profile) { p.Duplicates = signature.JoinByComma }), strings.Replace(ours, "b%3D10%26b%3D2", "b%3D2%252C10", 1)},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		got, err := signature.BaseString(r, oauth, test.profile)
		if err != nil || got != head+test.want {
			t.Errorf("%s\n got %s, %v\nwant %s", test.name, got, err, head+test.want)
		}
		trace, err := signature.TraceBase(r, oauth, test.profile)
		if err != nil || trace.BaseString != got || signature.Encode(trace.Parameters) != test.want || trace.URI != "https://h/p" {
			t.Errorf("%s: the trace ends in %v, %v", test.name, trace, err)
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
		mac := hmac.New(sha1.New, []byte(secret+"&t%26"))
		mac.Write([]byte(base))
		if got := key.SignBase(base); got != base64.StdEncoding.EncodeToString(mac.Sum(nil)) || !key.VerifyBase(base, mac.Sum(nil)) {
			t.Errorf("a key of %d bytes: %s", n+1, got)
		}
	}
	block, _ := pem.Decode(keyFile(t, "pkcs1.pem"))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("POST&a&b"))
	want, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	got, err := privateKey(t, "pkcs1.pem").SignBase("POST&a&b")
	if err != nil || got != base64.StdEncoding.EncodeToString(want) {
		t.Errorf("RSA: %s, %v", got, err)
	}
}

// TestBodyPlaces: one base string wherever the OAuth parameters stand; the body as it is to be sent (R142, X12, B05).
func TestBodyPlaces(t *testing.T) {
	r, o := workload(48)
	key := workloadSecret(t)
	header, err := signature.Sign(r, o, key, signature.Gateway())
	if err != nil {
		t.Fatal(err)
	}
	o.Place = signature.HeaderAndBody
	both, err := signature.Sign(r, o, key, signature.Gateway())
	if err != nil {
		t.Fatal(err)
	}
	check(t, "base string", both.BaseString, header.BaseString)
	check(t, "authorization", both.Authorization, header.Authorization)
	check(t, "body", string(both.Body), string(header.Body)+"&oauth_consumer_key=merchant-login&oauth_nonce=0123456789abcdef0123456789abcdef"+
		"&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1790000000&oauth_version=1.0")
	sent := signature.Request{URL: r.URL, Body: both.Body, ContentType: signature.FormType}
	v, err := signature.Verify(sent, both.Authorization, key, signature.Gateway(), signature.Freshness{})
	if err != nil || v.Signature != signature.OK || len(v.Findings) > 0 {
		t.Errorf("as sent: %+v, %v", v, err)
	}
	sent.Body = append(slices.Clip(sent.Body), "&oauth_signature=x"...)
	v, err = signature.Verify(sent, both.Authorization, key, signature.Gateway(), signature.Freshness{})
	if err != nil || v.Signature != signature.OK || !slices.Contains(codesOf(v.Findings), signature.SignatureInBody) {
		t.Errorf("with the signature in the body: %+v, %v", v, err)
	}
	sent.Body = []byte(strings.Replace(string(both.Body), "version=1.0", "version=1.1", 1))
	v, err = signature.Verify(sent, both.Authorization, key, signature.Gateway(), signature.Freshness{})
	if err != nil || v.Signature != signature.Mismatch || !slices.Contains(codesOf(v.Findings), signature.OAuthConflict) {
		t.Errorf("with another value in the body: %+v, %v", v, err)
	}
}
