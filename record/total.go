package record

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/internal/tallyjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Total adds up the charges of one currency on a day, in a month, of a profile and so on.
type Total struct {
	By       engine.By // what it is for; ByCharge is not possible
	Value    string    // "2026-01-31", "2026-W05", "2026-01", "2026-Q1", "monday" or a client-orderid
	File     string    // of a total by profile, where there are several inputs; else empty
	Currency string
	amount.Tally
	// Quantiles are those that Quantify computed, of a total with random amounts; else nil.
	Quantiles []Quantile
	// CardExpires, of a total by profile, is the last day of the card's expiry month; zero means not known.
	CardExpires calendar.Date
	Normal      bool // the quantiles are those of a normal approximation
	Because     ledger.Because
}

// TotalOf returns a total by period.
func TotalOf(by engine.By, t *engine.Total) Total {
	return Total{By: by, Value: by.Value(t.Period), Currency: t.Currency, Tally: t.Tally, Because: t.Because}
}

// Quantify sets the quantiles of a total with random amounts, and removes those of another. The
// percentages must differ. It fails as [amount.Total.Quantiles] does.
func (t *Total) Quantify(percents ...amount.Percent) error {
	t.Quantiles, t.Normal = nil, false
	if t.Min.Compare(t.Max) == 0 {
		return nil
	}
	sums, err := t.Tally.Quantiles(percents...)
	for i, sum := range sums {
		t.Quantiles = append(t.Quantiles, Quantile{percents[i], sum})
	}
	t.Normal = len(sums) > 0 && t.Tally.Normal()
	return err
}

// A Quantile is the smallest sum that a total does not exceed with a probability in percent (L36d).
type Quantile struct {
	Percent amount.Percent
	Sum     amount.Sum
}

// A totalJSON is a total as it is written.
type totalJSON struct {
	Date     *string `json:"date,omitzero"`
	Week     *string `json:"week,omitzero"`
	Month    *string `json:"month,omitzero"`
	Quarter  *string `json:"quarter,omitzero"`
	Weekday  *string `json:"weekday,omitzero"`
	Profile  *string `json:"profile,omitzero"`
	File     string  `json:"file,omitzero"`
	Currency string  `json:"currency" strict:"required"`
	tallyjson.Tally
	// CardExpires is the month of a total by profile, or null; other totals have none.
	CardExpires cardExpires   `json:"card_expires,omitzero"`
	Quantiles   quantilesJSON `json:"quantiles,omitzero"`
	QuantilesBy quantilesBy   `json:"quantiles_by,omitzero"`
	Because     *because      `json:"because,omitzero"`
}

// values are the members that say what a total is for, from ByDay on.
func (t *totalJSON) values() [6]**string {
	return [...]**string{&t.Date, &t.Week, &t.Month, &t.Quarter, &t.Weekday, &t.Profile}
}

var totalForm = formOf[totalJSON]()

// AppendJSON appends the record, as [Record] says.
func (t Total) AppendJSON(dst []byte) []byte {
	return appendUnder(dst, t, wordsOf(t.Because), Readings{})
}

// total appends a total record.
func (e *encoder) total(dst []byte, t *Total) []byte {
	out := totalJSON{File: t.File, Currency: t.Currency, Tally: tallyToJSON(&t.Tally), Quantiles: t.Quantiles}
	if engine.ByDay <= t.By && t.By <= engine.ByProfile {
		*out.values()[t.By-engine.ByDay] = &t.Value
	}
	if t.By == engine.ByProfile {
		out.CardExpires = cardExpires{true, t.CardExpires}
	}
	if len(t.Quantiles) > 0 && t.Normal {
		out.QuantilesBy = byNormal
	}
	return e.withWhy(appendRecord(dst, "total", totalForm, &out), t.Because)
}

func readTotal(text []byte) (Record, error) {
	in, err := read(totalForm, text)
	if err != nil {
		return nil, err
	}
	t := Total{File: in.File, Currency: in.Currency, Quantiles: in.Quantiles, Normal: in.QuantilesBy == byNormal}
	for i, value := range in.values() {
		by := engine.ByDay + engine.By(i)
		switch {
		case *value == nil:
			continue
		case t.By != engine.ByCharge:
			return nil, refuse(codeRecordMember, by.Member(), "a total is for one thing", "write the record as the command does")
		case !isValue(by, **value):
			return nil, refuse(codeRecordMember, by.Member(), "the value has not the form of this field", "write the record as the command does")
		}
		t.By, t.Value = by, **value
	}
	if t.By == engine.ByCharge {
		return nil, refuse(codeRecordMember, "date", "the total does not say what it is for", "write the record as the command does")
	}
	t.CardExpires = in.CardExpires.last
	t.Because = in.Because.set()
	t.Tally, err = tallyOf(&in.Tally)
	return t, err
}

// isValue reports whether text has the form of what totals of this kind are for.
func isValue(b engine.By, text string) bool {
	switch b {
	case engine.ByDay:
		return isDate(text)
	case engine.ByMonth:
		return isDate(text + "-01")
	case engine.ByWeek:
		year, week, _ := strings.Cut(text, "-W")
		return isDate(year+"-01-01") && len(week) == 2 && "01" <= week && week <= "53" && '0' <= week[1] && week[1] <= '9'
	case engine.ByQuarter:
		year, quarter, _ := strings.Cut(text, "-Q")
		return isDate(year+"-01-01") && len(quarter) == 1 && "1" <= quarter && quarter <= "4"
	case engine.ByWeekday:
		return slices.Contains(weekdays[:], text)
	}
	return true
}

var weekdays = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

func isDate(text string) bool {
	_, err := calendar.Parse(text)
	return err == nil
}

// MarshalJSON returns what AppendJSON appends.
func (t Total) MarshalJSON() ([]byte, error) { return marshal(t) }

// A quantilesJSON is sums by percentage.
type quantilesJSON []Quantile

// AppendJSON implements [strictjson.Special].
func (q quantilesJSON) AppendJSON(dst []byte) []byte {
	for i, one := range q {
		dst = append(append(dst, "{,"[min(i, 1)], '"'), one.Percent.String()...)
		dst = append(one.Sum.Append(append(dst, `":"`...)), '"')
	}
	return append(dst, '}')
}

// ReadJSON implements [strictjson.Special].
func (q *quantilesJSON) ReadJSON(v *strictjson.Value) error {
	if v.Kind != strictjson.KindObject {
		return v.Wrong("write an object in braces")
	}
	for name, value := range v.Members() {
		var one Quantile
		var err error
		if one.Percent, err = amount.ParsePercent(name.Text()); err != nil {
			return name.Refused("the name is not a percentage", "write a number from 0 to 100")
		}
		if value.Kind != strictjson.KindString {
			return value.Wrong("write a sum in double quotes")
		}
		if one.Sum.UnmarshalText([]byte(value.Text())) != nil {
			err := value.Refused("the sum cannot be read", "write digits, with decimals after a point")
			err.Code = "amount-syntax"
			return err
		}
		*q = append(*q, one)
	}
	return nil
}

// A cardExpires is the month in which a card expires, of which last is the last day, or null.
type cardExpires struct {
	is   bool // the record has the member
	last calendar.Date
}

// AppendJSON implements [strictjson.Special].
func (c cardExpires) AppendJSON(dst []byte) []byte {
	if c.last.IsZero() {
		return append(dst, "null"...)
	}
	return append(append(append(dst, '"'), c.last.String()[:len("2026-03")]...), '"')
}

// ReadJSON implements [strictjson.Special].
func (c *cardExpires) ReadJSON(v *strictjson.Value) error {
	c.is = true
	switch {
	case v.Kind == strictjson.KindNull:
		return nil
	case v.Kind != strictjson.KindString:
		return v.Wrong("write a month in double quotes, or null")
	}
	first, err := calendar.Parse(v.Text() + "-01")
	if err != nil {
		return v.Refused("the month cannot be read", `write it as "2026-03"`)
	}
	year, month, _ := first.Date()
	c.last = first.AddDays(calendar.DaysIn(year, month) - 1)
	return nil
}

// A quantilesBy is how quantiles were found, unless by computing the distribution.
type quantilesBy uint8

const byNormal quantilesBy = 1

var quantilesByWords = enum.Words{Type: "quantilesBy", Words: []string{"", "normal"}}

func (q quantilesBy) MarshalText() ([]byte, error) { return quantilesByWords.Marshal(uint8(q)) }
func (q *quantilesBy) UnmarshalText(text []byte) error {
	return quantilesByWords.Unmarshal(text, (*uint8)(q))
}

// tallyToJSON returns the form of a tally. What it is drawn from is not part of a record.
func tallyToJSON(t *amount.Tally) tallyjson.Tally { return tallyjson.Of(new(t.WithoutDraws())) }

// tallyOf returns the tally of a form.
func tallyOf(in *tallyjson.Tally) (amount.Tally, error) {
	t, wrong := in.Read()
	if wrong != "" {
		return t, refuse(codeRecordMember, wrong, "no charges can have these sums", "write the record as the command does")
	}
	return t, nil
}
