package main

import (
	"maps"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsontext"
)

// A balance is what the charges of both sides of a comparison come to, by currency.
type balance map[string]*[2]amount.Total

// add counts the charges of a course in on one side, 0 for OLD and 1 for NEW. Declined
// attempts bring no money.
func (b balance) add(side int, c *course) {
	if c == nil || len(c.charges) == 0 {
		return
	}
	if b[c.currency] == nil {
		b[c.currency] = new([2]amount.Total)
	}
	for _, charge := range c.charges {
		if charge.Outcome == engine.OutcomeApproved {
			b[c.currency][side].Add(strategyOf(&charge, c.currency), 0)
		}
	}
}

// strategyOf gives every repeat the bounds that a charge has.
func strategyOf(c *engine.Charge, currency string) amount.Strategy {
	if between, err := amount.NewRange(c.Min, c.Max, currency); err == nil && c.Min.Compare(c.Max) != 0 {
		return between
	}
	return amount.NewFixed(c.Min)
}

// writeTo gives the balance in order of currency.
func (b balance) writeTo(w differences) {
	for _, currency := range slices.Sorted(maps.Keys(b)) {
		w.money(currency, &b[currency][0], &b[currency][1])
	}
}

func (d *differenceText) money(currency string, was, is *amount.Total) {
	if d.of == nil {
		return
	}
	if d.currencies == 0 {
		d.out.b = append(d.out.b, "\nMoney, declined attempts left out\n"...)
	}
	d.currencies++
	b := append(d.out.b, "  "+pad(visible(currency), 4)...)
	b = append(b, amountInWords(was)+" -> "+amountInWords(is)...)
	d.out.b = append(b, '\n')
	d.out.endLine()
}

func amountInWords(t *amount.Total) string {
	return between(t.Min().String(), t.Max().String(), isFixed(t)) + meanOf(t)
}

func (d *differenceRecords) money(currency string, was, is *amount.Total) {
	b := jsontext.AppendString(d.record(`{"type":"money","currency":`), currency)
	b = appendMoney(append(b, `,"old":`...), was)
	b = appendMoney(append(b, `,"new":`...), is)
	d.line(append(b, '}'))
}

func appendMoney(dst []byte, t *amount.Total) []byte {
	dst = t.Min().Append(append(dst, `{"min":"`...))
	dst = t.Max().Append(append(dst, `","max":"`...))
	dst = t.AppendMean(append(dst, `","mean":"`...))
	return append(dst, `"}`...)
}
