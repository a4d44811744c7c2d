package signature

import (
	"crypto/rsa"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// Goal: the readers and what is computed from a text change their answer exactly at their bounds. Method: the last case
// on one side and the first on the other, asked of the functions themselves.

// TestLineAndColumn: both begin at 1, columns count bytes, and a place beyond the text is its end.
func TestLineAndColumn(t *testing.T) {
	for _, r := range []struct{ offset, line, col int }{{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 2, 2}, {5, 2, 3}, {9, 2, 3}} {
		f := located(&base.Problem{Code: URLForm, Part: base.PartURL, Offset: r.offset}, "ab\ncd")
		if int(f.Place.Line) != r.line || int(f.Place.Col) != r.col {
			t.Errorf("byte %d: %d:%d, want %d:%d", r.offset, f.Place.Line, f.Place.Col, r.line, r.col)
		}
	}
	if f := located(&base.Problem{Code: URLForm, Part: base.PartURL, Offset: -1}, "ab"); f.Place.Line != 0 || f.Place.Col != 0 {
		t.Errorf("without a place: %+v", f.Place)
	}
}

// TestSpanOfSeconds: the two largest units, the second only where it is not zero.
func TestSpanOfSeconds(t *testing.T) {
	for seconds, want := range map[int64]string{
		0: "0 s", 1: "1 s", 59: "59 s", 60: "1 min", 61: "1 min 1 s", 3599: "59 min 59 s", 3600: "1 h", 3601: "1 h", 3660: "1 h 1 min",
		86_399: "23 h 59 min", 86_400: "1 d", 90_000: "1 d 1 h", 864_000: "10 d",
	} {
		if got := span(seconds); got != want {
			t.Errorf("%d: %q, want %q", seconds, got, want)
		}
	}
}

// TestNumbersOfAKey: zero is not a weak number, but none (L65).
func TestNumbersOfAKey(t *testing.T) {
	odd := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 2047), big.NewInt(1))
	of := func(bits uint) *big.Int {
		return new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), bits-1), big.NewInt(1))
	}
	for _, r := range []struct {
		reason string
		n, e   *big.Int
		code   ledger.Code
		says   string
	}{
		{"right", odd, big.NewInt(65537), "", ""},
		{"the smallest exponent", odd, big.NewInt(3), "", ""},
		{"no modulus", new(big.Int), big.NewInt(65537), KeyMalformed, "zero or negative"},
		{"no exponent", odd, new(big.Int), KeyMalformed, "zero or negative"},
		{"a negative modulus", new(big.Int).Neg(odd), big.NewInt(65537), KeyMalformed, "zero or negative"},
		{"the largest exponent", odd, big.NewInt(1<<31 - 1), "", ""},
		{"an exponent of a bit more", odd, big.NewInt(1<<32 - 1), KeyMalformed, "exponent is even, tiny or huge"},
		{"an exponent of 1", odd, big.NewInt(1), KeyMalformed, "exponent is even, tiny or huge"},
		{"of the most bits", of(maxKeyBits), big.NewInt(65537), "", ""},
		{"of a bit more", of(maxKeyBits + 1), big.NewInt(65537), KeyTooLarge, ""},
	} {
		err := checkNumbers(r.n, r.e)
		if (err == nil) != (r.code == "") || err != nil && (!errors.Is(err, r.code) || !strings.Contains(err.Error(), r.says)) {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
	key := PublicKey{rsa: &rsa.PublicKey{N: odd, E: 65537}}
	if text := key.String(); !strings.Contains(text, ", 2048 bits, ") {
		t.Errorf("%q", text)
	}
	if text := (PublicKey{}).String(); text != "RSA public key (none)" {
		t.Errorf("%q", text)
	}
	if f := mismatch("", odd.FillBytes(make([]byte, 256)), &key); f.Code != SignatureLength {
		t.Errorf("a signature that is the modulus: %+v", f)
	}
	less := new(big.Int).Sub(odd, big.NewInt(1))
	if f := mismatch("", less.FillBytes(make([]byte, 256)), &key); f.Code != SignatureWrong {
		t.Errorf("a signature just below the modulus: %+v", f)
	}
}

// TestOddHosts: each spelling of a host that is often another is warned of, alone.
func TestOddHosts(t *testing.T) {
	for host, odd := range map[string]bool{
		"h": false, "h.": true, "[::1]": false, "[fe80::1%25eth0]": true, "h%41": false, "h\x7f": false, "h\x80": true, "\u00e4": true,
	} {
		u := base.URL{Host: host}
		if u.IsOdd() != odd {
			t.Errorf("%q: %v", host, !odd)
		}
	}
}

// TestFoldsOfAHeader: a line break is a space only where a space or a tab follows it.
func TestFoldsOfAHeader(t *testing.T) {
	for between, ok := range map[string]bool{" ": true, "\n ": true, "\n\t": true, "\r\n ": true, "\r\n\t": true, "\n": false, "\r\n": false, "\r": false} {
		h, problem := base.ParseHeader(`OAuth a="1",` + between + `b="2"`)
		if (problem == nil) != ok || ok && len(h.Params) != 2 {
			t.Errorf("%q: %+v", between, problem)
		}
	}
}

// TestBinaryKeyFiles: a file of bytes is named as one, whether or not a NUL is in it.
func TestBinaryKeyFiles(t *testing.T) {
	for file, binary := range map[string]bool{
		"\x30\x80\x01\x01": true, "\x30\x82\x01\x01": true, "a\x00b": true, "\x00": true, "\x30\x7f\x01\x01": false, "0A key": false, "0": false,
	} {
		err := notArmoured(file, []byte(file))
		if err == nil || strings.Contains(err.Error(), "binary file") != binary {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestOddParametersOfABody: each kind that does not belong beside the payload is reported, alone.
func TestOddParametersOfABody(t *testing.T) {
	for name, code := range map[string]string{
		base.Payload: string(ParameterDuplicate), base.Signature: string(SignatureInBody), "oauth_other": string(OAuthUnknown), "other": string(ParameterExtra),
	} {
		p, problem := base.ReadRequest("POST", "https://h/", base.FormType, "payload=1&"+name+"=2")
		if list := findingsOf(p.Problems); problem != nil || len(list) != 1 || string(list[0].Code) != code {
			t.Errorf("%s: %v, want %s", name, list, code)
		}
	}
}

// TestTokens: every byte of a token, the first of the list included.
func TestTokens(t *testing.T) {
	for c, want := range map[byte]bool{'!': true, '|': true, 'a': true, '~': true, ' ': false, '"': false, '/': false, 0x7f: false, 0x80: false} {
		if base.IsToken(c) != want {
			t.Errorf("%q: %v", c, !want)
		}
	}
}
