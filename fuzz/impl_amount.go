package fuzz

import (
	"math/big"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
)

// A Total is what a run of charges comes to.
type Total struct {
	Charges        uint64
	Min, Max, Mean string
	Variance       *big.Rat
}

// An AmountImpl is the amounts of an implementation.
type AmountImpl struct {
	ParseAmount    func(string) (amount.Amount, error)
	FormatAmount   func(amount.Amount) string
	CompareAmounts func(a, b amount.Amount) int
	Sum            func([]amount.Amount) string
	// Bounds are those of the charge with a repeat number.
	Bounds func(s amount.Strategy, repeat uint64) (min, max amount.Amount)
	// Draw is the amount of one charge in a simulation.
	Draw func(r amount.Range, seed uint64, profile string, repeat uint64) amount.Amount
	// TotalOf is the total of the n charges from a repeat number on.
	TotalOf    func(s amount.Strategy, first, n uint64) Total
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
		Bounds: func(s amount.Strategy, repeat uint64) (min, max amount.Amount) { return s.Bounds(repeat) },
		Draw: func(r amount.Range, seed uint64, profile string, repeat uint64) amount.Amount {
			return r.Draw(amount.NewSeed(seed, profile), repeat)
		},
		TotalOf: func(s amount.Strategy, first, n uint64) Total {
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
	return Total{t.Charges(), t.Min().String(), t.Max().String(), string(t.AppendMean(nil)), t.Variance()}
}
