package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// newBook returns what totals by period are added up in; nil for charges and totals by profile, and where
// only their reasons are wanted besides, which a book has not.
func newBook(h *header, explain, draws bool) (*engine.Portfolio, error) {
	if explain && !draws || h.by.Period(calendar.First()).IsZero() {
		return nil, nil
	}
	return engine.NewPortfolio(engine.Scope{AsOf: h.asOf, Window: h.window(), Policy: h.policy, Draws: draws})
}

// sendBook sends the totals of a book to a sink, with their reasons where there are some.
func sendBook(s sink, book *engine.Portfolio, reasons *totals, by engine.By, percents []amount.Percent) {
	for t := range book.Totals(by) {
		r := record.Total{By: by, Value: by.Value(t.Period), Currency: t.Currency, Tally: tallyOfTotal(&t)}
		r.Because = reasons.because(t.Period, t.Currency)
		if len(percents) > 0 {
			r.Quantiles, r.Normal = quantilesOf(drawsOf(t.Draws, t.Currency), r.Min, percents)
		}
		s.total(&r)
	}
}

// tallyOfTotal returns a total as records have it.
func tallyOfTotal(t *engine.Total) record.Tally {
	return record.Tally{Sums: record.SumsOf(t.Approved), Declined: record.SumsOf(t.Declined), CardExpired: record.SumsOf(t.CardExpired)}
}

// drawsOf returns the random amounts of a total.
func drawsOf(list []engine.Draws, currency string) (draws amount.Draws) {
	for _, d := range list {
		highest, _ := amount.FromMinor(int64(uint64(d.Lowest.Coefficient())+d.Values-1), d.Lowest.Scale())
		if r, err := amount.Range(d.Lowest, highest, currency); err == nil {
			draws.Add(r, d.Charges)
		}
	}
	return draws
}

// quantilesOf returns the quantiles of a total, none if it has no random amounts, and whether they are
// those of a normal approximation.
func quantilesOf(draws amount.Draws, least amount.Sum, percents []amount.Percent) (list []record.Quantile, normal bool) {
	if draws.IsZero() {
		return nil, false
	}
	sums, normal := draws.Quantiles(least, percents...)
	for i, sum := range sums {
		list = append(list, record.Quantile{Percent: percents[i], Sum: sum})
	}
	return list, normal
}

// quantify adds the quantiles to the total of a profile.
func (f *forecastRun) quantify(p *profile, row *joined) {
	if choice := row.Amounts(); choice.Kind() == amount.KindRange && len(f.header.quantiles) > 0 {
		var draws amount.Draws
		draws.Add(choice, p.total.Charges)
		p.quantiles, p.normal = quantilesOf(draws, p.total.Min, f.header.quantiles)
	}
}

// A percentsFlag is --quantiles: different percentages in order.
type percentsFlag []amount.Percent

func (*percentsFlag) Type() string { return "PERCENTAGES" }

func (p *percentsFlag) String() string {
	texts := make([]string, len(*p))
	for i, q := range *p {
		texts[i] = q.String()
	}
	return strings.Join(texts, ",")
}

func (p *percentsFlag) Set(s string) error {
	for text := range strings.SplitSeq(s, ",") {
		q, err := amount.ParsePercent(text)
		if err != nil {
			return errors.New("write percentages from 0 to 100 with at most two decimals, and commas between them, such as 5,50,97.5")
		}
		if slices.ContainsFunc(*p, func(o amount.Percent) bool { return o.Compare(q) == 0 }) {
			return errors.New(q.String() + " is given twice")
		}
		*p = append(*p, q)
	}
	slices.SortFunc(*p, amount.Percent.Compare)
	if len(*p) > maxPercents {
		return errors.New("at most " + strconv.Itoa(maxPercents) + " percentages are possible")
	}
	return nil
}

// maxPercents bounds the work for a total.
const maxPercents = 101
