// Package words has texts about sums of charges, why profiles stop and the readings of a policy, for
// output that people read.
package words

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
)

// AppendDay appends a date with its day of the week, in 14 characters: "2026-01-31 Sat".
func AppendDay(dst []byte, d calendar.Date) []byte {
	return append(append(d.Append(dst), ' '), d.Weekday().String()[:3]...)
}

// Between returns "1.00 to 5.00", or one bound where both are the same.
func Between(low, high string, same bool) string {
	if same {
		return low
	}
	return low + " to " + high
}

// IsFixed reports whether a sum is certain.
func IsFixed(s amount.Total) bool { return s.Min.Compare(s.Max) == 0 }

// Range returns the bounds of a sum: "1.00 to 5.00".
func Range(s amount.Total) string { return Between(s.Min.String(), s.Max.String(), IsFixed(s)) }

// Mean returns ", mean 3.00" for a sum that is not certain; it is empty for others.
func Mean(s amount.Total) string {
	if IsFixed(s) {
		return ""
	}
	return ", mean " + string(s.AppendMean(nil))
}

// Charges returns a number of charges: "1 charge".
func Charges(n uint64) string { return termtext.Counted(strconv.FormatUint(n, 10), "charge") }

// Sums returns "2 charges 2.00 to 10.00, mean 6.00", or "no charge".
func Sums(s amount.Total) string {
	if s.Charges == 0 {
		return "no charge"
	}
	return Charges(s.Charges) + " " + Range(s) + Mean(s)
}

// DeclinedAndExpired returns what was declined, and what of the rest is after the card's expiry, each after a semicolon;
// it is empty if there is neither.
func DeclinedAndExpired(t *amount.Tally) string {
	var s string
	if t.CardExpired.Charges > 0 {
		s += "; of which " + Sums(t.CardExpired) + " after the card's expiry"
	}
	if t.Declined.Charges > 0 {
		s += "; declined " + Sums(t.Declined)
	}
	return s
}

// OmittedNote returns a sentence on what a forecast leaves out and assumes: rows with errors, profiles that start before
// as-of and are assumed to be new, with the remedies, and charges after the card's expiry. It is empty if there is none
// of these.
func OmittedNote(leftOut, takenAsNew, cardExpired uint64, asOf calendar.Date, remedies string) string {
	var list []string
	if leftOut > 0 {
		list = append(list, termtext.Counted(strconv.FormatUint(leftOut, 10), "row")+" with errors left out")
	}
	if takenAsNew > 0 {
		text := termtext.Counted(strconv.FormatUint(takenAsNew, 10), "profile") + " with a start before " + asOf.String() + " and no state taken as new"
		if remedies != "" {
			text += " (" + remedies + ")"
		}
		list = append(list, text)
	}
	if cardExpired > 0 {
		list = append(list, Charges(cardExpired)+" after the card's expiry")
	}
	return strings.Join(list, "; ")
}

// UnreadExpiry counts profiles whose card has an expiry that cannot be read. The zero value has none.
type UnreadExpiry struct {
	n     int
	first []string // profiles
}

// mostUnread is how many of them are named.
const mostUnread = 5

// Add adds a profile.
func (u *UnreadExpiry) Add(profile string) {
	if u.n++; u.n <= mostUnread {
		u.first = append(u.first, strings.Clone(profile))
	}
}

// String says in one sentence that no list has them; it is empty if there are none.
func (u *UnreadExpiry) String() string {
	names := make([]string, 0, mostUnread+1)
	for _, name := range u.first {
		names = append(names, termtext.Visible(name))
	}
	const missing = " expiry cannot be read: not in the list of cards ("
	switch {
	case u.n == 0:
		return ""
	case u.n == 1:
		return "1 profile's" + missing + names[0] + ")"
	case u.n > mostUnread:
		names = append(names, "…")
	}
	return strconv.Itoa(u.n) + " profiles'" + missing + strings.Join(names, ", ") + ")"
}

// OtherReadings returns the settings of a policy that differ from the default, separated by commas.
func OtherReadings(p engine.Policy) string {
	var others []string
	for c := range engine.Keys() {
		if e := c.Entry(); p.Reading(c).Value != e.Readings[0].Value {
			others = append(others, e.Key+"="+p.Reading(c).Value)
		}
	}
	return strings.Join(others, ", ")
}

// Reasons returns why a profile stopped: "max-repeats-number is reached and finish-date is reached";
// it is empty for no reason.
func Reasons(r engine.Reasons) string {
	var list []string
	for _, reason := range [...]struct {
		is   engine.Reasons
		text string
	}{
		{engine.ReasonMaxRepeats, "max-repeats-number is reached"},
		{engine.ReasonFinishDate, "finish-date is reached"},
		{engine.ReasonAPI, "stopped through the update operation"},
	} {
		if r&reason.is != 0 {
			list = append(list, reason.text)
		}
	}
	return strings.Join(list, " and ")
}

// Kind returns "automatic" or "manual".
func Kind(c *engine.Charge) string {
	if c.Manual {
		return "manual"
	}
	return "automatic"
}

// Amount returns the amount of a charge: "10.00", or "1.00 to 5.00".
func Amount(c *engine.Charge) string {
	return Between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0)
}

// Remarks lists what is unusual about a charge: "due on 2026-01-31", "manual", "declined", "card
// expired".
func Remarks(c *engine.Charge) []string {
	var list []string
	if c.Slot != c.Date {
		list = append(list, "due on "+c.Slot.String())
	}
	if c.Manual {
		list = append(list, "manual")
	}
	if c.Outcome == engine.OutcomeDeclined {
		list = append(list, "declined")
	}
	if c.CardExpired {
		list = append(list, "card expired")
	}
	return list
}

// Charge describes a charge without its day: "10.00 EUR, repeat 3, declined".
func Charge(c *engine.Charge, currency string) string {
	list := []string{Amount(c) + " " + termtext.Visible(currency), "repeat " + strconv.FormatUint(c.Repeat, 10)}
	return strings.Join(append(list, Remarks(c)...), ", ")
}

// NoCharge returns why a profile has no charge through a day.
func NoCharge(p engine.Profile, plan *engine.Plan, through calendar.Date) string {
	switch {
	case p.Automatic():
	case p.Kind == engine.KindDestination:
		return "never charged automatically, since it is DST"
	default:
		return "never charged automatically, it has no period and interval"
	}
	for c := range plan.Next(1) {
		if !c.Date.After(through) {
			return "no charge here" // but before the window
		}
		return "no charge here, the first is on " + c.Date.String()
	}
	return "no charge"
}

// End returns the status of a profile: "active", or "stopped on 2026-01-31: finish-date is reached".
func End(e *engine.End) string {
	switch {
	case e.Status == engine.StatusStopped && e.Stop.IsZero():
		return "stopped, on a day that is not known"
	case e.Status == engine.StatusStopped:
		return "stopped on " + e.Stop.Date.String() + ": " + Reasons(e.Stop.Reasons)
	case e.LastDay:
		return "active; the calendar ends here, on 9999-12-31"
	}
	return "active"
}
