package main

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// newBook returns what totals by period are added up in; nil for charges and totals by profile.
func newBook(h *header, explain bool) (*engine.Portfolio, error) {
	if h.by.Period(calendar.First()).IsZero() {
		return nil, nil
	}
	return engine.NewPortfolio(engine.Scope{AsOf: h.asOf, Window: h.window(), Policy: h.policy, Draws: len(h.quantiles) > 0, Explain: explain})
}

// sendTotals sends totals by period to a sink.
func sendTotals(s sink, h *header, totals iter.Seq[engine.Total]) {
	for t := range totals {
		r := record.TotalOf(h.by, &t)
		sendTotal(s, h, &r)
	}
}

// sendTotal sends a total to a sink, with the quantiles that were asked for. A part has what they follow
// from instead.
func sendTotal(s sink, h *header, t *record.Total) {
	if _, isPart := s.(*partSink); !isPart {
		_ = t.Quantify(h.quantiles...) // whose draws are there where these are
		t.Tally = t.Tally.WithoutDraws()
	}
	s.total(t)
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
