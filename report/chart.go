package report

import (
	"math/big"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// heatLevels are the shades of a heat map above none.
const heatLevels = 4

// A heat says how much is charged on each of some days: the money if there is one currency, the
// charges if there are several, since currencies are never added up.
type heat struct {
	accounts []*account
	first    calendar.Date
	currency string // empty for charges
	money    []amount.Sum
	most     amount.Total // on one day
	counts   []uint64
	peak     uint64 // the most charges
}

// newHeat compares so many days.
func newHeat(accounts []*account, first calendar.Date, days int) *heat {
	h := &heat{accounts: accounts, first: first, counts: make([]uint64, days), money: make([]amount.Sum, days)}
	if len(accounts) == 1 {
		h.currency = accounts[0].currency
	}
	for _, a := range accounts {
		for day, c := range a.days {
			i := day.Sub(first)
			h.counts[i] += c.Charges
			h.money[i] = c.Max
			h.peak = max(h.peak, h.counts[i])
			if h.most.Max.Compare(c.Max) < 0 {
				h.most = c.Total
			}
		}
	}
	return h
}

// level returns the shade of a day, from 0 for none to heatLevels: the quarter of the most that its
// charges come to.
func (h *heat) level(i int) int {
	switch {
	case h.counts[i] == 0:
		return 0
	case h.currency == "":
		return int((h.counts[i]*heatLevels + h.peak - 1) / h.peak)
	case h.most.Max.IsZero():
		return 1
	}
	part, whole := ratio(h.money[i], h.most.Max, heatLevels)
	return max(1, int(part.Add(part, whole).Sub(part, big.NewInt(1)).Quo(part, whole).Int64()))
}

// top returns the most of all days, in words.
func (h *heat) top(p *page) string {
	if h.currency != "" {
		return p.money(h.most, h.currency) + " " + code(h.currency)
	}
	return chargesInWords(h.peak)
}

// share returns how many of n steps a sum takes of the largest one, rounded; at least 1 if it is
// not zero. A largest sum of zero has none.
func share(s, largest amount.Sum, n int) int {
	switch {
	case s.IsZero() || largest.IsZero():
		return 0
	case s.Compare(largest) >= 0:
		return n
	}
	part, whole := ratio(s, largest, 2*n)
	part.Add(part, whole)
	return max(1, int(part.Quo(part, whole.Lsh(whole, 1)).Int64()))
}

// ratio returns n times a sum, and the largest one, as whole numbers of one unit.
func ratio(s, largest amount.Sum, n int) (part, whole *big.Int) {
	part, whole = s.Decimal().Shift(amount.MaxScale).BigInt(), largest.Decimal().Shift(amount.MaxScale).BigInt()
	return part.Mul(part, big.NewInt(int64(n))), whole
}

// The measures of a heat map: the side of a day and the distance to the next, and the room for
// names.
const (
	heatCell = 11
	heatStep = 13
	heatLeft = 30
	heatTop  = 14

	leastWeeks = 40 // that there is room for, so that the days of a short window are not drawn huge
)

// label writes a word of a heat map.
func (m *markup) label(x, y int, text string) {
	m.put(`<text x="%" y="%">%</text>`, x, y, text)
}

// draw draws the days, a week in each column, as an SVG element with a title and a description. Days
// with charges have a title each.
func (h *heat) draw(about string, title func(i int) string) markup {
	before := (int(h.first.Weekday()) + 6) % 7
	var m, empty markup
	for i, name := range [...]string{"Mon", "Wed", "Fri", "Sun"} {
		m.label(0, heatTop+2*i*heatStep+9, name)
	}
	free := 0 // where the next name of a month has room
	for i, n := range h.counts {
		x, y := heatLeft+(before+i)/7*heatStep, heatTop+(before+i)%7*heatStep
		if year, month, day := h.first.AddDays(i).Date(); (day == 1 || i == 0) && x >= free {
			name := month.String()[:3]
			if month == 1 && i > 0 {
				name = strconv.Itoa(year)
			}
			m.label(x, 9, name)
			free = x + 2*heatStep
		}
		if n == 0 {
			empty.put("M% %h%v%h%z", x, y, heatCell, heatCell, -heatCell)
			continue
		}
		m.put(`<rect class="l%" x="%" y="%" width="%" height="%" rx="2"><title>%</title></rect>`, h.level(i), x, y, heatCell, heatCell, title(i))
	}
	if empty != nil {
		m.put(`<path class="l0" d="%"/>`, empty)
	}
	weeks := max((before+len(h.counts)+6)/7, leastWeeks)
	return made(`<svg class="heat" viewBox="0 0 % %" role="img" aria-labelledby="heat-t heat-d"><title id="heat-t">Days</title><desc id="heat-d">%</desc>%</svg>`,
		heatLeft+weeks*heatStep, heatTop+7*heatStep, about, m)
}

// drawBar draws a sum next to its number: solid to its lower bound, light from there to its upper
// one.
func drawBar(s amount.Total, largest amount.Sum) markup {
	low, high := share(s.Min, largest, 100), share(s.Max, largest, 100)
	var light markup
	if high > low {
		light.put(`<rect class="light" width="%" height="8"/>`, high)
	}
	return made(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">%<rect width="%" height="8"/></svg>`, light, low)
}
