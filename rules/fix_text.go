package rules

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mostCells is how many values of a record are kept apart: a payload has 33.
const mostCells = maxCells

// A cutter splits a text into records as exports write them, and holds one at a time. It is no scanner, since it keeps, byte
// for byte and with its line end, what a scanner refuses: beyond L43 the values may be separated by another byte, white
// space may be around the quotes of a value, ="…" is a value in quotes, and where the first line ends with CR alone each
// line does. A record whose quotes do not match ends with its line.
type cutter struct {
	splitter
	src    *bufio.Reader
	most   int    // bytes of a record; a longer one is not held whole
	raw    []byte // the record without its line end
	end    string // its line end
	bare   bool   // a value is not in quotes
	over   bool   // the record is longer than most, and raw is its beginning
	line   int    // of its beginning, from 1
	lines  int    // that it has
	left   int    // bytes of the first line before the first record
	lineCR bool   // CR alone ends a line
	begun  bool   // lineCR is known
	more   bool   // there is a rest of the record
}

func newCutter(text *textReader, most int) *cutter {
	return &cutter{splitter: splitter{sep: ';'}, src: bufio.NewReaderSize(text, 32<<10), most: most, line: 1, left: text.left}
}

// next reads a record; false at the end of the text.
func (c *cutter) next() bool {
	c.rest(func([]byte) {})
	c.line += c.lines
	c.raw, c.lines, c.over = c.raw[:0], 0, false
	c.restart()
	c.more, c.end = true, ""
	for c.more && !c.over {
		piece, ok := c.piece()
		if c.raw = append(c.raw, piece...); !ok && len(c.raw) == 0 {
			return false
		}
		if n := len(c.raw) - 1; c.end == "\n" && n >= 0 && c.raw[n] == '\r' { // the two came in two pieces
			c.raw, c.end = c.raw[:n], "\r\n"
		}
		c.over = len(c.raw) > c.most+1 || !c.more && len(c.raw) > c.most
	}
	if !c.over {
		c.split(c.raw)
		c.bare = slices.ContainsFunc(c.cells, func(v cellText) bool { return !v.quoted && len(v.raw) > 0 })
	}
	return true
}

// rest reads what is left of a record that is longer than may be held.
func (c *cutter) rest(see func([]byte)) {
	for c.more {
		piece, _ := c.piece()
		see(piece)
	}
}

// piece reads up to the end of the record, or of the buffer; a line end that ends the record is in end and not in the
// piece. The result is false at the end of the text.
func (c *cutter) piece() (piece []byte, ok bool) {
	if _, err := c.src.Peek(1); err != nil {
		c.more = false
		return nil, false
	}
	piece, _ = c.src.Peek(c.src.Buffered())
	if !c.begun {
		if i := firstLineEnd(piece); i+1 < len(piece) {
			c.lineCR, c.begun = piece[i] == '\r' && piece[i+1] != '\n', true
		}
	}
	n, ended := c.scan(piece)
	piece = piece[:n]
	c.lines += bytes.Count(piece, []byte{'\n'})
	if !ended {
		_, _ = c.src.Discard(n)
		return piece, true
	}
	c.more = false
	size := 1
	switch {
	case n > 0 && c.lineCR && piece[n-1] == '\r':
		c.end, piece = "\r", piece[:n-1]
		c.lines++
	default:
		c.end, piece = "\n", piece[:n-1]
		if n := len(piece) - 1; n >= 0 && piece[n] == '\r' {
			c.end, piece, size = "\r\n", piece[:n], 2
		}
	}
	_, _ = c.src.Discard(len(piece) + size)
	return piece, true
}

// firstLineEnd is the first byte that ends a line and is not between quotes, whatever separates the values; len(p) if
// there is none.
func firstLineEnd(p []byte) int {
	inside := false
	for i, b := range p {
		switch {
		case b == '"':
			inside = !inside
		case !inside && (b == '\r' || b == '\n'):
			return i
		}
	}
	return len(p)
}

// scan returns how many bytes of p belong to the record with its line end, and whether the line end is among them.
func (c *cutter) scan(p []byte) (n int, ended bool) {
	for i := 0; i < len(p); i++ {
		if c.state == inQuotes {
			k := bytes.IndexByte(p[i:], '"')
			if k < 0 {
				return len(p), false
			}
			i += k
		} else if p[i] == '\n' || p[i] == '\r' && c.lineCR {
			return i + 1, true
		}
		c.state = c.state.after(p[i], c.sep)
	}
	return len(p), false
}

// A splitter finds the values of a record.
type splitter struct {
	sep   byte
	state quoting
	cells []cellText // the values, as far as the quotes match, at most mostCells and one
	bad   bool       // they do not
}

func (s *splitter) restart() { s.state, s.cells, s.bad = atStart, s.cells[:0], false }

// split splits a record.
func (s *splitter) split(raw []byte) {
	s.restart()
	cell, to := cellText{}, 0 // what is read, and the end of what is between its quotes
	end := func(i int) {
		if s.state == atQuote || s.state == atAfter {
			cell.loose = cell.at < cell.from || to < i
		} else {
			cell.from, to = cell.at, i
		}
		cell.raw = raw[cell.from:to]
		s.cells = append(s.cells, cell)
		cell = cellText{at: i + 1}
	}
	for i := 0; i < len(raw) && s.state != atFault && len(s.cells) <= mostCells; i++ {
		was, b := s.state, raw[i]
		switch s.state = was.after(b, s.sep); {
		case was == inQuotes:
			to = i + 1
		case b == s.sep:
			s.state = was
			end(i)
			s.state = atStart
		case s.state == atEquals, was == atStart && s.state == inQuotes:
			cell.from, cell.quoted = i, s.state == inQuotes
		}
	}
	if s.bad = s.state == inQuotes || s.state == atFault; !s.bad && len(s.cells) <= mostCells {
		end(len(raw))
	}
}

// A quoting is where in a record a byte is.
type quoting uint8

const (
	atStart  quoting = iota // of a value, or in white space before it
	atEquals                // after = at the start
	inBare                  // in a value without quotes
	inQuotes                // in a value in quotes
	atQuote                 // after a quote that ends a value, or begins two
	atAfter                 // in white space after a value in quotes
	atFault                 // after a quote that is out of place
)

// after returns where the byte after b is.
func (q quoting) after(b, sep byte) quoting {
	switch {
	case q == atFault:
		return q
	case q == inQuotes:
		if b == '"' {
			return atQuote
		}
		return q
	case b == sep:
		return atStart
	case b == '"':
		switch q {
		case atStart, atEquals, atQuote:
			return inQuotes
		}
		return atFault
	case q == atStart && b == '=':
		return atEquals
	case isMargin(b):
		switch q {
		case atQuote:
			return atAfter
		case atEquals:
			return inBare
		}
		return q
	case q == atQuote, q == atAfter:
		return atFault
	}
	return inBare
}

// isMargin reports whether a byte is one of white space that may be around quotes: a space, a tab, a carriage return, a
// no-break space or a byte-order mark.
func isMargin(b byte) bool {
	switch b {
	case ' ', '\t', '\r', 0xC2, 0xA0, 0xEF, 0xBB, 0xBF:
		return true
	}
	return false
}

// A cellText is a value of a record as it is written.
type cellText struct {
	raw      []byte // its quotes included; of a value in quotes without what is around these
	at, from int    // where it begins in the record, and where raw does
	quoted   bool
	loose    bool // white space is around the quotes, or around ="…"
}

// text is the value: without its quotes, and with single ones for doubled.
func (c cellText) text() string {
	if !c.quoted {
		return string(c.raw)
	}
	return undouble(string(c.raw[1 : len(c.raw)-1]))
}

// name is the value without quotes of any kind and what cannot be seen around it.
func (c cellText) name() string {
	if len(c.raw) > 4*longestHeaderName {
		return string(c.raw[:4*longestHeaderName]) // no name is so long
	}
	s := strings.TrimFunc(c.text(), isUnseen)
	if inner, ok := formulaText(s); ok {
		s = strings.TrimFunc(inner, isUnseen)
	}
	if inner, ok := uncurl(s); ok && !c.quoted {
		return strings.TrimFunc(inner, isUnseen)
	}
	return s
}

// curly reports whether the value is in typographic quotes instead of straight ones.
func (c cellText) curly() bool {
	if c.quoted || len(c.raw) == 0 || isASCII(c.raw) {
		return false
	}
	_, ok := uncurl(strings.TrimFunc(string(c.raw), isUnseen))
	return ok
}

// blank reports whether there is nothing to be seen in the value, or between its quotes of any kind.
func (c cellText) blank() bool {
	raw := c.raw
	if c.quoted {
		raw = raw[1 : len(raw)-1]
	}
	if raw = bytes.TrimFunc(raw, isUnseen); len(raw) > longestHeaderName {
		return false
	}
	if c.quoted {
		return len(raw) == 0
	}
	return len(raw) == 0 || c.name() == ""
}

// closers are the typographic quotes that end what a quote begins.
var closers = map[rune]string{'“': "”", '”': "”", '„': "“”", '«': "»", '»': "«", '‘': "’", '‚': "‘’"}

// uncurl returns what is between typographic quotes; false for another text, and where there are more quotes inside,
// so that the text may end earlier.
func uncurl(s string) (string, bool) {
	first, size := utf8.DecodeRuneInString(s)
	last, end := utf8.DecodeLastRuneInString(s)
	if len(s) < size+end || closers[first] == "" || !strings.ContainsRune(closers[first], last) {
		return "", false
	}
	s = s[size : len(s)-end]
	if marks := "‘’‚"; strings.ContainsRune(marks, first) {
		return s, !strings.ContainsAny(s, marks)
	}
	return s, !strings.ContainsAny(s, "“”„«»")
}

// appendDoubled appends what is between double quotes, those inside doubled.
func appendDoubled(dst, s []byte) []byte {
	return append(dst, bytes.ReplaceAll(s, []byte{'"'}, []byte{'"', '"'})...)
}

// A textReader reads the text of a payload in UTF-8, without byte-order marks before it, and notes what shows that the
// text is not in the encoding that was given.
type textReader struct {
	raw, text    *bytesSeen
	src          *bufio.Reader
	marked, wide bool // a byte-order mark comes first; it is that of UTF-16
	left         int  // bytes of marks in UTF-8, which count as bytes of the first line
	given        bool
	odd          bool // the first bytes are those of another encoding
	err          error
}

func newTextReader(raw io.Reader, decode func(io.Reader) io.Reader) *textReader {
	t := &textReader{raw: &bytesSeen{src: raw}, given: decode != nil}
	first := bufio.NewReader(t.raw)
	head, _ := first.Peek(4)
	big, wide := utf16Order(head)
	begins := wide || bytes.HasPrefix(head, []byte(mark))
	var text io.Reader = first
	switch {
	case decode != nil:
		text = decode(first)
	case wide:
		t.wide, text = true, &utf16Reader{src: first, big: big}
	}
	t.text = &bytesSeen{src: text}
	t.src = bufio.NewReaderSize(t.text, 32<<10)
	for {
		head, _ := t.src.Peek(len(mark))
		if string(head) != mark {
			break
		}
		t.marked = true
		if decode == nil && !t.wide {
			t.left += len(mark)
		}
		_, _ = t.src.Discard(len(mark))
	}
	head, _ = t.src.Peek(4)
	t.odd = begins && !t.marked || bytes.IndexByte(head, 0) >= 0 // UTF-16 or UTF-32 without a mark
	return t
}

func (t *textReader) Read(p []byte) (int, error) {
	n, err := t.src.Read(p)
	if err != nil {
		t.err = err
	}
	return n, err
}

// unknown reports whether the text, read to its end, is neither in the given encoding nor in UTF-8 or marked UTF-16.
func (t *textReader) unknown() bool {
	switch {
	case t.odd || t.text.invalid || len(t.text.rest) > 0 || t.wide && t.text.replaced:
		return true
	case t.given: // a text that is UTF-8 is in no other encoding
		return t.text.replaced || t.text.controls || !t.raw.invalid && len(t.raw.rest) == 0 && t.raw.some
	}
	return false
}

// recoded reports whether what was read in the given encoding has other bytes in UTF-8.
func (t *textReader) recoded() bool {
	return t.given && (t.raw.some || t.text.some || t.raw.n != t.text.n)
}

// bytesSeen notes what bytes came by.
type bytesSeen struct {
	src      io.Reader
	rest     []byte // the beginning of a character
	n        int64
	some     bool // beyond ASCII
	invalid  bool // not in UTF-8
	replaced bool // U+FFFD
	controls bool // a control character beyond ASCII
}

func (b *bytesSeen) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	b.n += int64(max(0, n))
	switch text := p[:max(0, n)]; {
	case len(b.rest) > 0:
		b.see(append(b.rest, text...))
	case !isASCII(text):
		b.see(text)
	}
	return n, err
}

func (b *bytesSeen) see(text []byte) {
	b.some = true
	for len(text) > 0 && (len(text) >= utf8.UTFMax || utf8.FullRune(text)) {
		r, size := utf8.DecodeRune(text)
		b.invalid = b.invalid || r == utf8.RuneError && size == 1
		b.replaced = b.replaced || r == utf8.RuneError
		b.controls = b.controls || 0x80 <= r && r < 0xA0
		text = text[size:]
	}
	b.rest = append(b.rest[:0:0], text...)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// A utf16Reader turns UTF-16 into UTF-8. What is none becomes U+FFFD.
type utf16Reader struct {
	src  io.Reader
	big  bool // the high byte comes first
	buf  [4 << 10]byte
	have int    // bytes of buf that were read but not decoded
	out  []byte // decoded and not returned yet
	room []byte // memory for out
	err  error  // of src
}

// utf16Order reports whether a text begins with the mark of UTF-16, and whether the high byte comes first.
func utf16Order(head []byte) (big, ok bool) {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}) {
		return false, false // UTF-32
	}
	big = bytes.HasPrefix(head, []byte{0xFE, 0xFF})
	return big, big || bytes.HasPrefix(head, []byte{0xFF, 0xFE})
}

// Read returns UTF-8.
func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 && r.err == nil {
		var n int
		n, r.err = readSome(r.src, r.buf[r.have:])
		r.have += n
		r.decode()
	}
	n := copy(p, r.out)
	if r.out = r.out[n:]; n == 0 {
		return 0, r.err
	}
	return n, nil
}

// decode decodes what is complete, and at the end of src the rest.
func (r *utf16Reader) decode() {
	unit := func(i int) rune {
		if r.big {
			return rune(r.buf[i])<<8 | rune(r.buf[i+1])
		}
		return rune(r.buf[i+1])<<8 | rune(r.buf[i])
	}
	r.room = r.room[:0]
	i := 0
	for ; i+1 < r.have; i += 2 {
		c := unit(i)
		if utf16.IsSurrogate(c) {
			if i+3 >= r.have && r.err != io.EOF {
				break // its other half may follow
			}
			if i+3 < r.have && utf16.DecodeRune(c, unit(i+2)) != utf8.RuneError {
				c = utf16.DecodeRune(c, unit(i+2))
				i += 2
			}
		}
		r.room = utf8.AppendRune(r.room, c) // half of a character as U+FFFD
	}
	if r.err == io.EOF && i < r.have {
		r.room = utf8.AppendRune(r.room, utf8.RuneError)
	}
	r.have = copy(r.buf[:], r.buf[i:r.have])
	r.out = r.room
}
