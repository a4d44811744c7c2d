package signature

import (
	"strings"
	"testing"
)

// Goal: what the search for mistakes tries is what it says. Method: its small parts, one by one.

// TestOrdersAreByNameThenValue: each order compares names first, and values only where names are equal.
func TestOrdersAreByNameThenValue(t *testing.T) {
	of := func(name, value string) *item { return &item{raw: pair{name, value}, name: name, value: value} }
	for _, r := range []struct {
		reason string
		order  orderForm
		a, b   *item
		want   int
	}{
		{"names", orderEncoded, of("a", "2"), of("b", "1"), -1},
		{"values", orderEncoded, of("a", "10"), of("a", "9"), -1},
		{"names, raw", orderRawBytes, of("a", "2"), of("b", "1"), -1},
		{"values, raw", orderRawBytes, of("a", "10"), of("a", "9"), -1},
		{"names, UTF-16", orderRawUTF16, of("\ue000", "1"), of("\U00010000", "2"), +1},
		{"values, UTF-16", orderRawUTF16, of("a", "1"), of("a", "2"), -1},
		{"names, without values", orderNameOnly, of("a", "2"), of("a", "1"), 0},
		{"names, numbers", orderNumeric, of("a", "2"), of("b", "1"), -1},
		{"values, numbers", orderNumeric, of("a", "10"), of("a", "9"), +1},
		{"names, without case", orderIgnoringCase, of("B", "1"), of("a", "2"), +1},
		{"values, without case", orderIgnoringCase, of("A", "b"), of("a", "C"), -1},
		{"names and values, joined", orderJoined, of("a", "1"), of("a-", "1"), +1},
	} {
		compare := r.order.compare()
		if got, back := compare(r.a, r.b), compare(r.b, r.a); got != r.want || back != -r.want {
			t.Errorf("%s: %d and %d, want %d", r.reason, got, back, r.want)
		}
	}
}

// TestEncodersDifferInTheirBytes: each encoder leaves what its name says, and all else is as in RFC 3986.
func TestEncodersDifferInTheirBytes(t *testing.T) {
	const text = "~*!'()/ a+\u00e9"
	for e, want := range map[encoder]string{
		encodeRFC3986:    "~%2A%21%27%28%29%2F%20a%2B%C3%A9",
		encodePlus:       "~%2A%21%27%28%29%2F+a%2B%C3%A9",
		encodeTilde:      "%7E%2A%21%27%28%29%2F%20a%2B%C3%A9",
		encodeNoAsterisk: "~*%21%27%28%29%2F%20a%2B%C3%A9",
		encodeNoMarks:    "~*!'()%2F%20a%2B%C3%A9",
		encodeNoSlash:    "~%2A%21%27%28%29/%20a%2B%C3%A9",
		encodeLowerHex:   "~%2a%21%27%28%29%2f%20a%2b%c3%a9",
	} {
		if got := e.encode(text); got != want {
			t.Errorf("encoder %d: %q, want %q", e, got, want)
		}
	}
}

// TestMemoKeepsWhatFits: a text is made once while there is room, and made again when there is none.
func TestMemoKeepsWhatFits(t *testing.T) {
	var m memo
	made := 0
	do := func(key string, size int) {
		m.do(memoKey{key, 0}, func() string {
			made++
			return strings.Repeat("x", size)
		})
	}
	do("a", memoBytes-1)
	do("a", memoBytes-1)
	if made != 1 || m.size != memoBytes {
		t.Errorf("made %d times, %d bytes kept", made, m.size)
	}
	do("", 0)
	do("", 0)
	if made != 2 {
		t.Errorf("a text of no bytes is made %d times beside a full memo", made-1)
	}
	do("b", 0)
	do("b", 0)
	if made != 4 || m.size != memoBytes {
		t.Errorf("a byte too much is kept: made %d times, %d bytes", made, m.size)
	}
}

// TestPortsAtTheirBounds: from 1 to 65535.
func TestPortsAtTheirBounds(t *testing.T) {
	for port, ok := range map[string]bool{"1": true, "65535": true, "0": false, "65536": false, "99": true, "9a": false, "655350": false} {
		var u urlParts
		if f := u.split("https://h:" + port + "/"); (f == nil) != ok {
			t.Errorf("%s: %+v", port, f)
		}
	}
	const url = "https://h/a/%zz"
	if f := new(urlParts).split(url); f == nil || int(f.Place.Offset) != strings.Index(url, "%") {
		t.Errorf("%+v", f)
	}
}

// TestTextsOfASignature: hex has at least one byte; a line of base64 at least 64 characters.
func TestTextsOfASignature(t *testing.T) {
	for text, ok := range map[string]bool{"": false, "0": false, "00": true, "0g": false} {
		if _, got := readHexText(text); got != ok {
			t.Errorf("%q is hex: %v", text, got)
		}
	}
	for n, ok := range map[int]bool{63: false, 64: true, 65: true} {
		text := strings.Repeat("A", n)
		if strings.Contains(notArmoured(text, []byte(text)).Message, "base64") != ok {
			t.Errorf("%d characters are a body: %v", n, !ok)
		}
	}
	if _, f := Profile(len(profiles)).readings(); f == nil {
		t.Error("a profile behind the last has readings")
	}
	if n := len(wrappedPayloads()); n != 1+len(wrappings) {
		t.Errorf("%d forms of line breaks, want %d", n, 1+len(wrappings))
	}
}
