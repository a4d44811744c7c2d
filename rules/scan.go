package rules

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A scanner splits a text into records and their values (L43). It holds one record at a time, of a limited length. A
// record with a fault is skipped to a line end, which depends on the fault.
type scanner struct {
	src  io.Reader
	sep  byte // what separates values
	most int  // bytes of a record

	buf        []byte
	start, end int      // the unread bytes of buf
	next       position // of buf[start]
	eof        bool
	err        error // why the text ended early; the record that it cut off is dropped

	// The last record.
	raw     []byte   // without its line end; of one with a fault, what was read of it
	begin   position // of raw
	cells   []cell
	fault   scanFault
	lineEnd string // "\n" or "\r\n"; "\r" after a CSVLineEnd; empty at the end of the text, and until rest was called
	plain   bool   // raw is printable ASCII
	marked  bool   // raw begins with a byte-order mark, which is not part of the first value
	bare    bool   // a value is without quotes, and not empty
	open    bool   // the record was ended by the end of the text
	skip    skipMode

	shared   string // the beginning of buf from some record on, for texts of records
	sharedAt int64  // its offset
}

// A position is that of a byte in a text: its offset, its line from 1, and its column from 0, in bytes.
type position struct {
	offset int64
	line   int
	column int
}

// after returns the position after text, which begins at p.
func (p position) after(text []byte) position {
	p.offset += int64(len(text))
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p.line += n
		p.column = len(text) - 1 - bytes.LastIndexByte(text, '\n')
	} else {
		p.column += len(text)
	}
	return p
}

// setIn sets the position in a place.
func (p position) setIn(at *ledger.Place) { at.Line, at.Col, at.Offset = p.line, p.column+1, p.offset }

// A scanFault is why a record cannot be read; the zero value is none.
type scanFault struct {
	code ledger.Code
	at   int  // in raw
	near byte // of a misplaced quote: what follows it, or a backslash before it
	bare bool // the quote is in a value without quotes
}

// A skipMode is how the end of a record with a fault is found.
type skipMode uint8

const (
	skipNothing skipMode = iota
	skipLine             // up to the next line end, quoted or not
	skipBare             // up to the next line end outside quotes, from outside quotes
	skipQuoted           // the same, from inside quotes
)

// A cell is one value of a record: its content is [from, to) in the bytes of the record.
type cell struct {
	from, to int32
	form     cellForm
}

// A cellForm is how a value is written.
type cellForm uint8

const (
	formBare    cellForm = iota // without quotes
	formQuoted                  // in quotes, with none inside
	formDoubled                 // in quotes, with doubled ones inside
)

// start is where the cell begins, its quote included.
func (c cell) start() int {
	if c.form == formBare {
		return int(c.from)
	}
	return int(c.from) - 1
}

// of returns the value in the text of its record, without its quotes.
func (c cell) of(text string) string {
	s := text[c.from:c.to]
	if c.form == formDoubled {
		return undouble(s)
	}
	return s
}

// rawOffset maps an offset in the unquoted value to one in the record.
func (c cell) rawOffset(record []byte, i int) int {
	at := int(c.from)
	if c.form != formDoubled {
		return at + i
	}
	for ; i > 0; i-- {
		if record[at] == '"' {
			at++ // the doubled quote is one byte of the value
		}
		at++
	}
	return at
}

// maxCells is how many values a record may have (L56d).
const maxCells = 128

// The buffer is small at first, so that a request with a few rows is cheap to read.
const (
	firstBuffer = 1 << 10
	bufferSize  = 32 << 10
)

func newScanner(src io.Reader, most int) *scanner {
	return &scanner{src: src, sep: ';', most: most, buf: make([]byte, firstBuffer), next: position{line: 1}, cells: make([]cell, 0, columnCount)}
}

// read makes the scanner read a text in memory, which begins at a position.
func (s *scanner) read(text []byte, at position) {
	s.buf, s.start, s.end, s.eof, s.next, s.skip, s.shared = text, 0, len(text), true, at, skipNothing, ""
}

// fill reads more bytes; false at the end of the text.
func (s *scanner) fill() bool {
	if s.eof {
		return false
	}
	if s.end == len(s.buf) {
		if s.start > 0 {
			s.end = copy(s.buf, s.buf[s.start:s.end])
			s.start = 0
		}
		if s.end > len(s.buf)/2 || len(s.buf) < bufferSize {
			s.buf = append(s.buf, make([]byte, max(len(s.buf), bufferSize-len(s.buf)))...)
		}
	}
	n, err := readSome(s.src, s.buf[s.end:])
	s.end += n
	if err != nil {
		s.eof = true
		if err != io.EOF { // an error that wraps io.EOF is a failure
			s.err = err
		}
	}
	return n > 0
}

// has reports whether the text has byte i of the record.
func (s *scanner) has(i int) bool {
	for i >= s.end-s.start {
		if !s.fill() {
			return false
		}
	}
	return true
}

// rescan reads the last record again, with another separator; nothing after it was read.
func (s *scanner) rescan(sep byte) {
	s.start -= int(s.next.offset - s.begin.offset)
	s.next, s.skip, s.sep = s.begin, skipNothing, sep
	s.scan()
}

// skipBOM skips a byte-order mark, and reports whether there is one.
func (s *scanner) skipBOM() bool {
	if !s.has(len(mark)-1) || string(s.buf[s.start:s.start+len(mark)]) != mark {
		return false
	}
	s.advance(len(mark))
	return true
}

// mark is the byte-order mark of UTF-8.
const mark = "\xEF\xBB\xBF"

// advance skips n bytes.
func (s *scanner) advance(n int) {
	s.next = s.next.after(s.buf[s.start : s.start+n])
	s.start += n
}

// scan reads one record; false at the end of the text.
func (s *scanner) scan() bool {
	if s.skip != skipNothing {
		s.rest(nil)
	}
	s.cells, s.fault, s.lineEnd, s.open = s.cells[:0], scanFault{}, "", false
	s.bare = false
	if !s.has(0) {
		return false
	}
	i := 0
	if s.marked = s.buf[s.start] == mark[0] && s.has(len(mark)-1) && string(s.buf[s.start:s.start+len(mark)]) == mark; s.marked {
		i = len(mark)
	}
	s.split(i)
	return !s.open || s.err == nil
}

// split reads the values of the record, the first of which begins at byte i. In a value in quotes it looks for the next
// quote, and for bytes that are not printable ASCII, eight bytes at a time.
func (s *scanner) split(i int) {
	w, most, sep, cells := s.buf[s.start:s.end], s.most, s.sep, s.cells
	odd := uint64(0)
	for {
		if i >= len(w) && s.fill() {
			w = s.buf[s.start:s.end]
		}
		c := cell{from: int32(i)}
		if i < len(w) && w[i] == '"' {
			i++
			c = cell{int32(i), 0, formQuoted}
			for {
				for ; i+8 <= len(w); i += 8 {
					x := binary.LittleEndian.Uint64(w[i:])
					quotes := x ^ '"'*byteOnes
					if quotes = (quotes - byteOnes) &^ quotes & byteTops; quotes != 0 {
						odd |= oddBytes(x) & (quotes - 1) &^ quotes // of the bytes before the first quote
						i += bits.TrailingZeros64(quotes) / 8
						break
					}
					odd |= oddBytes(x)
				}
				for i < len(w) && w[i] != '"' {
					odd |= oddBytes(uint64(w[i]) | ' '*(byteOnes-1))
					i++
				}
				if i+1 < len(w) { // the byte after the quote was read
					if w[i+1] != '"' {
						break
					}
					c.form = formDoubled
					i += 2
					continue
				}
				if i == len(w) && len(w) > most || !s.fill() {
					break
				}
				w = s.buf[s.start:s.end]
			}
			if i == len(w) {
				s.cells, s.plain = cells, odd&byteTops == 0
				s.unterminated(int(c.from)-1, i)
				return
			}
			c.to = int32(i)
			i++
		} else {
			for i <= most {
				if i < len(w) {
					if b := w[i]; b == sep || b == '"' || b == '\n' || b == '\r' {
						break
					}
					odd |= oddBytes(uint64(w[i]) | ' '*(byteOnes-1))
					i++
				} else if !s.fill() {
					break
				}
				w = s.buf[s.start:s.end]
			}
			c.to = int32(i)
			s.bare = s.bare || c.from < c.to
		}
		if i > most || i >= len(w) || w[i] != sep || len(cells) == maxCells {
			s.cells, s.plain = cells, odd&byteTops == 0
			s.lastValue(c, i)
			return
		}
		cells = append(cells, c)
		i++
	}
}

// sharedSize is the most bytes of records that share memory, unless one record is longer.
const sharedSize = 6784

// text returns the last record, which has no fault. Adjacent short records share memory.
func (s *scanner) text() string {
	at := s.begin.offset - s.sharedAt
	if end := at + int64(len(s.raw)); at < 0 || end > int64(len(s.shared)) {
		w := s.buf[s.start-len(s.raw)-len(s.lineEnd) : s.end]
		s.shared, s.sharedAt, at = string(w[:max(len(s.raw), min(len(w), sharedSize))]), s.begin.offset, 0
	}
	return s.shared[at:][:len(s.raw)]
}

// unterminated ends the record at a quote that is not closed in the size bytes that were read.
func (s *scanner) unterminated(at, size int) {
	if size > s.most {
		s.tooLong()
		return
	}
	s.open = true
	s.fail(CSVUnterminatedQuote, at, size, skipNothing)
}

// lastValue ends the record after value c, which ends before byte i.
func (s *scanner) lastValue(c cell, i int) {
	ended := !s.has(i)
	next := byte('\n')
	if !ended {
		next = s.buf[s.start+i]
	}
	switch {
	case i > s.most:
		s.tooLong()
		return
	case next != s.sep && s.isFault(next, c.form):
		s.failQuote(i, c.form)
		return
	case len(s.cells) == maxCells:
		s.fail(LimitColumns, 0, i, skipBare)
		return
	}
	s.cells = append(s.cells, c)
	switch {
	case ended:
		s.open = true
		s.endRecord(i, "")
	case next == '\n':
		s.endRecord(i, "\n")
	case s.has(i+1) && s.buf[s.start+i+1] == '\n':
		s.endRecord(i, "\r\n")
	default:
		s.open = s.end-s.start == i+1 // it may be half of a line end
		s.fault = scanFault{code: CSVLineEnd, at: i}
		s.endRecord(i, "\r")
	}
}

// isFault reports whether byte b may not follow a value.
func (s *scanner) isFault(b byte, form cellForm) bool {
	return b == '"' || form != formBare && b != '\n' && b != '\r'
}

// failQuote ends the record at a misplaced quote: the one before byte i, or byte i of a value without quotes.
func (s *scanner) failQuote(i int, form cellForm) {
	at := i - 1
	if form == formBare {
		at = i
		s.has(i + 1)
	}
	w := s.buf[s.start:s.end]
	near := byte(0)
	switch {
	case at > 0 && w[at-1] == '\\':
		near = '\\'
	case at+1 < len(w):
		near = w[at+1]
	}
	s.fail(CSVQuote, at, i, skipLine)
	s.fault.near, s.fault.bare = near, form == formBare
}

// tooLong ends a record that is longer than the limit, of which so many bytes are kept, however the text arrives.
func (s *scanner) tooLong() {
	skip := skipBare
	if bytes.Count(s.buf[s.start:s.start+s.most], []byte{'"'})%2 == 1 {
		skip = skipQuoted
	}
	s.fail(LimitRow, 0, s.most, skip)
}

// fail ends the record with a fault at byte at, size bytes of it being read.
func (s *scanner) fail(c ledger.Code, at, size int, skip skipMode) {
	s.fault, s.skip, s.plain = scanFault{code: c, at: at}, skip, isPlain(s.buf[s.start:s.start+size])
	s.endRecord(size, "")
}

// endRecord ends the record, of which size bytes were read.
func (s *scanner) endRecord(size int, lineEnd string) {
	s.raw, s.begin, s.lineEnd = s.buf[s.start:s.start+size], s.next, lineEnd
	s.start += size + len(lineEnd)
	if !s.plain {
		s.next = s.next.after(s.raw)
	} else { // it is one line
		s.next.offset += int64(size)
		s.next.column += size
	}
	s.next.offset += int64(len(lineEnd))
	if s.next.column += len(lineEnd); strings.HasSuffix(lineEnd, "\n") {
		s.next.line++
		s.next.column = 0
	}
}

// rest skips a record with a fault up to its line end, and passes the pieces to see, which may be nil.
func (s *scanner) rest(see func(piece []byte)) {
	for s.skip != skipNothing && s.has(0) {
		w := s.buf[s.start:s.end]
		n := 0
		for n < len(w) && (w[n] != '\n' || s.skip == skipQuoted) {
			switch {
			case w[n] != '"' || s.skip == skipLine:
			case s.skip == skipBare:
				s.skip = skipQuoted
			default:
				s.skip = skipBare
			}
			n++
		}
		text := n
		switch {
		case n < len(w):
			s.skip, s.lineEnd = skipNothing, "\n"
			if text > 0 && w[text-1] == '\r' {
				text--
				s.lineEnd = "\r\n"
			}
		case w[n-1] == '\r' && n == 1 && s.fill(): // perhaps the first half of a line end
			continue
		case w[n-1] == '\r' && n > 1:
			text = n - 1
		}
		if see != nil {
			see(w[:text])
		}
		s.advance(text + len(s.lineEnd))
	}
	s.skip = skipNothing
}

// position returns the position of byte at of the last record.
func (s *scanner) position(at int) position {
	at = min(at, len(s.raw))
	if s.plain { // it is one line
		return position{s.begin.offset + int64(at), s.begin.line, s.begin.column + at}
	}
	return s.begin.after(s.raw[:at])
}

const (
	byteOnes = 0x0101010101010101
	byteTops = 0x8080808080808080
)

// oddBytes returns a word with a top bit set if a byte of x is not printable ASCII. That of the lowest such byte is exact:
// no byte before it carries or borrows.
func oddBytes(x uint64) uint64 { return (x - ' '*byteOnes) | (x + byteOnes) }

// isPlain reports whether b is printable ASCII and nothing else.
func isPlain[T string | []byte](b T) bool {
	var odd uint64
	for ; len(b) >= 8; b = b[8:] {
		odd |= oddBytes(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
	}
	for i := range len(b) {
		if b[i] < ' ' || b[i] > '~' {
			return false
		}
	}
	return odd&byteTops == 0
}

// readSome reads at least one byte. The error is that of src, or io.ErrNoProgress.
func readSome(src io.Reader, p []byte) (n int, err error) {
	for range maxIdleReads {
		if n, err = src.Read(p); n > 0 || err != nil {
			return max(0, n), err
		}
	}
	return 0, io.ErrNoProgress
}

// maxIdleReads is how many reads in a row may return neither a byte nor an error.
const maxIdleReads = 100
