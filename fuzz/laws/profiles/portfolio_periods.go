package profiles

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// periodsOfDays adds up the days of each period, and the profiles of each month.
func periodsOfDays(t laws.T, b gen.BookCase, impl subject.Impl) {
	whole := wholeBook(b, t, impl)
	days := whole.Totals(engine.ByDay)
	for _, by := range [...]engine.By{engine.ByWeek, engine.ByMonth, engine.ByQuarter, engine.ByWeekday} {
		inPeriods := addedUp(days, func(day string) string { return subject.PeriodByClock(calendar.MustParse(day), by) })
		if !sameBookTotals(t, "by "+by.String(), whole.Totals(by), inPeriods) {
			return
		}
	}
	var each []subject.BookTotal
	for i := range b.Jobs {
		one := b
		one.Jobs, one.Charges = b.Jobs[i:i+1], nil
		each = append(each, wholeBook(one, t, impl).Totals(engine.ByMonth)...)
	}
	rest := b
	rest.Jobs = nil
	each = append(each, wholeBook(rest, t, impl).Totals(engine.ByMonth)...)
	sameBookTotals(t, "profile by profile", whole.Totals(engine.ByMonth), addedUp(each, func(month string) string { return month }))
}

// addedUp are totals added up by period and currency.
func addedUp(list []subject.BookTotal, period func(value string) string) []subject.BookTotal {
	cells := map[[2]string]subject.BookTotal{}
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
	slices.SortFunc(sums, subject.InOrderOfPeriod)
	return sums
}

func bothOf(a, b subject.Total) subject.Total {
	low, high := ratText(a.Min), ratText(a.Max)
	low.Add(low, ratText(b.Min))
	high.Add(high, ratText(b.Max))
	mean := new(big.Rat).Add(low, high)
	mean.Quo(mean, big.NewRat(2, 1))
	lowScale, highScale := max(scaleOf(a.Min), scaleOf(b.Min)), max(scaleOf(a.Max), scaleOf(b.Max))
	return subject.Total{
		Charges: a.Charges + b.Charges, Min: low.FloatString(lowScale), Max: high.FloatString(highScale),
		Mean: subject.Shortest(mean, max(lowScale, highScale)), Variance: new(big.Rat).Add(a.Variance, b.Variance),
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
	slices.SortFunc(list, subject.InOrderOfDraws)
	return list
}

// scaleOf is how many digits follow the point.
func scaleOf(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}
