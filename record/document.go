package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// isDocument reports whether a text begins as a JSON document does, with the header as a member.
func isDocument(text *bufio.Reader) bool {
	start, _ := text.Peek(4 << 10)
	start = bytes.TrimLeft(bytes.TrimPrefix(start, byteOrderMark), space)
	start, object := bytes.CutPrefix(start, []byte("{"))
	return object && bytes.HasPrefix(bytes.TrimLeft(start, space), []byte(`"header"`))
}

const space = " \t\r\n"

// documentLists are the members of a document that list records. Others than these, header and
// summary are skipped, since documents may gain members.
var documentLists = []string{"charges", "events", "ends", "totals", "differences", "problems"}

// elementsOf yields the records of a document as lines. Their number and offset are those of the
// first byte.
func elementsOf(r *bufio.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		s := documentScanner{r: r, yield: yield}
		if mark, _ := r.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
			_, _ = r.Discard(len(byteOrderMark))
			s.at = int64(len(byteOrderMark))
			if !yield(line{}, errMark) {
				return
			}
		}
		s.number = 1
		if err := s.document(); err != nil && err != errEnough {
			yield(line{}, err)
		}
	}
}

// errEnough says that the caller stopped.
var errEnough = errors.New("enough")

// A documentScanner splits a document into the objects that it lists, whatever its layout. What is
// inside an object is for its reader to check.
type documentScanner struct {
	r      *bufio.Reader
	yield  func(line, error) bool
	number int   // of the line, from 1
	begin  int64 // the offset of the line
	at     int64 // the offset of the next byte
	ended  bool  // the byte before it ends the line
	buf    []byte
}

func (s *documentScanner) document() error {
	if err := s.list('{', '}', s.member); err != nil {
		return err
	}
	switch _, err := s.next(); err {
	case nil:
		return s.fail("there is text after the document", "give one document")
	case io.EOF:
		return nil
	default:
		return err
	}
}

// member is a name and its value.
func (s *documentScanner) member() error {
	s.buf = s.buf[:0]
	if err := s.want('"', "a name in double quotes is missing"); err != nil {
		return err
	}
	if err := s.rest(); err != nil {
		return err
	}
	name := string(s.buf[:len(s.buf)-1])
	if err := s.want(':', "a colon is missing after the name"); err != nil {
		return err
	}
	switch {
	case name == "header" || name == "summary":
		return s.element()
	case slices.Contains(documentLists, name):
		return s.list('[', ']', s.element)
	}
	if err := s.value(); err != nil {
		return err
	}
	if !json.Valid(s.buf) {
		return s.fail("the member is not JSON", "give an output as it was written")
	}
	return nil
}

// element yields a record.
func (s *documentScanner) element() error {
	if _, err := s.next(); err != nil {
		return s.cut(err)
	}
	s.back()
	l := s.here()
	if err := s.value(); err != nil {
		return err
	}
	if l.text = s.buf; !s.yield(l, nil) {
		return errEnough
	}
	return nil
}

// value takes a value into the buffer: up to the bracket that closes it, or one string, number or
// word. Whether it is JSON is for its reader to check.
func (s *documentScanner) value() error {
	if _, err := s.next(); err != nil {
		return s.cut(err)
	}
	s.back()
	s.buf = s.buf[:0]
	for depth := 0; ; {
		c, err := s.byte()
		if err != nil {
			return s.cut(err)
		}
		if s.buf = append(s.buf, c); len(s.buf) > MaxLine {
			return s.tooLong()
		}
		switch c {
		case '"':
			err = s.rest()
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if err != nil || depth <= 0 && s.isEnd(c) {
			return err
		}
	}
}

// isEnd reports whether a value outside brackets ends with c.
func (s *documentScanner) isEnd(c byte) bool {
	after, _ := s.r.Peek(1)
	return c == '"' || c == '}' || c == ']' || len(after) == 0 || strings.IndexByte(",]}"+space, after[0]) >= 0
}

func (s *documentScanner) tooLong() error {
	f := table.Finding(LimitLine, "the record is longer than 16 MiB", "give an output as it was written")
	f.Place = ledger.Place{Line: s.number, Col: int(s.at-s.begin) + 1, Offset: s.at}
	return f
}

// rest takes the rest of a string into the buffer.
func (s *documentScanner) rest() error {
	for escaped := false; ; {
		c, err := s.byte()
		if err != nil {
			return s.cut(err)
		}
		if s.buf = append(s.buf, c); len(s.buf) > MaxLine {
			return s.tooLong()
		}
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return nil
		case c == '\n':
			return s.fail("a string is not closed", "write double quotes at its end")
		}
	}
}

// list reads items between brackets, with commas between them.
func (s *documentScanner) list(open, end byte, item func() error) error {
	if err := s.want(open, "a bracket is missing"); err != nil {
		return err
	}
	if c, err := s.next(); err != nil || c == end {
		return s.cut(err)
	}
	s.back()
	for {
		if err := item(); err != nil {
			return err
		}
		switch c, err := s.next(); {
		case err != nil:
			return s.cut(err)
		case c == end:
			return nil
		case c != ',':
			return s.fail("a comma or a closing bracket is missing", "check the quotes and brackets before this place")
		}
	}
}

func (s *documentScanner) want(c byte, message string) error {
	got, err := s.next()
	if err != nil {
		return s.cut(err)
	}
	if got != c {
		return s.fail(message, "give an output as it was written")
	}
	return nil
}

// cut returns the finding about a document that ends too early; other errors as they are.
func (s *documentScanner) cut(err error) error {
	if err == io.EOF {
		return s.here().place(jsonline.Fault(jsonline.CodeSyntax, 1, "the document is cut off", "write it again"))
	}
	return err
}

// fail returns a finding about the byte that was read last.
func (s *documentScanner) fail(message, help string) error {
	s.at--
	return s.here().place(jsonline.Fault(jsonline.CodeSyntax, 1, message, help))
}

// here is the place of the next byte.
func (s *documentScanner) here() line {
	return line{number: s.number, col: int(s.at-s.begin) + 1, offset: s.at}
}

// next takes the next byte that is not white space.
func (s *documentScanner) next() (byte, error) {
	for {
		c, err := s.byte()
		if err != nil || strings.IndexByte(space, c) < 0 {
			return c, err
		}
	}
}

func (s *documentScanner) byte() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		return 0, err
	}
	if s.ended {
		s.number, s.begin = s.number+1, s.at
	}
	s.at++
	s.ended = c == '\n'
	return c, nil
}

// back puts a byte that is not a line end back.
func (s *documentScanner) back() {
	_ = s.r.UnreadByte() // it was just read
	s.at--
}
