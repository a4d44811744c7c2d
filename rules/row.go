package rules

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/cardtext"
)

// A Row is one profile of a payload with typed columns. It is complete: every column that
// a schedule depends on was read. Rows come from a [Reader], may be kept, and
// do not change.
//
// Formatting a Row in any way shows its place and kind only; the values are in its
// fields and, masked, in [Row.Cell].
type Row struct {
	Number int // the data row, from 1
	Line   int // the line on which it begins, from 1

	// ShownID is the client-orderid as it may be printed: [Row.OrderID], unless that is or holds the row's own card
	// number, which is masked as in [Mask] (L47). Finding.Place.Profile is the same text.
	ShownID    string
	Currency   string
	Amounts    amount.Choice // (2.2.5); none for the zero Row
	Start      calendar.Date // zero: none
	Finish     calendar.Date // zero: none
	Kind       engine.Kind
	Unit       calendar.Unit // period; zero: no automatic schedule
	Interval   int           // 0: no automatic schedule
	MaxRepeats engine.Limit
	// ExpireYear and ExpireMonth are the card's last month; 0 where they are empty.
	ExpireYear, ExpireMonth int
	// Unsendable reports an error in a column that is not checked ([Options.ScheduleOnly]).
	Unsendable bool

	// hidden returns the record of the row, which is number at of those allocated together. It is a function because
	// packages that print structures do not look into functions.
	hidden func(at int) *record
	at     int
}

// A record is a Row and its text, card number included.
type record struct {
	row      Row
	text     string // the row as it was sent, without its line end
	layout   *layout
	orderID  string                   // part of text
	callback string                   // the address for the status of a charge
	values   *[columnCount + 1]string // once the text is split; nil before
}

// value returns the value of a column without its quotes. It splits the text again, since most values are never needed.
func (r *record) value(c Column) string {
	if r.values != nil {
		return r.values[c]
	}
	if c > columnCount || r.layout[c] == 0 {
		return ""
	}
	return r.split().cells[r.layout[c]-1].of(r.text)
}

// split splits the text again.
func (r *record) split() *scanner {
	sc := &scanner{sep: ';', most: len(r.text), cells: make([]cell, 0, columnCount)}
	sc.read([]byte(r.text), position{})
	sc.scan()
	return sc
}

// all returns a record with every value.
func (r *record) all() *record {
	sc, values := r.split(), new([columnCount + 1]string)
	for c := ColumnCardType; c <= columnCount; c++ {
		if r.layout[c] != 0 {
			values[c] = sc.cells[r.layout[c]-1].of(r.text)
		}
	}
	return &record{values: values}
}

// OrderID returns the client-orderid, the merchant's own key, byte for byte; [Row.ShownID] is what may be printed.
func (r Row) OrderID() string {
	if r.hidden == nil {
		return ""
	}
	return r.hidden(r.at).orderID
}

// Profile returns the row as the engine needs it. It keeps nothing of the row's memory: many profiles
// may be kept where many rows would be too much. Its ID is [Row.OrderID].
func (r Row) Profile() engine.Profile {
	var expires calendar.Date
	if card := monthOf(r.ExpireYear, r.ExpireMonth); card != 0 {
		expires = card.last()
	}
	return engine.Profile{
		ID:         strings.Clone(r.OrderID()),
		Kind:       r.Kind,
		Start:      r.Start,
		Unit:       r.Unit,
		Interval:   r.Interval,
		Finish:     r.Finish,
		MaxRepeats: r.MaxRepeats,
		Amounts:    r.Amounts,
		Currency:   r.Currency,

		CardExpires: expires,
	}
}

// shownID returns a client-orderid as it may be printed, given the card number of its row. If that is not complete, an
// id that looks like a card number is masked.
func shownID(id, card string) string {
	digits := digitsIn(card)
	switch {
	case id == "":
		return ""
	case id == card:
		return maskCard(id)
	case len(id) < len(digits), len(digits) < 12 && !likeCard(digitsIn(id)), len(digits) >= 12 && !strings.Contains(digitsIn(id), digits):
		return id
	case len(digits) < 12:
		digits = digitsIn(id)
	}
	if masked := cardtext.Mask(id); !strings.Contains(digitsIn(masked), digits) {
		return masked
	}
	return hidden
}

// digitsIn returns the digits of s.
func digitsIn(s string) string {
	if digitsOnly(s) {
		return s
	}
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
	if r.hidden == nil || c > columnCount {
		return Cell{}
	}
	return Cell{c, r.hidden, r.at}
}

// Cells yields every column with its value, in the document's order. It is quicker than several calls of [Row.Cell].
func (r Row) Cells() iter.Seq2[Column, Cell] {
	return func(yield func(Column, Cell) bool) {
		if r.hidden != nil {
			all := r.hidden(r.at).all()
			r.hidden = func(int) *record { return all }
		}
		for c := ColumnCardType; c <= columnCount; c++ {
			if !yield(c, r.Cell(c)) {
				return
			}
		}
	}
}

// String returns the row's place and kind, such as "row 17 (line 18, SRC)".
func (r Row) String() string {
	return "row " + strconv.Itoa(r.Number) + " (line " + strconv.Itoa(r.Line) + ", " + r.Kind.String() + ")"
}

// Format writes [Row.String] for every verb, so that %+v shows no value.
func (r Row) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(r.String())) }

// MarshalText returns [Row.String].
func (r Row) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Cell is the value of one column of a [Row]. Every way to print it masks it by the
// privacy of the column; only [Cell.Reveal] gives the value itself. The zero Cell
// is empty.
type Cell struct {
	column Column
	hidden func(at int) *record
	at     int
}

// Column returns the column that the value belongs to; zero for the zero Cell.
func (c Cell) Column() Column { return c.column }

// IsEmpty reports whether there is no value, which is the same as no column (R109).
func (c Cell) IsEmpty() bool { return c.Reveal() == "" }

// Reveal returns the value, byte for byte, card data included: for encoding a payload again, never for display.
func (c Cell) Reveal() string {
	if c.hidden == nil {
		return ""
	}
	return c.hidden(c.at).value(c.column)
}

// String returns the value, masked ([Mask]).
func (c Cell) String() string { return Mask(c.column, c.Reveal()) }

// Format writes [Cell.String] for every verb.
func (c Cell) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// MarshalText returns [Cell.String].
func (c Cell) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
