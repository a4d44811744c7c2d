package base

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestPortsAtTheirBounds: from 1 to 65535.
func TestPortsAtTheirBounds(t *testing.T) {
	for port, ok := range map[string]bool{"1": true, "65535": true, "0": false, "65536": false, "99": true, "9a": false, "655350": false} {
		if _, problem := ParseURL("https://h:" + port + "/"); (problem == nil) != ok {
			t.Errorf("%s: %+v", port, problem)
		}
	}
	const url = "https://h/a/%zz"
	if _, problem := ParseURL(url); problem == nil || problem.Offset != strings.Index(url, "%") {
		t.Errorf("%+v", problem)
	}
}

// TestTextsOfASignature: each form differs from the others in its first and last characters.
func TestTextsOfASignature(t *testing.T) {
	for text, ok := range map[string]bool{"": false, "0": false, "00": true, "0g": false} {
		if _, got := readHexText(text); got != ok {
			t.Errorf("%q is hex: %v", text, got)
		}
	}
	for text, ok := range map[string]bool{"YWI": true, "YWI=": false, "YWJj": false} {
		if _, got := readUnpadded(text); got != ok {
			t.Errorf("%q lacks its padding: %v", text, got)
		}
	}
	for text, ok := range map[string]bool{"YWJj": false, "YWI": true, "YWI=": false, "_-_-": true, "_-8": true, "+-_A": false} {
		if _, got := readURLSafe(text); got != ok {
			t.Errorf("%q is base64 of another alphabet: %v", text, got)
		}
	}
}

// TestNoURLHasNoPlace: where a text is no URL at all, no byte of it is at fault.
func TestNoURLHasNoPlace(t *testing.T) {
	for _, text := range []string{"", "x", ":", "://h", "ftp://h", "https:/h", "h/p"} {
		if _, problem := ParseURL(text); problem == nil || problem.Offset != -1 {
			t.Errorf("%q: %+v", text, problem)
		}
	}
}

// TestHashedInPieces: a base string is hashed as it is appended, however long its values are.
func TestHashedInPieces(t *testing.T) {
	for _, n := range []int{0, 1, 4095, 4096, 4097, 8192, 20_000} {
		params := []Pair{{Name: "a b", Value: strings.Repeat("x/", n)}, {Name: strings.Repeat("n", n), Value: "y"}}
		h := sha256.New()
		Hash(h, "POST", "https://h/", params)
		if whole := sha256.Sum256(Append(nil, "POST", "https://h/", params)); !bytes.Equal(h.Sum(nil), whole[:]) {
			t.Errorf("of %d bytes: another hash", n)
		}
	}
}

// TestNamesThatMayBeShown: letters, hyphens and underscores alone.
func TestNamesThatMayBeShown(t *testing.T) {
	for name, ok := range map[string]bool{"oauth_token": true, "a-b": true, "": false, "4111111111111111": false, "a b": false, strings.Repeat("a", 33): false, strings.Repeat("a", 32): true} {
		if IsWord(name) != ok {
			t.Errorf("%q: %v", name, !ok)
		}
	}
}

// TestEncodingOfEveryByte: each byte at each place of a text, once and twice, in a destination that holds something already.
func TestEncodingOfEveryByte(t *testing.T) {
	encode := func(text string) string {
		var out strings.Builder
		for i := range len(text) {
			if c := text[i]; strings.IndexByte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~", c) >= 0 {
				out.WriteByte(c)
			} else {
				fmt.Fprintf(&out, "%%%02X", c)
			}
		}
		return out.String()
	}
	for c := range 256 {
		for place := range 3 {
			src := []byte("a b")
			src[place] = byte(c)
			once, twice := encode(string(src)), encode(encode(string(src)))
			for room := range 16 {
				dst := append(make([]byte, 0, 6+room), "before"...)
				if got := string(AppendEncoded(dst, src)); got != "before"+once {
					t.Fatalf("%q is encoded as %q", src, got)
				}
				if got := string(AppendTwice(dst, string(src))); got != "before"+twice {
					t.Fatalf("%q is encoded twice as %q", src, got)
				}
			}
			if NeedsEncoding(string(src)) != (once != string(src)) {
				t.Errorf("%q: %v", src, NeedsEncoding(string(src)))
			}
		}
	}
}

// TestNewMAC: each HMAC of a secret begins anew and is that of crypto/hmac, whatever was written to others, also at the same time.
func TestNewMAC(t *testing.T) {
	secret := NewHMACSecret("a secret")
	for _, s := range []HMACSecret{secret, {Text: secret.Text, Key: secret.Key}} { // the second cannot be cloned
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				text := []byte(strings.Repeat("x", 100*i))
				got, want := s.NewMAC(), hmac.New(sha1.New, []byte("a%20secret&"))
				_, _ = got.Write(text)
				_, _ = want.Write(text)
				if !hmac.Equal(got.Sum(nil), want.Sum(nil)) {
					t.Errorf("%d bytes: another code", len(text))
				}
			})
		}
		group.Wait()
	}
}
