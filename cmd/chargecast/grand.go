package main

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/record"
)

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

func (g *grandTotals) append(dst []byte, p paint) []byte {
	if len(g.of) == 0 {
		return append(dst, "No charge in this window.\n"...)
	}
	dst = append(p.bold(dst, "Total"), '\n')
	names := make([]string, 0, len(g.of))
	count, width := 0, 0
	for name, t := range g.of {
		names = append(names, name)
		count = max(count, len(counted(strconv.FormatUint(t.Charges, 10), "charge")))
		width = max(width, len(t.Min.String()))
	}
	slices.Sort(names)
	for _, name := range names {
		t := g.of[name]
		dst = append(dst, "  "+pad(visible(name), 5)...)
		dst = append(dst, padLeft(counted(strconv.FormatUint(t.Charges, 10), "charge"), count)...)
		dst = append(dst, "  "+padLeft(t.Min.String(), width)...)
		if !isFixed(t.Sums) {
			dst = append(dst, " to "+t.Max.String()+meanOf(t.Sums)...)
		}
		dst = append(dst, besides(t)...)
		dst = append(dst, '\n')
	}
	if g.more {
		dst = append(dst, "  and more than "+strconv.Itoa(maxCurrencies)+" currencies, the rest not added up\n"...)
	}
	return dst
}
