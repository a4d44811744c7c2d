package main

import (
	"fmt"

	"github.com/chargecast/chargecast/amount"
)

// quantileProfiles is how many profiles the sides of the last rows of P12 ask for.
const quantileProfiles = 4

// quantilePercents are the quantiles that both sides compute.
func quantilePercents() []amount.Percent {
	var list []amount.Percent
	for _, text := range []string{"5", "50", "95"} {
		p, err := amount.ParsePercent(text)
		if err != nil {
			panic(err)
		}
		list = append(list, p)
	}
	return list
}

// quantileWidths are how many values the ranges have from 1.00 on: up to a number of minor units,
// or to the amounts of W2 if that is 0.
func quantileWidths(to int64) []int64 {
	var list []int64
	for i := range uint64(quantileProfiles) {
		high := to
		if high == 0 {
			high = portfolioProfile(i).minor
		}
		list = append(list, high-drawFrom+1)
	}
	return list
}

// oursQuantiles adds up the quantiles, in minor units above the least sum.
func oursQuantiles(widths []int64) (side, error) {
	var list []amount.Draws
	for _, w := range widths {
		from, _ := amount.FromMinor(drawFrom, 2)
		to, err := amount.FromMinor(drawFrom+w-1, 2)
		if err != nil {
			return side{}, err
		}
		r, err := amount.Range(from, to, "EUR")
		if err != nil {
			return side{}, err
		}
		var d amount.Draws
		d.Add(r, drawCharges)
		list = append(list, d)
	}
	percents := quantilePercents()
	return side{len(widths), func() (sum uint64) {
		for i := range list {
			for _, q := range list[i].Quantiles(amount.Sum{}, percents...) {
				sum += uint64(q.Low.Decimal().CoefficientInt64())
			}
		}
		return sum
	}}, nil
}

// windowQuantiles does the same by a convolution in floating point, which slides a window over the
// sums of one draw fewer.
func windowQuantiles(widths []int64) side {
	return side{len(widths), func() (sum uint64) {
		for _, w := range widths {
			have := []float64{1}
			for range drawCharges {
				have = slide(have, int(w))
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
func readyQuantiles(to int64) func() (contest, error) {
	return func() (contest, error) {
		widths := quantileWidths(to)
		ours, err := oursQuantiles(widths)
		if err != nil {
			return contest{}, err
		}
		c := contest{ours: ours, theirs: windowQuantiles(widths)}
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
