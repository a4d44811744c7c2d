package signature_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
)

// Goal: the largest and the smallest of a kind is accepted, and one beyond it is refused.

// TestHeaderOfTheLimit: a header of 8192 bytes is signed and read, one more is neither.
func TestHeaderOfTheLimit(t *testing.T) {
	r, o := signtest.Workload(48)
	key := signtest.Secret(t, signtest.WorkloadKey)
	o.Realm = new("")
	text, err := signtest.Authorization(r, o, key)
	if err != nil {
		t.Fatal(err)
	}
	for length, ok := range map[int]bool{8191: true, 8192: true, 8193: false} {
		o.Realm = new(strings.Repeat("r", length-len(text))) // it is not signed
		got, err := signtest.Authorization(r, o, key)
		switch {
		case ok && (err != nil || len(got) != length):
			t.Errorf("%d bytes: signed: %d, %v", length, len(got), err)
		case !ok && !errors.Is(err, signature.LimitHeader):
			t.Errorf("%d bytes: signed: %v", length, err)
		}
		longer := `OAuth a="` + strings.Repeat("x", length-len(`OAuth a=""`)) + `"`
		if _, err := signature.ParseHeader(longer); ok != (err == nil) || !ok && !errors.Is(err, signature.LimitHeader) {
			t.Errorf("%d bytes: read: %v", length, err)
		}
	}
}

// TestKeyFileOfTheLimit: a key file of 64 KiB is read, one byte more is not, whatever the bytes behind the key are.
func TestKeyFileOfTheLimit(t *testing.T) {
	file := signtest.KeyFile(t, "pkcs1.pem")
	whole := append(file, bytes.Repeat([]byte("\n"), 64<<10-len(file))...)
	if _, err := signature.ParsePrivateKey(whole); err != nil {
		t.Errorf("64 KiB: %v", err)
	}
	if _, err := signature.ParsePrivateKey(append(whole, '\n')); !errors.Is(err, signature.LimitKey) {
		t.Errorf("a byte more: %v", err)
	}
}

// TestCopiesInTheirBody: OAuth parameters are sent behind the others in a body, as the whole of one without others,
// and under the content type that was given, if it is one of a form.
func TestCopiesInTheirBody(t *testing.T) {
	_, o := signtest.Workload(48)
	o.InBody = true
	const copies = "oauth_consumer_key=merchant-login&oauth_nonce=0123456789abcdef0123456789abcdef" +
		"&oauth_signature_method=HMAC-SHA1&oauth_timestamp=1790000000&oauth_version=1.0"
	bare := signature.NewRequest("POST", "https://h.example/p")
	for _, c := range []struct {
		reason            string
		request           signature.Request
		before            string // its content type
		body, contentType string
	}{
		{"no body", bare, "", copies, signtest.FormType},
		{"an empty form", bare.WithBody(signtest.FormType, ""), signtest.FormType, copies, signtest.FormType},
		{"parameters", bare.WithParams(signature.NewParam("a", "b")), signtest.FormType, "a=b&" + copies, signtest.FormType},
		{"a form with a character set", bare.WithBody(signtest.FormType+"; charset=UTF-8", "a=b"), signtest.FormType + "; charset=UTF-8", "a=b&" + copies, signtest.FormType + "; charset=UTF-8"},
	} {
		signed, _, err := signature.Sign(c.request, o, signtest.Secret(t, signtest.WorkloadKey))
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		vectortest.Same(t, c.reason+": content type before", c.request.ContentType(), c.before)
		vectortest.Same(t, c.reason+": body", string(signed.Body()), c.body)
		vectortest.Same(t, c.reason+": content type", signed.ContentType(), c.contentType)
		if v, err := signature.Verify(signed, signature.Options{}, signtest.Secret(t, signtest.WorkloadKey)); v.Signature != signature.VerdictOK {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}
