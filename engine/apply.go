package engine

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// Apply is the state machine of clause 3: it lets one event happen to a stored profile
// and appends to effects what it brought about. It is pure: the arguments stay as they
// are and share nothing with the result.
//
// Every event is accepted, ignored or refused in every status; the first effect says
// which. A refused event is also returned as a [*Refusal], and leaves the profile
// untouched, as an ignored one does. An event dated before the last one is refused. A
// State that leaves out its anchor or the last run is completed as [Compile] does, as
// of the day of the event.
func Apply(effects []Effect, s Stored, e Event, pol Policy) ([]Effect, Stored, error) {
	m := machine{Stored: s, policy: pol, effects: effects}
	if e.Do != DoRun { // a run makes a list of its own
		m.State.Paid = slices.Clone(m.State.Paid)
	}
	m.State.Missed = slices.Clone(m.State.Missed)
	err := m.apply(e)
	if !m.accepted {
		m.Stored = s
		m.State.Paid = slices.Clone(m.State.Paid)
		m.State.Missed = slices.Clone(m.State.Missed)
	}
	return m.effects, m.Stored, err
}

// A machine is a stored profile in the hands of one event after the other.
type machine struct {
	Stored
	policy   Policy
	effects  []Effect
	accepted bool // some event was
}

func (m *machine) apply(e Event) error {
	switch {
	case e.Date.IsZero() || e.Date.Before(m.State.Last) || e.Date.Before(m.State.RanThrough):
		return m.refuse(e, ErrEventOrder, ledger.Because{})
	case m.State.Status == 0 && e.Do != DoCreate && e.Do != DoRun && e.Do != DoNoRun:
		return m.refuse(e, 0, ledger.On(ledger.Doc41, ledger.X14))
	}
	if m.State.Status != 0 {
		complete, fault := m.State.complete(m.Profile, e.Date, m.policy)
		if fault != 0 {
			return m.refuse(e, fault, ledger.Because{})
		}
		m.State = complete
	}
	switch e.Do {
	case DoCreate:
		return m.create(e)
	case DoRun:
		return m.run(e)
	case DoNoRun:
		return m.noRun(e)
	case DoCharge:
		return m.charge(e)
	case DoStop:
		return m.halt(e)
	case DoUpdate:
		return m.update(e)
	case DoResume:
		return m.resume(e)
	}
	return m.refuse(e, ErrVerb, ledger.Because{})
}

// refuse notes the refusal of e and returns it.
func (m *machine) refuse(e Event, f Fault, why ledger.Because) error {
	if f != 0 {
		why = why.With(f.Clause())
	}
	err := &Refusal{Do: e.Do, Status: m.State.Status, Fault: f, Because: why}
	m.effects = append(m.effects, Effect{Kind: Handled, Date: e.Date, Event: e.Do, Result: Refused, Err: err, Because: why})
	return err
}

// handled notes that e was accepted or ignored.
func (m *machine) handled(e Event, r Result, why ledger.Because) {
	m.effects = append(m.effects, Effect{Kind: Handled, Date: e.Date, Event: e.Do, Result: r, Because: why})
}

func (m *machine) accept(e Event, why ledger.Because) {
	m.accepted = true
	m.State.Last = e.Date
	m.handled(e, Accepted, why)
}

func (m *machine) create(e Event) error {
	if m.State.Status != 0 {
		return m.refuse(e, 0, ledger.On(ledger.Doc41, ledger.X14))
	}
	if f := m.Profile.check(m.policy); f != 0 {
		return m.refuse(e, f, ledger.On(ledger.L48))
	}
	s, f := create(m.Profile, e.Date, m.policy)
	if f != 0 {
		return m.refuse(e, f, ledger.On(ledger.L48))
	}
	m.State = s
	m.accept(e, s.Because.With(ledger.Doc41).With(ledger.X14))
	return nil
}

// run is one charging run (L32b). The days since the last one passed without.
func (m *machine) run(e Event) error {
	if m.State.Status == 0 {
		m.handled(e, Ignored, ledger.On(ledger.Doc41, ledger.X14))
		return nil
	}
	m.accept(e, ledger.On(ledger.L32b))
	m.State = m.State.skipTo(m.Profile, e.Date, m.policy)
	var plan Plan
	plan.prepare(m.Profile, m.State, e.Date, e.Date, m.policy)
	for n := range plan.through(e.Date) {
		c := plan.at(n)
		c.Outcome = e.Outcome
		m.made(c)
	}
	if m.State.Status == Active && plan.stop.Date == e.Date {
		m.halted(plan.stop)
	}
	m.State = plan.State(e.Date)
	return nil
}

func (m *machine) made(c Charge) {
	m.effects = append(m.effects, Effect{Kind: Made, Date: c.Date, Because: c.Because, Charge: c})
}

func (m *machine) halted(s Stop) {
	m.effects = append(m.effects, Effect{Kind: Halted, Date: s.Date, Because: s.Because, Stop: s})
}

// noRun lets a day pass without its run (L16b).
func (m *machine) noRun(e Event) error {
	if m.State.Status == 0 {
		m.handled(e, Ignored, ledger.On(ledger.Doc41, ledger.X14))
		return nil
	}
	m.accept(e, ledger.On(ledger.L16b))
	if next := e.Date.AddDays(1); m.State.RanThrough.Before(e.Date) && !next.IsZero() {
		m.State = m.State.skipTo(m.Profile, next, m.policy)
	}
	return nil
}

// charge is a manual charge: the amount of the current repeat number, at once (L20 to
// L22).
func (m *machine) charge(e Event) error {
	stopped := m.State.Status == Stopped
	if stopped && m.policy.ManualWhenStopped == ManualRefuse {
		return m.refuse(e, 0, ledger.On(ledger.L21, ledger.X10))
	}
	why := ledger.On(ledger.Doc2210, ledger.L20)
	if stopped {
		why = why.And(ledger.On(ledger.L21, ledger.X10))
	}
	onGrid := m.onGrid(e.Date)
	if onGrid {
		why = why.With(ledger.L22)
	}
	why = why.And(m.unjudged(e.Date))
	m.accept(e, why)
	m.State.Because = m.State.Because.And(why)

	a := amountsOf(m.Profile.Amounts)
	c := Charge{Repeat: m.State.Repeat, Slot: e.Date, Date: e.Date, Manual: true, Outcome: e.Outcome}
	c.Min, c.Max, c.Because = a.at(c.Repeat)
	c.Because = c.Because.And(why)
	m.made(c)

	if onGrid && m.policy.ManualTakesSlot == ManualTakesASlot {
		m.State.Paid = withDate(m.State.Paid, e.Date)
	}
	if m.policy.ManualCounts == ManualCountsYes {
		m.State.Repeat++
		m.stopAtCap(e.Date)
	}
	return nil
}

// unjudged is cited by what happens to an active profile that is due to stop but was not
// judged by a run yet: the event goes ahead, and the condition is for the next run (L19).
func (m *machine) unjudged(d calendar.Date) ledger.Because {
	most, capped := limit(m.Profile.MaxRepeats, m.policy)
	due := capped && m.State.Repeat >= most || !m.Profile.Finish.IsZero() && d.After(m.Profile.Finish)
	if m.State.Status == Active && due {
		return ledger.On(ledger.L19)
	}
	return ledger.Because{}
}

// onGrid tells whether d is a due day.
func (m *machine) onGrid(d calendar.Date) bool {
	return m.Profile.Automatic() && m.State.owes(m.Profile, calendar.Through(d, d), m.policy)
}

// stopAtCap stops an active profile whose manual charge reached the cap.
func (m *machine) stopAtCap(d calendar.Date) {
	most, capped := limit(m.Profile.MaxRepeats, m.policy)
	if m.State.Status != Active || !capped || m.State.Repeat < most {
		return
	}
	stop := Stop{Date: d, Reasons: ByMaxRepeats, Because: ledger.On(ledger.Doc228, ledger.Doc8, ledger.L08, ledger.L20)}
	m.State.Status, m.State.Stop = Stopped, stop
	m.halted(stop)
}

// halt is a stop through the update operation (L23, X9).
func (m *machine) halt(e Event) error {
	if m.State.Status == Stopped {
		m.handled(e, Ignored, ledger.On(ledger.Doc3, ledger.L23))
		return nil
	}
	why := ledger.On(ledger.Doc1, ledger.L23, ledger.X9, ledger.L24).And(m.unjudged(e.Date))
	m.accept(e, why)
	m.State.Status = Stopped
	m.State.Stop = Stop{Date: e.Date, Reasons: ByAPI, Because: why}
	m.halted(m.State.Stop)
	return nil
}

func (m *machine) update(e Event) error {
	if !e.Set.Unreadable.IsZero() {
		return m.refuse(e, 0, e.Set.Unreadable)
	}
	p, f := e.Set.over(m.Profile, m.policy)
	if f != 0 {
		return m.refuse(e, f, ledger.On(ledger.X14))
	}
	why := e.Set.clauses(m.State.Status)
	if len(m.State.Missed) > 0 && why.Has(ledger.L18) {
		why = why.And(ledger.On(ledger.L16, ledger.L16b)) // days that are owed are looked up in the new grid
	}
	anchor, absent := e.Set.anchorAfter(m.State.Anchor, e.Date)
	m.Profile, m.State.Anchor = p, anchor
	m.State.Because = m.State.Because.And(absent)
	m.accept(e, why.And(absent))
	return nil
}

// resume makes a stopped profile active again, through the web UI alone (clause 3).
func (m *machine) resume(e Event) error {
	switch {
	case e.Via != ViaUI:
		return m.refuse(e, 0, ledger.On(ledger.Doc3))
	case m.State.Status == Active:
		m.handled(e, Ignored, ledger.On(ledger.Doc3, ledger.X14))
		return nil
	}
	why := ledger.On(ledger.L14, ledger.L15, ledger.L16)
	m.accept(e, why.And(ledger.On(ledger.Doc3, ledger.L17, ledger.X11)))
	m.State.Because = m.State.Because.And(why)
	m.State.Status, m.State.Stop = Active, Stop{}
	if m.policy.ResumeCounter == ResumeCounterReset {
		m.State.Repeat = 0
	}
	if m.policy.ResumeAnchor == ResumeAnchorDate {
		m.State.Anchor = e.Date
	}
	return nil
}
