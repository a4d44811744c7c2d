package fuzz

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// periodsOfDays adds up the days of each period, and the profiles of each month.
func periodsOfDays(t T, b BookCase, impl Impl) {
	whole := b.whole(t, impl)
	days := whole.Totals(engine.ByDay)
	for _, by := range [...]engine.By{engine.ByWeek, engine.ByMonth, engine.ByQuarter, engine.ByWeekday} {
		inPeriods := addedUp(days, func(day string) string { return periodByClock(calendar.MustParse(day), by) })
		if !sameBookTotals(t, "by "+by.String(), whole.Totals(by), inPeriods) {
			return
		}
	}
	var each []BookTotal
	for i := range b.Jobs {
		one := b
		one.Jobs, one.Charges = b.Jobs[i:i+1], nil
		each = append(each, one.whole(t, impl).Totals(engine.ByMonth)...)
	}
	rest := b
	rest.Jobs = nil
	each = append(each, rest.whole(t, impl).Totals(engine.ByMonth)...)
	sameBookTotals(t, "profile by profile", whole.Totals(engine.ByMonth), addedUp(each, func(month string) string { return month }))
}

// addedUp are totals added up by period and currency.
func addedUp(list []BookTotal, period func(value string) string) []BookTotal {
	cells := map[[2]string]BookTotal{}
	for _, total := range list {
		at := [2]string{period(total.Value), total.Currency}
		sum, found := cells[at]
		if total.Value = at[0]; found {
			sum.Approved, sum.Expired, sum.Declined = bothOf(sum.Approved, total.Approved), bothOf(sum.Expired, total.Expired), bothOf(sum.Declined, total.Declined)
			sum.Draws = bothDraws(sum.Draws, total.Draws)
			total = sum
		}
		cells[at] = total
	}
	sums := slices.Collect(maps.Values(cells))
	slices.SortFunc(sums, inOrderOfPeriod)
	return sums
}

func bothOf(a, b Total) Total {
	low, high := ratText(a.Min), ratText(a.Max)
	low.Add(low, ratText(b.Min))
	high.Add(high, ratText(b.Max))
	mean := new(big.Rat).Add(low, high)
	mean.Quo(mean, big.NewRat(2, 1))
	lowScale, highScale := max(scaleOf(a.Min), scaleOf(b.Min)), max(scaleOf(a.Max), scaleOf(b.Max))
	return Total{
		a.Charges + b.Charges, low.FloatString(lowScale), high.FloatString(highScale),
		shortest(mean, max(lowScale, highScale)), new(big.Rat).Add(a.Variance, b.Variance),
	}
}

func bothDraws(a, b []engine.Draws) []engine.Draws {
	list := slices.Clone(a)
	for _, d := range b {
		i := slices.IndexFunc(list, func(o engine.Draws) bool { return o.Lowest == d.Lowest && o.Values == d.Values })
		if i < 0 {
			list = append(list, d)
			continue
		}
		list[i].Charges += d.Charges
	}
	slices.SortFunc(list, inOrderOfDraws)
	return list
}

// scaleOf is how many digits follow the point.
func scaleOf(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}
