package termtext_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/termtext"
)

func TestCells(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		cells        int
	}{
		{"no text", "", 0},
		{"ASCII", "order-1", 7},
		{"a letter of two bytes", "größe", 5},
		{"a combining accent takes no cell", "e\u0301", 1},
		{"Chinese characters take two", "注文1", 5},
		{"Hangul before and behind the table's gaps", "\u11ff\uac00\ud7a4", 1 + 2 + 1},
		{"a picture", "🙂", 2},
		{"the last wide plane", "\U0002a6d6", 2},
		{"blocks of a bar", "█▌░", 3},
	} {
		if got := termtext.Cells(c.text); got != c.cells {
			t.Errorf("%s: %d cells, want %d", c.reason, got, c.cells)
		}
	}
}

// TestCut: what is cut is never wider than asked for, and what fits stays whole.
func TestCut(t *testing.T) {
	for _, s := range []string{"", "a", "order-1", "注文注文注文", "e\u0301e\u0301e\u0301", "a注b注"} {
		for width := 1; width < 14; width++ {
			cut := termtext.Cut(s, width)
			if termtext.Cells(cut) > width {
				t.Errorf("%q at %d: %q", s, width, cut)
			}
			if termtext.Cells(s) <= width && cut != s {
				t.Errorf("%q fits into %d, cut to %q", s, width, cut)
			}
		}
	}
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"plain text stays", "a b;ü", "a b;ü"},
		{"the first and the last of ASCII that are seen", " ~", " ~"},
		{"the characters beside them", "\x1f\x7f", `\u001f\u007f`},
		{"an escape that a terminal obeys", "a\x1b[2J", `a\u001b[2J`},
		{"a line end", "a\nb", `a\u000ab`},
		{"text turned round", "a\u202eb", `a\u202eb`},
		{"a byte that is not UTF-8", "a\xffb", `a\xffb`},
		{"the replacement character itself", "a\ufffdb", "a\ufffdb"},
		{"beyond 16 bits", "\U000e0001", `\U000e0001`},
	} {
		if got := termtext.Visible(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestAppendHanging(t *testing.T) {
	got := string(termtext.AppendHanging([]byte("ab "), 3, 11, "one two three 注文注文 extraordinary x"))
	want := "ab one two\n   three\n   注文注文\n   extraordinary\n   x\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for line := range strings.Lines(want) {
		if w := termtext.Cells(strings.TrimSuffix(line, "\n")); w > 11 && !strings.Contains(line, "extraordinary") {
			t.Errorf("%q is %d cells wide", line, w)
		}
	}
}

func TestPaint(t *testing.T) {
	if got := string(termtext.Paint(true).Bold(nil, "a")); got != "\x1b[1ma\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := string(termtext.Paint(false).Bold(nil, "a")) + string(termtext.Paint(true).Warn(nil, "")); got != "a" {
		t.Errorf("%q", got)
	}
}
