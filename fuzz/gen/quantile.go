package gen

import (
	"iter"
	"slices"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/fuzz/subject"
)

// A QuantileCase is the charges of a total, of which there are fewer than 2^63 outcomes, and the
// quantiles to compute.
type QuantileCase struct {
	Runs     []subject.RangeRun
	Percents []string
}

// Quantiles generates totals of few and of many charges, of one grid and of several, with
// percentages at the ends, in the middle, that are met exactly, and far out.
func Quantiles() gopter.Gen {
	return Generator(Chooser.quantileCase, simplerQuantiles, func(QuantileCase) bool { return true })
}

func (r Chooser) quantileCase() QuantileCase {
	c := QuantileCase{Percents: []string{"0", "100", "50"}}
	for range r.In(1, 3) {
		c.Percents = append(c.Percents, Pick(r, "5", "25", "75", "95", "0.1", "99.9", "0.000000000000000001", "97.5",
			subject.Minor(int64(r.In(1, 9_999_999)), 5).String()))
	}
	outcomes, sums := uint64(1), uint64(1)
	for range r.In(1, 4) {
		run := subject.RangeRun{From: subject.Minor(int64(r.In(1, 500)), Pick(r, 0, 1, 2, 2, 2, 3)).Reduce(), Currency: Pick(r, "EUR", "EUR", "EUR", "JPY", "KWD")}
		values := uint64(Pick(r, 1, 2, 2, 3, r.In(2, 10), r.In(2, 60)))
		scale := GridScale(run.From, run.From, run.Currency)
		units := run.From.Coefficient()
		for range scale - run.From.Scale() {
			units *= 10
		}
		run.To = subject.Minor(units+int64(values)-1, scale)
		for wanted := uint64(Pick(r, 1, r.In(1, 4), r.In(1, 60))); run.N < wanted; run.N++ {
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
