package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
)

// typedValues are what columns were typed to: those of a Row, and the amounts.
type typedValues struct {
	row     Row
	amounts rowAmounts
}

// rowAmounts are the typed amounts of a row.
type rowAmounts struct {
	fixed, from, to amount.Amount
	sequence        sequenceFacts
}

// keptValues are, for each column of typed values, the last text that had no fault, and
// what it was typed to: neighbouring rows often share it.
type keptValues struct {
	typedValues
	texts  [columnCount + 1]string
	domain mailDomain
	minor  minorUnits
}

// keep remembers the text of a column of the current row, and its typed value.
func (r *Reader) keep(col Column, s string) {
	r.kept.texts[col] = s
	carry(col, &r.kept.row, &r.rec.Row, &r.kept.amounts, &r.amounts)
}

// reuse gives the current row the kept value of a column, whose text it has too.
func (r *Reader) reuse(col Column) {
	carry(col, &r.rec.Row, &r.kept.row, &r.amounts, &r.kept.amounts)
}

// carry copies the typed value of a column from one row to another.
func carry(col Column, to, from *Row, toAmounts, fromAmounts *rowAmounts) {
	switch col {
	case ColumnCardType:
		to.Kind = from.Kind
	case ColumnExpireYear:
		to.ExpireYear = from.ExpireYear
	case ColumnExpireMonth:
		to.ExpireMonth = from.ExpireMonth
	case ColumnAmount:
		toAmounts.fixed = fromAmounts.fixed
	case ColumnAmountFrom:
		toAmounts.from = fromAmounts.from
	case ColumnAmountTo:
		toAmounts.to = fromAmounts.to
	case ColumnAmountSequence:
		toAmounts.sequence = fromAmounts.sequence
	case ColumnCurrency:
		to.Currency = from.Currency
	case ColumnPeriod:
		to.Unit = from.Unit
	case ColumnInterval:
		to.Interval = from.Interval
	case ColumnStartDate:
		to.Start = from.Start
	case ColumnFinishDate:
		to.Finish = from.Finish
	case ColumnMaxRepeatsNumber:
		to.MaxRepeats = from.MaxRepeats
	}
}

// minorUnits are the decimals of the last currency that was looked up.
type minorUnits struct {
	currency string
	digits   int
	ok       bool
}

func (m *minorUnits) of(currency string) (digits int, ok bool) {
	if m.currency != currency {
		digits, ok = amount.MinorUnits(currency)
		*m = minorUnits{currency, digits, ok}
	}
	return m.digits, m.ok
}

// A currencyTexts holds the last few codes in memory of their own, so that a code that is
// kept does not keep the text of its row.
type currencyTexts struct {
	codes [8]string
	next  int
}

// kept returns a code in memory that no row's text shares.
func (t *currencyTexts) kept(code string) string {
	for _, known := range t.codes {
		if known == code {
			return known
		}
	}
	code = strings.Clone(code)
	t.codes[t.next%len(t.codes)] = code
	t.next++
	return code
}
