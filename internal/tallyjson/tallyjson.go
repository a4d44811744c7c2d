// Package tallyjson is the JSON form of totals:
//
//	{"charges":3,"min":"3.00","max":"6.00","mean":"4.50","draws":[{"values":101,"scale":2,"charges":3}]}
//
// with "declined" and "card_expired" where there are such charges.
package tallyjson

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
)

// A Tally is an [amount.Tally] as it is written, for a [strictjson.Form].
type Tally struct {
	Total
	Declined    *Total `json:"declined,omitzero"`
	CardExpired *Total `json:"card_expired,omitzero"`
}

// A Total is an [amount.Total] as it is written.
type Total struct {
	Charges uint64         `json:"charges" strict:"required"`
	Min     amount.Sum     `json:"min" strict:"required,code=amount-syntax"`
	Max     amount.Sum     `json:"max" strict:"required,code=amount-syntax"`
	Mean    string         `json:"mean,omitzero"`
	Draws   []amount.Draws `json:"draws,omitzero"` // in order of Scale, then Values
}

// Of returns the form of a tally.
func Of(t *amount.Tally) Tally {
	out := Tally{Total: OfTotal(&t.Total)}
	if !t.Declined.IsZero() {
		out.Declined = new(OfTotal(&t.Declined))
	}
	if !t.CardExpired.IsZero() {
		out.CardExpired = new(OfTotal(&t.CardExpired))
	}
	return out
}

// OfTotal returns the form of a total.
func OfTotal(t *amount.Total) Total {
	return Total{t.Charges, t.Min, t.Max, string(t.AppendMean(nil)), t.Draws()}
}

// Read returns the tally, or the name of the member that no charges can have: "charges" for the approved
// ones, "declined" or "card_expired". The mean may be left out.
func (t *Tally) Read() (tally amount.Tally, wrong string) {
	approved, ok := t.Total.read()
	if !ok {
		return tally, "charges"
	}
	tally.Total = approved
	if t.Declined != nil {
		if tally.Declined, ok = t.Declined.read(); !ok || tally.Declined.IsZero() {
			return amount.Tally{}, "declined"
		}
	}
	if t.CardExpired != nil {
		if tally.CardExpired, ok = t.CardExpired.read(); !ok || tally.CardExpired.IsZero() || tally.CardExpired.Charges > approved.Charges {
			return amount.Tally{}, "card_expired"
		}
	}
	return tally, ""
}

// read returns the total, and whether charges can have it.
func (t *Total) read() (total amount.Total, ok bool) {
	total = amount.Total{Charges: t.Charges, Min: t.Min, Max: t.Max}
	largest, _ := amount.FromMinor(1<<63-1, 0)
	var most amount.Sum
	most.AddTimes(largest, t.Charges)
	switch {
	case t.Min.Compare(t.Max) > 0, t.Max.Compare(most) > 0, t.Charges == 0 && total.Max != amount.Sum{}, t.Charges == 0 && total.Min != amount.Sum{}:
		return total, false
	case t.Mean != "" && t.Mean != string(total.AppendMean(nil)):
		return total, false
	}
	if len(t.Draws) == 0 {
		return total, true
	}
	var drawn uint64
	for _, d := range t.Draws {
		if d.Charges > t.Charges-drawn {
			return total, false
		}
		drawn += d.Charges
	}
	total.AddDraws(t.Draws...)
	_, err := total.Quantiles() // fails unless the draws make up the difference of the sums
	return total, err == nil && slices.Equal(total.Draws(), t.Draws)
}
