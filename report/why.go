package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
)

// A Sentence is one step of why a profile is or is not charged on a day, with what it depends on. It
// shows amounts, dates and numbers of the profile, and no other value.
type Sentence struct {
	Text    string
	Because ledger.Because
}

// Sentences says in words how the charge of a day came about, or why there is none.
func Sentences(e *engine.Explanation) []Sentence {
	w := why{Explanation: e}
	w.event()
	switch e.Why {
	case engine.WhyDue:
		w.charge()
	case engine.WhyNoSchedule:
		w.noSchedule()
	case engine.WhyBeforeAsOf:
		w.past()
	case engine.WhyBeforeStart:
		w.beforeStart()
	case engine.WhyStopped:
		w.stopped()
	case engine.WhyNotDue:
		w.anchor()
		w.due()
	case engine.WhyPaid:
		w.due()
		w.say("It was charged before: no due day is charged twice.", clause.Doc2210, clause.L13)
	case engine.WhyMissed:
		w.due()
		w.missed()
	}
	if e.Why != engine.WhyNoSchedule && e.Why != engine.WhyStopped {
		w.stop()
	}
	for i := range e.Manual {
		c := &e.Manual[i]
		w.add("The script has a manual charge of "+w.money(c)+" on this day, with repeat number "+number(c.Repeat)+".", c.Because)
	}
	return w.sentences
}

// Headline says the same in a few words: the last charge of the day, what the state says of a past
// one, or why there is none.
func Headline(e *engine.Explanation) string {
	if n := len(e.Charges); n > 0 {
		return words.Charge(&e.Charges[n-1], e.Profile.Currency)
	}
	if c := &e.Past.Charge; !c.Date.IsZero() {
		return words.Charge(c, e.Profile.Currency) + ", if every due day since then was charged"
	}
	switch {
	case e.Why == engine.WhyBeforeAsOf && e.Owed && !e.CaughtUp.IsZero():
		return "due, and charged on " + e.CaughtUp.String()
	case e.Why == engine.WhyBeforeAsOf && beforeStartDate(e):
		return "no charge, before the start-date"
	case e.Why == engine.WhyBeforeAsOf && e.New:
		return "not known, before the as-of date"
	case e.Why == engine.WhyBeforeStart && !e.Before.IsZero():
		return "no charge, before the due days begin again"
	}
	return headlines[e.Why]
}

var headlines = map[engine.Why]string{
	engine.WhyNoSchedule:  "no charge, it has no schedule",
	engine.WhyBeforeAsOf:  "no charge, before the as-of date",
	engine.WhyBeforeStart: "no charge, before the first due day",
	engine.WhyStopped:     "no charge, the profile is stopped",
	engine.WhyNotDue:      "no charge, not a due day",
	engine.WhyPaid:        "no charge, already charged",
	engine.WhyMissed:      "no charge, due but not run",
}

// A why puts an explanation into words.
type why struct {
	*engine.Explanation
	sentences []Sentence
}

func (w *why) add(text string, because ledger.Because) {
	w.sentences = append(w.sentences, Sentence{text, because})
}

func (w *why) say(text string, clauses ...ledger.Clause) { w.add(text, ledger.On(clauses...)) }

// event names the events that the answer can depend on.
func (w *why) event() {
	for i := range w.Events {
		switch e := &w.Events[i]; e.Event.Kind {
		case engine.EventUpdate:
			w.add("It was updated on "+e.Event.Date.String()+": "+updated(&e.Event.Update)+".", e.Because)
		case engine.EventStop:
			if i+1 < len(w.Events) || w.Why != engine.WhyStopped { // which says so itself
				w.add("It was stopped on "+e.Event.Date.String()+" through the update operation.", e.Because)
			}
		default:
			w.add("It was resumed on "+e.Event.Date.String()+".", e.Because)
		}
	}
}

// updated lists the columns of an update with their new values.
func updated(u *engine.Update) string {
	var list []string
	add := func(given, removed bool, column, value string) {
		switch {
		case removed:
			list = append(list, column+" removed")
		case given:
			list = append(list, column+" "+value)
		}
	}
	add(u.Start.Given, u.Start.Removed, "start-date", u.Start.Value.String())
	add(u.Finish.Given, u.Finish.Removed, "finish-date", u.Finish.Value.String())
	n, _ := u.MaxRepeats.Value.Value()
	add(u.MaxRepeats.Given, u.MaxRepeats.Removed, "max-repeats-number", number(n))
	add(u.Unit.Given, u.Unit.Removed, "period", u.Unit.Value.String())
	add(u.Interval.Given, u.Interval.Removed, "interval", strconv.Itoa(u.Interval.Value))
	add(u.Amount.Given, u.Amount.Removed, "amount", u.Amount.Value.String())
	add(u.AmountFrom.Given, u.AmountFrom.Removed, "amount-from", u.AmountFrom.Value.String())
	add(u.AmountTo.Given, u.AmountTo.Removed, "amount-to", u.AmountTo.Value.String())
	sequence := strconv.Itoa(len(u.Sequence.Value)) + " elements"
	add(u.Sequence.Given, u.Sequence.Removed, "amount-sequence", sequence)
	return strings.Join(list, ", ")
}

// charge explains the last automatic charge of the day.
func (w *why) charge() {
	c := &w.Charges[len(w.Charges)-1]
	w.anchor()
	w.due()
	if n := len(w.Charges); n > 1 {
		w.say(strconv.Itoa(n)+" due days are charged on this day, of which this is the last.", clause.L32b)
	} else if c.Slot != c.Date {
		w.say("It is charged by the run of "+c.Date.String()+", which catches up.", clause.L32b)
	}
	w.repeat(c)
	w.amount(c)
	if c.Outcome == engine.OutcomeDeclined {
		w.say("The script declines the attempt; the repeat number is counted all the same.", clause.Doc227)
	}
	if c.CardExpired {
		w.say("The card expired on "+w.Profile.CardExpires.String()+", before this day.", clause.L31)
	}
}

func (w *why) noSchedule() {
	if w.Profile.Kind == engine.KindDestination {
		w.say("The profile pays to a card (DST), and has no automatic charge.", clause.Doc223, clause.L25)
		return
	}
	w.say("The profile has no period and interval, and is charged by hand only.", clause.Doc223, clause.L25)
}

func (w *why) beforeStart() {
	w.anchor()
	text := "The first due day is "
	if !w.Before.IsZero() {
		text = "Its due days begin again on "
	}
	w.say(text+w.DueAfter.String()+", "+counted(w.DueAfter.Sub(w.Date), "day")+" later.", clause.Doc21)
}

// stopped says since when and why the profile is stopped, and what becomes of a due day.
func (w *why) stopped() {
	if s := w.Stopped; s.IsZero() {
		w.say("According to the state the profile is stopped, on a day that is not known.", clause.Doc3)
	} else {
		w.add("The profile is stopped since "+s.Date.String()+": "+words.Reasons(s.Reasons)+".", s.Because.With(clause.Doc3))
	}
	w.due()
	if w.Owed {
		w.owed(clause.L16)
	}
}

// owed says that a due day is kept for a run that catches up.
func (w *why) owed(clauses ...ledger.Clause) {
	text := "It is kept for a run that catches up, but none charges it."
	if !w.CaughtUp.IsZero() {
		text = "It is kept for a run that catches up: that of " + w.CaughtUp.String() + " charges it."
	}
	w.say(text, clauses...)
}

// missed says what becomes of a due day whose run did not charge it.
func (w *why) missed() {
	switch {
	case w.RepeatEnd:
		w.say("Repeat numbers end at 9223372036854775807, which is reached.", clause.Doc227)
		return
	case w.NoRun && !w.Owed:
		w.say("The script leaves out the run of this day, and what a missed run leaves is skipped.", clause.L16b)
		return
	case w.NoRun:
		w.say("The script leaves out the run of this day.", clause.L16b)
	case w.Owed:
		w.say("According to the state its run is over and did not charge it.", clause.L32b)
	default:
		w.say("According to the state its run is over and did not charge it; no later run does.", clause.L16, clause.L16b)
		return
	}
	w.owed(clause.L16, clause.L16b)
}

// beforeStartDate reports whether a day lies before the start-date of a profile that is taken as
// new. One with a state may have had another start-date.
func beforeStartDate(e *engine.Explanation) bool { return e.New && e.Date.Before(e.Profile.Start) }

// past says what the state and the schedule know of a day before the as-of date.
func (w *why) past() {
	begins := "The forecast begins on the as-of date, " + w.AsOf.String()
	switch {
	case beforeStartDate(w.Explanation):
		start := w.Profile.Start
		w.say("No charge comes before start-date, "+start.String()+", which is "+counted(start.Sub(w.Date), "day")+" later.", clause.Doc21)
		return
	case w.New && w.Past.Last.IsZero():
		w.say(begins+", on which the profile is taken as new: without a state nothing is known of the days before it.", clause.L27, clause.L03)
		w.anchor()
		w.due()
		if w.Owed {
			w.owed(clause.L03)
		}
		return
	}
	w.say(begins+". What follows is computed from the state and the schedule; it is not a record of what happened.", clause.L27, clause.Doc227)
	w.anchor()
	w.due()
	p := &w.Past
	because := ledger.On(clause.Doc227).And(p.Charge.Because)
	switch due := !w.Due.Date.IsZero(); {
	case p.Last.IsZero():
		w.say("According to the state the profile is stopped, on a day that is not known; what was charged is not known either.", clause.Doc3)
		return
	case p.Made > p.Days:
		w.add("The state contradicts the calendar: by its repeat number "+counted(p.Made, "charge")+" "+were(p.Made)+" made, and there "+were(p.Days)+" "+counted(p.Days, "due day")+
			" through "+p.Last.String()+". Manual charges or another start can be why.", because)
	case !due || w.Owed:
	case w.Date.After(p.Last):
		w.unrun()
	case p.Charge.Date.IsZero():
		w.say("There "+were(p.Since)+" "+counted(p.Since, "due day")+" from this day through "+p.Last.String()+", and by the repeat number "+counted(p.Made, "charge")+" "+were(p.Made)+
			" made: not every due day was charged, and which were is not known.", clause.Doc227)
	}
	if !p.Charge.Date.IsZero() {
		w.add("If every due day since then was charged, it had repeat number "+number(p.Charge.Repeat)+" and the amount "+w.money(&p.Charge)+".", because)
		if expires := w.Profile.CardExpires; !expires.IsZero() && expires.Before(w.Date) {
			w.say("The card expired on "+expires.String()+", before this day.", clause.L31)
		}
	}
	if w.Owed {
		w.owed(clause.L16, clause.L16b)
	}
}

// unrun says why a past due day was not charged: it was stopped, or no run took place.
func (w *why) unrun() {
	switch stop := w.Stop.Date; {
	case !stop.IsZero() && !stop.After(w.Date):
		w.say("It was not charged: the profile was stopped.", clause.Doc3)
	default:
		w.say("It was not charged: according to the state the last run was on "+w.Past.Last.String()+".", clause.L16b)
	}
}

// anchor says where the due days are counted from, unless that is the start-date.
func (w *why) anchor() {
	switch {
	case w.Moved.IsZero():
	case w.Profile.Start.IsZero():
		w.add("The profile has no start-date: its due days are counted from "+w.Anchor.String()+".", w.Moved)
	default:
		w.add("Its due days are counted from "+w.Anchor.String()+", not from start-date, "+w.Profile.Start.String()+".", w.Moved)
	}
}

// due says how a due day is counted, or which due days are near.
func (w *why) due() {
	d := w.Due
	every := every(&w.Profile)
	switch {
	case d.Date.IsZero():
		text := w.Date.String() + " is not a due day: these are every " + every + " from " + w.Anchor.String()
		switch {
		case w.DueBefore.IsZero():
			text += "; the first is " + w.DueAfter.String()
		case w.DueAfter.IsZero():
			text += "; the last in the calendar is " + w.DueBefore.String()
		default:
			text += "; the nearest are " + w.DueBefore.String() + " and " + w.DueAfter.String()
		}
		w.add(text+".", w.Grid)
	case d.Index == 0:
		w.say(d.Date.String()+" is the first due day: the others are counted from it.", clause.Doc21, clause.Doc224)
	case w.Profile.Interval == 1:
		w.add(d.Date.String()+" is due: it is the "+ordinal(d.Units)+" "+every+" after "+w.Anchor.String()+w.inMonth()+".", w.Grid)
	default:
		w.add(d.Date.String()+" is due: it is "+counted(d.Units, w.Profile.Unit.String())+" after "+w.Anchor.String()+", counted every "+every+w.inMonth()+".", w.Grid)
	}
}

// inMonth says where a due day falls in a month, for a first one on the 29th to the 31st.
func (w *why) inMonth() string {
	year, month, day := w.Anchor.Date()
	if w.Profile.Unit != calendar.UnitMonth || day <= 28 {
		return ""
	}
	_, nominal, of := w.Due.Date.Date()
	n := int(month) - 1 + w.Due.Units
	year, month = year+n/12, time.Month(n%12+1)
	switch {
	case w.Due.ShortMonth == 0 && w.MonthEnd == calendar.MonthEndSkip:
		return "; months without a " + ordinal(day) + " are left out"
	case w.Due.ShortMonth == 0:
		return ", on the " + ordinal(day) + " like the first"
	}
	text := ": " + month.String() + " " + strconv.Itoa(year) + " has " + strconv.Itoa(w.Due.ShortMonth) + " days, so it is the " + ordinal(of)
	switch {
	case nominal == month:
		return text
	case w.MonthEnd == calendar.MonthEndOverflow:
		return text + " of the next month, moved on by the missing days"
	}
	return text + " of the next month"
}

// repeat says where the repeat number of a charge comes from.
func (w *why) repeat(c *engine.Charge) {
	n := w.Count
	since := c.Repeat - n.From
	text, clauses := "It has repeat number "+number(c.Repeat)+": ", ledger.On(clause.Doc227)
	came := counted(since, "charge") + " came between"
	switch n.Origin {
	case engine.OriginCreation:
		switch {
		case n.Charges == 0:
			text += "it is the first charge"
		default:
			text += counted(n.Charges, "charge") + " came before it"
		}
	case engine.OriginNew:
		text += "the profile is taken as new on " + n.Since.String() + ", no earlier charge is counted, and " + came
		clauses = clauses.With(clause.L03)
	case engine.OriginMissed:
		text += "it began with " + number(n.From) + " on " + n.Since.String() + ", the due days before it being counted as charged, and " + came
		clauses = clauses.With(clause.L03)
	case engine.OriginState:
		text += "the state says " + number(n.From) + " on the as-of date, and " + came
	case engine.OriginReset:
		text += "the resume of " + n.Since.String() + " set it to 0, and " + came
		clauses = clauses.With(clause.L14)
	}
	if left := n.Charges - since; left > 0 {
		text += "; " + counted(left, "manual charge") + " " + were(left) + " not counted"
		clauses = clauses.With(clause.L20)
	}
	w.add(text+".", clauses)
}

// amount says which amount is charged.
func (w *why) amount(c *engine.Charge) {
	choice := w.Profile.Amounts
	switch low, high := choice.Bounds(0); {
	case choice.Kind() == amount.KindSequence && c.Repeat < uint64(choice.Len()):
		w.say("The amount is element "+strconv.Itoa(w.Element)+" of "+strconv.Itoa(choice.Len())+" of amount-sequence, "+w.money(c)+".", clause.Doc225, clause.Doc226)
	case choice.Kind() == amount.KindSequence:
		w.say("amount-sequence has "+counted(choice.Len(), "element")+", and the last of them, "+w.money(c)+", is charged from then on.", clause.Doc225, clause.Doc226, clause.X7)
	case choice.Kind() == amount.KindRange && low.Compare(high) == 0:
		w.say("The amount is the same each time, "+w.money(c)+": amount-from and amount-to are equal.", clause.Doc225, clause.L33)
	case choice.Kind() == amount.KindRange && c.Min.Compare(c.Max) == 0:
		w.say("The amount is random, and "+w.money(c)+" is drawn from the seed.", clause.Doc225, clause.L36d)
	case choice.Kind() == amount.KindRange:
		w.say("The amount is random: "+w.money(c)+".", clause.Doc225, clause.L36d)
	default:
		w.say("The amount is the same each time, "+w.money(c)+".", clause.Doc225)
	}
}

func (w *why) money(c *engine.Charge) string { return words.Amount(c) + " " + w.Profile.Currency }

// stop says which stop is near.
func (w *why) stop() {
	s := w.Stop
	if s.IsZero() {
		w.noStop()
		return
	}
	var text string
	switch distance := s.Date.Sub(w.Date); {
	case s.Date.Before(w.AsOf) || distance < 0:
		text = "The profile is stopped since " + s.Date.String()
	case distance == 0:
		text = "The profile is stopped on this day"
	case w.Date.Before(w.AsOf): // the charges of past days are not all known
		text = "The profile will be stopped on " + s.Date.String() + ", " + counted(distance, "day") + " later"
	default:
		text = "The profile will be stopped on " + s.Date.String() + ", " + counted(distance, "day") + " and " + counted(w.StopCharges, "charge") + " later"
	}
	because := s.Because
	if because.IsZero() { // of a state that does not say
		because = ledger.On(clause.Doc3)
	}
	w.add(text+": "+words.Reasons(s.Reasons)+".", because)
}

func (w *why) noStop() {
	limit, set := w.Profile.MaxRepeats.Value()
	switch {
	case w.StopUnknown:
		w.say("According to the state the profile is stopped, on a day that is not known.", clause.Doc3)
	case w.LaterEvents:
		w.say("No stop is in sight, with the later events of the script.", clause.Doc228, clause.Doc229)
	case set && limit == 0:
		w.say("No stop is in sight: max-repeats-number 0 is read as no limit, and there is no finish-date.", clause.Doc228, clause.Doc229, clause.L09)
	case set:
		w.say("No stop is in sight: max-repeats-number "+number(limit)+" is not reached in the calendar.", clause.Doc228, clause.Doc229)
	default:
		w.say("No stop is in sight: there is neither max-repeats-number nor finish-date.", clause.Doc228, clause.Doc229)
	}
}

func were(n uint64) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// every is how often days are due: "month", "3 months".
func every(p *engine.Profile) string {
	if p.Interval == 1 {
		return p.Unit.String()
	}
	return strconv.Itoa(p.Interval) + " " + p.Unit.String() + "s"
}

// ordinal is a number as 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
