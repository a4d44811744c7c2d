package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A dayPage is the charges of one day.
type dayPage struct {
	Day, Before, After string
	Charges            []charge
	Sums               []daySum
	HasMore            bool
	IsLater            bool // the clock has not come to it
}

// A daySum is what was charged on a day in a currency, or declined.
type daySum struct {
	Currency, Outcome string
	Sum               amount.Sum
	Count             uint64
}

// shownOfDay is how many of its charges a day shows.
const shownOfDay = 1000

// day shows the day of the query, or today.
func (v *pageRequest) day() (any, error) {
	day := cmp.Or(v.query.Get("on"), v.now)
	d, err := calendar.Parse(day)
	if err != nil {
		return nil, &problem{Status: http.StatusBadRequest, Title: "the value is not a date", Detail: "follow a link to a day"}
	}
	p := dayPage{Day: day, IsLater: v.now < day}
	if d != calendar.MinDate() {
		p.Before = d.AddDays(-1).String()
	}
	if d != calendar.MaxDate() {
		p.After = d.AddDays(1).String()
	}
	for cursor := ""; !p.IsLater; {
		var list struct {
			Charges []charge
			Cursor  string
		}
		if err := v.get("charges?limit=1000&from="+day+"&until="+day+cursor, &list); err != nil {
			return nil, err
		}
		for i := range list.Charges {
			if err := p.add(&list.Charges[i]); err != nil {
				return nil, err
			}
		}
		if room := shownOfDay - len(p.Charges); room > 0 {
			p.Charges = append(p.Charges, list.Charges[:min(room, len(list.Charges))]...)
		}
		if list.Cursor == "" {
			break
		}
		p.HasMore, cursor = true, "&cursor="+url.QueryEscape(list.Cursor)
	}
	slices.SortFunc(p.Sums, func(a, b daySum) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Outcome, b.Outcome))
	})
	return p, nil
}

// add adds a charge to the sum of its currency and outcome.
func (p *dayPage) add(c *charge) error {
	a, err := amount.Parse(c.Amount)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(p.Sums, func(s daySum) bool { return s.Currency == c.Currency && s.Outcome == c.Outcome })
	if at < 0 {
		at = len(p.Sums)
		p.Sums = append(p.Sums, daySum{Currency: c.Currency, Outcome: c.Outcome})
	}
	p.Sums[at].Count++
	p.Sums[at].Sum.Add(a)
	return nil
}
