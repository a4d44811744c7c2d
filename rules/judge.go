package rules

import (
	"math/bits"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A judging is how the values of one column of the file are judged, and what is known of the last ones.
type judging struct {
	column Column
	least  uint32     // characters of a value that needs no look at its length
	span   uint32     // … and how many more it may have
	judge  valueJudge // nil: none, as in judges
	steady string     // the value of the last rows, in its quotes and with what follows it; empty: it varies
}

// judgingOf is how the values of a column are judged; nothing is asked of those of an unknown one.
func judgingOf(col Column) judging {
	spec := &columns[col]
	least, most := max(spec.Min, 1), spec.Max
	switch {
	case spec.Warn > 0:
		most = spec.Warn
	case spec.Max == 0, spec.kind == valueAmounts: // the kind of value sets the bounds
		most = defaultMaxCell
	}
	j := judging{column: col, least: uint32(least), span: uint32(most - least), judge: judges[spec.kind]}
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
		r.found = r.found[:0]
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
	for k := range r.judgings {
		j := &r.judgings[k]
		if n := len(j.steady); n > 0 && len(w)-at > n {
			if w[at:at+n] == j.steady {
				cells[k] = cell{int32(at + 1), int32(at + n - len(`";`)), formQuoted}
				if n > len(`"";`) {
					filled.add(j.column)
				}
				at += n
				continue
			}
			j.steady = ""
		}
		c, odd := quotedAt(w, at)
		if c.to == 0 {
			return 0
		}
		if at = c.end() + 1; w[at-1] != ';' && k < len(cells)-1 {
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

// quotedAt returns the value in quotes at a place of w, and whether it has other characters than printable ASCII. It is
// the zero cell if the value does not end in w with a few bytes after it.
func quotedAt(w string, at int) (c cell, odd bool) {
	if at >= len(w) || w[at] != '"' {
		return cell{}, false
	}
	c = cell{from: int32(at + 1), form: formQuoted}
	var all uint64
	for i := at + 1; len(w)-i > 9; {
		x := word(w[i:])
		found := quotesIn(x)
		if found == 0 {
			all |= oddBytes(x)
			i += 8
			continue
		}
		all |= oddBefore(x, found)
		i += bits.TrailingZeros64(found) >> 3
		if w[i+1] != '"' {
			c.to = int32(i)
			return c, all&byteTops != 0
		}
		c.form = formDoubled
		i += 2
	}
	return cell{}, false
}

// How often it is looked which columns have the same value in rows beside each other.
const steadyEvery = 64

// noteSteady compares two rows that follow each other, now and then.
func (r *Reader) noteSteady() {
	switch r.row % steadyEvery {
	case 1:
		r.former, r.formerCells = r.rec.text, append(r.formerCells[:0], r.sc.cells...)
	case 2:
		if r.former == "" {
			return
		}
		for k := range r.judgings[:len(r.judgings)-1] { // nothing that is sure follows the last one
			j, a, b := &r.judgings[k], r.formerCells[k], r.sc.cells[k]
			s := r.rec.text[b.start() : b.end()+1]
			if b.form == formQuoted && j.column != ColumnOrderID && isPlain([]byte(s)) && s == r.former[a.start():a.end()+1] {
				j.steady = s
			}
		}
		r.former = ""
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
