package report

import (
	"html"
	"html/template"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/words"
)

// The drawings of the page. They consist of numbers, words of this package, and texts that were
// escaped.

// heatCell is the side of a day in a heat map, and heatStep the distance to the next.
const (
	heatCell = 11
	heatStep = 13
	heatLeft = 30
	heatTop  = 14

	leastWeeks = 40 // that there is room for, so that the days of a short window are not drawn huge
)

// A drawing builds an SVG element.
type drawing struct{ b []byte }

// open begins a drawing with what it is called and what it shows.
func (d *drawing) open(class, id string, width, height int, title, about string) {
	d.text(`<svg class="` + class + `" viewBox="0 0 `).number(width).text(" ").number(height)
	d.text(`" role="img" aria-labelledby="` + id + `-t ` + id + `-d">`)
	d.text(`<title id="` + id + `-t">` + html.EscapeString(title) + `</title><desc id="` + id + `-d">` + html.EscapeString(about) + `</desc>`)
}

func (d *drawing) close() template.HTML { return template.HTML(append(d.b, "</svg>"...)) }

func (d *drawing) text(s string) *drawing {
	d.b = append(d.b, s...)
	return d
}

func (d *drawing) number(n int) *drawing {
	d.b = strconv.AppendInt(d.b, int64(n), 10)
	return d
}

// label writes a word at a place.
func (d *drawing) label(x, y int, s string) {
	d.text(`<text x="`).number(x).text(`" y="`).number(y).text(`">` + html.EscapeString(s) + `</text>`)
}

// square draws a shaded part of a heat map, with what is charged in it.
func (d *drawing) square(x, y, width, level int, title string) {
	d.text(`<rect class="l`).number(level).text(`" x="`).number(x).text(`" y="`).number(y)
	d.text(`" width="`).number(width).text(`" height="`).number(heatCell).text(`" rx="2">`)
	d.text(`<title>` + html.EscapeString(title) + `</title></rect>`)
}

// A mosaic is the squares of a heat map that need no title.
type mosaic [heatLevels + 1]drawing

func (m *mosaic) add(x, y, width, level int) {
	p := &m[level]
	p.text("M").number(x).text(" ").number(y).text("h").number(width).text("v").number(heatCell).text("h").number(-width).text("z")
}

func (m *mosaic) drawOn(d *drawing) {
	for level := range m {
		if len(m[level].b) > 0 {
			d.text(`<path class="l`).number(level).text(`" d="`).text(string(m[level].b)).text(`"/>`)
		}
	}
}

// mostTitles is how many squares have a title.
const mostTitles = 400

// heatOfDays draws the days of a window, a week in each column.
func heatOfDays(first calendar.Date, h *heat, about string, title func(i int) string) template.HTML {
	n := len(h.counts)
	before := (int(first.Weekday()) + 6) % 7
	weeks := (before + n + 6) / 7
	var d drawing
	var plain mosaic
	d.open("heat", "heat", heatLeft+max(weeks, leastWeeks)*heatStep, heatTop+7*heatStep, "Days", about)
	for day, name := range [...]string{"Mon", "", "Wed", "", "Fri", "", "Sun"} {
		if name != "" {
			d.label(0, heatTop+day*heatStep+9, name)
		}
	}
	free := 0 // where the next name of a month has room
	for i := range n {
		at := before + i
		x, y := heatLeft+at/7*heatStep, heatTop+at%7*heatStep
		date := first.AddDays(i)
		if year, month, day := date.Date(); (day == 1 || i == 0) && x >= free {
			name := month.String()[:3]
			if month == 1 && i > 0 {
				name = strconv.Itoa(year)
			}
			d.label(x, 9, name)
			free = x + 2*heatStep
		}
		if h.counts[i] == 0 {
			plain.add(x, y, heatCell, 0)
			continue
		}
		d.square(x, y, heatCell, h.level(i), title(i))
	}
	plain.drawOn(&d)
	return d.close()
}

// heatOfMonths draws the months of a window, a year in each row.
func heatOfMonths(first calendar.Date, h *heat, about string, title func(i int) string) template.HTML {
	const width = 44
	year0, month0, _ := first.Date()
	before := int(month0) - 1
	n, charged := len(h.counts), 0
	for _, c := range h.counts {
		if c > 0 {
			charged++
		}
	}
	years := (before + n + 11) / 12
	var d drawing
	var plain mosaic
	d.open("heat", "heat", heatLeft+12*(width+2), heatTop+years*heatStep, "Months", about)
	for month, name := range [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"} {
		d.label(heatLeft+month*(width+2), 9, name)
	}
	for year := range years {
		d.label(0, heatTop+year*heatStep+9, strconv.Itoa(year0+year))
	}
	for i := range n {
		at := before + i
		x, y := heatLeft+at%12*(width+2), heatTop+at/12*heatStep
		if h.counts[i] == 0 || charged > mostTitles {
			plain.add(x, y, width, h.level(i))
			continue
		}
		d.square(x, y, width, h.level(i), title(i))
	}
	plain.drawOn(&d)
	return d.close()
}

// The size of a drawing of sums.
const (
	curveWidth  = 600
	curveHeight = 120
	curveSteps  = 150
)

// curve draws how a sum grows over n days or months.
func curve(id, title, about string, n int, at func(i int) cell, total cell) template.HTML {
	var low, high amount.Sum
	var under, over drawing
	under.text("M0 ").number(curveHeight)
	over.text("M0 ").number(curveHeight)
	step := max(1, (n+curveSteps-1)/curveSteps)
	for i := range n {
		c := at(i)
		low.AddSum(c.Min)
		high.AddSum(c.Max)
		if i%step != step-1 && i != n-1 {
			continue
		}
		x := curveWidth * (i - i%step) / n
		under.text("H").number(x).text("V").number(curveHeight - share(low, total.Max, curveHeight-4))
		over.text("H").number(x).text("V").number(curveHeight - share(high, total.Max, curveHeight-4))
	}
	under.text("H").number(curveWidth)
	over.text("H").number(curveWidth)
	var d drawing
	d.open("curve", id, curveWidth, curveHeight, title, about)
	d.text(`<path class="grid" d="M0 `).number(curveHeight).text("H").number(curveWidth).text(`M0 `).number(curveHeight / 2).text("H").number(curveWidth).text(`"/>`)
	area := "V" + strconv.Itoa(curveHeight) + "z"
	if !words.IsFixed(total.Sums) {
		d.text(`<path class="band" d="` + string(over.b) + area + `"/><path class="edge" d="` + string(over.b) + `"/>`)
	}
	d.text(`<path class="area" d="` + string(under.b) + area + `"/><path class="line" d="` + string(under.b) + `"/>`)
	return d.close()
}

// barOf draws a sum next to its number: solid to its lower bound, light from there to its upper
// one.
func barOf(c *cell, most amount.Sum) template.HTML {
	low, high := share(c.Min, most, 100), share(c.Max, most, 100)
	var d drawing
	d.text(`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">`)
	if high > low {
		d.text(`<rect class="light" width="`).number(high).text(`" height="8"/>`)
	}
	d.text(`<rect width="`).number(low).text(`" height="8"/>`)
	return d.close()
}

// timeline draws a strip over so many parts.
func (s *strip) timeline(bins int, title string) template.HTML {
	var d drawing
	d.text(`<svg class="strip" viewBox="0 0 `).number(bins).text(` 8" preserveAspectRatio="none" role="img"><title>` + html.EscapeString(title) + `</title>`)
	for layer, class := range [layerCount]string{"c", "e", "d", "x"} {
		at, begun := 0, false
		for from, length := range s.runs(layer) {
			if !begun {
				begun = true
				d.text(`<path class="` + class + `" d="M0 4`)
			}
			d.text("m").number(from - at).text(" 0h").number(length)
			at = from + length
		}
		if begun {
			d.text(`"/>`)
		}
	}
	return d.close()
}
