package gen

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/oracle"
)

// profileToOracle writes a profile's columns as the payload has them.
func profileToOracle(p engine.Profile) oracle.Profile {
	o := oracle.Profile{
		Source:   p.Kind == engine.KindSource,
		Start:    DayNumber(p.Start),
		Unit:     oracle.Unit(p.Unit),
		Interval: int64(p.Interval),
		Finish:   DayNumber(p.Finish),
	}
	o.Max, o.HasMax = p.MaxRepeats.Value()
	from, to := p.Amounts.Bounds(0)
	switch p.Amounts.Kind() {
	case amount.KindFixed:
		o.Amount = from.String()
	case amount.KindRange:
		o.From, o.To = from.String(), to.String()
	case amount.KindSequence:
		for _, element := range p.Amounts.Elements() {
			o.Sequence = append(o.Sequence, element.String())
		}
	}
	return o
}

// ProfileFromOracle is a profile after the oracle's updates; old has what the oracle
// does not know.
func ProfileFromOracle(o oracle.Profile, old engine.Profile) engine.Profile {
	p := old
	p.Start, p.Finish = DateNumbered(o.Start), DateNumbered(o.Finish)
	p.Unit, p.Interval = calendar.Unit(o.Unit), int(o.Interval)
	p.MaxRepeats = engine.Limit{}
	if o.HasMax {
		p.MaxRepeats = engine.AtMost(o.Max)
	}
	switch {
	case o.Amount != "":
		p.Amounts = amount.Fixed(AmountOf(o.Amount))
	case o.From != "":
		if r, err := amount.Range(AmountOf(o.From), AmountOf(o.To), p.Currency); err == nil {
			p.Amounts = r
		}
	default:
		var elements []amount.Amount
		for _, text := range o.Sequence {
			elements = append(elements, AmountOf(text))
		}
		if s, err := amount.Sequence(elements); err == nil {
			p.Amounts = s
		}
	}
	return p
}

// stateToOracle is a state as the oracle has it.
func stateToOracle(s engine.State) oracle.State {
	o := oracle.State{
		Stopped:    s.Status == engine.StatusStopped,
		Repeat:     s.Repeat,
		Anchor:     DayNumber(s.Anchor),
		RanThrough: DayNumber(s.RanThrough),
		Last:       DayNumber(s.Last),
	}
	for _, d := range s.Paid {
		o.Paid = append(o.Paid, DayNumber(d))
	}
	for _, w := range s.Missed {
		o.Owed = append(o.Owed, oracle.Span{From: DayNumber(w.From), To: DayNumber(w.To) - 1})
	}
	if !s.Stop.IsZero() && !s.Stop.Date.IsZero() {
		o.Stop = oracle.Stop{Day: DayNumber(s.Stop.Date), Reasons: slices.Collect(s.Stop.Reasons.All())}
	}
	return o
}

// StateFromOracle is a state of the oracle as the engine has it.
func StateFromOracle(o oracle.State) engine.State {
	s := engine.State{
		Status:     engine.StatusActive,
		Repeat:     o.Repeat,
		Anchor:     DateNumbered(o.Anchor),
		RanThrough: DateNumbered(o.RanThrough),
		Stop:       engineStop(o.Stop),
		Last:       DateNumbered(o.Last),
	}
	if o.Stopped {
		s.Status = engine.StatusStopped
	}
	for _, d := range o.Paid {
		s.Paid = append(s.Paid, DateNumbered(d))
	}
	for _, span := range o.Owed {
		s.Missed = append(s.Missed, calendar.Through(DateNumbered(span.From), DateNumbered(span.To)))
	}
	return s
}

// engineStop is a stop of the oracle in the words of the engine.
func engineStop(s oracle.Stop) engine.Stop {
	out := engine.Stop{Date: DateNumbered(s.Day)}
	for _, why := range s.Reasons {
		switch why {
		case "max-repeats":
			out.Reasons |= engine.ReasonMaxRepeats
		case "finish-date":
			out.Reasons |= engine.ReasonFinishDate
		case "stopped-by-api":
			out.Reasons |= engine.ReasonAPI
		}
	}
	return out
}

// verbs are the oracle's events in the words of the engine.
var verbs = [...]engine.EventKind{
	oracle.EventRun: engine.EventRun, oracle.EventNoRun: engine.EventNoRun, oracle.EventCharge: engine.EventCharge,
	oracle.EventStop: engine.EventStop, oracle.EventUpdate: engine.EventUpdate, oracle.EventResume: engine.EventResume,
}

// EventToOracle is an event as the oracle has it.
func EventToOracle(e engine.Event) oracle.Event {
	o := oracle.Event{Day: DayNumber(e.Date), Set: updateToOracle(e.Update)}
	if e.Kind == engine.EventResumeByAPI {
		o.Do, o.Via = oracle.EventResume, "api"
		return o
	}
	for verb, v := range verbs {
		if v == e.Kind {
			o.Do = oracle.Verb(verb)
		}
	}
	if e.Kind == engine.EventResume {
		o.Via = "ui"
	}
	return o
}

func updateToOracle(u engine.Update) oracle.Update {
	columns := map[string]string{}
	for _, c := range SetOf(u) {
		columns[documentNames[c.Column]] = c.Value
	}
	o, err := oracle.UpdateOf(columns)
	o.Unreadable = err != nil || len(u.Unreadable) > 0
	return o
}

// EffectFromOracle is an effect of the oracle as the engine has it.
func EffectFromOracle(r oracle.Record) engine.Effect {
	e := engine.Effect{Date: DateNumbered(r.Day)}
	switch {
	case r.Charge != nil:
		e.Kind, e.Charge = engine.EffectCharge, chargeFromOracle(*r.Charge)
	case r.Stop != nil:
		e.Kind, e.Stop = engine.EffectStop, engineStop(*r.Stop)
	default:
		e.Kind, e.Event = engine.EffectEvent, verbs[r.Do]
		if r.Do == oracle.EventResume && r.Via == "api" {
			e.Event = engine.EventResumeByAPI
		}
		e.Result = map[string]engine.Result{"accepted": engine.ResultAccepted, "ignored": engine.ResultIgnored, "refused": engine.ResultRefused}[r.Result]
		if e.Result == engine.ResultRefused {
			e.Refusal = new(engine.Error)
		}
	}
	return e
}

// chargeFromOracle is a charge of the oracle in the words of the engine.
func chargeFromOracle(c oracle.Charge) engine.Charge {
	out := engine.Charge{Repeat: c.Repeat, Slot: DateNumbered(c.Slot), Date: DateNumbered(c.Day)}
	out.Min, out.Max, out.Manual = AmountOf(c.Min), AmountOf(c.Max), c.Manual
	out.Outcome = engine.OutcomeApproved
	if c.Declined {
		out.Outcome = engine.OutcomeDeclined
	}
	return out
}

// ChargesFromOracle are the charges among what happened.
func ChargesFromOracle(records []oracle.Record) (list []engine.Charge) {
	for _, r := range records {
		if r.Charge != nil {
			list = append(list, chargeFromOracle(*r.Charge))
		}
	}
	return list
}

// DayNumber is a date as the oracle counts days; 0 for the zero Date.
func DayNumber(d calendar.Date) oracle.Day {
	if d.IsZero() {
		return 0
	}
	return oracle.Day(d.Sub(calendar.MinDate()) + 1)
}

// DateNumbered is the date with a day number; the zero Date where there is none.
func DateNumbered(d oracle.Day) calendar.Date {
	if d < oracle.First || d > oracle.Last {
		return calendar.Date{}
	}
	return calendar.MinDate().AddDays(int(d - oracle.First))
}

// MachineOf is the oracle's machine for a job; nil where the job is refused.
func MachineOf(j Job, rules oracle.Rules) *oracle.Machine {
	if j.AsOf.IsZero() || j.Profile.Amounts.IsZero() || j.Profile.Kind == 0 {
		return nil
	}
	var state *oracle.State
	if j.State.Status != 0 {
		s := stateToOracle(j.State)
		state = &s
	}
	return oracle.New(profileToOracle(j.Profile), state, DayNumber(j.AsOf), oracle.PolicyOf(policyValues(j.Policy)), rules)
}

// Lived is the oracle's machine of a profile after a simulation; nil where it is refused.
func Lived(p engine.Policy, s engine.Simulation, rules oracle.Rules) *oracle.Machine {
	m := MachineOf(JobOf(p, s), rules)
	if m == nil || s.Until.Before(s.AsOf) {
		return nil
	}
	m.Declined = map[uint64]bool{}
	for repeat, outcome := range s.Outcomes {
		m.Declined[repeat] = outcome == engine.OutcomeDeclined
	}
	var events []oracle.Event
	for _, step := range s.Steps {
		if step.Date.Before(s.AsOf) {
			return nil
		}
		e := EventToOracle(step.Event)
		e.After = step.After
		events = append(events, e)
	}
	m.Live(events, DayNumber(s.Until))
	return m
}

// AmountOf reads an amount that was written by String.
func AmountOf(text string) amount.Amount {
	coef, scale, behind := int64(0), 0, false
	for _, c := range []byte(text) {
		if c == '.' {
			behind = true
			continue
		}
		coef = coef*10 + int64(c-'0')
		if behind {
			scale++
		}
	}
	a, _ := amount.FromMinor(coef, scale)
	return a
}

// policyValues yields the keys of a policy with the words of their values.
func policyValues(p engine.Policy) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for c := range engine.Keys() {
			if !yield(c.Key(), p.Reading(c).Value) {
				return
			}
		}
	}
}
