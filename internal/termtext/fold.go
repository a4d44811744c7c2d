package termtext

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// AppendFolded appends whole lines so that none is wider than the width. A wider line is broken at
// a space, or inside a word that is wider than a line; what follows is indented by two more columns
// than its line. Sequences that set colours take no room.
func AppendFolded(dst, text []byte, width int) []byte {
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		dst, text = appendFoldedLine(dst, line, width), rest
		if ended {
			dst = append(dst, '\n')
		}
	}
	return dst
}

// Fits reports whether no line of a text is wider than the width.
func Fits(text []byte, width int) bool {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(line) > width && lineCells(line) > width {
			return false
		}
		text = rest
	}
	return true
}

// lineCells is Cells of a line with colours.
func lineCells(line []byte) (n int) {
	for i := 0; i < len(line); {
		size, cells := next(line[i:])
		i, n = i+size, n+cells
	}
	return n
}

// next returns the size of the first character, or of a sequence that sets a colour, and its cells.
func next(b []byte) (size, cells int) {
	if b[0] == '\x1b' {
		if end := bytes.IndexByte(b, 'm'); end > 0 {
			return end + 1, 0
		}
	}
	r, size := utf8.DecodeRune(b)
	return size, cellsOf(r)
}

// appendFoldedLine goes from word to word; the spaces at a break are dropped.
func appendFoldedLine(dst, line []byte, width int) []byte {
	if len(line) <= width || lineCells(line) <= width {
		return append(dst, line...)
	}
	indent := min(len(line)-len(bytes.TrimLeft(line, " ")), width/2)
	hang := strings.Repeat(" ", min(indent+2, width/2))
	line = bytes.TrimLeft(line, " ")
	dst, at := append(dst, hang[:min(indent, len(hang))]...), indent
	for first := true; len(line) > 0; first = false {
		word := bytes.TrimLeft(line, " ")
		spaces := len(line) - len(word)
		if end := bytes.IndexByte(word, ' '); end >= 0 {
			word = word[:end]
		}
		line = line[spaces+len(word):]
		cells := lineCells(word)
		switch {
		case len(word) == 0: // the spaces at the end
		case first:
		case at+spaces+cells > width:
			dst = append(append(TrimSpace(dst), '\n'), hang...)
			at = len(hang)
		default:
			dst = append(dst, strings.Repeat(" ", spaces)...)
			at += spaces
		}
		dst, at = appendWord(dst, word, hang, at, width)
	}
	return TrimSpace(dst)
}

// appendWord appends a word, which is broken where it reaches the width, and returns the column
// behind it.
func appendWord(dst, word []byte, hang string, at, width int) ([]byte, int) {
	for len(word) > 0 {
		size, cells := next(word)
		if at+cells > width {
			dst = append(append(dst, '\n'), hang...)
			at = len(hang)
		}
		dst = append(dst, word[:size]...)
		word, at = word[size:], at+cells
	}
	return dst, at
}
