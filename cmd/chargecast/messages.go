package main

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// messages writes what is said on stderr. Errors in writing are left alone: there is
// nowhere to tell them.
type messages struct {
	w     io.Writer
	b     []byte
	shown int // length of the status that is on the terminal
}

// line writes one message. Line ends inside are the program's own; whatever stems
// from outside has gone through visible before.
func (m *messages) line(s string) {
	m.clear()
	m.b = append(append(m.b, s...), '\n')
	m.flush()
}

func (m *messages) flush() {
	if len(m.b) > 0 {
		_, _ = m.w.Write(m.b)
		m.b = m.b[:0]
	}
}

// visible is s with everything that a terminal would obey, or that would hide from a
// reader, written as an escape such as \u001b.
func visible(s string) string {
	if !strings.ContainsFunc(s, hides) && utf8.ValidString(s) {
		return s
	}
	return string(appendVisible(nil, s))
}

// hides tells whether a character is not seen for what it is. The space is.
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

// quoted is a file name for a message.
func quoted(name string) string { return `"` + visible(name) + `"` }
