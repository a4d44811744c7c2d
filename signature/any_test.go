package signature

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// TestAnyOfTheKeys: a request is accepted under each key that may serve, and a key of the other method is passed over.
func TestAnyOfTheKeys(t *testing.T) {
	older, _ := NewHMACKey("older")
	newer, _ := NewHMACKey("newer")
	file, err := testkeys.File("spki.pem")
	if err != nil {
		t.Fatal(err)
	}
	public, err := ParsePublicKey(file)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRequest("", "https://h.example/p").WithParams(NewParam("payload", "x"))
	if r.Method() != "POST" {
		t.Errorf("the method of a request that names none is %q", r.Method())
	}
	o := OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}
	for _, key := range []*HMACKey{older, newer} {
		signed, _, err := Sign(r, o, key)
		if err != nil {
			t.Fatal(err)
		}
		if signed.Method() != "POST" {
			t.Errorf("the method of a signed request is %q", signed.Method())
		}
		for reason, c := range map[string]struct {
			keys []VerifyingKey
			ok   bool
		}{"both": {[]VerifyingKey{older, newer}, true}, "the other way": {[]VerifyingKey{newer, older}, true}, "behind one of the other method": {[]VerifyingKey{public, key}, true},
			"one of the other method alone": {[]VerifyingKey{public}, false}, "a zero key": {[]VerifyingKey{key, &HMACKey{}}, false}, "none": {nil, false}} {
			if v, err := Verify(signed, Options{}, c.keys...); (err == nil) != c.ok || (v.ConsumerKey == "m") != c.ok {
				t.Errorf("%s: %v", reason, err)
			}
		}
	}
}

// TestUntil: a use has to be remembered as long as its timestamp is inside the window, and for ever without one.
func TestUntil(t *testing.T) {
	key, _ := NewHMACKey("s")
	signed, _, err := Sign(NewRequest("POST", "https://h/p"), OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_767_225_590, 0)
	for window, want := range map[time.Duration]time.Time{0: {}, time.Minute: time.Unix(1_767_225_660, 0).UTC()} {
		v, err := Verify(signed, Options{Now: now, Window: window}, key)
		if err != nil || v.Use.Until != want || v.Use.Until.Location() != time.UTC {
			t.Errorf("%v: %v, %v", window, v.Use.Until, err)
		}
	}
}

// TestInspectIsVerifyWithoutKeyAndBody: what is refused early is refused by Verify, and what is not could be accepted.
func TestInspectIsVerifyWithoutKeyAndBody(t *testing.T) {
	key, _ := NewHMACKey("s")
	o := Options{Now: time.Unix(1_767_225_600, 0), Window: time.Minute, NonceMin: 1}
	good := func() Request {
		signed, _, err := Sign(NewRequest("POST", "https://h/p").WithBody(base.FormType, "payload=x"), OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}()
	header := good.Authorization()
	for reason, c := range map[string]struct {
		r      Request
		refuse bool
	}{
		"as it is": {good, false}, "another body": {good.WithBody(base.FormType, "payload=y"), false}, "another type": {good.WithBody("text/plain", ""), true},
		"another URL": {good.WithURL("https://h/q"), false}, "a query": {good.WithURL("https://h/p?a=1"), true},
		"stale":                 {good.WithAuthorization(strings.Replace(header, "1767225600", "1767225700", 1)), true},
		"no nonce":              {good.WithAuthorization(strings.Replace(header, `oauth_nonce="n"`, `oauth_nonce=""`, 1)), true},
		"a long nonce":          {good.WithAuthorization(strings.Replace(header, `oauth_nonce="n"`, `oauth_nonce="nn"`, 1)), false},
		"hex":                   {good.WithAuthorization(strings.Replace(header, `oauth_signature="`, `oauth_signature="00`, 1)), true},
		"another method's size": {good.WithAuthorization(strings.Replace(header, "HMAC-SHA1", "RSA-SHA256", 1)), true},
	} {
		consumer, method, early := Inspect(c.r, o)
		_, late := Verify(c.r, o, key)
		if (early != nil) != c.refuse || early != nil && late == nil || (consumer == "m" && method == MethodHMACSHA1) == c.refuse {
			t.Errorf("%s: %s, early %v, late %v", reason, consumer, early, late)
		}
	}
}

// TestInspectLengths: the signature has the length of the hash under HMAC, and that of a key that is read under RSA.
func TestInspectLengths(t *testing.T) {
	for _, r := range []struct {
		method string
		size   int
		ok     bool
	}{
		{"HMAC-SHA1", 19, false}, {"HMAC-SHA1", 20, true}, {"HMAC-SHA1", 21, false}, {"HMAC-SHA1", 256, false},
		{"RSA-SHA256", minKeyBits/8 - 1, false}, {"RSA-SHA256", minKeyBits / 8, true}, {"RSA-SHA256", maxKeyBits / 8, true}, {"RSA-SHA256", maxKeyBits/8 + 1, false},
	} {
		header := `OAuth oauth_consumer_key="m",oauth_nonce="n",oauth_timestamp="1767225600",oauth_version="1.0",oauth_signature_method="` + r.method +
			`",oauth_signature="` + Encode(base64.StdEncoding.EncodeToString(make([]byte, r.size))) + `"`
		_, _, err := Inspect(NewRequest("POST", "https://h/p").WithAuthorization(header), Options{})
		if (err == nil) != r.ok || !r.ok && !errors.Is(err, SignatureLength) {
			t.Errorf("%s, %d bytes: %v", r.method, r.size, err)
		}
	}
}

// TestInspectNamesTheFormByItsLength: a signature that is base64 by accident, as hex is, is named by the length that its method has.
func TestInspectNamesTheFormByItsLength(t *testing.T) {
	for _, r := range []struct {
		method string
		digits int
		named  bool
	}{{"HMAC-SHA1", 40, true}, {"HMAC-SHA1", 44, false}, {"RSA-SHA256", 40, false}} {
		header := `OAuth oauth_consumer_key="m",oauth_nonce="n",oauth_timestamp="1767225600",oauth_version="1.0",oauth_signature_method="` + r.method +
			`",oauth_signature="` + strings.Repeat("0a", r.digits/2) + `"`
		_, _, err := Inspect(NewRequest("POST", "https://h/p").WithAuthorization(header), Options{})
		if !errors.Is(err, SignatureLength) || strings.Contains(err.Error(), "hex") != r.named {
			t.Errorf("%s, %d digits: %v", r.method, r.digits, err)
		}
	}
}
