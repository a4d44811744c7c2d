package main

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// newBook returns what totals by period are added up in where their reasons are not wanted; nil where
// they are, and for charges and totals by profile.
func newBook(h *header, explain, draws bool) (*engine.Portfolio, error) {
	if explain || h.by.Period(calendar.First()).IsZero() {
		return nil, nil
	}
	return engine.NewPortfolio(engine.Scope{AsOf: h.asOf, Window: h.window(), Policy: h.policy, Draws: draws})
}

// tallyOfTotal returns a total as records have it.
func tallyOfTotal(t *engine.Total) record.Tally {
	return record.Tally{Sums: record.SumsOf(t.Approved), Declined: record.SumsOf(t.Declined), CardExpired: record.SumsOf(t.CardExpired)}
}
