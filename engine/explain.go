package engine

import (
	"errors"
	"slices"
	"sort"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Why is the main reason why a profile is or is not charged on a day. The zero value is none.
type Why uint8

// The reasons. Without a charge, the first that holds, in this order, is the one.
const (
	WhyDue         Why = iota + 1 // there is at least one automatic charge
	WhyNoSchedule                 // no period and interval (2.2.3, L25)
	WhyBeforeAsOf                 // the forecast starts later; the past is in the state
	WhyBeforeStart                // the first due day is later
	WhyStopped                    // stopped before that day's charge
	WhyNotDue                     // not a due day
	WhyPaid                       // the slot was charged before (2.2.10)
	WhyMissed                     // due, but its run is over, left out, or past the last repeat number
)

var whyWords = enum.Words{Type: "Why", Words: []string{
	"", "due", "no-schedule", "before-as-of", "before-start", "stopped", "not-due", "paid", "missed",
}}

// String returns the word of the reason that outputs use; it is empty for none.
func (w Why) String() string { return whyWords.String(uint8(w)) }

// An Explanation says what happens to a profile on a day, and why, in facts. Package report puts
// them into words.
type Explanation struct {
	Date, AsOf calendar.Date
	Why        Why
	Charges    []Charge // the automatic charges dated on the day; several where a run catches up
	Manual     []Charge // the manual charges of the day, which are not what Why is about
	// Before and After are the nearest days with a charge on either side; zero for none.
	Before, After calendar.Date

	// Profile is the profile as the run of the day finds it. With several automatic charges this
	// and the facts below are those of the last one.
	Profile Profile
	// New reports whether the profile is created on AsOf, as a profile without a state is.
	New bool
	// Events are the accepted events that the answer can depend on, in order: the last update of
	// the due days, of the amounts, of finish-date and of max-repeats-number, and the last stop and
	// resume.
	Events []AcceptedEvent

	// Anchor is where the due days are counted from, and Moved why that is not the start-date;
	// empty if it is. Both are zero without a schedule.
	Anchor   calendar.Date
	Moved    ledger.Because
	MonthEnd calendar.MonthEnd
	Due      DueDay         // the due day of the charge, or the day itself; zero if the day is not due
	Grid     ledger.Because // what the due days depend on
	// DueBefore and DueAfter are the due days next to a day that is not one; zero for none.
	DueBefore, DueAfter calendar.Date

	Count   Count // where the repeat number of the charge comes from
	Element int   // which element of amount-sequence is charged, from 1; 0 for other amounts

	// NoRun reports whether the script leaves out the run of the day, and RepeatEnd whether repeat
	// numbers have ended.
	NoRun, RepeatEnd bool
	// Owed reports whether a due day without a charge is kept for a run that catches up; it is
	// never charged otherwise. CaughtUp is the day on which it is charged; zero if it never is.
	Owed     bool
	CaughtUp calendar.Date

	// Stopped is, for WhyStopped, the stop that comes before the charge of the day; zero if it is
	// not known.
	Stopped Stop
	// Stop is the stop of a profile that is stopped at the end of the day, else the next one, the
	// events after the day included; zero if there is none, or if it is StopUnknown.
	Stop        Stop
	StopUnknown bool
	StopCharges uint64 // the charges after the day up to and including that of Stop
	LaterEvents bool   // an event after the day was accepted before Stop, or at all without one
	// Resumed is when an event after the day resumes a profile that is stopped as the day ends; zero
	// for never.
	Resumed calendar.Date

	Past    Past           // of a day before AsOf
	Because ledger.Because // what the charge, or its absence, depends on
	// Others are the readings of single silences under which the automatic charges of the day
	// differ.
	Others []Sensitivity
}

var errExplanation = errors.New("engine: an Explanation has no JSON form: write its charges as record.Charge")

// MarshalJSON returns an error: the charges of an explanation have a form in package record.
func (e Explanation) MarshalJSON() ([]byte, error) { return nil, errExplanation }

// An AcceptedEvent is an event of a script that took place, and what that depends on.
type AcceptedEvent struct {
	Event   Event
	Because ledger.Because
}

// A DueDay is a day on which a schedule charges, and how it was counted. The zero value is none.
type DueDay struct {
	Date  calendar.Date
	Index int // how many due days come before it
	// Units is how many days, weeks or months after the first due day it is. A day that month-end
	// moves into the next month is counted in its own.
	Units int
	// ShortMonth is the length of its month if that has no day like the first due day; else 0.
	ShortMonth int
}

// An Origin is where the counting of charges began.
type Origin uint8

// The origins of a repeat number.
const (
	OriginCreation Origin = iota + 1 // the profile is created on the day
	OriginNew                        // … though its due days began before: nothing is known of them (L03)
	OriginMissed                     // … and the due days before are counted as charged (L03)
	OriginState                      // the state says it
	OriginReset                      // a resume set it to 0 (L14)
)

// A Count says where a repeat number comes from.
type Count struct {
	Origin  Origin
	Since   calendar.Date // the day of the origin
	From    uint64        // the repeat number then
	Charges uint64        // the attempts from then on, before this one; manual ones too, counted or not
}

// A Past is what a state and the schedule say of a day before the as-of day. The zero value is that
// of any other day, and of a profile of which nothing is known.
type Past struct {
	// Last is the last day that could have been charged; zero if it is not known.
	Last calendar.Date
	Made uint64 // the charges up to then, by the repeat number
	Days uint64 // the due days up to then, from the first one
	// Since is how many due days there are from the day to Last, but for those that are owed.
	Since uint64
	// Charge is the charge of the day if every due day since was charged; it has no Date if the day
	// is not due, is owed, or can have had none.
	Charge Charge
}

// Explain says what happens to a profile on day d of a simulation, and why. The Until of the
// simulation is not used: it may be zero. It fails as [Engine.Simulate] does, and with the field "date" for a Date that is not a day.
// Its work grows with the steps of the script and not with the days.
func (e Engine) Explain(s Simulation, d calendar.Date) (Explanation, error) {
	q, err := e.newQuery(&s, d)
	if err != nil {
		return Explanation{}, err
	}
	q.finish()
	for key := range Keys() {
		for value, policy := range e.policy.others(key) {
			other := s
			other.Stored = s.Stored.Under(policy)
			found := Sensitivity{Clause: key, Value: value, First: d, Old: totalOf(q.Charges)}
			o, err := Engine{policy}.newQuery(&other, d)
			switch fault := (*Error)(nil); {
			case errors.As(err, &fault) && len(q.Charges) > 0:
				found.Refused = fault.Code
			case err != nil, slices.EqualFunc(q.Charges, o.Charges, func(a, b Charge) bool { return a.Slot == b.Slot && sameCharge(a, b) }):
				continue
			default:
				found.New = totalOf(o.Charges)
				if n := len(o.Charges); n > 0 {
					found.Charge = o.Charges[n-1]
				}
			}
			q.Others = append(q.Others, found)
		}
	}
	return q.Explanation, nil
}

func totalOf(charges []Charge) amount.Total {
	var t amount.Tally
	for i := range charges {
		t.Add(charges[i].Min, charges[i].Max)
	}
	return t.Total
}

// A query goes through a simulation, in closed form from event to event, and collects the facts of
// a day.
type query struct {
	Explanation
	*simulator
	steps   []Step // in order
	applied int    // how many of them were applied

	beginning State // before the first run
	before    State // before the run of the day
	state     State // … or as the last charge of the day was made, but for its repeat number
	ranBefore bool  // the run of the day was over before the forecast began
	over      bool  // the day is over
	stopSeen  bool

	endsStopped bool // the day ends with the profile stopped
	events      []AcceptedEvent
	count       Count
}

// newQuery goes through a simulation up to the end of day d.
func (e Engine) newQuery(s *Simulation, d calendar.Date) (*query, error) {
	if !d.IsDay() {
		return nil, refuse("date", errDate)
	}
	sim := *s
	sim.Until = calendar.MaxDate()
	q := &query{steps: sim.sorted()}
	run, err := sim.begin(e.policy, q.note)
	if err != nil {
		return nil, err
	}
	q.simulator, q.Date, q.AsOf, q.New = run, d, s.AsOf, s.Stored.State.Status == 0
	q.beginning = run.stored.State
	q.count = Count{Origin: OriginState, Since: s.AsOf, From: q.beginning.Repeat}
	switch {
	case !q.New:
	case !q.beginning.Because.Has(clause.L03):
		q.count.Origin = OriginCreation
	case e.policy.StartPast == StartPastCountMissed:
		q.count.Origin = OriginMissed
	default:
		q.count.Origin = OriginNew
	}
	if d.Before(s.AsOf) {
		q.look()
		q.before = q.state
		return q, nil
	}
	for q.applied < len(q.steps) && q.steps[q.applied].Date.Before(d) {
		q.nextDay()
	}
	q.passThrough(d.AddDays(-1))
	q.day(d, q.today(d), func(skipped bool) {
		if len(q.Charges) == 0 { // else by an extra run
			q.look()
		}
		q.before, q.NoRun, q.ranBefore = q.stored.clone().State, skipped, q.next.After(d)
	})
	return q, nil
}

// today returns the steps of a day that are next.
func (q *query) today(d calendar.Date) []Step {
	steps := q.steps[q.applied:]
	return steps[:countOn(d, steps)]
}

// nextDay passes the days up to that of the next step, with it.
func (q *query) nextDay() {
	d := q.steps[q.applied].Date
	q.passThrough(d.AddDays(-1))
	q.day(d, q.today(d), nil)
}

// passThrough lets the daily runs up to day d take place and notes their charges and the stop.
func (q *query) passThrough(d calendar.Date) {
	if d.Before(q.next) {
		return
	}
	s := &q.stored.State
	*s = s.complete(&q.stored.Profile, q.next, q.policy)
	var plan Plan
	plan.prepare(&q.stored.Profile, *s, q.next, q.next, q.policy)
	n := plan.through(d)
	switch {
	case !q.over:
		q.count.Charges += uint64(n)
		if n > 0 {
			q.Before = plan.dateOf(n - 1)
		}
	default:
		if n > 0 && q.After.IsZero() {
			q.After = plan.dateOf(0)
		}
		if i := sort.Search(n, func(i int) bool { return !plan.slots.at(i).Before(q.Date) }); i < n && plan.slots.at(i) == q.Date && q.CaughtUp.IsZero() {
			q.CaughtUp = plan.dateOf(i)
		}
		if !q.stopSeen {
			q.StopCharges += uint64(n)
		}
		if s.Status == StatusActive && !plan.stop.IsZero() && !plan.stop.Date.After(d) {
			q.noteStop(plan.stop)
		}
	}
	*s = plan.stateAfter(d)
	q.next = d.AddDays(1)
}

// note takes note of an effect of a step, or of the run of a day with steps or of the day itself.
func (q *query) note(e Effect) bool {
	if len(q.sim.Steps) == 0 && len(q.sim.Outcomes) == 0 {
		e.Charge.Outcome = OutcomeUnknown // nobody said what happens
	}
	switch c := e.Charge; {
	case e.Kind == EffectEvent:
		ev := &q.steps[q.applied].Event
		q.applied++
		if e.Result == ResultAccepted {
			q.accept(ev, e.Because)
		}
	case e.Kind == EffectStop && q.over:
		q.noteStop(e.Stop)
	case e.Kind == EffectStop:
	case q.over:
		if q.After.IsZero() {
			q.After = c.Date
		}
		if c.Slot == q.Date && !c.Manual && q.CaughtUp.IsZero() {
			q.CaughtUp = c.Date
		}
		if !q.stopSeen {
			q.StopCharges++
		}
	case c.Date.Before(q.Date):
		q.Before = c.Date
		q.count.Charges++
	case c.Manual:
		q.Manual = append(q.Manual, c)
		q.count.Charges++
	default:
		q.Charges = append(q.Charges, c)
		q.look()
		q.count.Charges++
	}
	return true
}

func (q *query) noteStop(s Stop) {
	if !q.stopSeen {
		q.Stop, q.stopSeen = s, true
	}
}

// accept takes note of an event that took place.
func (q *query) accept(e *Event, why ledger.Because) {
	if q.over {
		if e.Kind == EventResume && q.endsStopped && q.Resumed.IsZero() {
			q.Resumed = e.Date
		}
		q.LaterEvents = q.LaterEvents || !q.stopSeen && e.Kind != EventRun && e.Kind != EventNoRun
		return
	}
	if e.Kind == EventResume && q.policy.ResumeCounter == ResumeCounterReset {
		q.count = Count{Origin: OriginReset, Since: e.Date}
	}
	if aspectsOf(e) == 0 {
		return
	}
	q.events = append(q.events, AcceptedEvent{*e, why})
	var later uint8 // what the events after one in the list change again
	for i := len(q.events) - 1; i >= 0; i-- {
		of := aspectsOf(&q.events[i].Event)
		if of&^later == 0 {
			q.events = slices.Delete(slices.Clone(q.events), i, i+1)
		}
		later |= of
	}
}

// aspectsOf returns what an event changes, a bit for each aspect of a profile.
func aspectsOf(e *Event) (set uint8) {
	for i, is := range [...]bool{
		e.Kind == EventStop,
		e.Kind == EventResume,
		e.Kind == EventUpdate && e.Update.movesDueDays(),
		e.Kind == EventUpdate && e.Update.changesAmounts(),
		e.Kind == EventUpdate && e.Update.Finish.Given,
		e.Kind == EventUpdate && e.Update.MaxRepeats.Given,
	} {
		if is {
			set |= 1 << i
		}
	}
	return set
}

// look keeps where the profile is now.
func (q *query) look() {
	q.Profile, q.state, q.Count, q.Events = q.stored.Profile, q.stored.clone().State, q.count, q.events
}

// finish finds what comes after the day, and the reasons.
func (q *query) finish() {
	q.over = true
	s := q.stored.clone().State // as the day ends
	if s.Status == StatusStopped {
		q.endsStopped = true
		q.Stop, q.stopSeen, q.StopUnknown = s.Stop, true, s.Stop.IsZero()
	}
	today := calendar.Through(q.Date, q.Date)
	q.Owed = len(q.Charges) == 0 && hasDueDayIn(&q.stored.Profile, &s, today, q.policy) && s.isMissed(q.Date) && !slices.Contains(s.Paid, q.Date)
	for q.applied < len(q.steps) && (q.After.IsZero() || !q.stopSeen || q.endsStopped && q.Resumed.IsZero() || q.Owed && q.CaughtUp.IsZero()) {
		q.nextDay()
	}
	q.passThrough(calendar.MaxDate())
	if !q.Owed {
		q.CaughtUp = calendar.Date{}
	}

	q.countDays()
	q.Why = q.reason()
	switch q.Why {
	case WhyDue:
		last := &q.Charges[len(q.Charges)-1]
		q.Because = last.Because
		if n := q.Profile.Amounts.Len(); q.Profile.Amounts.Kind() == amount.KindSequence {
			q.Element = int(min(last.Repeat, uint64(n-1))) + 1
		}
		return
	case WhyBeforeAsOf:
		q.findPast()
	case WhyMissed:
		q.RepeatEnd = q.before.Repeat >= lastRepeat
	}
	q.Because = q.none()
}

// grid is the due days as the run of the day finds them.
func (q *query) grid() calendar.Schedule { return gridOf(&q.Profile, q.state.Anchor, q.policy) }

// countDays fills in how the due day of the charge, or the day itself, is counted.
func (q *query) countDays() {
	if !q.Profile.Automatic() {
		return
	}
	q.Anchor, q.MonthEnd, q.Grid = q.state.Anchor, q.policy.MonthEnd, gridClauses(&q.Profile, q.state.Anchor)
	q.Moved = q.moved()
	slot, grid := q.Date, q.grid()
	if n := len(q.Charges); n > 0 {
		slot = q.Charges[n-1].Slot
	}
	k, due := grid.Index(slot)
	if !due {
		q.DueBefore, _ = grid.At(k - 1)
		q.DueAfter, _ = grid.At(k)
		return
	}
	q.Due = DueDay{Date: slot, Index: k, Units: k * grid.Interval()}
	year, month, day := q.Anchor.Date()
	if grid.Unit() != calendar.UnitMonth {
		return
	}
	if grid.MonthEnd() == calendar.MonthEndSkip {
		y, m, _ := slot.Date()
		q.Due.Units = (y-year)*12 + int(m) - int(month)
	}
	n := int(month) - 1 + q.Due.Units
	if length := calendar.DaysIn(year+n/12, time.Month(n%12+1)); length < day {
		q.Due.ShortMonth = length
	}
}

// moved returns why the due days are not counted from the start-date; empty if they are.
func (q *query) moved() (why ledger.Because) {
	if q.Profile.Start == q.Anchor {
		return why
	}
	past := q.state.Because
	if q.Profile.Start.IsZero() {
		why = ledger.On(clause.L02)
	}
	if past.Has(clause.L03) && q.policy.StartPast == StartPastReanchor {
		why = why.With(clause.L03)
	}
	if past.Has(clause.L15) && q.policy.ResumeAnchor == ResumeAnchorResumeDate {
		why = why.With(clause.L15)
	}
	if why.IsZero() { // the state says so
		why = ledger.On(clause.L03, clause.L15)
	}
	return why
}

// reason returns the reason why there is a charge on the day or none.
func (q *query) reason() Why {
	due := !q.Due.Date.IsZero()
	switch {
	case len(q.Charges) > 0:
		return WhyDue
	case !q.Profile.Automatic():
		return WhyNoSchedule
	case q.Date.Before(q.AsOf):
		return WhyBeforeAsOf
	case !due && q.DueBefore.IsZero():
		return WhyBeforeStart
	case q.stoppedBefore():
		return WhyStopped
	case !due:
		return WhyNotDue
	case slices.Contains(q.before.Paid, q.Date):
		return WhyPaid
	}
	return WhyMissed
}

// stoppedBefore reports whether the profile is stopped before the charge of the day would be made,
// and keeps that stop.
func (q *query) stoppedBefore() bool {
	stop := q.before.Stop
	switch {
	case q.before.Status == StatusStopped && stop.IsZero():
		return true // on a day that is not known
	case q.before.Status == StatusActive:
		var plan Plan
		if !q.NoRun && !q.ranBefore {
			plan.prepare(&q.Profile, q.before, q.Date, q.Date, q.policy)
		}
		stop = plan.stop
	}
	switch {
	case stop.IsZero(), stop.Date.After(q.Date):
		return false
	case stop.Date != q.Date:
	case stop.Reasons == ReasonFinishDate && q.Date == q.Profile.Finish:
		if q.policy.FinishBound != FinishBoundExclusive {
			return false
		}
	case slices.Contains(q.before.Paid, q.Date):
		return false
	}
	q.Stopped = stop
	return true
}

// none returns what the absence of a charge depends on.
func (q *query) none() ledger.Because {
	switch q.Why {
	case WhyNoSchedule:
		return ledger.On(clause.Doc223, clause.L25)
	case WhyBeforeAsOf:
		return q.Grid.And(q.state.Because).And(q.Past.Charge.Because).And(ledger.On(clause.L27, clause.Doc227))
	case WhyBeforeStart:
		return q.Moved.With(clause.Doc21).And(among(q.state.Because, ledger.On(clause.L18)))
	case WhyStopped:
		return q.Stopped.Because.And(q.Grid).With(clause.Doc3)
	case WhyPaid:
		return q.Grid.And(paidClauses)
	case WhyMissed:
		if q.RepeatEnd {
			return q.Grid.With(clause.Doc227)
		}
		return q.Grid.With(clause.L16b)
	}
	return q.Grid.And(q.Moved).And(among(q.state.Because, ledger.On(clause.L18)))
}

// findPast finds what the state says of a day before as-of, if it says anything.
func (q *query) findPast() {
	if q.count.Origin == OriginNew || q.count.Origin == OriginCreation {
		return
	}
	s, grid := &q.beginning, q.grid()
	last := q.sim.Stored.State.RanThrough // the days from it to as-of had no run
	if last.IsZero() || !last.Before(q.AsOf) {
		last = q.AsOf.AddDays(-1)
	}
	if s.Status == StatusStopped {
		switch last = s.Stop.Date; {
		case last.IsZero():
			return // nobody knows how long it ran
		case s.Stop.Reasons == ReasonAPI && s.RanThrough == last && !s.Last.IsZero() && !slices.Contains(s.Paid, last):
			last = last.AddDays(-1) // the state would have the slot of that day
		case s.Stop.Reasons == ReasonFinishDate && lastChargeDay(&q.Profile, q.policy).Before(last):
			last = last.AddDays(-1) // not that of finish-date: an update may have moved it there
		}
	}
	if !last.IsDay() {
		return
	}
	past := Past{Last: last, Made: s.Repeat, Days: uint64(grid.Count(calendar.Through(grid.Start(), last)))}
	if !q.Date.After(last) {
		past.Since = uint64(grid.Count(calendar.Through(q.Date, last)) - q.owed(grid, calendar.Through(q.Date, last)))
	}
	if !q.Due.Date.IsZero() && !q.Owed && 0 < past.Since && past.Since <= past.Made {
		charger := newCharger(&q.Profile, s.Because.Without(stopEntries).And(q.Grid).With(clause.Doc227))
		past.Charge = Charge{Repeat: past.Made - past.Since, Slot: q.Date}
		charger.automatic(&past.Charge, q.Date)
	}
	q.Past = past
}

// owed counts the due days in w that a run that catches up still had to charge when the forecast
// began.
func (q *query) owed(grid calendar.Schedule, w calendar.Window) (n int) {
	for _, missed := range q.beginning.Missed {
		missed.From = later(missed.From, w.From)
		if missed.To.IsZero() || w.To.Before(missed.To) {
			missed.To = w.To
		}
		n += grid.Count(missed)
		for _, paid := range q.beginning.Paid {
			if _, due := grid.Index(paid); due && missed.Contains(paid) {
				n--
			}
		}
	}
	return n
}
