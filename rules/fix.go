package rules

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Fixer mends what is mechanical about a payload: its encoding, its separator and quotes, names
// of columns, forms of dates and amounts, upper and lower case. It reports each change, and refuses
// what would need a guess: such a place stays as it was, is reported too, and the rest is still
// mended. [Repairs] lists what it does. The values of a payload that it need not mend stay byte for
// byte as they are, and fixing twice is the same as once: nothing is changed again, and what was
// refused is refused again. Three refusals rest on what is mended by then, so that only the first
// reading can make them: that of a row in another encoding than the rows before it; that of 1.234 in a
// currency of three decimals where another amount is 12,50; and that of a text in typographic quotes
// which holds a semicolon, in a file with another separator: it is written in straight quotes, where
// the typographic ones are a part of it.
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
	// Field counts the values of the header up to a name that was refused, from 1; 0 for other changes.
	Field int
	// Near is the column that such a name perhaps means; zero where that is not clear, or where the
	// header has that column.
	Near Column
}

// AppendJSON appends the change as the record of type "change". Line and col are there only for a
// refusal whose column is not known.
func (c Change) AppendJSON(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"change","code":`...), string(c.Code))
	dst = strconv.AppendInt(append(dst, `,"row":`...), int64(c.Row), 10)
	if c.Column != 0 {
		dst = strictjson.AppendString(append(dst, `,"column":`...), c.Column.String())
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
	// is at most a beginning: with a limit on rows or elements, or half a character of UTF-16, the rows
	// before the one with it.
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
		wide := utf16Reader{src: text, big: wire.big}
		if wire.wide {
			x.whole(fixUTF16, false)
			x.code, text = codeUTF8, &wide
		}
		x.sc = newScanner(text, o)
		x.run(wire.wide)
		if x.sc.err != nil && wide.fault != "" {
			x.broken(wide.fault)
		}
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
	commas   bool          // an amount had a decimal comma
	point    Change        // the first amount before it whose point may separate thousands
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
		x.err = writeAll(x.w, x.out)
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
	// An empty text has no line, and is at fault where one would begin.
	x.note(Change{Code: c, Row: x.done.Rows, Column: col, Line: max(line, 1), Col: place, Refused: refused})
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

// broken notes that the text ends at what is not UTF-16. That is an error whatever the options say of
// its code, since the rest of the text is not written.
func (x *fixing) broken(fault string) {
	f := table.Finding(NotAPayload, fault, "save the whole file again, as UTF-8")
	f.Place = ledger.Place{Line: x.sc.line, Col: x.sc.col + 1, Offset: x.sc.offset}
	x.wire.found = append(x.wire.found, f)
}

// place is the line and column of a byte of the current record.
func (x *fixing) place(at int) (line, col int) {
	before := x.sc.raw[:at]
	if lines := bytes.Count(before, []byte{'\n'}); lines > 0 {
		return x.sc.row + lines, at - bytes.LastIndexByte(before, '\n')
	}
	return x.sc.row, x.sc.left + at + 1
}
