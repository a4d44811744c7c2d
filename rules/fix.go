package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
)

// A Fixer turns an export into a payload. It mends what is certain: encoding, separator, quotes, names of columns, forms
// of dates, amounts and codes, and what a spreadsheet adds. What the text leaves open, its fields decide;
// nothing is guessed. It reports each change, and refuses what would need a guess: such a value, or row, stays byte for byte, is
// reported too, and the rest is still mended. [Repairs] lists what it does.
//
// It reads the text twice, once to look and once to write. What becomes of a value depends on that value, on its row's
// currency, country and interval, and on the Fixer, but on no other row. A second run with the same fields but Decode
// over what the first one wrote changes nothing and refuses the same.
//
// It does not validate: what it writes may have problems that no rewriting mends. Where it refuses nothing, [Validate]
// finds no fault in the form of a number, date, amount or word.
type Fixer struct {
	// Options set the form of the input, the limits on its bytes, its rows and the bytes of a row, and severities; the
	// rest does not matter.
	Options Options
	// Forms are how dates and amounts are written.
	Forms Forms
	// Rename has columns for other names in the header; the zero Column removes the column with that name.
	Rename map[string]Column
	// Expiry has names in the header of a column with month and year of expiry in one value, such as 03/27. It becomes
	// expire-month, and expire-year is added. Where the header has one of these, the name is unknown.
	Expiry []string
	// Values has, by column, what takes the place of a value; the empty value is one. Values are compared without regard
	// to case and to white space around them, before and after they are mended.
	Values map[Column]map[string]Value
	// Set has values for the empty cells of columns. A column that the header lacks is added after the others.
	Set map[Column]string
	// DropUnknown removes columns whose names are none, DropEmpty rows without a value and blank lines.
	DropUnknown, DropEmpty bool
	// Decode turns the encoding of the text into UTF-8. U+FFFD and control characters beyond ASCII in its output show
	// that the text is in another encoding. Nil: the text is UTF-8, or UTF-16 with its byte-order mark and without U+FFFD.
	Decode func(io.Reader) io.Reader
	// Report receives each change in the order of the text; nil for no report.
	Report func(Change)
}

// A Value takes the place of another one.
type Value struct {
	Text string
	// Times is what the interval of the row is multiplied by, an absent one being 1: a year is 12 times a month. Zero and
	// one leave it as it is. For the column period alone.
	Times int
}

// Forms are how dates and amounts are written, as far as the user knows. The zero value decides nothing. The fields:
//
//	Dates   // the order of dates: DayFirst, MonthFirst or YearFirst
//	Century // the first two digits of years that are written with two: 20 for 2026
//	Decimal // the mark before the decimals: DecimalComma or DecimalPoint
type Forms = exportform.Forms

// The values of [Forms]: the order of day, month and year, and the mark before the decimals.
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
	// Field counts the values of the header up to a column that the document does not have, from 1; 0 for other changes.
	Field int
	// Name is the name of that column as [FixedColumn] has it.
	Name string
	// Near is the column that such a name perhaps means; zero where that is not clear, or where the
	// header has that column.
	Near Column
	// Profile is the client-orderid of a row in which something is refused, as it may be printed; empty where it cannot be
	// read.
	Profile string
}

// MarshalJSON returns the change as the record of type "change". Line and col are there only for a column that the
// document does not have.
func (c Change) MarshalJSON() ([]byte, error) {
	record := struct {
		Type    string      `json:"type"`
		Code    ledger.Code `json:"code"`
		Row     int         `json:"row"`
		Column  string      `json:"column,omitempty"`
		Line    int         `json:"line,omitempty"`
		Col     int         `json:"col,omitempty"`
		Refused bool        `json:"refused"`
	}{Type: "change", Code: c.Code, Row: c.Row, Column: c.Column.String(), Refused: c.Refused}
	if c.Column == 0 && c.Field > 0 {
		record.Line, record.Col = c.Line, c.Col
	}
	return json.Marshal(record)
}

// isWhole reports whether the change is one of the whole text.
func (c Change) isWhole() bool { return c.Row == 0 && c.Column == 0 && c.Field == 0 }

// Fixed counts what a [Fixer] did, and describes the columns.
type Fixed struct {
	Rows    int // data rows
	Changes int // what was mended
	Refused int // what was refused
	// NoCard counts rows without a full card number, masked ones among them: they can be forecast, not sent.
	NoCard int
	// NoInterval counts rows with a period and without an interval, which [Validate] refuses: monthly alone does not say every how
	// many months. Set for [ColumnInterval] says it for all of them, whether the column is there or not.
	NoInterval int
	// Encoding reports that the text is in an encoding that is not known. It was written as it is.
	Encoding bool
	// Columns are those of the header; nil where it cannot be read.
	Columns []FixedColumn
	// Missing are the columns that each row for an SRC needs and the header lacks, in the document's order.
	Missing []Column
	// Findings are about the form in which the payload arrived. If one is an error, nothing was written.
	Findings ledger.Findings
}

// Fix reads a payload from the beginning of src, twice, and writes its CSV text to w, mended. It holds one row at a
// time. The error is that of src or of w, or that of [Fixer.Check].
func (f Fixer) Fix(w io.Writer, src io.ReadSeeker) (Fixed, error) {
	values, err := f.given()
	if err != nil {
		return Fixed{}, err
	}
	x := &fixing{Fixer: f, w: w, most: f.Options.withDefaults().MaxRow, values: values}
	err = x.look(src)
	if x.tailUsed && err == nil { // the last columns have no name, and values
		x.keepTail = true
		x.done = Fixed{}
		err = x.look(src)
	}
	if err != nil || x.done.Findings.Err() != nil {
		return x.done, err
	}
	x.done.Rows = 0
	err = x.write(src)
	return x.done, err
}

// fixing is one run of a Fixer.
type fixing struct {
	Fixer
	w      io.Writer
	most   int // bytes of a row
	values map[Column]map[string]Value
	done   Fixed

	// What was seen of the whole text.
	marked     bool // a byte-order mark of UTF-8 comes first
	wide       bool // it is UTF-16
	recoded    bool // it becomes UTF-8
	unknown    bool // its encoding is not known, or not the one that was given
	hint       bool // a line for a spreadsheet comes before the header
	unreadable bool // there is no header that can be read
	lineCR     bool // lines end with CR alone
	sep        byte
	curly      bool // its quotes are typographic
	header
	misfits misfits

	// What is written: the separator, whether columns are removed and added, which are added, and all.
	to      byte
	reform  bool
	added   []Column
	outputs []output

	// What is being written.
	out      []byte
	err      error // of w
	rec      *cutter
	noted    []Change // not reported yet: the row may be refused as a whole
	reported []ledger.Code
	reading  reading
	repairs  []repair // of outputs
}

// An output is a column that is written.
type output struct {
	column Column
	from   int // its place in the file, from 0; negative for one that is added
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
		for x.readHeader(rec); x.done.Rows <= most && rec.next(); {
			if len(rec.raw) > 0 {
				x.done.Rows++
			}
			x.see(rec)
		}
		if err := text.err; err != io.EOF && err != nil && !errors.Is(err, errBroken) {
			return err
		}
		whole = text.err == io.EOF
		x.recoded, x.lineCR = text.recoded(), rec.lineCR
		if x.unknown = text.unknown(); x.done.Rows > most {
			f := table.Finding(LimitRows, "the payload has more than "+strconv.Itoa(most)+" rows", "")
			f.Place = ledger.Place{Line: 1, Col: 1}
			wire.found = append(wire.found, f)
		}
		if x.done.Encoding = x.unknown; !x.unknown && !x.unreadable {
			x.decide()
		}
	}
	wire.finish(whole)
	x.done.Findings = wire.findings()
	return wire.failed()
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
	if x.lineCR {
		x.whole(fixLineEnds, 1, false)
	}
	x.rec = newCutter(text, x.most)
	if x.writeHeader(); x.err != nil {
		return x.err
	}
	for err := x.flush(); err == nil && x.rec.next(); err = x.flush() {
		switch {
		case len(x.rec.raw) == 0 && !x.DropEmpty:
			x.endLine()
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
	x.report()
	_, err := io.Copy(x.w, text)
	return err
}

// flush reports the changes up to here and writes the text that they belong to.
func (x *fixing) flush() error {
	x.report()
	if len(x.out) == 0 {
		return nil
	}
	if x.err == nil {
		x.err = writeAll(x.w, x.out)
	}
	x.out = x.out[:0]
	return x.err
}

// endLine ends a line as the input does; with LF where that is CR alone.
func (x *fixing) endLine() {
	if x.rec.end == "\r" {
		x.out = append(x.out, '\n')
		return
	}
	x.out = append(x.out, x.rec.end...)
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
			x.endLine()
			continue
		case len(x.rec.raw) == 0:
			x.whole(fixEmpty, x.rec.line, false)
			continue
		}
		break
	}
	if len(x.rec.cells) != len(x.names)+x.tail {
		x.err = errChanged
		return
	}
	if x.sep != ';' {
		x.whole(fixSeparator, x.rec.line, x.to != ';')
	}
	if x.tail > 0 {
		x.whole(fixExtra, x.rec.line, false)
	}
	for i, c := range x.rec.cells[:len(x.names)] {
		n := &x.names[i]
		x.name(n, i, c)
		switch {
		case x.drops(i):
		case n.column != 0:
			x.value(c, n.column.String())
		default:
			x.value(c, x.unquote(c))
		}
	}
	for _, col := range x.added {
		x.at(Change{Code: fixAdded, Column: col, Refused: !x.reform}, x.rec.cells[len(x.names)-1])
		if x.reform {
			x.quoted(col.String())
		}
	}
	x.endRow()
}

// endRow ends what was written of a row: each value has a separator after it, and the last none.
func (x *fixing) endRow() {
	if n := len(x.out); n > 0 && x.out[n-1] == x.to {
		x.out = x.out[:n-1]
	}
	x.endLine()
}

// name notes what becomes of name i of the header.
func (x *fixing) name(n *headerName, i int, c cellText) {
	change := Change{Code: n.code, Column: max(n.column, n.rival), Refused: n.refused || n.drop && !x.reform}
	if c.curly() {
		x.whole(fixCurly, x.rec.line, false)
	} else if n.code == "" && (c.text() != n.column.String() || c.loose) {
		change.Code = fixSpaces
	}
	if n.column == 0 {
		change.Field, change.Name, change.Near = i+1, x.shown(i), n.near
	}
	if change.Code != "" {
		x.at(change, c)
	}
}

// row writes the current row.
func (x *fixing) row() {
	rec := x.rec
	fits := x.fits(rec) && !x.repeatsHeader(rec)
	blank := !rec.bad && !rec.over && rec.blank()
	if fits && !blank {
		x.mendRow()
		blank = x.nothingLeft()
	}
	switch {
	case blank && x.DropEmpty:
		x.noted = append(x.noted, Change{Code: fixEmpty, Row: x.done.Rows, Line: rec.line, Col: 1})
		return
	case blank:
		x.at(Change{Code: fixEmpty, Row: x.done.Rows, Refused: true}, rec.cells[0])
		x.blankRow()
		return
	case !fits:
		x.refuseRow()
		return
	}
	for i := range x.outputs {
		x.cell(i)
	}
	if len(rec.cells) > len(x.names)+x.tail {
		x.noted = append(x.noted, Change{Code: fixExtra, Row: x.done.Rows, Line: rec.line, Col: 1})
	}
	if x.endRow(); len(x.out) > x.most+len(rec.end) { // it would be too long when it is read again
		x.out, x.noted = x.out[:0], x.noted[:0]
		x.refuseRow()
		return
	}
	if x.writes(ColumnPeriod) && !x.writes(ColumnInterval) {
		x.done.NoInterval++
	}
	card := ""
	if i := x.outputOf(ColumnCardNumber); i >= 0 {
		card = x.repairs[i].text
		if x.repairs[i].refused {
			return
		}
	}
	if !isFullCard(card) {
		x.done.NoCard++
	}
}

// writes reports whether the current row is written with a value of a column.
func (x *fixing) writes(c Column) bool {
	i := x.outputOf(c)
	return i >= 0 && x.repairs[i].text != ""
}

// blank reports whether no value of the record can be seen.
func (s *splitter) blank() bool {
	return !slices.ContainsFunc(s.cells, func(v cellText) bool { return !v.blank() })
}

// nothingLeft reports whether none of the values that are written can be seen.
func (x *fixing) nothingLeft() bool {
	return !slices.ContainsFunc(x.repairs, func(m repair) bool { return trimmedUnseen(m.text) != "" })
}

// outputOf is the place of a column among those that are written; negative where it is not.
func (x *fixing) outputOf(col Column) int {
	return slices.IndexFunc(x.outputs, func(o output) bool { return o.column == col })
}

// blankRow writes a row without a value, with the values of the header where it has as many.
func (x *fixing) blankRow() {
	cells := x.rec.cells
	if whole := x.fits(x.rec); x.to == x.sep && !(whole && x.reforms()) {
		x.out = append(x.out, x.rec.raw...)
		x.endLine()
		return
	} else if whole {
		cells = nil
		for _, o := range x.outputs {
			c := cellText{raw: []byte(`""`), quoted: true}
			if o.from >= 0 {
				c = x.rec.cells[o.from]
			}
			cells = append(cells, c)
		}
	}
	for _, c := range cells {
		if len(c.raw) == 0 && x.width == 1 || !c.quoted && bytes.IndexByte(c.raw, x.to) >= 0 { // else it would be a blank line, or two values
			x.quoted(c.text())
			continue
		}
		x.out = append(append(x.out, c.raw...), x.to)
	}
	x.endRow()
}

// refuseRow writes a row as it is.
func (x *fixing) refuseRow() {
	rec := x.rec
	x.noted = append(x.noted, Change{Code: refuseRow, Row: x.done.Rows, Line: rec.line, Col: 1, Refused: true})
	x.out = append(x.out, rec.raw...)
	rec.rest(func(more []byte) { x.out = append(x.out, more...); _ = x.flush() })
	x.endLine()
}

// mendRow finds what becomes of the values of the current row, and of those of the columns that are added.
func (x *fixing) mendRow() {
	x.repairs = x.repairs[:0]
	x.reading = reading{forms: x.Forms, currency: x.Set[ColumnCurrency], country: x.Set[ColumnCountry]}
	for _, known := range [...]struct {
		col Column
		of  *string
	}{{ColumnCurrency, &x.reading.currency}, {ColumnCountry, &x.reading.country}} {
		if i := x.indexOf(known.col); i >= 0 {
			*known.of = ""
			if m := x.mend(known.col, x.unquote(x.rec.cells[i])); !m.refused {
				*known.of = asciiUpper(m.text)
			}
		}
	}
	expiry := x.expiryColumn()
	var m, year repair
	for _, o := range x.outputs {
		switch {
		case o.from >= 0 && o.from == expiry:
			m, year = x.mendExpiry(x.unquote(x.rec.cells[o.from]))
		case o.from >= 0:
			m = x.mend(o.column, x.unquote(x.rec.cells[o.from]))
		case o.column == ColumnExpireYear && expiry >= 0:
			m = year
		default:
			m = x.mend(o.column, "")
		}
		x.repairs = append(x.repairs, m)
	}
	if i := x.outputOf(ColumnPeriod); i >= 0 && x.repairs[i].times > 1 {
		written := ""
		if from := x.outputs[i].from; from >= 0 {
			written = x.unquote(x.rec.cells[from])
		}
		x.multiply(&x.repairs[i], written)
	}
}

// multiply makes the interval as long as a period says; the period is refused where that cannot be.
func (x *fixing) multiply(period *repair, written string) {
	code, n, times := fixMapped, uint64(1), uint64(period.times)
	if period.phrase {
		code = fixPeriod
	}
	interval := x.outputOf(ColumnInterval)
	ok := interval >= 0
	if ok && x.outputs[interval].from >= 0 {
		if m := x.repairs[interval]; m.text != "" && !slices.Contains(m.codes, fixSet) {
			var c ledger.Code
			n, _, c = integerOf(ColumnInterval, m.text)
			ok = c == "" && (n == 1 || !period.phrase)
		}
	}
	if !ok || n > 1<<31 || times*n > 1<<31 {
		period.text = written
		period.refuse(refuseLonger)
		return
	}
	x.repairs[interval] = repair{text: strconv.FormatUint(times*n, 10), codes: []ledger.Code{code}}
}

// mend returns what becomes of a value of a column in the current row: what was given for it, before or after it is
// mended, or for an empty one.
func (x *fixing) mend(col Column, s string) repair {
	if col == 0 {
		return repair{text: s}
	}
	if m, ok := x.given(col, s, s); ok {
		return m
	}
	m := x.reading.mend(col, s)
	if !m.refused {
		if given, ok := x.given(col, m.text, s); ok {
			if m.phrase && !given.refused {
				given.times, given.phrase = max(given.times, 1)*m.times, true
			}
			return given
		}
		if text := x.Set[col]; m.text == "" && text != "" {
			m.to(text, fixSet)
		}
	}
	return m
}

// given is what takes the place of a value that was s before it was mended.
func (x *fixing) given(col Column, mended, s string) (repair, bool) {
	list := x.values[col]
	if len(list) == 0 {
		return repair{}, false
	}
	v, ok := list[foldedValue(mended)]
	if !ok {
		return repair{}, false
	}
	m := x.reading.mend(col, v.Text)
	switch {
	case m.refused:
		m.text = s
		return m, true
	case v.Text == "" && x.Set[col] != "":
		m.text = x.Set[col]
	}
	m.codes, m.times = nil, v.Times
	if m.text != s {
		m.codes = []ledger.Code{fixMapped}
	}
	return m, true
}

// unquote is a value without typographic quotes that take the place of straight ones.
func (x *fixing) unquote(c cellText) string {
	s := c.text()
	if x.curly && c.curly() {
		if inner, ok := uncurl(trimmedUnseen(s)); ok {
			return inner
		}
	}
	return s
}

// cell writes a value of the current row.
func (x *fixing) cell(i int) {
	m, o := x.repairs[i], x.outputs[i]
	c, added := x.rec.cells[len(x.names)-1], o.from < 0
	if !added {
		c = x.rec.cells[o.from]
	}
	change := Change{Row: x.done.Rows, Column: o.column}
	if o.column == 0 {
		change.Field, change.Name = o.from+1, x.shown(o.from)
	}
	if !added && x.unquote(c) != c.text() {
		x.whole(fixCurly, x.rec.line, false)
	}
	if !added && c.loose && !m.refused && !slices.Contains(m.codes, fixSpaces) {
		change.Code = fixSpaces
		x.at(change, c)
	}
	for _, code := range m.codes {
		change.Code, change.Refused = code, m.refused
		x.at(change, c)
	}
	if added {
		x.quoted(m.text)
		return
	}
	x.value(c, m.text)
}

// value writes a value of the text that is now s: in the bytes that it had if it can be. An empty one is put in quotes where
// another value of the row is.
func (x *fixing) value(c cellText, s string) {
	switch {
	case c.quoted && s == c.text(), len(c.raw) == 0 && s == "" && x.width > 1 && !x.rec.bare: // else it would be a blank line
		x.out = append(append(x.out, c.raw...), x.to)
		return
	case !c.quoted && len(c.raw) > 0 && (s == c.text() || !c.curly()):
		x.whole(fixBare, x.rec.line, false)
	}
	x.quoted(s)
}

// quoted writes a value in quotes.
func (x *fixing) quoted(s string) {
	x.out = append(appendDoubled(append(x.out, '"'), []byte(s)), '"', x.to)
}

// whole notes a change of the whole text, once.
func (x *fixing) whole(c ledger.Code, line int, refused bool) {
	here := func(n Change) bool { return n.Code == c && n.isWhole() }
	if !slices.Contains(x.reported, c) && !slices.ContainsFunc(x.noted, here) {
		x.noted = append(x.noted, Change{Code: c, Line: line, Col: 1, Refused: refused})
	}
}

// at notes a change at a value of the current record.
func (x *fixing) at(change Change, c cellText) {
	before := x.rec.raw[:c.at]
	change.Line, change.Col = x.rec.line+bytes.Count(before, []byte{'\n'}), c.at-bytes.LastIndexByte(before, '\n')
	if change.Line == 1 {
		change.Col += x.rec.left
	}
	x.noted = append(x.noted, change)
}

// profile is the client-orderid of the row that a change is about, as it may be printed; empty where the values of the row cannot
// be told apart.
func (x *fixing) profile(c Change) string {
	i := x.outputOf(ColumnOrderID)
	if c.Row == 0 || c.Code == refuseRow || c.Code == fixEmpty || i < 0 || len(x.repairs) != len(x.outputs) || len(x.repairs[i].text) > columns[ColumnOrderID].Max {
		return ""
	}
	for _, col := range [...]Column{ColumnCardType, ColumnCurrency, ColumnPeriod} {
		if i := x.outputOf(col); i >= 0 && x.repairs[i].refused {
			return "" // the values may have been shifted, and any secret may be there
		}
	}
	card := ""
	if i := x.outputOf(ColumnCardNumber); i >= 0 {
		card = x.repairs[i].text
	}
	return strings.Clone(shownID(x.repairs[i].text, card))
}

// report reports the changes that were noted.
func (x *fixing) report() {
	for _, c := range x.noted {
		if c.isWhole() {
			x.reported = append(x.reported, c.Code)
		}
		if c.Refused {
			x.done.Refused++
			c.Profile = x.profile(c)
		} else {
			x.done.Changes++
		}
		if x.Report != nil {
			x.Report(c)
		}
	}
	x.noted = x.noted[:0]
}
