package main

import (
	"cmp"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// totals adds charges up by day or month and currency. Memory grows with the days or
// months that have a charge, not with the profiles.
type totals struct {
	by   engine.By
	cell map[totalKey]*totalCell
}

type totalKey struct {
	date     calendar.Date // the day, or the first of the month
	currency string
}

type totalCell struct {
	amounts record.Tally
	because ledger.Because
}

func newTotals(by engine.By) *totals { return &totals{by, map[totalKey]*totalCell{}} }

// add counts a charge.
func (t *totals) add(currency string, c *engine.Charge) {
	key := totalKey{c.Date, currency}
	if t.by == engine.ByMonth {
		_, _, day := c.Date.Date()
		key.date = c.Date.AddDays(1 - day)
	}
	cell := t.cell[key]
	if cell == nil {
		cell = new(totalCell)
		t.cell[key] = cell
	}
	cell.amounts.Add(c)
	cell.because = cell.because.And(c.Because)
}

// writeTo gives the totals in order of date, then currency.
func (t *totals) writeTo(s sink) {
	keys := make([]totalKey, 0, len(t.cell))
	for key := range t.cell {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b totalKey) int {
		return cmp.Or(a.date.Compare(b.date), cmp.Compare(a.currency, b.currency))
	})
	for _, key := range keys {
		value := key.date.String()
		if t.by == engine.ByMonth {
			value = value[:len("2026-01")]
		}
		cell := t.cell[key]
		s.total(&record.Total{By: t.by, Value: value, Currency: key.currency, Tally: cell.amounts, Because: cell.because})
	}
}
