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

	"github.com/chargecast/chargecast/signature"
)

// signedCase is the real operation, signed: one parameter, a plain URL.
type signedCase struct {
	request       signature.Request
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

func authorize(t *testing.T, r signature.Request, o signature.OAuth, key signature.SigningKey) string {
	t.Helper()
	header, err := signature.Authorization(r, o, key, signature.Gateway())
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signature.Sign(r, o, key, signature.Gateway())
	if err != nil || signed.Authorization != header || signed.Header.String() != header {
		t.Fatalf("Sign and Authorization disagree: %v", err)
	}
	return header
}

// withSignature puts another text into a header.
func withSignature(t *testing.T, authorization, text string) string {
	t.Helper()
	h, err := signature.ParseHeader(authorization)
	if err != nil {
		t.Fatal(err)
	}
	for i := range h.Params {
		if h.Params[i].Name == "oauth_signature" {
			h.Params[i].Value = text
		}
	}
	return h.String()
}

func signatureOf(t *testing.T, authorization string) string {
	t.Helper()
	h, err := signature.ParseHeader(authorization)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := h.Value("oauth_signature")
	return text
}

func (c signedCase) verify(t *testing.T) signature.Verdict {
	t.Helper()
	v, err := signature.Verify(c.request, c.authorization, c.key, signature.Gateway(), signature.Freshness{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestVerify: what is signed verifies; any change of signature, parameter, path or key does not (S01, S02).
func TestVerify(t *testing.T) {
	for name, right := range map[string]signedCase{"HMAC-SHA1": hmacCase(t, "secret"), "RSA-SHA256": rsaCase(t)} {
		t.Run(name, func(t *testing.T) {
			if v := right.verify(t); v.Signature != signature.OK || v.Fresh != signature.FreshUnknown || len(v.Findings) > 0 {
				t.Fatalf("a right signature: %+v", v)
			}
			other := signature.VerifyingKey(privateKey(t, "other.pem").Public())
			if name == "HMAC-SHA1" {
				other = hmacCase(t, "secreT").key
			}
			raw, err := base64.StdEncoding.DecodeString(signatureOf(t, right.authorization))
			if err != nil {
				t.Fatal(err)
			}
			flipped := bytes.Clone(raw)
			flipped[0] ^= 1
			changes := []struct {
				name, reason string
				change       func(*signedCase)
			}{
				{"one bit of the signature", "S02", func(c *signedCase) {
					c.authorization = withSignature(t, c.authorization, base64.StdEncoding.EncodeToString(flipped))
				}},
				{"one byte less", "h212, h213", func(c *signedCase) {
					c.authorization = withSignature(t, c.authorization, base64.StdEncoding.EncodeToString(raw[:len(raw)-1]))
				}},
				{"cut to ten bytes", "h213", func(c *signedCase) {
					c.authorization = withSignature(t, c.authorization, base64.StdEncoding.EncodeToString(raw[:10]))
				}},
				{"a zero byte in front", "h212", func(c *signedCase) {
					c.authorization = withSignature(t, c.authorization, base64.StdEncoding.EncodeToString(append([]byte{0}, raw...)))
				}},
				{"all bits set", "h212: s is not below n", func(c *signedCase) {
					c.authorization = withSignature(t, c.authorization, base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff}, len(raw))))
				}},
				{"another value", "S02", func(c *signedCase) { c.request.Params = []signature.Param{payloadOf(49)} }},
				{"another path", "S02", func(c *signedCase) { c.request.URL += "/" }},
				{"one more parameter", "S02", func(c *signedCase) {
					c.request.Params = append(slices.Clip(c.request.Params), signature.Param{Name: "a"})
				}},
				{"another nonce", "R139", func(c *signedCase) { c.authorization = strings.Replace(c.authorization, "0123", "1123", 1) }},
				{"another key", "S02", func(c *signedCase) { c.key = other }},
			}
			seen := map[string]bool{}
			for _, row := range changes {
				uniqueReason(t, seen, row.name, row.reason)
				c := right
				row.change(&c)
				if v := c.verify(t); v.Signature != signature.Mismatch {
					t.Errorf("%s: %v", row.name, v.Signature)
				}
			}
		})
	}
}

// TestSignatureTexts: any other spelling of the right bytes is not accepted, and named (S06, h211).
func TestSignatureTexts(t *testing.T) {
	for _, right := range []signedCase{hmacCase(t, "secret"), rsaCase(t)} {
		text := signatureOf(t, right.authorization)
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		tests := []struct {
			name, reason, text string
			want               signature.Outcome
		}{
			{"hex", "R134", hex.EncodeToString(raw), signature.Mismatch}, // hex digits of such a length are Base64 as well
			{"Base64 of hex", "L66", base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(raw))), signature.Mismatch},
			{"LF inside", "L66", text[:10] + "\n" + text[10:], signature.Unreadable},
			{"CRLF at the end", "L66", text + "\r\n", signature.Unreadable},
			{"no padding", "L66", strings.TrimRight(text, "="), signature.Unreadable},
			{"encoded twice", "L66", signature.Encode(text), signature.Unreadable},
			{"spaces", "L66", " " + text[1:], signature.Unreadable},
			{"more padding", "L66", text + "=", signature.Unreadable},
			{"stray bits", "L66", strayBits(text), signature.Unreadable},
		}
		seen := map[string]bool{}
		for _, test := range tests {
			uniqueReason(t, seen, test.name, test.reason)
			c := right
			c.authorization = withSignature(t, right.authorization, test.text)
			v := c.verify(t)
			if v.Signature != test.want {
				t.Errorf("%s: %v, want %v", test.name, v.Signature, test.want)
			}
			if test.want == signature.Unreadable && !slices.Contains(codesOf(v.Findings), signature.SignatureText) {
				t.Errorf("%s: not named: %v", test.name, v.Findings)
			}
		}
		raws := right
		raws.authorization = strings.NewReplacer("%2B", "+", "%2F", "/", "%3D", "=").Replace(right.authorization)
		if v := raws.verify(t); v.Signature != signature.OK || !slices.Contains(codesOf(v.Findings), signature.HeaderUnescaped) {
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

// TestFreshness: fresh is an answer of its own, inclusive at the edges, and asks the store once a signature (L63, S08).
func TestFreshness(t *testing.T) {
	right := hmacCase(t, "secret")
	at := func(seconds int64) time.Time { return time.Unix(1_790_000_000+seconds, 999_999_999) }
	wrong := right
	wrong.request.URL += "/x"
	tests := []struct {
		name, reason string
		ask          signature.Freshness
		want         signature.Fresh
	}{
		{"not asked", "h222", signature.Freshness{Now: at(1e6)}, signature.FreshUnknown},
		{"at the edge, late", "h223", signature.Freshness{Now: at(300), Window: 300 * time.Second}, signature.FreshYes},
		{"past the edge, late", "h223", signature.Freshness{Now: at(301), Window: 300 * time.Second}, signature.FreshNo},
		{"at the edge, early", "h223", signature.Freshness{Now: at(-300), Window: 300 * time.Second}, signature.FreshYes},
		{"past the edge, early", "h223", signature.Freshness{Now: at(-301), Window: 300 * time.Second}, signature.FreshNo},
		{"nonce long enough", "R143", signature.Freshness{NonceMin: 32, NonceMax: 32}, signature.FreshYes},
		{"nonce too short", "R143", signature.Freshness{NonceMin: 33}, signature.FreshNo},
		{"nonce too long", "R143", signature.Freshness{NonceMax: 31}, signature.FreshNo},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		for outcome, c := range map[signature.Outcome]signedCase{signature.OK: right, signature.Mismatch: wrong} {
			v, err := signature.Verify(c.request, c.authorization, c.key, signature.Gateway(), test.ask)
			if err != nil || v.Signature != outcome || v.Fresh != test.want {
				t.Errorf("%s: signature %v, fresh %v, %v", test.name, v.Signature, v.Fresh, err)
			}
		}
	}
}

// TestReplays: a nonce counts as used for the same consumer and second only, and only a right signature uses it up (h225).
func TestReplays(t *testing.T) {
	right := hmacCase(t, "secret")
	wrong := right
	wrong.request.URL += "/x"
	store := signature.NewMemoryReplays(2)
	ask := signature.Freshness{Replays: store}
	fresh := func(c signedCase) signature.Fresh {
		v, err := signature.Verify(c.request, c.authorization, c.key, signature.Gateway(), ask)
		if err != nil {
			t.Fatal(err)
		}
		return v.Fresh
	}
	check(t, "a stranger's try", fresh(wrong), signature.FreshYes)
	check(t, "the first use", fresh(right), signature.FreshYes)
	check(t, "the second use", fresh(right), signature.FreshNo)
	check(t, "a stranger's copy", fresh(wrong), signature.FreshNo)
	for _, u := range []signature.Use{{ConsumerKey: "a", Timestamp: "1", Nonce: "n"}, {ConsumerKey: "b", Timestamp: "1", Nonce: "n"}, {ConsumerKey: "b", Timestamp: "2", Nonce: "n"}} {
		if store.Remember(u) || !store.Seen(u) {
			t.Errorf("%v: known before, or not after", u)
		}
	}
	check(t, "forgotten: the store holds two", fresh(right), signature.FreshYes)
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
	if nonce, err := signature.Nonce(bytes.NewReader(make([]byte, 15))); !errors.Is(err, signature.Entropy) || nonce != "" {
		t.Errorf("a short source: %q, %v", nonce, err)
	}
	check(t, "timestamp", signature.Timestamp(time.Unix(1_767_225_600, 999_999_999)), "1767225600")
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
