package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
)

// A column of the totals: the charges of one basis.
type basisColumn struct {
	basis ledger.Basis
	name  string
}

func (p *page) totals() markup {
	var m, rows markup
	m.put(`<dl class="facts">` + "\n")
	p.facts(&m)
	m.put("</dl>\n")
	accounts := p.sums.sorted()
	if len(accounts) == 0 {
		m.put("<p>No charge in this window.</p>\n")
		return m
	}
	heads := []head{{"Currency", "", ""}, {"Charges", "n", "n"}, {"Sum", "n", "n sum"}}
	var bases []basisColumn
	for _, column := range []basisColumn{{ledger.Stated, "Stated"}, {ledger.Observed, "Observed"}, {ledger.Inferred, "Inferred"}, {ledger.Assumed, "Assumed"}} {
		isUsed := func(a *account) bool { return !a.basis[column.basis].IsZero() }
		if column.basis != ledger.Observed || slices.ContainsFunc(accounts, isUsed) {
			bases, heads = append(bases, column), append(heads, head{column.name, "n", "n"})
		}
	}
	isExpired := slices.ContainsFunc(accounts, func(a *account) bool { t := a.total(); return t.CardExpired.Charges > 0 })
	isDeclined := slices.ContainsFunc(accounts, func(a *account) bool { t := a.total(); return t.Declined.Charges > 0 })
	if isExpired {
		heads = append(heads, head{"After the card’s expiry", "n", "n late"})
	}
	if isDeclined {
		heads = append(heads, head{"Declined", "n", "n"})
	}
	for _, a := range accounts {
		t := a.total()
		sum := made("%", p.money(t.Total, a.currency))
		if !words.IsFixed(t.Total) {
			sum.put(" <span>mean %</span>", grouped(string(scaled(t.Total, p.places[a.currency]).AppendMean(nil))))
		}
		cells := []any{code(a.currency), count64(t.Charges), sum}
		for _, column := range bases {
			cells = append(cells, p.money(a.basis[column.basis].Total, a.currency))
		}
		if isExpired {
			cells = append(cells, p.money(t.CardExpired, a.currency))
		}
		if isDeclined {
			cells = append(cells, p.money(t.Declined, a.currency))
		}
		rows.row(heads, cells...)
	}
	m.table("Totals by currency", nil, heads, rows)
	m.put(`<p class="legend">Currencies are not added up. Each sum is divided by the basis of its dates and amounts: ` +
		`<b>stated</b> by the document, <b>inferred</b> from its wording, <b>assumed</b> where it is silent`)
	if slices.ContainsFunc(bases, func(c basisColumn) bool { return c.basis == ledger.Observed }) {
		m.put(", <b>observed</b> in charges that took place")
	}
	m.put(".")
	if p.sums.left > 0 {
		m.put(" The first % currencies are shown; others have %.", maxCurrencies, chargesInWords(p.sums.left))
	}
	m.put("</p>\n")
	return m
}

// facts are the figures at the top.
func (p *page) facts(m *markup) {
	fact := func(name, value, note string) {
		m.put("<div><dt>%</dt><dd>%", name, value)
		if note != "" {
			m.put(" <span>%</span>", note)
		}
		m.put("</dd></div>\n")
	}
	charges, declined, late := p.sums.left, uint64(0), uint64(0)
	for _, a := range p.sums.accounts {
		t := a.total()
		charges, declined, late = charges+t.Charges, declined+t.Declined.Charges, late+t.CardExpired.Charges
	}
	var quiet, approved, after string
	if p.quiet > 0 {
		quiet = count(p.quiet) + " without a charge"
	}
	if declined > 0 {
		approved = "approved; " + count64(declined) + " declined"
	}
	if late > 0 {
		after = chargesInWords(late) + " after the expiry"
	}
	fact("Profiles", count(p.profiles), quiet)
	fact("Charges", count64(charges), approved)
	fact("Stops", count(p.stopped), "profiles that stop in this window")
	fact("Cards that expire", count(p.expiring), cmp.Or(after, "before a charge of this window"))
	if p.isSimulation() {
		fact("Events", count(p.events[engine.ResultAccepted]),
			"accepted; "+count(p.events[engine.ResultIgnored])+" ignored, "+count(p.events[engine.ResultRefused])+" refused")
	}
}

// heatMap draws the days of the window, as many as are kept.
func (p *page) heatMap() markup {
	if len(p.sums.accounts) == 0 {
		return nil
	}
	days := min(p.last.Sub(p.first())+1, pageDays)
	h := newHeat(p.sums.sorted(), p.first(), days)
	quiet, most := 0, 0
	for i, n := range h.counts {
		switch {
		case n == 0:
			quiet++
		case h.currency == "" && n > h.counts[most], h.currency != "" && h.money[i].Compare(h.money[most]) > 0:
			most = i
		}
	}
	name := func(i int) string { return string(words.AppendDay(nil, p.first().AddDays(i))) }
	text, day := "", ""
	if h.peak > 0 {
		day = name(most)
		text = "The most is charged on " + day + ": " + h.top(p) + ". "
	}
	if quiet > 0 {
		text += count(quiet) + " of " + count(days) + " days have no charge."
	}
	if left := p.last.Sub(p.first()) + 1 - days; left > 0 {
		text += " " + count(left) + " later days are not shown: chargecast forecast --by day lists all."
	}
	title := func(i int) string {
		s, named := name(i)+": "+chargesInWords(h.counts[i]), 0
		for _, a := range h.accounts {
			if c := a.days[p.first().AddDays(i)]; c != nil && named < mostNamed {
				s += ", " + p.money(c.Total, a.currency) + " " + code(a.currency)
				named++
			}
		}
		return s
	}
	var m, key markup
	for level := range heatLevels + 1 {
		key.put(`<i class="l%"></i>`, level)
	}
	m.put(`<div class="scroll" role="region" aria-label="Heat map" tabindex="0">%</div>`+"\n",
		h.draw("What is charged on each day, darker for more. "+text, title))
	before, after, _ := strings.Cut(text, day)
	m.put(`<p class="legend"><span class="key" aria-hidden="true">%</span> Each shade is a quarter of the largest day. %<span class="d">%</span>%</p>`+"\n",
		key, before, day, after)
	return m
}

// months is the table of the months, with the sums of their quarters.
func (p *page) months() markup {
	list := p.sums.periods()
	if len(p.sums.accounts) == 0 {
		return nil
	}
	heads := []head{
		{"Month", "", ""}, {"Currency", "", ""}, {"Charges", "n", "n"}, {"Sum", "n", "n sum"}, {"Share of the largest month", "wide", ""}, {"Basis", "", ""},
	}
	var m, rows markup
	for i := 0; i < len(list); {
		n := 1
		for i+n < len(list) && list[i+n].name == list[i].name {
			n++
		}
		if i > 0 {
			rows.put("\n</tbody>\n<tbody%>", classIf(isQuarter(list[i].name), "quarter"))
		}
		for k, x := range list[i : i+n] {
			rows.put("\n<tr>")
			if k == 0 {
				rows.put(`<th scope="rowgroup" rowspan="%">%%</th>`, n, x.name, p.partOf(x.name))
			}
			var bar markup
			if !isQuarter(x.name) {
				bar = drawBar(x.Total, x.largest)
			}
			rows.cells(heads[1:], code(x.currency), count64(x.Charges), p.money(x.Total, x.currency), bar, x.basis.String())
			rows.put("</tr>")
		}
		i += n
	}
	if list != nil {
		m.table("Sums by month and quarter", made(` class="groups"`), heads, rows)
	}
	var left []string
	for _, a := range p.sums.sorted() {
		if a.beyond.Charges > 0 {
			left = append(left, chargesInWords(a.beyond.Charges)+", "+p.money(a.beyond.Total, a.currency)+" "+code(a.currency))
		}
	}
	if left != nil {
		m.put(`<p class="legend">Outside the % months shown: %. chargecast forecast --by month lists all.</p>`+"\n", pageMonths, strings.Join(left, "; "))
	}
	return m
}

func isQuarter(name string) bool { return strings.Contains(name, "Q") }

func classIf(on bool, name string) markup {
	if !on {
		return nil
	}
	return classOf(name)
}

// partOf says which part of a month is in the window; nothing if all of it is.
func (p *page) partOf(name string) markup {
	from, through := p.first().String(), p.last.String()
	year, month, day := p.last.Date()
	begins := strings.HasPrefix(from, name) && !strings.HasSuffix(from, "-01")
	ends := strings.HasPrefix(through, name) && day < calendar.DaysIn(year, month)
	from, through = from[len("2026-"):], through[len(through)-len("01-31"):]
	switch {
	case begins && ends:
		return made("<span>% to %</span>", from, through)
	case begins:
		return made("<span>from %</span>", from)
	case ends:
		return made("<span>to %</span>", through)
	}
	return nil
}

// where names a profile with its place.
func where(of *pageProfile) markup {
	place := "row " + strconv.Itoa(of.Row)
	if of.File != "" {
		place = short(of.File, idCharacters) + ", " + place
	}
	return made("% <span>%</span>", short(of.Profile, idCharacters), place)
}

// more says how many of a list are not shown, and which command lists all.
func (m *markup) more(left int, noun, command string) {
	if left > 0 {
		m.put(`<p class="legend">% more % not shown: % lists all.</p>`+"\n", count(left), noun, command)
	}
}

// profileList is the table of the first profiles.
func (p *page) profileList() markup {
	if p.profiles == 0 {
		return nil
	}
	heads := []head{{"Profile", "", "id"}, {"Charges", "n", "n"}, {"Sum", "n", "n sum"}, {"First", "", "d"}, {"Last", "", "d"}, {"End", "", ""}, {"Basis", "", ""}}
	var m, rows markup
	for i := range p.listed {
		of := &p.listed[i]
		charges, sum := count64(of.Charges), p.money(of.Total, of.Currency)
		if n := of.Declined.Charges; n > 0 {
			charges += ", " + count64(n) + " declined"
		}
		if sum != "" {
			sum += " " + code(of.Currency)
		}
		first, last := "", ""
		if !of.first.IsZero() {
			first, last = of.first.String(), of.last.String()
		}
		end := words.End(&of.end)
		if of.IsZero() && of.noCharge != "" {
			end += "; " + of.noCharge
		}
		rows.row(heads, where(of), charges, sum, first, last, end, of.basis.String())
	}
	m.put(`<div class="find" role="search" id="finder" hidden><label for="find">Search the profiles shown</label> ` +
		`<input id="find" type="search" autocomplete="off" spellcheck="false"> <output id="found" for="find"></output></div>` + "\n")
	m.table("All profiles", made(` id="list"`), heads, rows)
	m.more(p.profiles-len(p.listed), "profiles are", "chargecast forecast --by profile")
	return m
}

// cardList is the table of cards that expire, in order of the charge that comes too late.
func (p *page) cardList() markup {
	var m, rows markup
	if unread := p.unread.String(); unread != "" {
		m.put("<p>%.</p>\n", unread)
	}
	if len(p.cards) == 0 {
		return m
	}
	slices.SortStableFunc(p.cards, func(a, b pageProfile) int { return a.expired.Compare(b.expired) })
	heads := []head{{"Profile", "", "id"}, {"First charge after the expiry", "", "d"}, {"Charges after it", "n", "n"}, {"Sum after it", "n", "n sum"}}
	for i := range p.cards {
		of := &p.cards[i]
		rows.row(heads, where(of), of.expired.String(), count64(of.CardExpired.Charges), p.money(of.CardExpired, of.Currency)+" "+code(of.Currency))
	}
	m.put("<p>These profiles have charges after the last day of the card’s expiry month. The sums above include them.</p>\n")
	m.table("Profiles whose card expires", nil, heads, rows)
	m.more(p.expiring-len(p.cards), "cards are", "chargecast forecast --by profile -o csv")
	return m
}

const problemCharacters = 400

// problemList is the table of the problems of the payload.
func (p *page) problemList() markup {
	if p.problems == 0 {
		return nil
	}
	heads := []head{{"Row", "", ""}, {"Problem", "", ""}, {"Severity", "", "d"}}
	var m, rows markup
	for i := range p.faults {
		f := &p.faults[i]
		row := ""
		if f.Place.Row > 0 {
			row = strconv.Itoa(f.Place.Row)
		}
		about := string(f.Code)
		if f.Place.Profile != "" {
			about = "profile " + short(f.Place.Profile, idCharacters) + ", " + about
		}
		problem := made("% <span>%</span>", short(messageOf(f), problemCharacters), about)
		if f.Help != "" {
			problem.put(" <span>%</span>", short(f.Help, problemCharacters))
		}
		rows.row(heads, row, problem, f.Severity.String())
	}
	m.put("<p>Rows with errors are left out of this page.</p>\n")
	m.table("All problems", nil, heads, rows)
	m.more(p.problems-len(p.faults), "problems are", "chargecast validate -o ndjson")
	return m
}

// otherReadings is the table of what other readings would change.
func (p *page) otherReadings() markup {
	if p.changes == nil {
		return nil
	}
	var m, rows markup
	m.put("<p>Where the document is silent, another reading is possible. ")
	first, last := p.first().String(), p.last.String()
	if len(p.changes) == 0 {
		m.put("None would change a charge or a stop from % to %.</p>\n", first, last)
		return m
	}
	m.put("These would change a charge or a stop from % to %; the others would not.</p>\n", first, last)
	heads := []head{{"Reading", "", ""}, {"Instead of", "", ""}, {"First difference", "", "d"}, {"Profiles", "n", "n"}, {"Change in money", "", ""}}
	for _, r := range p.changes.Sorted() {
		c, name := p.changes[r], made("%=% <span>%</span>", r.Clause.Key(), r.Value, r.Clause.String())
		rows.row(heads, name, p.head.Policy.Reading(r.Clause).Value, c.First.String(), profilesInWords(c), moneyInWords(c, p.places))
	}
	m.table("Other readings and what they would change", nil, heads, rows)
	return m
}
