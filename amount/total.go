package amount

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// Total is what a number of charges of one currency come to: how many they are, and the least and the
// greatest sum that they can have (L36d). It does not know the currency: keep one Total for each. The
// zero value is the total of no charges, ready to use.
//
// Totals are exact for fewer than 2^64 charges, and adding them up in any order gives equal ones. A
// Total is a plain value that may be copied; compare two with [Total.Equal].
type Total struct {
	Charges  uint64
	Min, Max Sum // equal in value unless some amount is random
	draws    draws
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
		t.draws.add(drawGroup{drawClass{c.span, c.scale}, n})
	}
}

// Merge adds the charges of another total.
func (t *Total) Merge(o Total) {
	t.Charges += o.Charges
	t.Min.AddSum(o.Min)
	t.Max.AddSum(o.Max)
	for d := &o.draws; d != nil; d = d.before() {
		t.draws.add(d.drawGroup)
	}
}

// IsZero reports whether there are no charges.
func (t Total) IsZero() bool { return t.Charges == 0 }

// WithoutDraws returns the total without what its random amounts are drawn from: one that takes no memory
// for that, and has no quantiles.
func (t Total) WithoutDraws() Total { return Total{Charges: t.Charges, Min: t.Min, Max: t.Max} }

// Equal reports whether two totals are the same as written: 1.5 and 1.50 are different.
func (t Total) Equal(o Total) bool {
	return t.Charges == o.Charges && t.Min == o.Min && t.Max == o.Max && slices.Equal(t.draws.groups(), o.draws.groups())
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
	groups := t.draws.groups()
	if !t.isDrawn(groups) {
		return nil, refuse(ErrDraws)
	}
	if len(q) == 0 {
		return nil, nil
	}
	return quantiles(t.Min, distributionOf(groups), q), nil
}

// Normal reports whether [Total.Quantiles] uses the normal approximation.
func (t Total) Normal() bool {
	groups := t.draws.groups()
	return t.isDrawn(groups) && distributionOf(groups).isNormal()
}

// isDrawn reports whether it is known what all random amounts are drawn from.
func (t Total) isDrawn(groups []drawGroup) bool {
	greatest := t.Min
	for _, g := range groups {
		greatest.AddTimes(Amount{int64(g.span), g.scale}, g.n)
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

// A Tally is what the attempts to charge one currency come to, by their outcome. Declined attempts
// bring no money and stand apart: what was attempted is the sum of Total and Declined.
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

// String returns the approved charges in words, and the others where there are any.
func (t Tally) String() string {
	text := t.Total.String()
	if !t.Declined.IsZero() {
		text += "; declined: " + t.Declined.String()
	}
	if !t.CardExpired.IsZero() {
		text += "; after the card's expiry: " + t.CardExpired.String()
	}
	return text
}

// draws are the random charges of a total by what they are drawn from, the last group first. What is in
// front changes with the total; the rest never does, so that copies of a total may share it.
type draws struct {
	drawGroup // none with n = 0
	rest      *oldDraws
}

type oldDraws struct {
	draws
	size  int // of the list
	kinds int // its size when it was last made short, without any class twice
}

func (d *draws) before() *draws {
	if d.rest == nil {
		return nil
	}
	return &d.rest.draws
}

func (d *draws) add(g drawGroup) {
	switch {
	case d.n == 0:
		d.drawGroup = g
	case g.n == 0:
	case d.drawClass == g.drawClass:
		d.n += g.n
	default:
		d.push(g)
		if d.rest.size > 2*d.rest.kinds+8 {
			d.shorten()
		}
	}
}

func (d *draws) push(g drawGroup) {
	rest := &oldDraws{draws: *d, size: 1}
	if d.rest != nil {
		rest.size, rest.kinds = d.rest.size+1, d.rest.kinds
	}
	*d = draws{g, rest}
}

// shorten puts the groups of each class together. The list has about doubled since the last time, so that
// what this costs does not grow with the charges added.
func (d *draws) shorten() {
	list := d.groups()
	*d = draws{drawGroup: list[0]}
	for _, g := range list[1:] {
		d.push(g)
	}
	if d.rest != nil {
		d.rest.kinds = d.rest.size
	}
}

// groups returns one group for each class, in order of scale, then span.
func (d *draws) groups() (list []drawGroup) {
	for ; d != nil && d.n > 0; d = d.before() {
		list = append(list, d.drawGroup)
	}
	slices.SortFunc(list, func(a, b drawGroup) int { return cmp.Or(cmp.Compare(a.scale, b.scale), cmp.Compare(a.span, b.span)) })
	kept := list[:0]
	for _, g := range list {
		if n := len(kept); n > 0 && kept[n-1].drawClass == g.drawClass {
			kept[n-1].n += g.n
			continue
		}
		kept = append(kept, g)
	}
	return kept
}

// A totalJSON is a Total as it is written.
type totalJSON struct {
	Charges uint64     `json:"charges" strict:"required"`
	Min     Sum        `json:"min" strict:"required"`
	Max     Sum        `json:"max" strict:"required"`
	Mean    string     `json:"mean,omitzero"`
	Draws   []drawJSON `json:"draws,omitzero"`
}

// A drawJSON is so many charges of a range with that many values, units of 10^-scale apart.
type drawJSON struct {
	Values  uint64 `json:"values" strict:"required"`
	Scale   int    `json:"scale" strict:"required"`
	Charges uint64 `json:"charges" strict:"required"`
}

// A tallyJSON is a Tally as it is written.
type tallyJSON struct {
	totalJSON
	Declined    Total `json:"declined,omitzero"`
	CardExpired Total `json:"card_expired,omitzero"`
}

var (
	totalForm = strictjson.FormOf[totalJSON]()
	tallyForm = strictjson.FormOf[tallyJSON]()
)

func (t Total) toJSON() totalJSON {
	v := totalJSON{Charges: t.Charges, Min: t.Min, Max: t.Max, Mean: string(t.AppendMean(nil))}
	for _, g := range t.draws.groups() {
		v.Draws = append(v.Draws, drawJSON{g.span + 1, int(g.scale), g.n})
	}
	return v
}

// total returns the total, and whether charges can have it.
func (v *totalJSON) total() (t Total, ok bool) {
	t = Total{Charges: v.Charges, Min: v.Min, Max: v.Max}
	greatest, left, sorted := t.Min, t.Charges, true
	for i, d := range v.Draws {
		if i > 0 {
			before := v.Draws[i-1]
			sorted = sorted && (before.Scale < d.Scale || before.Scale == d.Scale && before.Values < d.Values)
		}
		if d.Values < 2 || d.Values > 1<<63 || d.Scale < 0 || d.Scale > MaxScale || d.Charges == 0 || d.Charges > left {
			return t, false
		}
		left -= d.Charges
		g := drawGroup{drawClass{d.Values - 1, uint8(d.Scale)}, d.Charges}
		greatest.AddTimes(Amount{int64(g.span), g.scale}, g.n)
		t.draws.add(g)
	}
	var most Sum
	most.AddTimes(Amount{coef: 1<<63 - 1}, t.Charges)
	possible := t.Charges > 0 || t.Min == Sum{} && t.Max == Sum{}
	return t, possible && sorted && greatest.Compare(t.Max) <= 0 && t.Max.Compare(most) <= 0 && (v.Mean == "" || v.Mean == string(t.AppendMean(nil)))
}

// MarshalJSON returns an object as
//
//	{"charges":3,"min":"3.00","max":"6.00","mean":"4.50","draws":[{"values":101,"scale":2,"charges":3}]}
//
// The draws are left out where they are not known or there are none. The error is always nil.
func (t Total) MarshalJSON() ([]byte, error) {
	v := t.toJSON()
	return totalForm.Append(nil, &v), nil
}

// UnmarshalJSON reads what [Total.MarshalJSON] writes; the mean may be left out. Anything else, such as
// another member or a total that no charges have, is [ErrTotal]. After an error t is as it was.
func (t *Total) UnmarshalJSON(b []byte) error {
	var v totalJSON
	err := totalForm.Read(b, &v)
	read, ok := v.total()
	if err != nil || !ok {
		return refuse(ErrTotal)
	}
	*t = read
	return nil
}

// MarshalJSON returns the object of the approved charges, with "declined" and "card_expired" where
// there are such charges. The error is always nil.
func (t Tally) MarshalJSON() ([]byte, error) {
	v := tallyJSON{t.Total.toJSON(), t.Declined, t.CardExpired}
	return tallyForm.Append(nil, &v), nil
}

// UnmarshalJSON reads what [Tally.MarshalJSON] writes, with the errors of [Total.UnmarshalJSON].
func (t *Tally) UnmarshalJSON(b []byte) error {
	var v tallyJSON
	err := tallyForm.Read(b, &v)
	approved, ok := v.total()
	if err != nil || !ok || v.CardExpired.Charges > approved.Charges {
		return refuse(ErrTotal)
	}
	*t = Tally{approved, v.Declined, v.CardExpired}
	return nil
}
