package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/rules"
)

// JudgedOn is the as-of date of generated payloads.
func JudgedOn() calendar.Date { return DateNumbered(oracle.DayOf(2026, 1, 10)) }

// Test card numbers of the ranges that are kept for tests, all with a right check digit.
// TestCard is one of them.
const TestCard = "4111111111111111"

var testCards = [...]string{"4111111111111111", "5555555555554444", "5500005555555559", "340000000000009", "378282246310005", "6011111111111117", "4000000000000002"}

// PayloadRow is row n of a payload about which there is nothing to find (V06).
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

// Neighbour is row n, much like the one before it, as rows of a payload are: what a reader
// remembers of the last row is to be right for the next one.
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
	for range r.times(1, 5) {
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

// Dotted is a day as the payload writes it.
func Dotted(d calendar.Date) string {
	c := oracle.At(DayNumber(d))
	return fmt.Sprintf("%02d.%02d.%04d", c.Date, c.Month, c.Year)
}
