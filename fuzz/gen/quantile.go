package gen

// A QuantileCase is the charges of a total, of which there are fewer than 2^63 outcomes, and the
// quantiles to compute.
type QuantileCase struct {
	Runs     []RangeRun
	Percents []string
}

// Quantiles draws totals of few and of many charges, of one grid and of several, some of too many sums to compute their
// distribution, with percentages at the ends, in the middle, that are met exactly, and far out.
func Quantiles(r Chooser) QuantileCase {
	c := QuantileCase{Percents: []string{"0", "100", "50"}}
	for range r.times(1, 3) {
		c.Percents = append(c.Percents, Pick(r, "5", "25", "75", "95", "0.01", "99.99", "97.5",
			Minor(int64(r.In(1, 99_99)), 2).String()))
	}
	if r.In(1, 8) == 8 {
		return r.wideQuantileCase(c)
	}
	outcomes, sums := uint64(1), uint64(1)
	for range r.times(1, 4) {
		run := RangeRun{From: Minor(int64(r.In(1, 500)), Pick(r, 0, 1, 2, 2, 2, 3)).Reduce(), Currency: Pick(r, "EUR", "EUR", "EUR", "JPY", "KWD")}
		values := uint64(Pick(r, 1, 2, 2, 3, r.In(2, 10), r.In(2, 60)))
		scale := GridScale(run.From, run.From, run.Currency)
		units := run.From.Coefficient()
		for range scale - run.From.Scale() {
			units *= 10
		}
		run.To = Minor(units+int64(values)-1, scale)
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

// wideQuantileCase adds up to three charges of ranges so wide that their sums are about as many as a
// distribution is computed for, or more.
func (r Chooser) wideQuantileCase(c QuantileCase) QuantileCase {
	for left := uint64(r.In(1, 3)); left > 0; {
		values := Pick(r, r.In(200_000, 300_000), 262_145, 262_146, 524_289, r.In(2, 1000))
		run := RangeRun{From: Minor(100, 2), To: Minor(int64(99+values), 2), Currency: "EUR", N: uint64(r.In(1, int(left)))}
		c.Runs, left = append(c.Runs, run), left-run.N
	}
	if r.In(1, 4) == 4 { // a grid of its own
		c.Runs = append(c.Runs, RangeRun{From: Minor(1000, 3), To: Minor(1000+int64(r.In(1, 9)), 3), Currency: "KWD", N: 1})
	}
	return c
}
