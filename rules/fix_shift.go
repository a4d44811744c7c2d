package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// shifted reports whether a row with commas between its values may have a decimal comma without
// quotes among them. Where a value is missing at the end too, such a row has the right number of
// values, and each of them after the amount is in the wrong column. A row is taken as it is written
// if its values fit their columns so and not otherwise; if both readings fit, which one is meant
// would be a guess.
func (x *fixing) shifted() bool {
	for f := range len(x.fields) - 1 {
		kind := columns[x.fields[f]].kind
		if kind != valueAmount && kind != valueAmounts || !x.bareDigits(f) {
			continue
		}
		next := x.fields[f+1]
		s := x.bare(f + 1)
		number, money := cutCurrency(s)
		grouped := !x.sc.cells[f+1].quoted() && (isGroupedTail(number) || money && digitsOnly(number) && len(number) <= fraction)
		if !grouped && !x.bareDigits(f+1) {
			continue
		}
		if !mayBe(next, s) || columns[next].kind == valueText && len(s) <= 2 {
			return true
		}
		written, moved := x.misfits(f, 0), x.misfits(f, 1)
		if written > moved || written == moved && (grouped || len(s) <= fraction) && x.mayLackLast() {
			return true
		}
	}
	return false
}

// fraction is how many digits behind a decimal comma an amount may have, of any currency.
const fraction = 3

// mayLackLast reports whether the current record could be one whose last value was left out: the record
// has a value there, which would be of the column before, and can do without the column.
func (x *fixing) mayLackLast() bool {
	last := len(x.fields) - 1
	need := columns[x.fields[last]].Need
	return need != required && need != conditional && x.bare(last) != ""
}

// bareDigits reports whether value f of the current record is digits without quotes of any kind, with
// marks between thousands or not.
func (x *fixing) bareDigits(f int) bool {
	s, _ := x.content(f)
	return !x.sc.cells[f].quoted() && plainDigits(strings.TrimFunc(s, isSpace)) != ""
}

// isGroupedTail reports whether a text may be what follows the comma between thousands of an amount:
// 234.50 of 1,234.50.
func isGroupedTail(s string) bool {
	group, part, ok := strings.Cut(s, ".")
	return ok && len(group) == 3 && digitsOnly(group) && digitsOnly(part)
}

// cutCurrency returns a text without the currency at its end: 50 of 50 EUR and of 50€. It reports whether
// there is one.
func cutCurrency(s string) (number string, money bool) {
	number = strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) })
	mark := s[len(number):]
	if r, size := utf8.DecodeRuneInString(mark); !amount.ListedCurrency(asciiUpper(mark)) && (size < len(mark) || !unicode.Is(unicode.Sc, r)) {
		return s, false
	}
	return strings.TrimRightFunc(number, isSpace), true
}

// misfits counts the columns after column f that the values of the current record cannot be of, when
// each value is moved to the left by some places.
func (x *fixing) misfits(f, left int) (n int) {
	for k := f + 1; k+left < len(x.fields); k++ {
		if !mayBe(x.fields[k], x.bare(k+left)) {
			n++
		}
	}
	return n
}

// shiftedRow writes the current record so that a later reading refuses it too: as it is, or as one
// value where it has what may separate values or rows there.
func (x *fixing) shiftedRow(code textCode, ok bool) {
	before, text := x.code, string(x.sc.raw)
	if ok {
		x.setCode(code)
	}
	if ok && code == codeCP1252 {
		text, _ = fromCP1252(text)
	}
	if strings.ContainsAny(text, ";\n\r") {
		x.out = appendQuoted(x.out, text)
	} else {
		x.out = append(x.out, text...)
	}
	x.out = append(x.out, x.sc.lineEnd()...)
	x.forget(before)
}

// mayBe reports whether a value looks as if it were one of a column, right or wrong. An empty value
// does, and so does any value of no column.
func mayBe(col Column, s string) bool {
	if col == 0 || s == "" {
		return true
	}
	switch columns[col].kind {
	case valueText:
		name := col == ColumnCity || col == ColumnCardPrintedName || col == ColumnFirstName || col == ColumnLastName
		return !name || !digitsOnly(s)
	case valueCardType:
		_, known := kindOf(asciiUpper(s))
		return known
	case valueCard, valueAmount, valueAmounts:
		return isDigit(s[0])
	case valueCVV, valueYear, valueMonth:
		return digitsOnly(s)
	case valueInteger:
		return digitsOnly(s) && (s[0] != '0' || len(s) == 1)
	case valueCurrency:
		return len(s) == 3 && lettersOnly(s)
	case valueCountry:
		return len(s) == 2 && lettersOnly(s)
	case valueState:
		return len(s) <= 3 && lettersOnly(s)
	case valuePeriod:
		_, err := calendar.ParseUnit(asciiLower(s))
		return err == nil
	case valueDate:
		return isDigit(s[0]) && strings.ContainsAny(s, "-/.")
	case valueEmail:
		return strings.Contains(s, "@")
	case valueIP:
		return strings.ContainsAny(s, ".:")
	case valueURL:
		return strings.Contains(s, ":")
	}
	return true
}

// lettersOnly reports whether s is letters of ASCII.
func lettersOnly(s string) bool {
	return strings.Trim(asciiLower(s), "abcdefghijklmnopqrstuvwxyz") == ""
}
