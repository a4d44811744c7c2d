package base

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

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
		if unreservedByte := want || strings.IndexByte("-._~", byte(c)) >= 0; NeedsEncoding(string([]byte{'a', byte(c)})) == unreservedByte {
			t.Errorf("byte %#x needs encoding: %v", c, unreservedByte)
		}
	}
}

// TestSegmentsOfAForm: each pair as it was sent; what is empty between two ampersands, or at either end, is none.
func TestSegmentsOfAForm(t *testing.T) {
	for form, want := range map[string][]Pair{
		"": nil, "&": nil, "&&": nil, "a": {{"a", ""}}, "&a=b": {{"a", "b"}}, "a=b&": {{"a", "b"}}, "=&a==%3D": {{"", ""}, {"a", "=%3D"}},
		"&a=1&&b=2&": {{"a", "1"}, {"b", "2"}},
	} {
		if got := Split(form); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", form, got, want)
		}
	}
}

// TestPlainHosts: a host that needs no further look is signed as if it had been looked at, and no other is taken for one.
func TestPlainHosts(t *testing.T) {
	hosts := []string{"gate.example.com", "10.0.0.1", "a-b", "", ".", "h.", "-", "[2001:db8::1]", "xn--h", "h..h", "h:1", "h%20h", "h/h"}
	for c := range 256 {
		hosts = append(hosts, "h"+string([]byte{byte(c)})+"h", "hh"+string([]byte{byte(c)}))
	}
	plain := 0
	for _, host := range hosts {
		quick := URL{Scheme: "https", Host: host, Plain: isPlainHost(host)}
		if !quick.Plain {
			continue
		}
		plain++
		whole := quick
		whole.Plain = false
		if checkHost(host, 0) != nil || !bytes.Equal(quick.AppendEncoded(nil), whole.AppendEncoded(nil)) {
			t.Errorf("%q is taken for plain", host)
		}
	}
	if want := 6 + 2*26 + 2*10 + 2*1 + 1; plain != want { // letters, digits, a hyphen inside and last, a point inside
		t.Errorf("%d hosts are plain, want %d", plain, want)
	}
}

// TestPortsAtTheirBounds: from 1 to 65535.
func TestPortsAtTheirBounds(t *testing.T) {
	for port, ok := range map[string]bool{"1": true, "65535": true, "0": false, "65536": false, "99": true, "9a": false, "655350": false} {
		var u URL
		if f := u.Split("https://h:" + port + "/"); (f == nil) != ok {
			t.Errorf("%s: %+v", port, f)
		}
	}
	const url = "https://h/a/%zz"
	if f := new(URL).Split(url); f == nil || f.Offset != strings.Index(url, "%") {
		t.Errorf("%+v", f)
	}
}

// TestTextsOfASignature: each form is told from the others by its first and last characters.
func TestTextsOfASignature(t *testing.T) {
	for text, want := range map[string]int{"": -1, "ab": -1, "%41": -1, "%": 0, "%4": 0, "%zz": 0, "a%41%4": 4, "%41%4z": 3, "a%4z%": 1} {
		if got := badEscapeIn(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if _, got := Decode(text); got != want {
			t.Errorf("%q decoded: %d, want %d", text, got, want)
		}
	}
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

// TestFormsWriteWhatAppendWrites: the zero form is the right way, whichever function writes it.
func TestFormsWriteWhatAppendWrites(t *testing.T) {
	var u URL
	if u.Split("HTTPS://H:0443/a%2fb c"[:20]) != nil {
		t.Fatal("the URL is refused")
	}
	params := []Pair{{"a b", "1/2"}, {Nonce, "é"}, {Payload, "x+y="}}
	scheme, host, port, path := u.Parts()
	var zero Form
	got := string(zero.AppendThird(zero.AppendFront(nil, "POST", scheme+"://"+host+port+path), params))
	if want := string(Append(nil, "POST", &u, params)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if third := string(AppendEncoded(nil, AppendForm(nil, params))); !strings.HasSuffix(got, "&"+third) {
		t.Errorf("%q does not end in %q", got, third)
	}
}

// TestEncodersDifferInTheirBytes: each encoder leaves what it says, and all else is as in RFC 3986.
func TestEncodersDifferInTheirBytes(t *testing.T) {
	const text = "~*!'()/ a+\u00e9"
	for want, e := range map[string]*Encoder{
		"~%2A%21%27%28%29%2F%20a%2B%C3%A9":   nil,
		"~%2A%21%27%28%29%2F+a%2B%C3%A9":     {Space: '+'},
		"%7E%2A%21%27%28%29%2F%20a%2B%C3%A9": {Takes: "~"},
		"~*%21%27%28%29%2F%20a%2B%C3%A9":     {Keeps: "*"},
		"~*!'()%2F%20a%2B%C3%A9":             {Keeps: "!*'()"},
		"~%2A%21%27%28%29/%20a%2B%C3%A9":     {Keeps: "/"},
		"~%2a%21%27%28%29%2f%20a%2b%c3%a9":   {Lower: true},
		text:                                 {Raw: true},
	} {
		if got := string(e.Append(nil, text)); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}

// TestFormsApart: with an encoder for one part, parameters are joined as without one but for that part.
func TestFormsApart(t *testing.T) {
	params := []Pair{{"a b", "1/2"}, {"c", "x+y"}, {"d", ""}}
	raw := &Encoder{Raw: true}
	for want, f := range map[string]*Form{
		"a b%3D1%252F2%26c%3Dx%252By%26d%3D": {Name: raw, Third: nil}, "a%2520b%3D1%2F2%26c%3Dx%2By%26d%3D": {Value: raw}, "a%20b=1%2F2&c=x%2By&d=": {Third: raw},
	} {
		if f.Name != nil {
			want = strings.Replace(want, "a b", "a%20b", 1) // once, with the third element
		}
		if got := string(f.AppendThird(nil, params)); got != want {
			t.Errorf("%+v: %q, want %q", *f, got, want)
		}
	}
}

// TestNoURLHasNoPlace: where a text is no URL at all, no byte of it is at fault.
func TestNoURLHasNoPlace(t *testing.T) {
	for _, text := range []string{"", "x", ":", "://h", "ftp://h", "https:/h", "h/p"} {
		if f := new(URL).Split(text); f == nil || f.Offset != -1 {
			t.Errorf("%q: %+v", text, f)
		}
	}
}
