package laws

import (
	"math/big"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// A Total is what a run of charges comes to.
type Total struct {
	Charges        uint64
	Min, Max, Mean string
}

// String is the total in words: 3 charges, 10 to 20, mean 15.
func (t Total) String() string {
	text := strconv.FormatUint(t.Charges, 10) + " charges, "
	if t.Min == t.Max && t.Min == t.Mean {
		return text + t.Min
	}
	return text + t.Min + " to " + t.Max + ", mean " + t.Mean
}

// An AmountImpl is the amounts of an implementation.
type AmountImpl struct {
	ParseAmount    func(string) (amount.Amount, error)
	FormatAmount   func(amount.Amount) string
	CompareAmounts func(a, b amount.Amount) int
	Sum            func([]amount.Amount) string
	// Bounds are those of the charge with a repeat number.
	Bounds func(s amount.Choice, repeat uint64) (min, max amount.Amount)
	// Draw is the amount of one charge in a simulation.
	Draw func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount
	// TotalOf is the total of the n charges from a repeat number on.
	TotalOf    func(s amount.Choice, first, n uint64) Total
	MinorUnits func(currency string) (digits int, ok bool)
	// FromDecimal is a value of shopspring/decimal as an amount.
	FromDecimal func(decimal.Decimal) (amount.Amount, error)
}

func ourAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    amount.Parse,
		FormatAmount:   amount.Amount.String,
		CompareAmounts: amount.Amount.Compare,
		Sum: func(list []amount.Amount) string {
			var s amount.Sum
			for _, a := range list {
				s.Add(a)
			}
			return s.String()
		},
		Bounds: func(s amount.Choice, repeat uint64) (min, max amount.Amount) { return s.Bounds(repeat) },
		Draw: func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			return r.Draw(amount.NewSeed(seed, profile), repeat)
		},
		TotalOf: func(s amount.Choice, first, n uint64) Total {
			var t amount.Total
			t.AddRun(s, first, n)
			return TotalFrom(t)
		},
		MinorUnits:  amount.MinorUnits,
		FromDecimal: amount.FromDecimal,
	}
}

// TotalFrom is a total of the library in the words of the kit.
func TotalFrom(t amount.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), string(t.AppendMean(nil))}
}

// EqualTotals compares by value: texts of unequal scale may be equal.
func EqualTotals(a, b Total) bool {
	return a.Charges == b.Charges && equalText(a.Min, b.Min) && equalText(a.Max, b.Max) && equalText(a.Mean, b.Mean)
}

func equalText(a, b string) bool {
	x, ok1 := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return a == b || ok1 && ok2 && x.Cmp(y) == 0
}

// A QuantileImpl knows how totals with random amounts are distributed.
type QuantileImpl struct {
	// Quantiles gives, for each percentage, the least sum that the charges of the runs do not
	// exceed with that probability, less 10^-12; the least and the greatest of all for 0 and 100.
	// normal is true where a normal distribution approximates the probability.
	Quantiles func(runs []gen.RangeRun, percents []string) (sums []string, normal bool)
}

func ourQuantiles() QuantileImpl {
	return QuantileImpl{Quantiles: func(runs []gen.RangeRun, percents []string) (texts []string, normal bool) {
		var total amount.Total
		for _, r := range runs {
			total.AddRun(r.Choice(), 0, r.N)
		}
		var q []amount.Percent
		for _, text := range percents {
			p, err := amount.ParsePercent(text)
			if err != nil {
				return nil, false
			}
			q = append(q, p)
		}
		sums, normal, err := total.Quantiles(q...)
		if err != nil {
			return nil, false
		}
		for _, s := range sums {
			texts = append(texts, s.String())
		}
		return texts, normal
	}}
}
