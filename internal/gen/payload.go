package gen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/rules"
)

// JudgedOn is the as-of date of generated payloads.
func JudgedOn() calendar.Date { return DateNumbered(oracle.DayOf(2026, 1, 10)) }

// Test card numbers of the ranges that are kept for tests, all with a right check digit.
// TestCard is one of them.
const TestCard = "4111111111111111"

var testCards = [...]string{"4111111111111111", "5555555555554444", "5500005555555559", "340000000000009", "378282246310005", "6011111111111117", "4000000000000002"}

// PayloadRow is row n, valid (V06).
func (r Chooser) PayloadRow(n int, project string) Cells {
	var c Cells
	c[rules.ColumnCardType] = Pick(r, "SRC", "SRC", "SRC", "DST")
	c[rules.ColumnOrderID] = "o" + strconv.Itoa(n) + "-" + r.words(100)
	c[rules.ColumnCardNumber] = Pick(r, testCards[:]...)
	c[rules.ColumnCVV2] = Pick(r, "", "", "123", "0000")
	c[rules.ColumnCustomerIP] = Pick(r, "", "", "192.0.2.17", "2001:db8::1", "0000:0000:0000:0000:0000:ffff:192.168.100.228")
	c[rules.ColumnOrderDesc] = Pick(r, "", r.words(300), r.lines())
	if r.Chance(40) {
		c[Pick(r, rules.ColumnNotifyURL, rules.ColumnServerCallbackURL)] = Pick(r, "https://merchant.example/cb", "http://[2001:db8::1]:8080/a?b=c&d#e")
	}
	c[rules.ColumnCurrency] = project
	if project == "" {
		c[rules.ColumnCurrency] = Pick(r, "EUR", "EUR", "USD", "JPY", "KWD")
	}
	r.amounts(&c)
	if c[rules.ColumnCardType] == "SRC" {
		r.source(&c)
	} else {
		r.destination(&c)
	}
	return c
}

// Neighbour is row n, much like the one before it, as rows of a payload are. It
// catches readers that carry state from one row to the next.
func (r Chooser) Neighbour(row Cells, n int) Cells {
	row[rules.ColumnOrderID] = "o" + strconv.Itoa(n) + "-" + r.words(100)
	if r.Chance(40) {
		row[rules.ColumnAmount], row[rules.ColumnAmountFrom], row[rules.ColumnAmountTo], row[rules.ColumnAmountSequence] = "", "", "", ""
		r.amounts(&row)
	}
	if r.Chance(30) {
		row[rules.ColumnCardNumber] = Pick(r, testCards[:]...)
	}
	if r.Chance(30) && row[rules.ColumnCardType] == OnSRC {
		row[rules.ColumnCity], row[rules.ColumnPhone] = r.words(120), Pick(r, "", "1")
	}
	if r.Chance(30) && row[rules.ColumnExpireYear] != "" {
		row[rules.ColumnExpireYear], row[rules.ColumnExpireMonth] = "9999", "12"
	}
	return row
}

// words is text of at most some bytes without anything to find in it: no control
// characters, no spaces around it.
func (r Chooser) words(most int) string {
	var b strings.Builder
	for range r.Times(1, 5) {
		word := Pick(r, "a", "Zed", "09", "é", "日本", "\U0001f4a9", `"`, `""`, ";", `";"`, ",", "'", "=1+1", "@a", "-_.~", "%41", "&=+", "e\u0301", "#", "two words")
		if b.Len()+len(word) <= most {
			b.WriteString(word)
		}
	}
	return b.String()
}

// lines is text with line breaks, as order_desc may have.
func (r Chooser) lines() string {
	return r.words(50) + Pick(r, "\n", "\n\n", "\r\n", "\n\"\"\n", ";\n") + r.words(50)
}

// amounts fills in one of the three amount choices, in the currency's decimals.
func (r Chooser) amounts(c *Cells) {
	decimals := map[string]int{"EUR": 2, "USD": 2, "KWD": 3}[c[rules.ColumnCurrency]]
	one := func(whole int) string {
		text := strconv.Itoa(whole)
		if n := r.In(0, decimals); n > 0 {
			text += "." + strings.Repeat(strconv.Itoa(r.Below(10)), n)
		}
		return text
	}
	switch r.Below(3) {
	case 0:
		c[rules.ColumnAmount] = Pick(r, one(r.In(1, 99)), one(r.In(1, 999_999)), "9999999999")
	case 1:
		low := r.In(1, 99_999)
		c[rules.ColumnAmountFrom], c[rules.ColumnAmountTo] = one(low), one(low+r.In(1, 9))
		if r.Chance(20) { // equal bounds are a fixed amount (L33)
			c[rules.ColumnAmountTo] = c[rules.ColumnAmountFrom]
		}
	default:
		list := make([]string, r.In(1, 6))
		for i := range list {
			list[i] = one(r.In(1, 9999))
		}
		c[rules.ColumnAmountSequence] = strings.Join(list, ",")
	}
}

// source fills in what an SRC row has.
func (r Chooser) source(c *Cells) {
	for _, column := range [...]rules.Column{rules.ColumnCardPrintedName, rules.ColumnCity, rules.ColumnAddress1, rules.ColumnFirstName, rules.ColumnLastName} {
		c[column] = r.words(120)
	}
	c[rules.ColumnZipCode] = Pick(r, "10115", "SW1A 1AA", "0")
	c[rules.ColumnEmail] = Pick(r, "jane@example.com", "a.b+c@d-e.example", "x@y.z")
	c[rules.ColumnCountry] = Pick(r, "DE", "FR", "GB", "JP")
	c[rules.ColumnState] = Pick(r, "", "", "75", "NRW")
	if r.Chance(30) {
		c[rules.ColumnCountry] = Pick(r, "US", "CA", "AU")
		c[rules.ColumnState] = map[string]string{"US": Pick(r, "CA", "NY", "PR", "AE"), "CA": Pick(r, "ON", "QC"), "AU": Pick(r, "NSW", "WA")}[c[rules.ColumnCountry]]
	}
	c[rules.ColumnSSN] = Pick(r, "", "", "987-65-4320")
	c[rules.ColumnBirthday] = Pick(r, "", "", "29.02.2000", "31.12.1950", "10.01.2026")
	c[rules.ColumnPhone] = Pick(r, "", "", "+15555550100")
	c[rules.ColumnPurpose] = Pick(r, "", "", r.words(120))
	if r.Chance(20) {
		r.dates(c)
		return
	}
	r.schedule(c)
}

// destination fills in what a DST row has.
func (r Chooser) destination(c *Cells) {
	c[rules.ColumnCardPrintedName] = Pick(r, "", r.words(120))
	r.dates(c)
	if r.Chance(50) {
		c[rules.ColumnExpireYear], c[rules.ColumnExpireMonth] = "", ""
	}
}

// dates fills in the dates of a profile without a schedule.
func (r Chooser) dates(c *Cells) {
	start := Moved(JudgedOn(), r.In(-800, 800))
	if r.Chance(50) {
		c[rules.ColumnStartDate] = Dotted(start)
	}
	if r.Chance(50) {
		c[rules.ColumnFinishDate] = Dotted(Moved(start, r.In(0, 800)))
	}
	c[rules.ColumnMaxRepeatsNumber] = Pick(r, "", "1", "12", "9223372036854775807")
	c[rules.ColumnExpireYear], c[rules.ColumnExpireMonth] = strconv.Itoa(r.In(2027, 2035)), r.month()
}

func (r Chooser) month() string { return fmt.Sprintf("%02d", r.In(1, 12)) }

// schedule fills in an automatic schedule that charges at least once, is stopped by
// max-repeats-number where it has one, and ends before the card does.
func (r Chooser) schedule(c *Cells) {
	unit := r.In(1, 3)
	interval := Pick(r, 1, 1, 2, 12, r.In(3, 400))
	c[rules.ColumnPeriod], c[rules.ColumnInterval] = [...]string{"", "day", "week", "month"}[unit], strconv.Itoa(interval)
	first := JudgedOn()
	if r.Chance(80) {
		first = Moved(first, r.In(0, 800))
		c[rules.ColumnStartDate] = Dotted(first)
	}
	count := r.In(1, 24)
	last := Moved(first, [...]int{0, 1, 7, 31}[unit]*interval*count)
	stop := r.Below(4)
	switch stop {
	case 1:
		c[rules.ColumnMaxRepeatsNumber] = strconv.Itoa(count)
	case 2:
		last = Moved(first, r.In(0, 3000))
		c[rules.ColumnFinishDate] = Dotted(last)
	case 3:
		c[rules.ColumnMaxRepeatsNumber] = strconv.Itoa(count)
		last = Moved(last, r.In(0, 99))
		c[rules.ColumnFinishDate] = Dotted(last)
	}
	c[rules.ColumnExpireYear], c[rules.ColumnExpireMonth] = "9999", "12"
	if stop > 0 && r.Chance(60) {
		year, _, _ := last.Date()
		c[rules.ColumnExpireYear], c[rules.ColumnExpireMonth] = fmt.Sprintf("%04d", min(year+1, 9999)), r.month()
	}
	if stop == 0 && r.Chance(10) {
		c[rules.ColumnInterval] = "9223372036854775807"
	}
}

// Dotted is a day as the payload writes it; empty for none.
func Dotted(d calendar.Date) string {
	if d.IsZero() {
		return ""
	}
	c := oracle.At(DayNumber(d))
	return fmt.Sprintf("%02d.%02d.%04d", c.Date, c.Month, c.Year)
}

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
		for _, s := range CellFaults()[i].set {
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
			fmt.Fprintf(&b, "\nrow %d: %s", i+1, CellFaults()[f].Name)
		}
	}
	return b.String()
}

// Payloads draws payloads of rows without fault.
func Payloads(r Chooser) PayloadCase { return PayloadOf(r, 3, 0) }

// FaultyPayloads draws payloads of which most rows have a single fault.
func FaultyPayloads(r Chooser) PayloadCase { return PayloadOf(r, 4, 1) }

// BrokenPayloads draws payloads of which most rows have several faults.
func BrokenPayloads(r Chooser) PayloadCase { return PayloadOf(r, 3, 12) }

// PayloadOf is a payload of a number of rows at most, each with a number of faults at most.
func PayloadOf(r Chooser, rows, faults int) PayloadCase {
	c := PayloadCase{Pick: r.Uint64(), Project: Pick(r, "", "", "EUR")}
	for i := 0; i == 0 || r.More(i, rows, 60); i++ {
		line := PayloadLine{Clean: r.PayloadRow(i+1, c.Project)}
		if i > 0 && r.Chance(50) {
			line.Clean = r.Neighbour(c.Rows[i-1].Clean, i+1)
		}
		if faults > 0 && r.Chance(85) {
			line = r.faulty(line.Clean, c.Project, r.In(1, faults))
		}
		c.Rows = append(c.Rows, line)
	}
	c.Columns = r.Header(c.Needed())
	c.Mark, c.Bare, c.Blank, c.Open = r.Chance(15), r.Chance(20), r.Chance(20), r.Chance(20)
	c.Ends = Pick(r, EndLF, EndLF, EndCRLF, EndMixed)
	return c
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
			set |= CellFaults()[i].touched
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

// A Written payload is a text, and where everything is in it.
type Written struct {
	Text []byte
	Head WrittenRow
	Rows []WrittenRow // the data rows
}

// A WrittenRow is where a row and its cells are, by the place in the header.
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
		w.Text = append(w.Text, c.End(i)...)
		if c.Blank && i%3 == 1 {
			w.Text = append(w.Text, c.End(i)...)
		}
		w.Rows = append(w.Rows, w.Line(c.Values(row.Cells()), c.Bare))
	}
	if !c.Open {
		w.Text = append(w.Text, c.End(len(c.Rows))...)
	}
	return w
}

// End is the line end before row i.
func (c PayloadCase) End(i int) string {
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

// Values are a row's values in the header's order.
func (c PayloadCase) Values(cells Cells) []string {
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

// Cells are the values of a row of a payload by [rules.Column]; index 0 is of none.
type Cells [rules.ColumnServerCallbackURL + 1]string
