package signature_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// TestPlainValuesSurviveJSON: what a program keeps can be written and read back.
func TestPlainValuesSurviveJSON(t *testing.T) {
	for _, v := range []any{
		signature.MethodRSASHA256, signature.Method(0), signature.VerdictMismatch, signature.Verdict(0),
		signature.Use{ConsumerKey: "m", Timestamp: "1", Nonce: "n"}, signature.OAuth{ConsumerKey: "m", Realm: new(""), InBody: true},
		signature.Endpoint{Base: "https://h", ID: "1"}, signature.Options{Window: time.Second, NonceMax: 2},
		signature.Verified{ConsumerKey: "m", Signature: signature.VerdictOK}, diagnose.Cause{IDs: []string{"a"}, Text: "b", Fix: "c"}, diagnose.Difference{Layer: "url", Index: -1},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := json.Unmarshal(text, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
			t.Errorf("%s is read back as %+v, %v", text, back.Elem(), err)
		}
	}
}

// TestOutOfRange: no value of an enum panics, and none without a name is written (E11, h312).
func TestOutOfRange(t *testing.T) {
	for i := range 256 {
		n := fmt.Sprint(i)
		for name, v := range map[string]interface {
			fmt.Stringer
			MarshalText() ([]byte, error)
		}{"Method": signature.Method(i), "Verdict": signature.Verdict(i)} {
			_, err := v.MarshalText()
			if (err != nil) != (v.String() == name+"("+n+")") {
				t.Errorf("%s %d is %q, %v", name, i, v, err)
			}
		}
	}
	m, v := signature.MethodHMACSHA1, signature.VerdictOK
	if m.UnmarshalText([]byte("x")) == nil || v.UnmarshalText([]byte("x")) == nil || m != signature.MethodHMACSHA1 || v != signature.VerdictOK {
		t.Error("a text without a meaning is read")
	}
}

// TestHiddenSaysWhatItIs: a value that is hidden is printed, marshalled and logged as its kind, and the zero value as one that holds nothing.
func TestHiddenSaysWhatItIs(t *testing.T) {
	secret, err := signature.NewHMACKey("topsecret")
	if err != nil {
		t.Fatal(err)
	}
	request, oauth := signature.NewRequest("POST", "https://h.example/a"), signature.OAuth{ConsumerKey: "login", Nonce: "n1", Timestamp: "1700000000"}
	signed, _, err := signature.Sign(request, oauth, secret)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		v    interface{ LogValue() slog.Value }
		want string
	}{
		{*secret, "HMAC secret (hidden)"}, {signature.HMACKey{}, "HMAC secret (none)"},
		{*signtest.PrivateKey(t, "pkcs1.pem"), "RSA private key, 2048 bits (hidden)"}, {signature.PrivateKey{}, "RSA private key (none)"},
		{signature.NewParam("card", "4012888888881881"), "parameter (hidden)"}, {signature.Param{}, "parameter (none)"},
		{request, "request (hidden)"}, {signature.Request{}, "request (none)"},
		{signed, "request (hidden)"}, {signature.Trace{}, "trace (none)"},
	} {
		text, err := json.Marshal(r.v)
		if want := `"` + r.want + `"`; string(text) != want || err != nil {
			t.Errorf("marshalled as %s, %v; want %s", text, err, want)
		}
		for _, got := range []string{fmt.Sprint(r.v), fmt.Sprintf("%+v", r.v), fmt.Sprintf("%d", r.v), r.v.LogValue().String()} {
			if got != r.want {
				t.Errorf("shown as %q, want %q", got, r.want)
			}
		}
	}
}

// TestBodyOfACopiedParameter: an OAuth parameter that the body has already is not written once more, and the others are.
func TestBodyOfACopiedParameter(t *testing.T) {
	secret, err := signature.NewHMACKey("topsecret")
	if err != nil {
		t.Fatal(err)
	}
	for _, copied := range []signature.Param{signature.NewParam("oauth_consumer_key", "login"), signature.NewParam("oauth_nonce", "n1"), signature.NewParam("oauth_timestamp", "1700000000")} {
		r := signature.NewRequest("POST", "https://h.example/a").WithParams(signature.NewParam("payload", "x"), copied)
		signed, _, err := signature.Sign(r, signature.OAuth{ConsumerKey: "login", Nonce: "n1", Timestamp: "1700000000", InBody: true}, secret)
		if err != nil {
			t.Fatal(err)
		}
		body := string(signed.Body())
		for _, name := range []string{"payload", "oauth_consumer_key", "oauth_nonce", "oauth_timestamp", "oauth_signature_method", "oauth_version"} {
			if strings.Count("&"+body, "&"+name+"=") != 1 {
				t.Errorf("%s is not once in %s", name, body)
			}
		}
	}
}
