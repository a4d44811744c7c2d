package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
)

// Who uses a row mostly asks for its amounts, once. A fixed amount is in the record. A range is made
// when it is asked for, and so is a sequence, unless rows before had the same: then it is made once for
// all of them.

// repeatedAmounts are the last sequence.
type repeatedAmounts struct {
	elements string
	sequence *amount.Choice // of the elements; nil: only one row had them
}

// recordAmounts puts the amount choice into the record of the current row. It matters only for a row
// that can be used, whose amounts are right.
func (r *Reader) recordAmounts() {
	rec, last := r.rec, &r.repeated
	switch rec.modes {
	case modeFixed:
		rec.fixed, rec.scale = r.amounts.fixed.Coefficient(), uint8(r.amounts.fixed.Scale())
	case modeSequence:
		rec.shared = last.sequenceOf(r.now(ColumnAmountSequence))
	}
}

// longestRepeated is how long the text of a sequence may be to be remembered.
const longestRepeated = 256

// sequenceOf returns what rows with a sequence share; nil for the first of them.
func (l *repeatedAmounts) sequenceOf(elements string) *amount.Choice {
	switch {
	case len(elements) > longestRepeated:
		return nil
	case elements != l.elements:
		l.elements, l.sequence = elements, nil
	case l.sequence == nil:
		l.elements = strings.Clone(elements)
		l.sequence = new(sequenceOf(elements))
	}
	return l.sequence
}
