package gen

import (
	"math"

	"github.com/chargecast/chargecast/amount"
)

// An AmountCase is amounts and what is asked of them.
type AmountCase struct {
	List     []amount.Amount // at least one
	Choice   amount.Choice
	Currency string
	First, N uint64 // a run of charges
	Seed     uint64
	Profile  string
	Repeat   uint64
}

// Amounts draws amounts and choices of every kind, with zeros at the end, equal values of unequal scale, and the limits
// of the type.
func Amounts(r Chooser) AmountCase {
	c := AmountCase{Currency: r.Currency(), Seed: r.Uint64(), Profile: Pick(r, "", "a", "b", "order-1", "order-2")}
	for len(c.List) == 0 || r.More(len(c.List), 8, 80) {
		c.List = append(c.List, r.amount())
	}
	c.Choice = r.Choice(r.Below(3), c.Currency)
	c.First, c.N, c.Repeat = uint64(r.In(0, 12)), uint64(r.In(0, 30)), uint64(Pick(r, 0, 1, 2, r.In(0, 100), math.MaxInt))
	return c
}

func (r Chooser) Currency() string {
	return Pick(r, "EUR", "EUR", "USD", "JPY", "KWD", "CLF", "QQQ")
}

// amount is above zero and of at most 10 characters, as in the payload, but for a few at
// the limits of the type.
func (r Chooser) amount() amount.Amount {
	switch r.Weigh(60, 25, 10, 5) {
	case 0:
		return Minor(int64(r.In(1, 100_000)), 2)
	case 1:
		return Minor(int64(Pick(r, 1, 10, 100, 150, 1500, r.In(1, 9999))), r.In(0, 4))
	case 2:
		return Minor(int64(r.In(1, 999_999_999)), r.In(0, 8))
	}
	return Minor(Pick[int64](r, 1, 1_000_000_000_000_000_000, math.MaxInt64-1, math.MaxInt64), r.In(0, amount.MaxScale))
}

// payable is an amount that a payload could hold.
func (r Chooser) payable() amount.Amount {
	if r.ordinary {
		return Minor(int64(r.In(100, 999_999)), 2)
	}
	return Minor(int64(r.In(1, 99_999)), Pick(r, 0, 1, 2, 2, 2, 3))
}

// Choice is a fixed amount, a range or a sequence.
func (r Chooser) Choice(mode int, currency string) amount.Choice {
	switch mode {
	case 0:
		return amount.Fixed(r.payable())
	case 1:
		a, b := r.payable(), r.payable()
		if a.Compare(b) > 0 {
			a, b = b, a
		}
		if r.Chance(15) {
			b = a
		}
		return RangeOf(a, b, currency)
	}
	var elements []amount.Amount
	for len(elements) == 0 || r.More(len(elements), 5, 70) {
		elements = append(elements, r.payable())
	}
	return SequenceOf(elements)
}

// RangeOf is a range of amounts that are in order and fit its grid.
func RangeOf(from, to amount.Amount, currency string) amount.Choice {
	s, err := amount.Range(from, to, currency)
	if err != nil {
		panic(err)
	}
	return s
}

// SequenceOf is a sequence of amounts, one at least.
func SequenceOf(elements []amount.Amount) amount.Choice {
	s, err := amount.Sequence(elements)
	if err != nil {
		panic(err)
	}
	return s
}

// GridScale is the number of decimals that the draws of a range have.
func GridScale(from, to amount.Amount, currency string) int {
	digits, _ := amount.MinorUnits(currency)
	return max(digits, from.Reduce().Scale(), to.Reduce().Scale())
}

// A RangeRun is a number of charges of one range.
type RangeRun struct {
	From, To amount.Amount
	Currency string
	N        uint64
}

// Choice returns the range.
func (r RangeRun) Choice() amount.Choice { return RangeOf(r.From, r.To, r.Currency) }

// Minor is coef units of 10^-scale.
func Minor(coef int64, scale int) amount.Amount {
	a, err := amount.FromMinor(coef, scale)
	if err != nil {
		panic(err) // generators make what fits
	}
	return a
}

// A QuantileCase is the charges of a total, of which there are fewer than 2^63 outcomes, and the
// quantiles to compute.
type QuantileCase struct {
	Runs     []RangeRun
	Percents []string
}

// Quantiles draws totals of few and of many charges, of one grid and of several, some of too many sums to compute their
// distribution, with percentages at the ends, in the middle, that are met exactly, and far out.
func Quantiles(r Chooser) QuantileCase {
	c := QuantileCase{Percents: []string{"0", "100", "50"}}
	for range r.Times(1, 3) {
		c.Percents = append(c.Percents, Pick(r, "5", "25", "75", "95", "0.01", "99.99", "97.5",
			Minor(int64(r.In(1, 99_99)), 2).String()))
	}
	if r.In(1, 8) == 8 {
		return r.wideQuantileCase(c)
	}
	outcomes, sums := uint64(1), uint64(1)
	for range r.Times(1, 4) {
		run := RangeRun{From: Minor(int64(r.In(1, 500)), Pick(r, 0, 1, 2, 2, 2, 3)).Reduce(), Currency: Pick(r, "EUR", "EUR", "EUR", "JPY", "KWD")}
		values := uint64(Pick(r, 1, 2, 2, 3, r.In(2, 10), r.In(2, 60)))
		scale := GridScale(run.From, run.From, run.Currency)
		units := run.From.Coefficient()
		for range scale - run.From.Scale() {
			units *= 10
		}
		run.To = Minor(units+int64(values)-1, scale)
		for wanted := uint64(Pick(r, 1, r.In(1, 4), r.In(1, 60))); run.N < wanted; run.N++ {
			if outcomes > 1<<62/values || sums*(values-1) > 4000 {
				break
			}
			outcomes, sums = outcomes*values, sums+values
		}
		if run.N > 0 {
			c.Runs = append(c.Runs, run)
		}
	}
	return c
}

// wideQuantileCase adds up to three charges of ranges so wide that their sums are about as many as a
// distribution is computed for, or more.
func (r Chooser) wideQuantileCase(c QuantileCase) QuantileCase {
	for left := uint64(r.In(1, 3)); left > 0; {
		values := Pick(r, r.In(200_000, 300_000), 262_145, 262_146, 524_289, r.In(2, 1000))
		run := RangeRun{From: Minor(100, 2), To: Minor(int64(99+values), 2), Currency: "EUR", N: uint64(r.In(1, int(left)))}
		c.Runs, left = append(c.Runs, run), left-run.N
	}
	if r.In(1, 4) == 4 { // a grid of its own
		c.Runs = append(c.Runs, RangeRun{From: Minor(1000, 3), To: Minor(1000+int64(r.In(1, 9)), 3), Currency: "KWD", N: 1})
	}
	return c
}
