package main

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A reasoning is one step of the arithmetic, with what it rests on.
type reasoning struct {
	text    string
	because ledger.Because
}

// A whyDay is the result of why.
type whyDay struct {
	subject   record.Subject
	kind      engine.Kind
	life      lifeOf
	day       *dayOfLife
	reason    string
	sentences []reasoning
	other     []otherDay
}

// explain fills in the reason, the sentences and the other policies.
func (w *whyDay) explain() {
	w.reason = w.day.reason(&w.life)
	if c := w.day.charge(); c != nil {
		w.explainCharge(c)
	} else {
		w.explainNone()
	}
	w.explainManual()
	w.other = w.life.others(w.day)
}

func (w *whyDay) say(text string, because ledger.Because) {
	w.sentences = append(w.sentences, reasoning{text, because})
}

// explainCharge tells the arithmetic of the charge of the day.
func (w *whyDay) explainCharge(c *engine.Charge) {
	w.sayOrigin()
	w.saySlot(c.Slot)
	if n := len(w.day.charges); n > 1 {
		w.say("The run of this day catches up: it makes "+strconv.Itoa(n)+" charges, of which this is the last.", ledger.On(clause.L32b))
	} else if c.Slot != c.Date {
		w.say("It is charged by the run of "+c.Date.String()+", which catches up.", ledger.On(clause.L32b))
	}
	w.sayRepeat(c)
	w.sayAmount(c)
	if c.Outcome == engine.OutcomeDeclined {
		w.say("The script declines the attempt; the repeat number is counted all the same.", ledger.On(clause.Doc227))
	}
	if c.CardExpired {
		w.say("The card expired on "+w.day.stored.Profile.CardExpires.String()+", before this day.", ledger.On(clause.L31))
	}
	w.sayStop()
}

// explainNone says why there is no charge.
func (w *whyDay) explainNone() {
	on := w.life.on
	switch w.reason {
	case whyNoSchedule:
		text := "The profile has no period and interval, and is charged by hand only."
		if w.kind == engine.KindDestination {
			text = "The profile pays to a card (DST), and has no automatic charge."
		}
		w.say(text, ledger.On(clause.Doc223, clause.L25))
	case whyBeforeAsOf:
		w.say("The forecast begins on the as-of date, "+w.life.asOf.String()+": the past is what --state says of it.", ledger.On(clause.L27))
		w.sayDue()
	case whyBeforeStart:
		w.sayOrigin()
		w.say("The first due day is "+w.day.stored.State.Anchor.String()+", "+days(w.day.stored.State.Anchor.Sub(on))+" later.", ledger.On(clause.Doc21))
	case whyStopped:
		w.sayStopped()
		w.sayDue()
	case whyNotDue:
		w.sayOrigin()
		w.sayDue()
	case whyPaid:
		w.saySlot(on)
		w.say("It was charged before: no slot is charged twice.", ledger.On(clause.Doc2210, clause.L13))
	default:
		w.saySlot(on)
		w.sayMissed()
	}
	if w.reason != whyNoSchedule && w.reason != whyStopped {
		w.sayStop()
	}
}

// sayMissed says what became of a due day that is not charged on it.
func (w *whyDay) sayMissed() {
	text := "Its run is over, by the state, and did not charge it"
	if w.life.noRun() {
		text = "The script leaves out the run of this day"
	}
	why := ledger.On(clause.L16b)
	if w.life.policy.RunMissed == engine.MissedSkip {
		w.say(text+", and what a missed run leaves is skipped.", why)
	} else {
		w.say(text+"; a later run catches up.", why)
	}
}

// explainManual mentions the manual charges of the day, which are not what why explains.
func (w *whyDay) explainManual() {
	for i := range w.day.manual {
		c := &w.day.manual[i]
		w.say("The script has a manual charge of "+w.money(c)+" on this day, with repeat number "+strconv.FormatUint(c.Repeat, 10)+".", c.Because)
	}
}

// sayOrigin says where the due days are counted from, unless that is the start-date.
func (w *whyDay) sayOrigin() {
	p, anchor := &w.day.stored.Profile, w.day.stored.State.Anchor
	switch {
	case p.Start == anchor:
	case p.Start.IsZero():
		w.say("The profile has no start-date: its due days are counted from "+anchor.String()+".", ledger.On(clause.L02))
	default:
		w.say("Its due days are counted from "+anchor.String()+", not from start-date, "+p.Start.String()+".", ledger.On(clause.L03, clause.L15).And(w.day.stored.State.Because))
	}
}

// sayDue says whether the day is due, and which due days are near.
func (w *whyDay) sayDue() {
	grid, on := w.day.grid(&w.life), w.life.on
	k, due := grid.Index(on)
	if due {
		w.saySlot(on)
		return
	}
	text := on.String() + " is not a due day: these are every " + schedule(grid) + " from " + grid.Start().String()
	before, hasBefore := grid.At(k - 1)
	after, hasAfter := grid.At(k)
	switch {
	case hasBefore && hasAfter:
		text += "; the nearest are " + before.String() + " and " + after.String()
	case hasAfter:
		text += "; the first is " + after.String()
	}
	w.say(text+".", gridClauses(grid))
}

// saySlot tells how a due day is counted.
func (w *whyDay) saySlot(slot calendar.Date) {
	grid := w.day.grid(&w.life)
	k, _ := grid.Index(slot)
	if k == 0 {
		w.say(slot.String()+" is the first due day: the others are counted from it.", ledger.On(clause.Doc21, clause.Doc224))
		return
	}
	unit, steps := grid.Unit().String(), k*grid.Interval()
	text := slot.String() + " is due: it is the " + ordinal(k) + " " + unit + " after " + grid.Start().String()
	if grid.Interval() > 1 {
		text = slot.String() + " is due: it is the " + ordinal(k) + " time every " + schedule(grid) + " from " + grid.Start().String()
		if grid.MonthEnd() != calendar.MonthEndSkip {
			text += ", " + counted(strconv.Itoa(steps), unit) + " after it"
		}
	}
	w.say(text+lacking(grid, steps, slot)+".", gridClauses(grid))
}

// sayRepeat says what number the charge has.
func (w *whyDay) sayRepeat(c *engine.Charge) {
	text := "It has repeat number " + strconv.FormatUint(c.Repeat, 10)
	switch begin := w.life.stored.State.Repeat; {
	case c.Repeat == 0:
		text += ": it is the first charge."
	case begin > 0 && c.Repeat >= begin:
		text += ": the state says " + strconv.FormatUint(begin, 10) + " on the as-of date, and " + counted(strconv.FormatUint(c.Repeat-begin, 10), "charge") + " came between."
	default:
		text += ": " + counted(strconv.FormatUint(c.Repeat, 10), "charge") + " came before it."
	}
	w.say(text, ledger.On(clause.Doc227))
}

// sayAmount says which amount is charged.
func (w *whyDay) sayAmount(c *engine.Charge) {
	switch s := w.day.stored.Profile.Amounts.(type) {
	case amount.Fixed:
		w.say("The amount is the same each time, "+w.money(c)+".", ledger.On(clause.Doc225))
	case amount.Range:
		text := "The amount is random: " + w.money(c) + "."
		if c.Min.Compare(c.Max) == 0 && w.life.scripted {
			text = "The amount is random, and " + w.money(c) + " is drawn from the seed."
		}
		w.say(text, ledger.On(clause.Doc225, clause.L36d))
	case amount.Sequence:
		n := strconv.Itoa(s.Len())
		if c.Repeat < uint64(s.Len()) {
			w.say("The amount is element "+strconv.FormatUint(c.Repeat+1, 10)+" of "+n+" of amount-sequence, "+w.money(c)+".", ledger.On(clause.Doc225, clause.Doc226))
			return
		}
		w.say("amount-sequence has "+n+" elements, and the last of them, "+w.money(c)+", is charged from then on.", ledger.On(clause.Doc225, clause.Doc226, clause.X7))
	}
}

func (w *whyDay) money(c *engine.Charge) string {
	return between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0) + " " + w.subject.Currency
}

// sayStopped says since when and why the profile is stopped.
func (w *whyDay) sayStopped() {
	stop := w.day.stop()
	if stop.IsZero() {
		w.say("The profile is stopped, by the state, on a day that is not known.", ledger.On(clause.Doc3))
		return
	}
	w.say("The profile is stopped since "+stop.Date.String()+": "+reasonsInWords(stop.Reasons)+".", stop.Because.With(clause.Doc3))
}

// sayStop says which stop is near.
func (w *whyDay) sayStop() {
	stop, p := w.day.stop(), &w.day.stored.Profile
	if stop.IsZero() {
		text := "No stop is in sight: there is neither max-repeats-number nor finish-date."
		if limit, capped := p.MaxRepeats.Value(); capped {
			text = "No stop is in sight: max-repeats-number " + strconv.FormatUint(limit, 10) + " is not reached in the calendar."
		}
		w.say(text, ledger.On(clause.Doc228, clause.Doc229))
		return
	}
	text := "The profile will be stopped on " + stop.Date.String()
	switch distance := stop.Date.Sub(w.life.on); {
	case stop.Date.Before(w.life.on):
		text = "The profile is stopped since " + stop.Date.String()
	case distance == 0:
		text = "The profile is stopped on this day"
	default:
		left := w.day.plan.Count(calendar.Through(w.life.on.AddDays(1), stop.Date))
		text += ", " + days(distance) + " and " + counted(strconv.Itoa(left), "charge") + " later"
	}
	w.say(text+": "+reasonsInWords(stop.Reasons)+".", stop.Because)
}
