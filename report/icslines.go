package report

import "unicode/utf8"

// icsFold is how many bytes a content line may have (RFC 5545, 3.1).
const icsFold = 75

// lines writes content lines, folded between characters and ended by CRLF.
func (s *sheet) lines(lines ...string) {
	for _, line := range lines {
		for room := icsFold; len(line) > room; room = icsFold - 1 {
			n := room
			for !utf8.RuneStart(line[n]) {
				n--
			}
			s.b = append(append(s.b, line[:n]...), "\r\n "...)
			line = line[n:]
		}
		s.b = append(append(s.b, line...), "\r\n"...)
	}
}
