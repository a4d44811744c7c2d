package report

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
)

// heatLevels are the shades of a heat map above none.
const heatLevels = 4

// A heat says how much is charged in each of some equal times: the money if there is one currency,
// the charges if there are several, since currencies are never added up.
type heat struct {
	currency string // empty for charges
	money    []amount.Sum
	most     amount.Sum
	counts   []uint64
	peak     uint64 // the most charges
}

// newHeat compares n times, whose sums at returns.
func newHeat(accounts []*account, n int, at func(a *account, i int) cell) *heat {
	h := &heat{counts: make([]uint64, n), money: make([]amount.Sum, n)}
	if len(accounts) == 1 {
		h.currency = accounts[0].currency
	}
	for _, a := range accounts {
		for i := range n {
			t := at(a, i)
			h.counts[i] += t.Charges
			h.money[i] = t.Max
			h.peak = max(h.peak, h.counts[i])
			if h.most.Compare(t.Max) < 0 {
				h.most = t.Max
			}
		}
	}
	return h
}

// level returns the shade of a time, from 0 for none to heatLevels.
func (h *heat) level(i int) int {
	switch {
	case h.counts[i] == 0:
		return 0
	case h.currency != "":
		return max(1, ceilShare(h.money[i], h.most))
	}
	return int((h.counts[i]*heatLevels + h.peak - 1) / h.peak)
}

// ceilShare returns which quarter of the most a sum reaches, from 1 to heatLevels.
func ceilShare(s, most amount.Sum) int {
	for level := 1; level < heatLevels; level++ {
		var fourfold, bound amount.Sum
		for range heatLevels {
			fourfold.AddSum(s)
		}
		for range level {
			bound.AddSum(most)
		}
		if fourfold.Compare(bound) <= 0 {
			return level
		}
	}
	return heatLevels
}

// top returns the most of all times, in words.
func (h *heat) top() string {
	most := strconv.FormatUint(h.peak, 10) + " charges"
	if h.currency != "" {
		most = h.most.String() + " " + code(h.currency)
	}
	return most
}
