package report

import (
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/termtext"
)

// icsFold is how many bytes a content line may have (RFC 5545, 3.1).
const icsFold = 75

// property writes a content line whose value needs no escapes.
func (s *sheet) property(name, value string) {
	from := len(s.b)
	s.b = append(append(append(s.b, name...), ':'), value...)
	s.fold(from)
}

// text writes a content line with a value of type TEXT: what ends or divides it is escaped
// (3.3.11), and control characters come as everywhere else.
func (s *sheet) text(name string, parts ...string) {
	from := len(s.b)
	s.b = append(append(s.b, name...), ':')
	for _, part := range parts {
		part = termtext.Visible(part)
		for i := range len(part) {
			if c := part[i]; c == '\\' || c == ';' || c == ',' {
				s.b = append(s.b, '\\')
			}
			s.b = append(s.b, part[i])
		}
	}
	s.fold(from)
}

// fold ends the content line that begins at from, and breaks it between characters where it is too
// long.
func (s *sheet) fold(from int) {
	for room := icsFold; len(s.b)-from > room; room = icsFold - 1 {
		at := from + room
		for !utf8.RuneStart(s.b[at]) {
			at--
		}
		s.b = append(s.b, "\r\n "...)
		copy(s.b[at+3:], s.b[at:])
		copy(s.b[at:], "\r\n ")
		from = at + 3
	}
	s.b = append(s.b, "\r\n"...)
}
