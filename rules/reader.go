package rules

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/internal/veil"
	"github.com/chargecast/chargecast/ledger"
)

// A Reader reads a payload row by row and checks each one. It holds one row at a time: memory does not
// grow with the input, except for the check for a repeated client-orderid, which has a limit.
// [NewReader] makes one; the methods of the zero Reader panic.
type Reader struct {
	reporter

	opts    Options
	wire    *wire
	sc      *scanner // nil at the end
	started bool
	summary Summary

	divided  bool      // it was settled whether workers read
	parallel *parallel // they do; nil: this Reader reads all itself

	// The header.
	fields         []Column // the column of each value; zero for an unknown one
	judgings       []judging
	layout         *layout
	present        columnSet
	lost           bool                 // a fault of the header makes every row unusable
	reportedAbsent columnSet            // columns whose absence was reported
	head           tally                // the place of the header
	meant          [columnCount + 1]int // the first value, from 1, that is no name but almost that of the column
	misnamed       columnSet            // the columns that the header lacks but has almost the name of
	reportedLack   map[ledger.Code]bool // what was reported of them
	states         map[string]map[string]bool

	// The file so far.
	ids      orderIDs
	before   int           // rows of the payloads before this one, see Next
	payloads []payloadRows // … which are these
	bare     tally         // values without quotes
	blank    tally         // blank lines since the last row

	// The current row.
	rec          record // its text, and what its values were typed to
	former       string // a row, to be compared with the next one
	formerCells  []cell
	spare        []record // memory for the next rows
	amounts      rowAmounts
	filled       columnSet // columns with a value
	blanks       columnSet // columns with spaces only
	unread       columnSet // columns whose value could not be typed
	incomplete   bool      // it lacks a column that the header lacks
	plan         engine.Plan
	engine       engine.Engine
	asOfMonth    cardMonth
	horizonMonth cardMonth
	currencies   currencyTexts
	minor        minorUnits
	domain       mailDomain
	rightURL     string // the last one
	until        keptDate
	idTexts      strings.Builder // memory for client-orderids in findings
	repeated     repeatedAmounts
	forecast     engine.Profile // the last row of which the dates were asked for; its amounts have no effect
}

// String returns what r is, and nothing of what it reads; Format writes it under every verb.
func (*Reader) String() string { return "rules.Reader" }

// Format implements [fmt.Formatter].
func (r *Reader) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, r.String()) }

// A Summary counts what a [Reader] has met so far.
type Summary struct {
	Input    Input // the form that was recognised; InputAuto before the first row
	Rows     int   // data rows, unusable ones included
	Valid    int   // rows that can be used
	Errors   int   // errors among the findings
	Warnings int   // warnings among the findings
	// Unreadable reports that the input as a whole could not be read as a payload
	// ([Unreadable]), whatever the severity of the finding that says so.
	Unreadable bool
	// OrderIDs is the number of rows whose client-orderid was compared with all before
	// it; OrderIDsCut reports that the check for repeated ones stopped there, so that later
	// rows were compared with these only (L47, L56d).
	OrderIDs    int
	OrderIDsCut bool
	// CurrencyChecked reports whether the project's currency was known (L56).
	CurrencyChecked bool
}

// NewReader returns a Reader of the payload from src. Nothing is read before [Reader.Rows].
func NewReader(src io.Reader, o Options) *Reader {
	o = o.withDefaults()
	r := &Reader{
		reporter:     reporter{severities: o.severities()},
		opts:         o,
		wire:         newWire(src, o),
		ids:          orderIDs{most: o.MaxOrderIDs},
		forecast:     engine.Profile{Amounts: amount.Fixed(amount.Amount{})},
		engine:       engine.New(o.Policy),
		asOfMonth:    monthOfDay(o.AsOf),
		horizonMonth: monthOfDay(o.Horizon),
		layout:       new(layout),
		states:       stateSets(o.States),
	}
	r.summary.CurrencyChecked = o.Currency != ""
	return r
}

// Rows reads and checks the payload. Each step yields a row, or nil where there is none
// that can be used, and the findings of that step in order of place. A row can be used
// exactly when it is not nil: then none of its findings is an error, and it
// compiles under the policy. Findings about the text, the header or the file come with
// a nil row and Row 0; those about the whole file come last. A nil row can come
// without findings, where the header spoils every row, or no forecast is possible on AsOf or under the policy.
//
// The sequence is single use: it goes on where it was left, and is empty at the end.
func (r *Reader) Rows() iter.Seq2[*Row, ledger.Findings] {
	return func(yield func(*Row, ledger.Findings) bool) {
		r.begin()
		if ps := r.take(); len(ps) > 0 {
			r.count(nil, ps)
			if !yield(nil, ps) {
				return
			}
		}
		if r.divide(); r.parallel != nil {
			r.parallel.rows(yield)
			return
		}
		for r.sc != nil {
			row := r.step()
			ps := r.take()
			r.summary.Rows = r.row
			r.count(row, ps)
			if (row != nil || len(ps) > 0 || r.sc != nil) && !yield(row, ps) {
				return
			}
		}
	}
}

// Summary returns the counts of what was met so far; it is complete when Rows has ended.
func (r *Reader) Summary() Summary {
	s := r.summary
	s.OrderIDs, s.OrderIDsCut = r.ids.n, r.ids.cut
	s.Unreadable = r.wire.unreadable
	return s
}

// Err returns the error of the source that ended the input early; nil at a plain end. The rows before
// it were checked, but the payload is not whole.
func (r *Reader) Err() error { return r.wire.failed() }

// take hands over the findings of a step, sorted.
func (r *Reader) take() ledger.Findings {
	ps := r.taken()
	if len(ps) > 1 {
		ps.Sort()
	}
	for i := range ps {
		ps[i].Place.File = r.opts.File
	}
	return ps
}

// count counts what a step gave.
func (r *Reader) count(row *Row, ps ledger.Findings) {
	if row != nil {
		r.summary.Valid++
	}
	for i := range ps {
		if ps[i].Severity == ledger.SeverityError {
			r.summary.Errors++
		} else {
			r.summary.Warnings++
		}
	}
}

// begin opens the payload, once. What was found is about the header.
func (r *Reader) begin() {
	if !r.started {
		r.started = true
		r.open()
	}
}

// open recognises the input and reads the header; on a fault that leaves nothing to
// read there is no scanner afterwards.
func (r *Reader) open() {
	text := r.wire.open()
	r.summary.Input = r.wire.kind
	if text != nil {
		r.sc = newScanner(text, r.opts)
		if r.header() {
			return
		}
		r.sc = nil
	}
	r.endWire(false)
}

// endWire adds what there is to report of the input as it was sent.
func (r *Reader) endWire(whole bool) {
	r.wire.finish(whole)
	r.found = append(r.found, r.wire.found...)
	r.wire.found = nil
}

// step reads one record; at the end it reports what there is about the file.
func (r *Reader) step() *Row {
	if r.readInOneGo() {
		return r.judged()
	}
	if !r.nextRecord() {
		r.finish(true)
		return nil
	}
	if r.row == r.opts.MaxRows {
		r.add(LimitRows, 0).number(int64(r.opts.MaxRows), "row").aboutFile()
		r.finish(false)
		return nil
	}
	return r.readRow()
}

// nextRow is step without the end: it reports whether there is another row.
func (r *Reader) nextRow() (row *Row, more bool) {
	switch {
	case r.readInOneGo():
		return r.judged(), true
	case r.nextRecord():
		return r.readRow(), true
	}
	return nil, false
}

// nextRecord goes to the next record that is not a blank line; false at the end of the text.
func (r *Reader) nextRecord() bool {
	for r.sc.next() {
		if len(r.sc.raw) > 0 || r.sc.fault.code != "" {
			return true
		}
		r.blank.count(r.sc.at, r.sc.row, 1)
	}
	return false
}

// readRow reads the current record as the next data row.
func (r *Reader) readRow() *Row {
	r.row++
	r.reportBlank()
	return r.judge()
}

// finish ends the reading; whole reports whether the input was read to its end.
func (r *Reader) finish(whole bool) {
	if r.row == 0 && whole && r.sc.err == nil {
		r.at(NoRows, ledger.SeverityError, r.sc.offset, r.sc.line, r.sc.col+1).aboutFile()
	}
	r.reportBare()
	whole = whole && r.sc.err == nil
	r.sc = nil
	r.endWire(whole)
}

// A tally counts things of which only the first is shown.
type tally struct {
	n         int
	offset    int64
	line, col int
}

func (t *tally) count(offset int64, line, col int) {
	if t.n == 0 {
		t.offset, t.line, t.col = offset, line, col
	}
	t.n++
}

// countAll counts what was counted in a chunk that begins at a place.
func (t *tally) countAll(of tally, begin beginning) {
	switch {
	case of.n == 0:
	case t.n == 0:
		*t = tally{of.n, begin.offset + of.offset, begin.lines + of.line, of.col}
	default:
		t.n += of.n
	}
}

// reportBlank reports the blank lines before the current row; those at the end of a file
// are not a fault.
func (r *Reader) reportBlank() {
	if r.blank.n > 0 {
		p := r.at(BlankLine, ledger.SeverityWarning, r.blank.offset, r.blank.line, 1).aboutFile()
		if r.blank.n > 1 {
			p.say(count(int64(r.blank.n), "blank lines are between rows")).advise("remove them; they do not count as rows here")
		}
		r.blank = tally{}
	}
}

func (r *Reader) reportBare() {
	if r.bare.n == 0 {
		return
	}
	p := r.at(CSVUnquoted, ledger.SeverityWarning, r.bare.offset, r.bare.line, r.bare.col).aboutFile()
	if r.bare.n == 1 {
		p.say("a value is not quoted")
	} else {
		p.say(count(int64(r.bare.n), "values are not quoted; the first is here"))
	}
	if r.sc != nil && r.sc.sep == '|' { // a Fixer does not read it
		p.advise("separate them by semicolons, and write straight double quotes (\") around every one")
	}
}

// judge reads the current record as a data row.
func (r *Reader) judge() *Row {
	if !r.wellFormed() {
		return nil
	}
	row, amounts := r.rec.Row, r.amounts // what steady columns have
	r.prepare()
	r.judgeValues()
	yielded := r.judged()
	r.rec.Row, r.amounts = row, amounts
	return yielded
}

// judged judges the current row as a whole, its values being judged. It is nil if the row cannot be used.
func (r *Reader) judged() *Row {
	r.judgeTogether()
	r.nameProfile()
	if r.lost || r.incomplete || r.unread&engineColumns != 0 || r.found.Err() != nil {
		return nil
	}
	rec := r.newRecord()
	rec.Row, rec.text, rec.place, rec.fixed, rec.shared = r.rec.Row, r.rec.text, r.layout, r.rec.fixed, r.rec.shared
	rec.Number, rec.Line = r.row, r.sc.row
	rec.veiled = veil.Over(rec, &rec.beside)
	return &rec.Row
}

// nameProfile puts the client-orderid into the findings about the current row, where it has one of
// permitted length. In a row without card type the values may have been shifted, so that any secret
// may be there.
func (r *Reader) nameProfile() {
	id := r.rec.OrderID
	if len(r.found) == 0 || id == "" || r.rec.Kind == 0 {
		return
	}
	if most := columns[ColumnOrderID].Max; len(id) > most && utf8.RuneCountInString(id) > most {
		return
	}
	card := r.now(ColumnCardNumber)
	if len(card) >= 12 && digitsOnly(card) {
		id = shownID(id, card)
	} else {
		id = cardtext.Mask(id) // it may be the card number that is missing
	}
	id = r.nameOfOwn(id)
	for i := range r.found {
		if p := &r.found[i].Place; p.Row == r.row {
			p.Profile = id
		}
	}
}

// nameOfOwn is a text in memory that no row keeps, and that it shares with a few others.
func (r *Reader) nameOfOwn(s string) string {
	const together = 512
	if b := &r.idTexts; b.Cap()-b.Len() < len(s) {
		b.Reset()
		b.Grow(max(len(s), together))
	}
	begin := r.idTexts.Len()
	r.idTexts.WriteString(s)
	return r.idTexts.String()[begin:]
}

// engineColumns are the columns on which a forecast depends.
const engineColumns columnSet = 1<<ColumnCardType | 1<<ColumnAmount | 1<<ColumnAmountFrom | 1<<ColumnAmountTo | 1<<ColumnAmountSequence |
	1<<ColumnPeriod | 1<<ColumnInterval | 1<<ColumnStartDate | 1<<ColumnFinishDate | 1<<ColumnMaxRepeatsNumber

// wellFormed reports whether the record can be read cell by cell.
func (r *Reader) wellFormed() bool {
	sc := r.sc
	switch {
	case sc.fault.code != "":
		r.reportFault()
		r.recordText()
	case sc.width > sc.maxColumns:
		r.add(LimitColumns, 0).number(int64(sc.maxColumns), "value")
	case sc.width != len(r.fields):
		r.reportWidth()
		r.recordText()
	default:
		return true
	}
	return false
}

// prepare makes the text of the row and clears what was known of the last one.
func (r *Reader) prepare() {
	r.startRow()
	r.rec.Row, r.rec.text = Row{}, r.sc.text()
	r.amounts = rowAmounts{}
}

// startRow begins a row, of which nothing is known yet but what its columns have of the row before.
func (r *Reader) startRow() {
	r.filled, r.blanks, r.unread, r.incomplete = 0, 0, 0, false
	r.rec.fixed, r.rec.shared = 0, nil
}

// newRecord makes room for a row that is yielded.
func (r *Reader) newRecord() *record {
	if len(r.spare) == 0 {
		if r.row == 1 {
			r.spare = make([]record, 1)
		} else {
			r.spare = make([]record, recordsAtOnce)
		}
	}
	rec := &r.spare[0]
	r.spare = r.spare[1:]
	return rec
}

// recordsAtOnce is for how many rows memory is made at a time; the first row, which may be the only one, has its own.
const recordsAtOnce = 32

// describe makes p the current row as the engine needs it for dates, on which its amounts have no effect.
func (r *Reader) describe(p *engine.Profile) {
	p.Kind, p.Unit, p.Interval = r.rec.Kind, r.rec.Unit, r.rec.Interval
	p.Start, p.Finish, p.MaxRepeats = r.rec.Start, r.rec.Finish, r.rec.MaxRepeats
}

// A payloadRows is where the rows of a payload are among those of all.
type payloadRows struct {
	file   string
	before int // rows of the payloads before it
}

// Next returns a Reader of another payload that belongs together with that of r and those before it,
// as files of one portfolio do: a client-orderid that one of them has is a repetition (L47). Its rows
// count from 1; its [Summary] is its own but for OrderIDs, which counts the rows of all, with the
// MaxOrderIDs of the first. Call it once, when r has been read as far as it is wanted; r is of no
// further use.
func (r *Reader) Next(src io.Reader, o Options) *Reader {
	next := NewReader(src, o)
	next.ids, r.ids = r.ids, orderIDs{}
	next.payloads = append(r.payloads, payloadRows{r.opts.File, r.before})
	next.before = r.before + r.row
	return next
}

// nameOf returns what a row is called whose number counts over all payloads.
func (r *Reader) nameOf(row int) string {
	if row > r.before {
		return "row " + strconv.Itoa(row-r.before)
	}
	of := r.payloads[0]
	for _, p := range r.payloads[1:] {
		if p.before < row {
			of = p
		}
	}
	name := "row " + strconv.Itoa(row-of.before)
	if of.file != "" {
		name += " of " + of.file
	}
	return name
}
