package signature_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/oracle"
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
	}
	tests := []struct {
		name, reason string
		change       func(*in)
		want         ledger.Code
	}{
		{"GET", "h197", func(x *in) { x.r.Method = "GET" }, signature.MethodNotPost},
		{"post", "h197", func(x *in) { x.r.Method = "post" }, signature.MethodNotPost},
		{"query", "L59", func(x *in) { x.r.URL += "?a=1" }, signature.URLQuery},
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
		{"a form without a content type", "R104, 4.1", func(x *in) { x.r.Body, x.r.ContentType = []byte("payload=x"), "" }, signature.ContentTypeMissing},
		{"copies in a body that is no form", "5.5.5", func(x *in) {
			x.r.Body, x.r.ContentType, x.o.InBody = []byte("{}"), "application/json", true
		}, signature.ContentType},
		{"JSON", "4.1", func(x *in) { x.r.Body, x.r.ContentType = []byte("{}"), "application/json" }, signature.ContentType},
		{"10,001 pairs", "h159", func(x *in) {
			x.r.Body, x.r.ContentType = []byte(strings.Repeat("a=1&", 10_001)), signtest.FormType
		}, signature.LimitParameters},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		x := in{r, o}
		test.change(&x)
		signed, found, err := signature.Sign(x.r.Made(), x.o, key)
		if !errors.Is(err, test.want) || signed.Authorization() != "" || signed.URL() != "" || !found.Has(test.want) {
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
		{"secret to be encoded", "L64", "s&", form("payload=x", signtest.FormType), []ledger.Code{signature.SecretEncoded}},
		{"foreign host", "h196", "s", signtest.Request{URL: "https://bücher.example/"}, []ledger.Code{signature.URLHost}},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		key, err := signature.NewHMACKey(test.secret)
		if err != nil {
			t.Fatal(err)
		}
		_, found, err := signature.Sign(test.request.Made(), o, key)
		if err != nil || !slices.Equal(codesOf(found), test.want) {
			t.Errorf("%s: %v, %v", test.name, found, err)
		}
	}
	if _, err := signature.NewHMACKey(""); !errors.Is(err, signature.SecretEmpty) {
		t.Errorf("an empty secret: %v", err)
	}
}

// TestCollected: what is signed of header and body, in its order (L57, 5.2.1): of the header the five alone.
func TestCollected(t *testing.T) {
	oauth := []signtest.Param{{"oauth_consumer_key", "k"}, {"oauth_token", ""}, {"foo", "1"}, {"oauth_signature", "x"}}
	r := signtest.Request{URL: "https://h/p", Params: []signtest.Param{{"b", "2"}, {"b", "10"}, {"a-b"}, {"a", "x"}, {"c@", " +"}, {"c2", ""}}}
	const want = "POST&https%3A%2F%2Fh%2Fp&a%3Dx%26a-b%3D%26b%3D10%26b%3D2%26c%2540%3D%2520%252B%26c2%3D%26oauth_consumer_key%3Dk"
	trace, err := signature.NewTrace(r.Made().WithAuthorization(headerOf(nil, oauth).String()))
	if err != nil || trace.BaseString() != want || trace.URI() != "https://h/p" || trace.Method() != "POST" || len(trace.Sorted()) != 7 || trace.Sorted()[6].Value() != "k" {
		t.Errorf("%s, %v\nwant %s", trace.BaseString(), err, want)
	}
	var zero signature.Trace
	if zero.BaseString() != "" || zero.URI() != "" || zero.Method() != "" || zero.Sorted() != nil {
		t.Error("the zero Trace holds something")
	}
}

// TestUnsignedTokenOfTheBody: a parameter of the body is signed though the header, whose parameters beyond the five are not
// signed, has it too. It counted as the header's, and was signed nowhere.
func TestUnsignedTokenOfTheBody(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	changed := right.Request
	changed.Params = append(slices.Clone(changed.Params), signtest.Param{"oauth_token", "1"})
	header := right.Authorization + `, oauth_token="1"`
	if v, err := verify(changed, header, right.Key, signature.Options{}); err == nil || v.Signature != signature.VerdictMismatch {
		t.Errorf("%v, %v", v.Signature, err)
	}
}

// TestBaseString: the pure function takes any method, URL and parameters of RFC 5849, and collects nothing itself.
func TestBaseString(t *testing.T) {
	params := signtest.Params([]signtest.Param{{"oauth_signature", "s"}, {"realm", "r"}, {"b", "2"}, {"b", "10"}, {"a b", "+"}})
	got, err := signature.BaseString("get", "HTTP://H.example:80", params)
	if want := "GET&http%3A%2F%2Fh.example%2F&a%2520b%3D%252B%26b%3D10%26b%3D2%26oauth_signature%3Ds%26realm%3Dr"; err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, c := range []struct {
		reason, method, uri string
		want                ledger.Code
	}{
		{"no method", "", "https://h/", signature.MethodForm}, {"two words", "A B", "https://h/", signature.MethodForm},
		{"a query", "GET", "https://h/?a=1", signature.URLQuery}, {"an empty query", "GET", "https://h/?", signature.URLQuery},
		{"a fragment", "GET", "https://h/#a", signature.URLFragment}, {"a password", "GET", "https://u:secretpw@h/", signature.URLUserinfo},
		{"no URL", "GET", "", signature.URLForm}, {"a path", "GET", "/p", signature.URLForm}, {"a port of none", "GET", "https://h:0/", signature.URLPort},
	} {
		got, err := signature.BaseString(c.method, c.uri, params)
		if !errors.Is(err, c.want) || got != "" || strings.Contains(err.Error(), "secretpw") {
			t.Errorf("%s: %q, %v, want %s", c.reason, got, err, c.want)
		}
	}
}

// TestSignJudgesWhatVerifyJudges: what is signed verifies, and what would not verify is not signed. A method in lower case,
// a JSON body and a form without a content type were signed without a word.
func TestSignJudgesWhatVerifyJudges(t *testing.T) {
	_, o := signtest.Workload(48)
	key := signtest.Secret(t, signtest.WorkloadKey)
	for _, method := range []string{"", "POST", "post", "Post", "GET"} {
		for _, url := range []string{"https://h/p", "https://h/p?a=1", "https://h:08443/p", "https://u@h/p"} {
			for _, contentType := range []string{"", signtest.FormType, signtest.FormType + ";charset=utf-8", "application/json", "text/plain"} {
				for _, body := range []string{"", "payload=x", "{}", "payload=x&oauth_signature=y", "payload=%zz", "payload=x&oauth_nonce=other", "payload=x&oauth_token=t"} {
					r := signature.NewRequest(method, url).WithBody(contentType, body)
					signed, found, err := signature.Sign(r, o, key)
					if (err == nil) != (found.Err() == nil) || (err == nil) != (signed.Authorization() != "") {
						t.Fatalf("%s %s, %s, %q: %v beside %v", method, url, contentType, body, err, found)
					}
					header := signed.Authorization()
					if err != nil { // one that is right for another request
						header = signtest.HMAC(t, signtest.WorkloadKey).Authorization
					}
					v, verifying := signature.Verify(r.WithAuthorization(header), signature.Options{}, key)
					if (err == nil) != (verifying == nil) {
						t.Errorf("%s %s, %s, %q: signed %v, verified %v", method, url, contentType, body, err, verifying)
					}
					for _, f := range found {
						if f.Severity == ledger.SeverityError && !v.Findings.Has(f.Code) {
							t.Errorf("%s %s, %s, %q: %s to sign, and not to verify", method, url, contentType, body, f.Code)
						}
					}
				}
			}
		}
	}
}

// TestAgainstTheStandardLibrary: HMAC and RSA equal crypto/hmac and crypto/rsa, with short and long keys (S03, S04).
func TestAgainstTheStandardLibrary(t *testing.T) {
	for n := range 200 {
		secret := strings.Repeat("k", n+1)
		key, err := signature.NewHMACKey(secret)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.Repeat("b", 3*n)
		mac := oracle.HMACSHA1(secret+"&", base)
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

// TestBodyPlaces: one base string wherever the OAuth parameters are; the body as it is to be sent (R142, X12, B05).
func TestBodyPlaces(t *testing.T) {
	r, o := signtest.Workload(48)
	key := signtest.Secret(t, signtest.WorkloadKey)
	header, err := sign(r, o, key)
	if err != nil {
		t.Fatal(err)
	}
	o.InBody = true
	both, err := sign(r, o, key)
	if err != nil {
		t.Fatal(err)
	}
	vectortest.Same(t, "authorization", both.Authorization(), header.Authorization())
	vectortest.Same(t, "body", string(both.Body()), string(header.Body())+"&oauth_consumer_key=merchant-login&oauth_nonce=0123456789abcdef0123456789abcdef"+
		"&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1790000000&oauth_version=1.0")
	sent := reqOf(both)
	v, err := verify(sent, both.Authorization(), key, signature.Options{})
	if err != nil || v.Signature != signature.VerdictOK || len(v.Findings) > 0 {
		t.Errorf("as sent: %+v, %v", v, err)
	}
	sent.Body = append(slices.Clip(sent.Body), "&oauth_signature=x"...)
	v, err = verify(sent, both.Authorization(), key, signature.Options{})
	if err == nil || v.Signature != signature.VerdictOK || !slices.Contains(codesOf(v.Findings), signature.SignatureInBody) {
		t.Errorf("with the signature in the body: %+v, %v", v, err)
	}
	sent.Body = []byte(strings.Replace(string(both.Body()), "version=1.0", "version=1.1", 1))
	v, err = verify(sent, both.Authorization(), key, signature.Options{})
	if !errors.Is(err, signature.OAuthConflict) || v.Signature != signature.VerdictMismatch {
		t.Errorf("with another value in the body: %+v, %v", v, err)
	}
}
