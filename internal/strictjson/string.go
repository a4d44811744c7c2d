package strictjson

import "unicode/utf8"

// AppendString appends s as a JSON string. Control characters, and the line separators and
// direction marks that mislead a reader, are escaped; bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	n := 0 // bytes that are copied as they are
	for n < len(s) && isPlain(s[n]) {
		n++
	}
	dst = append(dst, s[:n]...)
	if n < len(s) {
		dst = appendEscaped(dst, s[n:])
	}
	return append(dst, '"')
}

// isPlain reports whether a byte is a printable character of ASCII and means nothing in a string.
func isPlain(b byte) bool { return ' ' <= b && b < 0x7f && b != '"' && b != '\\' }

// appendEscaped appends the characters of s.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case misleading(r):
			dst = append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// misleading reports whether r is invisible and changes the terminal or the direction of text.
func misleading(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0: // C0, DEL and C1 controls
	case 0x200b <= r && r <= 0x200f: // zero widths, direction marks
	case 0x2028 <= r && r <= 0x202e: // separators, embeddings and overrides
	case 0x2066 <= r && r <= 0x2069: // isolates
	case r == 0xfeff: // byte-order mark
	default:
		return false
	}
	return true
}
