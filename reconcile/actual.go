package reconcile

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// An Actual is a charge that took place, or a day on which one looked and there was none.
type Actual struct {
	record.Actual
	Profile string        // the client-orderid
	Created calendar.Date // the day of its profile's creation; zero: not given
}

// Forms say how dates and amounts are written. The zero value says nothing: ISO dates, DD.MM.YYYY, and what can be read
// in one way only.
type Forms = exportform.Forms

// ReadOptions say how a file of actual charges is read. The zero value reads one as cli.md has it.
type ReadOptions struct {
	File  string // the name of the file in records, where there are several; else empty
	Forms Forms
	// Names are other names of the columns profile, date, amount, currency, outcome, created and id. A column's own
	// name does not count where it has another one.
	Names map[string]string
}

// A column of a file of actuals.
type column uint8

const (
	columnProfile column = iota
	columnDate
	columnAmount
	columnCurrency
	columnOutcome
	columnCreated
	columnID

	columnCount
)

var columnNames = [columnCount]string{"profile", "date", "amount", "currency", "outcome", "created", "id"}

// Columns returns the names of the columns that are read.
func Columns() []string { return slices.Clone(columnNames[:]) }

// maxLine is the length of the longest line (L56d).
const maxLine = 1 << 20

// A Reader reads actual charges, one after the other: CSV with a header, whose separator is a semicolon, a comma or a tab, or
// JSON lines. Other columns than those of [Columns] are ignored, and so are blank lines.
type Reader struct {
	src   *bufio.Reader
	o     ReadOptions
	names [columnCount]string
	json  bool
	begun bool
	err   error // that ends reading

	sep    byte
	column []int8 // of each value of a line: its column, or -1
	line   int    // the first one at hand, from 1
	ends   int    // how many there are at hand
	raw    []byte // a line that does not fit into the buffer of src
	open   []byte // several lines, of a value with line ends
	fields [columnCount][]byte

	profile, currency string // the last ones
	amountText        string
	amount            amount.Amount
	negative          bool
	dates             map[string]calendar.Date
}

// NewReader returns a Reader of a text in UTF-8, with a byte-order mark or without.
func NewReader(r io.Reader, o ReadOptions) *Reader {
	in := &Reader{src: bufio.NewReaderSize(r, 64<<10), o: o, names: columnNames, dates: map[string]calendar.Date{}}
	for c, own := range columnNames {
		if o.Names[own] != "" {
			in.names[c] = "" // the name stands for another column
		}
		for name, of := range o.Names {
			if of == own {
				in.names[c] = name
			}
		}
	}
	return in
}

// Read reads the next actual into *to. It returns [io.EOF] after the last one. A line that cannot be read is a
// [ledger.Finding] with its place, and reading goes on after it; so is a file without a header that is understood, which has
// no more lines. Other errors are those of the source.
func (r *Reader) Read(to *Actual) error {
	if !r.begun {
		r.begun = true
		if r.err = r.begin(); r.err != nil {
			return r.end()
		}
	}
	if r.err != nil {
		return r.err
	}
	for {
		line, err := r.next()
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err = r.split(line); err == nil {
			err = r.actual(to, utf8.Valid(line))
		}
		if err == nil {
			to.Line = r.line
			return nil
		}
		if f, ok := errors.AsType[ledger.Finding](err); ok {
			f.Place.File, f.Place.Line, f.Place.Col = r.o.File, r.line, max(1, f.Place.Col)
			return f
		}
		return err
	}
}

// Actuals yields what [Reader.Read] reads, from the beginning each time, for [Match]. What it yields is valid until the
// next one. An error of r, or of seeking in it, ends it.
func Actuals(r io.ReadSeeker, o ReadOptions) iter.Seq2[*Actual, error] {
	return func(yield func(*Actual, error) bool) {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			yield(nil, err)
			return
		}
		in := NewReader(r, o)
		var a Actual
		for {
			err := in.Read(&a)
			if _, isFinding := err.(ledger.Finding); err == io.EOF || !yield(&a, err) || err != nil && !isFinding {
				return
			}
		}
	}
}

// end returns the error that ends reading, which later calls return as the end.
func (r *Reader) end() error {
	err := r.err
	if _, ok := errors.AsType[ledger.Finding](err); ok {
		r.err = io.EOF
	}
	return err
}

// begin reads up to the first actual.
func (r *Reader) begin() error {
	const mark = "\ufeff"
	if head, _ := r.src.Peek(len(mark)); string(head) == mark {
		_, _ = r.src.Discard(len(mark))
	}
	for {
		head, err := r.src.Peek(1)
		if err == io.EOF {
			return r.fault(ActualEmpty, "", "")
		}
		if err != nil {
			return err
		}
		if head[0] == '{' {
			r.json = true
			return nil
		}
		line, err := r.next()
		switch {
		case errors.Is(err, ActualLimit): // it could have named the columns
			return r.fault(ActualHeader, "", "the first line is longer than 1 MiB")
		case err != nil:
			return err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return r.header(line)
		}
	}
}

// separators are those between the values of a line.
var separators = [...]byte{';', ',', '\t'}

// header finds the columns in the first line: with the separator that gives most of them.
func (r *Reader) header(line []byte) error {
	most := 0
	for _, sep := range separators {
		columns, n := r.columns(line, sep)
		if n > most {
			r.sep, r.column, most = sep, columns, n
		}
	}
	var times [columnCount]int
	for _, c := range r.column {
		if c >= 0 {
			times[c]++
		}
	}
	for c, n := range times {
		required := column(c) <= columnAmount
		name := columnNames[c]
		if of := r.names[c]; of != name && of != "" {
			name = strconv.Quote(of) + " for " + name
		}
		switch {
		case n > 1:
			return r.undecided(ActualHeader, column(c), "the first line has the column "+name+" twice", "")
		case n == 0 && required && !utf8.Valid(line):
			return r.undecided(ActualHeader, column(c), "the first line is not UTF-8, and has no column "+name, "say the encoding of the file, such as --encoding windows-1252")
		case n == 0 && required:
			return r.undecided(ActualHeader, column(c), "the first line has no column "+name, "")
		}
	}
	return nil
}

// columns returns the column of each name in a header, and how many have one.
func (r *Reader) columns(line []byte, sep byte) (columns []int8, n int) {
	for {
		value, rest, more, ok := cut(line, sep)
		if !ok {
			return nil, 0
		}
		is := int8(-1)
		for c, name := range r.names {
			if name != "" && strings.EqualFold(strings.TrimSpace(string(value)), name) {
				is, n = int8(c), n+1
			}
		}
		columns = append(columns, is)
		if !more {
			return columns, n
		}
		line = rest
	}
}

// cut cuts the first value, without its quotes, from a line. It is not ok where a quote has no partner, or is not at the end
// of its value.
func cut(line []byte, sep byte) (value, rest []byte, more, ok bool) {
	if len(line) == 0 || line[0] != '"' {
		if i := bytes.IndexByte(line, sep); i >= 0 {
			return line[:i], line[i+1:], true, true
		}
		return line, nil, false, true
	}
	doubled := false
	for i := 1; ; i += 2 {
		k := bytes.IndexByte(line[i:], '"')
		if k < 0 {
			return nil, nil, true, false
		}
		i += k
		if i+1 < len(line) && line[i+1] == '"' {
			doubled = true
			continue
		}
		if value = line[1:i]; doubled {
			value = bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))
		}
		switch {
		case i+1 == len(line):
			return value, nil, false, true
		case line[i+1] == sep:
			return value, line[i+2:], true, true
		}
		return nil, nil, false, false
	}
}

// isOpen reports whether a line ends within quotes, so that its last value goes on in the next one: the header of a
// spreadsheet, too, whose separator is not known yet.
func (r *Reader) isOpen(line []byte) bool {
	switch {
	case r.json || bytes.IndexByte(line, '"') < 0:
		return false
	case r.sep != 0:
		return isOpenFor(line, r.sep)
	}
	return slices.ContainsFunc(separators[:], func(sep byte) bool { return isOpenFor(line, sep) })
}

func isOpenFor(line []byte, sep byte) bool {
	more, ok := true, true
	for more && ok {
		_, line, more, ok = cut(line, sep)
	}
	return more
}

// next returns the next line without its end: more than one where a value in quotes has line ends. It is valid until
// the next call.
func (r *Reader) next() ([]byte, error) {
	r.line += r.ends
	r.ends = 0
	line, err := r.physical()
	if err != nil || !r.isOpen(line) {
		return line, err
	}
	r.open = append(r.open[:0], line...)
	for r.isOpen(r.open) {
		more, err := r.physical()
		if err == io.EOF {
			break // the quote has no partner
		}
		if err != nil {
			return nil, err
		}
		if len(r.open)+len(more) > maxLine {
			r.open = r.open[:0]
			return nil, r.tooLong()
		}
		r.open = append(append(r.open, '\n'), more...)
	}
	return r.open, nil
}

// physical reads one line, and counts it.
func (r *Reader) physical() ([]byte, error) {
	line, err := r.src.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		r.raw = append(r.raw[:0], line...)
		for err == bufio.ErrBufferFull {
			if line, err = r.src.ReadSlice('\n'); len(r.raw) <= maxLine {
				r.raw = append(r.raw, line...)
			}
		}
		line = r.raw
	}
	switch {
	case err != nil && err != io.EOF:
		r.err = err
		return nil, err
	case len(line) == 0:
		r.err = io.EOF
		return nil, io.EOF
	}
	if r.line == 0 {
		r.line = 1
	}
	r.ends++
	if len(line) > maxLine {
		return nil, r.tooLong()
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), nil
}

func (r *Reader) tooLong() error { return r.fault(ActualLimit, "", "") }

// fault returns a finding about the line at hand.
func (r *Reader) fault(c ledger.Code, field, message string) ledger.Finding {
	f := table.Finding(c, message, "")
	f.Place = ledger.Place{File: r.o.File, Line: max(1, r.line), Col: 1}
	if field != "" {
		f.Kind, f.Subject = ledger.SubjectField, field
	}
	return f
}

// split finds the values of a line.
func (r *Reader) split(line []byte) error {
	clear(r.fields[:])
	if r.json {
		return r.members(line)
	}
	for i := 0; i < len(r.column); i++ {
		value, rest, more, ok := cut(line, r.sep)
		if !ok || !more && i+1 < len(r.column) {
			return r.fault(ActualLine, "", "")
		}
		if c := r.column[i]; c >= 0 {
			r.fields[c] = bytes.TrimSpace(value)
		}
		line = rest
	}
	if len(bytes.Trim(line, " \t\";,")) > 0 {
		return r.fault(ActualLine, "", "") // a decimal comma without quotes would be another amount
	}
	return nil
}

// members finds the values of a JSON object.
func (r *Reader) members(line []byte) error {
	object, err := jsonline.Parse(line)
	if err != nil {
		return err
	}
	for member, value := range object.Members() {
		for c, name := range r.names {
			if name == "" || !member.Is(name) {
				continue
			}
			switch value.Kind {
			case jsonline.KindNull:
			case jsonline.KindString, jsonline.KindNumber:
				r.fields[c] = []byte(strings.TrimSpace(value.Text()))
			default:
				return jsonline.In(jsonline.Fault(jsonline.CodeType, value.At+1, "the value is neither a string nor a number", "write it in double quotes"), columnNames[c])
			}
		}
	}
	return nil
}

// actual makes an actual of the values of a line, all of which are UTF-8 if the line is.
func (r *Reader) actual(to *Actual, isUTF8 bool) error {
	for c, value := range r.fields {
		if !isUTF8 && !utf8.Valid(value) {
			return r.fault(ActualEncoding, columnNames[c], "")
		}
	}
	*to = Actual{Profile: r.profile}
	to.File = r.o.File
	if string(r.fields[columnProfile]) != r.profile {
		r.profile = string(r.fields[columnProfile])
		to.Profile = r.profile
	}
	if to.Profile == "" {
		return r.fault(ActualProfile, columnNames[columnProfile], "")
	}
	if string(r.fields[columnCurrency]) != r.currency {
		r.currency = strings.ToUpper(string(r.fields[columnCurrency]))
	}
	to.Currency = r.currency
	to.ID = string(r.fields[columnID])
	var err error
	if to.Date, err = r.date(columnDate); err != nil {
		return err
	}
	if len(r.fields[columnCreated]) > 0 {
		if to.Created, err = r.date(columnCreated); err != nil {
			return err
		}
	}
	if word := r.fields[columnOutcome]; len(word) > 0 {
		if to.Outcome.UnmarshalText(bytes.ToLower(word)) != nil {
			return r.fault(ActualOutcome, columnNames[columnOutcome], "")
		}
	}
	switch text := r.fields[columnAmount]; {
	case to.Outcome != record.ActualNone:
		to.Amount, to.Negative, err = r.money(text, to.Currency)
		return err
	case len(text) > 0:
		return r.fault(ActualNone, columnNames[columnAmount], "")
	}
	return nil
}

// mostDates bounds what is kept of dates that were read.
const mostDates = 4096

// date reads a date.
func (r *Reader) date(c column) (calendar.Date, error) {
	text := r.fields[c]
	if d, ok := r.dates[string(text)]; ok {
		return d, nil
	}
	d, form := r.o.Forms.Date(string(text))
	switch {
	case form == exportform.DateUnordered:
		return d, r.undecided(ActualDate, c, "the order of day and month is not certain, or not the one that was said", "say the order with --dates dmy, mdy or ymd")
	case form == exportform.DateCentury:
		return d, r.undecided(ActualDate, c, "the year has two digits", "say the century with --century 20, and the order with --dates")
	case d.IsZero():
		return d, r.fault(ActualDate, columnNames[c], "")
	}
	if len(r.dates) < mostDates {
		r.dates[string(text)] = d
	}
	return d, nil
}

// undecided returns a finding about a column of the line at hand, with what to do about it; empty for what the rule says.
func (r *Reader) undecided(code ledger.Code, c column, message, help string) error {
	f := r.fault(code, columnNames[c], message)
	f.Help = cmp.Or(help, f.Help)
	return f
}

// money reads an amount, which may have a sign before it or a minus behind it.
func (r *Reader) money(text []byte, currency string) (amount.Amount, bool, error) {
	if len(text) > 0 && string(text) == r.amountText && r.o.Forms.Decimal == 0 {
		return r.amount, r.negative, nil
	}
	s, negative := string(text), false
	for _, minus := range [...]string{"-", "\u2212"} {
		if rest, ok := strings.CutPrefix(s, minus); ok && !negative {
			s, negative = rest, true
		} else if rest, ok := strings.CutSuffix(s, minus); ok && !negative {
			s, negative = rest, true
		}
	}
	if !negative {
		s = strings.TrimPrefix(s, "+")
	}
	read := r.o.Forms.Amount(strings.TrimSpace(s), currency)
	switch read.Fault {
	case exportform.AmountUndecided:
		return amount.Amount{}, false, r.undecided(ActualAmount, columnAmount, "the decimal mark is not certain, or not the one that was said", "say it with --decimal comma or point")
	case exportform.AmountCurrency:
		return amount.Amount{}, false, r.undecided(ActualAmount, columnAmount, "the sign or code is not that of the line's currency", "correct the currency of the line, or the amount")
	case exportform.AmountMalformed:
		return amount.Amount{}, false, r.fault(ActualAmount, columnNames[columnAmount], "")
	}
	a, err := amount.Parse(read.Text)
	if err != nil {
		return a, false, r.fault(ActualAmount, columnNames[columnAmount], "")
	}
	r.amountText, r.amount, r.negative = string(text), a, negative
	return a, negative, nil
}
