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
	c := AmountCase{Currency: r.currency(), Seed: r.Uint64(), Profile: Pick(r, "", "a", "b", "order-1", "order-2")}
	for len(c.List) == 0 || r.more(len(c.List), 8, 80) {
		c.List = append(c.List, r.amount())
	}
	c.Choice = r.choice(r.Below(3), c.Currency)
	c.First, c.N, c.Repeat = uint64(r.In(0, 12)), uint64(r.In(0, 30)), uint64(Pick(r, 0, 1, 2, r.In(0, 100), math.MaxInt))
	return c
}

func (r Chooser) currency() string {
	return Pick(r, "EUR", "EUR", "USD", "JPY", "KWD", "CLF", "QQQ")
}

// amount is above zero and of at most 10 characters, as in the payload, but for a few at
// the limits of the type.
func (r Chooser) amount() amount.Amount {
	switch r.weigh(60, 25, 10, 5) {
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
	return Minor(int64(r.In(1, 99_999)), Pick(r, 0, 1, 2, 2, 2, 3))
}

// choice is fixed, a range or a sequence, by the order of the must-hit classes.
func (r Chooser) choice(mode int, currency string) amount.Choice {
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
		s, err := amount.Range(a, b, currency)
		if err != nil {
			panic(err)
		}
		return s
	}
	var elements []amount.Amount
	for len(elements) == 0 || r.more(len(elements), 5, 70) {
		elements = append(elements, r.payable())
	}
	return SequenceOf(elements)
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
