package rules

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A judging is how the values of one column of the file are judged, and what is known of the last ones.
type judging struct {
	judge   valueJudge // nil: none, as in judges
	steady  *stretch   // that begins with the column; nil: the value varies
	least   uint32     // characters of a value that needs no look at its length
	span    uint32     // … and how many more it may have
	usual   int32      // bytes of the last value, where closed
	column  Column
	closed  bool // only printable ASCII without a quote is a value about which nothing is found
	changed bool // since the row with which others are compared
}

// A stretch is what some columns beside each other had in the last rows.
type stretch struct {
	text   string // their values in quotes, and what follows each
	cells  []cell // as if the text began the row
	filled columnSet
}

// closedKinds are those of which nothing but digits, points, commas and letters can be right. Other characters beyond
// ASCII may be in addresses.
const closedKinds = 1<<valueCardType | 1<<valueCard | 1<<valueCVV | 1<<valueYear | 1<<valueMonth | 1<<valueAmount | 1<<valueAmounts |
	1<<valueCurrency | 1<<valueCountry | 1<<valuePeriod | 1<<valueInteger | 1<<valueDate

// judgingOf is how the values of a column are judged; nothing is asked of those of an unknown one.
func (r *Reader) judgingOf(col Column) judging {
	spec := &columns[col]
	least, most := max(spec.Min, 1), spec.Max
	switch {
	case spec.Warn > 0:
		most = spec.Warn
	case spec.Max == 0, spec.kind == valueAmounts: // the kind of value sets the bounds
		most = defaultMaxCell
	}
	j := judging{column: col, least: uint32(least), span: uint32(most - least), judge: judges[spec.kind]}
	j.closed = closedKinds>>spec.kind&1 != 0 && len(r.of) == 0 // a finding may be off
	if col == ColumnOrderID {
		j.judge = (*Reader).noteOrderID
	}
	return j
}

// readInOneGo reads and judges the next record in one go, value by value. It can where the record is at hand whole,
// every value is in quotes, and nothing is found about any: nearly always. Otherwise it reports false, nothing is read,
// and the record is read and judged step by step.
//
// What a column is typed to stays from the row before where its value is the same as in the last rows.
func (r *Reader) readInOneGo() bool {
	sc := r.sc
	if sc.sep != ';' || sc.skip != skipNothing || r.blank.n > 0 || r.row == r.opts.MaxRows {
		return false
	}
	sc.fillLine()
	w := sc.ahead()
	if len(w) < 2*len(r.judgings) {
		return false
	}
	r.row++
	r.startRow()
	size := r.judgeAhead(w)
	ends := 0
	if size > 0 && len(r.found) == 0 && r.unread == 0 {
		ends = lineEndAt(w, size)
	}
	if ends == 0 {
		r.row--
		r.forget()
		return false
	}
	r.rec.text = w[:size]
	sc.accept(size, ends, len(r.judgings))
	r.noteSteady()
	return true
}

// judgeAhead judges the values at the beginning of w and returns where the last one ends; 0 where one asks for more
// than a glance.
func (r *Reader) judgeAhead(w string) int {
	sc := r.sc
	cells := sc.cells[:len(r.judgings)]
	sc.cells = cells
	sc.at, sc.row, sc.left, sc.plain = sc.offset, sc.line, sc.col, true // for the places of findings
	r.rec.text = w
	var filled columnSet
	at := 0
	for k := 0; k < len(cells); k++ {
		j := &r.judgings[k]
		if run := j.steady; run != nil {
			if strings.HasPrefix(w[at:], run.text) {
				for i, c := range run.cells {
					cells[k+i] = cell{c.from + int32(at), c.to + int32(at), c.form}
				}
				filled |= run.filled
				at += len(run.text)
				k += len(run.cells) - 1
				continue
			}
			j.steady = nil
		}
		if len(w)-at < 16 || w[at] != '"' {
			return 0
		}
		if w[at+1] == '"' && w[at+2] == ';' {
			cells[k] = cell{int32(at + 1), int32(at + 1), formQuoted}
			r.clear(j.column)
			at += 3
			continue
		}
		if to := at + 1 + int(j.usual); j.usual != 0 && to < len(w)-1 && w[to] == '"' && w[to+1] == ';' && w[at+1] != '"' {
			cells[k] = cell{int32(at + 1), int32(to), formQuoted}
			filled.add(j.column)
			j.judge(r, j.column, w[at+1:to])
			at = to + 2
			continue
		}
		n, form, odd := untilQuote(w[at+1:])
		if n < 0 {
			return 0
		}
		c := cell{int32(at + 1), int32(at + 1 + n), form}
		if at += n + 3; w[at-1] != ';' && k < len(cells)-1 {
			return 0
		}
		cells[k] = c
		s := w[c.from:c.to]
		switch {
		case odd && !r.isPlainText(j, c, s):
			return 0
		case j.column == 0:
		case s == "":
			r.clear(j.column)
		case uint32(len(s))-j.least > j.span || s[0] == ' ' || s[len(s)-1] == ' ': // doubled quotes make it seem longer
			return 0
		case j.judge == nil:
			filled.add(j.column)
		case c.form == formQuoted:
			if j.closed {
				j.usual = int32(len(s))
			}
			filled.add(j.column)
			j.judge(r, j.column, s)
		default:
			return 0
		}
	}
	r.filled = filled
	return at - 1
}

// isPlainText reports whether a value with characters beyond ASCII is free text about which there is nothing to say.
func (r *Reader) isPlainText(j *judging, c cell, s string) bool {
	r.sc.plain = false
	f := faultsOf(s)
	return j.column != 0 && j.judge == nil && c.form == formQuoted && f.invalid < 0 && f.nul < 0 && f.control < 0 &&
		trimmed(s, false) == s && utf8.RuneCountInString(s) >= int(j.least)
}

// untilQuote is how many bytes at the beginning of s are before the quote that ends a value, how the value is written,
// and whether it has other characters than printable ASCII. It is negative if there is no such quote with a few bytes
// after it.
func untilQuote(s string) (n int, form cellForm, odd bool) {
	form = formQuoted
	var all uint64
	for rest := s; len(rest) > 9; {
		x := word(rest)
		found := quotesIn(x)
		if found == 0 {
			all |= oddBytes(x)
			rest = rest[8:]
			continue
		}
		all |= oddBytes(x) & (found&-found - 1) // of the bytes before the quote
		i := bits.TrailingZeros64(found) >> 3
		if rest[i+1] != '"' {
			return len(s) - len(rest) + i, form, all&byteTops != 0
		}
		form = formDoubled
		rest = rest[i+2:]
	}
	return -1, form, false
}

// How often it is looked which columns have the same value in rows beside each other, and in how many rows.
const (
	steadyEvery = 256
	steadyRows  = 4
)

// noteSteady compares rows that follow each other, now and then.
func (r *Reader) noteSteady() {
	n := r.row % steadyEvery
	switch {
	case n == 1:
		r.former, r.formerCells = r.rec.text, append(r.formerCells[:0], r.sc.cells...)
		for k := range r.judgings {
			r.judgings[k].changed = r.judgings[k].column == ColumnOrderID
		}
	case n <= steadyRows && r.former != "":
		for k := range r.judgings {
			if j := &r.judgings[k]; !j.changed && j.steady == nil {
				a, b := r.formerCells[k], r.sc.cells[k]
				j.changed = r.rec.text[b.start():b.end()] != r.former[a.start():a.end()]
			}
		}
		if n == steadyRows {
			r.former = ""
			r.noteStretches()
		}
	}
}

// noteStretches notes which columns beside each other have not changed.
func (r *Reader) noteStretches() {
	last := len(r.judgings) - 1 // nothing that is sure follows it
	for k := 0; k < last; k++ {
		run := r.judgings[k].steady
		if run != nil { // they go on
			k += len(run.cells) - 1
			continue
		}
		begin := r.sc.cells[k].start()
		for i := k; i < last; i++ {
			j, c := &r.judgings[i], r.sc.cells[i]
			end := c.end() + 1
			if j.changed || j.steady != nil || !isPlain(r.sc.raw[c.start():end]) {
				break
			}
			if run == nil {
				run = new(stretch)
				j.steady = run
			}
			run.text = r.rec.text[begin:end]
			run.cells = append(run.cells, cell{c.from - int32(begin), c.to - int32(begin), c.form})
			if c.from != c.to {
				run.filled.add(j.column)
			}
		}
		if run != nil {
			k += len(run.cells) - 1
		}
	}
}

// clear takes away what a column was typed to.
func (r *Reader) clear(col Column) {
	row, amounts := &r.rec.Row, &r.amounts
	switch col {
	case ColumnCardType:
		row.Kind = 0
	case ColumnOrderID:
		row.OrderID = ""
	case ColumnExpireYear:
		row.ExpireYear = 0
	case ColumnExpireMonth:
		row.ExpireMonth = 0
	case ColumnAmount:
		amounts.fixed = amount.Amount{}
	case ColumnAmountFrom:
		amounts.from = amount.Amount{}
	case ColumnAmountTo:
		amounts.to = amount.Amount{}
	case ColumnAmountSequence:
		amounts.sequence = sequenceFacts{}
	case ColumnCurrency:
		row.Currency = ""
	case ColumnPeriod:
		row.Unit = 0
	case ColumnInterval:
		row.Interval = 0
	case ColumnStartDate:
		row.Start = calendar.Date{}
	case ColumnFinishDate:
		row.Finish = calendar.Date{}
	case ColumnMaxRepeatsNumber:
		row.MaxRepeats = engine.Limit{}
	}
}
