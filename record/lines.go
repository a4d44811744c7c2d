package record

import (
	"bufio"
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
	offset int64 // of its first byte
}

// linesOf yields the lines of r that are not blank, without line ends and byte-order mark. The
// sequence can be used once. It ends after a line that is too long and after an error of r; a line
// that such an error cuts off is not yielded. A byte-order mark is a warning, and reading goes on.
func linesOf(r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		src := &source{r: r}
		lines := bufio.NewScanner(src)
		lines.Buffer(make([]byte, 0, bufferSize), MaxLine+len("\r\n"))
		next := int64(0)
		searched := 0 // of the line at hand, so that a long one that comes in pieces is looked through once
		lines.Split(func(data []byte, atEOF bool) (int, []byte, error) {
			n, text, err := bufio.ScanLines(data[searched:], atEOF && !src.failed)
			if n == 0 {
				searched = max(0, len(data)-1) // the last byte may be the CR of a line end
				return n, text, err
			}
			n, text, searched = searched+n, data[:searched+len(text)], 0
			next += int64(n)
			return n, text, err
		})
		l := line{number: 1}
		for ; lines.Scan() && len(lines.Bytes()) <= MaxLine; l.number, l.offset = l.number+1, next {
			l.text = lines.Bytes()
			if rest, marked := bytes.CutPrefix(l.text, byteOrderMark); marked && l.number == 1 {
				if !yield(line{}, errMark) {
					return
				}
				l.text, l.offset = rest, int64(len(byteOrderMark))
			}
			if len(bytes.Trim(l.text, " \t")) > 0 && !yield(l, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case len(lines.Bytes()) > MaxLine, err == bufio.ErrTooLong:
			yield(line{}, tooLong(l))
		case err != nil:
			yield(line{}, err)
		}
	}
}

// A source remembers that its reader failed, which is not the end of the text.
type source struct {
	r      io.Reader
	failed bool
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.failed = err != nil && err != io.EOF
	return n, err
}

// tooLong returns the finding about a line, at its place.
func tooLong(l line) error {
	f := table.Finding(LimitLine, "", "write one record on each line")
	f.Place = ledger.Place{Line: l.number, Col: 1, Offset: l.offset}
	return f
}

var byteOrderMark = []byte("\ufeff")

var errMark = ledger.Finding{
	Code: "byte-order-mark", Severity: ledger.SeverityWarning, Place: ledger.Place{Line: 1, Col: 1},
	Message: "the file begins with a byte-order mark, which was left out", Help: "save the file as UTF-8 without a byte-order mark",
}

// place gives a finding about the line its place in the file.
func (l line) place(err error) error {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		return err
	}
	col := min(max(f.Place.Col, 1), len(l.text)+1)
	f.Place = ledger.Place{Line: l.number, Col: col, Offset: l.offset + int64(col-1)}
	return f
}
