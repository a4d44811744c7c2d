package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Create returns the profile p as created on a day, under the policy of e: counter 0, due days
// counted from start-date, else from the day (L02, L03). The state keeps the policy. It makes no
// charge: the run of the day is the first that [Engine.Advance] makes.
//
// It fails as [Engine.Check] does, for a date that is not a day with [ErrEventOrder], and with the
// codes "start-absent" and "start-past" where the policy refuses the creation. The Stored is then
// p, not created.
func (e Engine) Create(p Profile, day calendar.Date) (Stored, error) {
	s := Stored{Profile: p}
	if !day.IsDay() {
		return s, refuse("date", ErrEventOrder)
	}
	if err := s.check(day, e.policy); err != nil {
		return s, err
	}
	state, err := create(&p, day, e.policy)
	if err != nil {
		return s, err
	}
	s.State = state
	return s.Under(e.policy), nil
}

// Handle lets the daily runs up to the day before an event take place, as [Engine.Advance] does,
// and then the event: EventStop, EventUpdate, EventResume or EventCharge (clause 3). The effects
// are those of the runs, then one EffectEvent that says what became of the event, then what it
// caused. An ignored event changes nothing, and the runs made up stay. Handle makes up every run
// until then: check a date that a person typed against your clock first.
//
// On an error the Stored is the one given, and nothing happened, the runs before the event neither.
// A refused event is an error, [ErrEventRefused]: the status of the profile forbids it, or its result
// would break a rule of 2.1 or 2.2; the effects are then its EffectEvent alone, with the same error
// as Refusal. Of all other errors there is no effect: "event-kind" for another kind, [ErrNotCreated] for a profile that is
// not created, [ErrEventOrder] for a date that is not a day or is before the last event or run,
// [ErrStateConflict] for a state without RanThrough, [ErrPolicyDiffers] for a state that another
// policy made, and what [Engine.Check] returns as of the first of the runs, else of the event.
//
// It is pure: the result shares no memory with the arguments. Outcomes belong to who asks the bank;
// see [Engine.Advance].
func (e Engine) Handle(s Stored, ev Event) (Stored, []Effect, error) {
	if ev.Kind == 0 || ev.Kind > EventCharge {
		return s, nil, refuse("kind", errEventKind)
	}
	if err := s.checkReady(ev.Date, "date", e.policy); err != nil {
		return s, nil, err
	}
	if err := s.State.checkOrder(ev.Date); err != nil {
		return s, nil, &Error{Field: "date", Code: ErrEventOrder, Day: err.Day, Last: err.Last}
	}
	yesterday := ev.Date.AddDays(-1)
	first, left := s.State.nextRun(yesterday)
	if !left {
		first = ev.Date
	}
	if err := s.check(first, e.policy); err != nil {
		return s, nil, err
	}
	m := machine{stored: s.clone(), policy: e.policy}
	if left {
		m.advanceThrough(yesterday)
	}
	if err := m.apply(&ev); err != nil {
		return s, m.effects[len(m.effects)-1:], err
	}
	return m.result(), m.effects, nil
}

// checkReady returns why Advance and Handle cannot let time pass up to a day, which is an argument
// of theirs: it is not a day, another policy made the state, the profile is not created, or its
// state does not say through which day it ran.
func (s *Stored) checkReady(day calendar.Date, argument string, pol Policy) *Error {
	if !day.IsDay() {
		return refuse(argument, ErrEventOrder)
	}
	if err := pol.check(); err != nil {
		return err
	}
	if err := s.checkPolicy(pol); err != nil {
		return err
	}
	switch {
	case s.State.Status == 0:
		return refuse("state.status", ErrNotCreated)
	case s.State.RanThrough.IsZero() && !s.State.neverRan():
		return &Error{Field: "state.ran_through", Code: ErrStateConflict, text: "the state does not say through which day it ran: give RanThrough"}
	}
	return nil
}

// result returns the profile with its policy.
func (m *machine) result() Stored {
	if m.stored.State.Status == 0 {
		return m.stored
	}
	return m.stored.Under(m.policy)
}

// clone returns s with lists of its own.
func (s Stored) clone() Stored {
	s.State.Paid = slices.Clone(s.State.Paid)
	s.State.Missed = slices.Clone(s.State.Missed)
	return s
}

// A machine applies events and runs to one stored profile, which passes [Engine.Check].
type machine struct {
	stored  Stored
	policy  Policy
	effects []Effect
}

// keep adds an effect to those of the machine.
func (m *machine) keep(e Effect) { m.effects = append(m.effects, e) }

// apply applies an event to a profile whose runs up to the day before took place, and adds its
// effects: the first says what became of the event. The error is a refusal; the profile is then
// unchanged. Days since the last run that a later event jumped over count as days without a run
// (L16b).
func (m *machine) apply(e *Event) error {
	p, s := &m.stored.Profile, &m.stored.State
	before, first := *s, len(m.effects)
	*s = s.complete(p, e.Date, m.policy).passWithoutRun(p, e.Date.AddDays(-1), m.policy)
	err := m.happen(e)
	if m.effects[first].Result != ResultAccepted {
		*s = before
	}
	return err
}

func (m *machine) happen(e *Event) error {
	switch e.Kind {
	case EventStop:
		return m.stop(e)
	case EventUpdate:
		return m.update(e)
	case EventCharge:
		return m.charge(e)
	case EventRun:
		return m.run(e)
	case EventNoRun:
		return m.noRun(e)
	}
	return m.resume(e)
}

// refuse adds the refusal of e by a row of the table.
func (m *machine) refuse(e *Event, t *transition) error {
	return m.refused(e, &Error{text: t.text, Because: t.why})
}

// refuseFor adds the refusal of e for a rule that the event, or the profile after it, would break;
// the row of the table may be the one by which e would have been accepted.
func (m *machine) refuseFor(e *Event, t *transition, err *Error) error {
	r := &Error{Field: err.Field, Code: err.Code, text: err.Error(), Because: ledger.On(err.clause())}
	if t.result == ResultRefused {
		r.text, r.Because = t.text+": "+r.text, r.Because.And(t.why)
	}
	return m.refused(e, r)
}

func (m *machine) refused(e *Event, r *Error) error {
	r.event, r.Status = e.Kind, m.stored.State.Status
	m.keep(Effect{Kind: EffectEvent, Date: e.Date, Event: e.Kind, Result: ResultRefused, Refusal: r, Because: r.Because})
	return r
}

// handle adds the row's result for e, with further reasons, and reports whether e is accepted.
func (m *machine) handle(e *Event, t *transition, why ledger.Because) bool {
	m.keep(Effect{Kind: EffectEvent, Date: e.Date, Event: e.Kind, Result: t.result, Because: t.why.And(why)})
	if t.result != ResultAccepted {
		return false
	}
	m.stored.State.pass(e.Date)
	return true
}

// row returns the row of the table for e in a situation.
func (m *machine) row(e *Event, when situation) *transition {
	return transitionOf(m.stored.State.Status, e.Kind, when)
}

// run is one charging run (L32b).
func (m *machine) run(e *Event) error {
	if !m.handle(e, m.row(e, plain), ledger.Because{}) {
		return nil
	}
	p := &m.stored.Profile
	var plan Plan
	plan.prepare(p, m.stored.State, e.Date, e.Date, m.policy)
	m.advance(&plan, e.Date, nil)
	return nil
}

// noRun marks a day as one without its run (L16b).
func (m *machine) noRun(e *Event) error {
	if m.handle(e, m.row(e, plain), ledger.Because{}) {
		m.stored.State = m.stored.State.passWithoutRun(&m.stored.Profile, e.Date, m.policy)
	}
	return nil
}

// charge is a manual charge: the amount of the current repeat number, at once (L20 to L22).
func (m *machine) charge(e *Event) error {
	p, s := &m.stored.Profile, &m.stored.State
	when := plain
	if m.policy.ManualWhenStopped == ManualWhenStoppedAllow {
		when = allowed
	}
	t := m.row(e, when)
	if t.result == ResultRefused {
		return m.refuse(e, t)
	}
	switch {
	case s.Repeat >= lastRepeat && m.policy.ManualCounts == ManualCountsYes:
		return m.refuseFor(e, t, refuse("state.repeat", errRepeatEnd))
	case s.Manual >= lastRepeat:
		return m.refuseFor(e, t, refuse("state.manual", errRepeatEnd))
	}
	why := m.pendingStop(e.Date)
	due := hasDueDayIn(p, s, calendar.Through(e.Date, e.Date), m.policy)
	if due {
		why = why.With(clause.L22)
	}
	m.handle(e, t, why)
	why = why.And(t.why)
	s.Because = s.Because.And(why)

	c := Charge{Repeat: s.Repeat, Slot: e.Date, Date: e.Date, Manual: true, Nth: s.Manual}
	s.Manual++
	charger := newCharger(p, why.And(s.Because.Without(stopEntries)))
	charger.complete(&c)
	m.keep(Effect{Kind: EffectCharge, Date: c.Date, Because: c.Because, Charge: c})

	if due && m.policy.ManualTakesSlot == ManualTakesSlotYes {
		s.Paid = withDate(s.Paid, e.Date)
	}
	if m.policy.ManualCounts == ManualCountsYes {
		s.Repeat++
		m.stopAtCap(e.Date)
	}
	return nil
}

// pendingStop returns L19 if a stop condition holds that no run has judged yet: the event is
// accepted and the next run stops the profile.
func (m *machine) pendingStop(d calendar.Date) ledger.Because {
	p, s := &m.stored.Profile, &m.stored.State
	if s.Status == StatusActive && (capReached(p, s.Repeat, m.policy) || finishOver(p, d, m.policy)) {
		return ledger.On(clause.L19)
	}
	return ledger.Because{}
}

// stopAtCap stops an active profile whose manual charge reached the cap.
func (m *machine) stopAtCap(d calendar.Date) {
	p, s := &m.stored.Profile, &m.stored.State
	if s.Status != StatusActive || !capReached(p, s.Repeat, m.policy) {
		return
	}
	stop := newStop(p, d, ReasonMaxRepeats, s.Repeat-1)
	stop.Because = stop.Because.And(s.Because.Without(amountEntries)).With(clause.L20)
	m.stopped(stop)
}

func (m *machine) stopped(stop Stop) {
	m.stored.State.Status, m.stored.State.Stop = StatusStopped, stop
	m.keep(Effect{Kind: EffectStop, Date: stop.Date, Because: stop.Because, Stop: stop})
}

// stop is a stop through the update operation (L23, X9).
func (m *machine) stop(e *Event) error {
	t, why := m.row(e, plain), m.pendingStop(e.Date)
	if m.handle(e, t, why) {
		m.stopped(Stop{Date: e.Date, Reasons: ReasonAPI, Because: t.why.And(why).And(m.stored.State.ofStops(ReasonAPI))})
	}
	return nil
}

// resume makes a stopped profile active again; through the API it is refused (clause 3).
func (m *machine) resume(e *Event) error {
	t := m.row(e, plain)
	if t.result == ResultRefused {
		return m.refuse(e, t)
	}
	if !m.handle(e, t, ledger.Because{}) {
		return nil
	}
	s := &m.stored.State
	s.Because = s.Because.And(ledger.On(clause.L14, clause.L15, clause.L16, clause.L17))
	s.Status, s.Stop = StatusActive, Stop{}
	if m.policy.ResumeCounter == ResumeCounterReset {
		s.Repeat = 0
	}
	if m.policy.ResumeAnchor == ResumeAnchorResumeDate {
		s.Anchor = e.Date
	}
	return nil
}
