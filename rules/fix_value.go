package rules

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A mending is what becomes of one value: the text to write, the codes of the changes that led
// there, and the code of the refusal that ended it, if any.
type mending struct {
	text    string
	changes [4]ledger.Code
	n       int
	refused ledger.Code
}

// change sets a new text, if it is one.
func (m *mending) change(text string, c ledger.Code) {
	if text != m.text {
		m.text, m.changes[m.n] = text, c
		m.n++
	}
}

// mend returns what becomes of a value of a column in a row of this country.
func mend(col Column, text, country string) mending {
	m := mending{text: text}
	if text == "" {
		return m
	}
	m.change(strings.TrimFunc(text, isSpace), fixSpaces)
	switch columns[col].kind {
	case valueCard:
		m.card()
	case valueAmount:
		m.amount()
	case valueAmounts:
		m.amounts()
	case valueDate:
		m.date()
	default:
		m.change(usualCase(columns[col].kind, m.text, country), fixCase)
	}
	if m.refused != "" {
		m.text, m.n = text, 0 // a refused value stays as it was
	}
	return m
}

// usualCase returns a word of a closed list in its upper or lower case; any other text as it is.
func usualCase(v valueKind, s, country string) string {
	upper := asciiUpper(s)
	known := false
	switch v {
	case valueCardType:
		_, known = kindOf(upper)
	case valuePeriod:
		lower := asciiLower(s)
		if _, err := calendar.ParseUnit(lower); err == nil {
			return lower
		}
	case valueCurrency:
		known = amount.ListedCurrency(upper)
	case valueCountry:
		known = isCountry(upper)
	case valueState:
		known = isState(country, upper)
	}
	if known {
		return upper
	}
	return s
}

// asciiUpper returns s with the letters of ASCII in upper case. Another letter whose upper case is one
// of ASCII, such as a long s, is not a fault of case.
func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}, s)
}

// asciiLower returns s with the letters of ASCII in lower case.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// date mends the form of a date that can be only one day.
func (m *mending) date() {
	s := m.text
	if _, c := dateOf(s); c != DateSyntax || s == "" {
		return // as it must be, or no day
	}
	mark := strings.IndexAny(s, "-/.")
	if mark < 0 {
		m.refused = refuseDate
		return
	}
	parts := strings.Split(s, s[mark:mark+1])
	if len(parts) != 3 {
		m.refused = refuseDate
		return
	}
	a, b, c := parts[0], parts[1], parts[2]
	switch {
	case len(a) == 4:
		m.to(dayOf(a, b, c), fixISO)
	case len(c) != 4:
		m.refused = refuseDate
	case s[mark] == '.':
		m.to(dayOf(c, b, a), fixOneDigit)
	default:
		m.inOrder(a, b, c, s[mark:mark+1])
	}
}

// inOrder takes the only day of two readings: day, month and year, or month, day and year.
func (m *mending) inOrder(a, b, year, mark string) {
	dayFirst, monthFirst := dayOf(year, b, a), dayOf(year, a, b)
	switch {
	case dayFirst.IsZero() && !monthFirst.IsZero():
		m.change(b+mark+a+mark+year, fixMonthFirst)
		m.to(monthFirst, fixDateMark)
	case monthFirst.IsZero() || dayFirst == monthFirst:
		m.to(dayFirst, fixDateMark)
	default:
		m.refused = refuseOrder
	}
}

func (m *mending) to(d calendar.Date, c ledger.Code) {
	if d.IsZero() {
		m.refused = refuseDate
		return
	}
	year, month, day := d.Date()
	two := func(n int) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }
	m.change(two(day)+"."+two(int(month))+"."+two(year/100)+two(year%100), c)
}

// dayOf returns the day of a year of four digits, a month and a day of one or two; zero for none.
func dayOf(year, month, day string) calendar.Date {
	y, ok1 := numberOf(year, 4, 4)
	m, ok2 := numberOf(month, 1, 2)
	d, ok3 := numberOf(day, 1, 2)
	if !ok1 || !ok2 || !ok3 {
		return calendar.Date{}
	}
	date, err := calendar.New(y, time.Month(m), d)
	if err != nil {
		return calendar.Date{}
	}
	return date
}

// The quotes of word processors: what opens and what closes, double and single ones.
const (
	doubleMarks = "“”„«»\""
	singleMarks = "‘’‚"
	closing     = "”“»«’‘"
)

// inMarks reports whether a text is in typographic quotes.
func inMarks(s string) bool {
	first, size := utf8.DecodeRuneInString(s)
	last, end := utf8.DecodeLastRuneInString(s)
	return len(s) >= size+end && first != '"' && strings.ContainsRune(doubleMarks+singleMarks, first) && strings.ContainsRune(closing, last)
}

// unmarked returns what is between typographic quotes; false where there are more of them
// inside, so that the value may end earlier.
func unmarked(s string) (string, bool) {
	first, size := utf8.DecodeRuneInString(s)
	_, end := utf8.DecodeLastRuneInString(s)
	marks := doubleMarks
	if strings.ContainsRune(singleMarks, first) {
		marks = singleMarks
	}
	s = s[size : len(s)-end]
	return s, !strings.ContainsAny(s, marks)
}
