package signature_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// TestVerifyNamesForm: where the text of a signature has a known wrong form, verify names that form (h211, L66).
func TestVerifyNamesForm(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	header, err := signature.ParseHeader(right.Authorization)
	if err != nil {
		t.Fatal(err)
	}
	text := signtest.Value(header, "oauth_signature")
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ reason, text, id string }{
		{"h211: hex is Base64 by accident", hex.EncodeToString(raw), "(signature-hex)"},
		{"h211: so is Base64 of hex", base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(raw))), "(signature-base64-of-hex)"},
		{"h211: wrapped", text[:9] + "\n" + text[9:], "(signature-wrapped)"},
		{"h211: escaped twice", signature.Encode(text), "(signature-encoded-twice)"},
		{"h211: without padding, and of letters and digits alone", strings.Repeat("Ab3", 8) + "AbA", "(signature-unpadded)"},
		{"h211: another alphabet", strings.Repeat("-_3", 8) + "-_A", "(signature-urlsafe)"},
	}
	for _, test := range tests {
		c := right
		c.Authorization = signtest.WithSignature(t, right.Authorization, test.text)
		v := verified(t, c)
		if v.Signature == signature.VerdictOK || !slices.ContainsFunc(v.Findings, func(f ledger.Finding) bool { return strings.Contains(f.Message, test.id) }) {
			t.Errorf("%s: %v %v", test.reason, v.Signature, v.Findings)
		}
	}
}

// TestVerifyNamesLargeNumber: an RSA signature of the right length that is not a number below the modulus is named (h212).
func TestVerifyNamesLargeNumber(t *testing.T) {
	right := signtest.RSA(t)
	c := right
	c.Authorization = signtest.WithSignature(t, right.Authorization, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xff", 256))))
	v := verified(t, c)
	if v.Signature != signature.VerdictMismatch || !slices.Contains(codesOf(v.Findings), signature.SignatureLength) {
		t.Errorf("%v %v", v.Signature, v.Findings)
	}
}

// TestCopiesInEmptyBody: the OAuth parameters are a form of their own where the body is empty (5.5.5).
func TestCopiesInEmptyBody(t *testing.T) {
	r, o := signtest.Workload(48)
	r.Params, r.Body, o.InBody = nil, []byte{}, true
	s, err := sign(r, o, signtest.Secret(t, signtest.WorkloadKey))
	if err != nil || !strings.Contains(string(s.Body()), "oauth_version=1.0") {
		t.Errorf("%v, %v", s, err)
	}
}

// TestCopyOfAKeyIsACopy: what a program does to the numbers that RSA returns does not change the key, which all its users
// share. The modulus was the same number.
func TestCopyOfAKeyIsACopy(t *testing.T) {
	key := signtest.PrivateKey(t, "pkcs1.pem").Public()
	bits := key.Bits()
	key.RSA().N.SetInt64(15)
	if key.Bits() != bits {
		t.Errorf("the key has %d bits, and had %d", key.Bits(), bits)
	}
}

// TestVerifyErrorIsNilOnlyIfAcceptable: a right signature beside another fault is an error, with every finding (S1).
func TestVerifyErrorIsNilOnlyIfAcceptable(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	if v, err := verify(right.Request, right.Authorization, right.Key, signature.Options{}); err != nil || v.ConsumerKey != "merchant-login" ||
		v.Use != (signature.Use{ConsumerKey: "merchant-login", Timestamp: "1790000000", Nonce: "0123456789abcdef0123456789abcdef"}) {
		t.Errorf("%+v, %v", v, err)
	}
	// The signature is right; oauth_version is missing, and the timestamp is in milliseconds.
	secret := signtest.Secret(t, signtest.WorkloadKey)
	r, _ := signtest.Workload(48)
	oauth := []signtest.Param{{"oauth_consumer_key", "m"}, {"oauth_nonce", "n"}, {"oauth_signature_method", "HMAC-SHA1"}, {"oauth_timestamp", "1767225600000"}}
	base, err := baseString(r, oauth)
	if err != nil {
		t.Fatal(err)
	}
	header := headerOf(nil, append(oauth, signtest.Param{"oauth_signature", signedBase(t, secret, base)})).String()
	v, err := verify(r, header, secret, signature.Options{})
	if v.Signature != signature.VerdictOK || !errors.Is(err, signature.OAuthMissing) || !errors.Is(err, signature.TimestampMillis) || v.ConsumerKey != "" || v.Use != (signature.Use{}) {
		t.Errorf("%+v, %v", v, err)
	}
	all, ok := errors.AsType[ledger.Findings](err)
	if !ok || len(all) != len(v.Findings) || len(all) != 2 {
		t.Errorf("the error has %d findings, the result %d", len(all), len(v.Findings))
	}
}

// TestZeroKeysAreRefused: neither nil nor a zero key or secret signs, verifies or panics (S2).
func TestZeroKeysAreRefused(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	_, o := signtest.Workload(48)
	for name, key := range map[string]signature.VerifyingKey{"nil": nil, "nil secret": (*signature.HMACKey)(nil), "zero secret": &signature.HMACKey{},
		"nil public key": (*signature.PublicKey)(nil), "zero public key": &signature.PublicKey{}, "public half of a zero key": (&signature.PrivateKey{}).Public()} {
		v, err := verify(c.Request, c.Authorization, key, signature.Options{})
		if !errors.Is(err, signature.KeyMissing) || v.Signature != 0 || v.ConsumerKey != "" {
			t.Errorf("verify with %s: %v, %v", name, v.Signature, err)
		}
		if _, err := diagnose.Request(t.Context(), c.Request.Made().WithAuthorization(c.Authorization), key, diagnose.Options{}); !errors.Is(err, signature.KeyMissing) {
			t.Errorf("diagnose with %s: %v", name, err)
		}
	}
	for name, key := range map[string]signature.SigningKey{"nil": nil, "nil secret": (*signature.HMACKey)(nil), "zero secret": &signature.HMACKey{},
		"nil private key": (*signature.PrivateKey)(nil), "zero private key": &signature.PrivateKey{}} {
		if s, err := sign(c.Request, o, key); !errors.Is(err, signature.KeyMissing) || s.Authorization() != "" {
			t.Errorf("sign with %s: %v", name, err)
		}
	}
	if _, err := signature.Verify(signature.Request{}, signature.Options{}, c.Key); !errors.Is(err, signature.MethodNotPost) {
		t.Errorf("the zero Request: %v", err)
	}
	if (&signature.PublicKey{}).Bits() != 0 || (&signature.PublicKey{}).Fingerprint() != "" || (*signature.HMACKey)(nil).Findings() != nil {
		t.Error("a zero key has a size, a fingerprint or findings")
	}
	if _, err := signature.Nonce(nil); !errors.Is(err, signature.NonceEntropy) {
		t.Errorf("no source of nonces: %v", err)
	}
}

// TestAllMissingParametersAreNamed: one run names every OAuth parameter that a header lacks (S10, h204).
func TestAllMissingParametersAreNamed(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	v, err := verify(c.Request, `OAuth realm="x"`, c.Key, signature.Options{})
	var names []string
	for _, f := range v.Findings {
		if f.Code == signature.OAuthMissing {
			names = append(names, f.Subject)
		}
	}
	slices.Sort(names)
	want := []string{"oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_signature_method", "oauth_timestamp", "oauth_version"}
	if !slices.Equal(names, want) || v.Signature != signature.VerdictUnreadable || !errors.Is(err, signature.OAuthMissing) {
		t.Errorf("%v, %v", names, err)
	}
}

// TestWrongLengthIsNamed: a signature of another length than the key gives is said to be one (S12, h212, h213).
func TestWrongLengthIsNamed(t *testing.T) {
	for _, right := range []signtest.Case{signtest.HMAC(t, "secret"), signtest.RSA(t)} {
		raw := mustBase64(t, signtest.SignatureOf(t, right.Authorization))
		for n := 1; n < 2*len(raw); n += 1 + n/40 {
			c := right
			c.Authorization = signtest.WithSignature(t, right.Authorization, base64.StdEncoding.EncodeToString(append(slices.Clip(raw), raw...)[:n]))
			v := verified(t, c)
			if named := slices.Contains(codesOf(v.Findings), signature.SignatureLength); named != (n != len(raw)) || (v.Signature == signature.VerdictOK) != (n == len(raw)) {
				t.Errorf("%d bytes of %d: %v, %v", n, len(raw), v.Signature, v.Findings)
			}
		}
	}
}

// TestConsumerKeyBeforeAndAfter: the consumer key is there to choose the key by, and named once it is authenticated (S13).
func TestConsumerKeyBeforeAndAfter(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	if got, method, err := signature.Inspect(c.Request.Made().WithAuthorization(c.Authorization), signature.Options{}); err != nil || got != "merchant-login" || method != signature.MethodHMACSHA1 {
		t.Errorf("%q, %v, %v", got, method, err)
	}
	for text, want := range map[string]ledger.Code{"": signature.HeaderScheme, "Bearer x": signature.HeaderScheme, `OAuth a="1"`: signature.OAuthMissing, `OAuth oauth_consumer_key=""`: signature.OAuthMissing} {
		if got, _, err := signature.Inspect(c.Request.Made().WithAuthorization(text), signature.Options{}); !errors.Is(err, want) || got != "" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if got := verified(t, c).ConsumerKey; got != "merchant-login" {
		t.Errorf("authenticated: %q", got)
	}
}

// TestTimestampUnitIsNamed: a timestamp in a finer unit is said to be one, once, and is not fresh (S15).
func TestTimestampUnitIsNamed(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	for digits, unit := range map[string]string{"1790000000000": "milliseconds", "1790000000000000": "microseconds", "1790000000000000000": "nanoseconds"} {
		v, err := verify(c.Request, strings.Replace(c.Authorization, "1790000000", digits, 1), c.Key, signature.Options{Now: time.Unix(1_790_000_000, 0), Window: time.Minute})
		about := 0
		for _, f := range v.Findings {
			if f.Subject == "oauth_timestamp" {
				about++
			}
			if f.Subject == "oauth_timestamp" && (!strings.Contains(f.Message, unit) || !strings.Contains(f.Help, "1790000000")) {
				t.Errorf("%s: %v", unit, f)
			}
		}
		if err == nil || about != 1 || !v.Stale {
			t.Errorf("%s: %v", unit, v.Findings)
		}
	}
}

// TestSignatureInTheBodyIsNotSigned: a parameter oauth_signature in a body can be changed by a stranger, so that the
// signature does not cover the body as a whole.
func TestSignatureInTheBodyIsNotSigned(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	for _, value := range []string{"", "x", "anything else"} {
		changed := right.Request
		changed.Params = append(slices.Clone(changed.Params), signtest.Param{"oauth_signature", value})
		if v, err := verify(changed, right.Authorization, right.Key, signature.Options{}); !errors.Is(err, signature.SignatureInBody) || v.Signature != signature.VerdictOK || v.ConsumerKey != "" {
			t.Errorf("%q: %v, %v", value, v.Signature, err)
		}
	}
}

// TestUnknownParametersAreNamed: what is in the header beside the five and is not signed is a warning by its name, unless
// that could be a value.
func TestUnknownParametersAreNamed(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	v, err := verify(c.Request, c.Authorization+`, oauth_token="", oauth_body_hash="x", xoauth_requestor_id="1", 4111111111111111="y"`, c.Key, signature.Options{})
	var names []string
	for _, f := range v.Findings {
		if f.Code == signature.OAuthUnknown && f.Severity == ledger.SeverityWarning {
			names = append(names, f.Subject)
		}
	}
	if want := []string{"oauth_token", "oauth_body_hash", "xoauth_requestor_id", ""}; err != nil || !slices.Equal(names, want) || strings.Contains(fmt.Sprint(v.Findings), "4111") {
		t.Errorf("%q, %v", names, err)
	}
}

// TestTimestampShowsNoCardNumber: digits that are not a time of our days are not repeated, for they may be a card number.
func TestTimestampShowsNoCardNumber(t *testing.T) {
	for timestamp, shown := range map[string]string{
		"1767225600000": "1767225600", "1767225600000000": "1767225600", "1767225600000000000": "1767225600",
		"4111111111111111": "", "4222222222222": "", "5555555555554444": "", "6304000000000000000": "",
	} {
		key, err := signature.NewHMACKey("s")
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = signature.Sign(signature.NewRequest("POST", "https://h/"), signature.OAuth{ConsumerKey: "k", Nonce: "n", Timestamp: timestamp}, key)
		if err == nil || strings.Contains(err.Error(), timestamp[:7]) != (shown != "") || !strings.Contains(err.Error(), shown) {
			t.Errorf("%s: %v", timestamp, err)
		}
	}
}

// TestNoTimestampIsFreshByOverflow: the distance from a clock at the other end of time has no opposite number, and counted as
// none at all.
func TestNoTimestampIsFreshByOverflow(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	for _, now := range []int64{math.MinInt64 + 1_790_000_000, math.MinInt64 + 1_790_000_001, math.MinInt64, math.MaxInt64, -1, 0} {
		v, err := verify(c.Request, c.Authorization, c.Key, signature.Options{Now: time.Unix(now, 0), Window: time.Hour})
		if !errors.Is(err, signature.TimestampStale) || !v.Stale || v.ConsumerKey != "" {
			t.Errorf("at %d: %v, %v", now, v.Stale, err)
		}
	}
	for _, window := range []time.Duration{math.MaxInt64, 1 << 62} {
		if _, err := verify(c.Request, c.Authorization, c.Key, signature.Options{Now: time.Unix(0, 0), Window: window}); err != nil {
			t.Errorf("a window of %v: %v", window, err)
		}
	}
}
