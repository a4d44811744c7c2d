package gen

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A LogCase is a profile and all that happens to it: the whole log of its events as one
// value, so that it shrinks by leaving events out and making them plainer.
type LogCase struct {
	PlanCase
	Steps    []engine.Step
	Declined []uint64 // repeat numbers whose attempts are declined
}

// String is the case with its events one a line.
func (l LogCase) String() string {
	var b strings.Builder
	b.WriteString(l.PlanCase.String())
	for _, s := range l.Steps {
		when := "before"
		if s.After {
			when = "after"
		}
		fmt.Fprintf(&b, "\n%v %v %v%s", s.Date, s.Kind, when, updateText(s.Update))
	}
	fmt.Fprintf(&b, "\ndeclined=%v until=%v", l.Declined, l.Until())
	return b.String()
}

// updateText gives the columns of an update, as a script's "set" would.
func updateText(u engine.Update) string {
	var b strings.Builder
	for _, c := range SetOf(u) {
		b.WriteString(" " + documentNames[c.Column] + "=" + c.Value)
	}
	return b.String()
}

// SetOf is the columns of an update, empty where it removes one. Of what cannot be read it has one example.
func SetOf(u engine.Update) (cells []SetCell) {
	if len(u.Unreadable) > 0 {
		return []SetCell{{rules.ColumnFinishDate, "31.02.2026"}}
	}
	set := func(c rules.Column, given bool, text string) {
		if given {
			cells = append(cells, SetCell{c, text})
		}
	}
	money := func(c rules.Column, change engine.Change[amount.Amount]) {
		text := change.Value.String()
		if change.Removed {
			text = ""
		}
		set(c, change.Given, text)
	}
	most, interval := "", ""
	if n, limited := u.MaxRepeats.Value.Value(); limited {
		most = strconv.FormatUint(n, 10)
	}
	if u.Interval.Value != 0 {
		interval = strconv.Itoa(u.Interval.Value)
	}
	var list []string
	for _, a := range u.Sequence.Value {
		list = append(list, a.String())
	}
	set(rules.ColumnStartDate, u.Start.Given, Dotted(u.Start.Value))
	set(rules.ColumnFinishDate, u.Finish.Given, Dotted(u.Finish.Value))
	set(rules.ColumnMaxRepeatsNumber, u.MaxRepeats.Given, most)
	set(rules.ColumnPeriod, u.Unit.Given, u.Unit.Value.String())
	set(rules.ColumnInterval, u.Interval.Given, interval)
	money(rules.ColumnAmount, u.Amount)
	money(rules.ColumnAmountFrom, u.AmountFrom)
	money(rules.ColumnAmountTo, u.AmountTo)
	set(rules.ColumnAmountSequence, u.Sequence.Given, strings.Join(list, ","))
	return cells
}

// Script is the log as records have it: the steps and outcomes of a simulation.
func (l LogCase) Script() record.Script {
	s := record.Script{Steps: l.Steps}
	if len(l.Declined) > 0 {
		s.Outcomes = map[uint64]engine.Outcome{}
		for _, r := range l.Declined {
			s.Outcomes[r] = engine.OutcomeDeclined
		}
	}
	return s
}

// Until is the last day that the case looks at.
func (l LogCase) Until() calendar.Date { return l.Day(l.C) }

// logReach is how many days a log covers.
const logReach = 150

// Logs draws profiles with event logs of up to eight events, often several on one day, in any order of lines, with updates
// that are refused among them.
func Logs(r Chooser) LogCase {
	l := LogCase{PlanCase: Plans(r)}
	r.ordinary = l.ordinary
	span := min(5*stepDays(l.Profile.Unit, l.Profile.Interval)+10, logReach)
	l.A, l.B, l.C = inOrder(cmp.Compare[int], r.In(0, span), r.In(0, span), span)
	l.events(r)
	l.outcomes(r)
	return l
}

func (l *LogCase) events(r Chooser) {
	day := l.AsOf
	for r.More(len(l.Steps), 8, 90-4*len(l.Steps)) {
		if r.Chance(60) {
			day = Moved(l.AsOf, r.In(0, l.C))
		}
		s := engine.Step{Event: r.Event(*l), After: r.Chance(30)}
		s.Date = day
		l.Steps = append(l.Steps, s)
	}
}

func (l *LogCase) outcomes(r Chooser) {
	class := r.Weigh(50, 25, 25)
	switch class {
	case 1:
		l.Declined = []uint64{l.StartRepeat()}
	case 2:
		for len(l.Declined) == 0 || r.More(len(l.Declined), 4, 65) {
			l.Declined = append(l.Declined, uint64(r.In(0, 9)))
		}
	}
}

// Events draws an event that may happen to a profile, for a state machine that chooses each in view of those before it. It
// has no date.
func Events(r Chooser, p PlanCase) engine.Event { return r.Event(LogCase{PlanCase: p}) }

// Event is one event; its day is for the caller to choose.
func (r Chooser) Event(l LogCase) engine.Event {
	e := engine.Event{Kind: Pick(r, engine.EventStop, engine.EventUpdate, engine.EventResume, engine.EventCharge, engine.EventRun, engine.EventNoRun)}
	if r.Chance(30) {
		e.Kind = Pick(r, engine.EventStop, engine.EventResume)
	}
	switch e.Kind {
	case engine.EventResume:
		if r.Chance(12) {
			e.Kind = engine.EventResumeByAPI
		}
	case engine.EventUpdate:
		e.Update = r.update(l)
	}
	return e
}

// update changes one to three columns; some results break a rule.
func (r Chooser) update(l LogCase) engine.Update {
	var u engine.Update
	for range r.Times(1, 3) {
		switch r.Weigh(30, 20, 20, 15, 20, 3) {
		case 0:
			u.Start = engine.To(Moved(l.AsOf, r.Around(-30, l.C)))
			if r.Chance(10) {
				u.Start = engine.Remove[calendar.Date]()
			}
		case 1:
			u.Finish = engine.To(Moved(l.AsOf, r.Around(-10, l.C+20)))
			if r.Chance(20) {
				u.Finish = engine.Remove[calendar.Date]()
			}
		case 2:
			u.MaxRepeats = engine.To(engine.AtMost(uint64(r.In(0, 8))))
			if r.Chance(20) {
				u.MaxRepeats = engine.Remove[engine.Limit]()
			}
		case 3:
			r.updateSchedule(&u)
		case 4:
			r.updateAmounts(&u)
		case 5:
			u.Unreadable = ledger.Findings{{Code: "unreadable", Clause: clause.Doc21}}
		}
	}
	return u
}

func (r Chooser) updateSchedule(u *engine.Update) {
	switch r.Weigh(40, 30, 15, 15) {
	case 0:
		u.Interval = engine.To(Pick(r, 1, 2, 3, 7, 12))
	case 1:
		u.Unit, u.Interval = engine.To(calendar.Unit(r.In(1, 3))), engine.To(r.In(1, 3))
	case 2:
		u.Unit, u.Interval = engine.Remove[calendar.Unit](), engine.Remove[int]()
	case 3:
		u.Unit = engine.To(calendar.Unit(r.Below(4)))
	}
}

// updateAmounts gives one choice and, mostly, removes the others.
func (r Chooser) updateAmounts(u *engine.Update) {
	if r.Chance(80) {
		remove(&u.Amount)
		remove(&u.AmountFrom)
		remove(&u.AmountTo)
		remove(&u.Sequence)
	}
	switch r.Below(3) {
	case 0:
		u.Amount = engine.To(r.payable())
	case 1:
		u.AmountFrom, u.AmountTo = engine.To(r.payable()), engine.To(r.payable())
	case 2:
		var list []amount.Amount
		for range r.Times(1, 4) {
			list = append(list, r.payable())
		}
		u.Sequence = engine.To(list)
	}
}

// remove takes the value of a column away that the update does not give.
func remove[V any](c *engine.Change[V]) {
	if !c.Given {
		*c = engine.Remove[V]()
	}
}
