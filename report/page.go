package report

import (
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// page writes an HTML page. It keeps sums, and of profiles as many as can be shown.
type page struct {
	*sheet
	book    book
	changes changes
	cited   ledger.Because // by charges and ends
	lastWhy ledger.Because // the last that was added to cited
	now     pageProfile    // the profile at hand
	shift   uint8          // of its strip when it begins

	profiles int // in all
	quiet    int // without a charge
	stopped  int // whose stop is in the window
	expiring int // with a charge after the card's expiry
	events   [4]int
	kept     [3][]pageProfile // stopped, expiring and other ones, in order
}

// A pageProfile is what the page keeps of a profile.
type pageProfile struct {
	Subject     record.Subject
	tally       record.Tally
	basis       ledger.Basis
	first, last calendar.Date
	expired     calendar.Date // the first charge after the card's expiry
	strip       strip
	end         engine.End
	noCharge    string
}

// The limits of a page.
const (
	pageDays     = 400 // a window of more days is shown by months
	pageProfiles = 500 // kept of each kind, which is more than a page has room for
)

func newPage(s *sheet) *page {
	p := &page{sheet: s, book: book{first: s.first(), days: pageDays}}
	if u := s.head.Until; !u.IsZero() && u.After(s.first()) {
		p.shift = shiftFor(u.Sub(s.first()) + 1)
	}
	return p
}

func (p *page) start(of *Profile) {
	p.profiles++
	p.now = pageProfile{Subject: of.Subject, noCharge: of.NoCharge, strip: strip{shift: p.shift}}
}

func (p *page) charge(c *engine.Charge) {
	now := &p.now
	p.book.add(now.Subject.Currency, c)
	p.cite(c.Because)
	now.tally.Add(c)
	now.basis = max(now.basis, p.book.basis)
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

func (p *page) cite(why ledger.Because) {
	if why != p.lastWhy {
		p.lastWhy = why
		p.cited = p.cited.And(why)
	}
}

func (p *page) event(e *engine.Effect) {
	switch e.Kind {
	case engine.EventHandled:
		if int(e.Result) < len(p.events) {
			p.events[e.Result]++
		}
		p.cite(e.Because)
	case engine.ProfileStopped:
		p.markStop(&e.Stop)
	case engine.ChargeAttempted:
	}
}

func (p *page) markStop(s *engine.Stop) {
	if !s.Date.Before(p.book.first) {
		p.now.strip.mark(layerStopped, s.Date.Sub(p.book.first))
	}
}

func (p *page) compare(list []engine.Sensitivity) { p.changes.add(p.now.Subject.Currency, list) }

func (p *page) end(e *engine.End) {
	now := &p.now
	now.end = *e
	p.cite(e.Because)
	kind := 2
	if !e.Stop.IsZero() && !e.Stop.Date.Before(p.book.first) {
		p.markStop(&e.Stop)
		p.stopped++
		kind = 0
	}
	if !now.expired.IsZero() {
		p.expiring++
		kind = min(kind, 1)
	}
	if now.tally.IsZero() {
		now.basis = e.Because.Basis()
		p.quiet++
	}
	if len(p.kept[kind]) < pageProfiles {
		now.Subject = kept(now.Subject)
		now.noCharge = strings.Clone(now.noCharge)
		p.kept[kind] = append(p.kept[kind], *now)
	}
}

// kept returns a subject whose texts do not hold on to what they were cut from.
func kept(s record.Subject) record.Subject {
	return record.Subject{
		Profile: strings.Clone(s.Profile), File: strings.Clone(s.File), Row: s.Row, Currency: strings.Clone(s.Currency),
	}
}

func (p *page) total(t *record.Total) {
	d, err := calendar.Parse(t.Value)
	if err != nil {
		return
	}
	p.book.merge(t.Currency, d, &t.Tally, t.Because)
	p.cite(t.Because)
}

func (p *page) finish() { p.b = p.appendPage(p.b) }
