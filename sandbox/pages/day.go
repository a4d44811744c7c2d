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
	if d != calendar.MinDate() {
		p.Before = d.AddDays(-1).String()
	}
	if d != calendar.MaxDate() {
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
	if err := v.addSums(&p, d); err != nil {
		return nil, err
	}
	slices.SortFunc(p.Sums, func(a, b daySum) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Outcome, b.Outcome))
	})
	return p, nil
}

// foreseen is how many days ahead of the clock a day shows its forecast.
const foreseen = 36525

// addSums adds the sums of a day: of one to come, what is forecast.
func (v *visit) addSums(p *dayPage, d calendar.Date) error {
	now, err := calendar.Parse(v.now)
	if err != nil {
		return err
	}
	path := "totals?by=day&until=" + p.Day
	if now.Before(d) {
		if p.IsLater = d.Sub(now) <= foreseen; !p.IsLater {
			return nil
		}
		path = "forecast?by=day&from=" + p.Day + "&until=" + p.Day
	}
	add := func(currency string, kind rowKind, t *amount.Total) {
		if t.Charges > 0 {
			p.Sums = append(p.Sums, daySum{currency, string(kind), viewOf(*t).Sum, t.Charges})
		}
	}
	return v.addTotals(years{}, path, d, d, func(t *record.Total, _ *dayTally) {
		if p.IsLater {
			add(t.Currency, kindExpected, &t.Total)
			return
		}
		add(t.Currency, kindApproved, &t.Total)
		add(t.Currency, kindDeclined, &t.Declined)
	})
}
