package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
)

// keptValues are, for each column of typed values, the last text that had no fault, and
// what it was typed to: neighbouring rows often share it.
type keptValues struct {
	texts    [columnCount + 1]string
	row      Row
	fixed    amount.Amount
	from, to amount.Amount
	sequence sequenceFacts
	domain   mailDomain
	minor    minorUnits
}

// keep remembers the text of a column of the current row, and its typed value.
func (r *Reader) keep(col Column, s string) {
	r.kept.texts[col] = s
	r.kept.take(col, r)
}

// take takes over the typed value of a column of the current row.
func (k *keptValues) take(col Column, r *Reader) {
	switch col {
	case CardType:
		k.row.Kind = r.rec.Kind
	case ExpireYear:
		k.row.ExpireYear = r.rec.ExpireYear
	case ExpireMonth:
		k.row.ExpireMonth = r.rec.ExpireMonth
	case Amount:
		k.fixed = r.fixed
	case AmountFrom:
		k.from = r.from
	case AmountTo:
		k.to = r.to
	case AmountSequence:
		k.sequence = r.sequence
	case Currency:
		k.row.Currency = r.rec.Currency
	case Period:
		k.row.Unit = r.rec.Unit
	case Interval:
		k.row.Interval = r.rec.Interval
	case StartDate:
		k.row.Start = r.rec.Start
	case FinishDate:
		k.row.Finish = r.rec.Finish
	case MaxRepeatsNumber:
		k.row.MaxRepeats = r.rec.MaxRepeats
	}
}

// reuse gives the current row the kept value of a column, whose text it has too.
func (r *Reader) reuse(col Column) {
	k := &r.kept
	switch col {
	case CardType:
		r.rec.Kind = k.row.Kind
	case ExpireYear:
		r.rec.ExpireYear = k.row.ExpireYear
	case ExpireMonth:
		r.rec.ExpireMonth = k.row.ExpireMonth
	case Amount:
		r.fixed = k.fixed
	case AmountFrom:
		r.from = k.from
	case AmountTo:
		r.to = k.to
	case AmountSequence:
		r.sequence = k.sequence
	case Currency:
		r.rec.Currency = k.row.Currency
	case Period:
		r.rec.Unit = k.row.Unit
	case Interval:
		r.rec.Interval = k.row.Interval
	case StartDate:
		r.rec.Start = k.row.Start
	case FinishDate:
		r.rec.Finish = k.row.Finish
	case MaxRepeatsNumber:
		r.rec.MaxRepeats = k.row.MaxRepeats
	}
}

// minorUnits are the decimals of the last currency that was asked for.
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

// own is a code in memory of its own.
func (t *currencyTexts) own(code string) string {
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
