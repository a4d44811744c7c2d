package engine

import "github.com/chargecast/chargecast/calendar"

// Apply lets one event of any kind take place as a step of a script does, without a run before it or after it. It is how
// tests look at a single event; programs use [Engine.Handle] and [Engine.Simulate].
func Apply(e Engine, s Stored, ev Event) ([]Effect, Stored, error) {
	if err := s.check(ev.Date, e.policy); err != nil {
		return nil, s.clone(), err
	}
	m := machine{stored: s.clone(), policy: e.policy}
	err := m.apply(&ev)
	return m.effects, m.result(), err
}

// FirstDifference is the comparison behind [Engine.Sensitivities] for two plans of one profile as of one day.
func FirstDifference(p, o *Plan, until calendar.Date) calendar.Date {
	return p.firstDifference(o, calendar.Through(p.asOf, until))
}
