// Package termtext lays out text for terminals: how wide it is, how it is padded and wrapped, and
// how characters that a terminal would obey are made visible.
package termtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with everything that a terminal would obey, or that would hide from a reader,
// written as an escape such as \u001b.
func Visible(s string) string {
	if isPlain(s) {
		return s
	}
	if !strings.ContainsFunc(s, hides) && utf8.ValidString(s) {
		return s
	}
	return string(appendVisible(nil, s))
}

// isPlain reports whether there is nothing but printable characters of ASCII, as in most texts.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// hides reports whether a character is not seen for what it is. The space is.
func hides(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

func appendVisible(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"):
			dst = append(dst, '\\', 'x', hex[s[i]>>4], hex[s[i]&15])
		case !hides(r):
			dst = utf8.AppendRune(dst, r)
		case r > 0xffff:
			dst = append(dst, '\\', 'U', '0', '0')
			for shift := 20; shift >= 0; shift -= 4 {
				dst = append(dst, hex[r>>shift&15])
			}
		default:
			dst = append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
	}
	return dst
}

// wide are the characters that take two cells: those of East Asia, and pictures. Where a block has
// narrow ones too, they count as wide: a line may end early, but not late.
var wide = [...][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615},
	{0x2648, 0x2653}, {0x267f, 0x267f}, {0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be},
	{0x26c4, 0x26c5}, {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26fd}, {0x2705, 0x2705},
	{0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274e}, {0x2753, 0x2757}, {0x2795, 0x2797}, {0x27b0, 0x27b0},
	{0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b55},
	{0x2e80, 0x303e}, {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf},
	{0xa960, 0xa97c}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	{0x16fe0, 0x18aff}, {0x18b00, 0x18d08}, {0x1aff0, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a}, {0x1f200, 0x1f265}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f9ff},
	{0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
}

// Cells returns how many cells of a terminal a text takes that has no escapes.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += cellsOf(r)
	}
	return n
}

func cellsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	for _, w := range wide {
		if r <= w[1] {
			if r >= w[0] {
				return 2
			}
			break
		}
	}
	return 1
}

// Cut returns s, or its beginning with … behind it if it has more cells than width.
func Cut(s string, width int) string {
	if Cells(s) <= width {
		return s
	}
	left := max(width, 1) - 1
	for i, r := range s {
		if left -= cellsOf(r); left < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// Pad appends spaces up to a width.
func Pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-Cells(s))) }

// PadLeft puts spaces in front of s up to a width.
func PadLeft(s string, width int) string { return strings.Repeat(" ", max(0, width-Cells(s))) + s }

// Counted returns a number with its noun: "1 charge", "2 charges".
func Counted(n, noun string) string {
	if n == "1" {
		return n + " " + noun
	}
	return n + " " + noun + "s"
}

// TrimSpace cuts the spaces off the end of a line.
func TrimSpace(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// AppendHanging goes on with running text at a column and breaks it into lines that begin there and
// end before the width. A word that is wider than a line has one of its own.
func AppendHanging(dst []byte, column, width int, s string) []byte {
	at := column
	for word := range strings.FieldsSeq(s) {
		cells := Cells(word)
		switch {
		case at == column:
		case at+1+cells > width:
			dst = append(append(dst, '\n'), strings.Repeat(" ", column)...)
			at = column
		default:
			dst = append(dst, ' ')
			at++
		}
		dst = append(dst, word...)
		at += cells
	}
	return append(dst, '\n')
}

// Paint puts colours around words if it is true.
type Paint bool

// Bold appends s in bold.
func (p Paint) Bold(dst []byte, s string) []byte { return p.With(dst, "\x1b[1m", s) }

// Faint appends s in faint letters.
func (p Paint) Faint(dst []byte, s string) []byte { return p.With(dst, "\x1b[2m", s) }

// Warn appends s in the colour of a warning.
func (p Paint) Warn(dst []byte, s string) []byte { return p.With(dst, "\x1b[33m", s) }

// With appends s behind an escape sequence, and ends its effect.
func (p Paint) With(dst []byte, on, s string) []byte {
	if !p || s == "" {
		return append(dst, s...)
	}
	return append(append(append(dst, on...), s...), "\x1b[0m"...)
}
