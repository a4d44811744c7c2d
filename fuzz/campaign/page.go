package campaign

import (
	"html"
	"strconv"
	"strings"
)

// pageHead begins the page. It loads nothing and runs nothing.
const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>chargecast-conform</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 2rem }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid #8884; vertical-align: top }
.n { text-align: right; font-variant-numeric: tabular-nums }
.fails td { font-weight: 600 }
code { overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
`

// A page is HTML that grows. Every text that comes from outside goes through text.
type page struct{ b []byte }

func (p *page) raw(s string)  { p.b = append(p.b, s...) }
func (p *page) text(s string) { p.raw(html.EscapeString(clean(s))) }

// element writes a text in an element.
func (p *page) element(name, text string) {
	p.raw("<" + name + ">")
	p.text(text)
	name, _, _ = strings.Cut(name, " ")
	p.raw("</" + name + ">\n")
}

// figure begins the text of a cell that holds a number. No text from outside begins with it, once
// it is clean.
const figure = "\x00"

// table begins a table; a column that begins with figure holds numbers.
func (p *page) table(caption string, columns ...string) {
	p.raw("<table>\n")
	p.element("caption", caption)
	p.raw("<thead><tr>")
	for _, c := range columns {
		if name, isNumber := strings.CutPrefix(c, figure); isNumber {
			p.element(`th scope="col" class="n"`, name)
		} else {
			p.element(`th scope="col"`, c)
		}
	}
	p.raw("</tr></thead>\n<tbody>\n")
}

// row writes a row; a cell that begins with figure is a number.
func (p *page) row(fails bool, cells ...string) {
	if fails {
		p.raw(`<tr class="fails">`)
	} else {
		p.raw("<tr>")
	}
	for _, c := range cells {
		if n, isNumber := strings.CutPrefix(c, figure); isNumber {
			p.element(`td class="n"`, n)
		} else {
			p.element("td", c)
		}
	}
	p.raw("</tr>\n")
}

func (p *page) endTable() { p.raw("</tbody>\n</table>\n") }

// AppendHTML appends the report as one page that asks the network for nothing.
func (r Report) AppendHTML(dst []byte) []byte {
	p := &page{append(dst, pageHead...)}
	p.element("h1", r.headline())
	p.element("p", "Seed "+number(r.Seed)+", campaign "+strconv.Itoa(r.Campaigns)+" of this corpus"+r.timeText()+".")
	r.pageFindings(p)
	r.pageLaws(p)
	r.pageTargets(p)
	p.raw("</main>\n</body>\n</html>\n")
	return p.b
}

func (r Report) pageFindings(p *page) {
	if len(r.Findings) == 0 {
		return
	}
	p.table("Findings", "finding", "state", "about", "message", "again")
	for _, f := range r.Findings {
		message := f.summary()
		if f.ShrinkStopped != "" {
			message += "; not shrunk further: " + f.ShrinkStopped
		}
		p.row(f.Fails(), f.ID, f.state(), f.where(), message, f.again())
	}
	p.endTable()
}

func (r Report) pageLaws(p *page) {
	if len(r.Laws) == 0 {
		return
	}
	p.table("Cases by law: "+number(r.Cases())+rate(r.Cases(), r.LawTime, "cases"), "law", "formula", "clause", figure+"cases", figure+"share", figure+"in all campaigns", figure+"findings")
	for _, l := range r.Laws {
		p.row(l.Findings > 0, l.ID, l.Formula, l.Clause, figure+number(l.Cases), figure+percent(l.Cases, r.Cases()), figure+number(l.All), figure+strconv.Itoa(l.Findings))
	}
	p.endTable()
	if r.Incomplete != "" {
		p.element("p", r.Incomplete+".")
	}
	if r.Grid.Whole > 0 {
		p.element("p", "Grid of C30: "+number(r.Grid.Series)+" series; "+number(r.Grid.All)+" of "+number(r.Grid.Whole)+" so far.")
	}
	p.table("Pairs of input classes: "+r.pairsText(), "dimension", "with", figure+"met", figure+"possible")
	for _, pair := range r.Pairs {
		p.row(pair.Met < pair.Possible, pair.A, pair.B, figure+strconv.Itoa(pair.Met), figure+strconv.Itoa(pair.Possible))
	}
	p.endTable()
	if len(r.Unmet) > 0 {
		p.raw("<ul>\n")
		for _, pair := range r.Unmet {
			p.element("li", "not met: "+pair)
		}
		p.raw("</ul>\n")
	}
}

func (r Report) pageTargets(p *page) {
	if len(r.Targets) == 0 {
		return
	}
	caption := "Native targets"
	if r.NoEngine != "" {
		caption += ": the Go engine did not run: " + r.NoEngine
	}
	p.table(caption, "target", "turn", figure+"in all campaigns", figure+"inputs kept", figure+"new", figure+"findings", "remark")
	for _, t := range r.Targets {
		p.row(t.Findings > 0, t.Name, t.inputsText(), figure+number(t.All), figure+strconv.Itoa(t.Corpus), figure+strconv.Itoa(t.New), figure+strconv.Itoa(t.Findings), t.Incomplete)
	}
	p.endTable()
}
