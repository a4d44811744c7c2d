package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
)

// The limits of the sections. What is beyond them is counted, and the page says so.
const (
	idCharacters = 64
	mostTotals   = 50 // currencies with a total
	mostCurves   = 6
	mostMonths   = 200 // rows by month, and by year where there would be more
	mostCards    = 40
	mostNamed    = 3      // currencies of a square of the heat map, and of another reading
	titleBytes   = 50_000 // of what is said of the squares; the others name their time only
	listBytes    = 2_000  // of the list of profiles without its rows
)

// short returns a text for people, cut to so many characters.
func short(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return termtext.Visible(s[:i]) + "…"
		}
	}
	return termtext.Visible(s)
}

// code returns a currency for people.
func code(currency string) string { return short(currency, 8) }

// money returns a sum for people; empty for no charges.
func money(s amount.Total) string {
	if s.Charges == 0 {
		return ""
	}
	return words.Between(grouped(s.Min.String()), grouped(s.Max.String()), words.IsFixed(s))
}

func count(n int) string { return grouped(strconv.Itoa(n)) }

func count64(n uint64) string { return grouped(strconv.FormatUint(n, 10)) }

// grouped writes the digits in front of the point in groups of three, with narrow spaces that do
// not break.
func grouped(s string) string {
	whole, _, _ := strings.Cut(s, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		s = s[:at] + "\u202f" + s[at:]
	}
	return s
}

func (p *page) totals() markup {
	var m, rows markup
	m.put(`<dl class="facts">` + "\n")
	p.facts(&m)
	m.put("</dl>\n")
	accounts := append(p.book.dated(), p.book.others()...)
	if len(accounts) == 0 {
		m.put("<p>No charge in this window.</p>\n")
		return m
	}
	heads := []head{{"Currency", "", ""}, {"Charges", "n", "n"}, {"Sum", "n", "n sum"}, {"Stated", "n", "n"}}
	bases := []ledger.Basis{ledger.Stated}
	isObserved := slices.ContainsFunc(accounts, func(a *account) bool { return !a.basis[ledger.Observed].IsZero() })
	if isObserved {
		heads, bases = append(heads, head{"Observed", "n", "n"}), append(bases, ledger.Observed)
	}
	heads, bases = append(heads, head{"Inferred", "n", "n"}, head{"Assumed", "n", "n"}), append(bases, ledger.Inferred, ledger.Assumed)
	if p.expired > 0 {
		heads = append(heads, head{"After the card’s expiry", "n", "n late"})
	}
	if p.declined > 0 {
		heads = append(heads, head{"Declined", "n", "n"})
	}
	for _, a := range accounts[:min(len(accounts), mostTotals)] {
		t := a.total()
		sum := made("%", money(t.Total))
		if !words.IsFixed(t.Total) {
			sum.put(" <span>mean %</span>", grouped(string(t.AppendMean(nil))))
		}
		cells := []any{code(a.currency), count64(t.Charges), sum}
		for _, basis := range bases {
			cells = append(cells, money(a.basis[basis].Total))
		}
		if p.expired > 0 {
			cells = append(cells, money(t.CardExpired))
		}
		if p.declined > 0 {
			cells = append(cells, money(t.Declined))
		}
		rows.row(heads, cells...)
	}
	m.table("Totals by currency", nil, heads, rows)
	m.put(`<p class="legend">Amounts in different currencies are not added up. Each sum is divided by the basis of its dates and amounts: ` +
		`<b>stated</b> by the document, `)
	if isObserved {
		m.put(`<b>observed</b> in charges that took place, `)
	}
	m.put(`<b>inferred</b> from its wording, or <b>assumed</b> where it is silent.`)
	if left := len(accounts) - mostTotals; left > 0 {
		m.put(" The page shows % currencies; there are charges in %.", mostTotals, others(left))
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
	var quiet, approved string
	if p.quiet > 0 {
		quiet = count(p.quiet) + " without a charge"
	}
	if p.declined > 0 {
		approved = "approved; " + count64(p.declined) + " declined"
	}
	if p.profiles > 0 {
		fact("Profiles", count(p.profiles), quiet)
	}
	fact("Charges", count64(p.charged), approved)
	if p.profiles > 0 {
		fact("Stops", count(p.stopped), "profiles that stop in this window")
		fact("Cards that expire", count(p.expiring), "before a charge of this window")
	}
	if p.profiles > 0 && p.isSimulation() {
		fact("Events", count(p.events[engine.ResultAccepted]),
			"accepted; "+count(p.events[engine.ResultIgnored])+" ignored, "+count(p.events[engine.ResultRefused])+" refused")
	}
}

func (p *page) heatMap() markup {
	if len(p.book.accounts) == 0 || len(p.times) == 0 {
		return nil
	}
	h := newHeat(p.book.dated(), p.by, p.times)
	quiet, most := 0, 0
	for i, n := range h.counts {
		switch {
		case n == 0:
			quiet++
		case h.currency == "" && n > h.counts[most], h.currency != "" && h.money[i].Compare(h.money[most]) > 0:
			most = i
		}
	}
	each, in, draw := "day", "on ", drawDays
	if p.by == engine.ByMonth {
		each, in, draw = "month", "in ", drawMonths
	}
	name := func(i int) string {
		if p.by == engine.ByMonth {
			return p.by.Value(p.times[i])
		}
		return string(words.AppendDay(nil, p.times[i]))
	}
	text := ""
	if h.peak > 0 {
		text = "The most is charged " + in + name(most) + ": " + h.top() + ". "
	}
	if quiet == 0 {
		text += "There are charges " + in + "each of " + count(len(h.counts)) + " " + each + "s."
	} else {
		text += count(quiet) + " of " + count(len(h.counts)) + " " + each + "s have no charge."
	}
	room := titleBytes
	title := func(i int) string {
		s := name(i)
		if room < 0 {
			return s
		}
		s += ": " + words.Charges(h.counts[i])
		named := 0
		for n, a := range h.accounts {
			if c := &h.sums[n][i]; c.Charges > 0 && named < mostNamed {
				s += ", " + words.Range(c.Total) + " " + code(a.currency)
				named++
			}
		}
		room -= len(s)
		return s
	}
	var m, key markup
	for level := range heatLevels + 1 {
		key.put(`<i class="l%"></i>`, level)
	}
	m.put(`<div class="scroll" role="region" aria-label="Heat map" tabindex="0">%</div>`+"\n",
		draw(h, p.times, "What is charged on each "+each+", darker for more. "+text, title))
	m.put(`<p class="legend"><span class="key" aria-hidden="true">%</span> From nothing to %, a quarter more with each shade. %</p>`+"\n", key, h.top(), text)
	return m
}

func (p *page) curves() markup {
	var m, left markup
	drawn := 0
	for i, a := range p.book.dated() {
		total := a.total()
		if total.Charges == 0 {
			continue
		}
		if drawn++; drawn > mostCurves {
			left.put(`<p class="legend">The first % currencies are drawn; the table of months has the others.</p>`+"\n", mostCurves)
			break
		}
		sum, currency := money(total.Total), code(a.currency)
		text := "From nothing before " + p.book.first.String() + " to " + sum + " " + currency + " on " + p.lastDay.String() + "."
		m.put(`<figure><figcaption><b>%</b> <span class="sum">%</span></figcaption>%<p class="legend">%</p></figure>`+"\n",
			currency, sum, drawCurve("curve"+strconv.Itoa(i), "Running total in "+currency, text, a.sums(p.by, p.times), total.Total), text)
	}
	if m == nil {
		return nil
	}
	return made(`<div class="curves">`+"\n%</div>\n%", m, left)
}

// months is the table of the months, or of the years where there would be too many rows.
func (p *page) months() section {
	name, list := "Month", p.book.periods(false)
	if len(list) > mostMonths {
		name, list = "Year", p.book.periods(true)
	}
	heads := []head{
		{name, "", ""}, {"Currency", "", ""}, {"Charges", "n", "n"}, {"Sum", "n", "n sum"},
		{"Share of its currency’s largest", "wide", ""}, {"Running total", "n", "n"}, {"Basis", "", ""},
	}
	var m, rows markup
	shown := list[:min(len(list), mostMonths)]
	for i, x := range shown {
		begins := i == 0 || shown[i-1].name != x.name
		if begins && i > 0 {
			rows.put("\n</tbody>\n<tbody>")
		}
		rows.put("\n<tr>")
		if begins {
			n := 1
			for i+n < len(shown) && shown[i+n].name == x.name {
				n++
			}
			rows.put(`<th scope="rowgroup" rowspan="%">%%</th>`, n, x.name, p.partOf(x.name))
		}
		rows.cells(heads[1:], code(x.currency), count64(x.Charges), money(x.Total), drawBar(x.Total, x.largest), money(x.running), x.basis.String())
		rows.put("</tr>")
	}
	left := ""
	if len(list) > mostMonths {
		left = "The page shows " + strconv.Itoa(mostMonths) + " rows of " + count(len(list)) + "."
	}
	for _, a := range p.book.dated() {
		if !a.beyond.IsZero() {
			left += " Outside the months shown: " + words.Charges(a.beyond.Charges) + ", " + money(a.beyond.Total) + " " + code(a.currency) + "."
		}
	}
	if len(list) > 0 {
		m.table("Sums by "+name, made(` class="groups"`), heads, rows)
	}
	if left != "" {
		m.put(`<p class="legend">%</p>`+"\n", strings.TrimSpace(left))
	}
	return section{"months", name + "s", name + "s", m}
}

// partOf says which part of a month or a year is in the window; nothing where all of it is.
func (p *page) partOf(name string) markup {
	from, through := p.book.first.String(), p.lastDay.String()
	year, month, day := p.lastDay.Date()
	begins, ends := strings.HasPrefix(from, name), strings.HasPrefix(through, name)
	if first := from[len(name):]; first == "-01" || first == "-01-01" {
		begins = false
	}
	if day == calendar.DaysIn(year, month) && (month == 12 || len(name) > len("2026")) {
		ends = false
	}
	switch {
	case begins && ends:
		return made("<span>% to %</span>", from[len("2026-"):], through[len("2026-"):])
	case begins:
		return made("<span>from %</span>", from[len("2026-"):])
	case ends:
		return made("<span>to %</span>", through[len("2026-"):])
	}
	return nil
}

// profileList is the table of profiles: those that stop, the first to stop first, then those whose card expires, then
// the others, as many as have room in so many bytes.
func (p *page) profileList(room int) markup {
	if p.profiles == 0 {
		return nil
	}
	list := p.listed()
	days, shift := p.lastDay.Sub(p.book.first), uint8(0)
	for days>>shift >= stripBins {
		shift++
	}
	for i := range list {
		shift = max(shift, list[i].strip.shift)
	}
	heads := []head{{"Profile", "", "id"}, {"Charges", "n", "n"}, {"Sum", "n", "n sum"}, {"Timeline", "wide", ""}, {"End", "", ""}, {"Basis", "", ""}}
	var m, rows markup
	shown := 0
	for i := range list {
		of := list[i]
		for of.strip.shift < shift {
			of.strip.fold()
		}
		end := len(rows)
		rows.row(heads, p.profileCells(of, days>>shift+1)...)
		if len(rows) > room-listBytes {
			rows = rows[:end]
			break
		}
		shown++
	}
	text := "All " + count(p.profiles) + " profiles are shown."
	if shown < p.profiles {
		text = count(shown) + " of " + count(p.profiles) + " profiles are shown: those that stop, the first to stop first, then those whose card expires. The totals and the months are those of all."
	}
	key := func(class, text string) {
		m.put(` <span class="key" aria-hidden="true"><i class="%"></i></span> %`, class, text)
	}
	m.put(`<div class="find" role="search" id="finder" hidden><label for="find">Search the profiles shown</label> ` +
		`<input id="find" type="search" autocomplete="off" spellcheck="false"> <output id="found" for="find"></output></div>` + "\n")
	m.put(`<p class="legend above">% The timelines run from % to %:`, text, p.book.first.String(), p.lastDay.String())
	key("c", "charged,")
	if p.expired > 0 {
		key("e", "charged after the card’s expiry,")
	}
	if p.declined > 0 {
		key("d", "declined,")
	}
	key("x", "stopped.")
	m.put("</p>\n")
	m.table("Profiles with timelines", made(` id="list"`), heads, rows)
	return m
}

// profileCells are a row of the table of profiles.
func (p *page) profileCells(of *pageProfile, parts int) []any {
	t := &of.Tally
	where := "row " + strconv.Itoa(of.Row)
	if of.File != "" {
		where = short(of.File, idCharacters) + ", " + where
	}
	title, charges, sum := "No charge", count64(t.Charges), money(t.Total)
	if !of.first.IsZero() {
		title = words.Charges(t.Charges) + ", " + of.first.String()
		if of.last != of.first {
			title += " to " + of.last.String()
		}
	}
	if declined := count64(t.Declined.Charges) + " declined"; t.Declined.Charges > 0 {
		title += "; " + declined
		charges += ", " + declined
	}
	if sum != "" {
		sum += " " + code(of.Currency)
	}
	id := made("% <span>%</span>", short(of.Profile, idCharacters), where)
	return []any{id, charges, sum, of.strip.draw(parts, title), endInWords(of), of.basis.String()}
}

// endInWords says where a profile is.
func endInWords(of *pageProfile) string {
	e, s := &of.end, "active"
	switch {
	case e.Status == engine.StatusStopped && e.Stop.IsZero():
		s = "stopped on an unknown day"
	case e.Status == engine.StatusStopped:
		s = "stopped " + e.Stop.Date.String() + ", " + words.Reasons(e.Stop.Reasons)
	}
	if of.IsZero() && of.noCharge != "" {
		s += "; " + of.noCharge
	}
	if !of.expired.IsZero() {
		s += "; card expired before " + of.expired.String()
	}
	return s
}

// cards is the table of cards that expire, in order of the charge that comes too late.
func (p *page) cards() markup {
	list := p.late.sorted()
	if len(list) == 0 {
		return nil
	}
	list = list[:min(len(list), mostCards)]
	heads := []head{{"Profile", "", "id"}, {"Row", "n", "n"}, {"First charge after the expiry", "", "d"}, {"Charges after it", "n", "n"}, {"Sum", "n", "n sum"}}
	var m, rows markup
	charges := uint64(0)
	for _, of := range list {
		late := of.CardExpired
		charges += late.Charges
		rows.row(heads, short(of.Profile, idCharacters), strconv.Itoa(of.Row), of.expired.String(), count64(late.Charges), money(late)+" "+code(of.Currency))
	}
	m.put("<p>These profiles have charges after the last day of the card’s expiry month. The sums above include them.")
	if len(list) < p.expiring {
		m.put(" % of % are shown, the first by the day of that charge. The others have % after the expiry.",
			count(len(list)), count(p.expiring), words.Charges(p.expired-charges))
	}
	m.put("</p>\n")
	m.table("Profiles whose card expires", nil, heads, rows)
	return m
}

// otherReadings is the table of what other readings would change.
func (p *page) otherReadings() markup {
	if p.changes == nil {
		return nil
	}
	var m, rows markup
	m.put("<p>Where the document is silent, another reading is possible. ")
	first, last := p.book.first.String(), p.lastDay.String()
	if len(p.changes) == 0 {
		m.put("None would change a charge or a stop from % to %.</p>\n", first, last)
		return m
	}
	m.put("These would change a charge or a stop from % to %; the others would not.</p>\n", first, last)
	heads := []head{{"Reading", "", ""}, {"Instead of", "", ""}, {"First difference", "", "d"}, {"Profiles", "n", "n"}, {"Change in money", "", ""}}
	for _, r := range p.changes.sorted() {
		c, name := p.changes[r], made("%=% <span>%</span>", r.clause.Key(), r.value, r.clause.String())
		rows.row(heads, name, p.head.Policy.Reading(r.clause).Value, c.first.String(), c.profilesInWords(), c.moneyInWords())
	}
	m.table("Other readings and what they would change", nil, heads, rows)
	return m
}

// readings is the table of the clauses that figures of the page rest on.
func (p *page) readings() markup {
	m := made("<p>The dates, amounts and stops of this page are based on these clauses. Where the document is silent, a reading was chosen, and the gateway may behave differently.</p>\n")
	if p.cited.IsZero() {
		return m
	}
	heads := []head{{"Clause", "", ""}, {"Basis", "", ""}, {"Reading", "", "prose"}}
	var rows markup
	for c := range p.cited.All() {
		text := p.head.Policy.Reading(c).Text
		if shown, ok := p.head.Observed.Observed(c, p.head.Policy); ok {
			text += " " + shownBy(&shown)
		}
		rows.row(heads, c.String(), p.head.Observed.BasisOf(c, p.head.Policy).String(), text)
	}
	m.table("Clauses and readings", nil, heads, rows)
	return m
}
