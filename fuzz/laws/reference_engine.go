package laws

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

func rightRules() oracle.Rules { return oracle.Right() }

// ReferenceEngine is the day-by-day oracle as an engine, with some rules: those of
// [oracle.Right], or wrong ones for the gallery.
func ReferenceEngine(rules oracle.Rules) EngineImpl {
	return EngineImpl{
		Forecast: func(j gen.Job) (Forecast, error) {
			w := walk{j, rules}
			if w.machine() == nil {
				return Forecast{}, errReference
			}
			return w.forecast(), nil
		},
		Simulate: func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return simulateByWalk(p, s, rules, yield)
		},
		Apply: func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return applyByWalk(s, e, p, rules)
		},
		SaveState: ourEngine().SaveState, // a form, not a rule
		LoadState: ourEngine().LoadState,
	}
}

// A walk is a forecast that lives through the days again for every question.
type walk struct {
	job   gen.Job
	rules oracle.Rules
}

func (w walk) forecast() Forecast {
	return Forecast{Charges: w.Charges, Next: w.Next, Count: w.Count, Total: w.Total, Stop: w.Stop, End: w.End, State: w.State}
}

// machine is the profile on as-of, before its run; nil where it is refused.
func (w walk) machine() *oracle.Machine {
	return gen.MachineOf(w.job, w.rules)
}

// lastDay is the last day of a window, as the oracle counts.
func lastDay(w calendar.Window) oracle.Day {
	if w.To.IsZero() {
		return oracle.Last
	}
	return gen.DayNumber(w.To) - 1
}

func (w walk) Charges(v calendar.Window) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		m := w.machine()
		from := gen.DayNumber(v.From)
		m.UntilStopped(lastDay(v))
		for _, r := range m.Records {
			if r.Charge == nil || r.Day < from || r.Day > lastDay(v) {
				continue
			}
			if !yield(gen.ChargeFromOracle(*r.Charge)) {
				return
			}
		}
	}
}

func (w walk) Next(n int) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		m := w.machine()
		m.ThroughCharges(n)
		left := n
		for _, r := range m.Records {
			if r.Charge == nil {
				continue
			}
			if left--; left < 0 || !yield(gen.ChargeFromOracle(*r.Charge)) {
				return
			}
		}
	}
}

func (w walk) Count(v calendar.Window) int {
	n := 0
	for range w.Charges(v) {
		n++
	}
	return n
}

func (w walk) Total(v calendar.Window) Total {
	var n, first uint64
	for c := range w.Charges(v) {
		if n == 0 {
			first = c.Repeat
		}
		n++
	}
	return totalByLoop(w.job.Profile.Amounts, first, n)
}

// Stop walks to the stop, unless nothing could ever stop the profile.
func (w walk) Stop() Stop {
	m := w.machine()
	if _, capped := w.rules.Cap(m); capped || m.Profile.Finish != 0 {
		m.UntilStopped(oracle.Last)
	}
	return StopFromOracle(m.Stop)
}

func (w walk) End(d calendar.Date) End {
	m := w.machine()
	m.UntilStopped(gen.DayNumber(d))
	e := End{Status: engine.StatusActive, Repeat: m.Repeat, Stop: StopFromOracle(m.Stop)}
	if m.Stopped {
		e.Status = engine.StatusStopped
	}
	e.LastDay = d == calendar.Last() && !m.Stopped && w.job.Profile.Automatic()
	return e
}

func (w walk) State(d calendar.Date) engine.State {
	m := w.machine()
	m.Through(gen.DayNumber(d))
	return gen.StateFromOracle(m.Save())
}

// StopFromOracle is a stop of the oracle in the words of the kit.
func StopFromOracle(s oracle.Stop) Stop {
	return Stop{Date: gen.DateNumbered(s.Day), Reasons: s.Reasons}
}

func simulateByWalk(p engine.Policy, s engine.Simulation, rules oracle.Rules, yield func(engine.Effect) bool) (engine.Stored, error) {
	m := gen.MachineOf(gen.Job{Profile: s.Stored.Profile, State: s.Stored.State, AsOf: s.AsOf, Policy: p}, rules)
	if m == nil || s.Until.Before(s.AsOf) {
		return s.Stored, errReference
	}
	m.Declined = map[uint64]bool{}
	for repeat, outcome := range s.Script.Outcomes {
		m.Declined[repeat] = outcome == engine.OutcomeDeclined
	}
	var events []oracle.Event
	for _, step := range s.Script.Steps {
		if step.Date.Before(s.AsOf) {
			return s.Stored, errReference
		}
		e := gen.EventToOracle(step.Event)
		e.After = step.After
		events = append(events, e)
	}
	m.Live(events, gen.DayNumber(s.Until))
	for _, r := range m.Records {
		e := gen.EffectFromOracle(r)
		if c := &e.Charge; e.Kind == engine.ChargeAttempted && c.Min != c.Max {
			drawn, err := amount.Range(c.Min, c.Max, s.Stored.Profile.Currency)
			if err != nil {
				return s.Stored, err
			}
			c.Min = drawn.Draw(amount.NewSeed(s.Seed, s.Stored.Profile.ID), c.Repeat)
			c.Max = c.Min
		}
		if !yield(e) {
			break
		}
	}
	return engine.Stored{Profile: gen.ProfileFromOracle(m.Profile, s.Stored.Profile), State: gen.StateFromOracle(m.Save())}, nil
}

func applyByWalk(s engine.Stored, e engine.Event, p engine.Policy, rules oracle.Rules) ([]engine.Effect, engine.Stored, error) {
	// A result never shares memory with the argument (E02).
	s.State.Paid, s.State.Missed = slices.Clone(s.State.Paid), slices.Clone(s.State.Missed)
	handled := func(r engine.Result) []engine.Effect {
		return []engine.Effect{{Kind: engine.EventHandled, Date: e.Date, Event: e.Do, Result: r}}
	}
	refused := func() ([]engine.Effect, engine.Stored, error) { return handled(engine.ResultRefused), s, errReference }
	unborn := s.State.Status == 0
	switch {
	case e.Do == 0 || e.Do > engine.DoResume || e.Date.IsZero():
		return refused()
	case unborn && e.Do == engine.DoCreate:
		m := gen.MachineOf(gen.Job{Profile: s.Profile, AsOf: e.Date, Policy: p}, rules)
		if m == nil {
			return refused()
		}
		s.State = gen.StateFromOracle(m.Save())
		s.State.Last = e.Date
		return handled(engine.ResultAccepted), s, nil
	case unborn && (e.Do == engine.DoRun || e.Do == engine.DoNoRun):
		return handled(engine.ResultIgnored), s, nil
	case unborn || e.Do == engine.DoCreate:
		return refused()
	}
	next := gen.Moved(s.State.RanThrough, 1)
	m := gen.MachineOf(gen.Job{Profile: s.Profile, State: s.State, AsOf: next, Policy: p}, rules)
	if m == nil {
		return refused()
	}
	if e.Outcome == engine.OutcomeDeclined {
		m.Declined = map[uint64]bool{}
		for i := range uint64(1 << 10) {
			m.Declined[m.Repeat+i] = true
		}
	}
	result := m.Happen(gen.EventToOracle(e))
	var effects []engine.Effect
	for _, r := range m.Records {
		effects = append(effects, gen.EffectFromOracle(r))
	}
	switch result {
	case "refused":
		return effects, s, errReference
	case "ignored":
		return effects, s, nil
	}
	s.Profile, s.State = gen.ProfileFromOracle(m.Profile, s.Profile), gen.StateFromOracle(m.Save())
	return effects, s, nil
}
