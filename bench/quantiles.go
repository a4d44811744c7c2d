package main

import (
	"errors"
	"fmt"

	"github.com/chargecast/chargecast/amount"
)

// quantileProfiles is how many profiles the sides of the last rows of P12 ask for.
const quantileProfiles = 4

// quantilePercents are the quantiles that both sides compute.
func quantilePercents() []amount.Percent { return []amount.Percent{5, 50, 95} }

// oursQuantiles adds up the quantiles of ranges from 1.00 to so many minor units, in minor units above
// the least sum.
func oursQuantiles(high int64) (side, error) {
	from, _ := amount.FromMinor(drawFrom, 2)
	to, err := amount.FromMinor(high, 2)
	if err != nil {
		return side{}, err
	}
	r, err := amount.Range(from, to, "EUR")
	if err != nil {
		return side{}, err
	}
	var total amount.Total
	total.AddRun(r, 0, drawCharges)
	percents := quantilePercents()
	if _, err := total.Quantiles(percents...); total.Normal() || err != nil {
		return side{}, errors.Join(errors.New("the quantiles are those of a normal approximation"), err)
	}
	least := uint64(total.Min.Decimal().CoefficientInt64())
	return side{quantileProfiles, func() (sum uint64) {
		for range quantileProfiles {
			sums, _ := total.Quantiles(percents...)
			for _, q := range sums {
				sum += uint64(q.Decimal().CoefficientInt64()) - least
			}
		}
		return sum
	}}, nil
}

// windowQuantiles does the same by a convolution in floating point, which slides a window over the
// sums of one draw fewer.
func windowQuantiles(high int64) side {
	return side{quantileProfiles, func() (sum uint64) {
		for range quantileProfiles {
			have := []float64{1}
			for range drawCharges {
				have = slide(have, int(high-drawFrom+1))
			}
			for _, p := range []float64{0.05, 0.5, 0.95} {
				below := 0.0
				for at, chance := range have {
					if below += chance; below >= p {
						sum += uint64(at)
						break
					}
				}
			}
		}
		return sum
	}}
}

// slide returns the chances of the sums with one more draw.
func slide(have []float64, values int) []float64 {
	next := make([]float64, len(have)+values-1)
	window, share := 0.0, 1/float64(values)
	for at := range next {
		if at < len(have) {
			window += have[at]
		}
		if gone := at - values; gone >= 0 {
			window -= have[gone]
		}
		next[at] = window * share
	}
	return next
}

// readyQuantiles compares the sums of the quantiles before the time is taken. Rounding may move a
// quantile of the other side by a unit.
func readyQuantiles(high int64) func() (contest, error) {
	return func() (contest, error) {
		ours, err := oursQuantiles(high)
		if err != nil {
			return contest{}, err
		}
		c := contest{ours: ours, theirs: windowQuantiles(high)}
		c.differ = func() error {
			const most = 3 * quantileProfiles
			a, b := c.ours.run(), c.theirs.run()
			if max(a, b)-min(a, b) > most {
				return fmt.Errorf("the quantiles come to %d and %d", a, b)
			}
			return nil
		}
		return c, nil
	}
}
