package amount

import (
	"math/big"

	"github.com/shopspring/decimal"
)

// A Total is what a set of charges of one currency comes to: how many they are, and the
// least, the greatest and the mean sum that they can make, with the variance of that sum
// (A17, L36d). Nothing in it says which currency: amounts of two currencies belong in
// two totals (O03). The zero value is the total of no charge, ready to use.
//
// Totals are exact for fewer than 2^64 charges, and merge in any order to the same value.
// A Total is a plain value: a copy goes its own way.
type Total struct {
	charges  uint64
	min, max Sum
	spread   spread
}

// Add adds the charge with this repeat index.
func (t *Total) Add(s Strategy, repeat uint64) { t.AddRun(s, repeat, 1) }

// AddRun adds the n charges with the repeat indexes first, first+1, … first+n−1. The work
// does not grow with n: the elements of a sequence are added one by one, its tail at
// once. With n = 0 it changes nothing.
func (t *Total) AddRun(s Strategy, first, n uint64) {
	if n == 0 {
		return
	}
	t.charges += n
	switch s := s.(type) {
	case Fixed:
		t.addSame(s.amount, n)
	case Range:
		t.min.AddTimes(s.from, n)
		t.max.AddTimes(s.to, n)
		t.spread.add(s, n)
	case Sequence:
		t.addSequence(s, first, n)
	}
}

// addSame adds n charges of one amount.
func (t *Total) addSame(a Amount, n uint64) {
	t.min.AddTimes(a, n)
	t.max.AddTimes(a, n)
}

func (t *Total) addSequence(q Sequence, first, n uint64) {
	last := uint64(max(q.Len(), 1) - 1)
	for ; n > 0 && first < last; n-- {
		t.addSame(q.element(int(first)), 1)
		first++
	}
	if n > 0 {
		tail, _ := q.Bounds(last)
		t.addSame(tail, n)
	}
}

// Merge adds the charges of another total. Any grouping and order of merges gives the
// same total (O02).
func (t *Total) Merge(o Total) {
	t.charges += o.charges
	t.min.AddSum(o.min)
	t.max.AddSum(o.max)
	t.spread.merge(o.spread)
}

// Charges is the number of charges added.
func (t Total) Charges() uint64 { return t.charges }

// Min is the sum of the least amounts: what is charged at least.
func (t Total) Min() Sum { return t.min }

// Max is the sum of the greatest amounts: what is charged at most. It equals Min unless
// a range was added.
func (t Total) Max() Sum { return t.max }

// Mean is the exact mean of the sum if amounts in a range are uniform (L36d): halfway
// between Min and Max. It may have one decimal more than they (A17).
func (t Total) Mean() decimal.Decimal { return t.mean().Decimal() }

// AppendMean adds the text of [Total.Mean] to dst, with as many decimals as Min and Max
// have, and one more only when it is needed: 7.50, or 7.505.
func (t Total) AppendMean(dst []byte) []byte { return t.mean().Append(dst) }

// mean is half of min + max. A half that is not whole is five of the next decimal, so
// the result may have one decimal more than a Sum has otherwise.
func (t Total) mean() Sum {
	m := t.min
	m.AddSum(t.max)
	if m.lo&1 != 0 {
		m.times(5)
		m.scale++
		return m
	}
	m.divide(2)
	return m
}

// Variance is the exact variance of the sum, in squares of the currency's main unit, if
// amounts in a range are uniform and independent of each other: (v²−1)/12 units² for
// each charge of a range with v values (A17, L36d). It is 0 without ranges. The
// caller owns the result.
func (t Total) Variance() *big.Rat { return t.spread.variance() }
