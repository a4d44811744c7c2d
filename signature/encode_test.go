package signature_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/signature"
)

// TestEncodingAtWordBorders: each byte at each place of texts around one, two and three words, in
// destinations with every room from none to more than enough: what is there already stays, and so
// does what lies behind the result.
func TestEncodingAtWordBorders(t *testing.T) {
	const before, spare = "before", 16
	encoders := map[string]struct {
		ours   func(dst, src []byte) []byte
		theirs func(string) string
	}{
		"once":  {signature.AppendEncode, oracle.Encode},
		"twice": {signature.AppendEncodeTwice, func(text string) string { return oracle.Encode(oracle.Encode(text)) }},
	}
	for name, encoder := range encoders {
		for _, length := range []int{1, 7, 8, 9, 15, 16, 17, 24, 25} {
			for place := range length {
				for c := range 256 {
					src := bytes.Repeat([]byte{'a'}, length)
					src[place] = byte(c)
					src[length/2] |= byte(c) & 0x7f // often a second one
					want := before + encoder.theirs(string(src))
					rooms := []int{0, 1, len(src), len(want) - len(before), len(want) - len(before) + spare}
					if c < 0x40 && length > 8 && length < 18 {
						rooms = nil
						for room := range len(want) - len(before) + spare {
							rooms = append(rooms, room)
						}
					}
					for _, room := range rooms {
						checkAppended(t, name, encoder.ours, before, src, room, want)
					}
				}
			}
		}
	}
}

// checkAppended encodes src into a destination that holds before and has room for so many bytes more.
func checkAppended(t *testing.T, name string, encode func(dst, src []byte) []byte, before string, src []byte, room int, want string) {
	t.Helper()
	whole := append([]byte(before), bytes.Repeat([]byte{'#'}, room)...)
	dst := whole[:len(before):len(whole)]
	got := encode(dst, src)
	if string(got) != want {
		t.Fatalf("%s: %q with room for %d is %q, want %q", name, src, room, got, want)
	}
	if string(dst) != before {
		t.Fatalf("%s: %q with room for %d changes what was there: %q", name, src, room, dst)
	}
	if fits := len(got) <= len(whole); fits && &got[0] != &whole[0] {
		t.Fatalf("%s: %q with room for %d is moved", name, src, room)
	}
	if behind := whole[min(len(got), len(whole)):]; strings.Trim(string(behind), "#") != "" {
		t.Fatalf("%s: %q with room for %d changes what lies behind: %q", name, src, room, behind)
	}
}
