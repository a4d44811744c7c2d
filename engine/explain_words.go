package engine

import (
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A teller puts the arithmetic of a day into words.
type teller struct {
	*life
	day       *dayOfLife
	sentences []Sentence
}

// explain returns the explanation of a day.
func (l *life) explain(d *dayOfLife) Explanation {
	e := Explanation{
		Date: l.on, Why: l.why(d), Charges: d.charges, Manual: d.manual, Before: d.before, After: d.after, Stop: d.lastStop(),
	}
	t := teller{life: l, day: d}
	if e.Why == WhyDue {
		t.charge(&d.charges[len(d.charges)-1])
		e.Because = d.charges[len(d.charges)-1].Because
	} else {
		t.none(e.Why)
		for _, s := range t.sentences {
			e.Because = e.Because.And(s.Because)
		}
	}
	t.manual()
	e.Sentences = t.sentences
	return e
}

func (t *teller) say(why ledger.Because, text string) {
	t.sentences = append(t.sentences, Sentence{text, why})
}

// charge explains the last automatic charge of the day.
func (t *teller) charge(c *Charge) {
	t.origin()
	t.slot(c.Slot)
	if n := len(t.day.charges); n > 1 {
		t.say(ledger.On(clause.L32b), "The run of this day catches up: it makes "+strconv.Itoa(n)+" charges, of which this is the last.")
	} else if c.Slot != c.Date {
		t.say(ledger.On(clause.L32b), "It is charged by the run of "+c.Date.String()+", which catches up.")
	}
	t.repeat(c)
	t.amount(c)
	if c.Outcome == OutcomeDeclined {
		t.say(ledger.On(clause.Doc227), "The script declines the attempt; the repeat number is counted all the same.")
	}
	if c.CardExpired {
		t.say(ledger.On(clause.L31), "The card expired on "+t.day.stored.Profile.CardExpires.String()+", before this day.")
	}
	t.stop()
}

// none says why there is no charge.
func (t *teller) none(why Why) {
	switch why {
	case WhyNoSchedule:
		text := "The profile has no period and interval, and is charged by hand only."
		if t.day.stored.Profile.Kind == KindDestination {
			text = "The profile pays to a card (DST), and has no automatic charge."
		}
		t.say(ledger.On(clause.Doc223, clause.L25), text)
	case WhyBeforeAsOf:
		t.past()
	case WhyBeforeStart:
		t.origin()
		anchor := t.day.stored.State.Anchor
		t.say(ledger.On(clause.Doc21), "The first due day is "+anchor.String()+", "+counted(anchor.Sub(t.on), "day")+" later.")
	case WhyStopped:
		t.stopped()
		t.due()
	case WhyNotDue:
		t.origin()
		t.due()
	case WhyPaid:
		t.slot(t.on)
		t.say(ledger.On(clause.Doc2210, clause.L13), "It was charged before: no slot is charged twice.")
	case WhyMissed:
		t.slot(t.on)
		t.missed()
	}
	if why != WhyNoSchedule && why != WhyStopped {
		t.stop()
	}
}

// past says what the state knows of a day before the forecast: which charge that day had, if every due
// day since was charged.
func (t *teller) past() {
	asOf, state := t.sim.AsOf, t.day.plan.state
	begins := "The forecast begins on the as-of date, " + asOf.String()
	if t.day.plan.created {
		t.say(ledger.On(clause.L27), begins+", on which the profile is taken as new: without a state nothing is known of days before it.")
		t.due()
		return
	}
	t.say(ledger.On(clause.L27, clause.Doc227), begins+". What follows is the past as the state and the schedule would have it, not what happened.")
	t.due()
	last := state.RanThrough
	if state.Status == StatusStopped {
		if state.Stop.IsZero() {
			return // nobody knows how long it ran
		}
		last = state.Stop.Date
	}
	grid := t.day.grid()
	_, due := grid.Index(t.on)
	made, days := state.Repeat, uint64(grid.Count(calendar.Through(grid.Start(), last)))
	since := uint64(grid.Count(calendar.Through(t.on, last)))
	why := ledger.On(clause.Doc227, clause.Doc226).And(state.Because)
	charges, dueDays := counted(int(made), "charge")+" "+were(made)+" made", counted(int(days), "due day")
	if made != days {
		t.say(why, "The state contradicts the calendar: it says that "+charges+", and there "+were(days)+" "+dueDays+" from "+grid.Start().String()+" through "+last.String()+". Manual charges, missed runs or another start can be why.")
	}
	if due && since <= made && since > 0 {
		c := Charge{Repeat: made - since, Slot: t.on, Date: t.on}
		charger := newCharger(&t.day.stored.Profile, ledger.Because{})
		charger.complete(&c)
		t.say(why, "If every due day since was charged, it had repeat number "+strconv.FormatUint(c.Repeat, 10)+" and the amount "+t.money(&c)+".")
	} else if due {
		t.say(why, "By the repeat number, "+strconv.FormatUint(made, 10)+", it was not charged if every due day since was.")
	}
}

// missed says what became of a due day that is not charged on it.
func (t *teller) missed() {
	text := "Its run is over, by the state, and did not charge it"
	switch {
	case t.day.stored.State.Repeat >= lastRepeat:
		t.say(ledger.On(clause.Doc227), "Repeat numbers end at "+strconv.FormatUint(lastRepeat, 10)+", which is reached.")
		return
	case t.noRun():
		text = "The script leaves out the run of this day"
	}
	if t.engine.policy.RunMissed == MissedSkip {
		text += ", and what a missed run leaves is skipped."
	} else {
		text += "; a later run catches up."
	}
	t.say(ledger.On(clause.L16b), text)
}

// manual mentions the manual charges of the day.
func (t *teller) manual() {
	for i := range t.day.manual {
		c := &t.day.manual[i]
		t.say(c.Because, "The script has a manual charge of "+t.money(c)+" on this day, with repeat number "+strconv.FormatUint(c.Repeat, 10)+".")
	}
}

// origin says where the due days are counted from, unless that is the start-date.
func (t *teller) origin() {
	p, anchor := &t.day.stored.Profile, t.day.stored.State.Anchor
	switch {
	case p.Start == anchor:
	case p.Start.IsZero():
		t.say(ledger.On(clause.L02), "The profile has no start-date: its due days are counted from "+anchor.String()+".")
	default:
		t.say(ledger.On(clause.L03, clause.L15).And(t.day.stored.State.Because), "Its due days are counted from "+anchor.String()+", not from start-date, "+p.Start.String()+".")
	}
}

// due says whether the day is due, and which due days are near.
func (t *teller) due() {
	grid := t.day.grid()
	k, due := grid.Index(t.on)
	if due {
		t.slot(t.on)
		return
	}
	text := t.on.String() + " is not a due day: these are every " + every(grid) + " from " + grid.Start().String()
	before, hasBefore := grid.At(k - 1)
	after, hasAfter := grid.At(k)
	switch {
	case hasBefore && hasAfter:
		text += "; the nearest are " + before.String() + " and " + after.String()
	case hasAfter:
		text += "; the first is " + after.String()
	}
	t.say(t.counting(), text+".")
}

// counting is what the counting of due days rests on.
func (t *teller) counting() ledger.Because {
	return gridClauses(&t.day.stored.Profile, t.day.stored.State.Anchor)
}

// slot explains how a due day is counted.
func (t *teller) slot(slot calendar.Date) {
	grid := t.day.grid()
	k, _ := grid.Index(slot)
	if k == 0 {
		t.say(ledger.On(clause.Doc21, clause.Doc224), slot.String()+" is the first due day: the others are counted from it.")
		return
	}
	unit, steps := grid.Unit().String(), k*grid.Interval()
	text := slot.String() + " is due: it is the " + ordinal(k) + " " + unit + " after " + grid.Start().String()
	if grid.Interval() > 1 {
		text = slot.String() + " is due: it is the " + ordinal(k) + " time every " + every(grid) + " from " + grid.Start().String()
		if grid.MonthEnd() != calendar.MonthEndSkip {
			text += ", " + counted(steps, unit) + " after it"
		}
	}
	t.say(t.counting(), text+lacking(grid, steps, slot)+".")
}

// repeat says what number the charge has.
func (t *teller) repeat(c *Charge) {
	text := "It has repeat number " + strconv.FormatUint(c.Repeat, 10)
	switch begin := t.sim.Stored.State.Repeat; {
	case c.Repeat == 0:
		text += ": it is the first charge."
	case begin > 0 && c.Repeat >= begin:
		text += ": the state says " + strconv.FormatUint(begin, 10) + " on the as-of date, and " + counted(int(c.Repeat-begin), "charge") + " came between."
	default:
		text += ": " + counted(int(c.Repeat), "charge") + " came before it."
	}
	t.say(ledger.On(clause.Doc227), text)
}

// amount says which amount is charged.
func (t *teller) amount(c *Charge) {
	switch choice := t.day.stored.Profile.Amounts; choice.Kind() {
	case amount.KindFixed:
		t.say(ledger.On(clause.Doc225), "The amount is the same each time, "+t.money(c)+".")
	case amount.KindRange:
		text := "The amount is random: " + t.money(c) + "."
		if c.Min.Compare(c.Max) == 0 && t.scripted {
			text = "The amount is random, and " + t.money(c) + " is drawn from the seed."
		}
		t.say(ledger.On(clause.Doc225, clause.L36d), text)
	case amount.KindSequence:
		n := strconv.Itoa(choice.Len())
		if c.Repeat < uint64(choice.Len()) {
			t.say(ledger.On(clause.Doc225, clause.Doc226), "The amount is element "+strconv.FormatUint(c.Repeat+1, 10)+" of "+n+" of amount-sequence, "+t.money(c)+".")
			return
		}
		t.say(ledger.On(clause.Doc225, clause.Doc226, clause.X7), "amount-sequence has "+n+" elements, and the last of them, "+t.money(c)+", is charged from then on.")
	}
}

// money is the amount of a charge with the currency.
func (t *teller) money(c *Charge) string {
	text := c.Min.String()
	if c.Min.Compare(c.Max) != 0 {
		text += " to " + c.Max.String()
	}
	return text + " " + t.day.stored.Profile.Currency
}

// stopped says since when and why the profile is stopped.
func (t *teller) stopped() {
	stop := t.day.stop()
	if stop.IsZero() {
		t.say(ledger.On(clause.Doc3), "The profile is stopped, by the state, on a day that is not known.")
		return
	}
	t.say(stop.Because.With(clause.Doc3), "The profile is stopped since "+stop.Date.String()+": "+stop.Reasons.Sentence()+".")
}

// stop says which stop is near.
func (t *teller) stop() {
	stop, p := t.day.lastStop(), &t.day.stored.Profile
	switch limit, set := p.MaxRepeats.Value(); {
	case !stop.IsZero():
	case t.day.stored.State.Status == StatusStopped:
		t.stopped()
		return
	case set && limit == 0:
		t.say(ledger.On(clause.Doc228, clause.Doc229, clause.L09), "No stop is in sight: max-repeats-number 0 is read as no limit, and there is no finish-date.")
		return
	case set:
		t.say(ledger.On(clause.Doc228, clause.Doc229), "No stop is in sight: max-repeats-number "+strconv.FormatUint(limit, 10)+" is not reached in the calendar.")
		return
	default:
		t.say(ledger.On(clause.Doc228, clause.Doc229), "No stop is in sight: there is neither max-repeats-number nor finish-date.")
		return
	}
	text := "The profile will be stopped on " + stop.Date.String()
	switch distance := stop.Date.Sub(t.on); {
	case distance < 0:
		text = "The profile is stopped since " + stop.Date.String()
	case distance == 0:
		text = "The profile is stopped on this day"
	default:
		text += ", " + counted(distance, "day")
		if !t.on.Before(t.sim.AsOf) { // the charges of a past day are not all in the forecast
			text += " and " + counted(t.day.plan.Count(calendar.Through(t.on.AddDays(1), stop.Date)), "charge")
		}
		text += " later"
	}
	t.say(stop.Because, text+": "+stop.Reasons.Sentence()+".")
}

// Sentence says in words why a profile stopped: "max-repeats-number is reached".
func (r Reasons) Sentence() string {
	var list []string
	for i, text := range [...]string{"max-repeats-number is reached", "finish-date is reached", "stopped through the update operation"} {
		if r>>i&1 == 1 {
			list = append(list, text)
		}
	}
	return strings.Join(list, " and ")
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

// counted is a number of things: "1 day", "2 days".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func were(n uint64) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// every is how often days are due: "month", "3 months".
func every(grid calendar.Schedule) string {
	if grid.Interval() == 1 {
		return grid.Unit().String()
	}
	return strconv.Itoa(grid.Interval()) + " " + grid.Unit().String() + "s"
}

// lacking says what a due day is in the month that lacks the day of the start: the month so many
// months after it.
func lacking(grid calendar.Schedule, months int, slot calendar.Date) string {
	year, month, day := grid.Start().Date()
	if grid.Unit() != calendar.UnitMonth || day <= 28 {
		return ""
	}
	if grid.MonthEnd() == calendar.MonthEndSkip {
		return "; months without a " + ordinal(day) + " are left out"
	}
	n := int(month) - 1 + months
	year, month = year+n/12, time.Month(n%12+1)
	length := calendar.DaysIn(year, month)
	if length >= day {
		return ", on the " + ordinal(day) + " like the first"
	}
	_, _, of := slot.Date()
	text := ": " + month.String() + " " + strconv.Itoa(year) + " has " + strconv.Itoa(length) + " days, so it is "
	switch grid.MonthEnd() {
	case calendar.MonthEndNextFirst:
		return text + "the 1st of the next month"
	case calendar.MonthEndOverflow:
		return text + "the " + ordinal(of) + " of the next month, moved on by the missing days"
	}
	return text + "the " + ordinal(of)
}
