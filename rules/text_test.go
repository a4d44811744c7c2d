package rules

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestSpacesAndControls holds every character of the first plane against the tables of Unicode: spaces are those of class
// Zs; control characters are those of Cc, of Zl and Zp, and the format characters that move what is
// seen, named by hand (L44, L46).
func TestSpacesAndControls(t *testing.T) {
	format := []rune{
		'\u00AD', '\u061C', '\uFEFF', // soft hyphen, Arabic letter mark, byte-order mark
		'\u200B', '\u200E', '\u200F', // zero width space, marks of direction
		'\u202A', '\u202B', '\u202C', '\u202D', '\u202E', // embeddings and overrides of direction
		'\u2060', '\u2061', '\u2062', '\u2063', '\u2064', '\u2065', '\u2066', '\u2067', '\u2068', '\u2069', // joiners, operators, isolates
		'\u206A', '\u206B', '\u206C', '\u206D', '\u206E', '\u206F', // forms that are deprecated
	}
	for r := rune(0); r <= 0xFFFF; r++ {
		if got, want := isSpace(r), unicode.Is(unicode.Zs, r); got != want {
			t.Errorf("%U is a space: %v", r, got)
		}
		want := unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || slices.Contains(format, r)
		if got := isControl(r); got != want {
			t.Errorf("%U is a control character: %v", r, got)
		}
	}
}

// TestFaultsOfText: the first of each fault is where it is, at the beginning and behind another one.
func TestFaultsOfText(t *testing.T) {
	for _, c := range []struct {
		reason, text          string
		invalid, nul, control int
	}{
		{"nothing", "", -1, -1, -1},
		{"a bad byte, twice", "\xffa\xff", 0, -1, -1},
		{"a replacement character is a character", "\uFFFD", -1, -1, -1},
		{"a replacement character before a bad byte", "\uFFFD\xff", 3, -1, -1},
		{"NUL, twice", "\x00a\x00", -1, 0, -1},
		{"a control character, twice", "\x01a\x02", -1, -1, 0},
		{"NUL is not a control character as well", "a\x00\x01", -1, 1, 2},
		{"all of them", "\x01\x00\xff\x00\xff\x01", 2, 1, 0},
		{"a narrow space inside", "a\u202Fb", -1, -1, 1},
		{"narrow spaces around it are surrounding spaces", "\u202Fa\u202F", -1, -1, -1},
		{"a narrow space inside, behind one before it", "\u202Fa\u202Fb\u202F", -1, -1, 4},
		{"a space inside", "a b", -1, -1, -1},
		{"narrow spaces alone", "\u202F\u202F", -1, -1, -1},
	} {
		if got, want := faultsOf(c.text), (textFaults{c.invalid, c.nul, c.control}); got != want {
			t.Errorf("%s: %+v, want %+v", c.reason, got, want)
		}
	}
}

// TestCaseOfASCII: only the letters of ASCII change their case.
func TestCaseOfASCII(t *testing.T) {
	for r := range rune(0x300) {
		upper := string(r)
		if r < 0x80 {
			upper = strings.ToUpper(upper)
		}
		if asciiUpper(string(r)) != upper {
			t.Errorf("%q: %q", r, asciiUpper(string(r)))
		}
	}
}
