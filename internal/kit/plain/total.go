package plain

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/oracle"
)

// A Total is what a run of charges comes to.
type Total struct {
	Charges        uint64
	Min, Max, Mean string
}

// TotalOf is a total of the library.
func TotalOf(t amount.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), string(t.AppendMean(nil))}
}

// TotalFromOracle is a total of the oracle.
func TotalFromOracle(t *oracle.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), t.Mean()}
}

// TotalByLoop adds charge after charge, n of them from the repeat number first on.
func TotalByLoop(s amount.Choice, first, n uint64) Total {
	var t oracle.Total
	for i := range n {
		low, high := BoundsByWalk(s, first+i)
		t.Add(DecimalOf(low), DecimalOf(high))
	}
	return TotalFromOracle(&t)
}

// BoundsByWalk are the bounds of the element that the oracle walks to.
func BoundsByWalk(s amount.Choice, repeat uint64) (min, max amount.Amount) {
	return s.Bounds(oracle.Element(s.Len(), repeat))
}

// DecimalOf is an amount as the oracle has it.
func DecimalOf(a amount.Amount) *oracle.Decimal {
	d := oracle.DecimalOf(a.Coefficient(), a.Scale())
	return &d
}

// String is the total in words: 3 charges, 10 to 20, mean 15.
func (t Total) String() string {
	text := strconv.FormatUint(t.Charges, 10) + " charges, "
	if t.Min == t.Max && t.Min == t.Mean {
		return text + t.Min
	}
	return text + t.Min + " to " + t.Max + ", mean " + t.Mean
}

// Reduced is the total by value: texts of unequal scale may be equal.
func (t Total) Reduced() Total {
	value := func(text string) string {
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text
	}
	return Total{t.Charges, value(t.Min), value(t.Max), value(t.Mean)}
}
