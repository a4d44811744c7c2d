package main

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// The chart has one panel for each growth, side by side, on logarithmic axes: a line as steep as the
// guide doubles when its input doubles, and a level one does not grow.
const (
	panelWidth  = 260
	panelHeight = 260
	panelGap    = 64
	chartLeft   = 64
	chartTop    = 64
	chartWidth  = chartLeft + 3*panelWidth + 2*panelGap + 76
	chartHeight = chartTop + panelHeight + 84
	leastTime   = 100 * time.Microsecond // at the foot of the axis
	mostDecades = 6                      // up to 100 s
)

const chartStyle = `<style>
text{font:12px system-ui,sans-serif;fill:#334}
.title{font-size:15px;font-weight:600;fill:#112}
.panel{font-size:13px;font-weight:600;fill:#112}
.small{font-size:11px;fill:#667}
.grid{stroke:#dde;stroke-width:1}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.ours{stroke:#0b62c4}.theirs{stroke:#b4480a}
.dot-ours{fill:#0b62c4}.dot-theirs{fill:#b4480a}
.name-ours{fill:#0b62c4;font-weight:600}.name-theirs{fill:#b4480a;font-weight:600}
.back{fill:#fff}
@media (prefers-color-scheme:dark){
text{fill:#ccd}.title,.panel{fill:#eef}.small{fill:#99a}.grid{stroke:#334}.back{fill:#11151c}
.ours{stroke:#6db3ff}.theirs{stroke:#ff9a5c}.dot-ours,.name-ours{fill:#6db3ff}.dot-theirs,.name-theirs{fill:#ff9a5c}}
</style>
`

// growthChart is growth.svg.
func growthChart(curves []growth, machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="t d">`+"\n", chartWidth, chartHeight)
	b.WriteString(`<title id="t">Time for totals by day and currency</title>` + "\n")
	fmt.Fprintf(&b, "<desc id=\"d\">%s</desc>\n", chartText(curves))
	b.WriteString(chartStyle)
	fmt.Fprintf(&b, `<rect class="back" width="%d" height="%d"/>`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<text class="title" x="%d" y="24">Time for totals by day and currency, both axes logarithmic</text>`+"\n", chartLeft)
	for i := range curves {
		drawPanel(&b, &curves[i], chartLeft+i*(panelWidth+panelGap))
	}
	fmt.Fprintf(&b, `<text class="small" x="%d" y="%d">%s</text>`+"\n", chartLeft, chartHeight-14, machine)
	b.WriteString("</svg>\n")
	return b.String()
}

// chartText is the chart in words.
func chartText(curves []growth) string {
	var parts []string
	for _, g := range curves {
		first, last := g.points[0], g.points[len(g.points)-1]
		text := fmt.Sprintf("%s from %s to %s: chargecast from %s to %s", g.title, thousands(first.x), thousands(last.x), growthTime(first.ours), growthTime(last.ours))
		if p, ok := g.lastNaive(); ok {
			text += fmt.Sprintf("; rrule-go, decimal and map from %s to %s at %s", growthTime(first.theirs), growthTime(p.theirs), thousands(p.x))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ". ") + "."
}

// lastNaive is the last point at which the naive side was run.
func (g *growth) lastNaive() (last growthPoint, ok bool) {
	for _, p := range g.points {
		if p.theirs > 0 {
			last, ok = p, true
		}
	}
	return last, ok
}

// A panel translates the values of one growth to places in the chart.
type panel struct {
	left     float64
	from, to float64 // logarithms of x
}

func (p panel) x(v int) float64 {
	return p.left + panelWidth*(math.Log10(float64(v))-p.from)/(p.to-p.from)
}

func (p panel) y(d time.Duration) float64 {
	return chartTop + panelHeight - panelHeight*math.Log10(float64(d)/float64(leastTime))/mostDecades
}

func drawPanel(b *strings.Builder, g *growth, left int) {
	first, last := g.points[0].x, g.points[len(g.points)-1].x
	p := panel{float64(left), math.Log10(float64(first)), math.Log10(float64(last))}
	fmt.Fprintf(b, `<text class="panel" x="%d" y="%d">%s</text>`+"\n", left, chartTop-14, g.title)
	d := leastTime
	for range mostDecades + 1 {
		fmt.Fprintf(b, `<path class="grid" d="M%d %.1fh%d"/>`+"\n", left, p.y(d), panelWidth)
		fmt.Fprintf(b, `<text class="small" x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left-6, p.y(d)+4, growthTime(d))
		d *= 10
	}
	for v := first; v <= last; v *= 10 {
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %dv%d"/>`+"\n", p.x(v), chartTop, panelHeight)
		fmt.Fprintf(b, `<text class="small" x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", p.x(v), chartTop+panelHeight+16, thousands(v))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", left, chartTop+panelHeight+38, g.axis)
	drawLine(b, g, p, "ours", "chargecast", func(q growthPoint) time.Duration { return q.ours })
	drawLine(b, g, p, "theirs", "rrule-go, decimal, map", func(q growthPoint) time.Duration { return q.theirs })
}

// nameWidth is about how wide the name of a line is, with its margin.
const nameWidth = 180

// drawLine draws one side of a panel and names it at its beginning, above all of it that is near.
func drawLine(b *strings.Builder, g *growth, p panel, class, name string, of func(growthPoint) time.Duration) {
	var path, dots strings.Builder
	top, command := math.Inf(1), "M"
	for _, q := range g.points {
		if of(q) == 0 {
			continue
		}
		x, y := p.x(q.x), p.y(of(q))
		fmt.Fprintf(&path, "%s%.1f %.1f", command, x, y)
		fmt.Fprintf(&dots, `<circle class="dot-%s" cx="%.1f" cy="%.1f" r="3"><title>%s: %s</title></circle>`+"\n", class, x, y, thousands(q.x), growthTime(of(q)))
		if x <= p.left+nameWidth {
			top = min(top, y)
		}
		command = "L"
	}
	fmt.Fprintf(b, `<path class="line %s" d="%s"/>`+"\n%s", class, path.String(), dots.String())
	fmt.Fprintf(b, `<text class="name-%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, p.left+8, top-10, name)
}
