package main

import (
	"maps"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A balance is what the charges of both sides of a comparison come to, by currency.
type balance map[string]*record.Money

// add counts charges of one currency.
func (b balance) add(currency string, charges []engine.Charge, side func(*record.Money) *amount.Tally) {
	var t amount.Tally
	for i := range charges {
		charges[i].AddTo(&t)
	}
	b.merge(currency, t, side)
}

// merge counts what charges of one currency come to.
func (b balance) merge(currency string, t amount.Tally, side func(*record.Money) *amount.Tally) {
	if t.IsZero() {
		return
	}
	if b[currency] == nil {
		b[currency] = &record.Money{Currency: currency}
	}
	side(b[currency]).Merge(t)
}

func oldSide(m *record.Money) *amount.Tally { return &m.Old }
func newSide(m *record.Money) *amount.Tally { return &m.New }

// writeTo gives the balance in order of currency.
func (b balance) writeTo(w differences) {
	for _, currency := range slices.Sorted(maps.Keys(b)) {
		w.money(*b[currency])
	}
}

func (d *differenceText) money(m record.Money) {
	if d.of == nil {
		return
	}
	if d.currencies == 0 {
		d.out.b = append(d.out.b, "\nMoney\n"...)
	}
	d.currencies++
	b := append(d.out.b, "  "+pad(visible(m.Currency), 4)...)
	b = append(b, amountInWords(&m.Old)+" -> "+amountInWords(&m.New)...)
	d.out.b = append(b, '\n')
	d.out.endLine()
}

func amountInWords(t *amount.Tally) string {
	s := between(t.Min.String(), t.Max.String(), isFixed(t.Total)) + meanOf(t.Total)
	if besides := besides(t); besides != "" {
		s += " (" + besides[2:] + ")"
	}
	return s
}
