package report

import (
	"math/big"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
)

// heatLevels are the shades of a heat map above none.
const heatLevels = 4

// A heat says how much is charged in each of some equal times: the money if there is one currency,
// the charges if there are several, since currencies are never added up.
type heat struct {
	accounts []*account
	sums     [][]cell // of each account
	currency string   // empty for charges
	money    []amount.Sum
	most     amount.Sum
	counts   []uint64
	peak     uint64 // the most charges
}

// newHeat compares days, or months.
func newHeat(accounts []*account, by engine.By, times []calendar.Date) *heat {
	h := &heat{accounts: accounts, counts: make([]uint64, len(times)), money: make([]amount.Sum, len(times))}
	if len(accounts) == 1 {
		h.currency = accounts[0].currency
	}
	for _, a := range accounts {
		list := a.sums(by, times)
		h.sums = append(h.sums, list)
		for i, c := range list {
			h.counts[i] += c.Charges
			h.money[i] = c.Max
			h.peak = max(h.peak, h.counts[i])
			if h.most.Compare(c.Max) < 0 {
				h.most = c.Max
			}
		}
	}
	return h
}

// level returns the shade of a time, from 0 for none to heatLevels: the quarter of the most that it
// reaches.
func (h *heat) level(i int) int {
	switch {
	case h.counts[i] == 0:
		return 0
	case h.currency == "":
		return int((h.counts[i]*heatLevels + h.peak - 1) / h.peak)
	case h.most.IsZero():
		return 1
	}
	part, whole := ratio(h.money[i], h.most, heatLevels)
	return max(1, int(part.Add(part, whole).Sub(part, big.NewInt(1)).Quo(part, whole).Int64()))
}

// top returns the most of all times, in words.
func (h *heat) top() string {
	if h.currency != "" {
		return h.most.String() + " " + code(h.currency)
	}
	return strconv.FormatUint(h.peak, 10) + " charges"
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

// drawing returns an SVG element with what it is called and what it shows.
func drawing(class, id string, width, height int, title, about string, inner markup) markup {
	return made(`<svg class="%" viewBox="0 0 % %" role="img" aria-labelledby="%-t %-d"><title id="%-t">%</title><desc id="%-d">%</desc>%</svg>`,
		class, width, height, id, id, id, title, id, about, inner)
}

// The measures of a heat map: the side of a day and the distance to the next, that of a month, and
// the room for names.
const (
	heatCell  = 11
	heatStep  = 13
	monthCell = 44
	monthStep = 46
	heatLeft  = 30
	heatTop   = 14

	leastWeeks = 40  // that there is room for, so that the days of a short window are not drawn huge
	mostTitles = 400 // squares with a title
)

// label writes a word of a heat map.
func (m *markup) label(x, y int, text string) {
	m.put(`<text x="%" y="%">%</text>`, x, y, text)
}

// drawDays draws days, a week in each column.
func drawDays(h *heat, days []calendar.Date, about string, title func(i int) string) markup {
	before := (int(days[0].Weekday()) + 6) % 7
	place := func(i int) (x, y int) { return heatLeft + (before+i)/7*heatStep, heatTop + (before+i)%7*heatStep }
	var m markup
	for i, name := range [...]string{"Mon", "Wed", "Fri", "Sun"} {
		m.label(0, heatTop+2*i*heatStep+9, name)
	}
	free := 0 // where the next name of a month has room
	for i, d := range days {
		year, month, day := d.Date()
		x, _ := place(i)
		if day != 1 && i > 0 || x < free {
			continue
		}
		name := month.String()[:3]
		if month == 1 && i > 0 {
			name = strconv.Itoa(year)
		}
		m.label(x, 9, name)
		free = x + 2*heatStep
	}
	m.squares(h, heatCell, place, title)
	weeks := (before + len(days) + 6) / 7
	return drawing("heat", "heat", heatLeft+max(weeks, leastWeeks)*heatStep, heatTop+7*heatStep, "Days", about, m)
}

// drawMonths draws months, a year in each row.
func drawMonths(h *heat, months []calendar.Date, about string, title func(i int) string) markup {
	year, month, _ := months[0].Date()
	before := int(month) - 1
	place := func(i int) (x, y int) { return heatLeft + (before+i)%12*monthStep, heatTop + (before+i)/12*heatStep }
	var m markup
	for i := range 12 {
		m.label(heatLeft+i*monthStep, 9, time.Month(i + 1).String()[:3])
	}
	years := (before + len(months) + 11) / 12
	for i := range years {
		m.label(0, heatTop+i*heatStep+9, strconv.Itoa(year+i))
	}
	m.squares(h, monthCell, place, title)
	return drawing("heat", "heat", heatLeft+12*monthStep, heatTop+years*heatStep, "Months", about, m)
}

// squares draws the times of a heat map with what is charged in them, or without where there are
// too many.
func (m *markup) squares(h *heat, width int, place func(i int) (x, y int), title func(i int) string) {
	charged := 0
	for _, n := range h.counts {
		if n > 0 {
			charged++
		}
	}
	var plain [heatLevels + 1]markup
	for i, n := range h.counts {
		x, y := place(i)
		if n == 0 || charged > mostTitles {
			plain[h.level(i)].put("M% %h%v%h%z", x, y, width, heatCell, -width)
			continue
		}
		m.put(`<rect class="l%" x="%" y="%" width="%" height="%" rx="2"><title>%</title></rect>`, h.level(i), x, y, width, heatCell, title(i))
	}
	for level, path := range plain {
		if path != nil {
			m.put(`<path class="l%" d="%"/>`, level, path)
		}
	}
}

// The size of a drawing of sums.
const (
	curveWidth  = 600
	curveHeight = 120
	curveSteps  = 150
)

// drawCurve draws how a sum grows over days or months, with its upper bound where it is not certain.
func drawCurve(id, title, about string, times []cell, total amount.Total) markup {
	n := len(times)
	step := max(1, (n+curveSteps-1)/curveSteps)
	low, high := made("M0 %", curveHeight), made("M0 %", curveHeight)
	var sum amount.Total
	for i := range times {
		sum.Merge(times[i].Total)
		if i%step != step-1 && i != n-1 {
			continue
		}
		x := curveWidth * (i - i%step) / n
		low.put("H%V%", x, curveHeight-share(sum.Min, total.Max, curveHeight-4))
		high.put("H%V%", x, curveHeight-share(sum.Max, total.Max, curveHeight-4))
	}
	low.put("H%", curveWidth)
	high.put("H%", curveWidth)
	m := made(`<path class="grid" d="M0 %H%M0 %H%"/>`, curveHeight, curveWidth, curveHeight/2, curveWidth)
	if !words.IsFixed(total) {
		m.put(`<path class="band" d="%V%z"/><path class="edge" d="%"/>`, high, curveHeight, high)
	}
	m.put(`<path class="area" d="%V%z"/><path class="line" d="%"/>`, low, curveHeight, low)
	return drawing("curve", id, curveWidth, curveHeight, title, about, m)
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

// stripBins is how many parts of the window a timeline tells apart.
const stripBins = 256

// The layers of a strip.
const (
	layerCharged uint8 = 1 << iota
	layerExpired       // charged after the card's expiry
	layerDeclined
	layerStopped
)

// A strip is a timeline in a fixed size: what happened in each of some equal parts of the window. A
// part has 2^shift days, and grows with the days.
type strip struct {
	shift uint8
	parts [stripBins]uint8 // layers
}

// mark notes a day, counted from the first one.
func (s *strip) mark(layer uint8, day int) {
	day = max(day, 0)
	for day>>s.shift >= stripBins {
		s.fold()
	}
	s.parts[day>>s.shift] |= layer
}

// fold makes the parts twice as long.
func (s *strip) fold() {
	s.shift++
	var folded [stripBins]uint8
	for i, layers := range s.parts {
		folded[i/2] |= layers
	}
	s.parts = folded
}

// draw draws so many parts, each run of marked ones as one line. A stop stands below the charges, of which the last
// is often on the same day.
func (s *strip) draw(parts int, title string) markup {
	m := made(`<svg class="strip" viewBox="0 0 % 12" preserveAspectRatio="none" role="img"><title>%</title>`, parts, title)
	for i, class := range [...]string{"c", "e", "d", "x"} {
		var path markup
		at, length := 0, 0
		for n := range stripBins + 1 {
			if n < stripBins && s.parts[n]>>i&1 == 1 {
				length++
				continue
			}
			if length > 0 {
				path.put("m% 0h%", n-length-at, length)
				at, length = n, 0
			}
		}
		if path != nil {
			y := 4
			if class == "x" {
				y = 10
			}
			m.put(`<path class="%" d="M0 %%"/>`, class, y, path)
		}
	}
	m.put("</svg>")
	return m
}
