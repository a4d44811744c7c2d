package rules

import (
	"bytes"
	"io"

	"github.com/chargecast/chargecast/ledger"
)

// A scanFault is why a record cannot be read; the zero value is none.
type scanFault struct {
	code ledger.Code
	at   int  // in the record's bytes
	next byte // of a misplaced quote: what is after it, or a backslash before it
	bare bool // it is in a value without quotes
}

// A scanner cuts a stream into records and cells by L43. It holds one record at a time
// and never more than the limits allow; what it cannot read it skips to the end of the
// line, so that the next record is read as if alone.
type scanner struct {
	src        io.Reader
	sep        byte // what separates values: ; but in a text that is refused for it
	maxRow     int
	maxCell    int
	maxColumns int

	buf        []byte
	start, end int   // the unread bytes of buf
	offset     int64 // of buf[start] in the stream
	line       int   // of buf[start], from 1
	col        int   // bytes of that line before buf[start]
	eof        bool
	err        error // why the stream ended early; the last record is then dropped
	skip       skipping

	// The last record: raw without its line end, its cells up to maxColumns, and
	// how many there are in all.
	raw   []byte
	plain bool   // raw is printable ASCII
	cells []cell // but for those of the first runs of the pattern that are not placed yet
	width int
	fault scanFault
	at    int64 // offset of raw
	row   int   // line of raw
	left  int   // bytes of that line before raw
	open  bool  // nothing but the end of the stream ended the record

	known pattern
	run   int // the next run of the pattern that the record is to agree with

	unplaced int // runs that the record agrees with and whose cells are not placed
}

// skipping says how the rest of a faulty record is skipped.
type skipping uint8

const (
	skipNothing skipping = iota
	skipLine             // up to the next line end, whatever is before it
	skipBare             // up to the next line end outside quotes, from outside quotes
	skipQuoted           // the same, from inside quotes
)

// The buffer of a stream. It begins small, so that a request with a few rows is cheap to read, and
// stays small enough for the processor's nearest cache.
const (
	firstBuffer = 1 << 10
	nextBuffer  = 8 << 10
	bufferSize  = 16 << 10
)

// usualCells is as many cells as the rows of most payloads have, or more.
const usualCells = 40

func newScanner(src io.Reader, o Options) *scanner {
	return &scanner{
		src: src, sep: ';', maxRow: o.MaxRow, maxCell: o.MaxCell, maxColumns: o.MaxColumns,
		buf: make([]byte, firstBuffer), line: 1, cells: make([]cell, 0, usualCells),
	}
}

// over makes the scanner read a text that is in memory, and nothing after it.
func (s *scanner) over(text []byte) {
	s.buf, s.start, s.end, s.eof = text, 0, len(text), true
	s.offset, s.line, s.col, s.skip = 0, 1, 0, skipNothing
}

// fill reads more bytes behind the unread ones; false at the end of the stream.
func (s *scanner) fill() bool {
	if s.eof {
		return false
	}
	if s.end == len(s.buf) && len(s.buf) < bufferSize {
		size := bufferSize
		if len(s.buf) < nextBuffer {
			size = nextBuffer
		}
		s.buf = append(s.buf, make([]byte, size-len(s.buf))...)
	}
	if s.start > 0 && s.end == len(s.buf) {
		copy(s.buf, s.buf[s.start:s.end])
		s.start, s.end = 0, s.end-s.start
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range maxIdleReads {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += max(0, n)
		if err != nil {
			s.eof = true
			if err != io.EOF { // an error that wraps io.EOF is a failure
				s.err = err
			}
		}
		if n > 0 || s.eof {
			return n > 0
		}
	}
	s.eof, s.err = true, io.ErrNoProgress
	return false
}

// take ends the record that has size bytes and is followed by a line end of n bytes.
func (s *scanner) take(size, n int) {
	s.takeAs(isPlain(s.buf[s.start:s.start+size]), size, n)
}

// takeAs is take for a record that is already known to be plain or not.
func (s *scanner) takeAs(plain bool, size, n int) {
	s.raw, s.plain = s.buf[s.start:s.start+size], plain
	s.at, s.row, s.left = s.offset, s.line, s.col
	if !plain || n == 0 {
		s.advance(size + n)
		return
	}
	// No line end but the one at the end.
	s.line++
	s.col = 0
	s.offset += int64(size + n)
	s.start += size + n
}

// advance leaves n bytes behind.
func (s *scanner) advance(n int) {
	s.move(s.buf[s.start : s.start+n])
	s.offset += int64(n)
	s.start += n
}

// move counts the lines and columns of bytes that are left behind.
func (s *scanner) move(gone []byte) {
	if lines := bytes.Count(gone, []byte{'\n'}); lines > 0 {
		s.line += lines
		s.col = len(gone) - 1 - bytes.LastIndexByte(gone, '\n')
	} else {
		s.col += len(gone)
	}
}

// rewind goes back to the beginning of the last record, and reads it and what follows with another
// separator. Nothing may have been read since.
func (s *scanner) rewind(sep byte) {
	s.start -= int(s.offset - s.at)
	s.offset, s.line, s.col = s.at, s.row, s.left
	s.skip, s.sep = skipNothing, sep
}

// mark is the byte-order mark of UTF-8.
const mark = "\xEF\xBB\xBF"

// unmark leaves a byte-order mark at the beginning behind, and reports whether there was
// one.
func (s *scanner) unmark() bool {
	for s.end-s.start < len(mark) && s.fill() {
	}
	if !bytes.HasPrefix(s.buf[s.start:s.end], []byte(mark)) {
		return false
	}
	s.advance(len(mark))
	return true
}

// next reads one record; false at the end of the stream.
func (s *scanner) next() bool {
	if s.skip != skipNothing {
		s.leave(nil)
	}
	s.cells, s.width, s.fault, s.open, s.run, s.unplaced = s.cells[:0], 0, scanFault{}, false, 0, 0
	if s.start == s.end && !s.fill() {
		return false
	}
	if s.end-s.start <= len(s.raw) && !hasLineEnd(s.buf[s.start:s.end]) {
		s.fill() // the record needs it, and agrees with the pattern only if it is at hand whole
	}
	for i := 0; ; {
		if s.width == len(s.cells) && s.sep == ';' {
			if i = s.quickly(i); i < 0 {
				break
			}
		}
		next, more := s.cell(i)
		if !more {
			break
		}
		i = next
	}
	return !s.open || s.err == nil // a record that a broken stream cut off is none
}

// hasLineEnd reports whether b has a CR or LF. It is asked at the end of each buffer.
func hasLineEnd(b []byte) bool {
	return bytes.IndexByte(b, '\n') >= 0 || bytes.IndexByte(b, '\r') >= 0
}

// agrees reports whether the record has every run of the pattern.
func (s *scanner) agrees() bool { return s.run == len(s.known.runs) && s.run > 0 }

// lineEnd is what ended the last record: LF, CRLF, the CR of a fault, or nothing. Nothing may have
// been read since.
func (s *scanner) lineEnd() []byte {
	return s.buf[s.start-int(s.offset-s.at)+len(s.raw) : s.start]
}

// leave goes to the end of a faulty record. What it passes is handed to see, which may be nil. Where
// the stream ends first, there is still something to skip.
func (s *scanner) leave(see func([]byte)) {
	for {
		for i, b := range s.buf[s.start:s.end] {
			switch {
			case b == '"' && s.skip == skipBare:
				s.skip = skipQuoted
			case b == '"' && s.skip == skipQuoted:
				s.skip = skipBare
			case b == '\n' && s.skip != skipQuoted:
				s.skip = skipNothing
				if see != nil {
					see(s.buf[s.start : s.start+i+1])
				}
				s.advance(i + 1)
				return
			}
		}
		if see != nil {
			see(s.buf[s.start:s.end])
		}
		s.advance(s.end - s.start)
		s.start, s.end = 0, 0
		if !s.fill() {
			return
		}
	}
}
