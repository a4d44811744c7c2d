package signature

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// Goal: what is computed from a text or a number is right at the first and the last of a kind.

// TestDecomposedLetters: letters of the table become a base and a mark, all else stays as it is, bytes
// that are not UTF-8 included.
func TestDecomposedLetters(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "\u00e9": "e\u0301", "\u00c0": "A\u0300", "\u017e": "z\u030c", "a\u00e9b": "ae\u0301b",
		"\u017f": "\u017f", "\u00d7": "\u00d7", "\u0300": "\u0300", "\u65e5\u672c": "\u65e5\u672c",
		"\xff": "\xff", "\ufffd": "\ufffd", "a\ufffdb\xc3": "a\ufffdb\xc3", "\xc3\u00e9": "\xc3e\u0301",
	} {
		if got := decompose(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"": true, "a\x7f": true, "\x80": false, "a\u00e9": false} {
		if plainASCII(text) != want {
			t.Errorf("%q is ASCII: %v", text, !want)
		}
	}
}

// TestLatin1Letters: what Latin-1 has is one byte, up to its last letter, and a question mark stands for all else.
func TestLatin1Letters(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\x7f": "a\x7f", "\u0080\u00e9": "\x80\xe9", "\u00ff": "\xff", "\u0100": "?", "a\u20ac": "a?", "\xff": "\xff"} {
		if got := latin1(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLineAndColumn: both begin at 1, columns count bytes, and a place beyond the text is its end.
func TestLineAndColumn(t *testing.T) {
	for _, r := range []struct{ offset, line, col int }{{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 2, 2}, {5, 2, 3}, {9, 2, 3}} {
		f := faultAt(RequestForm, partRequest, r.offset, "m", "h").locate("ab\ncd")
		if int(f.Place.Line) != r.line || int(f.Place.Col) != r.col {
			t.Errorf("byte %d: %d:%d, want %d:%d", r.offset, f.Place.Line, f.Place.Col, r.line, r.col)
		}
	}
	if f := newFault(RequestForm, partRequest, "m", "h").locate("ab"); f.Place.Line != 0 || f.Place.Col != 0 {
		t.Errorf("without a place: %+v", f.Place)
	}
	if (*fault)(nil).locate("ab") != nil {
		t.Error("no fault has a place")
	}
}

// TestEightBytesAtOnce: each byte in each of eight places is told apart as it is alone.
func TestEightBytesAtOnce(t *testing.T) {
	const plain = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	for c := range 256 {
		want := strings.IndexByte(plain, byte(c)) >= 0
		for place := range 8 {
			for _, beside := range []byte{0x00, '0', 'z', 0xff} {
				word := [8]byte{beside, beside, beside, beside, beside, beside, beside, beside}
				word[place] = byte(c)
				if got := others(binary.LittleEndian.Uint64(word[:]))>>(8*place)&0x80 == 0; got != want {
					t.Fatalf("byte %#x in place %d beside %#x: %v", c, place, beside, got)
				}
				never := c <= ' ' || c == 0x7f || c == '\\'
				if got := neverInURL(binary.LittleEndian.Uint64(word[:]))>>(8*place)&0x80 != 0; got != never {
					t.Fatalf("byte %#x in place %d beside %#x is never in a URL: %v", c, place, beside, got)
				}
			}
		}
		if unreservedByte := want || strings.IndexByte("-._~", byte(c)) >= 0; needsEncoding(string([]byte{'a', byte(c)})) == unreservedByte {
			t.Errorf("byte %#x needs encoding: %v", c, unreservedByte)
		}
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

// encodePSS is EMSA-PSS with SHA-256, by RFC 8017, 9.1.1.
func encodePSS(message, salt []byte, bits int) []byte {
	digest := sha256.Sum256(append(append(make([]byte, 8), message...), salt...))
	em := make([]byte, (bits+7)/8)
	db := em[:len(em)-len(digest)-1]
	db[len(db)-len(salt)-1] = 1
	copy(db[len(db)-len(salt):], salt)
	for i := range db {
		mask := sha256.Sum256(append(digest[:len(digest):len(digest)], 0, 0, 0, byte(i/32)))
		db[i] ^= mask[i%32]
	}
	db[0] &= 0xff >> (8*len(em) - bits)
	copy(em[len(db):], digest[:])
	em[len(em)-1] = 0xbc
	return em
}

// TestReadPSS: an encoding is read for any salt and any number of bits, and refused where one of its
// fixed bits is another.
func TestReadPSS(t *testing.T) {
	h, message := rsaHashes()[0], []byte("message")
	for _, bits := range []int{264 + 8, 1016, 1017, 1022, 1023, 1024} {
		for _, salt := range []string{"", "salt", strings.Repeat("s", 32)} {
			if bits == 272 && salt != "" {
				continue // has room for no salt
			}
			em := encodePSS(message, []byte(salt), bits)
			whole := append([]byte{0}, em...) // as a modulus of one byte more gives it
			for _, text := range [][]byte{em, whole} {
				fits, ok := readPSS(text, bits, h)
				if !ok || !fits(message) || fits([]byte("another")) {
					t.Errorf("%d bits, salt %q: %v", bits, salt, ok)
				}
			}
			whole[0] = 1
			if _, ok := readPSS(whole, bits, h); ok {
				t.Errorf("%d bits: a first byte of 1 is read over", bits)
			}
			if top := 8*len(em) - bits; top > 0 {
				em[0] |= 0x80
				if _, ok := readPSS(em, bits, h); ok {
					t.Errorf("%d bits: a bit above them is read over", bits)
				}
				em[0] &= 0x7f
			}
			em[len(em)-1] = 0xbd
			if _, ok := readPSS(em, bits, h); ok {
				t.Errorf("%d bits: the last byte is not bc", bits)
			}
		}
	}
	if _, ok := readPSS(append(make([]byte, 32), 0xbc), 264, h); ok {
		t.Error("a digest and a byte are read as an encoding")
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
		f := checkNumbers(r.n, r.e, KeyRules{})
		if (f == nil) != (r.code == "") || f != nil && (f.Code != r.code || !strings.Contains(f.Message, r.says)) {
			t.Errorf("%s: %+v", r.reason, f)
		}
	}
	key := PublicKey{&rsa.PublicKey{N: odd, E: 65537}}
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

// TestBlameOfAnotherKey: a length that another key gives blames the key, and no other length does.
func TestBlameOfAnotherKey(t *testing.T) {
	const size = 256
	for _, r := range []struct {
		reason string
		all    []reading
		sets   int
	}{
		{"no reading", nil, 0},
		{"of this key", []reading{{raw: make([]byte, size)}}, 1},
		{"of the shortest key", []reading{{raw: make([]byte, floorBits/8)}}, 1},
		{"shorter", []reading{{raw: make([]byte, floorBits/8-8)}}, 0},
		{"not of whole words", []reading{{raw: make([]byte, floorBits/8+1)}}, 0},
		{"of the shortest key, by a mistake", []reading{{ids: []string{"x"}, raw: make([]byte, floorBits/8)}}, 0},
	} {
		if sets := blameKey(r.all, size); len(sets) != r.sets {
			t.Errorf("%s: %v", r.reason, sets)
		}
	}
}

// TestEscapesAndTokens: the first bad escape, wherever it is; every byte of a token, the first of the
// list included.
func TestEscapesAndTokens(t *testing.T) {
	for text, want := range map[string]int{"": -1, "ab": -1, "%41": -1, "%": 0, "%4": 0, "%zz": 0, "a%41%4": 4, "%41%4z": 3, "a%4z%": 1} {
		if got := badEscapeIn(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for c, want := range map[byte]bool{'!': true, '|': true, 'a': true, '~': true, ' ': false, '"': false, '/': false, 0x7f: false, 0x80: false} {
		if isToken(c) != want {
			t.Errorf("%q: %v", c, !want)
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

// TestSegmentsOfAForm: each pair as it was sent; what is empty between two ampersands, or at either end, is none.
func TestSegmentsOfAForm(t *testing.T) {
	for form, want := range map[string][]pair{
		"": nil, "&": nil, "&&": nil, "a": {{"a", ""}}, "&a=b": {{"a", "b"}}, "a=b&": {{"a", "b"}}, "=&a==%3D": {{"", ""}, {"a", "=%3D"}},
		"&a=1&&b=2&": {{"a", "1"}, {"b", "2"}},
	} {
		if got := splitForm(form); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", form, got, want)
		}
	}
}

// TestEscapeInTheQuery: its place is counted from the beginning of the URL.
func TestEscapeInTheQuery(t *testing.T) {
	const url = "https://h/a?b=%zz"
	in := new(resolved)
	f := in.read(&requestData{method: "POST", url: url}, &profiles[ProfileRFC5849])
	if f == nil || int(f.Place.Offset) != strings.Index(url, "%zz") {
		t.Errorf("%+v", f)
	}
}

// TestTracedParameters: a parameter of a trace shows where it is from and what it is; the zero one is
// empty.
func TestTracedParameters(t *testing.T) {
	p := TracedParam{hide(item{raw: pair{"a", "b c"}, sent: pair{"a", "b%20c"}, group: 1})}
	if p.Source() != "oauth" || p.Raw().Name() != "a" || p.Raw().Value() != "b c" {
		t.Errorf("%s %s=%s", p.Source(), p.Raw().Name(), p.Raw().Value())
	}
	if zero := (TracedParam{}); zero.Source() != "body" || zero.Raw().Name() != "" {
		t.Error("the zero parameter is from somewhere")
	}
}

// TestSignedTextIsMadeAgain: the base string of a signature is that of its request.
func TestSignedTextIsMadeAgain(t *testing.T) {
	key, err := NewSecret("secret", "")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRequest("POST", "https://h/a").WithParams(NewParam("b", "c"))
	signed, err := Sign(r, OAuth{ConsumerKey: "k", Nonce: "n", Timestamp: "1790000000"}, key, ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	if base := signed.BaseString(); !strings.HasPrefix(base, "POST&https%3A%2F%2Fh%2Fa&b%3Dc%26oauth_consumer_key%3Dk%26") {
		t.Errorf("%q", base)
	}
	if _, err := Sign(r, OAuth{}, key, ProfileGateway); errors.Is(err, nil) {
		t.Error("a request without a consumer key is signed")
	}
}
