package amount

import (
	"math/big"
	"strconv"

	"github.com/shopspring/decimal"
)

// Total describes a set of charges of one currency: their number, and the least, the greatest and
// the mean sum that they can have, with the variance of that sum (L36d). It does not know the
// currency: keep one Total for each. The zero value is the total of no charges, ready to use.
//
// Totals are exact for fewer than 2^64 charges, and merging them in any order gives the same value.
// A Total is a plain value that may be copied.
type Total struct {
	charges  uint64
	min, max Sum
	spread   spread
}

// Add adds the charge with this repeat index.
func (t *Total) Add(s Choice, repeat uint64) { t.AddRun(s, repeat, 1) }

// AddRun adds the n charges with the repeat indexes first, first+1, … first+n-1. The work does not
// grow with n: the elements of a sequence are added one by one, all charges of its last element in
// one step.
func (t *Total) AddRun(s Choice, first, n uint64) {
	if n == 0 || s.IsZero() {
		return
	}
	t.charges += n
	if s.kind == KindSequence {
		t.addSequence(s, first, n)
		return
	}
	t.min.AddTimes(s.from, n)
	t.max.AddTimes(s.to, n)
	t.spread.add(s, n)
}

// addSame adds n charges of one amount.
func (t *Total) addSame(a Amount, n uint64) {
	t.min.AddTimes(a, n)
	t.max.AddTimes(a, n)
}

func (t *Total) addSequence(q Choice, first, n uint64) {
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

// Merge adds the charges of another total. The order and the grouping of merges do not affect the
// result.
func (t *Total) Merge(o Total) {
	t.charges += o.charges
	t.min.AddSum(o.min)
	t.max.AddSum(o.max)
	t.spread.merge(o.spread)
}

// Sub removes the charges of another total: after t.Merge(o), t.Sub(o) restores the value of t.
// Only the scale may be larger than before, since decimals that o brought stay. When no charge is
// left, t is the zero Total. The error is [ErrNotPart] where o has more charges than t, or where no
// charges have the difference of the two; t is then as it was.
func (t *Total) Sub(o Total) error {
	left := *t
	left.charges -= o.charges
	if o.charges > t.charges || left.min.Sub(o.min) != nil || left.max.Sub(o.max) != nil || !left.spread.sub(o.spread) {
		return refuse(ErrNotPart)
	}
	if left.charges == 0 && left.min.IsZero() && left.max.IsZero() && left.spread.isZero() {
		left = Total{}
	}
	if !left.isPossible() {
		return refuse(ErrNotPart)
	}
	*t = left
	return nil
}

// isPossible reports whether the parts do not contradict each other: charges have sums within what
// so many amounts can have, and a spread exactly where the sums differ.
func (t Total) isPossible() bool {
	if t.charges == 0 {
		return t == Total{}
	}
	const largest = 1<<63 - 1
	var most Sum
	most.AddTimes(Amount{coef: largest}, t.charges)
	order := t.min.Compare(t.max)
	return order <= 0 && t.max.Compare(most) <= 0 &&
		t.spread.isZero() == (order == 0) && t.spread.compare(spreadOf(largest, 0, t.charges)) <= 0
}

// Charges returns the number of charges.
func (t Total) Charges() uint64 { return t.charges }

// Min returns the sum of the least amounts: what is charged at least.
func (t Total) Min() Sum { return t.min }

// Max returns the sum of the greatest amounts: what is charged at most. It equals Min unless a
// range was added.
func (t Total) Max() Sum { return t.max }

// Mean returns the exact mean of the sum if the amounts of ranges are uniform (L36d): halfway
// between Min and Max. It may have one decimal more than they have.
func (t Total) Mean() decimal.Decimal { return t.mean().Decimal() }

// AppendMean appends the text of [Total.Mean], with as many decimals as Min and Max have, and one
// more only where it is needed: 7.50, or 7.505.
func (t Total) AppendMean(dst []byte) []byte { return t.mean().Append(dst) }

// mean returns half of min + max. Half of an odd number is five units of the next decimal, so the
// result may have one decimal more than a Sum has otherwise.
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

// Variance returns the exact variance of the sum, in squares of the currency's main unit, if the
// amounts of ranges are uniform and independent (L36d): (v²-1)/12 squares of a unit for each charge
// of a range with v values. It is 0 without ranges. The caller owns the result.
func (t Total) Variance() *big.Rat {
	if t.spread.isZero() {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(t.spread.fraction())
}

// String returns the total in words: "3 charges, 30.00", or "3 charges, 30.00 to 45.00, mean 37.50"
// where the sums differ.
func (t Total) String() string {
	b := strconv.AppendUint(nil, t.charges, 10)
	b = append(b, " charges, "...)
	if t.charges == 1 {
		b = append(b[:0], "1 charge, "...)
	}
	if t.min.Compare(t.max) != 0 {
		b = t.max.Append(append(t.min.Append(b), " to "...))
		b = append(b, ", mean "...)
	}
	return string(t.AppendMean(b))
}
