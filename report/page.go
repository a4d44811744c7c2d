package report

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/sensitivity"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// The limits of a page. What is beyond them is counted, and the page says which command lists it.
const (
	pageDays     = 400
	pageMonths   = 120
	pageProfiles = 500
)

// PageEntries is how many cards and problems a page lists; it counts the others.
const PageEntries = 2000

// page writes an HTML page. It keeps sums, and of profiles as many as are shown.
type page struct {
	*sheet
	sums    currencySums
	changes sensitivity.Changes // nil if they were not compared
	now     pageProfile         // the profile at hand
	last    calendar.Date

	profiles int // in all
	quiet    int // without a charge
	stopped  int // whose stop is in the window
	expiring int // with a charge after the card's expiry
	problems int
	events   [4]int

	listed []pageProfile // the first
	cards  []pageProfile // the first whose card expires before a charge
	faults []ledger.Finding
	unread words.UnreadExpiry
	places map[string]int // decimals of the currencies, once all is known
}

// A pageProfile is what the page keeps of a profile.
type pageProfile struct {
	record.Subject
	amount.Tally
	basis       ledger.Basis
	first, last calendar.Date
	expired     calendar.Date // the first charge after the card's expiry
	end         engine.End
	noCharge    string
}

func newPage(s *sheet) *page { return &page{sheet: s} }

func (p *page) start(of *record.Profile) {
	p.profiles++
	p.now = pageProfile{Subject: of.Subject, noCharge: of.NoCharge}
}

func (p *page) charge(c *engine.Charge) {
	now, basis := &p.now, p.basis(c.Because)
	c.AddTo(&now.Tally)
	now.basis = max(now.basis, basis)
	if now.first.IsZero() {
		now.first = c.Date
	}
	now.last = c.Date
	if c.Date.After(p.last) {
		p.last = c.Date
	}
	if c.CardExpired && now.expired.IsZero() && c.Outcome != engine.OutcomeDeclined {
		now.expired = c.Date
	}
	a := p.sums.add(now.Currency, c, basis)
	if a == nil || c.Outcome == engine.OutcomeDeclined {
		return
	}
	if day := c.Date.Sub(p.first()); day >= 0 && day < pageDays && c.Date.IsDay() {
		at(a.days, c.Date).add(c, basis)
	}
	if n := monthsBetween(p.first(), c.Date); n >= 0 && n < pageMonths && c.Date.IsDay() {
		at(a.months, engine.ByMonth.Period(c.Date)).add(c, basis)
	} else {
		a.beyond.add(c, basis)
	}
}

// monthsBetween returns how many months after that of one day the month of another is.
func monthsBetween(d, e calendar.Date) int {
	year0, month0, _ := d.Date()
	year, month, _ := e.Date()
	return 12*(year-year0) + int(month-month0)
}

func (p *page) event(e *engine.Effect) {
	if e.Kind == engine.EffectEvent && int(e.Result) < len(p.events) {
		p.events[e.Result]++
	}
}

func (p *page) compare(list []engine.Sensitivity) {
	if p.changes == nil {
		p.changes = sensitivity.Changes{}
	}
	p.changes.Add(p.now.Currency, list)
}

func (p *page) end(e *engine.End) {
	now := &p.now
	now.end = *e
	if now.IsZero() {
		now.basis = p.basis(e.Because)
		p.quiet++
	}
	if !e.Stop.IsZero() && !e.Stop.Date.Before(p.first()) {
		p.stopped++
	}
	var kept pageProfile
	if len(p.listed) < pageProfiles || !now.expired.IsZero() && len(p.cards) < PageEntries {
		kept = now.clone()
	}
	if len(p.listed) < pageProfiles {
		p.listed = append(p.listed, kept)
	}
	if now.expired.IsZero() {
		return
	}
	if p.expiring++; len(p.cards) < PageEntries {
		p.cards = append(p.cards, kept)
	}
}

// clone returns the profile without what it was cut from.
func (of *pageProfile) clone() pageProfile {
	c := *of
	for _, text := range []*string{&c.Profile, &c.File, &c.Currency, &c.noCharge} {
		*text = strings.Clone(*text)
	}
	c.Callback = ""
	return c
}

// problem keeps a problem of the payload.
func (p *page) problem(f ledger.Finding) {
	if f.Severity == ledger.SeverityWarning && (f.Code == "expire-month" || f.Code == "expire-year") {
		p.unread.Add(short(f.Place.Profile, idCharacters))
	}
	if p.problems++; len(p.faults) < PageEntries {
		p.faults = append(p.faults, f)
	}
}

func (p *page) total(*record.Total) {}

// A section of the page is left out if there is nothing in it.
type section struct {
	id, link, heading string
	body              markup
}

// finish writes the page.
func (p *page) finish() {
	p.last = slices.MaxFunc([]calendar.Date{p.first(), p.last, p.head.Until}, calendar.Date.Compare)
	p.places = map[string]int{}
	for _, a := range p.sums.accounts {
		t := inCurrency(a.total(), a.currency)
		for _, sum := range []amount.Sum{t.Min, t.Max, t.CardExpired.Max, t.Declined.Max} {
			_, decimals, _ := strings.Cut(sum.String(), ".")
			p.places[a.currency] = max(p.places[a.currency], len(decimals))
		}
	}
	var notes, links, bodies markup
	for _, note := range append(p.notes(""), p.readingsInWords(), p.note) {
		if note != "" {
			notes.put("<li>%</li>", note)
		}
	}
	for _, s := range []section{
		{"totals", "Totals", "Totals", p.totals()},
		{"heat-map", "Days", "Days", p.heatMap()},
		{"months", "Months", "Months and quarters", p.months()},
		{"cards", "Cards", "Cards that expire", p.cardList()},
		{"problems", "Problems", "Problems of the payload", p.problemList()},
		{"profiles", "Profiles", "Profiles", p.profileList()},
		{"other", "Other readings", "Other readings", p.otherReadings()},
	} {
		if s.body != nil {
			links.put(`<li><a href="#%">%</a></li>`+"\n", s.id, s.link)
			bodies.put(`<section aria-labelledby="%">`+"\n"+`<h2 id="%">%</h2>`+"\n%</section>\n", s.id, s.id, s.heading, s.body)
		}
	}
	title := "Forecast of charges"
	if p.isSimulation() {
		title = "Simulated charges"
	}
	p.add(framed(title, p.window()+", "+asOf(&p.head), notes, links, bodies))
}

func (p *page) readingsInWords() string {
	if others := words.OtherReadings(p.head.Policy); others != "" {
		return "readings: " + others + "; the others by default"
	}
	return "all readings by default"
}

// money returns a sum for people, with as many decimals as every other of the currency; empty for no
// charges.
func (p *page) money(t amount.Total, currency string) string {
	if t.Charges == 0 {
		return ""
	}
	t = scaled(t, p.places[currency])
	return words.Between(grouped(t.Min.String()), grouped(t.Max.String()), words.IsFixed(t))
}
