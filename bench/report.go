package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// reportRows are P18: what people read.
func reportRows() []row {
	return []row{
		{id: "P18", ours: "HTML page of 5,000 profiles, a year", against: "their totals by day as NDJSON", goal: within(5), possible: "–",
			note:  "both make every charge; a map of days and currencies adds them up for NDJSON, and the page has the Sensitivities of each profile",
			ready: readyPage},
		{id: "P18", ours: "HTML page of 5,000 profiles, a year", against: "size", goal: goal{kind: upTo, value: 300, unit: "kB"}, possible: "163", count: pageSize},
	}
}

// The page of P18 is made of so many profiles of W1, in their first year.
const (
	pageProfiles = 5000
	pageLast     = "2026-12-31"
)

// page writes the page, with what other readings change, and returns how many charges it is made
// of.
func (b *charging) page(w io.Writer) uint64 {
	out := report.NewWriter(w, b.header, report.Options{Form: report.FormHTML})
	var changes []engine.Sensitivity
	return b.write(out, func(p *engine.Profile) {
		changes, _, _ = engine.New(b.header.Policy).Sensitivities(changes[:0], engine.Stored{Profile: *p}, b.header.AsOf, b.window)
		_ = out.Compare(changes)
	})
}

// A dayKey is the day and the currency of a total.
type dayKey struct {
	day      calendar.Date
	currency string
}

// totals adds the charges up by day and currency.
func (b *charging) totals() map[dayKey]*record.Total {
	cells := map[dayKey]*record.Total{}
	var plan engine.Plan
	for i := range b.list {
		p := &b.list[i]
		must(0, engine.New(b.header.Policy).Recompile(&plan, engine.Stored{Profile: *p}, b.header.AsOf))
		var c engine.Charge
		for c = range plan.Charges(b.window) {
			key := dayKey{c.Date, p.Currency}
			cell := cells[key]
			if cell == nil {
				cell = &record.Total{By: engine.ByDay, Value: c.Date.String(), Currency: p.Currency}
				cells[key] = cell
			}
			c.AddTo(&cell.Tally)
			cell.Because = cell.Because.And(c.Because)
		}
	}
	return cells
}

// totalsNDJSON writes the totals and returns how many charges they are made of.
func (b *charging) totalsNDJSON(w io.Writer) (charges uint64) {
	h, cells := b.header, b.totals()
	h.By = engine.ByDay
	out := record.NewWriter(w, h, record.Options{})
	for _, key := range slices.SortedFunc(maps.Keys(cells), func(x, y dayKey) int {
		return cmp.Or(x.day.Compare(y.day), cmp.Compare(x.currency, y.currency))
	}) {
		charges += cells[key].Charges
		_ = out.Total(cells[key])
	}
	must(0, out.Close())
	return charges
}

func readyPage() contest {
	b := newCharging(pageProfiles, pageLast)
	return contest{
		ours:   side{pageProfiles, func() uint64 { return b.page(io.Discard) }},
		theirs: side{pageProfiles, func() uint64 { return b.totalsNDJSON(io.Discard) }},
		differ: b.checkPage,
	}
}

// checkPage compares the page with the totals: the sum of each currency is on it.
func (b *charging) checkPage() error {
	var page bytes.Buffer
	if n := b.page(&page); n == 0 || n != b.totalsNDJSON(io.Discard) {
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
func pageSize() float64 {
	var page bytes.Buffer
	newCharging(pageProfiles, pageLast).page(&page)
	return float64(page.Len()) / 1000
}
