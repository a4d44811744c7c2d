package record

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/chargecast/chargecast/ledger"
)

// MaxLine is the length of the longest line, in bytes, that the readers of this package accept: a
// state with a million paid days fits (L56d).
const MaxLine = 16 << 20

// A line is one line of a file. Its text is valid until the next one.
type line struct {
	text   []byte
	number int   // from 1
	col    int   // of its first byte, from 1; 0 counts as 1
	offset int64 // of its first byte
}

// linesOf yields the lines of r that are not blank, without line ends and byte-order mark. The
// sequence can be used once. It ends after a line that is too long and after an error of r; a line
// that such an error cuts off is not yielded. A byte-order mark is a warning, and reading goes on.
func linesOf(r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		s := lineScanner{r: r, buf: make([]byte, 0, 64<<10)}
		for s.next() {
			if rest, marked := bytes.CutPrefix(s.line.text, byteOrderMark); marked && s.line.number == 1 {
				if !yield(line{}, errMark) {
					return
				}
				s.line.text, s.line.offset = rest, int64(len(byteOrderMark))
			}
			if len(bytes.Trim(s.line.text, " \t")) > 0 && !yield(s.line, nil) {
				return
			}
		}
		if s.err != io.EOF {
			yield(line{}, s.err)
		}
	}
}

var byteOrderMark = []byte("\ufeff")

var errMark = ledger.Finding{
	Code: "byte-order-mark", Severity: ledger.SeverityWarning, Place: ledger.Place{Line: 1, Col: 1},
	Message: "the file begins with a byte-order mark, which was left out", Help: "save the file as UTF-8 without a byte-order mark",
}

// A lineScanner splits what it reads into lines.
type lineScanner struct {
	r     io.Reader
	err   error // of r, or that a line is too long
	line  line
	buf   []byte
	start int   // of the next line in buf
	at    int64 // the offset of start
	seen  int   // bytes from start on without a line end
}

// next finds the next line. It returns false at the end of r, after an error of r, and if the line
// is too long, whether r hands it over in one piece or in many.
func (s *lineScanner) next() bool {
	s.line.number++
	s.line.offset = s.at
	for {
		end := bytes.IndexByte(s.buf[s.start+s.seen:], '\n')
		switch {
		case end >= 0:
			return s.cut(s.seen+end, 1)
		case s.err == io.EOF && s.start < len(s.buf):
			return s.cut(len(s.buf)-s.start, 0)
		case s.err != nil:
			return false
		}
		if s.seen = len(s.buf) - s.start; s.seen > MaxLine {
			return s.tooLong()
		}
		s.more()
	}
}

// cut takes n bytes as the line and steps over the bytes of its end.
func (s *lineScanner) cut(n, end int) bool {
	if n > MaxLine {
		return s.tooLong()
	}
	s.line.text = bytes.TrimSuffix(s.buf[s.start:s.start+n], []byte("\r"))
	s.start += n + end
	s.at += int64(n + end)
	s.seen = 0
	return true
}

func (s *lineScanner) tooLong() bool {
	f := table.Finding(LimitLine, "", "write one record on each line")
	f.Place = ledger.Place{Line: s.line.number, Col: 1, Offset: s.line.offset}
	s.err = f
	return false
}

// more reads on after the bytes in buf.
func (s *lineScanner) more() {
	if s.start > 0 {
		s.buf, s.start = append(s.buf[:0], s.buf[s.start:]...), 0
	}
	if len(s.buf) == cap(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)[:len(s.buf)]
	}
	n, err := readSome(s.r, s.buf[len(s.buf):cap(s.buf)])
	s.buf, s.err = s.buf[:len(s.buf)+n], err
}

// readSome reads at least one byte or fails, as [bufio.Reader] does for a source that keeps
// returning nothing.
func readSome(r io.Reader, p []byte) (int, error) {
	for range 100 {
		if n, err := r.Read(p); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// place gives a finding about the line its place in the file. A record of a document may begin
// anywhere in a line and have several.
func (l line) place(err error) error {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		return err
	}
	before := l.text[:min(max(f.Place.Col, 1)-1, len(l.text))]
	f.Place = ledger.Place{Line: l.number, Col: max(l.col, 1) + len(before), Offset: l.offset + int64(len(before))}
	if n := bytes.Count(before, []byte{'\n'}); n > 0 {
		f.Place.Line += n
		f.Place.Col = len(before) - bytes.LastIndexByte(before, '\n')
	}
	return f
}
