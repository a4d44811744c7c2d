package reconcile

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

const (
	maxLine   = 1 << 20  // bytes of a line (L56d)
	maxQuoted = 64 << 10 // bytes of a quoted value: quotes farther apart are not a pair
)

// A text is read line by line. A line ends with LF, CR LF or CR alone. Package rules has a scanner
// for payloads, which keeps the place of every byte and has one separator; this one takes what
// banks write: lines of any separator, with spaces around quotes, a quote inside a value and joined
// files, and it goes on behind the first line of a quoted value that does not end.
type text struct {
	src  *bufio.Reader
	line int   // the number of the first unread line, from 1
	err  error // why there is no more to read, io.EOF at the end
}

func newText(r io.Reader) text { return text{src: bufio.NewReaderSize(r, maxLine), line: 1} }

// unread returns the bytes that are read from the source and not taken yet. They are valid until
// the next call of more.
func (t *text) unread() []byte {
	b, _ := t.src.Peek(t.src.Buffered())
	return b
}

// more reads more unread bytes; false at the end of the text, after an error, and where there are
// maxLine of them.
func (t *text) more() bool {
	if t.err != nil {
		return false
	}
	n := t.src.Buffered()
	b, err := t.src.Peek(n + 1)
	if err != nil && err != bufio.ErrBufferFull {
		t.err = err
	}
	return len(b) > n
}

// has reports whether there is an unread byte i.
func (t *text) has(i int) bool {
	for i >= t.src.Buffered() {
		if !t.more() {
			return false
		}
	}
	return true
}

// index returns the place of the first of some bytes from place i on, or where the unread bytes end
// without one.
func (t *text) index(i int, stops string) int {
	for {
		b := t.unread()
		if k := bytes.IndexAny(b[i:], stops); k >= 0 {
			return i + k
		}
		if i = len(b); !t.more() {
			return i
		}
	}
}

// lineEnd returns where the line that goes on at place i ends, and where the next one begins; whole
// is false if it is longer than the unread bytes can be.
func (t *text) lineEnd(i int) (end, next int, whole bool) {
	end = t.index(i, "\r\n")
	if !t.has(end) {
		return end, end, t.err != nil
	}
	next = end + 1
	if t.unread()[end] == '\r' && t.has(next) && t.unread()[next] == '\n' {
		next++
	}
	return end, next, true
}

// take takes n bytes, which end with a line.
func (t *text) take(n int) {
	b := t.unread()[:n]
	t.line += max(1, bytes.Count(b, []byte("\n"))+bytes.Count(b, []byte("\r"))-bytes.Count(b, []byte("\r\n")))
	_, _ = t.src.Discard(n)
}

// drop takes a line of any length.
func (t *text) drop() {
	_, next, whole := t.lineEnd(0)
	for ; !whole; _, next, whole = t.lineEnd(0) {
		_, _ = t.src.Discard(next)
	}
	t.take(next)
}

// A cell is a value of a record: the bytes from … to of the unread ones.
type cell struct {
	from, to int
	quoted   bool // in double quotes, which are not part of it
	doubled  bool // … with doubled ones inside
	stray    bool // not quoted, and with a double quote inside
}

// of returns the value.
func (c cell) of(b []byte) []byte {
	switch b = b[c.from:c.to]; {
	case !c.quoted:
		return bytes.TrimSpace(b)
	case c.doubled:
		return bytes.ReplaceAll(b, []byte(`""`), []byte(`"`))
	}
	return b
}

// record finds the cells of the record at the beginning of the unread bytes, and where the next one
// begins. stops are the separator, CR and LF. It is not ok if the quotes do not match, or if a
// quoted value has a line with as many separators as lineOf (0: not known), which is a record of
// its own; the cells are those before the fault.
func (t *text) record(cells []cell, stops string, lineOf int) (_ []cell, next int, ok bool) {
	i := 0
	if bytes.HasPrefix(t.unread(), []byte(mark)) {
		i = len(mark)
	}
	for {
		c, after, ok := t.cell(i, stops)
		if !ok || c.quoted && lineOf > 0 && swallows(t.unread()[c.from:c.to], stops[0], lineOf) {
			return cells, 0, false
		}
		if cells = append(cells, c); !t.has(after) || t.unread()[after] != stops[0] {
			_, next, whole := t.lineEnd(after)
			return cells, next, whole
		}
		i = after + 1
	}
}

// mark is the byte-order mark, which a joined file has inside, too.
const mark = "\ufeff"

// cell finds the cell at place i, and the place after it.
func (t *text) cell(i int, stops string) (c cell, after int, ok bool) {
	from := t.skipBlank(i, stops[0])
	if !t.has(from) || t.unread()[from] != '"' {
		after = t.index(i, stops)
		return cell{from: i, to: after, stray: bytes.IndexByte(t.unread()[i:after], '"') >= 0}, after, true
	}
	c = cell{from: from + 1, quoted: true}
	for at := c.from; ; at += 2 {
		at = t.index(at, `"`)
		if !t.has(at) || at-c.from > maxQuoted {
			return c, 0, false
		}
		if !t.has(at+1) || t.unread()[at+1] != '"' {
			c.to = at
			break
		}
		c.doubled = true
	}
	after = t.skipBlank(c.to+1, stops[0])
	return c, after, !t.has(after) || bytes.IndexByte([]byte(stops), t.unread()[after]) >= 0
}

// skipBlank returns the place of the first byte from place i on that is no blank before or after a
// quote.
func (t *text) skipBlank(i int, sep byte) int {
	for t.has(i) && sep != t.unread()[i] && (t.unread()[i] == ' ' || t.unread()[i] == '\t') {
		i++
	}
	return i
}

// swallows reports whether a line of a quoted value, but for its first one, has as many separators
// as a record.
func swallows(value []byte, sep byte, lineOf int) bool {
	first := bytes.IndexAny(value, "\r\n")
	if first < 0 {
		return false
	}
	isEnd := func(r rune) bool { return r == '\r' || r == '\n' }
	return slices.ContainsFunc(bytes.FieldsFunc(value[first:], isEnd), func(line []byte) bool {
		return bytes.Count(line, []byte{sep}) >= lineOf
	})
}

// A headText is a text without its last lines.
type headText struct {
	src  io.Reader
	skip int
	kept []byte // read, and not returned
	free int    // how many bytes of kept may be returned
	err  error
}

// Read implements io.Reader. It keeps the last lines until it knows that more follow, so long as
// they have no more bytes than so many lines may have.
func (h *headText) Read(p []byte) (int, error) {
	for h.free == 0 && h.err == nil {
		at := len(h.kept)
		h.kept = append(h.kept, make([]byte, 32<<10)...)
		n, err := h.src.Read(h.kept[at:])
		h.kept, h.err = h.kept[:at+max(0, n)], err
		h.free = h.before()
	}
	n := copy(p, h.kept[:h.free])
	h.kept, h.free = h.kept[n:], h.free-n
	if n == 0 && h.free == 0 {
		return 0, h.err
	}
	return n, nil
}

// before returns where the last lines begin. While more may follow, a line without an end is not
// one of them.
func (h *headText) before() int {
	if h.err != nil && h.err != io.EOF || len(h.kept) > (h.skip+1)*maxLine {
		return len(h.kept)
	}
	b := h.kept
	if h.err == nil { // the last CR may be half of a line end
		b = b[:bytes.LastIndexAny(bytes.TrimSuffix(b, []byte("\r")), "\r\n")+1]
	}
	for range h.skip {
		line := bytes.TrimSuffix(b, []byte("\n"))
		if len(line) == len(b) || bytes.HasSuffix(line, []byte("\r")) {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		b = b[:bytes.LastIndexAny(line, "\r\n")+1]
	}
	return len(b)
}
