package gallery

import (
	"bytes"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/ledger"
)

type applyEvent = func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error)

// applies is our own code that lets events happen in another way.
func applies(apply func(right applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error)) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.Apply
		i.Apply = func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return apply(right, s, e, p)
		}
	})
}

type advanceTo = func(s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error)

// advances is our own code that lets days pass in another way.
func advances(advance func(right advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error)) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.Advance
		i.Advance = func(s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return advance(right, s, through, p)
		}
	})
}

// simulates is our own code that simulates something else, or keeps an effect to itself.
func simulates(change func(s *engine.Simulation), shown func(s engine.Simulation, e engine.Effect) bool) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.Simulate
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			change(&s)
			return right(p, s, func(e engine.Effect) bool { return !shown(s, e) || yield(e) })
		}
	})
}

func asTheyAre(*engine.Simulation)                {}
func every(engine.Simulation, engine.Effect) bool { return true }

// loading is our own code that reads another line of a state, and changes what it says.
func loading(change func(line []byte) []byte, after func(s *engine.State)) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.LoadState
		i.LoadState = func(line []byte) (string, engine.State, error) {
			profile, s, err := right(change(line))
			after(&s)
			return profile, s, err
		}
	})
}

func eventDamages() []damage {
	same := func(line []byte) []byte { return line }
	return []damage{
		{"E01", "paid slots are lost in a file", loading(same, func(s *engine.State) { s.Paid = nil })},
		{"E03", "the charge of as-of is not shown", simulates(asTheyAre, func(s engine.Simulation, e engine.Effect) bool {
			return e.Kind != engine.ChargeAttempted || e.Date != s.AsOf
		})},
		{"E09", "an event that comes late is taken for today's", applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			if e.Date.Before(s.State.Last) {
				e.Date = s.State.Last
			}
			return apply(s, e, p)
		})},
		{"E10", "nothing is said of an event that is ignored", applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, after, err := apply(s, e, p)
			if len(effects) == 1 && effects[0].Result == engine.ResultIgnored {
				effects = nil
			}
			return effects, after, err
		})},
		{"E12", "the amounts of the profile before", amountsBefore()},
		{"E16", "a new sequence begins with its first element", applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, after, err := apply(s, e, p)
			if err == nil && e.Set.Sequence.Given {
				after.State.Repeat = 0
			}
			return effects, after, err
		})},
		{"E19", "DST is charged every day", simulates(func(s *engine.Simulation) {
			if s.Stored.Profile.Kind == engine.KindDestination {
				s.Stored.Profile.Kind, s.Stored.Profile.Unit, s.Stored.Profile.Interval = engine.KindSource, calendar.UnitDay, 1
			}
		}, every)},
		{"E20", "an unknown field is taken for the one that is meant", loading(func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"repat"`), []byte(`"repeat"`), 1)
		}, func(*engine.State) {})},
		{"E29", "a day missed by a new anchor is never caught up", applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, after, err := apply(s, e, p)
			if p.ResumeAnchor == engine.ResumeAnchorResumeDate && e.Do == engine.DoResume {
				after.State.Missed = nil
			}
			return effects, after, err
		})},
		{"E21", "a restart counts from 0", simulates(func(s *engine.Simulation) {
			if s.Stored.State.Status != 0 {
				s.Stored.State.Repeat = 0
			}
		}, every)},
		{"E24", "a declined attempt is not counted", applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, after, err := apply(s, e, p)
			if e.Outcome == engine.OutcomeDeclined && after.State.Repeat > s.State.Repeat {
				after.State.Repeat--
			}
			return effects, after, err
		})},
		{"E25", "the end of the runs rests on nothing", ours(func(i *laws.Impl) {
			right := i.End
			i.End = func(s engine.Stored, d calendar.Date, p engine.Policy) (engine.End, error) {
				end, err := right(s, d, p)
				end.Because = ledger.Because{}
				return end, err
			}
		})},
		{"E26", "the run of the last day is left out", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			if before := through.AddDays(-1); s.State.RanThrough.Before(before) {
				through = before
			}
			return advance(s, through, p)
		})},
		{"E27", "one way in has an error of its own", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, after, err := advance(s, through, p)
			if err != nil {
				err = errDamaged
			}
			return effects, after, err
		})},
		{"E28", "the last day of the calendar has no run", simulates(func(s *engine.Simulation) {
			if s.Until == calendar.Last() && s.AsOf.Before(s.Until) {
				s.Until = s.Until.AddDays(-1)
			}
		}, every)},
	}
}

// amountsBefore keeps the amounts of the profile that it saw before.
func amountsBefore() laws.Impl {
	var before engine.Profile
	return applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
		if !before.Amounts.IsZero() && before.ID != s.Profile.ID {
			before, s.Profile.Amounts = s.Profile, before.Amounts
		} else {
			before = s.Profile
		}
		return apply(s, e, p)
	})
}
