package rules

import (
	"bytes"

	"github.com/chargecast/chargecast/ledger"
)

// A cell is one value of a record: content [from, to) in the record's bytes.
type cell struct {
	from, to int32
	form     cellForm
}

// A cellForm is how a cell is written.
type cellForm uint32 // as wide as the other fields, so that a cell takes three stores

const (
	formBare    cellForm = iota // without quotes
	formQuoted                  // in quotes, with none inside
	formDoubled                 // in quotes, with doubled ones inside
)

func (c cell) quoted() bool  { return c.form != formBare }
func (c cell) escaped() bool { return c.form == formDoubled }

// start is where the cell begins, its opening quote included.
func (c cell) start() int {
	if c.quoted() {
		return int(c.from) - 1
	}
	return int(c.from)
}

// end is where the cell ends, its closing quote included.
func (c cell) end() int {
	if c.quoted() {
		return int(c.to) + 1
	}
	return int(c.to)
}

// cell reads the cell that begins at i and returns where the next one does; with the last
// cell of a record, or a fault, the record is taken and more is false.
func (s *scanner) cell(i int) (next int, more bool) {
	if i < s.end-s.start && s.buf[s.start+i] == '"' {
		return s.quoted(i + 1)
	}
	if i == s.end-s.start && s.fill() && s.buf[s.start+i] == '"' {
		return s.quoted(i + 1)
	}
	return s.bare(i)
}

// quoted reads a cell whose content begins at from.
func (s *scanner) quoted(from int) (next int, more bool) {
	form := formQuoted
	for i := from; ; {
		w := s.buf[s.start:s.end]
		k := bytes.IndexByte(w[i:], '"')
		if k < 0 {
			i = len(w)
			if s.tooLong(from, i, true) {
				return 0, false
			}
			if !s.fill() {
				s.open = true
				return s.fail(CSVUnterminatedQuote, from-1, i)
			}
			continue
		}
		i += k
		if s.tooLong(from, i, true) {
			return 0, false
		}
		if i+1 == len(w) && !s.fill() {
			s.add(cell{int32(from), int32(i), form})
			s.open = true
			s.take(i+1, 0)
			return 0, false
		}
		switch s.buf[s.start+i+1] {
		case s.sep:
			s.add(cell{int32(from), int32(i), form})
			return i + 2, true
		case '"':
			form = formDoubled
			i += 2
		case '\n':
			s.add(cell{int32(from), int32(i), form})
			s.take(i+1, 1)
			return 0, false
		case '\r':
			s.add(cell{int32(from), int32(i), form})
			return s.carriageReturn(i + 1)
		default:
			return s.fail(CSVQuote, i, i+1)
		}
	}
}

// bare reads a cell without quotes that begins at from.
func (s *scanner) bare(from int) (next int, more bool) {
	for i := from; ; {
		w := s.buf[s.start:s.end]
		for i < len(w) && !s.ends(w[i]) {
			i++
		}
		if s.tooLong(from, i, false) {
			return 0, false
		}
		if i == len(w) {
			if s.fill() {
				continue
			}
			s.add(cell{from: int32(from), to: int32(i)})
			s.open = true
			s.take(i, 0)
			return 0, false
		}
		if w[i] == '"' {
			if i+1 == len(w) {
				s.fill() // what is after it explains it
			}
			return s.fail(CSVQuote, i, i)
		}
		s.add(cell{from: int32(from), to: int32(i)})
		switch w[i] {
		case s.sep:
			return i + 1, true
		case '\n':
			s.take(i, 1)
			return 0, false
		default:
			return s.carriageReturn(i)
		}
	}
}

// ends reports whether b cannot be inside a cell without quotes.
func (s *scanner) ends(b byte) bool { return b == s.sep || b == '"' || b == '\n' || b == '\r' }

// carriageReturn ends the record at the CR at i: CRLF is a line end, CR alone a fault.
func (s *scanner) carriageReturn(i int) (next int, more bool) {
	if i+1 < s.end-s.start || s.fill() {
		if s.buf[s.start+i+1] == '\n' {
			s.take(i, 2)
			return 0, false
		}
	} else {
		s.open = true
	}
	s.fault = scanFault{code: CSVLineEnd, at: i}
	s.take(i, 0)
	s.advance(1)
	return 0, false
}

// add notes a cell; beyond the limit cells are only counted.
func (s *scanner) add(c cell) {
	if s.width < s.maxColumns {
		s.cells = append(s.cells, c)
	}
	s.width++
}

// tooLong ends the record when its cell from from, read up to i, breaks a limit. What
// is reported does not depend on how the stream was cut: it is the limit that the bytes
// meet first.
func (s *scanner) tooLong(from, i int, quoted bool) bool {
	size, begin := i, from
	if quoted {
		size, begin = i+1, from-1 // the quotes are bytes of the row
	}
	switch {
	case i-from > s.maxCell && from+s.maxCell <= s.maxRow:
		s.fault = scanFault{code: LimitCell, at: begin}
	case size > s.maxRow:
		s.fault = scanFault{code: LimitRow}
	default:
		return false
	}
	s.take(from, 0)
	s.skip = skipBare
	if quoted {
		s.skip = skipQuoted
	}
	return true
}

// fail ends the record with a fault at at; what follows from rest on is skipped to the
// end of its line.
func (s *scanner) fail(c ledger.Code, at, rest int) (next int, more bool) {
	s.fault = scanFault{code: c, at: at}
	if c == CSVQuote {
		s.fault.next = s.around(at)
		s.fault.bare = rest == at
	}
	s.take(rest, 0)
	s.skip = skipLine
	return 0, false
}

// around is what explains a misplaced quote: a backslash before it, or the byte after
// it.
func (s *scanner) around(at int) byte {
	w := s.buf[s.start:s.end]
	switch {
	case at > 0 && w[at-1] == '\\':
		return '\\'
	case at+1 < len(w):
		return w[at+1]
	}
	return 0
}
