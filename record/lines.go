package record

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"

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
		in := bufio.NewReaderSize(r, bufferSize)
		var buffer []byte
		next := int64(0)
		for l := (line{number: 1}); ; l.number, l.offset = l.number+1, next {
			var err error
			if buffer, err = appendLine(buffer[:0], in); err != nil && err != io.EOF {
				yield(line{}, err)
				return
			}
			if len(buffer) == 0 {
				return
			}
			next += int64(len(buffer))
			text, _ := bytes.CutSuffix(buffer, []byte{'\n'})
			l.text, _ = bytes.CutSuffix(text, []byte{'\r'})
			if len(l.text) > MaxLine {
				yield(line{}, tooLong(l))
				return
			}
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
	}
}

// appendLine appends the next line with its line end, or the beginning of one that is too long. The
// error is that of the reader.
func appendLine(dst []byte, in *bufio.Reader) ([]byte, error) {
	for {
		piece, err := in.ReadSlice('\n')
		if cap(dst)-len(dst) < len(piece) {
			dst = slices.Grow(dst, max(len(dst), len(piece))) // twice as much, which append makes of short ones alone
		}
		dst = append(dst, piece...)
		if err != bufio.ErrBufferFull {
			return dst, err
		}
		if len(dst) > MaxLine+len("\r\n") {
			return dst, nil
		}
	}
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
