package amount

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"
)

// Total adds up a number of charges of one currency: how many they are, and the least and the
// greatest sum that they can have (L36d). It does not know the currency: keep one Total for each. The
// zero value is the total of no charges, ready to use.
//
// Totals are exact for fewer than 2^64 charges, and adding them up in any order gives equal ones. A
// Total is a plain value that may be copied; compare two with [Total.Equal].
type Total struct {
	Charges  uint64
	Min, Max Sum     // equal in value unless some amount is random
	draws    []Draws // sorted; never changed, so that copies can share it
}

// Add adds one charge by the least and the greatest amount that it can have. What a random amount is
// drawn from is not known then, so that the total has no quantiles.
func (t *Total) Add(low, high Amount) {
	t.Charges++
	t.Min.Add(low)
	t.Max.Add(high)
}

// AddRun adds the n charges of a choice with the repeat indexes first, first+1, … first+n-1. The work
// does not grow with n: the elements of a sequence are added one by one, all charges of its last
// element in one step. Charges of the zero Choice are not counted.
func (t *Total) AddRun(c Choice, first, n uint64) {
	for last := uint64(max(c.Len(), 1) - 1); n > 0 && first < last; n-- {
		t.Add(c.Bounds(first))
		first++
	}
	if n == 0 || c.IsZero() {
		return
	}
	low, high := c.Bounds(first)
	t.Charges += n
	t.Min.AddTimes(low, n)
	t.Max.AddTimes(high, n)
	if c.span > 0 {
		t.AddDraws(Draws{c.span + 1, int(c.scale), n})
	}
}

// Merge adds the charges of another total.
func (t *Total) Merge(o Total) {
	t.Charges += o.Charges
	t.Min.AddSum(o.Min)
	t.Max.AddSum(o.Max)
	t.AddDraws(o.draws...)
}

// IsZero reports whether there are no charges.
func (t Total) IsZero() bool { return t.Charges == 0 }

// WithoutDraws returns the total without what its random amounts are drawn from: one that takes no memory
// for that, and has no quantiles.
func (t Total) WithoutDraws() Total { return Total{Charges: t.Charges, Min: t.Min, Max: t.Max} }

// Equal reports whether two totals are the same as written: 1.5 and 1.50 are different.
func (t Total) Equal(o Total) bool {
	return t.Charges == o.Charges && t.Min == o.Min && t.Max == o.Max && slices.Equal(t.draws, o.draws)
}

// Mean returns the exact mean of the sum if random amounts are uniform (L36d): halfway between Min and
// Max. It may have one decimal more than they have.
func (t Total) Mean() decimal.Decimal { return t.mean().Decimal() }

// AppendMean appends the text of [Total.Mean], with as many decimals as Min and Max have, and one
// more only where it is needed: 7.50, or 7.505.
func (t Total) AppendMean(dst []byte) []byte { return t.mean().Append(dst) }

// mean returns half of Min + Max. Half of an odd number is five units of the next decimal, so the
// result may have one decimal more than a Sum has otherwise.
func (t Total) mean() Sum {
	m := t.Min
	m.AddSum(t.Max)
	if m.lo&1 != 0 {
		m.times(5)
		m.scale++
		return m
	}
	m.divide(2)
	return m
}

// Quantiles returns, for each percentage q, the smallest sum s with P(sum ≤ s) ≥ q/100 - 10^-12, if
// random amounts are uniform and independent of each other (L36d); for 0 and 100 it is exactly Min and
// Max. s is on the grid of the ranges with the most decimals, from Min on. The error is [ErrPercent] for
// a q that is no percentage, and [ErrDraws] where it is not known what the random amounts are drawn from,
// since some were added by [Total.Add].
//
// Let w be the number of units of that grid between the minimum and the maximum, and n the number
// of draws. Where w ≤ 2^19 and n·w ≤ 2^24, and for a single draw of any width, the probabilities are
// within 10^-14 of the true ones, and s is a sum that the total can have. Otherwise they are those of
// a normal distribution with the same mean and variance, in which s stands for the interval from
// half a unit below it to half a unit above; [Total.Normal] is then true. s is between the minimum and
// the maximum, but where ranges have different numbers of decimals the total may be unable to have it.
//
// Let v be the variances of the draws and V their sum, in squares of the unit. The probabilities of
// the normal distribution are within 0.06·Σv²/V² + 0.02/V of the true ones where all ranges have the
// same number of decimals, as measured: 0.06/n for n draws of one wide range. They are always within
// 0.73·Σv^1.5/V^1.5 + 0.2/V^0.5, by the theorem of Berry and Esseen.
//
// Every machine gives the same result: sums and probabilities are whole numbers, and the deviate of a
// normal distribution is rounded to 2^-32. A call takes at most 4 MiB and some 2^23 steps of a few
// nanoseconds.
func (t Total) Quantiles(q ...Percent) ([]Sum, error) {
	for _, p := range q {
		if !p.isValid() {
			return nil, refuse(ErrPercent)
		}
	}
	if !t.isDrawn() {
		return nil, refuse(ErrDraws)
	}
	if len(q) == 0 {
		return nil, nil
	}
	return quantiles(t.Min, distributionOf(t.draws), q), nil
}

// Normal reports whether [Total.Quantiles] uses the normal approximation.
func (t Total) Normal() bool { return t.isDrawn() && distributionOf(t.draws).isNormal() }

// isDrawn reports whether it is known what all random amounts are drawn from.
func (t Total) isDrawn() bool {
	greatest := t.Min
	for _, d := range t.draws {
		greatest.AddTimes(Amount{int64(d.Values - 1), uint8(d.Scale)}, d.Charges)
	}
	return greatest.Compare(t.Max) == 0
}

// String returns the total in words: "3 charges, 30.00", or "3 charges, 30.00 to 45.00, mean 37.50"
// where the sums differ.
func (t Total) String() string {
	b := strconv.AppendUint(nil, t.Charges, 10)
	b = append(b, " charges, "...)
	if t.Charges == 1 {
		b = append(b[:0], "1 charge, "...)
	}
	if t.Min.Compare(t.Max) != 0 {
		b = t.Max.Append(append(t.Min.Append(b), " to "...))
		b = append(b, ", mean "...)
	}
	return string(t.AppendMean(b))
}

// A Tally adds up the attempts to charge one currency, by their outcome. Declined attempts bring no
// money and are separate: what was attempted is the sum of Total and Declined.
type Tally struct {
	Total       // approved, as every charge of a forecast counts
	Declined    Total
	CardExpired Total // those of Total that are dated after the card's expiry (L31)
}

// Merge adds the charges of another tally.
func (t *Tally) Merge(o Tally) {
	t.Total.Merge(o.Total)
	t.Declined.Merge(o.Declined)
	t.CardExpired.Merge(o.CardExpired)
}

// WithoutDraws returns the tally of what [Total.WithoutDraws] returns.
func (t Tally) WithoutDraws() Tally {
	return Tally{t.Total.WithoutDraws(), t.Declined.WithoutDraws(), t.CardExpired.WithoutDraws()}
}

// IsZero reports whether nothing was attempted.
func (t Tally) IsZero() bool { return t.Total.IsZero() && t.Declined.IsZero() }

// Equal reports whether two tallies are the same as written.
func (t Tally) Equal(o Tally) bool {
	return t.Total.Equal(o.Total) && t.Declined.Equal(o.Declined) && t.CardExpired.Equal(o.CardExpired)
}

// Draws are charges with a random amount: each has one of so many values, 10^-Scale apart, all equally
// likely (L36d).
type Draws struct {
	Values  uint64 `json:"values" strict:"required"` // 2 to 2^63
	Scale   int    `json:"scale" strict:"required"`  // 0 to MaxScale
	Charges uint64 `json:"charges" strict:"required"`
}

func (d Draws) compare(o Draws) int {
	return cmp.Or(cmp.Compare(d.Scale, o.Scale), cmp.Compare(d.Values, o.Values))
}

// isValid reports whether there can be such charges.
func (d Draws) isValid() bool {
	return 2 <= d.Values && d.Values <= 1<<63 && 0 <= d.Scale && d.Scale <= MaxScale && d.Charges > 0
}

// Draws returns what the random amounts of the total are drawn from, as far as that is known: in order of
// Scale, then Values, each pair once. The caller owns the result.
func (t Total) Draws() []Draws { return slices.Clone(t.draws) }

// AddDraws says of charges that were added by [Total.Add] what they are drawn from: their Min and Max must
// be as far apart as the values are. Draws that no charges have are ignored.
func (t *Total) AddDraws(d ...Draws) {
	if len(d) == 0 {
		return
	}
	list := slices.Concat(t.draws, d)
	slices.SortFunc(list, Draws.compare)
	kept := list[:0]
	for _, one := range list {
		switch n := len(kept); {
		case !one.isValid():
		case n > 0 && kept[n-1].compare(one) == 0:
			kept[n-1].Charges += one.Charges
		default:
			kept = append(kept, one)
		}
	}
	t.draws = kept
}

var errTotal = errors.New("amount: a Total has no JSON form: write it as a record.Total, or keep an engine.Book")

// MarshalJSON returns an error: the JSON form of totals is that of package record, or of the engine's Book.
func (t Total) MarshalJSON() ([]byte, error) { return nil, errTotal }

// MarshalJSON returns an error, as that of a [Total] does.
func (t Tally) MarshalJSON() ([]byte, error) { return nil, errTotal }
