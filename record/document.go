package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/internal/jsonline"
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
var documentLists = []string{"charges", "events", "ends", "totals", "differences", "problems", "reconciled", "unexplained", "readings"}

// elementsOf yields the records of a document, whatever its layout, as lines. Their number and offset
// are those of the first byte.
func elementsOf(r *bufio.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		d := documentReader{r: r, yield: yield, number: 1}
		if mark, _ := r.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
			d.mark, _ = r.Discard(len(byteOrderMark))
			d.done = int64(d.mark)
			if !yield(line{}, errMark) {
				return
			}
		}
		d.text = json.NewDecoder(&d)
		if err := d.document(); err != nil && err != errEnough {
			yield(line{}, err)
		}
	}
}

// errEnough says that the caller stopped.
var errEnough = errors.New("enough")

// A documentReader splits a document into the values that it lists.
type documentReader struct {
	r     io.Reader
	err   error // of r, but for its end
	mark  int   // bytes of the byte-order mark
	text  *json.Decoder
	raw   json.RawMessage // the value that was read last
	yield func(line, error) bool

	done   int64        // the offset of the end of the last record
	number int          // of its line, from 1
	begin  int64        // the offset of that line
	ahead  bytes.Buffer // what was read after it
}

// Read implements [io.Reader] for the decoder, which reads on until a value ends.
func (d *documentReader) Read(p []byte) (int, error) {
	if d.ahead.Len() > MaxLine+bufferSize {
		d.err = d.tooLong(d.offset())
		return 0, d.err
	}
	n, err := d.r.Read(p)
	d.ahead.Write(p[:n])
	if err != io.EOF {
		d.err = err
	}
	return n, err
}

func (d *documentReader) tooLong(at int64) error {
	return tooLong(d.at(at), "the record is longer than 16 MiB", "give an output as it was written")
}

func (d *documentReader) document() error {
	if err := d.list('{', '}', d.member); err != nil {
		return err
	}
	at := d.offset()
	_, err := d.text.Token()
	switch {
	case err == io.EOF:
		return nil
	case d.err != nil:
		return d.err
	}
	rest := d.ahead.Bytes()[at-d.done:]
	at += int64(len(rest) - len(bytes.TrimLeft(rest, space)))
	return d.fail(at, "there is text after the document", "give one document")
}

// list reads items between brackets.
func (d *documentReader) list(open, end json.Delim, item func() error) error {
	if err := d.delim(open); err != nil {
		return err
	}
	for d.text.More() {
		if err := item(); err != nil {
			return err
		}
	}
	return d.delim(end)
}

func (d *documentReader) delim(want json.Delim) error {
	switch got, err := d.text.Token(); {
	case err != nil:
		return d.wrong(err)
	case got != want:
		return d.fail(d.offset()-1, "a bracket is missing", "give an output as it was written")
	}
	return nil
}

// member reads a name and its value.
func (d *documentReader) member() error {
	name, err := d.text.Token()
	switch text, _ := name.(string); {
	case err != nil:
		return d.wrong(err)
	case text == "header" || text == "summary":
		return d.element()
	case slices.Contains(documentLists, text):
		return d.list('[', ']', d.element)
	}
	_, err = d.value()
	return err
}

// element yields a record.
func (d *documentReader) element() error {
	l, err := d.value()
	if err == nil && !d.yield(l, nil) {
		err = errEnough
	}
	return err
}

// value reads a value.
func (d *documentReader) value() (line, error) {
	if err := d.text.Decode(&d.raw); err != nil {
		l := d.at(d.offset())
		l.text = d.ahead.Bytes()[l.offset-d.done:]
		if _, why := jsonline.Parse(l.text); isSyntax(err) && why != nil {
			return line{}, l.place(why)
		}
		return line{}, d.wrong(err)
	}
	end := d.offset()
	begin := end - int64(len(d.raw))
	if len(d.raw) > MaxLine {
		return line{}, d.tooLong(begin)
	}
	l := d.at(begin)
	l.text = d.raw
	last := d.at(end)
	d.ahead.Next(int(end - d.done))
	d.done, d.number, d.begin = end, last.number, end-int64(last.col-1)
	return l, nil
}

// offset is that of the next byte that was not taken.
func (d *documentReader) offset() int64 { return int64(d.mark) + d.text.InputOffset() }

// at returns the place of an offset after the last record.
func (d *documentReader) at(offset int64) line {
	l := line{number: d.number, col: int(offset-d.begin) + 1, offset: offset}
	before := d.ahead.Bytes()[:offset-d.done]
	if n := bytes.Count(before, []byte{'\n'}); n > 0 {
		l.number += n
		l.col = len(before) - bytes.LastIndexByte(before, '\n')
	}
	return l
}

// wrong returns the finding about a document that is not JSON; an error of the source as it is.
func (d *documentReader) wrong(err error) error {
	switch {
	case d.err != nil:
		return d.err
	case isSyntax(err):
		return d.fail(d.offset(), "the document is not JSON", "give an output as it was written")
	}
	return d.fail(d.done+int64(d.ahead.Len()), "the document is cut off", "write it again")
}

func isSyntax(err error) bool {
	_, ok := errors.AsType[*json.SyntaxError](err)
	return ok
}

func (d *documentReader) fail(at int64, message, help string) error {
	return d.at(at).place(jsonline.Fault(jsonline.CodeSyntax, 1, message, help))
}
