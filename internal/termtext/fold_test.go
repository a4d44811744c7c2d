package termtext_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/termtext"
)

func TestAppendFolded(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		width        int
		want         string
	}{
		{"what fits stays", "a b\n  c\n", 3, "a b\n  c\n"},
		{"an open line stays open", "a b", 3, "a b"},
		{"broken at a space", "one two three\n", 8, "one two\n  three\n"},
		{"two more columns than the line", "  one two three\n", 9, "  one two\n    three\n"},
		{"several spaces at a break are one", "one   two\n", 5, "one\n  two\n"},
		{"columns stay columns where they fit", "ab   cd   ef\n", 8, "ab   cd\n  ef\n"},
		{"a word wider than a line", "abcdefghij\n", 6, "abcdef\n  ghij\n"},
		{"a word wider than a line behind another", "ab cdefghij\n", 6, "ab\n  cdef\n  ghij\n"},
		{"wide characters are not halved", "注文注文\n", 5, "注文\n  注\n  文\n"},
		{"an accent stays with its letter", "abe\u0301cd\n", 3, "abe\u0301\n cd\n"},
		{"colours take no room", "\x1b[1mone\x1b[0m two\n", 7, "\x1b[1mone\x1b[0m two\n"},
		{"colours are not broken", "\x1b[1mone two\x1b[0m\n", 5, "\x1b[1mone\n  two\x1b[0m\n"},
		{"half a line of indent at most", "          a b\n", 8, "    a b\n"},
		{"spaces alone", "          \n", 8, "\n"},
		{"empty lines stay", "\n\na\n", 4, "\n\na\n"},
	} {
		if got := string(termtext.AppendFolded(nil, []byte(c.text), c.width)); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestFoldedLaw: no line is wider than asked for, no character but spaces is lost or added, and text
// that fits is not touched.
func TestFoldedLaw(t *testing.T) {
	pieces := []string{"a", "bc", " ", "  ", "\n", "注", "e\u0301", "\x1b[1m", "\x1b[0m", "extraordinary", "10.00", "█"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(30) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		s, width := text.String(), 4+random.IntN(20)
		got := string(termtext.AppendFolded(nil, []byte(s), width))
		if !termtext.Fits([]byte(got), width) {
			t.Fatalf("%q at %d: %q is wider", s, width, got)
		}
		if termtext.Fits([]byte(s), width) && got != s {
			t.Fatalf("%q fits into %d: %q", s, width, got)
		}
		bare := strings.NewReplacer(" ", "", "\n", "")
		if bare.Replace(got) != bare.Replace(s) {
			t.Fatalf("%q at %d: %q has other characters", s, width, got)
		}
		for line := range strings.Lines(got) {
			if plain := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "", "\n", "").Replace(line); termtext.Cells(plain) > width {
				t.Fatalf("%q at %d: %q is wider", s, width, line)
			}
		}
	}
}
