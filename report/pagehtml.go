package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
)

// pageBytes is the largest size of a page.
const pageBytes = 300_000

// appendPage appends the page. html/template escapes every text. The parts before and after the
// profiles are written first, and the profiles get the room that is left.
func (p *page) appendPage(dst []byte) []byte {
	v := p.view()
	v.Style = template.HTML("<style>" + pageStyle + "</style>")
	v.Script = template.HTML("<script>" + pageScript + "</script>")
	v.Policy = template.HTML(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src ` +
		sourceHash(pageStyle) + `; script-src ` + sourceHash(pageScript) + `; base-uri 'none'; form-action 'none'">`)
	page := template.Must(template.New("page").Parse(pageTemplate))
	var front, profiles, back bytes.Buffer
	write := func(part string, to *bytes.Buffer) { _ = page.ExecuteTemplate(to, part, v) } // which cannot fail
	write("front", &front)
	write("back", &back)
	p.addProfiles(v, pageBytes-front.Len()-back.Len())
	write("profiles", &profiles)
	for _, part := range [...]*bytes.Buffer{&front, &profiles, &back} {
		dst = append(dst, part.Bytes()...)
	}
	return dst
}

// sourceHash is how the policy of the page names an element that a browser may use.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

const pageTemplate = `{{define "front"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{{.Policy}}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>{{.Title}}, {{.Window}}</title>
{{.Style}}
</head>
<body>
<a class="skip" href="#main">Skip to the figures</a>
<header>
<h1>{{.Title}}</h1>
<p class="window">{{.Window}}</p>
<ul class="notes">{{range .Notes}}<li>{{.}}</li>{{end}}</ul>
<nav aria-label="Sections"><ul>
<li><a href="#totals">Totals</a></li>
{{- if .Heat}}
<li><a href="#heat-map">Calendar</a></li>
{{- end}}
{{- if .Curves}}
<li><a href="#running">Running totals</a></li>
{{- end}}
{{- if .Months}}
<li><a href="#months">{{.MonthsName}}s</a></li>
{{- end}}
{{- if .HasProfiles}}
<li><a href="#profiles">Profiles</a></li>
{{- end}}
{{- if .Cards}}
<li><a href="#cards">Cards</a></li>
{{- end}}
{{- if .Compared}}
<li><a href="#other">Other readings</a></li>
{{- end}}
<li><a href="#basis">Basis</a></li>
</ul></nav>
</header>
<main id="main">
<section aria-labelledby="totals">
<h2 id="totals">Totals</h2>
<dl class="facts">
{{- range .Facts}}
<div><dt>{{.Name}}</dt><dd>{{.Value}}{{if .Note}} <span>{{.Note}}</span>{{end}}</dd></div>
{{- end}}
</dl>
{{- if .Totals}}
<div class="scroll" role="region" aria-label="Totals by currency" tabindex="0">
<table>
<thead><tr><th scope="col">Currency</th><th scope="col" class="n">Charges</th><th scope="col" class="n">Sum</th><th scope="col" class="n">Stated</th><th scope="col" class="n">Inferred</th><th scope="col" class="n">Assumed</th>
{{- if .HasExpired}}<th scope="col" class="n">After the card’s expiry</th>{{end}}
{{- if .HasDeclined}}<th scope="col" class="n">Declined</th>{{end}}</tr></thead>
<tbody>
{{- $expired := .HasExpired}}{{$declined := .HasDeclined}}
{{- range .Totals}}
<tr><th scope="row">{{.Currency}}</th><td class="n">{{.Charges}}</td><td class="n sum">{{.Sum}}{{if .Mean}} <span>mean {{.Mean}}</span>{{end}}</td>{{range .Parts}}<td class="n">{{or . "–"}}</td>{{end}}
{{- if $expired}}<td class="n late">{{or .Expired "–"}}</td>{{end}}
{{- if $declined}}<td class="n">{{or .Declined "–"}}</td>{{end}}</tr>
{{- end}}
</tbody>
</table>
</div>
<p class="legend">Amounts in different currencies are not added up. Each sum is divided by the basis of its dates and amounts: <b>stated</b> by the document, <b>inferred</b> from its wording, or <b>assumed</b> where it is silent.{{if .TotalsLeft}} {{.TotalsLeft}}{{end}}</p>
{{- else}}
<p>No charge in this window.</p>
{{- end}}
</section>
{{- if .Heat}}
<section aria-labelledby="heat-map">
<h2 id="heat-map">Calendar</h2>
<div class="scroll" role="region" aria-label="Heat map" tabindex="0">{{.Heat}}</div>
<p class="legend"><span class="key" aria-hidden="true"><i class="l0"></i><i class="l1"></i><i class="l2"></i><i class="l3"></i><i class="l4"></i></span> From nothing to {{.HeatTop}}, a quarter more with each shade. {{.HeatText}}</p>
</section>
{{- end}}
{{- if .Curves}}
<section aria-labelledby="running">
<h2 id="running">Running totals</h2>
<div class="curves">
{{- range .Curves}}
<figure><figcaption><b>{{.Currency}}</b> <span class="sum">{{.Total}}</span></figcaption>{{.Drawing}}<p class="legend">{{.Text}}</p></figure>
{{- end}}
</div>
{{- if .CurvesLeft}}
<p class="legend">{{.CurvesLeft}}</p>
{{- end}}
</section>
{{- end}}
{{- if .Months}}
<section aria-labelledby="months">
<h2 id="months">{{.MonthsName}}s</h2>
<div class="scroll" role="region" aria-label="Sums by {{.MonthsName}}" tabindex="0">
<table class="groups">
<thead><tr><th scope="col">{{.MonthsName}}</th><th scope="col">Currency</th><th scope="col" class="n">Charges</th><th scope="col" class="n">Sum</th><th scope="col" class="wide">Share of the largest</th><th scope="col" class="n">Running total</th><th scope="col">Basis</th></tr></thead>
{{- range .Months}}
<tbody>
{{- $month := .}}{{range $i, $row := .Rows}}
<tr>{{if not $i}}<th scope="rowgroup" rowspan="{{len $month.Rows}}">{{$month.Name}}</th>{{end}}<td>{{.Currency}}</td><td class="n">{{.Charges}}</td><td class="n sum">{{or .Sum "–"}}</td><td>{{.Bar}}</td><td class="n">{{or .Running "–"}}</td><td>{{.Basis}}</td></tr>
{{- end}}
</tbody>
{{- end}}
</table>
</div>
{{- if .MonthsLeft}}
<p class="legend">{{.MonthsLeft}}</p>
{{- end}}
</section>
{{- end}}
{{end}}{{define "profiles"}}
{{- if .HasProfiles}}
<section aria-labelledby="profiles">
<h2 id="profiles">Profiles</h2>
<div class="find" role="search" id="finder" hidden><label for="find">Search the profiles shown</label> <input id="find" type="search" autocomplete="off" spellcheck="false"> <output id="found" for="find"></output></div>
<p class="legend above">{{.ProfilesShown}} The timelines run from {{.From}} to {{.Through}}: <span class="key" aria-hidden="true"><i class="c"></i></span> charged, {{if .HasExpired}}<span class="key" aria-hidden="true"><i class="e"></i></span> charged after the card’s expiry, {{end}}{{if .HasDeclined}}<span class="key" aria-hidden="true"><i class="d"></i></span> declined, {{end}}<span class="key" aria-hidden="true"><i class="x"></i></span> stopped.</p>
<div class="scroll" role="region" aria-label="Profiles with timelines" tabindex="0">
<table id="list">
<thead><tr><th scope="col">Profile</th><th scope="col" class="n">Charges</th><th scope="col" class="n">Sum</th><th scope="col" class="wide">Timeline</th><th scope="col">End</th><th scope="col">Basis</th></tr></thead>
<tbody>
{{- range .Profiles}}
<tr><th scope="row" class="id">{{.ID}} <span>{{.Where}}</span></th><td class="n">{{.Charges}}</td><td class="n sum">{{if .Sum}}{{.Sum}} {{.Currency}}{{else}}–{{end}}</td><td>{{.Timeline}}</td><td>{{.End}}</td><td>{{.Basis}}</td></tr>
{{- end}}
</tbody>
</table>
</div>
</section>
{{end}}{{end}}{{define "back"}}
{{- if .Cards}}
<section aria-labelledby="cards">
<h2 id="cards">Cards that expire</h2>
<p>These profiles have charges after the last day of the card’s expiry month. The sums above include them.{{if .CardsShown}} {{.CardsShown}}{{end}}</p>
<div class="scroll" role="region" aria-label="Profiles whose card expires" tabindex="0">
<table>
<thead><tr><th scope="col">Profile</th><th scope="col" class="n">Row</th><th scope="col">First charge after the expiry</th><th scope="col" class="n">Charges after it</th><th scope="col" class="n">Sum</th></tr></thead>
<tbody>
{{- range .Cards}}
<tr><th scope="row" class="id">{{.ID}}</th><td class="n">{{.Row}}</td><td>{{.First}}</td><td class="n">{{.Charges}}</td><td class="n sum">{{.Sum}}</td></tr>
{{- end}}
</tbody>
</table>
</div>
</section>
{{- end}}
{{- if .Compared}}
<section aria-labelledby="other">
<h2 id="other">Other readings</h2>
{{- if .Changes}}
<p>Where the document is silent, another reading is possible. These would change a charge or a stop from {{.From}} to {{.Through}}; the others would not.</p>
<div class="scroll" role="region" aria-label="Other readings and what they would change" tabindex="0">
<table>
<thead><tr><th scope="col">Reading</th><th scope="col">Instead of</th><th scope="col">First difference</th><th scope="col" class="n">Profiles</th><th scope="col">Change in money</th></tr></thead>
<tbody>
{{- range .Changes}}
<tr><th scope="row">{{.Key}}={{.Value}} <span>{{.Clause}}</span></th><td>{{.Instead}}</td><td>{{.First}}</td><td class="n">{{.Profiles}}</td><td>{{range $i, $m := .Money}}{{if $i}}<br>{{end}}{{$m}}{{end}}</td></tr>
{{- end}}
</tbody>
</table>
</div>
{{- else}}
<p>Where the document is silent, another reading is possible. None would change a charge or a stop from {{.From}} to {{.Through}}.</p>
{{- end}}
</section>
{{- end}}
<section aria-labelledby="basis">
<h2 id="basis">Basis</h2>
<p>The dates, amounts and stops of this page are based on these clauses. Where the document is silent, a reading was chosen, and the gateway may behave differently.</p>
{{- if .Readings}}
<div class="scroll" role="region" aria-label="Clauses and readings" tabindex="0">
<table>
<thead><tr><th scope="col">Clause</th><th scope="col">Basis</th><th scope="col">Reading</th></tr></thead>
<tbody>
{{- range .Readings}}
<tr><th scope="row">{{.Clause}}</th><td>{{.Basis}}</td><td class="prose">{{.Text}}</td></tr>
{{- end}}
</tbody>
</table>
</div>
{{- end}}
</section>
</main>
<footer><p>Written by chargecast. This page loads nothing from the network.</p></footer>
{{.Script}}
</body>
</html>
{{end}}`
