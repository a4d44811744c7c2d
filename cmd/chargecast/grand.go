package main

import "github.com/chargecast/chargecast/record"

// grandTotals are what everything shown comes to, by currency.
type grandTotals struct {
	of   map[string]*record.Tally
	more bool // there are currencies beyond the limit
}

// maxCurrencies is more than the world has: a column of junk must not fill the memory.
const maxCurrencies = 1000

func (g *grandTotals) merge(currency string, t record.Tally) {
	if t.IsZero() {
		return
	}
	sum := g.of[currency]
	if sum == nil {
		if len(g.of) == maxCurrencies {
			g.more = true
			return
		}
		if g.of == nil {
			g.of = map[string]*record.Tally{}
		}
		sum = new(record.Tally)
		g.of[currency] = sum
	}
	sum.Merge(t)
}

// sums returns what the charges of a currency come to.
func (g *grandTotals) sums(currency string) record.Sums {
	if t := g.of[currency]; t != nil {
		return t.Sums
	}
	return record.Sums{}
}
