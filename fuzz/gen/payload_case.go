package gen

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/chargecast/chargecast/rules"
)

// A PayloadCase is a payload in its parts, so that an oracle need not read it: rows, and
// how they are written.
type PayloadCase struct {
	Rows    []PayloadLine
	Columns []rules.Column // the header, in its order
	Mark    bool           // a byte-order mark first
	Ends    LineEnds
	Bare    bool   // values that need no quotes have none
	Blank   bool   // blank lines between rows
	Open    bool   // no line end after the last row
	Project string // the project's currency; empty: not known
	// Pick chooses what a law does to the case.
	Pick uint64
}

// A PayloadLine is a row without fault, and the faults that are put into it, as places in
// the table of faults. The faults do not touch each other.
type PayloadLine struct {
	Clean  Cells
	Faults []int
}

// LineEnds are the ends of the rows of a payload.
type LineEnds uint8

// The line ends.
const (
	EndLF LineEnds = iota
	EndCRLF
	EndMixed
)

// Cells are the values of the row with its faults.
func (l PayloadLine) Cells() Cells {
	c := l.Clean
	for _, i := range l.Faults {
		for _, s := range cellFaults()[i].set {
			c[s.Column] = s.Value
		}
	}
	return c
}

// String is the case as the payload that it is, and how it is read.
func (c PayloadCase) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nas-of=%v project=%q pick=%d", c.Write().Text, JudgedOn(), c.Project, c.Pick)
	for i, row := range c.Rows {
		for _, f := range row.Faults {
			fmt.Fprintf(&b, "\nrow %d: %s", i+1, cellFaults()[f].Name)
		}
	}
	return b.String()
}

// Payloads draws payloads of rows without fault.
func Payloads(r Chooser) PayloadCase { return payloadOf(r, 3, 0) }

// FaultyPayloads draws payloads of which most rows have a single fault.
func FaultyPayloads(r Chooser) PayloadCase { return payloadOf(r, 4, 1) }

// BrokenPayloads draws payloads of which most rows have several faults.
func BrokenPayloads(r Chooser) PayloadCase { return payloadOf(r, 3, 12) }

// payloadOf is a payload of a number of rows at most, each with a number of faults at most.
func payloadOf(r Chooser, rows, faults int) PayloadCase {
	c := PayloadCase{Pick: r.Uint64(), Project: Pick(r, "", "", "EUR")}
	for i := 0; i == 0 || r.more(i, rows, 60); i++ {
		line := PayloadLine{Clean: r.PayloadRow(i+1, c.Project)}
		if i > 0 && r.Chance(50) {
			line.Clean = r.Neighbour(c.Rows[i-1].Clean, i+1)
		}
		if faults > 0 && r.Chance(85) {
			line.Faults = r.Faults(line.Clean, c.Project, r.In(1, faults))
		}
		c.Rows = append(c.Rows, line)
	}
	c.Columns = r.Header(c.Needed())
	c.Mark, c.Bare, c.Blank, c.Open = r.Chance(15), r.Chance(20), r.Chance(20), r.Chance(20)
	c.Ends = Pick(r, EndLF, EndLF, EndCRLF, EndMixed)
	return c
}

// Faults are up to n faults that fit a row and do not touch each other.
func (r Chooser) Faults(row Cells, project string, n int) []int {
	var chosen []int
	var touched columnBits
	for range 3 * n {
		i := r.Below(len(cellFaults()))
		f := &cellFaults()[i]
		if f.large() && !r.Chance(5) {
			continue
		}
		if f.fits(row, project) && f.touched&touched == 0 {
			chosen, touched = append(chosen, i), touched|f.touched
		}
		if len(chosen) == n {
			break
		}
	}
	return chosen
}

// Needed are the columns that the header must have: the required ones, those with a
// value, and those that a fault is about.
func (c PayloadCase) Needed() columnBits {
	set := bitsOf(rules.ColumnCardType, rules.ColumnOrderID, rules.ColumnCardNumber, rules.ColumnCurrency)
	for _, row := range c.Rows {
		for column, value := range row.Clean {
			if value != "" {
				set |= 1 << column
			}
		}
		for _, i := range row.Faults {
			set |= cellFaults()[i].touched
		}
	}
	return set
}

// Header is the needed columns and some of the others, in any order.
func (r Chooser) Header(needed columnBits) []rules.Column {
	var list []rules.Column
	all := r.Chance(40)
	for column := rules.ColumnCardType; column <= rules.ColumnServerCallbackURL; column++ {
		if all || needed>>column&1 == 1 || r.Chance(20) {
			list = append(list, column)
		}
	}
	if r.Chance(40) {
		for i := range list {
			j := r.In(i, len(list)-1)
			list[i], list[j] = list[j], list[i]
		}
	}
	return list
}

// Options are how the case is to be read.
func (c PayloadCase) Options() rules.Options {
	return rules.Options{AsOf: JudgedOn(), Currency: c.Project, Input: rules.InputCSV}
}

// A Written payload is a text, and where everything stands in it.
type Written struct {
	Text []byte
	Head WrittenRow
	Rows []WrittenRow // the data rows
}

// A WrittenRow is where a row and its cells stand, by the place in the header.
type WrittenRow struct {
	From, to int // without its line end
	Cells    []span
}

// A span is a part of a text; that of a cell has its quotes.
type span struct{ From, To int }

// Write writes the case.
func (c PayloadCase) Write() Written { return c.WriteUnder(c.Names()) }

// WriteUnder writes the case with a header.
func (c PayloadCase) WriteUnder(names []string) Written {
	var w Written
	if c.Mark {
		w.Text = append(w.Text, "\xef\xbb\xbf"...)
	}
	w.Head = w.Line(names, c.Bare)
	for i, row := range c.Rows {
		w.Text = append(w.Text, c.end(i)...)
		if c.Blank && i%3 == 1 {
			w.Text = append(w.Text, c.end(i)...)
		}
		w.Rows = append(w.Rows, w.Line(c.values(row.Cells()), c.Bare))
	}
	if !c.Open {
		w.Text = append(w.Text, c.end(len(c.Rows))...)
	}
	return w
}

// end is the line end before row i.
func (c PayloadCase) end(i int) string {
	if c.Ends == EndCRLF || c.Ends == EndMixed && i%2 == 1 {
		return "\r\n"
	}
	return "\n"
}

// Names is the header.
func (c PayloadCase) Names() []string {
	list := make([]string, len(c.Columns))
	for i, column := range c.Columns {
		list[i] = documentNames[column]
	}
	return list
}

// values are a row's values in the header's order.
func (c PayloadCase) values(cells Cells) []string {
	list := make([]string, len(c.Columns))
	for i, column := range c.Columns {
		list[i] = cells[column]
	}
	return list
}

// Line writes a row.
func (w *Written) Line(values []string, bare bool) WrittenRow {
	row := WrittenRow{From: len(w.Text), Cells: make([]span, 0, len(values))}
	for i, v := range values {
		if i > 0 {
			w.Text = append(w.Text, ';')
		}
		from := len(w.Text)
		w.Text = appendCell(w.Text, v, bare)
		row.Cells = append(row.Cells, span{from, len(w.Text)})
	}
	row.to = len(w.Text)
	return row
}

// appendCell writes a value: quoted, or bare where it can be.
func appendCell(text []byte, v string, bare bool) []byte {
	if bare && !strings.ContainsAny(v, "\";\r\n") {
		return append(text, v...)
	}
	text = append(text, '"')
	for at := strings.IndexByte(v, '"'); at >= 0; at = strings.IndexByte(v, '"') {
		text = append(append(text, v[:at]...), `""`...)
		v = v[at+1:]
	}
	return append(append(text, v...), '"')
}

// LineAndColumn is where an offset is, found by counting.
func LineAndColumn(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

// columnBits is a set of columns, one bit each.
type columnBits uint64

func bitsOf(columns ...rules.Column) columnBits {
	var set columnBits
	for _, c := range columns {
		set |= 1 << c
	}
	return set
}

// documentNames are the names of clause 2.1, written down once more.
var documentNames = [...]string{
	"", "rp_card_type", "client-orderid", "credit-card-number", "cvv2", "card-printed-name", "expire-year", "expire-month",
	"amount", "amount-from", "amount-to", "amount-sequence", "currency", "country", "city", "zip-code", "address1",
	"first-name", "last-name", "email", "period", "interval", "order_desc", "customer-ip", "ssn", "birthday", "phone",
	"state", "start-date", "finish-date", "max-repeats-number", "purpose", "notify_url", "server_callback_url",
}

// DocumentNames are the names of the columns (2.1) by [rules.Column]; index 0 is empty. They are
// not to be changed.
func DocumentNames() []string { return documentNames[:] }

// Text is the payload as it is written.
func (c PayloadCase) Text() []byte { return c.Write().Text }

// Choices are those of the laws for the case.
func (c PayloadCase) Choices() Chooser { return ChooserOf(c.Pick) }
