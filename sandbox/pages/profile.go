package pages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
)

// A profilePage is one profile: what was forecast beside what happened, and what comes next.
type profilePage struct {
	profile
	Rows      []chargeRow
	IsPart    bool     // there are charges before the first row
	Readings  []string // in force, as KEY=VALUE
	Settable  []settableColumn
	Timeline  *timeline
	Callbacks []callback // the last ones

	MayCharge bool // a charge by hand can succeed
}

// A settableColumn is a column of the form of an update, with its value today.
type settableColumn struct{ Name, Value string }

// IsActive reports whether the profile is charged automatically.
func (p *profilePage) IsActive() bool { return p.Status == "active" }

// settable are the columns that the form of an update offers: those on which charges depend, and
// the customer's own words and address. Of masked columns the form could not show today's value.
var settable = [...]string{
	"amount", "amount-from", "amount-to", "amount-sequence", "period", "interval", "start-date", "finish-date", "max-repeats-number",
	"order_desc", "purpose",
}

// shownCharges is how many of the last charges the admin interface gives with a profile.
const shownCharges = 100

func (v *pageRequest) profile() (any, error) {
	p := &profilePage{}
	if err := v.get("profiles/"+v.id, &p.profile); err != nil {
		return nil, err
	}
	p.Rows = rowsOf(&p.profile, v.now)
	p.IsPart = len(p.Charges) == shownCharges
	p.Readings = strings.Split(p.Policy, ",")
	p.Timeline = timelineOf(p, v.now)
	for _, name := range settable {
		p.Settable = append(p.Settable, settableColumn{name, p.Columns[name]})
	}
	p.MayCharge = p.IsActive() || slices.Contains(p.Readings, "manual-when-stopped=allow")
	var sent struct{ Callbacks []callback }
	if err := v.get("callbacks?limit=20&profile_id="+v.id, &sent); err != nil {
		return nil, err
	}
	p.Callbacks = sent.Callbacks
	return p, nil
}

// A chargeRow is a charge as it was forecast at creation and what happened to it.
type chargeRow struct {
	Date     string
	Slot     string // the day that it was for, if that is another one
	Forecast string // the money; empty if it was not forecast
	Actual   string // the money that was charged, declined or is expected now; empty for none
	Kind     rowKind
	Repeat   uint64
	Manual   bool
	Expired  bool // after the card's expiry
	Because  []because
}

// A rowKind is what happened to a charge.
type rowKind string

// The kinds of rows.
const (
	kindApproved rowKind = "approved"
	kindDeclined rowKind = "declined"
	kindExpected rowKind = "expected"
	kindNever    rowKind = "not charged" // it was forecast for a day that has passed
	kindNoLonger rowKind = "not expected"
)

// slot is the day that a charge is for.
func (c *charge) slot() string { return cmp.Or(c.Slot, c.Date) }

// rowsOf joins what was forecast at creation, what was charged and what is expected now, by the day
// that a charge is for, in order of date.
func rowsOf(p *profile, now string) []chargeRow {
	foreseen := map[string]*charge{}
	for i := range p.Forecast {
		foreseen[p.Forecast[i].slot()] = &p.Forecast[i]
	}
	var rows []chargeRow
	add := func(c *charge, kind rowKind) {
		r := chargeRow{
			Date: c.Date, Slot: c.Slot, Actual: c.Money(), Kind: kind, Repeat: c.Repeat, Manual: c.Kind == "manual", Expired: c.CardExpired, Because: c.Because,
		}
		if f := foreseen[c.slot()]; f != nil && !r.Manual {
			r.Forecast = f.Money()
			delete(foreseen, c.slot())
		}
		rows = append(rows, r)
	}
	for i := range p.Charges {
		add(&p.Charges[i], rowKind(p.Charges[i].Outcome))
	}
	for i := range p.Upcoming {
		add(&p.Upcoming[i], kindExpected)
	}
	last := "9999-12-31" // of what is listed: behind it nothing can be said
	if len(p.Upcoming) == shownUpcoming {
		last = p.Upcoming[shownUpcoming-1].Date
	}
	for i := range p.Forecast {
		f := &p.Forecast[i]
		if foreseen[f.slot()] != f || f.Date > last {
			continue
		}
		kind := kindNoLonger
		if f.Date <= now {
			kind = kindNever
		}
		rows = append(rows, chargeRow{Date: f.Date, Slot: f.Slot, Forecast: f.Money(), Kind: kind, Repeat: f.Repeat})
	}
	slices.SortStableFunc(rows, func(a, b chargeRow) int {
		return cmp.Or(strings.Compare(a.Date, b.Date), cmp.Compare(a.Repeat, b.Repeat))
	})
	return rows
}

// shownUpcoming is how many of the next charges the admin interface gives with a profile.
const shownUpcoming = 12

// A timeline draws the charges of a profile between two days.
type timeline struct {
	From, Through string
	Marks         []lineMark
	Now           int // its place, from 0 to timelineWidth
	Stop          int // -1 for none
	Text          string
}

// A lineMark is one charge in a timeline.
type lineMark struct {
	At    int
	Class string
	Title string
}

const timelineWidth = 1000

// markClasses are the classes of the style sheet.
var markClasses = map[rowKind]string{
	kindApproved: "c", kindDeclined: "d", kindExpected: "e", kindNever: "n", kindNoLonger: "n",
}

// timelineOf draws the rows of a page; nil if there are none.
func timelineOf(p *profilePage, now string) *timeline {
	if len(p.Rows) == 0 {
		return nil
	}
	first, last := min(p.Rows[0].Date, now), max(p.Rows[len(p.Rows)-1].Date, now)
	if p.Stop != nil {
		first, last = min(first, p.Stop.Date), max(last, p.Stop.Date)
	}
	from, err := calendar.Parse(first)
	if err != nil {
		return nil
	}
	through, err := calendar.Parse(last)
	if err != nil {
		return nil
	}
	span := max(1, through.Sub(from))
	at := func(day string) int {
		d, err := calendar.Parse(day)
		if err != nil {
			return 0
		}
		return d.Sub(from) * timelineWidth / span
	}
	t := &timeline{From: first, Through: last, Now: at(now), Stop: -1}
	if p.Stop != nil {
		t.Stop = at(p.Stop.Date)
	}
	counts := map[rowKind]uint64{}
	for i := range p.Rows {
		r := &p.Rows[i]
		counts[r.Kind]++
		t.Marks = append(t.Marks, lineMark{at(r.Date), markClasses[r.Kind], r.Date + ": " + string(r.Kind)})
	}
	t.Text = "From " + first + " to " + last + ":"
	for _, kind := range [...]rowKind{kindApproved, kindDeclined, kindExpected, kindNever, kindNoLonger} {
		if n := counts[kind]; n > 0 {
			if t.Text[len(t.Text)-1] != ':' {
				t.Text += ","
			}
			t.Text += " " + strconv.FormatUint(n, 10) + " " + string(kind)
		}
	}
	return t
}
