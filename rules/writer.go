package rules

import (
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// Values are the values of a row by column; a column that is not there is empty.
type Values map[Column]string

// A Writer writes a payload row by row: the header with all columns in the document's order before the first row, every
// value in double quotes (4.1, R107). A row is checked as a [Reader] checks it, and one with an error is not written.
// Nothing is buffered. [NewWriter] makes one; the methods of the zero Writer panic. Printing a Writer shows nothing of
// what it writes.
type Writer struct{ hidden func() *writer }

// NewWriter returns a Writer that writes to w the rows that are right under the options. It looks at all of them but
// File, Input, and the limits other than MaxRow.
func NewWriter(w io.Writer, o Options) *Writer {
	o.Input, o.ScheduleOnly, o.MaxRows, o.MaxBytes = InputAuto, false, 0, 0
	r := newReader(o)
	r.wire = new(wire)
	r.sc = newScanner(nil, r.opts.MaxRow)
	r.checker.sc = r.sc
	for s := range Columns() {
		r.fields, r.layout[s.Column] = append(r.fields, fieldOf(s.Column)), int16(s.Column)
		r.present.add(s.Column)
	}
	r.before = r.ids.rows
	r.ids.files = append(r.ids.files, idFile{o.File, r.ids.rows})
	state := &writer{to: w, check: r, next: position{line: 1}, counts: map[ledger.Code]int{}}
	return &Writer{func() *writer { return state }}
}

// writer is the state of a Writer. Its reader checks each row.
type writer struct {
	to    io.Writer
	check *reader
	begun bool
	next  position // of the next row
	err   error    // of to

	found  ledger.Findings
	counts map[ledger.Code]int
}

// Write writes a row. With an error nothing was written: that of the findings (errors.Is finds their codes, such as
// [AmountSyntax]), [AsOfMissing] without a current date, or that of w, after which nothing is written any more. Warnings
// are not an error; [Writer.Findings] returns them.
func (w *Writer) Write(v Values) error { return w.hidden().write(v) }

// WriteProfile writes a row whose columns of id, kind, amounts, currency, schedule and card's expiry are those of a
// profile; other has the values of other columns, and none of a column that the profile sets.
func (w *Writer) WriteProfile(p engine.Profile, other Values) error {
	v := valuesOf(p)
	for _, c := range slices.Sorted(maps.Keys(other)) {
		if _, twice := v[c]; twice && other[c] != "" {
			return table.Finding(ColumnDuplicate, "the profile says "+c.String()+" already", "leave it out of the other values")
		}
		v[c] = other[c]
	}
	return w.Write(v)
}

// Findings returns what was found in the rows so far, in order: of those that were written the warnings, and of those
// that were refused all; at most [Options.MaxFindings] of each code. The place is the one that the row has in the
// payload, or would have.
func (w *Writer) Findings() ledger.Findings { return slices.Clone(w.hidden().found) }

func (w *writer) write(v Values) error {
	r := w.check
	switch {
	case r.fault != nil:
		return r.fault
	case w.err != nil:
		return w.err
	}
	for c := range v {
		if c == 0 || c > columnCount {
			return table.Finding(ColumnUnknown, "Values has a key that is not a column: "+strconv.Itoa(int(c)), "use the named constants")
		}
	}
	cells := make([]string, 0, columnCount)
	for s := range Columns() {
		cells = append(cells, v[s.Column])
	}
	var text []byte
	at := w.next
	if !w.begun {
		text = AppendHeader(text)
		at = at.after(text)
	}
	begin := len(text)
	text = AppendRecord(text, cells...)
	found, ok := r.checkOne(text[begin:], at)
	w.keep(found)
	if !ok {
		return found.Err()
	}
	if w.err = writeAll(w.to, text); w.err != nil {
		return w.err
	}
	w.begun, w.next = true, w.next.after(text)
	return nil
}

// keep keeps findings, up to a number of each code.
func (w *writer) keep(found ledger.Findings) {
	for _, f := range found {
		if w.counts[f.Code]++; w.counts[f.Code] <= w.check.opts.MaxFindings {
			w.found = append(w.found, f)
		}
	}
}

// checkOne checks the text of one row, and reports whether it can be used; the id of one that cannot is forgotten.
func (r *reader) checkOne(text []byte, at position) (ledger.Findings, bool) {
	r.sc.read(text, at)
	r.sc.scan()
	r.number++
	row := r.row()
	found := r.rowFindings(&row)
	if row == nil {
		r.ids.forget(r.parsed.orderID, r.before+r.number)
		r.number--
		return found, false
	}
	r.ids.rows++
	return found, true
}

// valuesOf returns the columns that a profile sets.
func valuesOf(p engine.Profile) Values {
	v := Values{ColumnOrderID: p.ID, ColumnCurrency: p.Currency}
	switch p.Kind {
	case engine.KindSource:
		v[ColumnCardType] = "SRC"
	case engine.KindDestination:
		v[ColumnCardType] = "DST"
	}
	switch c := p.Amounts; c.Kind() {
	case amount.KindFixed:
		low, _ := c.Bounds(0)
		v[ColumnAmount] = low.String()
	case amount.KindRange:
		low, high := c.Bounds(0)
		v[ColumnAmountFrom], v[ColumnAmountTo] = low.String(), high.String()
	case amount.KindSequence:
		v[ColumnAmountSequence] = c.String()
	}
	if p.Automatic() {
		v[ColumnPeriod], v[ColumnInterval] = p.Unit.String(), strconv.Itoa(p.Interval)
	}
	if !p.Start.IsZero() {
		v[ColumnStartDate] = dotted(p.Start)
	}
	if !p.Finish.IsZero() {
		v[ColumnFinishDate] = dotted(p.Finish)
	}
	if n, ok := p.MaxRepeats.Value(); ok {
		v[ColumnMaxRepeatsNumber] = strconv.FormatUint(n, 10)
	}
	if !p.CardExpires.IsZero() {
		iso := p.CardExpires.String()
		v[ColumnExpireYear], v[ColumnExpireMonth] = iso[:4], iso[5:7]
	}
	return v
}
