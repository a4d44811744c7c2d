package laws

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/chargecast/chargecast/amount"
)

var amountForm = regexp.MustCompile(`\A[0-9]+(\.[0-9]+)?\z`)

// maxAmountText is the longest text that an implementation has to convert; a longer one
// may be refused unread (A20).
const maxAmountText = 64

// ReferenceAmounts are amounts by expressions, fractions and loops.
func ReferenceAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    parseByExpression,
		FormatAmount:   formatByText,
		CompareAmounts: func(a, b amount.Amount) int { return AtomsOf(a).Cmp(AtomsOf(b)) },
		Sum: func(list []amount.Amount) string {
			sum, scale := new(big.Int), 0
			for _, a := range list {
				sum.Add(sum, AtomsOf(a))
				scale = max(scale, a.Scale())
			}
			return RatOfAtoms(sum).FloatString(scale)
		},
		Bounds:     boundsByWalk,
		Draw:       ourAmounts().Draw, // the mixing is a promise, not a law
		TotalOf:    TotalByLoop,
		MinorUnits: amount.MinorUnits, // the table is data
	}
}

// RatOf is the value of an amount as a fraction.
func RatOf(a amount.Amount) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(a.Scale())), nil)
	return new(big.Rat).SetFrac(big.NewInt(a.Coefficient()), scale)
}

// AtomsOf is an amount in units of 10^-MaxScale, which every amount is a whole number of.
func AtomsOf(a amount.Amount) *big.Int {
	atoms, ten := big.NewInt(a.Coefficient()), int64(1)
	for range amount.MaxScale - a.Scale() {
		ten *= 10
	}
	return atoms.Mul(atoms, big.NewInt(ten))
}

// RatOfAtoms is a number of atoms as a fraction.
func RatOfAtoms(atoms *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(atoms, big.NewInt(1_000_000_000_000_000_000))
}

func parseByExpression(s string) (amount.Amount, error) {
	if len(s) > maxAmountText || !amountForm.MatchString(s) {
		return amount.Amount{}, errReference
	}
	whole, fraction, _ := strings.Cut(s, ".")
	coef, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok || !coef.IsInt64() || len(fraction) > amount.MaxScale {
		return amount.Amount{}, errReference
	}
	return amount.FromMinor(coef.Int64(), len(fraction))
}

func formatByText(a amount.Amount) string { return RatOf(a).FloatString(a.Scale()) }

// boundsByWalk walks down a sequence, one element a repeat, and stays on the last.
func boundsByWalk(s amount.Choice, repeat uint64) (min, max amount.Amount) {
	at := uint64(0)
	for at < repeat && at+1 < uint64(s.Len()) {
		at++
	}
	return s.Bounds(at)
}

// TotalByLoop adds charge after charge.
func TotalByLoop(s amount.Choice, first, n uint64) Total {
	least, most, scale := new(big.Int), new(big.Int), 0
	for i := range n {
		from, to := boundsByWalk(s, first+i)
		least.Add(least, AtomsOf(from))
		most.Add(most, AtomsOf(to))
		scale = max(scale, from.Scale(), to.Scale())
	}
	low, high := RatOfAtoms(least), RatOfAtoms(most)
	mean := new(big.Rat).Add(low, high)
	mean.Quo(mean, big.NewRat(2, 1))
	return Total{n, low.FloatString(scale), high.FloatString(scale), Shortest(mean, scale)}
}

// Shortest writes x with scale decimals, or one more where it needs that.
func Shortest(x *big.Rat, scale int) string {
	text := x.FloatString(scale)
	if exact, _ := new(big.Rat).SetString(text); exact.Cmp(x) == 0 {
		return text
	}
	return x.FloatString(scale + 1)
}
