package rules

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/internal/veil"
)

// A Row is one profile of a payload, its columns typed. It is complete: no column that
// a schedule depends on was left unread. Rows come from a [Reader], may be kept, and
// do not change.
//
// Formatting a Row in any way shows its place and kind only; the values are in its
// fields and, masked, in [Row.Cell].
type Row struct {
	Number int // the data row, from 1
	Line   int // the line on which it begins, from 1

	OrderID    string // client-orderid, part of the row's text; [Row.ShownID] is what may be printed
	Currency   string
	Start      calendar.Date // zero: none
	Finish     calendar.Date // zero: none
	Kind       engine.Kind
	Unit       calendar.Unit // period; zero: no automatic schedule
	modes      amountModes
	scale      uint8 // the decimals of a fixed amount
	Interval   int   // 0: no automatic schedule
	MaxRepeats engine.Limit
	// ExpireYear and ExpireMonth are the card's last month; 0 where they are empty.
	ExpireYear, ExpireMonth int

	veiled veil.Pointer[record] // the text has the card number in it
}

// A record is a Row and the text that it was read from.
type record struct {
	Row
	text   string // the row as it was sent, without its line end
	place  *layout
	fixed  int64          // the amount, in units of 10^-scale of the Row
	shared *amount.Choice // that other rows have too; nil: none
	beside atomic.Pointer[record]
}

// A layout says which value of a row each column is, from 1; 0 for none.
type layout [columnCount + 1]int16

// cell is the value of a column, quotes undone.
func (r *record) cell(c Column) string {
	w := r.walk()
	return r.value(w.to(c))
}

// value is the value at a place, quotes undone.
func (r *record) value(at valuePlace) string {
	if at == 0 {
		return ""
	}
	rest := r.text[at-1:]
	return unquote(rest[:valueEnd(rest)])
}

// A valuePlace is where a value is in the text of its row, from 1; 0 nowhere.
type valuePlace int32

// A walk finds places in the text of a row. It is quick where they come in the order of the text.
type walk struct {
	of *record
	n  int16 // the value that the walk has come to, from 1
	at valuePlace
}

func (r *record) walk() walk { return walk{r, 1, 1} }

// to is the place of the value of a column.
func (w *walk) to(c Column) valuePlace {
	n := w.of.place[c]
	if n == 0 {
		return 0
	}
	if n < w.n {
		w.n, w.at = 1, 1
	}
	for ; w.n < n; w.n++ {
		w.at += valuePlace(valueEnd(w.of.text[w.at-1:])) + 1
	}
	return w.at
}

// cell is the value of a column; the zero Cell without a row, and for what is not a column.
func (w *walk) cell(c Column) Cell {
	if w.of == nil || c > columnCount {
		return Cell{}
	}
	return Cell{w.of.veiled, c, w.to(c)}
}

// valueEnd is where the first value of a well-formed row ends, its quotes included.
func valueEnd(row string) int {
	end := 0
	for end < len(row) && row[end] == '"' { // again where the quote that ends a part is doubled
		end += 2 + strings.IndexByte(row[end+1:], '"')
	}
	if end == 0 {
		end = strings.IndexByte(row, ';')
	}
	if end < 0 || end > len(row) {
		return len(row)
	}
	return end
}

// unquote is a value without its quotes, doubled ones made single.
func unquote(value string) string {
	if len(value) < 2 || value[0] != '"' {
		return value
	}
	return undouble(value[1 : len(value)-1])
}

// Profile returns the row as the engine needs it. It keeps nothing of the row's memory: many profiles
// may be kept where many rows would be too much.
func (r Row) Profile() engine.Profile {
	var expires calendar.Date
	if card := monthOf(r.ExpireYear, r.ExpireMonth); card != 0 {
		expires = card.last()
	}
	return engine.Profile{
		ID:         strings.Clone(r.OrderID),
		Kind:       r.Kind,
		Start:      r.Start,
		Unit:       r.Unit,
		Interval:   r.Interval,
		Finish:     r.Finish,
		MaxRepeats: r.MaxRepeats,
		Amounts:    r.Amounts(),
		Currency:   r.Currency,

		CardExpires: expires,
	}
}

// Amounts returns the amount choice of the row (2.2.5): none for the zero Row.
func (r Row) Amounts() amount.Choice {
	rec := r.veiled.Value()
	if rec == nil {
		return amount.Choice{}
	}
	if rec.shared != nil {
		return *rec.shared
	}
	switch r.modes {
	case modeFixed:
		a, _ := amount.FromMinor(rec.fixed, int(r.scale))
		return amount.Fixed(a)
	case modeRange:
		from, _ := amountOf(rec.cell(ColumnAmountFrom))
		to, _ := amountOf(rec.cell(ColumnAmountTo))
		choice, _ := amount.Range(from, to, r.Currency)
		return choice
	case modeSequence:
		return sequenceOf(rec.cell(ColumnAmountSequence))
	}
	return amount.Choice{}
}

// ShownID returns the client-orderid as it may be printed: in full, unless it is or holds the row's
// own card number, which is masked as in [Mask] (L47). Finding.Place.Profile is the same text.
func (r Row) ShownID() string { return shownID(r.OrderID, r.Cell(ColumnCardNumber).Reveal()) }

func shownID(id, card string) string {
	switch {
	case card == "" || len(id) < len(card):
		return id
	case id == card:
		return maskCard(id)
	case len(card) >= 12 && countDigits(id) >= len(card) && strings.Contains(digitsIn(id), card): // perhaps with spaces or dashes
		if masked := cardtext.Mask(id); !strings.Contains(digitsIn(masked), card) {
			return masked
		}
		return hidden
	}
	return id
}

// countDigits is how many digits s has.
func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

// digitsIn returns the digits of s.
func digitsIn(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// Cell returns the value of a column as it was sent; the zero Cell for a value that names no column.
// It is empty for a column that is empty or absent.
func (r Row) Cell(c Column) Cell {
	w := r.veiled.Value().walk()
	return w.cell(c)
}

// Cells yields every column with its value, in the document's order.
func (r Row) Cells() iter.Seq2[Column, Cell] {
	return func(yield func(Column, Cell) bool) {
		w := r.veiled.Value().walk()
		for c := ColumnCardType; c <= columnCount; c++ {
			if !yield(c, w.cell(c)) {
				return
			}
		}
	}
}

// String returns the row's place and kind, such as "row 17 (line 18, SRC)".
func (r Row) String() string {
	return "row " + strconv.Itoa(r.Number) + " (line " + strconv.Itoa(r.Line) + ", " + r.Kind.String() + ")"
}

// Format writes [Row.String] for every verb: no value reaches a log by way of %+v.
func (r Row) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(r.String())) }

// MarshalText returns [Row.String].
func (r Row) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Cell is the value of one column of a [Row]. Every way to print it masks it by the
// privacy of the column; only [Cell.Reveal] gives the value itself. The zero Cell
// is empty.
type Cell struct {
	row    veil.Pointer[record]
	column Column
	at     valuePlace
}

// Column returns the column that the value belongs to; zero for the zero Cell.
func (c Cell) Column() Column { return c.column }

// IsEmpty reports whether there is no value, which is the same as no column (R109).
func (c Cell) IsEmpty() bool { return c.Reveal() == "" }

// Reveal returns the value, byte for byte, card data included: for encoding a payload again, never for
// showing.
func (c Cell) Reveal() string {
	rec := c.row.Value()
	if rec == nil {
		return ""
	}
	return rec.value(c.at)
}

// String returns the value, masked ([Mask]).
func (c Cell) String() string { return Mask(c.column, c.Reveal()) }

// Format writes [Cell.String] for every verb.
func (c Cell) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// MarshalText returns [Cell.String].
func (c Cell) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
