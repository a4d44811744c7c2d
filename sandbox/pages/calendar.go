package pages

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/record"
)

// A calendarPage is a year: what was charged up to the day of the clock, and what is forecast after
// it.
type calendarPage struct {
	Year           int
	Before, Behind int // the years around it; 0 for none
	Month          string
	MonthName      string
	Currencies     []currencyYear
	Now            string
}

// A currencyYear is what is charged in a currency in the course of a year.
type currencyYear struct {
	Currency string
	Weeks    []heatLabel
	Cells    []heatCell
	Most     string // the most money of a day
	Months   []periodRow
	Days     []periodRow // of the month that was chosen
}

// A heatCell is a day of a heat map.
type heatCell struct {
	X, Y    int
	Level   int // the shade, from 0 for none to 4
	IsToday bool
	Title   string
}

// A heatLabel names a month above its first week.
type heatLabel struct {
	X    int
	Text string
}

// A periodRow is a day or a month.
type periodRow struct {
	Name, Link                  string
	Charged, Declined, Forecast tallyView
}

// A tallyView is a number of charges and their sum, as texts; empty for none.
type tallyView struct{ Count, Sum string }

// A dayTally is what is charged on a day in one currency.
type dayTally struct {
	charged, declined, forecast amount.Total
}

// total is the money that came or is expected.
func (d *dayTally) total() amount.Sum {
	s := d.charged.Max
	s.AddSum(d.forecast.Max)
	return s
}

// years maps currencies to their days.
type years map[string]map[calendar.Date]*dayTally

func (y years) at(currency string, d calendar.Date) *dayTally {
	if y[currency] == nil {
		y[currency] = map[calendar.Date]*dayTally{}
	}
	if y[currency][d] == nil {
		y[currency][d] = new(dayTally)
	}
	return y[currency][d]
}

func (v *visit) calendar() (any, error) {
	now, err := calendar.Parse(v.now)
	if err != nil {
		return nil, err
	}
	year, month, _ := now.Date()
	if chosen, err := calendar.Parse(v.query.Get("month") + "-01"); err == nil {
		year, month, _ = chosen.Date()
	}
	first, err := calendar.New(year, time.January, 1)
	if err != nil {
		return nil, err
	}
	last, err := calendar.New(year, time.December, 31)
	if err != nil {
		return nil, err
	}
	all := years{}
	if err := v.addTotals(all, "totals?by=day", first, last, func(t *record.Total, d *dayTally) {
		d.charged, d.declined = t.Total, t.Declined
	}); err != nil {
		return nil, err
	}
	if !last.Before(now) {
		from := first
		if from.Before(now) {
			from = now
		}
		if err := v.addTotals(all, "forecast?by=day&from="+from.String()+"&until="+last.String(), first, last, func(t *record.Total, d *dayTally) {
			d.forecast = t.Total
		}); err != nil {
			return nil, err
		}
	}
	p := calendarPage{Year: year, Month: monthOf(year, month), MonthName: month.String() + " " + strconv.Itoa(year), Now: v.now}
	if year > 1 {
		p.Before = year - 1
	}
	if year < 9999 {
		p.Behind = year + 1
	}
	for _, currency := range slices.Sorted(maps.Keys(all)) {
		p.Currencies = append(p.Currencies, currencyYearOf(currency, all[currency], first, last, now, month))
	}
	return p, nil
}

func monthOf(year int, month time.Month) string {
	d, err := calendar.New(year, month, 1)
	if err != nil {
		return ""
	}
	return d.String()[:len("2006-01")]
}

// addTotals reads totals by day, and keeps those between two days.
func (v *visit) addTotals(all years, path string, first, last calendar.Date, keep func(*record.Total, *dayTally)) error {
	text, err := v.ask("GET", path, nil)
	if err != nil {
		return err
	}
	var document struct{ Totals []json.RawMessage }
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	for _, line := range document.Totals {
		r, err := record.Parse(line)
		if err != nil {
			return err
		}
		t, ok := r.(record.Total)
		if !ok {
			continue
		}
		d, err := calendar.Parse(t.Value)
		if err != nil {
			return err
		}
		if !d.Before(first) && !d.After(last) {
			keep(&t, all.at(t.Currency, d))
		}
	}
	return nil
}

// Sizes of a heat map.
const (
	cellSize = 13
	heatTop  = 16
)

func currencyYearOf(currency string, days map[calendar.Date]*dayTally, first, last, now calendar.Date, chosen time.Month) currencyYear {
	c := currencyYear{Currency: currency}
	var most amount.Sum
	for _, d := range days {
		if s := d.total(); most.Compare(s) < 0 {
			most = s
		}
	}
	c.Most = most.String()
	monday := (int(first.Weekday()) + 6) % 7 // days since the last Monday
	var months [13]dayTally
	for i := 0; i <= last.Sub(first); i++ {
		d := first.AddDays(i)
		_, month, day := d.Date()
		x, y := (i+monday)/7*cellSize, (i+monday)%7*cellSize+heatTop
		if day == 1 {
			c.Weeks = append(c.Weeks, heatLabel{x, month.String()[:3]})
		}
		cell := heatCell{X: x, Y: y, IsToday: d == now, Title: d.String() + ": nothing"}
		if t := days[d]; t != nil {
			cell.Level = level(t.total(), most)
			row := rowOf(d.String(), t)
			cell.Title = row.text(currency)
			months[month].add(t)
			if month == chosen {
				row.Link = prefix + "day?on=" + row.Name
				c.Days = append(c.Days, row)
			}
		}
		c.Cells = append(c.Cells, cell)
	}
	year, _, _ := first.Date()
	for m := time.January; m <= time.December; m++ {
		row := rowOf(monthOf(year, m), &months[m])
		row.Link = prefix + "calendar?month=" + row.Name
		c.Months = append(c.Months, row)
	}
	return c
}

func (d *dayTally) add(o *dayTally) {
	d.charged.Merge(o.charged)
	d.declined.Merge(o.declined)
	d.forecast.Merge(o.forecast)
}

func rowOf(name string, d *dayTally) periodRow {
	return periodRow{Name: name, Charged: viewOf(d.charged), Declined: viewOf(d.declined), Forecast: viewOf(d.forecast)}
}

func viewOf(s amount.Total) tallyView {
	switch {
	case s.Charges == 0:
		return tallyView{}
	case s.Min.Compare(s.Max) == 0:
		return tallyView{strconv.FormatUint(s.Charges, 10), s.Min.String()}
	}
	return tallyView{strconv.FormatUint(s.Charges, 10), s.Min.String() + " to " + s.Max.String()}
}

// text says what happens on a day.
func (r *periodRow) text(currency string) string {
	var text strings.Builder
	text.WriteString(r.Name)
	separator := ": "
	for _, part := range [...]struct {
		name string
		t    tallyView
	}{{"charged", r.Charged}, {"declined", r.Declined}, {"forecast", r.Forecast}} {
		if part.t.Count != "" {
			text.WriteString(separator + part.name + " " + part.t.Count + ", " + part.t.Sum + " " + currency)
			separator = "; "
		}
	}
	return text.String()
}

// heatLevels are the shades of a heat map above none.
const heatLevels = 4

// level is which quarter of the most a sum reaches, from 1 to heatLevels; 0 for nothing.
func level(s, most amount.Sum) int {
	if s.IsZero() {
		return 0
	}
	var fourfold amount.Sum
	for range heatLevels {
		fourfold.AddSum(s)
	}
	var bound amount.Sum
	for n := 1; n < heatLevels; n++ {
		bound.AddSum(most)
		if fourfold.Compare(bound) <= 0 {
			return n
		}
	}
	return heatLevels
}
