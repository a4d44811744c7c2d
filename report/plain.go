package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
)

// Plain says in at most two sentences that a customer can be sent what is charged on the day of an
// explanation, or why nothing is: with dates and amounts, and without ids, clauses and numbers of
// ours. It says of a past payment, too, that the card on file had expired. It returns nothing where
// the answer is not known: for a past day, from its start-date on, of a profile that is taken as
// new, and where its amount or its end depends on charges that are not counted.
func Plain(e *engine.Explanation) []string {
	p := customerWords{e}
	if p.isUnknown() {
		return nil
	}
	if list := slices.Concat(e.Charges, e.Manual); len(list) > 0 {
		return p.charged(list)
	}
	return p.notCharged()
}

// customerWords puts an explanation into words for a customer.
type customerWords struct{ *engine.Explanation }

// isUnknown reports whether the answer depends on charges of which nothing is known.
func (p customerWords) isUnknown() bool {
	early := p.Why == engine.WhyBeforeAsOf && beforeStartDate(p.Explanation) // on which nothing is charged
	if p.Why == engine.WhyBeforeAsOf && p.Past.Last.IsZero() && !early {
		return true
	}
	start := p.Profile.Start
	isNew := p.New && !start.IsZero() && start.Before(p.AsOf) && p.Count.Origin != engine.OriginMissed
	if !isNew || p.Why == engine.WhyNoSchedule || p.Why == engine.WhyBeforeStart {
		return false
	}
	_, limited := p.Profile.MaxRepeats.Value()
	return p.isPast() && !early || limited || p.Profile.Amounts.Kind() == amount.KindSequence
}

func (p customerWords) isPast() bool { return p.Date.Before(p.AsOf) }

// charged says what is charged on the day, and what comes next.
func (p customerWords) charged(list []engine.Charge) []string {
	var sum amount.Total
	declined, late := false, false
	for i := range list {
		sum.Add(list[i].Min, list[i].Max)
		declined = declined || list[i].Outcome == engine.OutcomeDeclined
		late = late || list[i].CardExpired
	}
	money := priceInWords(sum.Min.String(), sum.Max.String(), words.IsFixed(sum), p.Profile.Currency)
	text := "On " + longDate(p.Date) + ", " + money + " will be charged"
	if declined {
		text = "On " + longDate(p.Date) + ", " + money + " is due, and the payment is declined"
	}
	last := &list[len(list)-1]
	switch {
	case len(list) > 1:
		text += ", in " + strconv.Itoa(len(list)) + " payments"
	case last.Manual:
	case last.Slot != last.Date:
		text += ": the payment that was due on " + longDate(last.Slot)
	default:
		text += p.billing()
	}
	sentences := []string{text + "."}
	switch {
	case late:
		return append(sentences, p.cardExpires())
	case p.changed() != "" && !p.After.IsZero():
		return append(sentences, p.changed()+"; the next payment is due on "+longDate(p.After)+".")
	case p.changed() != "":
		return append(sentences, p.changed()+".")
	case !p.After.IsZero():
		return p.andNext(text+".", calendar.Date{})
	case !p.Stop.IsZero():
		return append(sentences, "It is the last payment of your plan.")
	}
	return sentences
}

// cardExpires says that the card expires before the day.
func (p customerWords) cardExpires() string {
	expires := p.Profile.CardExpires
	return "The card on file " + p.tense(expires, "expired", "expires") + " before that day, on " + longDate(expires) + "."
}

// tense returns what is said of a day before as-of, or of one from then on.
func (p customerWords) tense(d calendar.Date, past, future string) string {
	if d.Before(p.AsOf) {
		return past
	}
	return future
}

// andNext adds the next payment to a sentence, unless there is none or the sentence has its day.
func (p customerWords) andNext(text string, said calendar.Date) []string {
	if p.After.IsZero() || p.After == said {
		return []string{text}
	}
	return []string{text, "The next payment is due on " + longDate(p.After) + "."}
}

// changed says when the plan is changed, without a full stop, if the answer depends on that.
func (p customerWords) changed() string {
	for i := len(p.Events) - 1; i >= 0; i-- {
		day := p.Events[i].Event.Date
		text := "Your plan " + p.tense(day, "was", "will be")
		switch p.Events[i].Event.Kind {
		case engine.EventUpdate:
			return text + " changed on " + longDate(day)
		case engine.EventResume, engine.EventResumeByAPI:
			return text + " resumed on " + longDate(day)
		}
	}
	return ""
}

// notCharged says why nothing is charged on the day, or what is known of a past one.
func (p customerWords) notCharged() []string {
	day, verb := longDate(p.Date), "is"
	if p.isPast() {
		verb = "was"
	}
	no := "No payment " + verb + " due on " + day
	if start := p.Profile.Start; p.Why == engine.WhyBeforeAsOf && beforeStartDate(p.Explanation) {
		return p.andNext(no+": your plan "+p.tense(start, "began", "begins")+" on "+longDate(start)+".", start)
	}
	if c := &p.Past.Charge; !c.Date.IsZero() {
		money := priceInWords(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0, p.Profile.Currency)
		text := ""
		switch {
		case p.Past.Made == p.Past.Days: // the state counts every due day
			text = "On " + day + " we charged " + money + p.billing() + "."
		case p.Profile.Amounts.Kind() != amount.KindSequence: // whose element depends on which days were charged
			text = "On " + day + ", " + money + " was due" + p.billing() + "."
		}
		switch expires := p.Profile.CardExpires; {
		case text == "":
		case !expires.IsZero() && expires.Before(p.Date):
			return []string{text, p.cardExpires()}
		default:
			return p.andNext(text, calendar.Date{})
		}
	}
	text, said := "A payment was due on "+day+p.billing()+".", calendar.Date{}
	switch {
	case p.Why == engine.WhyNoSchedule:
		text = no + ": your plan has no fixed billing days."
	case p.Why == engine.WhyBeforeStart && !p.Before.IsZero():
		text, said = no+": billing begins again on "+longDate(p.DueAfter)+".", p.DueAfter
	case p.Why == engine.WhyBeforeStart:
		text, said = no+": your plan begins on "+longDate(p.DueAfter)+".", p.DueAfter
	case p.Owed && !p.CaughtUp.IsZero():
		text, said = "The payment that "+verb+" due on "+day+" will be charged on "+longDate(p.CaughtUp)+".", p.CaughtUp
	case p.Why == engine.WhyStopped:
		text = no + ": " + p.ended(&p.Stopped) + "."
	case p.Why == engine.WhyPaid:
		text = "The payment of " + day + " has been made already."
	case p.Why == engine.WhyMissed:
		text = "The payment of " + day + " is left out, and will not be charged."
	case p.Due.Date.IsZero() && p.DueBefore.IsZero():
		text, said = no+": your plan "+p.tense(p.DueAfter, "began", "begins")+" on "+longDate(p.DueAfter)+".", p.DueAfter
	case p.Due.Date.IsZero():
		return p.betweenDueDays(no)
	case p.isPast() && !p.Stop.IsZero() && !p.Stop.Date.After(p.Date):
		text = no + ": " + p.ended(&p.Stop) + "."
	}
	return p.andNext(text, said)
}

// betweenDueDays says which due days are near. Those after the end of the plan are none.
func (p customerWords) betweenDueDays(no string) []string {
	first := no + p.billing() + "."
	if stop := p.Stop.Date; p.After.IsZero() && !stop.IsZero() && !stop.After(p.Date) {
		return []string{first, "Y" + strings.TrimPrefix(p.ended(&p.Stop), "y") + "."}
	}
	return p.andNext(first, calendar.Date{})
}

// ended says when a plan ends, and when it is resumed after the day.
func (p customerWords) ended(s *engine.Stop) string {
	text := "your plan " + p.tense(s.Date, "ended", "will end") + " on " + longDate(s.Date)
	switch will := p.tense(s.Date, "was", "will be"); {
	case s.IsZero():
		text = "your plan has been stopped"
	case s.Reasons == engine.ReasonAPI && p.Resumed.IsZero():
		text = "your plan " + will + " stopped on " + longDate(s.Date)
	case s.Reasons == engine.ReasonAPI:
		text = "your plan " + will + " paused on " + longDate(s.Date)
	}
	if !p.Resumed.IsZero() {
		text += ", and will be resumed on " + longDate(p.Resumed)
	}
	return text
}

// billing says how often the plan is billed, and why on another day of the month: ": your plan is
// billed monthly since 31 August 2025, and February has no 31st".
func (p customerWords) billing() string {
	if p.Profile.Unit == 0 || p.Anchor.IsZero() {
		return ""
	}
	often := map[calendar.Unit]string{calendar.UnitDay: "daily", calendar.UnitWeek: "weekly", calendar.UnitMonth: "monthly"}[p.Profile.Unit]
	if p.Profile.Interval > 1 {
		often = "every " + every(&p.Profile)
	}
	text := ": your plan is billed " + often
	switch {
	case p.isRescheduled(): // after which the first day of the plan is not when that began
	case p.Anchor.Before(p.Date) && p.Anchor.Before(p.AsOf):
		text += " since " + longDate(p.Anchor)
	default:
		text += " from " + longDate(p.Anchor) + " on"
	}
	if p.Due.ShortMonth > 0 {
		_, month, day := p.Anchor.Date()
		nominal := time.Month((int(month)-1+p.Due.Units)%12 + 1)
		text += ", and " + nominal.String() + " has no " + ordinal(day)
	}
	return text
}

// isRescheduled reports whether an update changed the due days.
func (p customerWords) isRescheduled() bool {
	return slices.ContainsFunc(p.Events, func(e engine.AcceptedEvent) bool {
		u := &e.Event.Update
		return e.Event.Kind == engine.EventUpdate && (u.Start.Given || u.Unit.Given || u.Interval.Given)
	})
}

// priceInWords returns "10.00 EUR", or "from 1.00 to 5.00 EUR".
func priceInWords(low, high string, fixed bool, currency string) string {
	if fixed {
		return low + " " + currency
	}
	return "from " + low + " to " + high + " " + currency
}

// longDate returns a date as "28 February 2026".
func longDate(d calendar.Date) string {
	year, month, day := d.Date()
	return strconv.Itoa(day) + " " + month.String() + " " + strconv.Itoa(year)
}
