package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// pageProfiles is how many profiles of W1 a page is made of.
const pageProfiles = 5000

// A pageBook is the profiles of a page and its window.
type pageBook struct {
	list   []engine.Stored
	header record.Header
	window calendar.Window
}

func newPageBook() (pageBook, error) {
	b := pageBook{header: record.Header{
		Schema: record.SchemaForecast, AsOf: calendar.MustParse(portfolioFrom), Until: calendar.MustParse("2026-12-31"), Zone: "UTC", By: engine.ByDay,
	}}
	b.window = calendar.Through(b.header.AsOf, b.header.Until)
	for i := range uint64(pageProfiles) {
		p := portfolioProfile(i)
		a, err := amount.FromMinor(p.minor, 2)
		if err != nil {
			return b, err
		}
		b.list = append(b.list, engine.Stored{Profile: engine.Profile{
			ID: "order-" + strconv.FormatUint(i, 10), Kind: engine.KindSource, Start: p.start(), Unit: p.unit, Interval: 1,
			Amounts: amount.Fixed(a), Currency: p.currency,
		}})
	}
	return b, nil
}

// page writes the page and returns how many charges it is made of.
func (b *pageBook) page(w io.Writer, compared bool) (charges uint64) {
	h := b.header
	h.By = engine.ByCharge
	out := report.NewWriter(w, h, report.Options{Form: report.FormHTML})
	var plan engine.Plan
	var changes []engine.Sensitivity
	for i := range b.list {
		s := &b.list[i]
		if engine.New(h.Policy).Recompile(&plan, *s, h.AsOf) != nil {
			return 0
		}
		out.Start(record.Profile{Subject: record.Subject{Profile: s.Profile.ID, Row: i + 1, Currency: s.Profile.Currency}})
		if compared {
			var err error
			if changes, _, err = engine.New(h.Policy).Sensitivities(changes[:0], *s, h.AsOf, calendar.Through(h.AsOf, h.Until)); err != nil {
				return 0
			}
			_ = out.Compare(changes)
		}
		var c engine.Charge
		for c = range plan.Charges(b.window) {
			_ = out.Charge(&c)
			charges++
		}
		end := plan.End(h.Until)
		_ = out.End(&end)
	}
	if out.Close() != nil {
		return 0
	}
	return charges
}

// A dayKey is the day and the currency of a total.
type dayKey struct {
	day      calendar.Date
	currency string
}

// totals adds the charges up by day and currency.
func (b *pageBook) totals() map[dayKey]*record.Total {
	cells := map[dayKey]*record.Total{}
	var plan engine.Plan
	for i := range b.list {
		s := &b.list[i]
		if engine.New(b.header.Policy).Recompile(&plan, *s, b.header.AsOf) != nil {
			return nil
		}
		var c engine.Charge
		for c = range plan.Charges(b.window) {
			key := dayKey{c.Date, s.Profile.Currency}
			cell := cells[key]
			if cell == nil {
				cell = &record.Total{By: engine.ByDay, Value: c.Date.String(), Currency: s.Profile.Currency}
				cells[key] = cell
			}
			c.AddTo(&cell.Tally)
			cell.Because = cell.Because.And(c.Because)
		}
	}
	return cells
}

// ndjson writes the totals and returns how many charges they are made of.
func (b *pageBook) ndjson(w io.Writer) (charges uint64) {
	cells := b.totals()
	keys := make([]dayKey, 0, len(cells))
	for key := range cells {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(x, y dayKey) int {
		return cmp.Or(x.day.Compare(y.day), cmp.Compare(x.currency, y.currency))
	})
	out := record.NewWriter(w, b.header, record.Options{})
	for _, key := range keys {
		charges += cells[key].Charges
		_ = out.Total(cells[key])
	}
	if out.Close() != nil {
		return 0
	}
	return charges
}

func readyPage(compared bool) func() (contest, error) {
	return func() (contest, error) {
		b, err := newPageBook()
		if err != nil {
			return contest{}, err
		}
		return contest{
			ours:   side{pageProfiles, func() uint64 { return b.page(io.Discard, compared) }},
			theirs: side{pageProfiles, func() uint64 { return b.ndjson(io.Discard) }},
			differ: b.check,
		}, nil
	}
}

// check holds the page to the totals: the sum of each currency is on it.
func (b *pageBook) check() error {
	var page bytes.Buffer
	if n := b.page(&page, false); n == 0 || n != b.ndjson(io.Discard) {
		return fmt.Errorf("the page is made of %d charges", n)
	}
	sums := map[string]amount.Tally{}
	for key, cell := range b.totals() {
		t := sums[key.currency]
		t.Merge(cell.Tally)
		sums[key.currency] = t
	}
	text := strings.ReplaceAll(page.String(), "\u202f", "") // between groups of digits
	for currency, t := range sums {
		if !strings.Contains(text, ">"+t.Min.String()+"<") {
			return fmt.Errorf("the page lacks the sum of %s", currency)
		}
	}
	return nil
}

// pageSize is the size of the page in kB.
func pageSize() (float64, error) {
	b, err := newPageBook()
	if err != nil {
		return 0, err
	}
	var page bytes.Buffer
	b.page(&page, true)
	return float64(page.Len()) / 1000, nil
}
