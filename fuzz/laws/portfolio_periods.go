package laws

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// periodsOfDays adds up the days of each period of one kind, and the profiles of each month.
func periodsOfDays(t *T, b gen.BookCase) {
	whole := wholeBook(b, t)
	days := whole.Totals(engine.ByDay)
	by := [...]engine.By{engine.ByWeek, engine.ByMonth, engine.ByQuarter, engine.ByWeekday}[b.Seed%4]
	inPeriods := addedUp(days, func(day string) string { return PeriodByClock(calendar.MustParse(day), by) })
	if !sameBookTotals(t, "by "+by.String(), whole.Totals(by), inPeriods) {
		return
	}
	var each []BookTotal
	for i := range b.Jobs {
		one := b
		one.Jobs, one.Charges = b.Jobs[i:i+1], nil
		each = append(each, wholeBook(one, t).Totals(engine.ByMonth)...)
	}
	rest := b
	rest.Jobs = nil
	each = append(each, wholeBook(rest, t).Totals(engine.ByMonth)...)
	sameBookTotals(t, "profile by profile", whole.Totals(engine.ByMonth), addedUp(each, func(month string) string { return month }))
}

// A sum is a total as numbers, so that the texts of a total are read once.
type sum struct {
	charges             uint64
	low, high           *big.Int // in units of the smallest decimal of an amount
	lowScale, highScale int
}

func sumOf(t Total) sum {
	return sum{t.Charges, atomsOf(t.Min), atomsOf(t.Max), scaleOf(t.Min), scaleOf(t.Max)}
}

// atomsOf is a decimal number without its point, written to the most decimals of an amount.
func atomsOf(text string) *big.Int {
	whole, fraction, _ := strings.Cut(text, ".")
	n, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", max(amount.MaxScale-len(fraction), 0)), 10)
	if !ok || len(fraction) > amount.MaxScale {
		panic("a total that is no number of at most " + strconv.Itoa(amount.MaxScale) + " decimals")
	}
	return n
}

// add adds another sum to this one.
func (s *sum) add(o *sum) {
	s.charges += o.charges
	s.low.Add(s.low, o.low)
	s.high.Add(s.high, o.high)
	s.lowScale, s.highScale = max(s.lowScale, o.lowScale), max(s.highScale, o.highScale)
}

func (s *sum) total() Total {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(amount.MaxScale), nil)
	low, high := new(big.Rat).SetFrac(s.low, unit), new(big.Rat).SetFrac(s.high, unit)
	mean := new(big.Rat).Add(low, high)
	mean.Quo(mean, big.NewRat(2, 1))
	return Total{
		Charges: s.charges, Min: low.FloatString(s.lowScale), Max: high.FloatString(s.highScale),
		Mean: Shortest(mean, max(s.lowScale, s.highScale)),
	}
}

// A bookSum is a total of a book as numbers.
type bookSum struct {
	of   BookTotal // its value, currency and draws
	sums [3]sum    // approved, expired, declined
}

func bookSumOf(t BookTotal) bookSum {
	return bookSum{of: t, sums: [3]sum{sumOf(t.Approved), sumOf(t.Expired), sumOf(t.Declined)}}
}

// addedUp are totals added up by period and currency.
func addedUp(list []BookTotal, period func(value string) string) []BookTotal {
	cells := map[[2]string]*bookSum{}
	for _, total := range list {
		one := bookSumOf(total)
		at := [2]string{period(total.Value), total.Currency}
		all := cells[at]
		if all == nil {
			one.of.Value = at[0]
			cells[at] = &one
			continue
		}
		for i := range all.sums {
			all.sums[i].add(&one.sums[i])
		}
		all.of.Draws = bothDraws(all.of.Draws, total.Draws)
	}
	var sums []BookTotal
	for _, all := range cells {
		t := all.of
		t.Approved, t.Expired, t.Declined = all.sums[0].total(), all.sums[1].total(), all.sums[2].total()
		sums = append(sums, t)
	}
	slices.SortFunc(sums, InOrderOfPeriod)
	return sums
}

func bothDraws(a, b []Draws) []Draws {
	list := slices.Clone(a)
	for _, d := range b {
		i := slices.IndexFunc(list, func(o Draws) bool { return InOrderOfDraws(o, d) == 0 })
		if i < 0 {
			list = append(list, d)
			continue
		}
		list[i].Charges += d.Charges
	}
	slices.SortFunc(list, InOrderOfDraws)
	return list
}

// scaleOf is how many digits follow the point.
func scaleOf(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}
