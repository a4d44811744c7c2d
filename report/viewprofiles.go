package report

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
)

// The limits of the page's tables of profiles.
const (
	idWidth      = 64   // characters of a client-orderid
	sectionBytes = 1400 // of the section of profiles without rows
	rowBytes     = 200  // of a row without its texts and its timeline
	mostCards    = 40
)

// addProfiles fills the table of profiles: those that stop first, then those whose card expires,
// then the others, as many as the page has room for.
func (p *page) addProfiles(v *view, room int) {
	list := slices.Concat(p.kept[0], p.kept[1], p.kept[2])
	shift := p.shift
	for i := range list {
		shift = max(shift, list[i].strip.shift)
	}
	bins := p.lastDay().Sub(p.book.first)>>shift + 1
	room -= sectionBytes
	for i := range list {
		of := &list[i]
		for of.strip.shift < shift {
			of.strip.fold()
		}
		row := p.profileRow(of, bins)
		for _, text := range [...]string{row.ID, row.Where, row.Currency, row.Charges, row.Sum, row.End} {
			room -= escapedLen(text)
		}
		if room -= rowBytes + len(row.Timeline); room < 0 {
			break
		}
		v.Profiles = append(v.Profiles, row)
	}
	v.ProfilesShown = "All " + count(p.profiles) + " profiles are shown."
	if n := len(v.Profiles); n < p.profiles {
		v.ProfilesShown = count(n) + " of " + count(p.profiles) + " profiles are shown: those that stop first, then those whose card expires. The totals and the months are those of all."
	}
}

func (p *page) profileRow(of *pageProfile, bins int) profileRow {
	t := &of.tally
	row := profileRow{
		ID: cutID(of.Subject.Profile), Where: "row " + strconv.Itoa(of.Subject.Row), Currency: code(of.Subject.Currency),
		Charges: count64(t.Charges), Sum: money(t.Sums), Basis: of.basis.String(), End: endInWords(of),
	}
	if of.Subject.File != "" {
		row.Where = cutID(of.Subject.File) + ", " + row.Where
	}
	title := "No charge"
	if !of.first.IsZero() {
		title = words.Charges(t.Charges) + ", " + of.first.String()
		if of.last != of.first {
			title += " to " + of.last.String()
		}
	}
	if t.Declined.Charges > 0 {
		title += "; " + count64(t.Declined.Charges) + " declined"
		row.Charges += ", " + count64(t.Declined.Charges) + " declined"
	}
	row.Timeline = of.strip.timeline(bins, title)
	return row
}

// escapedLen is how long a text is on the page, where html/template escapes plus signs, too.
func escapedLen(s string) int {
	return len(html.EscapeString(s)) + (len("&#43;")-1)*strings.Count(s, "+")
}

// cutID returns a client-orderid for people; a very long one is cut.
func cutID(id string) string { return short(id, idWidth) }

// endInWords says where a profile is.
func endInWords(of *pageProfile) string {
	e, s := &of.end, ""
	switch {
	case e.Status == engine.StatusStopped && e.Stop.IsZero():
		s = "stopped on an unknown day"
	case e.Status == engine.StatusStopped:
		s = "stopped " + e.Stop.Date.String() + ", " + words.Reasons(e.Stop.Reasons)
	default:
		s = "active"
	}
	if of.tally.IsZero() && of.noCharge != "" {
		s += "; " + of.noCharge
	}
	if !of.expired.IsZero() {
		s += "; card expired before " + of.expired.String()
	}
	return s
}

// addCards fills the table of cards that expire, in order of the charge that comes too late.
func (p *page) addCards(v *view) {
	var list []*pageProfile
	for kind := range p.kept[:2] {
		for i := range p.kept[kind] {
			if of := &p.kept[kind][i]; !of.expired.IsZero() {
				list = append(list, of)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *pageProfile) int {
		return cmp.Or(a.expired.Compare(b.expired), cmp.Compare(a.Subject.Row, b.Subject.Row))
	})
	for _, of := range list[:min(len(list), mostCards)] {
		late := &of.tally.CardExpired
		v.Cards = append(v.Cards, cardRow{
			ID: cutID(of.Subject.Profile), Row: strconv.Itoa(of.Subject.Row), First: of.expired.String(),
			Charges: count64(late.Charges), Sum: money(*late) + " " + code(of.Subject.Currency),
		})
	}
	if n := len(v.Cards); n < p.expiring {
		v.CardsShown = count(n) + " of " + count(p.expiring) + " are shown."
	}
}
