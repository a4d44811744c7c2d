package pages

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/record"
)

// A dayPage is the charges of one day.
type dayPage struct {
	Day, Before, After string
	Charges            []charge
	Sums               []daySum
	HasMore            bool
	IsLater            bool // the clock has not come to it: its sums are a forecast
}

// A daySum is what was charged on a day in a currency, declined, or is expected.
type daySum struct {
	Currency, Outcome, Sum string
	Count                  uint64
}

// day shows the day of the query, or today.
func (v *visit) day() (any, error) {
	day := cmp.Or(v.query.Get("on"), v.now)
	d, err := calendar.Parse(day)
	if err != nil {
		return nil, &problem{Status: http.StatusBadRequest, Title: "the value is not a date", Detail: "follow a link of the calendar"}
	}
	p := dayPage{Day: day}
	if d != calendar.First() {
		p.Before = d.AddDays(-1).String()
	}
	if d != calendar.Last() {
		p.After = d.AddDays(1).String()
	}
	var list struct {
		Charges []charge
		Cursor  string
	}
	if err := v.get("charges?limit=1000&from="+day+"&until="+day, &list); err != nil {
		return nil, err
	}
	p.Charges, p.HasMore = list.Charges, list.Cursor != ""
	sums := map[daySum]*amount.Sum{}
	counts := map[daySum]uint64{}
	for _, c := range list.Charges {
		key := daySum{Currency: c.Currency, Outcome: c.Outcome}
		if sums[key] == nil {
			sums[key] = new(amount.Sum)
		}
		if a, err := amount.Parse(c.Amount); err == nil {
			sums[key].Add(a)
		}
		counts[key]++
	}
	for key, sum := range sums {
		p.Sums = append(p.Sums, daySum{key.Currency, key.Outcome, sum.String(), counts[key]})
	}
	if err := v.expect(&p, d); err != nil {
		return nil, err
	}
	slices.SortFunc(p.Sums, func(a, b daySum) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Outcome, b.Outcome))
	})
	return p, nil
}

// foreseen is how many days ahead of the clock a day shows its forecast.
const foreseen = 36525

// expect adds the sums that are forecast for a day to come.
func (v *visit) expect(p *dayPage, d calendar.Date) error {
	now, err := calendar.Parse(v.now)
	if err != nil || !now.Before(d) || d.Sub(now) > foreseen {
		return err
	}
	p.IsLater = true
	all := years{}
	err = v.addTotals(all, "forecast?by=day&from="+p.Day+"&until="+p.Day, d, d, func(t *record.Total, day *dayTally) { day.forecast = t.Total })
	for currency, days := range all {
		t := viewOf(days[d].forecast)
		p.Sums = append(p.Sums, daySum{currency, string(kindExpected), t.Sum, days[d].forecast.Charges})
	}
	return err
}
