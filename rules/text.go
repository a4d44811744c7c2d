package rules

import (
	"strings"
	"unicode/utf8"
)

// undouble is content with each "" made one quote.
func undouble(content string) string {
	if strings.IndexByte(content, '"') < 0 {
		return content
	}
	return strings.ReplaceAll(content, `""`, `"`)
}

// trimmed is s without the spaces around it. Line breaks and tabs are control
// characters, not spaces.
func trimmed(s string, plain bool) string {
	if plain {
		return strings.Trim(s, " ")
	}
	return strings.TrimFunc(s, isSpace)
}

// isSpace reports whether r looks like a space.
func isSpace(r rune) bool {
	switch {
	case r == ' ', r == 0xA0, r == 0x1680, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}

// isControl reports whether r is invisible and moves what is seen: control characters,
// line and paragraph separators, directional marks, zero-width and similar format
// characters. The two joiners of scripts and emoji do not count.
func isControl(r rune) bool {
	switch {
	case r < 0x20, 0x7F <= r && r < 0xA0, r == 0xAD, r == 0x061C, r == 0xFEFF:
		return true
	}
	switch {
	case r == 0x200B, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return false
}

// textFaults are the byte offsets in s of the first of each fault of text; -1 for none.
type textFaults struct{ invalid, nul, control int }

// faultsOf looks for faults of text. A space outside ASCII counts as a control
// character inside a text; around it, it is a surrounding space.
func faultsOf(s string) textFaults {
	f := textFaults{-1, -1, -1}
	core := strings.TrimRightFunc(s, isSpace)
	lead := len(core) - len(strings.TrimLeftFunc(core, isSpace))
	for i, r := range s {
		switch {
		case r == utf8.RuneError && f.invalid < 0 && brokenAt(s, i):
			f.invalid = i
		case r == 0 && f.nul < 0:
			f.nul = i
		case r == 0 || f.control >= 0:
		case isControl(r), r != ' ' && isSpace(r) && lead <= i && i < len(core):
			f.control = i
		}
	}
	return f
}

// brokenAt reports whether the replacement character that was read at i was made from a
// byte that is not UTF-8, and is not in the text itself.
func brokenAt(s string, i int) bool {
	_, size := utf8.DecodeRuneInString(s[i:])
	return size == 1
}
