package rules

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Fixer mends what is certain about a payload: its byte-order mark, separator and quotes, names of columns, forms of
// dates and amounts, upper and lower case. What cannot be known from the text its fields say; nothing is guessed. It
// reports each change, and refuses what would need a guess: such a place stays as it was, is reported too, and the
// rest is still mended. [Repairs] lists what it does. The values of a payload that it need not mend stay byte for byte
// as they are.
//
// It reads the text twice: to look, then to write. What becomes of a value depends on that value, on its row's
// currency and country, and on the Fixer, but on no other row. So a second run with the same fields but Decode over
// what the first one wrote changes nothing and refuses the same.
//
// It does not judge: what it writes may have problems that no rewriting mends.
type Fixer struct {
	// Options set the form of the input, the limits on its bytes, its rows and the bytes of a row, and severities; the
	// rest does not matter.
	Options Options
	// Forms say how dates and amounts are written.
	Forms Forms
	// Rename has columns for other names in the header. No column's own name may be both in it and a column of it.
	Rename map[string]Column
	// DropUnknown removes columns whose names are none, DropEmpty rows without a value and blank lines.
	DropUnknown, DropEmpty bool
	// Decode turns the encoding of the text into UTF-8. U+FFFD and control characters beyond ASCII in what it makes show
	// that the text is in another encoding. Nil: the text is UTF-8, or UTF-16 with its byte-order mark.
	Decode func(io.Reader) io.Reader
	// Report receives each change in the order of the text; nil for no report.
	Report func(Change)
}

// Forms are what a user says about how values are written. The zero value says nothing.
type Forms = exportform.Forms

// What [Forms] may say: the order of day, month and year, and the mark before the decimals.
const (
	DayFirst     = exportform.DayFirst
	MonthFirst   = exportform.MonthFirst
	YearFirst    = exportform.YearFirst
	DecimalComma = exportform.Comma
	DecimalPoint = exportform.Point
)

// errChanged is returned for a source that has another text when it is read again.
var errChanged = errors.New("rules: the text of the payload changed while it was read")

// A Change is one thing that a [Fixer] mended, or refused to mend.
type Change struct {
	Code ledger.Code // of [Repairs]
	// Row is the data row of the input, from 1; 0 for the header, and for a change of the whole text, which has
	// no column either and is reported once.
	Row       int
	Column    Column // zero for none, or where the column is not known
	Line, Col int    // in the CSV text of the input, from 1; Col in bytes
	Refused   bool
	// Field counts the values of the header up to a name without a column, from 1; 0 for other changes.
	Field int
	// Near is the column that such a name perhaps means; zero where that is not clear, or where the
	// header has that column.
	Near Column
}

// AppendJSON appends the change as the record of type "change". Line and col are there only for a name without a
// column.
func (c Change) AppendJSON(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"change","code":`...), string(c.Code))
	dst = strconv.AppendInt(append(dst, `,"row":`...), int64(c.Row), 10)
	switch {
	case c.Column != 0:
		dst = strictjson.AppendString(append(dst, `,"column":`...), c.Column.String())
	case c.Field > 0:
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(c.Line), 10)
		dst = strconv.AppendInt(append(dst, `,"col":`...), int64(c.Col), 10)
	}
	return append(strconv.AppendBool(append(dst, `,"refused":`...), c.Refused), '}')
}

// MarshalJSON returns what [Change.AppendJSON] appends.
func (c Change) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil), nil }

// Fixed counts what a [Fixer] did.
type Fixed struct {
	Rows    int // data rows
	Changes int // what was mended
	Refused int // what was refused
	// Findings are about the form in which the payload arrived. If one is an error, nothing was written.
	Findings ledger.Findings
}

// Fix reads a payload from the beginning of src, twice, and writes its CSV text to w, mended. It holds one row at a
// time. The error is that of src or of w.
func (f Fixer) Fix(w io.Writer, src io.ReadSeeker) (Fixed, error) {
	x := &fixing{Fixer: f, w: w, most: f.Options.withDefaults().MaxRow}
	if err := x.look(src); err != nil || x.done.Findings.Err() != nil {
		return x.done, err
	}
	x.done.Rows = 0
	err := x.write(src)
	return x.done, err
}

// fixing is one run of a Fixer.
type fixing struct {
	Fixer
	w    io.Writer
	most int // bytes of a row
	done Fixed

	// What was seen of the whole text.
	marked     bool // a byte-order mark of UTF-8 comes first
	wide       bool // it is UTF-16
	recoded    bool // it becomes UTF-8
	unknown    bool // its encoding is not known, or not the one that was said
	hint       bool // a line for a spreadsheet comes before the header
	unreadable bool // there is no header that can be read
	sep        byte
	curly      bool // its quotes are typographic
	columns    []Column
	names      []naming
	kept       int // how many columns there are when those that are none were dropped

	// What is being written.
	out      []byte
	err      error // of w
	rec      *cutter
	noted    []Change // not reported yet: the row may be refused as a whole
	reported []ledger.Code
	country  string
	currency string
}

// A naming is what becomes of a name in the header.
type naming struct {
	code    ledger.Code
	refused bool
	drop    bool
	rival   Column // the column of which there are two, where that is refused
}

// open begins to read the payload: the bytes of its text, nil where there is none.
func (x *fixing) open(src io.ReadSeeker) (*wire, io.Reader, error) {
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	wire := newWire(src, x.Options.withDefaults())
	wire.fixing = true
	return wire, wire.open(), nil
}

// look reads the text to its end, for what a row alone does not show.
func (x *fixing) look(src io.ReadSeeker) error {
	wire, raw, err := x.open(src)
	if err != nil {
		return err
	}
	whole := false
	if raw != nil {
		text := newTextReader(raw, x.Decode)
		x.marked, x.wide = text.marked, text.wide
		rec := newCutter(text, x.most)
		most := wire.opts.MaxRows
		for x.header(rec); x.done.Rows <= most && rec.next(); {
			if x.curly = x.curly || x.unquotes(rec); len(rec.raw) > 0 {
				x.done.Rows++
			}
		}
		if err := text.err; err != io.EOF && err != nil && !errors.Is(err, errBroken) {
			return err
		}
		whole = text.err == io.EOF
		x.recoded = text.recoded()
		if x.unknown = text.unknown(); x.done.Rows > most {
			f := table.Finding(LimitRows, "the payload has more than "+strconv.Itoa(most)+" rows", "")
			f.Place = ledger.Place{Line: 1, Col: 1}
			wire.found = append(wire.found, f)
		}
	}
	wire.finish(whole)
	wire.found.Sort()
	x.done.Findings = wire.found
	return wire.failed()
}

// header reads up to the header and finds what its names mean.
func (x *fixing) header(rec *cutter) {
	x.sep, x.unreadable = ';', true
	for rec.next() {
		if len(rec.raw) == 0 {
			continue
		}
		if !x.hint && isSeparatorLine(rec.raw) {
			x.hint = true
			continue
		}
		most := 0
		for _, sep := range [...]byte{';', ',', '\t'} {
			cells, bad := appendCells(nil, rec.raw, sep)
			n := 0
			for _, c := range cells {
				if col, _ := x.meant(c.name()); !bad && col != 0 {
					n++
				}
			}
			if n > most {
				x.sep, most = sep, n
			}
		}
		rec.sep, x.unreadable = x.sep, most == 0 || rec.over
		if !x.unreadable {
			cells, _ := appendCells(nil, rec.raw, x.sep)
			x.claim(cells)
		}
		return
	}
}

// claim finds the column of each name. A column's own name comes before one that was said to be it, and that before
// one that is near it. Of several that mean the same column equally none has it, and those after them neither.
func (x *fixing) claim(cells []cellText) {
	x.columns, x.names = make([]Column, len(cells)), make([]naming, len(cells))
	var claims [columnCount + 1][3]int
	rank := func(code ledger.Code) int {
		switch code {
		case "":
			return 0
		case fixRename:
			return 1
		}
		return 2
	}
	for i, c := range cells {
		x.curly = x.curly || c.curly()
		x.columns[i], x.names[i].code = x.meant(c.name())
		claims[x.columns[i]][rank(x.names[i].code)]++
	}
	for i, col := range x.columns {
		n, others := &x.names[i], -1
		for _, k := range claims[col][:rank(x.names[i].code)+1] {
			others += k
		}
		switch {
		case col == 0:
			*n = naming{code: fixUnknown, refused: !x.DropUnknown, drop: x.DropUnknown}
		case others > 0:
			*n, x.columns[i] = naming{code: refuseTwice, refused: true, rival: col}, 0
		}
		if !n.drop {
			x.kept++
		}
	}
}

// unquotes reports whether a row shows that the quotes of the text are typographic: a value that is no text is in them.
func (x *fixing) unquotes(rec *cutter) bool {
	if x.unreadable || rec.bad || len(rec.cells) != len(x.columns) {
		return false
	}
	for i, c := range rec.cells {
		if kind := columns[x.columns[i]].kind; kind != 0 && kind != valueText && c.curly() {
			return true
		}
	}
	return false
}

// write writes the mended text.
func (x *fixing) write(src io.ReadSeeker) error {
	wire, raw, err := x.open(src)
	switch {
	case err != nil:
		return err
	case raw == nil:
		return wire.failed()
	case x.unknown:
		x.whole(fixEncoding, 1, true)
		return x.copy(raw)
	}
	for _, c := range [...]struct {
		is   bool
		code ledger.Code
	}{{x.recoded, fixEncoding}, {x.wide, fixUTF16}, {x.marked && !x.wide, fixMark}} {
		if c.is {
			x.whole(c.code, 1, false)
		}
	}
	text := newTextReader(raw, x.Decode)
	if x.unreadable {
		x.whole(refuseHeader, 1, true)
		return x.copy(text)
	}
	x.rec = newCutter(text, x.most)
	if x.writeHeader(); x.err != nil {
		return x.err
	}
	for err := x.flush(); err == nil && x.rec.next(); err = x.flush() {
		switch {
		case len(x.rec.raw) == 0 && !x.DropEmpty:
			x.out = append(x.out, x.rec.end...)
		case len(x.rec.raw) == 0:
			x.whole(fixEmpty, x.rec.line, false)
		default:
			x.done.Rows++
			x.row()
		}
	}
	if x.err == nil && text.err != io.EOF {
		return text.err
	}
	return x.err
}

// copy writes a text as it is.
func (x *fixing) copy(text io.Reader) error {
	x.settle()
	_, err := io.Copy(x.w, text)
	return err
}

// flush reports the changes up to here and writes what they led to.
func (x *fixing) flush() error {
	x.settle()
	if len(x.out) == 0 {
		return nil
	}
	if x.err == nil {
		x.err = writeAll(x.w, x.out)
	}
	x.out = x.out[:0]
	return x.err
}

// writeHeader writes all up to the header, and the header.
func (x *fixing) writeHeader() {
	hint := x.hint
	for x.rec.sep = x.sep; x.rec.next(); {
		switch {
		case hint && isSeparatorLine(x.rec.raw):
			x.whole(fixHint, x.rec.line, false)
			hint = false
			continue
		case len(x.rec.raw) == 0 && !x.DropEmpty:
			x.out = append(x.out, x.rec.end...)
			continue
		case len(x.rec.raw) == 0:
			x.whole(fixEmpty, x.rec.line, false)
			continue
		}
		break
	}
	if len(x.rec.cells) != len(x.names) {
		x.err = errChanged
		return
	}
	if x.sep != ';' {
		x.whole(fixSeparator, x.rec.line, false)
	}
	first := true
	for i, c := range x.rec.cells {
		n, col := x.names[i], x.columns[i]
		x.name(n, col, i, c)
		if n.drop {
			continue
		}
		if !first {
			x.out = append(x.out, ';')
		}
		first = false
		if col != 0 {
			x.value(c, col.String())
		} else {
			x.value(c, x.unquote(c))
		}
	}
	x.out = append(x.out, x.rec.end...)
}

// name notes what becomes of name i of the header.
func (x *fixing) name(n naming, col Column, i int, c cellText) {
	change := Change{Code: n.code, Column: max(col, n.rival), Refused: n.refused}
	if c.curly() {
		x.whole(fixCurly, x.rec.line, false)
	} else if n.code == "" && c.text() != col.String() {
		change.Code = fixSpaces
	}
	if col == 0 {
		change.Field = i + 1
		if near, ok := nearestColumn(c.name()); ok && n.rival == 0 && !slices.Contains(x.columns, near) {
			change.Near = near
		}
	}
	if change.Code != "" {
		x.at(change, c)
	}
}

// row writes the current row.
func (x *fixing) row() {
	rec := x.rec
	fits := !rec.bad && !rec.over && len(rec.cells) == len(x.columns)
	blank := !rec.bad && !rec.over
	for i, c := range rec.cells {
		blank = blank && (fits && x.names[i].drop || strings.TrimFunc(x.unquote(c), isSpace) == "")
	}
	switch {
	case blank && x.DropEmpty:
		x.noted = append(x.noted, Change{Code: fixEmpty, Row: x.done.Rows, Line: rec.line, Col: 1})
		return
	case !fits:
		x.refuseRow()
		return
	case blank:
		x.at(Change{Code: fixEmpty, Row: x.done.Rows, Refused: true}, rec.cells[0])
	}
	x.country, x.currency = asciiUpper(x.bare(ColumnCountry)), asciiUpper(x.bare(ColumnCurrency))
	first := true
	for i, c := range rec.cells {
		if x.names[i].drop {
			continue
		}
		if !first {
			x.out = append(x.out, ';')
		}
		first = false
		x.cell(i, c, blank)
	}
	if len(x.out) > x.most { // it would be too long when it is read again
		x.out, x.noted = x.out[:0], x.noted[:0]
		x.refuseRow()
		return
	}
	x.out = append(x.out, rec.end...)
}

// refuseRow writes a row whose values are not those of the header so that a second run refuses it, too: as it is; in
// its own cells, where these are known and still not as many as the header has; else as one value.
func (x *fixing) refuseRow() {
	rec := x.rec
	x.noted = append(x.noted, Change{Code: refuseRow, Row: x.done.Rows, Line: rec.line, Col: 1, Refused: true})
	switch {
	case x.sep == ';' && x.kept == len(x.columns):
		x.out = append(x.out, rec.raw...)
		rec.rest(func(more []byte) { x.out = append(x.out, more...); _ = x.flush() })
	case !rec.bad && !rec.over && len(rec.cells) != x.kept && len(rec.cells) != len(x.columns):
		for i, c := range rec.cells {
			if i > 0 {
				x.out = append(x.out, ';')
			}
			x.value(c, c.text())
		}
	default:
		x.out = appendDoubled(append(x.out, '"'), rec.raw)
		rec.rest(func(more []byte) { x.out = appendDoubled(x.out, more); _ = x.flush() })
		if x.out = append(x.out, '"'); x.kept == 1 {
			x.out = append(x.out, ';')
		}
	}
	x.out = append(x.out, rec.end...)
}

// bare is the value of a column of the current row, without quotes of any kind and spaces around it.
func (x *fixing) bare(col Column) string {
	if i := slices.Index(x.columns, col); i >= 0 {
		return strings.TrimFunc(x.unquote(x.rec.cells[i]), isSpace)
	}
	return ""
}

// unquote is a value without typographic quotes that take the place of straight ones.
func (x *fixing) unquote(c cellText) string {
	if x.curly && c.curly() {
		if s, ok := uncurl(strings.TrimFunc(c.text(), isSpace)); ok {
			return s
		}
	}
	return c.text()
}

// cell writes value i of the current row; as it is where the row is refused.
func (x *fixing) cell(i int, c cellText, refused bool) {
	s := x.unquote(c)
	if s != c.text() {
		x.whole(fixCurly, x.rec.line, false)
	}
	col := x.columns[i]
	if col == 0 || refused {
		x.value(c, s)
		return
	}
	m := x.mend(col, s)
	for _, code := range m.changes {
		x.at(Change{Code: code, Row: x.done.Rows, Column: col, Refused: m.refused}, c)
	}
	x.value(c, m.text)
}

// value writes a value of the text that is now s: in the bytes that it had if it can be. An empty one is put in quotes where
// another value of the row is.
func (x *fixing) value(c cellText, s string) {
	switch {
	case c.quoted && s == c.text(), len(c.raw) == 0 && s == "" && x.kept > 1 && !x.rec.bare: // else it would be a blank line
		x.out = append(x.out, c.raw...)
		return
	case !c.quoted && len(c.raw) > 0 && (s == c.text() || !c.curly()):
		x.whole(fixBare, x.rec.line, false)
	}
	x.out = append(appendDoubled(append(x.out, '"'), []byte(s)), '"')
}

// appendDoubled appends what is between double quotes, those inside doubled.
func appendDoubled(dst, s []byte) []byte {
	return append(dst, bytes.ReplaceAll(s, []byte{'"'}, []byte{'"', '"'})...)
}

// whole notes a change of the whole text, once.
func (x *fixing) whole(c ledger.Code, line int, refused bool) {
	here := func(n Change) bool { return n.Code == c && n.isWhole() }
	if !slices.Contains(x.reported, c) && !slices.ContainsFunc(x.noted, here) {
		x.noted = append(x.noted, Change{Code: c, Line: line, Col: 1, Refused: refused})
	}
}

// isWhole reports whether the change is one of the whole text.
func (c Change) isWhole() bool { return c.Row == 0 && c.Column == 0 && c.Field == 0 }

// at notes a change at a value of the current record.
func (x *fixing) at(change Change, c cellText) {
	before := x.rec.raw[:c.at]
	change.Line, change.Col = x.rec.line+bytes.Count(before, []byte{'\n'}), c.at-bytes.LastIndexByte(before, '\n')
	if change.Line == 1 {
		change.Col += x.rec.left
	}
	x.noted = append(x.noted, change)
}

// settle reports the changes that were noted, once what they led to is certain.
func (x *fixing) settle() {
	for _, c := range x.noted {
		if c.isWhole() {
			x.reported = append(x.reported, c.Code)
		}
		if c.Refused {
			x.done.Refused++
		} else {
			x.done.Changes++
		}
		if x.Report != nil {
			x.Report(c)
		}
	}
	x.noted = x.noted[:0]
}
