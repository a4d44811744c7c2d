package rules

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/ledger"
)

// A Fixer mends what is mechanical about a payload: its encoding, its separator and quotes, names
// of columns, forms of dates and amounts, upper and lower case. It reports each change, and refuses
// what would need a guess: such a place stays as it was, is reported too, and the rest is still
// mended. [Repairs] lists what it does. The values of a payload that it need not mend stay byte for
// byte as they are, and fixing twice is the same as once.
//
// It does not judge: what it writes may have problems that no rewriting mends.
type Fixer struct {
	// Options set the form of the input and the limits; the rest does not matter.
	Options Options
	// Report receives each change in the order of the text; nil for no report.
	Report func(Change)
}

// A Change is one thing that a [Fixer] mended, or refused to mend.
type Change struct {
	Code ledger.Code // of [Repairs]
	// Row is the data row, from 1; 0 for the header, and for a change of the whole text, which has
	// no column either and is reported once.
	Row       int
	Column    Column // zero for none, or where the column is not known
	Line, Col int    // in the CSV text of the input, from 1; Col in bytes
	Refused   bool
}

// AppendJSON appends the change as the record of type "change". Line and col are there only for a
// refusal whose column is not known.
func (c Change) AppendJSON(dst []byte) []byte {
	dst = jsontext.AppendString(append(dst, `{"type":"change","code":`...), string(c.Code))
	dst = strconv.AppendInt(append(dst, `,"row":`...), int64(c.Row), 10)
	if c.Column != 0 {
		dst = jsontext.AppendString(append(dst, `,"column":`...), c.Column.String())
	} else if c.Refused {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(c.Line), 10)
		dst = strconv.AppendInt(append(dst, `,"col":`...), int64(c.Col), 10)
	}
	dst = strconv.AppendBool(append(dst, `,"refused":`...), c.Refused)
	return append(dst, '}')
}

// MarshalJSON returns what [Change.AppendJSON] appends.
func (c Change) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// Fixed counts what a [Fixer] did.
type Fixed struct {
	Rows    int // data rows
	Changes int // what was mended
	Refused int // what was refused
	// Findings are about the form in which the payload arrived. If one is an error, what was written
	// is at most a beginning: with a limit on rows or elements, the rows before the one that breaks
	// it.
	Findings ledger.Findings
}

// Fix reads a payload from src and writes its CSV text to w, mended. It holds one row at a time. The
// error is that of src or of w.
func (f Fixer) Fix(w io.Writer, src io.Reader) (Fixed, error) {
	o := f.Options.withDefaults()
	wire := newWire(src, o)
	wire.fixing = true
	x := &fixing{w: w, report: f.Report, wire: wire, rowsLeft: o.MaxRows}
	text := wire.open()
	if text != nil {
		if wire.wide {
			x.whole(fixUTF16, false)
			x.code, text = codeUTF8, &utf16Reader{src: text, big: wire.big}
		}
		x.sc = newScanner(text, o)
		x.run(wire.wide)
	}
	wire.finish(text != nil && x.err == nil && x.sc.err == nil && !x.over)
	wire.found.Sort()
	x.done.Findings = wire.found
	switch {
	case x.err != nil:
	case text != nil && x.sc.err != nil && !errors.Is(x.sc.err, errBroken):
		x.err = x.sc.err
	default:
		x.err = wire.failed()
	}
	return x.done, x.err
}

// fixing is one run of a Fixer.
type fixing struct {
	w        io.Writer
	report   func(Change)
	sc       *scanner
	sep      byte
	code     textCode
	marked   bool // the byte-order mark is that of UTF-16
	marks    bool // values are in typographic quotes
	fields   []Column
	out      []byte
	reported []ledger.Code // changes of the whole text
	wire     *wire
	rowsLeft int  // that may still be read
	over     bool // a limit was met, and nothing is read beyond it
	done     Fixed
	err      error // of w
}

// run writes the mended text.
func (x *fixing) run(marked bool) {
	x.marked = marked
	if !x.header() {
		return
	}
	for x.err == nil && !x.over && x.next() {
		switch {
		case len(x.sc.raw) == 0 && x.sc.fault.code == "":
			x.out = append(x.out, x.sc.lineEnd()...)
		case x.rowsLeft == 0:
			x.limit(LimitRows, x.wire.opts.MaxRows, "row", -1)
		case x.fields == nil: // the header could not be read
			x.rowsLeft--
			x.verbatim()
		default:
			x.rowsLeft--
			x.done.Rows++
			x.row()
		}
		x.flush()
	}
}

// unmarked leaves byte-order marks before the header behind, and is true: a header may follow.
func (x *fixing) unmarked() bool {
	for x.sc.unmark() {
		if !x.marked {
			x.whole(fixMark, false)
		}
	}
	return true
}

// next reads a record, the rest of a faulty one before it being written as it is.
func (x *fixing) next() bool {
	if x.sc.skip != skipNothing {
		x.sc.leave(func(rest []byte) {
			x.out = append(x.out, rest...)
			x.flush()
		})
	}
	return x.err == nil && x.sc.next()
}

func (x *fixing) flush() {
	if x.err == nil && len(x.out) > 0 {
		_, x.err = x.w.Write(x.out)
	}
	x.out = x.out[:0]
}

// verbatim writes the current record as it is, as far as it was read.
func (x *fixing) verbatim() {
	x.out = append(append(x.out, x.sc.raw...), x.sc.lineEnd()...)
}

// whole reports a change of the whole text, once.
func (x *fixing) whole(c ledger.Code, refused bool) {
	if slices.Contains(x.reported, c) {
		return
	}
	x.reported = append(x.reported, c)
	line := 1
	if x.sc != nil {
		line = x.sc.row
	}
	x.note(Change{Code: c, Line: max(1, line), Col: 1, Refused: refused})
}

// at reports a change at a value of the current record, or with a negative one at its beginning.
func (x *fixing) at(c ledger.Code, f int, col Column, refused bool) {
	at := 0
	if f >= 0 {
		at = x.sc.cells[f].start()
	}
	line, place := x.place(at)
	x.note(Change{Code: c, Row: x.done.Rows, Column: col, Line: line, Col: place, Refused: refused})
}

func (x *fixing) note(c Change) {
	if c.Refused {
		x.done.Refused++
	} else {
		x.done.Changes++
	}
	if x.report != nil {
		x.report(c)
	}
}

// limit notes a limit that the current record, or value f of it, breaks. It ends the text before the
// record.
func (x *fixing) limit(c ledger.Code, most int, noun string, f int) {
	x.over = true
	at := 0
	if f >= 0 {
		at = x.sc.cells[f].start()
		x.done.Rows--
	}
	line, col := x.place(at)
	p := x.wire.at(c, ledger.SeverityError, x.sc.at+int64(at), line, col).number(int64(most), noun)
	if p != nil && f >= 0 {
		p.Place.Row = x.done.Rows + 1
		p.in(x.fields[f])
	}
}

// place is the line and column of a byte of the current record.
func (x *fixing) place(at int) (line, col int) {
	before := x.sc.raw[:at]
	if lines := bytes.Count(before, []byte{'\n'}); lines > 0 {
		return x.sc.row + lines, at - bytes.LastIndexByte(before, '\n')
	}
	return x.sc.row, x.sc.left + at + 1
}

// row mends the current record.
func (x *fixing) row() {
	sep := x.sep
	if x.sc.fault.code != "" && sep != ';' {
		sep = ';'
		x.sc.rewind(';') // a row with the right separator among others
		x.sc.next()
		x.sc.sep = x.sep
	}
	before := x.code
	code, ok := before.encodingOf(x.sc.raw)
	switch f := slices.Index(x.fields, AmountSequence); {
	case x.sc.fault.code != "" || x.sc.width > len(x.sc.cells):
		x.at(refuseRow, -1, 0, true)
		x.verbatim()
		return
	case x.sc.width != len(x.fields):
		x.at(refuseWidth, -1, 0, true)
		x.separated()
		return
	case sep == ',' && x.shifted():
		x.at(refuseShift, -1, 0, true)
		x.shiftedRow()
		return
	case f >= 0 && strings.Count(x.value(AmountSequence), ",") >= x.wire.opts.MaxElements:
		x.limit(LimitElements, x.wire.opts.MaxElements, "element", f)
		return
	case ok:
		x.setCode(code)
	case code == codeUTF8:
		// What is written is in UTF-8, so that a later reading would not refuse the row. It keeps its
		// text and has now what that reading would mend.
		x.at(refuseEncoding, -1, 0, true)
		x.code = codeUTF8
		x.mended()
		x.code = before
		return
	default:
		x.at(refuseEncoding, -1, 0, true)
		x.separated()
		return
	}
	x.mended()
	x.forget(before)
}

// forget goes back to the encoding before the current record if nothing in another encoding than
// ASCII was written for it, so that a later reading meets the same encodings.
func (x *fixing) forget(before textCode) {
	if isASCII(x.out) {
		x.code = before
	}
}

// mended writes the current record, each value mended.
func (x *fixing) mended() {
	country := asciiUpper(x.value(Country))
	for f := range x.sc.cells {
		if f > 0 {
			x.out = append(x.out, ';')
		}
		x.cell(f, country)
	}
	x.out = append(x.out, x.sc.lineEnd()...)
}

// separated writes the current record as it is but for its separator, so that a later reading finds
// the same values in it.
func (x *fixing) separated() {
	if x.sep == ';' {
		x.verbatim()
		return
	}
	for f, c := range x.sc.cells {
		if f > 0 {
			x.out = append(x.out, ';')
		}
		if raw := x.sc.raw[c.start():c.end()]; c.quoted || len(raw) == 0 {
			x.out = append(x.out, raw...)
		} else {
			x.out = appendQuoted(x.out, string(raw))
		}
	}
	x.out = append(x.out, x.sc.lineEnd()...)
}

// setCode notes the encoding of the rows.
func (x *fixing) setCode(c textCode) {
	if x.code = c; c == codeCP1252 {
		x.whole(fixCP1252, false)
	}
}

// value is the value of a column of the current record, without quotes and spaces around it.
func (x *fixing) value(col Column) string {
	if f := slices.Index(x.fields, col); f >= 0 {
		return x.bare(f)
	}
	return ""
}

// bare is value f of the current record, without quotes of any kind and spaces around it.
func (x *fixing) bare(f int) string {
	s, _ := x.content(f)
	if s = strings.TrimFunc(s, isSpace); inMarks(s) && !x.sc.cells[f].quoted {
		s, _ = unmarked(s)
	}
	return strings.TrimFunc(s, isSpace)
}

// content is value f of the current record, quotes undone and in UTF-8; recoded reports whether its
// bytes are other ones now.
func (x *fixing) content(f int) (s string, recoded bool) {
	c := x.sc.cells[f]
	s = string(x.sc.raw[c.from:c.to])
	if c.escaped {
		s = undouble(s)
	}
	if x.code == codeCP1252 && !isASCII([]byte(s)) {
		s, _ = fromCP1252(s)
		return s, true
	}
	return s, false
}

// cell mends value f of the current record.
func (x *fixing) cell(f int, country string) {
	c, col := x.sc.cells[f], x.fields[f]
	s, recoded := x.content(f)
	was := s
	if !c.quoted && s != "" {
		s = x.unquoted(f, s)
	}
	m := mending{text: s}
	if col != 0 {
		m = mend(col, s, country)
	}
	if m.refused != "" {
		x.at(m.refused, f, col, true)
	}
	for _, change := range m.changes[:m.n] {
		x.at(change, f, col, false)
	}
	if c.quoted && !recoded && m.text == was || !c.quoted && was == "" {
		x.out = append(x.out, x.sc.raw[c.start():c.end()]...)
		return
	}
	x.out = appendQuoted(x.out, m.text)
}

// unquoted returns a value that had no quotes, without the typographic ones that take their place.
func (x *fixing) unquoted(f int, s string) string {
	col := x.fields[f]
	trimmed := strings.TrimFunc(s, isSpace)
	if !inMarks(trimmed) {
		x.whole(fixBare, false)
		return s
	}
	inner, ok := unmarked(trimmed)
	switch {
	case !ok, !x.marks && (col == 0 || columns[col].kind == valueText): // they may be part of the value
		x.at(fixMarks, f, col, true)
		return s
	case x.marks:
		x.whole(fixMarks, false)
	default:
		x.at(fixMarks, f, col, false)
	}
	return inner
}

// appendQuoted appends a value in double quotes, those inside doubled.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
