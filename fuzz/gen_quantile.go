package fuzz

import (
	"iter"
	"slices"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/amount"
)

// A RangeRun is a number of charges of one range.
type RangeRun struct {
	From, To amount.Amount
	Currency string
	N        uint64
}

// Strategy returns the range.
func (r RangeRun) Strategy() amount.Range {
	s, err := amount.NewRange(r.From, r.To, r.Currency)
	if err != nil {
		panic(err) // generators make what fits
	}
	return s
}

// A QuantileCase is the charges of a total, of which there are fewer than 2^63 outcomes, and the
// quantiles to compute.
type QuantileCase struct {
	Runs     []RangeRun
	Percents []string
}

// Quantiles generates totals of few and of many charges, of one grid and of several, with
// percentages at the ends, in the middle, that are met exactly, and far out.
func Quantiles() gopter.Gen {
	return generator(chooser.quantileCase, simplerQuantiles, func(QuantileCase) bool { return true })
}

func (r chooser) quantileCase() QuantileCase {
	c := QuantileCase{Percents: []string{"0", "100", "50"}}
	for range r.in(1, 3) {
		c.Percents = append(c.Percents, pick(r, "5", "25", "75", "95", "0.1", "99.9", "0.000000000000000001", "97.5",
			minor(int64(r.in(1, 9_999_999)), 5).String()))
	}
	outcomes, sums := uint64(1), uint64(1)
	for range r.in(1, 4) {
		run := RangeRun{From: minor(int64(r.in(1, 500)), pick(r, 0, 1, 2, 2, 2, 3)).Reduce(), Currency: pick(r, "EUR", "EUR", "EUR", "JPY", "KWD")}
		values := uint64(pick(r, 1, 2, 2, 3, r.in(2, 10), r.in(2, 60)))
		scale := gridScale(run.From, run.From, run.Currency)
		units := run.From.Coefficient()
		for range scale - run.From.Scale() {
			units *= 10
		}
		run.To = minor(units+int64(values)-1, scale)
		for wanted := uint64(pick(r, 1, r.in(1, 4), r.in(1, 60))); run.N < wanted; run.N++ {
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

func simplerQuantiles(c QuantileCase) iter.Seq[QuantileCase] {
	return func(yield func(QuantileCase) bool) {
		for i := range c.Runs {
			o := c
			if o.Runs = slices.Delete(slices.Clone(c.Runs), i, i+1); !yield(o) {
				return
			}
			if c.Runs[i].N > 1 {
				o.Runs = slices.Clone(c.Runs)
				if o.Runs[i].N--; !yield(o) {
					return
				}
			}
		}
		for i := range c.Percents {
			o := c
			if o.Percents = slices.Delete(slices.Clone(c.Percents), i, i+1); !yield(o) {
				return
			}
		}
	}
}
