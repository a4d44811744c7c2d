package report

import (
	"html/template"
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A view is what the page says, in the order in which it says it.
type view struct {
	Policy, Style, Script template.HTML // the elements of the head

	Title, Window string
	AsOf          string
	Notes         []string
	Facts         []fact
	Totals        []totalRow
	TotalsLeft    string
	HasDeclined   bool
	HasExpired    bool
	Heat          template.HTML
	HeatName      string // "Days" or "Months"
	HeatText      string
	HeatTop       string
	Curves        []curveView
	CurvesLeft    string
	Months        []monthGroup
	MonthsName    string // "Month" or "Year"
	MonthsLeft    string
	Profiles      []profileRow
	ProfilesShown string
	From, Through string // of the timelines
	Cards         []cardRow
	CardsShown    string
	Compared      bool
	Changes       []changeRow
	Readings      []readingRow
	IsSimulation  bool
	HasProfiles   bool
}

// A fact is one figure at the top.
type fact struct{ Name, Value, Note string }

// A totalRow is what the charges of a currency come to.
type totalRow struct {
	Currency, Charges, Sum, Mean string
	Parts                        [3]string // by basis: stated, inferred, assumed
	Expired, Declined            string
}

// A curveView is how the sum of a currency grows.
type curveView struct {
	Currency, Total, Text string
	Drawing               template.HTML
}

// A monthGroup is a month, or a year, with a row for each currency.
type monthGroup struct {
	Name string
	Rows []monthRow
}

// A monthRow is the charges of a month, or a year, in one currency.
type monthRow struct {
	Currency, Charges, Sum, Running, Basis string
	Bar                                    template.HTML
}

// A profileRow is a profile with its timeline.
type profileRow struct {
	ID, Where, Currency, Charges, Sum, Basis, End string
	Timeline                                      template.HTML
}

// A cardRow is a profile whose card expires before its last charge.
type cardRow struct{ ID, Row, First, Charges, Sum string }

// A changeRow is what another reading would change.
type changeRow struct {
	Key, Clause, Value, Instead, First, Profiles string
	Money                                        []string
}

// A readingRow is a clause that figures of the page rest on.
type readingRow struct{ Clause, Basis, Text string }

// view prepares the page.
func (p *page) view() *view {
	h := &p.head
	v := &view{Title: "Forecast of charges", IsSimulation: p.isSimulation(), HasProfiles: p.profiles > 0, AsOf: h.AsOf.String()}
	if v.IsSimulation {
		v.Title = "Simulated charges"
	}
	v.Window = p.window()
	for _, note := range []string{firstCharges(h.Next), p.seed(), p.input()} {
		if note != "" {
			v.Notes = append(v.Notes, note)
		}
	}
	if others := words.OtherReadings(h.Policy); others != "" {
		v.Notes = append(v.Notes, "readings: "+others+"; the others by default")
	} else {
		v.Notes = append(v.Notes, "all readings by default")
	}
	p.addTotals(v)
	p.addFacts(v)
	p.addHeat(v)
	p.addCurves(v)
	p.addMonths(v)
	p.addCards(v)
	v.From, v.Through = p.book.first.String(), p.lastDay().String()
	p.addChanges(v)
	p.addReadings(v)
	return v
}

// window says which days the page is about.
func (p *page) window() string {
	s := p.first().String()
	if u := p.head.Until; !u.IsZero() {
		s += " to " + u.String()
	} else {
		s = "from " + s
	}
	return s + ", " + asOf(&p.head)
}

// code returns a currency for people.
func code(currency string) string { return short(currency, 8) }

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

// money returns a sum for people; empty for no charges.
func money(s record.Sums) string {
	if s.Charges == 0 {
		return ""
	}
	return words.Between(grouped(s.Min.String()), grouped(s.Max.String()), words.IsFixed(s))
}

func count(n int) string { return grouped(strconv.Itoa(n)) }

func count64(n uint64) string { return grouped(strconv.FormatUint(n, 10)) }

// mostTotals is how many currencies the page shows.
const mostTotals = 50

func (p *page) addTotals(v *view) {
	for _, a := range p.book.sorted() {
		t := a.total()
		v.HasDeclined = v.HasDeclined || t.Declined.Charges > 0
		v.HasExpired = v.HasExpired || t.CardExpired.Charges > 0
		row := totalRow{
			Currency: code(a.currency), Charges: count64(t.Charges), Sum: money(t.Sums), Expired: money(t.CardExpired), Declined: money(t.Declined),
			Parts: [3]string{money(a.basis[ledger.Stated].Sums), money(a.basis[ledger.Inferred].Sums), money(a.basis[ledger.Assumed].Sums)},
		}
		if !words.IsFixed(t.Sums) {
			row.Mean = grouped(string(t.AppendMean(nil)))
		}
		v.Totals = append(v.Totals, row)
	}
	others := p.book.others.currencies()
	for _, currency := range others[:min(len(others), mostTotals-maxAccounts)] {
		t := p.book.others.of[currency]
		row := totalRow{Currency: code(currency), Charges: count64(t.Charges), Sum: money(t.Sums), Expired: money(t.CardExpired), Declined: money(t.Declined)}
		v.Totals = append(v.Totals, row)
	}
	if left := len(others) - (mostTotals - maxAccounts); left > 0 {
		v.TotalsLeft = "The page shows " + strconv.Itoa(mostTotals) + " currencies; " + strconv.Itoa(left) + " more have charges."
	}
}

func (p *page) addFacts(v *view) {
	var all record.Tally // only the numbers of charges are used, since currencies are never added up
	for _, a := range p.book.accounts {
		t := a.total()
		all.Charges += t.Charges
		all.Declined.Charges += t.Declined.Charges
	}
	for _, t := range p.book.others.of {
		all.Charges += t.Charges
		all.Declined.Charges += t.Declined.Charges
	}
	charges := fact{Name: "Charges", Value: count64(all.Charges)}
	if all.Declined.Charges > 0 {
		charges.Note = "approved; " + count64(all.Declined.Charges) + " declined"
	}
	if p.profiles == 0 {
		v.Facts = []fact{charges}
		return
	}
	profiles := fact{Name: "Profiles", Value: count(p.profiles)}
	if p.quiet > 0 {
		profiles.Note = count(p.quiet) + " without a charge"
	}
	v.Facts = []fact{profiles, charges, {Name: "Stops", Value: count(p.stopped), Note: "profiles that stop in this window"},
		{Name: "Cards that expire", Value: count(p.expiring), Note: "before a charge of this window"}}
	if v.IsSimulation {
		accepted := p.events[engine.ResultAccepted]
		v.Facts = append(v.Facts, fact{Name: "Events", Value: count(accepted), Note: "accepted; " + count(p.events[engine.ResultIgnored]) + " ignored, " + count(p.events[engine.ResultRefused]) + " refused"})
	}
}

func (p *page) addReadings(v *view) {
	for c := range p.cited.All() {
		v.Readings = append(v.Readings, readingRow{c.String(), c.Basis().String(), p.head.Policy.Reading(c).Text})
	}
}

func (p *page) addChanges(v *view) {
	v.Compared = p.changes.compared
	for _, c := range p.changes.sorted() {
		row := changeRow{
			Key: c.clause.Key(), Clause: c.clause.String(), Value: c.value, Instead: p.head.Policy.Reading(c.clause).Value,
			First: c.first.String(), Profiles: count(c.profiles),
		}
		switch c.refused {
		case 0:
		case c.profiles:
			row.Profiles += ", all refused"
		default:
			row.Profiles += ", of which " + count(c.refused) + " refused"
		}
		for i := range c.money {
			if i == mostInTitle {
				row.Money = append(row.Money, "and "+count(len(c.money)-i)+" more currencies")
				break
			}
			row.Money = append(row.Money, c.money[i].moved())
		}
		v.Changes = append(v.Changes, row)
	}
}
