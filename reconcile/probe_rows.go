package reconcile

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A draft is a row that an experiment may have, and what a person does to its profile meanwhile. Days are counted
// from as-of, which is day 0. The zero draft has no schedule.
type draft struct {
	unit   calendar.Unit
	every  int // the interval
	start  int // the day of start-date, or absent
	finish int // the day of finish-date, or absent
	max    int // max-repeats-number, or absent
	moved  int // the day of start-date after the update; 0: the update takes finish-date away
	sums   int // elements of amount-sequence, each another amount: they show the repeat number; 0: one amount for all
	steps  []draftStep
}

// A draftStep is done on a day after its charging run (L24).
type draftStep struct {
	day int
	do  engine.EventKind
}

// absent is the day or the number of a column that is left empty.
const absent = -1 << 30

const (
	seldom = 100 // days from one charge to the next where a second one would say nothing
	least  = 2   // days from one due day to the next where days between them are needed
	soon   = 30  // days in which all but a monthly charge has told what it tells
)

// drafts returns the table of rows among which an experiment is chosen. A row stops by itself, is charged seldom, or has
// no schedule, so that there is little to look at. A row that some reading refuses tells one key alone: nothing else
// can be seen of it then.
func drafts(asOf calendar.Date, days int) []draft {
	return slices.Concat(creations, manuals, stops(), resumes(), monthEnds(asOf, days))
}

// creations tell the keys of creation. Between start-date and as-of lies one due day, the first, and the next is tomorrow.
var creations = []draft{
	{unit: calendar.UnitDay, every: seldom, start: absent, finish: absent, max: absent},
	{unit: calendar.UnitDay, every: seldom, start: 1 - seldom, finish: absent, max: absent, sums: 2},
	{unit: calendar.UnitDay, every: seldom, start: 0, finish: absent, max: 0},
}

// manuals tell the keys of manual charges at once. Without a schedule nothing else is charged.
var manuals = []draft{
	{start: absent, finish: absent, max: absent, sums: 2, steps: []draftStep{{0, engine.EventCharge}, {0, engine.EventCharge}}},
	{start: absent, finish: absent, max: absent, steps: []draftStep{{0, engine.EventStop}, {0, engine.EventCharge}}},
	{start: absent, finish: absent, max: absent, sums: 3, steps: []draftStep{{0, engine.EventCharge}, {0, engine.EventCharge}, {0, engine.EventStop}, {0, engine.EventCharge}}},
}

// manualCharges are the choices of manual charges: while the profile is active, and while it is stopped.
var manualCharges = []struct{ active, stopped bool }{{false, false}, {true, false}, {false, true}, {true, true}}

// stops returns the drafts that finish-date stops, and those that the cap stops, with a resume there (L17) and without. A
// finish-date on as-of shows at once whether a charge comes before it.
func stops() (list []draft) {
	for _, by := range manualCharges {
		finish := draft{unit: calendar.UnitDay, every: 1, start: 0, finish: 0, max: absent}
		limit := draft{unit: calendar.UnitDay, every: 1, start: 0, finish: absent, max: 1}
		if by.active { // before the schedule begins
			finish.start, finish.finish, finish.sums = 1, 2, 2
			limit.start, limit.sums = 1, 2
			finish, limit = finish.then(0, engine.EventCharge), limit.then(0, engine.EventCharge)
		}
		if by.stopped {
			finish = finish.then(finish.finish+1, engine.EventCharge)
			limit = limit.then(limit.start+2, engine.EventCharge)
		}
		list = append(list, finish, limit, limit.then(limit.start+2, engine.EventResume))
	}
	return list
}

// resumes returns the drafts of a resume: one due day finds the profile stopped, the resume is on a day between two, and
// the cap ends it. A person stops it, or finish-date does, which an update takes away (3).
func resumes() (list []draft) {
	for _, finish := range [...]int{absent, least} {
		for _, by := range manualCharges {
			d := draft{unit: calendar.UnitDay, every: least, start: 0, finish: finish, max: 3}
			stopped := 0
			if finish == absent {
				d = d.then(stopped, engine.EventStop)
			} else {
				stopped = finish
				d.max++ // the charge before it
				d = d.then(stopped, engine.EventUpdate)
			}
			if by.stopped {
				d.max++
				d = d.then(stopped+1, engine.EventCharge)
			}
			d = d.then(stopped+least+1, engine.EventResume)
			if by.active {
				d.max++
				d = d.then(stopped+least+2, engine.EventCharge)
			}
			d.sums = d.max + 1
			list = append(list, d)
		}
	}
	return list
}

// then returns the draft with one more step.
func (d draft) then(day int, do engine.EventKind) draft {
	d.steps = append(slices.Clip(d.steps), draftStep{day, do})
	return d
}

// aYear is more days than from a month's end to the one that tells the most, that of February.
const aYear = 400

// aMonth is as many days as a day from 29 to 31 may lie back whose next month has not passed.
const aMonth = 34

// monthEnds returns the drafts of a monthly charge on each of the days 29 to 31 that come up in so many days, and on those
// of the last month, with a manual charge and without. To a day that is past start-date is moved by an update (L18), since
// a row that is created with it rests on start-past. A gateway that does not move it charges tomorrow.
func monthEnds(asOf calendar.Date, days int) []draft {
	var list []draft
	for n := -aMonth; n < min(days, aYear); n++ {
		d := asOf.AddDays(n)
		if !d.IsDay() {
			continue
		}
		if _, _, day := d.Date(); day < 29 {
			continue
		}
		row := draft{unit: calendar.UnitMonth, every: 1, start: n, finish: absent, max: absent}
		if n < 0 {
			row.start, row.moved = 1, n
			row = row.then(0, engine.EventUpdate)
		}
		charged := row.then(0, engine.EventCharge)
		charged.sums = 2
		list = append(list, row, charged)
	}
	return list
}

// days returns in how many days the draft has told what it tells.
func (d *draft) days() int {
	if d.unit == calendar.UnitMonth {
		return d.start + aYear
	}
	return soon
}

// simulation returns the draft as the engine simulates it over so many days; false where the calendar has not all of
// its days.
func (d *draft) simulation(asOf calendar.Date, days int, sums []amount.Amount) (engine.Simulation, []record.ScriptLine, bool) {
	s := engine.Simulation{AsOf: asOf, Until: asOf.AddDays(days - 1)}
	p := &s.Stored.Profile
	p.Kind, p.Unit, p.Interval = engine.KindSource, d.unit, d.every
	ok := s.Until.IsDay()
	if d.start != absent {
		p.Start = asOf.AddDays(d.start)
		ok = ok && p.Start.IsDay()
	}
	if d.finish != absent {
		p.Finish = asOf.AddDays(d.finish)
	}
	if d.max != absent {
		p.MaxRepeats = engine.AtMost(uint64(d.max))
	}
	p.Amounts = amount.Fixed(sums[0])
	if d.sums > 0 {
		p.Amounts, _ = amount.Sequence(sums[:d.sums]) // of at least one
	}
	var lines []record.ScriptLine
	for _, step := range d.steps {
		line := record.ScriptLine{Step: engine.Step{Event: engine.Event{Date: asOf.AddDays(step.day), Kind: step.do}, After: true}}
		if step.do == engine.EventUpdate {
			d.update(&line, asOf)
		}
		ok = ok && !line.Step.Date.After(s.Until)
		lines = append(lines, line)
		s.Steps = append(s.Steps, line.Step)
	}
	return s, lines, ok
}

// update adds what the update of a draft changes.
func (d *draft) update(line *record.ScriptLine, asOf calendar.Date) {
	if d.moved == 0 {
		line.Step.Update.Finish = engine.Remove[calendar.Date]()
		line.Cells = []record.Cell{{Column: "finish-date"}}
		return
	}
	start := asOf.AddDays(d.moved)
	line.Step.Update.Start = engine.To(start)
	line.Cells = []record.Cell{{Column: "start-date", Value: start.Dotted()}}
}

// mostSums is the most elements of an amount-sequence in the table.
const mostSums = 7
