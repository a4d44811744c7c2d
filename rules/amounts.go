package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
)

// Who uses a row mostly asks for its amounts, once. A fixed amount is in the record. A range or a
// sequence is made when it is asked for, unless rows before had the same: then it is made once for
// all of them.

// A sharedAmounts is the amount choice of several rows.
type sharedAmounts struct{ strategy amount.Strategy }

// repeatedAmounts are the last range and the last sequence.
type repeatedAmounts struct {
	from, to amount.Amount
	currency string
	ranged   *sharedAmounts // of the range; nil: only one row had it

	elements string
	sequence *sharedAmounts // of the elements; nil: only one row had them
}

// recordAmounts puts the amount choice into the record of the current row. It matters only for a row
// that can be used, whose amounts are right.
func (r *Reader) recordAmounts() {
	rec, last := r.rec, &r.repeated
	switch rec.modes {
	case modeFixed:
		rec.fixed, rec.scale = r.amounts.fixed.Coefficient(), uint8(r.amounts.fixed.Scale())
	case modeRange:
		rec.shared = last.rangeOf(r.amounts.from, r.amounts.to, rec.Currency)
	case modeSequence:
		rec.shared = last.sequenceOf(r.now(ColumnAmountSequence))
	}
}

// rangeOf returns what rows with a range share; nil for the first of them.
func (l *repeatedAmounts) rangeOf(from, to amount.Amount, currency string) *sharedAmounts {
	switch {
	case from != l.from || to != l.to || currency != l.currency:
		l.from, l.to, l.currency, l.ranged = from, to, currency, nil
	case l.ranged == nil:
		l.ranged = &sharedAmounts{rangeOf(from, to, currency)}
	}
	return l.ranged
}

// longestRepeated is how long the text of a sequence may be to be remembered.
const longestRepeated = 256

// sequenceOf returns what rows with a sequence share; nil for the first of them.
func (l *repeatedAmounts) sequenceOf(elements string) *sharedAmounts {
	switch {
	case len(elements) > longestRepeated:
		return nil
	case elements != l.elements:
		l.elements, l.sequence = elements, nil
	case l.sequence == nil:
		l.elements = strings.Clone(elements)
		l.sequence = &sharedAmounts{sequenceOf(elements)}
	}
	return l.sequence
}

// rangeOf is the strategy of a range that was judged; nil for other amounts.
func rangeOf(from, to amount.Amount, currency string) amount.Strategy {
	s, err := amount.NewRange(from, to, currency)
	if err != nil {
		return nil
	}
	return s
}
