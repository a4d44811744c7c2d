package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// page writes an HTML page. It keeps sums, and of profiles as many as can be shown.
type page struct {
	*sheet
	book    book
	changes changes
	cited   ledger.Because // by charges and ends
	now     pageProfile    // the profile at hand

	profiles int // in all
	quiet    int // without a charge
	stopped  int // whose stop is in the window
	expiring int // with a charge after the card's expiry
	events   [4]int
	stopping earliest // by the day of the stop
	late     earliest // by the first charge after the card's expiry
	others   []*pageProfile

	// When all is known: the numbers of charges in all currencies, those after the card's expiry among
	// the first, and the days that the page shows, or the months where these are too many.
	charged, expired, declined uint64
	lastDay                    calendar.Date
	by                         engine.By
	times                      []calendar.Date
}

// A pageProfile is what the page keeps of a profile.
type pageProfile struct {
	record.Subject
	cell
	first, last calendar.Date
	expired     calendar.Date // the first charge after the card's expiry
	strip       strip
	end         engine.End
	noCharge    string
	order       int // among all profiles
}

// An earliest keeps the profiles that are first by a day, and of one day in their order.
type earliest struct {
	list    []*pageProfile
	day     func(*pageProfile) calendar.Date
	through calendar.Date // later ones are not kept; zero: all are
}

// takes reports whether a profile may be among the first.
func (e *earliest) takes(of *pageProfile) bool {
	return e.through.IsZero() || e.day(of).Before(e.through)
}

// add adds a profile. Twice as many are kept before the later half is dropped, so that a million are added quickly.
func (e *earliest) add(of *pageProfile) {
	if e.list = append(e.list, of); len(e.list) == 2*pageProfiles {
		e.list = e.sorted()[:pageProfiles]
		e.through = e.day(e.list[pageProfiles-1])
	}
}

// sorted returns the first ones, at most 2*pageProfiles.
func (e *earliest) sorted() []*pageProfile {
	slices.SortFunc(e.list, func(a, b *pageProfile) int {
		return cmp.Or(e.day(a).Compare(e.day(b)), cmp.Compare(a.order, b.order))
	})
	return e.list
}

func byStop(of *pageProfile) calendar.Date   { return of.end.Stop.Date }
func byExpiry(of *pageProfile) calendar.Date { return of.expired }

// The limits of a page.
const (
	pageBytes    = 300_000 // its size
	pageDays     = 400     // a window of more days is shown by months
	pageProfiles = 500     // kept of each kind, which is more than a page has room for
)

func newPage(s *sheet) *page {
	return &page{
		sheet: s, book: book{first: s.first(), days: pageDays},
		stopping: earliest{day: byStop}, late: earliest{day: byExpiry},
	}
}

func (p *page) start(of *Profile) {
	p.profiles++
	p.now = pageProfile{Subject: of.Subject, noCharge: of.NoCharge, order: p.profiles}
}

func (p *page) charge(c *engine.Charge) {
	now := &p.now
	c.AddTo(&now.Tally)
	basis := p.basis(c.Because)
	now.basis = max(now.basis, basis)
	p.book.add(now.Currency, c, basis)
	p.cited = p.cited.And(c.Because)
	if now.first.IsZero() {
		now.first = c.Date
	}
	now.last = c.Date
	layer := layerCharged
	switch {
	case c.Outcome == engine.OutcomeDeclined:
		layer = layerDeclined
	case c.CardExpired:
		layer = layerExpired
		if now.expired.IsZero() {
			now.expired = c.Date
		}
	}
	now.strip.mark(layer, c.Date.Sub(p.book.first))
}

func (p *page) event(e *engine.Effect) {
	switch e.Kind {
	case engine.EffectEvent:
		if int(e.Result) < len(p.events) {
			p.events[e.Result]++
		}
		p.cited = p.cited.And(e.Because)
	case engine.EffectStop:
		p.markStop(&e.Stop)
	case engine.EffectCharge:
	}
}

func (p *page) markStop(s *engine.Stop) {
	if !s.Date.Before(p.book.first) {
		p.now.strip.mark(layerStopped, s.Date.Sub(p.book.first))
	}
}

func (p *page) compare(list []engine.Sensitivity) {
	if p.changes == nil {
		p.changes = changes{}
	}
	p.changes.add(p.now.Currency, list)
}

func (p *page) end(e *engine.End) {
	now := &p.now
	now.end = *e
	p.cited = p.cited.And(e.Because)
	if now.IsZero() {
		now.basis = p.basis(e.Because)
		p.quiet++
	}
	p.keep()
}

// keep keeps the profile at hand where it may be shown.
func (p *page) keep() {
	now := &p.now
	stop := &now.end.Stop
	stops, expires := !stop.IsZero() && !stop.Date.Before(p.book.first), !now.expired.IsZero()
	if stops {
		p.markStop(stop)
		p.stopped++
	}
	if expires {
		p.expiring++
	}
	stops, expires = stops && p.stopping.takes(now), expires && p.late.takes(now)
	other := !stops && !expires && len(p.others) < pageProfiles
	if !stops && !expires && !other {
		return
	}
	of := now.clone()
	if stops {
		p.stopping.add(of)
	}
	if expires {
		p.late.add(of)
	}
	if other {
		p.others = append(p.others, of)
	}
}

// clone returns the profile without what it was cut from.
func (of *pageProfile) clone() *pageProfile {
	c := *of
	for _, text := range []*string{&c.Profile, &c.File, &c.Currency, &c.noCharge} {
		*text = strings.Clone(*text)
	}
	c.Callback = ""
	return &c
}

// listed returns the profiles in the order in which they are shown: those that stop, those whose card expires, and the others.
func (p *page) listed() []*pageProfile {
	list := slices.Clone(p.stopping.sorted())
	for _, of := range p.late.sorted() {
		if of.end.Stop.IsZero() || !slices.Contains(p.stopping.list, of) {
			list = append(list, of)
		}
	}
	return append(list, p.others...)
}

func (p *page) total(t *record.Total) {
	if d, err := calendar.Parse(t.Value); err == nil {
		p.book.merge(t.Currency, d, t, p.basis(t.Because))
		p.cited = p.cited.And(t.Because)
	}
}

// The frame of the page, with names in braces where its contents stand; its style: one accent on a
// quiet ground, in light and dark, on paper and on a phone, with a contrast of text of at least 4.5
// to 1; and its script, which works the search box.
var (
	//go:embed page.html
	pageFrame string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// A section of the page is left out if there is nothing in it.
type section struct {
	id, link, heading string
	body              markup
}

// finish writes the page. The profiles get the room that the other sections leave.
func (p *page) finish() {
	for _, a := range p.book.accounts {
		t := a.total()
		p.charged += t.Charges
		p.expired += t.CardExpired.Charges
		p.declined += t.Declined.Charges
	}
	p.by, p.lastDay = engine.ByDay, later(later(p.book.first, p.book.last), p.head.Until)
	if p.lastDay.Sub(p.book.first) >= pageDays {
		p.by = engine.ByMonth
	}
	p.times = timesThrough(p.by, p.book.first, p.lastDay, maxMonths)
	sections := []section{
		{"totals", "Totals", "Totals", p.totals()},
		{"heat-map", "Calendar", "Calendar", p.heatMap()},
		{"running", "Running totals", "Running totals", p.curves()},
		p.months(),
		{"profiles", "Profiles", "Profiles", nil},
		{"cards", "Cards", "Cards that expire", p.cards()},
		{"other", "Other readings", "Other readings", p.otherReadings()},
		{"basis", "Basis", "Basis", p.readings()},
	}
	list := &sections[4]
	list.body = p.profileList(pageBytes - len(p.assemble(sections)))
	p.b = append(p.b, p.assemble(sections)...)
}

// assemble puts sections into the frame.
func (p *page) assemble(sections []section) string {
	var notes, links, bodies markup
	for _, note := range append(p.notes(""), p.readingsInWords(), p.note) {
		if note != "" {
			notes.put("<li>%</li>", note)
		}
	}
	for _, s := range sections {
		if s.body != nil {
			links.put(`<li><a href="#%">%</a></li>`+"\n", s.id, s.link)
			bodies.put(`<section aria-labelledby="%">`+"\n"+`<h2 id="%">%</h2>`+"\n%</section>\n", s.id, s.id, s.heading, s.body)
		}
	}
	return framed(p.title(), p.window()+", "+asOf(&p.head), notes, links, bodies)
}

// framed returns a whole page.
func framed(title, window string, notes, links, sections markup) string {
	return strings.NewReplacer(
		"{title}", title, "{window}", html.EscapeString(window), "{notes}", string(notes), "{links}", string(links), "{sections}", string(sections),
		"{style}", pageStyle, "{style-hash}", sourceHash(pageStyle), "{script}", pageScript, "{script-hash}", sourceHash(pageScript),
	).Replace(pageFrame)
}

func (p *page) title() string {
	if p.isSimulation() {
		return "Simulated charges"
	}
	return "Forecast of charges"
}

func (p *page) readingsInWords() string {
	if others := words.OtherReadings(p.head.Policy); others != "" {
		return "readings: " + others + "; the others by default"
	}
	return "all readings by default"
}

// sourceHash is how the policy of the page names an element that a browser may use.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// A markup is a piece of the page. It consists of patterns and of values, of which each text is
// escaped, so that it is text wherever it stands, also between quotes.
type markup []byte

// A pattern is markup of this package, with a % where a value stands. It is a type of its own so that
// a constant is one, and a text of the input is none.
type pattern string

// put appends a pattern with its values: texts, numbers and other markup.
func (m *markup) put(p pattern, values ...any) {
	rest := string(p)
	for _, value := range values {
		before, after, _ := strings.Cut(rest, "%")
		*m, rest = append(*m, before...), after
		switch value := value.(type) {
		case string:
			*m = append(*m, html.EscapeString(value)...)
		case int:
			*m = strconv.AppendInt(*m, int64(value), 10)
		case markup:
			*m = append(*m, value...)
		}
	}
	*m = append(*m, rest...)
}

// made returns a pattern with its values.
func made(p pattern, values ...any) markup {
	var m markup
	m.put(p, values...)
	return m
}

// A head is that of a column of a table: its name, its class, and that of the cells below.
type head struct{ name, class, cells string }

func classOf(name string) markup {
	if name == "" {
		return nil
	}
	return made(` class="%"`, name)
}

// table appends a table that can be moved on a narrow screen.
func (m *markup) table(name string, attribute markup, heads []head, rows markup) {
	m.put(`<div class="scroll" role="region" aria-label="%" tabindex="0">`+"\n<table%>\n<thead><tr>", name, attribute)
	for _, h := range heads {
		m.put(`<th scope="col"%>%</th>`, classOf(h.class), h.name)
	}
	m.put("</tr></thead>\n<tbody>%\n</tbody>\n</table>\n</div>\n", rows)
}

// row appends a row of a table, whose first cell is its head.
func (m *markup) row(heads []head, cells ...any) {
	m.put("\n<tr>"+`<th scope="row"%>%</th>`, classOf(heads[0].cells), orDash(cells[0]))
	m.cells(heads[1:], cells[1:]...)
	m.put("</tr>")
}

func (m *markup) cells(heads []head, cells ...any) {
	for i, cell := range cells {
		m.put("<td%>%</td>", classOf(heads[i].cells), orDash(cell))
	}
}

func orDash(cell any) any {
	if cell == "" {
		return "–"
	}
	return cell
}
