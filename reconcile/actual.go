package reconcile

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// An Actual is a line of a file of actual charges: a charge that took place, or a day on which one
// looked and there was none. Its Currency may be a sign at the amount, such as $, that several
// currencies have: the profile's is meant if it is one of them. Of a line with a problem it is what
// could be read: its Date, else zero, and Profiles.
type Actual struct {
	record.Actual
	Profile  string        // the client-orderid
	Created  calendar.Date // the day of its profile's creation; zero: not given
	NoAmount bool          // the line has no amount
	// Profiles are the texts that the profile of a line with a problem may be: none if it cannot be
	// read, and several if the line has too many values.
	Profiles []string
}

// Forms say how dates and amounts are written. The zero value says nothing: ISO dates, DD.MM.YYYY,
// and what can be read in one way only. The fields, whose values package rules names:
//
//	Dates   // the order of dates: rules.DayFirst, MonthFirst or YearFirst
//	Century // the first two digits of years that are written with two: 20 for 2026
//	Decimal // the mark before the decimals: rules.DecimalComma or DecimalPoint
type Forms = exportform.Forms

// ReadOptions say how a file of actual charges is read. The zero value reads one as cli.md has it.
type ReadOptions struct {
	File  string // the name of the file in records, if there are several; else empty
	Forms Forms
	// Names are other names of the columns profile, date, amount, currency, outcome, created and
	// id. A column that has another name is not found by its own.
	Names map[string]string
	// Outcomes are other words, in lower case, for approved, declined and none.
	Outcomes map[string]record.ActualOutcome
	Skip     int // lines before the header
	SkipLast int // lines at the end of the file, up to [MaxSkipLast]
}

// MaxSkipLast is the greatest number of lines at the end of a file that are left out.
const MaxSkipLast = 100

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

// A Reader reads actual charges, one after the other: CSV with a header, whose separator is a
// semicolon, a comma or a tab, or JSON lines. Other columns than those of [Columns] are ignored,
// and so are blank lines and repetitions of the header.
type Reader struct {
	o      ReadOptions
	names  [columnCount]string
	text   text
	isJSON bool
	begun  bool
	err    error // no more lines

	stops  string // the separator, CR and LF
	column []int8 // of each cell of a line: its column, or -1
	header []byte // the line

	// The line at hand.
	line       int // its number
	record     []byte
	cells      []cell // of record
	separators int
	fields     [columnCount][]byte
	wrong      error  // a field of a JSON object that is neither a string nor a number
	profile    string // the last one, to be used again
}

// NewReader returns a Reader of a text in UTF-8, with a byte-order mark or without.
func NewReader(r io.Reader, o ReadOptions) *Reader {
	if o.SkipLast > 0 {
		r = &headText{src: r, skip: min(o.SkipLast, MaxSkipLast)}
	}
	in := &Reader{o: o, names: columnNames, text: newText(r)}
	for c, own := range columnNames {
		if o.Names[own] != "" {
			in.names[c] = "" // the name means another column
		}
		for name, of := range o.Names {
			if of == own {
				in.names[c] = name
			}
		}
	}
	return in
}

// Read reads the next actual into *to. It returns [io.EOF] after the last one. A line with a
// problem is a [ledger.Finding] with its place, and reading goes on after it; a file that has no
// header, or an unclear one, is a Finding with the code [ActualEmpty] or [ActualHeader], and has no
// more lines. Other errors are those of the source.
func (r *Reader) Read(to *Actual) error {
	if !r.begun {
		r.begun = true
		if err := r.begin(); err != nil {
			if r.err = err; isFinding(err) {
				r.err = io.EOF
			}
			return err
		}
	}
	for r.err == nil {
		*to = Actual{}
		to.File = r.o.File
		err := r.next()
		if err == errNoRecord {
			continue
		}
		switch to.Line = r.line; {
		case err == nil:
			if err = r.actual(to); err != nil && to.Profile != "" {
				to.Profiles = []string{to.Profile}
			}
		case isFinding(err):
			to.Profiles = r.candidates()
		default:
			r.err = err
			return err
		}
		if f, ok := errors.AsType[ledger.Finding](err); ok {
			f.Place.File, f.Place.Line, f.Place.Col = r.o.File, r.line, max(1, f.Place.Col)
			return f
		}
		return err
	}
	return r.err
}

// Actuals yields what [Reader.Read] reads, for [Match]. What it yields is valid until the next one.
// An error of r ends it.
func Actuals(r io.Reader, o ReadOptions) iter.Seq2[*Actual, error] {
	return func(yield func(*Actual, error) bool) {
		in := NewReader(r, o)
		var a Actual
		for {
			err := in.Read(&a)
			if err == io.EOF || !yield(&a, err) || err != nil && !isFinding(err) {
				return
			}
		}
	}
}

// errNoRecord says that a line is blank, or the header once more.
var errNoRecord = errors.New("reconcile: no record")

// next finds the fields of the next line. On a [ledger.Finding] its values cannot be told apart,
// and cells are those that can.
func (r *Reader) next() error {
	r.cells, r.wrong = r.cells[:0], nil
	clear(r.fields[:])
	if !r.text.has(0) {
		return r.text.err
	}
	r.line = r.text.line
	end, next, whole := r.text.lineEnd(0)
	if !whole {
		r.text.drop()
		return r.fault(ActualLimit, "", "")
	}
	line := bytes.TrimPrefix(r.text.unread()[:end], []byte(mark))
	if len(bytes.TrimSpace(line)) == 0 || bytes.Equal(line, r.header) {
		r.text.take(next)
		return errNoRecord
	}
	if r.isJSON {
		r.text.take(next) // line is valid until more is read
		return r.members(line)
	}
	cells, after, ok := r.text.record(r.cells, r.stops, len(r.column)-1)
	r.cells, r.record, r.separators = cells, r.text.unread(), bytes.Count(r.text.unread()[:end], []byte(r.stops[:1]))
	if !ok {
		r.cells = slices.DeleteFunc(r.cells, func(c cell) bool { return c.to > end })
		r.text.take(next)
		return r.fault(ActualLine, "", "the double quotes do not match")
	}
	r.text.take(after)
	return r.split()
}

// split puts the cells of a line into the fields. Empty ones behind those of the header are passed
// over.
func (r *Reader) split() error {
	isEmpty := func(c cell) bool { return len(c.of(r.record)) == 0 }
	for len(r.cells) > len(r.column) && isEmpty(r.cells[len(r.cells)-1]) {
		r.cells = r.cells[:len(r.cells)-1]
	}
	if len(r.cells) != len(r.column) { // a decimal comma without quotes would be another amount
		return r.fault(ActualLine, "", "")
	}
	if !slices.ContainsFunc(r.cells, func(c cell) bool { return !isEmpty(c) }) {
		return errNoRecord
	}
	for i, c := range r.cells {
		of := r.column[i]
		if of < 0 {
			continue
		}
		r.fields[of] = c.of(r.record)
		if column(of) != columnProfile {
			r.fields[of] = bytes.TrimSpace(r.fields[of])
		} else if c.stray {
			r.cells = nil
			return r.fault(ActualLine, "", "the double quotes do not match")
		}
	}
	return nil
}

// candidates are the texts that may be the profile of a line whose values cannot be told apart.
// They are known only if the line begins with it, has more than one value, and is too short for two
// lines.
func (r *Reader) candidates() []string {
	if r.isJSON || len(r.cells) == 0 || r.column[0] != int8(columnProfile) || r.separators == 0 || r.separators >= 2*(len(r.column)-1) {
		return nil
	}
	first := r.cells[0]
	name := string(first.of(r.record))
	if first.stray || name == "" || len(name) > maxName || !isLegible(name) || r.isOfSecond(name) {
		return nil
	}
	list := []string{name}
	for i := len(name) - 1; i > 0; i-- { // the separator behind it may be missing
		list = append(list, name[:i])
	}
	for n := 2; n <= len(r.cells)-len(r.column)+1; n++ { // it may have separators, or too many
		part := r.record[first.from:r.cells[n-1].to]
		list = append(list, string(part), strings.ReplaceAll(string(part), r.stops[:1], ""))
	}
	return list
}

// isOfSecond reports whether a text may be a value of the second column, so that the first one may
// be missing.
func (r *Reader) isOfSecond(s string) bool {
	switch column(r.column[1]) {
	case columnDate, columnCreated:
		return strings.Trim(s, "0123456789-./: ") == "" && len(s) > 5
	case columnAmount:
		return strings.Trim(s, "0123456789.,-+ ") == ""
	}
	return false
}

// maxName is more bytes than a client-orderid has.
const maxName = 1024

// isLegible reports whether a text is UTF-8 in which no character was lost.
func isLegible(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, utf8.RuneError) }

// members finds the fields of a JSON object.
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
			case strictjson.KindNull:
			case strictjson.KindString, strictjson.KindNumber:
				if r.fields[c] = []byte(value.Text()); column(c) != columnProfile {
					r.fields[c] = bytes.TrimSpace(r.fields[c])
				}
			default:
				err := jsonline.In(jsonline.Fault(jsonline.CodeType, value.At+1, "the value is neither a string nor a number", "write it in double quotes"), columnNames[c])
				if column(c) == columnProfile {
					return err
				}
				r.wrong = cmp.Or(r.wrong, err)
			}
		}
	}
	return nil
}

// fault returns a finding about the line at hand.
func (r *Reader) fault(c ledger.Code, field, message string) ledger.Finding {
	f := table.Finding(c, message, "")
	f.Place = ledger.Place{File: r.o.File, Line: max(1, r.line), Col: 1}
	if field != "" {
		f.Kind, f.Subject = ledger.SubjectField, field
	}
	return f
}

// undecided returns a finding about a column of the line at hand, with what to do about it; empty
// for what the rule says.
func (r *Reader) undecided(code ledger.Code, c column, message, help string) error {
	f := r.fault(code, columnNames[c], message)
	f.Help = cmp.Or(help, f.Help)
	return f
}
