package signature_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

func verified(t *testing.T, c signtest.Case) signature.Verified {
	t.Helper()
	v, err := verify(c.Request, c.Authorization, c.Key, signature.Options{})
	acceptable := v.Signature == signature.VerdictOK && v.Findings.Count(ledger.SeverityError) == 0
	if (err == nil) != acceptable || acceptable != (v.ConsumerKey != "") || acceptable != (v.Use != signature.Use{}) {
		t.Errorf("verdict %v, findings %v, error %v, use %v", v.Signature, v.Findings, err, v.Use)
	}
	return v
}

// TestVerify: what is signed verifies; any change of signature, parameter, path or key does not (S01, S02).
func TestVerify(t *testing.T) {
	for name, right := range map[string]signtest.Case{"HMAC-SHA1": signtest.HMAC(t, "secret"), "RSA-SHA256": signtest.RSA(t)} {
		t.Run(name, func(t *testing.T) {
			if v := verified(t, right); v.Signature != signature.VerdictOK || v.Stale || len(v.Findings) > 0 {
				t.Fatalf("a right signature: %+v", v)
			}
			other := signature.VerifyingKey(signtest.PrivateKey(t, "other.pem").Public())
			if name == "HMAC-SHA1" {
				other = signtest.HMAC(t, "secreT").Key
			}
			raw, err := base64.StdEncoding.DecodeString(signtest.SignatureOf(t, right.Authorization))
			if err != nil {
				t.Fatal(err)
			}
			flipped := bytes.Clone(raw)
			flipped[0] ^= 1
			changes := []struct {
				name, reason string
				change       func(*signtest.Case)
			}{
				{"one bit of the signature", "S02", func(c *signtest.Case) {
					c.Authorization = signtest.WithSignature(t, c.Authorization, base64.StdEncoding.EncodeToString(flipped))
				}},
				{"one byte less", "h212, h213", func(c *signtest.Case) {
					c.Authorization = signtest.WithSignature(t, c.Authorization, base64.StdEncoding.EncodeToString(raw[:len(raw)-1]))
				}},
				{"cut to ten bytes", "h213", func(c *signtest.Case) {
					c.Authorization = signtest.WithSignature(t, c.Authorization, base64.StdEncoding.EncodeToString(raw[:10]))
				}},
				{"a zero byte in front", "h212", func(c *signtest.Case) {
					c.Authorization = signtest.WithSignature(t, c.Authorization, base64.StdEncoding.EncodeToString(append([]byte{0}, raw...)))
				}},
				{"all bits set", "h212: s is not below n", func(c *signtest.Case) {
					c.Authorization = signtest.WithSignature(t, c.Authorization, base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff}, len(raw))))
				}},
				{"another value", "S02", func(c *signtest.Case) { c.Request, _ = signtest.Workload(49) }},
				{"another path", "S02", func(c *signtest.Case) { c.Request.URL += "/" }},
				{"one more parameter", "S02", func(c *signtest.Case) {
					c.Request.Params = append(slices.Clip(c.Request.Params), signtest.Param{"a"})
				}},
				{"another nonce", "R139", func(c *signtest.Case) { c.Authorization = strings.Replace(c.Authorization, "0123", "1123", 1) }},
				{"another key", "S02", func(c *signtest.Case) { c.Key = other }},
			}
			seen := map[string]bool{}
			for _, row := range changes {
				signtest.UniqueReason(t, seen, row.name, row.reason)
				c := right
				row.change(&c)
				if v := verified(t, c); v.Signature != signature.VerdictMismatch {
					t.Errorf("%s: %v", row.name, v.Signature)
				}
			}
		})
	}
}

// TestSignatureTexts: any other spelling of the right bytes is not accepted, and named (S06, h211).
func TestSignatureTexts(t *testing.T) {
	for _, right := range []signtest.Case{signtest.HMAC(t, "secret"), signtest.RSA(t)} {
		text := signtest.SignatureOf(t, right.Authorization)
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		tests := []struct {
			name, reason, text string
			want               signature.Verdict
		}{
			{"hex", "R134", hex.EncodeToString(raw), signature.VerdictMismatch}, // hex digits of such a length are Base64 as well
			{"Base64 of hex", "L66", base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(raw))), signature.VerdictMismatch},
			{"LF inside", "L66", text[:10] + "\n" + text[10:], signature.VerdictUnreadable},
			{"CRLF at the end", "L66", text + "\r\n", signature.VerdictUnreadable},
			{"no padding", "L66", strings.TrimRight(text, "="), signature.VerdictUnreadable},
			{"encoded twice", "L66", signature.Encode(text), signature.VerdictUnreadable},
			{"spaces", "L66", " " + text[1:], signature.VerdictUnreadable},
			{"more padding", "L66", text + "=", signature.VerdictUnreadable},
			{"stray bits", "L66", strayBits(text), signature.VerdictUnreadable},
		}
		seen := map[string]bool{}
		for _, test := range tests {
			signtest.UniqueReason(t, seen, test.name, test.reason)
			c := right
			c.Authorization = signtest.WithSignature(t, right.Authorization, test.text)
			v := verified(t, c)
			if v.Signature != test.want {
				t.Errorf("%s: %v, want %v", test.name, v.Signature, test.want)
			}
			if test.want == signature.VerdictUnreadable && !slices.Contains(codesOf(v.Findings), signature.SignatureText) {
				t.Errorf("%s: not named: %v", test.name, v.Findings)
			}
		}
		raws := right
		raws.Authorization = strings.NewReplacer("%2B", "+", "%2F", "/", "%3D", "=").Replace(right.Authorization)
		if v := verified(t, raws); v.Signature != signature.VerdictOK || !slices.Contains(codesOf(v.Findings), signature.HeaderUnescaped) {
			t.Errorf("raw in the header: %+v", v)
		}
	}
}

// strayBits sets a bit that the padding leaves unused.
func strayBits(text string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	i := strings.IndexByte(text, '=') - 1
	return text[:i] + string(alphabet[strings.IndexByte(alphabet, text[i])|1]) + text[i+1:]
}

// TestFreshness: fresh is an answer of its own, inclusive at the edges, for right and wrong signatures alike (L63, S08).
func TestFreshness(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	at := func(seconds int64) time.Time { return time.Unix(1_790_000_000+seconds, 999_999_999) }
	wrong := right
	wrong.Request.URL += "/x"
	tests := []struct {
		name, reason string
		ask          signature.Options
		stale        bool
		says         string
	}{
		{"not asked", "h222", signature.Options{Now: at(1e6)}, false, ""},
		{"at the edge, late", "h223", signature.Options{Now: at(300), Window: 300 * time.Second}, false, ""},
		{"past the edge, late", "h223", signature.Options{Now: at(301), Window: 300 * time.Second}, true, "5 min 1 s behind"},
		{"at the edge, early", "h223", signature.Options{Now: at(-300), Window: 300 * time.Second}, false, ""},
		{"past the edge, early", "h223", signature.Options{Now: at(-301), Window: 300 * time.Second}, true, "5 min 1 s ahead of"},
		{"hours", "S15", signature.Options{Now: at(7380), Window: 300 * time.Second}, true, "2 h 3 min behind"},
		{"days", "S15", signature.Options{Now: at(-2 * 86400), Window: time.Second}, true, "2 d ahead of"},
		{"a second", "S15", signature.Options{Now: at(2), Window: time.Second}, true, "2 s behind the verifier's clock; the window is 1 s"},
		{"nonce long enough", "R143", signature.Options{NonceMin: 32, NonceMax: 32}, false, ""},
		{"nonce too short", "R143", signature.Options{NonceMin: 33}, true, "no fewer than 33"},
		{"nonce too long", "R143", signature.Options{NonceMax: 31}, true, "no more than 31"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		for verdict, c := range map[signature.Verdict]signtest.Case{signature.VerdictOK: right, signature.VerdictMismatch: wrong} {
			v, err := verify(c.Request, c.Authorization, c.Key, test.ask)
			if v.Signature != verdict || v.Stale != test.stale || (err == nil) != (verdict == signature.VerdictOK && !test.stale) {
				t.Errorf("%s: signature %v, stale %v, %v", test.name, v.Signature, v.Stale, err)
			}
			if test.says != "" && !slices.ContainsFunc(v.Findings, func(f ledger.Finding) bool { return strings.Contains(f.Message, test.says) }) {
				t.Errorf("%s: %v does not say %q", test.name, v.Findings, test.says)
			}
		}
	}
}

// TestFreshnessOptions: a value that would switch a check off unnoticed is refused.
func TestFreshnessOptions(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	for _, o := range []signature.Options{{Window: -1, Now: time.Unix(1, 0)}, {Window: 1}, {NonceMin: -1}, {NonceMax: -1}, {NonceMin: 9, NonceMax: 8}} {
		v, err := verify(right.Request, right.Authorization, right.Key, o)
		if !errors.Is(err, signature.OptionValue) || v.Signature != 0 || v.ConsumerKey != "" {
			t.Errorf("%+v: %v, %v", o, v.Signature, err)
		}
	}
}

// TestUseOfARefusedRequestIsNone: what a request that is not acceptable names is nothing to remember (S12).
func TestUseOfARefusedRequestIsNone(t *testing.T) {
	right := signtest.HMAC(t, "secret")
	wrong := right
	wrong.Request.URL += "/x"
	for name, c := range map[string]struct {
		c signtest.Case
		o signature.Options
	}{"a stranger's try": {wrong, signature.Options{}}, "stale": {right, signature.Options{NonceMin: 99}}} {
		v, err := verify(c.c.Request, c.c.Authorization, c.c.Key, c.o)
		if err == nil || v.Use != (signature.Use{}) || v.ConsumerKey != "" {
			t.Errorf("%s: the use %v, %v", name, v.Use, err)
		}
	}
	if use := verified(t, right).Use; use != (signature.Use{ConsumerKey: "merchant-login", Timestamp: "1790000000", Nonce: "0123456789abcdef0123456789abcdef"}) {
		t.Errorf("%+v", use)
	}
}

// TestNonce: a nonce is 32 hex digits, new each time; a source that fails gives none (R122).
func TestNonce(t *testing.T) {
	seen := map[string]bool{}
	source := &counter{}
	for range 100_000 {
		nonce, err := signature.Nonce(source)
		if err != nil || len(nonce) != 32 || seen[nonce] {
			t.Fatalf("%q: %v", nonce, err)
		}
		seen[nonce] = true
	}
	if nonce, err := signature.Nonce(bytes.NewReader(make([]byte, 15))); !errors.Is(err, signature.NonceEntropy) || nonce != "" {
		t.Errorf("a short source: %q, %v", nonce, err)
	}
	vectortest.Same(t, "timestamp", signature.Timestamp(time.Unix(1_767_225_600, 999_999_999)), "1767225600")
}

// counter is a source of bytes that never repeats a block.
type counter struct{ n uint64 }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		if i%8 == 0 {
			c.n++
		}
		p[i] = byte(c.n >> (8 * (i % 8)))
	}
	return len(p), nil
}
