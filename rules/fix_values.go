package rules

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
)

// A mending is what becomes of a value: the text to write and the codes of the changes that led there, or the text as
// it was and the code of the refusal.
type mending struct {
	text    string
	changes []ledger.Code
	refused bool
}

// to sets a new text, if it is one.
func (m *mending) to(text string, c ledger.Code) {
	if text != m.text {
		m.text, m.changes = text, append(m.changes, c)
	}
}

// refuse makes the mending a refusal, whatever was changed before.
func (m *mending) refuse(c ledger.Code) { m.refused, m.changes = true, []ledger.Code{c} }

// mend returns what becomes of a value of a column in the current row. A value that would be mended again, or be
// refused when it is mended, is refused.
func (x *fixing) mend(col Column, s string) mending {
	m := x.mendOnce(col, s)
	if !m.refused && m.text != s {
		if again := x.mendOnce(col, m.text); again.text != m.text || again.refused {
			m.refuse(slices.Concat(again.changes, m.changes)[0])
		}
	}
	if m.refused {
		m.text = s
	}
	return m
}

func (x *fixing) mendOnce(col Column, s string) mending {
	m := mending{text: s}
	if s == "" {
		return m
	}
	m.to(strings.TrimFunc(s, isSpace), fixSpaces)
	kind := columns[col].kind
	if kind != valueText && len(m.text) > 1 && m.text[0] == '\'' && isDigit(m.text[1]) {
		m.to(m.text[1:], fixApostrophe)
	}
	switch kind {
	case valueCard:
		m.card()
	case valueAmount:
		m.amount(x.Forms.Amount(m.text, x.currency))
	case valueAmounts:
		m.amounts(x.Forms, x.currency)
	case valueDate:
		m.date(x.Forms)
	case valueYear:
		if len(m.text) == 2 && digitsOnly(m.text) {
			century := x.Forms.Century.String()
			if century == "" {
				century = "20"
			}
			m.to(century+m.text, fixExpiry)
		}
	case valueMonth:
		if len(m.text) == 1 && digitsOnly(m.text) && m.text != "0" {
			m.to("0"+m.text, fixExpiry)
		}
	default:
		m.to(usualCase(kind, m.text, x.country), fixCase)
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
		lower := strings.ToLower(s)
		if _, err := calendar.ParseUnit(lower); err == nil && len(lower) == len(s) && isASCII([]byte(s)) {
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

// dateCodes are the codes of what was done with a date in each form.
var dateCodes = [...]ledger.Code{
	exportform.DateDotted: "", exportform.DateISO: fixISO, exportform.DateOneDigit: fixOneDigit, exportform.DateOtherMark: fixDateMark, exportform.DateMonthFirst: fixMonthFirst,
	exportform.DateSaid: fixOrder, exportform.DateShortYear: fixCentury, exportform.DateMalformed: refuseDate, exportform.DateUnordered: fixOrder, exportform.DateCentury: fixCentury,
}

// date mends the form of a date. One in the form DD.MM.YYYY stays as it is, a day or not.
func (m *mending) date(forms Forms) {
	switch d, form := forms.Date(m.text); {
	case m.text == "", form == exportform.DateDotted:
	case form >= exportform.DateMalformed:
		m.refuse(dateCodes[form])
	default:
		iso := d.String()
		m.to(iso[8:]+"."+iso[5:7]+"."+iso[:4], dateCodes[form])
	}
}

// amount takes what was read of an amount.
func (m *mending) amount(a exportform.Amount) {
	switch {
	case m.text == "", a.Text == m.text:
	case a.Fault == exportform.AmountUndecided:
		m.refuse(fixComma)
	case a.Fault == exportform.AmountCurrency:
		m.refuse(fixSign)
	case a.Fault != 0:
		m.refuse(refuseAmount)
	default:
		for _, c := range [...]struct {
			is   bool
			code ledger.Code
		}{{a.Sign, fixSign}, {a.Thousands, fixThousands}, {a.Comma, fixComma}} {
			if c.is {
				m.changes = append(m.changes, c.code)
			}
		}
		m.text = a.Text
	}
}

// amounts mends one amount, and the spaces around several. Their commas are those between amounts only where a point
// was said, or is in one of them and cannot be between thousands.
func (m *mending) amounts(forms Forms, currency string) {
	elements := strings.Split(m.text, ",")
	if len(elements) == 1 {
		m.amount(forms.Amount(m.text, currency))
		return
	}
	point := forms.Decimal == exportform.Point
	if !point && !strings.Contains(m.text, ".") {
		m.refuse(fixComma)
		return
	}
	for i, e := range elements {
		elements[i] = strings.TrimFunc(e, isSpace)
		if _, ok := amountForm(elements[i]); !ok {
			m.refuse(refuseAmount)
			return
		}
		// 1.000,50 may be one amount.
		grouped := forms.Decimal == exportform.Comma || i+1 < len(elements) && !strings.Contains(elements[i+1], ".")
		if !point && grouped && (Forms{Decimal: exportform.Comma}).Amount(elements[i], "").Thousands {
			m.refuse(fixComma)
			return
		}
	}
	m.to(strings.Join(elements, ","), fixSpaces)
}

// cardMarks are what may be between groups of digits in a card number: spaces and hyphens of several
// widths.
const cardMarks = " \u00a0\u2007\u2009\u202f-\u2010\u2011\u2012\u2013"

// card refuses a card number that has lost digits, and one in groups: which digits are the number is not certain, for
// a security code may be among them.
func (m *mending) card() {
	switch {
	case cardHelp(m.text) != "":
		m.refuse(refuseCard)
	case strings.Trim(m.text, "0123456789"+cardMarks) == "" && strings.Trim(m.text, "0123456789") != "" && strings.Trim(m.text, cardMarks) != "":
		m.refuse(refuseGroups)
	}
}

// Mendable reports whether a [Fixer] to which nothing is said would change what a finding of the current step is
// about: the encoding, the separator, the name of a column, or a value. It is false for a finding that is not
// about the whole text, or about the row, or the header, that was read last.
func (r *Reader) Mendable(p ledger.Finding) bool {
	if p.Code == InvalidUTF8 {
		return p.Subject == "" && r.wire != nil && r.wire.wide
	}
	x := fixing{sep: ';'}
	if p.Code == CSVSeparator {
		if r.sc == nil || r.row > 0 {
			return false
		}
		x.header(newCutter(newTextReader(bytes.NewReader(r.sc.raw), nil), len(r.sc.raw)))
		return !x.unreadable
	}
	r, at, ok := r.current(p)
	if !ok || r.sc.sep == '|' || p.Subject == "" && p.Code != ColumnUnknown || !utf8.Valid(r.sc.raw) {
		return false
	}
	cells, _ := appendCells(nil, r.sc.raw, r.sc.sep)
	here := slices.IndexFunc(cells, func(c cellText) bool { return at <= c.at+len(c.raw) })
	switch {
	case here < 0:
		return false
	case r.row == 0:
		x.claim(cells)
		return x.columns[here] != 0 && x.names[here].code != ""
	case len(cells) != len(r.fields) || r.fields[here] == 0:
		return false
	}
	for i, col := range r.fields {
		if col == ColumnCountry {
			x.country = asciiUpper(cells[i].name())
		}
	}
	x.curly = cells[here].curly() && columns[r.fields[here]].kind != valueText
	m := x.mend(r.fields[here], x.unquote(cells[here]))
	return (x.curly || len(m.changes) > 0) && !m.refused
}
