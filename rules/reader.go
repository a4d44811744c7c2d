package rules

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A Reader reads a payload row by row and checks each one. It holds one row at a time: memory does not
// grow with the input, except for the check for a repeated client-orderid, which has a limit.
// [NewReader] makes one; the methods of the zero Reader panic. Printing a Reader shows nothing of what it reads.
type Reader struct{ hidden func() *reader }

// NewReader returns a Reader of the payload from src. Nothing is read before [Reader.Rows].
func NewReader(src io.Reader, o Options) *Reader {
	r := newReader(o)
	r.wire = newWire(src, r.opts)
	return &Reader{func() *reader { return r }}
}

// Format writes what r is, for every verb.
func (Reader) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "rules.Reader") }

// Rows reads and checks the payload. Each step yields a row, or nil if it cannot be used, and the findings of that step in
// order of place. A row that is not nil has no error among its findings, and
// compiles under the policy. Findings about the text, the header or the file come with
// a nil row and Row 0; those about the whole file come last. A nil row comes
// without findings if the header has a fault that affects every row, or a severity was lowered.
//
// The sequence is single use: a second one continues where the first stopped, and is empty at the end.
func (r *Reader) Rows() iter.Seq2[*Row, ledger.Findings] { return r.hidden().rows }

// Summary returns the counts of what was met so far; it is complete when Rows has ended.
func (r *Reader) Summary() Summary { return r.hidden().counts() }

// Err returns the error that ended the input early: that of the source, or why the [Options] cannot be used; nil at a
// plain end. The rows before it were checked, but the payload is not whole.
func (r *Reader) Err() error {
	if r := r.hidden(); r.fault != nil {
		return r.fault
	}
	return r.hidden().wire.failed()
}

// A Summary counts what a [Reader] has read so far.
type Summary struct {
	Input    Input // the form that was recognised; InputAuto before the first row
	Rows     int   // data rows, unusable ones included
	Valid    int   // rows that can be used
	Errors   int   // errors among the findings
	Warnings int   // warnings among the findings
	// Unsendable is the number of usable rows that have an error all the same, in a column that is not checked
	// ([Options.ScheduleOnly]).
	Unsendable int
	// Unreadable reports that the input as a whole could not be read as a payload: it is not CSV, or its form body or
	// base64 is broken.
	Unreadable bool
	// Incomplete reports that the input was not read to its end, because of a limit, a fault that ended the reading, or an
	// error of the source, whatever the severity of the finding.
	Incomplete bool
	// OrderIDs is the number of rows whose client-orderid was compared with all before
	// it; OrderIDsCut reports that later rows were compared with some of those before them only (L47, L56d).
	OrderIDs    int
	OrderIDsCut bool
	// CurrencyChecked reports whether the project's currency was known (L56).
	CurrencyChecked bool
}

// OK reports whether a gateway could accept the payload: there are rows, all can be used and sent, no finding is an error,
// and the input was read to its end (L48).
func (s Summary) OK() bool {
	return s.Rows > 0 && s.Valid == s.Rows && s.Errors == 0 && s.Unsendable == 0 && !s.Unreadable && !s.Incomplete
}

// reader is the state of a Reader.
type reader struct {
	checker
	wire       *wire
	sc         *scanner // nil before the header, and at the end
	started    bool
	incomplete bool  // reading ended before the end of the text
	fault      error // why the options cannot be used
	summary    Summary

	// The header.
	fields     []field // of each value
	head       position
	headerText string
	present    columnSet
	counted    bool      // the header has a fault: rows are counted, not checked
	spoiled    bool      // the header has a fault: no row can be used
	absent     columnSet // columns whose absence was reported
	candidates columnSet // columns whose names are close to unknown ones

	// The file so far.
	ids    *orderIDs
	before int   // rows of the payloads before this one
	bare   tally // values without quotes
	blank  tally // blank lines since the last row

	engine       engine.Engine
	plan         engine.Plan
	profile      engine.Profile // the dates of the current row
	state        engine.State   // of its profile, where that is stored
	today        bool           // first-charge-today is not off
	unreachable  bool           // finish-unreachable is not off
	asOfMonth    cardMonth
	horizonMonth cardMonth

	records []record // memory for rows that are yielded
	used    int
	hidden  func(at int) *record
}

func newReader(o Options) *reader {
	r := &reader{checker: checker{opts: o.withDefaults(), states: stateSets(o.States), layout: new(layout)}, engine: engine.New(o.Policy)}
	r.fault = o.fault()
	r.profile.Amounts = amount.Fixed(amount.Amount{}) // the engine refuses a profile without; no date depends on them
	r.asOfMonth, r.horizonMonth = monthOfDay(o.AsOf), monthOfDay(r.opts.Horizon)
	reported := func(code ledger.Code) bool {
		return r.opts.severityOf(&ledger.Finding{Code: code, Severity: ruleOf(code).Severity}) != ledger.SeverityOff
	}
	r.today, r.unreachable = reported(FirstChargeToday), reported(FinishUnreachable)
	r.summary.CurrencyChecked = o.Currency != ""
	if o.IDs == nil {
		o.IDs = new(OrderIDs)
	}
	r.ids = o.IDs.ids(r.opts.MaxOrderIDs)
	return r
}

func (r *reader) rows(yield func(*Row, ledger.Findings) bool) {
	if !r.started {
		r.started = true
		r.open()
		if found := r.step(); len(found) > 0 && !yield(nil, found) {
			return
		}
	}
	for r.sc != nil {
		row, found := r.next()
		if (row != nil || len(found) > 0 || r.sc != nil) && !yield(row, found) {
			return
		}
	}
}

// step returns the findings of a step that has no row, and counts them.
func (r *reader) step() ledger.Findings {
	found := r.takeFindings()
	r.countFindings(found)
	return found
}

func (r *reader) countFindings(found ledger.Findings) {
	for i := range found {
		if found[i].Severity == ledger.SeverityError {
			r.summary.Errors++
		} else {
			r.summary.Warnings++
		}
	}
}

func (r *reader) counts() Summary {
	s := r.summary
	s.OrderIDs, s.OrderIDsCut = r.ids.n, r.ids.partial
	s.Unreadable = r.wire.unreadable
	s.Incomplete = r.incomplete || r.fault != nil || r.wire.incomplete || s.Unreadable
	return s
}

// open recognises the input and reads the header; if no rows can be read, there is no scanner afterwards.
func (r *reader) open() {
	if r.fault != nil {
		f, _ := errors.AsType[ledger.Finding](r.fault)
		f.Severity |= final
		r.found = append(r.found, f)
		return
	}
	r.before = r.ids.rows
	r.ids.files = append(r.ids.files, idFile{r.opts.File, r.before})
	text := r.wire.open()
	r.summary.Input = r.wire.kind
	if text == nil {
		r.close(false)
		return
	}
	r.sc = newScanner(text, r.opts.MaxRow)
	r.checker.sc = r.sc
	readable := r.header()
	if r.hintHeader(); !readable {
		r.close(false)
	}
}

// close ends the reading; whole reports whether the text was read to its end.
func (r *reader) close(whole bool) {
	r.incomplete = !whole
	r.sc, r.checker.sc = nil, nil
	r.wire.finish(whole)
	r.found = append(r.found, r.wire.found...)
	r.wire.found = nil
}

// next reads one record; at the end it reports the findings about the file, and there is no scanner afterwards.
func (r *reader) next() (*Row, ledger.Findings) {
	switch more := r.record(); {
	case more && r.number == r.opts.MaxRows:
		addLimit(aboutFile(r.makeFinal(r.report(LimitRows, 0, 0)), r.sc.begin), int64(r.opts.MaxRows), "row")
		r.finish(false)
	case !more:
		r.finish(true)
	default:
		r.number++
		r.ids.rows++
		r.summary.Rows = r.number
		r.reportBlank()
		row := r.row()
		return row, r.rowFindings(&row)
	}
	return nil, r.step()
}

// record goes to the next record that is not a blank line; false at the end of the text.
func (r *reader) record() bool {
	for r.sc.scan() {
		if len(r.sc.raw) > 0 || r.sc.fault.code != "" {
			return true
		}
		r.blank.count(r.sc.begin)
	}
	return false
}

// finish reports the findings about the file; whole reports whether the input was read to its end.
func (r *reader) finish(whole bool) {
	whole = whole && r.sc.err == nil
	if r.number == 0 && whole {
		aboutFile(r.makeFinal(r.report(NoRows, 0, 0)), r.sc.next)
	}
	r.reportBare()
	r.close(whole)
}

// A tally counts things and keeps the position of the first.
type tally struct {
	n     int
	first position
}

func (t *tally) count(p position) {
	if t.n == 0 {
		t.first = p
	}
	t.n++
}

// reportBlank reports the blank lines before the current row; those at the end of a file
// are not a fault.
func (r *reader) reportBlank() {
	if r.blank.n > 0 {
		f := aboutFile(r.report(BlankLine, 0, 0), r.blank.first)
		if r.blank.n > 1 {
			f.Message = count(int64(r.blank.n), "blank lines are between rows")
			f.Help = "remove them; they do not count as rows here"
		}
		r.blank = tally{}
	}
}

// countBare counts the values of a record that are not quoted. An empty one is not a fault: columns
// that are not used may be left empty (4.1).
func (r *reader) countBare() {
	for _, c := range r.sc.cells {
		if c.form == formBare && c.from < c.to {
			r.bare.count(r.sc.position(int(c.from)))
		}
	}
}

func (r *reader) reportBare() {
	if r.bare.n == 0 {
		return
	}
	f := aboutFile(r.report(CSVUnquoted, 0, 0), r.bare.first)
	if f.Message = "a value is not quoted"; r.bare.n > 1 {
		f.Message = count(int64(r.bare.n), "values are not quoted; the first is here")
	}
	if f.Hint = fixBare; r.sc.sep == '|' { // which a Fixer does not read
		f.Hint = ""
		f.Help = "separate them by semicolons, and write straight double quotes (\") around every one"
	}
}

// row checks the current record as a data row; nil if it cannot be used, whatever the severities.
func (r *reader) row() *Row {
	r.parsed = parsed{}
	if r.counted {
		r.countSource()
		return nil
	}
	if !r.isRow() {
		return nil
	}
	if r.sc.bare {
		r.countBare()
	}
	r.values(r.sc.text(), r.sc.plain, r.sc.cells, r.fields)
	usable := r.together() && !r.parsed.lacks
	r.nameProfile()
	if !usable || r.spoiled || r.parsed.unread&chargeColumns != 0 {
		return nil
	}
	return r.typedRow()
}

// countSource reports the columns that the header lacks for a row of SRC, unless an unknown name is close to theirs.
func (r *reader) countSource() {
	n := int(r.layout[ColumnCardType])
	if n == 0 || r.opts.ScheduleOnly || r.sc.fault.code != "" || len(r.sc.cells) != len(r.fields) || r.sc.cells[n-1].of(string(r.sc.raw)) != "SRC" {
		return
	}
	(requiredOnSRC &^ requiredAlways &^ r.present &^ r.candidates &^ r.absent).each(r.reportAbsent)
}

// rowFindings returns the findings about the current row, and sets the row to nil if one of them is an error. If only
// the schedule is read, an error in another column makes the row unsendable.
func (r *reader) rowFindings(row **Row) ledger.Findings {
	if r.opts.ScheduleOnly {
		r.found = slices.DeleteFunc(r.found, func(f ledger.Finding) bool {
			col, ok := ColumnOf(f.Subject)
			if !ok || f.Place.Row == 0 || scheduleColumns.has(col) || f.Code == CardExpired || f.Code == CardExpiresBeforeCharge {
				return false
			}
			r.parsed.unsendable = r.parsed.unsendable || r.opts.severityOf(&f) == ledger.SeverityError
			return true
		})
	}
	found := r.takeFindings()
	for i := range found {
		f := &found[i]
		isError := f.Severity == ledger.SeverityError && f.Place.Row > 0
		if isError {
			*row = nil
		}
		if isError || isMisread(f.Code) { // other warnings are frequent, and have no hint
			r.hint(f)
		}
	}
	r.countFindings(found)
	if *row != nil {
		r.summary.Valid++
		if (*row).Unsendable = r.parsed.unsendable; r.parsed.unsendable {
			r.summary.Unsendable++
		}
	}
	return found
}

// isRow reports whether the record can be checked value by value.
func (r *reader) isRow() bool {
	switch {
	case r.sc.fault.code != "":
		r.reportFault()
	case len(r.sc.cells) != len(r.fields):
		r.reportWidth()
	case string(bytes.TrimPrefix(r.sc.raw, []byte(mark))) == r.headerText:
		r.report(RowRepeatsHeader, 0, 0)
		return false
	default:
		if r.sc.marked {
			f := r.report(ByteOrderMark, 0, 0)
			f.Severity, f.Message, f.Help = ledger.SeverityError, "a byte-order mark is before the row", "remove it: files were joined"
		}
		return true
	}
	r.reportCharacters()
	return false
}

// reportFault reports why a record could not be read.
func (r *reader) reportFault() *ledger.Finding {
	sc := r.sc
	f := r.report(sc.fault.code, 0, sc.fault.at)
	switch sc.fault.code {
	case CSVLineEnd:
		f.Hint = fixLineEnds
	case CSVUnterminatedQuote: // all that follows is in it
		r.incomplete = true
		r.makeFinal(f)
	case LimitRow:
		addLimit(f, int64(sc.most), "byte")
	case LimitColumns:
		addLimit(f, maxCells, "value")
	case CSVQuote:
		before := string(sc.raw[:min(sc.fault.at, len(sc.raw))])
		value := strings.TrimRight(before, " ")
		switch {
		case sc.fault.near == ',', sc.fault.near == '\t', sc.fault.near == '|':
			f.Help = "separate values by ;"
		case sc.fault.bare && value != before && (value == "" || strings.HasSuffix(value, ";")):
			f.Help = "remove the space between the separator and the quote"
		case sc.fault.bare: // the whole value is to be quoted
		case sc.fault.near == '\\':
			f.Help = "write a quote inside a value twice; a backslash does not escape it"
		case sc.fault.near == ' ':
			f.Help = "remove the space between the quote and the separator, or write a quote inside a value twice"
		}
	}
	return f
}

// reportWidth reports a row with another number of values than the header.
func (r *reader) reportWidth() {
	raw, width := string(r.sc.raw), len(r.sc.cells)
	f := r.report(CSVWidth, 0, 0)
	f.Message = "the row has " + count(int64(width), plural(int64(width), "value")) + ", the header " + strconv.Itoa(len(r.fields))
	switch {
	case raw == "\x1a":
		f.Help = "remove the end mark (Ctrl-Z) from the end of the file"
	case strings.HasPrefix(raw, "#"):
		f.Help = "remove the line: there are no comments in the payload"
	case strings.Trim(raw, " \t") == "":
		f.Help = "remove the line: it has only spaces"
	case width == 1 && strings.ContainsAny(raw, ",\t"):
		f.Help = "separate values by ;"
	case width > len(r.fields):
		f.Help = "remove what is too much; put a value with a separator inside in double quotes"
	}
}

// reportCharacters reports encoding faults and NUL in a record that cannot be checked value by value, as far as it was
// read.
func (r *reader) reportCharacters() {
	if r.sc.plain {
		return
	}
	r.text = string(r.sc.raw)
	faults := faultsOf(r.text)
	if faults.invalid >= 0 {
		f := r.reportEncoding(0, faults.invalid)
		if r.sc.fault.code != "" {
			f.Help, f.Hint = "mend the row, and save the file as UTF-8", ""
		}
	}
	if faults.nul >= 0 {
		r.report(NULCharacter, 0, faults.nul)
	}
}

// now returns the value of a column of the current row; empty for a value without a row.
func (c *checker) now(col Column) string {
	if c.sc == nil || c.layout[col] == 0 {
		return ""
	}
	return c.sc.cells[c.layout[col]-1].of(c.text)
}

// nameProfile puts the client-orderid, if its length is permitted, into the findings about the current row. In a row
// without a card type the values may be in wrong columns, so that it may be a secret.
func (r *reader) nameProfile() {
	id := r.parsed.orderID
	if len(r.found) == 0 || id == "" || r.parsed.kind == 0 || len(id) > columns[ColumnOrderID].Max && utf8.RuneCountInString(id) > columns[ColumnOrderID].Max {
		return
	}
	r.parsed.shownID = shownID(id, r.now(ColumnCardNumber))
	r.growTexts(len(r.parsed.shownID))
	begin := r.texts.Len()
	r.texts.WriteString(r.parsed.shownID) // so that findings do not keep the row
	r.parsed.shownID = r.texts.String()[begin:]
	for i := range r.found {
		if p := &r.found[i].Place; p.Row == r.number {
			p.Profile = r.parsed.shownID
		}
	}
}

// recordsPerAlloc is how many rows are allocated at a time.
const recordsPerAlloc = 24

// typedRow returns the current row.
func (r *reader) typedRow() *Row {
	if r.used == len(r.records) {
		records := make([]record, min(r.number, recordsPerAlloc))
		r.records, r.used = records, 0
		r.hidden = func(at int) *record { return &records[at] }
	}
	rec, read := &r.records[r.used], &r.parsed
	if read.shownID == "" {
		read.shownID = shownID(read.orderID, r.now(ColumnCardNumber))
	}
	rec.text, rec.layout, rec.orderID = r.text, r.layout, read.orderID
	rec.callback = cmp.Or(r.now(ColumnServerCallbackURL), r.now(ColumnNotifyURL))
	row := &rec.row
	row.Number, row.Line, row.ShownID = r.number, r.sc.begin.line, read.shownID
	row.Kind, row.Currency, row.Amounts = read.kind, read.currency, r.choice()
	row.Start, row.Finish, row.Unit, row.Interval, row.MaxRepeats = read.start, read.finish, read.unit, read.interval, read.maxRepeats
	row.ExpireYear, row.ExpireMonth = read.expireYear, read.expireMonth
	row.hidden, row.at = r.hidden, r.used
	r.used++
	return row
}

// A Report is the result of [Validate].
type Report struct {
	Summary

	// Findings are in the order in which they were found, at most [Options.MaxFindings] of each code.
	Findings ledger.Findings
}

// Validate reads a payload from src to its end and reports what was found. The error is that of src,
// and the report is then about what was read before it; or it has the code as-of-missing or payload-option if the
// options cannot be used, and nothing was read. Memory does not grow with the payload. To use the rows, read them with a
// [Reader].
func Validate(src io.Reader, o Options) (Report, error) {
	r := NewReader(src, o)
	if err := r.hidden().fault; err != nil {
		return Report{}, err
	}
	var report Report
	most := r.hidden().opts.MaxFindings
	counts := map[ledger.Code]int{}
	for _, found := range r.Rows() {
		for _, f := range found {
			if counts[f.Code]++; counts[f.Code] <= most {
				report.Findings = append(report.Findings, f)
			}
		}
	}
	report.Summary = r.Summary()
	return report, r.Err()
}
