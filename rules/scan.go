package rules

import (
	"bytes"
	"encoding/binary"
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
	plain bool // raw is printable ASCII
	cells []cell
	width int
	fault scanFault
	at    int64  // offset of raw
	row   int    // line of raw
	left  int    // bytes of that line before raw
	block string // unread bytes as they were when a record's text was asked for, which records share
	begun int64  // offset of the block
	open  bool   // nothing but the end of the stream ended the record
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
	bufferSize  = 32 << 10
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
	s.offset, s.line, s.col, s.skip, s.block = 0, 1, 0, skipNothing, ""
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
	s.raw = s.buf[s.start : s.start+size]
	s.plain = isPlain(s.raw)
	s.at, s.row, s.left = s.offset, s.line, s.col
	s.advance(size + n)
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
		s.leave()
	}
	s.cells, s.width, s.fault, s.open = s.cells[:0], 0, scanFault{}, false
	if s.start == s.end && !s.fill() {
		return false
	}
	for i := 0; ; {
		next, more := s.cell(i)
		if !more {
			break
		}
		i = next
	}
	return !s.open || s.err == nil // a record that a broken stream cut off is none
}

// blockSize is how much text records share at most; a longer one has its own.
const blockSize = 14 << 10

// text is the last record as a text. Records that were read together share the memory of theirs, so that most cost
// nothing.
func (s *scanner) text() string {
	if text := s.inBlock(s.at); len(text) >= len(s.raw) && s.block != "" {
		return text[:len(s.raw)]
	}
	s.newBlock(s.start-int(s.offset-s.at), s.at, len(s.raw))
	return s.block[:len(s.raw)]
}

// enoughAhead is more than most records have.
const enoughAhead = 1 << 10

// fillLine reads more bytes where no whole line is at hand, so that none has to be waited for that is not needed.
func (s *scanner) fillLine() {
	if rest := s.buf[s.start:s.end]; len(rest) < enoughAhead && bytes.IndexByte(rest, '\n') < 0 {
		s.fill()
	}
}

// ahead is what is at hand of the unread text, as far as no limit can be met in it.
func (s *scanner) ahead() string {
	text := s.inBlock(s.offset)
	if len(text) < min(s.end-s.start, enoughAhead) {
		s.newBlock(s.start, s.offset, 0)
		text = s.block
	}
	return text[:min(len(text), s.maxRow, s.maxCell)]
}

// inBlock is what the block has from an offset on.
func (s *scanner) inBlock(offset int64) string {
	if from := offset - s.begun; from >= 0 && from < int64(len(s.block)) {
		return s.block[from:]
	}
	return ""
}

// newBlock makes a block of what is in the buffer from a place on, of at least so many bytes.
func (s *scanner) newBlock(from int, offset int64, least int) {
	rest := s.buf[from:s.end]
	s.block, s.begun = string(rest[:max(least, min(len(rest), blockSize))]), offset
}

// accept takes the record of so many bytes and values that the caller has read in what is ahead, with its line end.
func (s *scanner) accept(size, ends, values int) {
	s.raw, s.width, s.fault, s.open = s.buf[s.start:s.start+size], values, scanFault{}, false
	s.line++
	s.col = 0
	s.offset += int64(size + ends)
	s.start += size + ends
}

// leave goes to the end of a faulty record. Where the stream ends first, there is still something to skip.
func (s *scanner) leave() {
	for {
		for i, b := range s.buf[s.start:s.end] {
			switch {
			case b == '"' && s.skip == skipBare:
				s.skip = skipQuoted
			case b == '"' && s.skip == skipQuoted:
				s.skip = skipBare
			case b == '\n' && s.skip != skipQuoted:
				s.skip = skipNothing
				s.advance(i + 1)
				return
			}
		}
		s.advance(s.end - s.start)
		s.start, s.end = 0, 0
		if !s.fill() {
			return
		}
	}
}

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

// lineEndAt is how many bytes the line end at i has; 0 where there is none.
func lineEndAt(w string, i int) int {
	switch {
	case w[i] == '\n':
		return 1
	case w[i] == '\r' && i+1 < len(w) && w[i+1] == '\n':
		return 2
	}
	return 0
}

const (
	byteOnes = 0x0101010101010101
	byteTops = 0x8080808080808080
)

// oddBytes returns a word with a top bit set if a byte of x is not printable ASCII. The lowest such byte
// shows: no byte before it makes the sum carry or the difference borrow.
func oddBytes(x uint64) uint64 { return (x - ' '*byteOnes) | (x + byteOnes) }

// quotesIn returns a word whose lowest bit set is the top bit of the first quote in x; 0 if there is
// none. The bits above it mean nothing.
func quotesIn(x uint64) uint64 {
	x ^= '"' * byteOnes
	return (x - byteOnes) &^ x & byteTops
}

// isPlain reports whether b is printable ASCII and nothing else.
func isPlain(b []byte) bool {
	var odd uint64
	for ; len(b) >= 32; b = b[32:] {
		odd |= oddBytes(binary.LittleEndian.Uint64(b)) | oddBytes(binary.LittleEndian.Uint64(b[8:])) |
			oddBytes(binary.LittleEndian.Uint64(b[16:])) | oddBytes(binary.LittleEndian.Uint64(b[24:]))
	}
	for ; len(b) >= 8; b = b[8:] {
		odd |= oddBytes(binary.LittleEndian.Uint64(b))
	}
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return odd&byteTops == 0
}
