package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Apply is the state machine of clause 3: it applies one event to a stored profile and appends its
// effects to effects. It is pure: its arguments stay as they are and share no memory
// with the result.
//
// Every event is accepted, ignored or refused in every status; the first effect says which. A
// refusal is also the error, a [*Refusal] that unwraps to what [Engine.Check] returns where a field
// is at fault; like an ignored event it leaves the profile untouched. An event dated before the
// last one is refused. A State that leaves out its anchor or its last run is completed as [Engine.Compile]
// does, as of the day of the event.
//
// The days between the last run and the event count as days without a run: Policy.RunMissed decides
// what happens to their slots (L16b). [Engine.Advance] is for profiles whose runs took place every day,
// and [Engine.Do] lets the runs up to the event take place first.
func (e Engine) Apply(effects []Effect, s Stored, ev Event) ([]Effect, Stored, error) {
	m := machine{stored: s, policy: e.policy, effects: effects}
	if ev.Kind != EventRun { // a run allocates a new list
		m.stored.State.Paid = slices.Clone(s.State.Paid)
	}
	m.stored.State.Missed = slices.Clone(s.State.Missed)
	if err := m.apply(&ev); err != nil {
		return m.effects, s.clone(), err
	}
	if !m.accepted {
		return m.effects, s.clone(), nil
	}
	return m.effects, m.result(), nil
}

// result returns the profile, bound to the policy that it lives under.
func (m *machine) result() Stored {
	if m.stored.State.Status != 0 {
		m.stored.policy, m.stored.bound = m.policy, true
	}
	return m.stored
}

// clone returns s with lists of its own.
func (s Stored) clone() Stored {
	s.State.Paid = slices.Clone(s.State.Paid)
	s.State.Missed = slices.Clone(s.State.Missed)
	return s
}

// A machine applies events and runs to one stored profile.
type machine struct {
	stored   Stored
	policy   Policy
	effects  []Effect
	accepted bool // an event was accepted
}

func (m *machine) apply(e *Event) error {
	p, s := &m.stored.Profile, &m.stored.State
	if err := m.judgeEvent(e); err != nil {
		return m.refuseError(e, err)
	}
	if t := m.row(e, viaUI); s.Status == 0 && t.result == ResultRefused {
		return m.refuse(e, t) // regardless of the profile
	}
	if err := m.judgeStored(e); err != nil {
		return m.refuseError(e, err)
	}
	if s.Status != 0 {
		*s = s.complete(p, e.Date, m.policy).passWithoutRun(p, e.Date.AddDays(-1), m.policy)
	}
	switch e.Kind {
	case EventCreate:
		return m.create(e)
	case EventRun:
		return m.run(e)
	case EventNoRun:
		return m.noRun(e)
	case EventCharge:
		return m.charge(e)
	case EventStop:
		return m.stop(e)
	case EventUpdate:
		return m.update(e)
	}
	return m.resume(e)
}

// judgeEvent returns what is wrong with the event regardless of the profile.
func (m *machine) judgeEvent(e *Event) *Error {
	switch {
	case e.Kind == 0 || !eventKindWords.Has(uint8(e.Kind)):
		return refuse("do", errEvent)
	case e.Kind == EventResume && !channelWords.Has(uint8(e.Via)):
		return refuse("via", errChannel)
	case !outcomeWords.Has(uint8(e.Outcome)), !knownOutcomes(e.Outcomes):
		return refuse("outcome", errOutcome)
	case !e.Date.IsDay():
		return refuse("date", ErrEventOrder)
	}
	return m.stored.State.follows(e.Date)
}

// knownOutcomes reports whether every outcome is one.
func knownOutcomes(list map[uint64]Outcome) bool {
	for _, o := range list {
		if !outcomeWords.Has(uint8(o)) {
			return false
		}
	}
	return true
}

// judgeStored returns what is wrong with the profile. The creation itself validates a new one, and
// refuses it as part of a batch (L48).
func (m *machine) judgeStored(e *Event) *Error {
	if e.Kind != EventCreate || m.stored.State.Status != 0 {
		return m.stored.check(e.Date, m.policy)
	}
	if err := m.policy.check(); err != nil {
		return err
	}
	return m.stored.State.checkUncreated()
}

// refuseError notes the refusal of e for a field that breaks a rule.
func (m *machine) refuseError(e *Event, err *Error) error {
	return m.refused(e, &Refusal{
		Do: e.Kind, Status: m.stored.State.Status, Field: err.Field, Code: err.Code,
		Text: err.Error(), Because: ledger.On(err.clause()),
	})
}

// refuse notes the refusal of e by a row of the table.
func (m *machine) refuse(e *Event, t *transition) error {
	return m.refused(e, &Refusal{Do: e.Kind, Status: t.before, Text: t.text, Because: t.why})
}

// refuseInvalid is refuse for a result that breaks a rule.
func (m *machine) refuseInvalid(e *Event, err *Error) error {
	t := transitionOf(m.stored.State.Status, e.Kind, invalid)
	return m.refused(e, &Refusal{
		Do: e.Kind, Status: t.before, Field: err.Field, Code: err.Code,
		Text: t.text + ": " + err.Error(), Because: t.why.With(err.clause()),
	})
}

func (m *machine) refused(e *Event, r *Refusal) error {
	if !eventKindWords.Has(uint8(r.Do)) {
		r.Do = 0 // an effect has a text form, whatever the event
	}
	m.effects = append(m.effects, Effect{Kind: EffectEvent, Date: e.Date, Event: r.Do, Result: ResultRefused, Refusal: r, Because: r.Because})
	return r
}

// handle records the row's result for e, with further reasons, and reports whether e is accepted.
func (m *machine) handle(e *Event, t *transition, why ledger.Because) bool {
	m.effects = append(m.effects, Effect{Kind: EffectEvent, Date: e.Date, Event: e.Kind, Result: t.result, Because: t.why.And(why)})
	if t.result != ResultAccepted {
		return false
	}
	m.accepted = true
	m.stored.State.pass(e.Date)
	return true
}

// row returns the row of the table for e in a situation.
func (m *machine) row(e *Event, when situation) *transition {
	return transitionOf(m.stored.State.Status, e.Kind, when)
}

func (m *machine) create(e *Event) error {
	t := m.row(e, plain)
	if t.result == ResultRefused {
		return m.refuse(e, t)
	}
	err := m.stored.Profile.check(m.policy)
	if err != nil {
		return m.refuseInvalid(e, err)
	}
	s, err := create(&m.stored.Profile, e.Date, m.policy)
	if err != nil {
		return m.refuseInvalid(e, err)
	}
	m.stored.State = s
	m.handle(e, t, s.Because)
	return nil
}

// run is one charging run (L32b).
func (m *machine) run(e *Event) error {
	if !m.handle(e, m.row(e, plain), ledger.Because{}) {
		return nil
	}
	p := &m.stored.Profile
	var plan Plan
	plan.prepare(p, m.stored.State, e.Date, e.Date, m.policy)
	m.advance(&plan, e.Date, func(f Effect) bool {
		if f.Kind == EffectCharge {
			f.Charge.Outcome = e.outcome(f.Charge.Repeat)
		}
		m.effects = append(m.effects, f)
		return true
	})
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
		return m.refuseError(e, refuse("state.repeat", errRepeatEnd))
	case s.Manual >= lastRepeat:
		return m.refuseError(e, refuse("state.manual", errRepeatEnd))
	}
	why := m.pendingStop(e.Date)
	due := hasDueDayIn(p, s, calendar.Through(e.Date, e.Date), m.policy)
	if due {
		why = why.With(clause.L22)
	}
	m.handle(e, t, why)
	why = why.And(t.why)
	s.Because = s.Because.And(why)

	c := Charge{Repeat: s.Repeat, Slot: e.Date, Date: e.Date, Manual: true, Nth: s.Manual, Outcome: e.outcome(s.Repeat)}
	s.Manual++
	charger := newCharger(p, why.And(s.Because.Without(stopEntries)))
	charger.complete(&c)
	m.effects = append(m.effects, Effect{Kind: EffectCharge, Date: c.Date, Because: c.Because, Charge: c})

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
	m.effects = append(m.effects, Effect{Kind: EffectStop, Date: stop.Date, Because: stop.Because, Stop: stop})
}

// stop is a stop through the update operation (L23, X9).
func (m *machine) stop(e *Event) error {
	t, why := m.row(e, plain), m.pendingStop(e.Date)
	if m.handle(e, t, why) {
		m.stopped(Stop{Date: e.Date, Reasons: ReasonAPI, Because: t.why.And(why).And(m.stored.State.ofStops(ReasonAPI))})
	}
	return nil
}

// resume makes a stopped profile active again, through the web UI only (clause 3).
func (m *machine) resume(e *Event) error {
	when := viaAPI
	if e.Via == ChannelUI {
		when = viaUI
	}
	t := m.row(e, when)
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
