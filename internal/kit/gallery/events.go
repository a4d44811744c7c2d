package gallery

import (
	"bytes"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
)

// eventRows are wrong about events.
func eventRows() []Member {
	right := oracle.Right()
	return []Member{
		{"resume-through-api", "accepted", by("E06"), "any", ruled(func(r *oracle.Rules) { r.Resumes = func(string) bool { return true } })},
		{"stop-not-absorbing", "new start-date re-activates", by("E05"), "stop, update", updated(func(m *oracle.Machine, u oracle.Update) {
			if u.Start != nil {
				m.Stopped, m.Stop = false, oracle.Stop{}
			}
		})},
		{"resume-resets-counter", "repeat 0 after resume", by("E23"), "M = 2", policies(func(p *engine.Policy) { p.ResumeCounter = engine.ResumeCounterReset })},
		{"resume-moves-anchor", "grid from the resume day", by("E23"), "31.01, resume on the 10th", policies(func(p *engine.Policy) { p.ResumeAnchor = engine.ResumeAnchorResumeDate })},
		{"resume-catches-up", "missed days charged", by("E23"), "weekly, three weeks stopped", policies(func(p *engine.Policy) { p.ResumeMissed = engine.MissedCatchUp })},
		{"resume-at-cap-charges", "one charge before stopping again", by("E23"), "M reached, resume", ruled(func(r *oracle.Rules) {
			r.Resumed = func(m *oracle.Machine, d oracle.Day) {
				right.Resumed(m, d)
				if n, ok := right.Cap(m); ok && m.Repeat >= n && n > 0 {
					m.Repeat = n - 1
				}
			}
		})},
		{"rule-10-forgotten", "start-date set back charges again", by("E23"), "two runs a day", ruled(func(r *oracle.Rules) {
			r.Paid = func(*oracle.Machine, oracle.Day) bool { return false }
		})},
		{"rule-10-by-index", "the repeat number is the identity", by("E21"), "stop, update, resume, second run on one day", ruled(func(r *oracle.Rules) { r.Paid = paidByIndex })},
		{"update-resets-counter", "new start-date sets repeat 0", by("E14"), "update", updated(func(m *oracle.Machine, u oracle.Update) {
			if u.Start != nil {
				m.Repeat = 0
			}
		})},
		{"update-forgets-paid", "paid slots lost on update", by("E14"), "update back", updated(func(m *oracle.Machine, _ oracle.Update) { clear(m.Paid) })},
		{"manual-when-stopped", "charge on a stopped profile", by("E23"), "M = 1, manual", policies(func(p *engine.Policy) { p.ManualWhenStopped = engine.ManualWhenStoppedAllow })},
		{"manual-takes-slot", "that day's automatic charge missing", by("E23"), "daily, manual", policies(func(p *engine.Policy) { p.ManualTakesSlot = engine.ManualTakesSlotYes })},
		{"manual-free", "manual charge not counted", by("E23"), "M = 4, manual", policies(func(p *engine.Policy) { p.ManualCounts = engine.ManualCountsNo })},
		{"stop-after-run", "event applied after its day's run", by("E23"), "stop on a grid day", simulates(func(s *engine.Simulation) {
			s.Steps = slices.Clone(s.Steps)
			for n := range s.Steps {
				s.Steps[n].After = true
			}
		}, every)},
		{"shared-state", "Handle changes the old State's paid list", by("E02"), "save, handle, compare", beforeEvent(func(s *engine.Stored, e *engine.Event) {
			if len(s.State.Paid) > 0 {
				s.State.Paid[0] = e.Date
			}
		})},
		wrong("E02", "the missed days of the result are those of the argument", afterEvent(func(h *happened) {
			if slices.Equal(h.after.State.Missed, h.before.State.Missed) {
				h.after.State.Missed = h.before.State.Missed
			}
		})),
		{"run-twice-charges", "second run of a day charges again", by("E08"), "run, run", ruled(func(r *oracle.Rules) {
			r.Paid = func(m *oracle.Machine, d oracle.Day) bool {
				n := len(m.Records)
				again := n > 0 && m.Records[n-1].Do == oracle.EventRun && m.Records[n-1].Day == d
				return !again && right.Paid(m, d)
			}
		})},
		wrong("E01", "paid slots are lost in a file", loading(asItIs, func(s *engine.State) { s.Paid = nil })),
		wrong("E09", "an event that comes late is taken for today's", beforeEvent(func(s *engine.Stored, e *engine.Event) {
			if e.Date.Before(s.State.Last) {
				e.Date = s.State.Last
			}
		})),
		wrong("E10", "nothing is said of an event that is ignored", afterEvent(func(h *happened) {
			if len(h.effects) == 1 && h.effects[0].Result == engine.ResultIgnored {
				h.effects = nil
			}
		})),
		wrong("E12", "the amounts of the profile before", amountsBefore),
		wrong("E16", "a new sequence begins with its first element", afterEvent(func(h *happened) {
			if h.err == nil && h.event.Update.Sequence.Given {
				h.after.State.Repeat = 0
			}
		})),
		wrong("E20", "an unknown field is taken for the one that is meant", loading(func(line []byte) []byte {
			return bytes.Replace(line, []byte(`"repat"`), []byte(`"repeat"`), 1)
		}, func(*engine.State) {})),
		wrong("E29", "a day missed by a new anchor is never caught up", afterEvent(func(h *happened) {
			if h.policy.ResumeAnchor == engine.ResumeAnchorResumeDate && h.event.Kind == engine.EventResume {
				h.after.State.Missed = nil
			}
		})),
		wrong("E24", "a declined attempt is not counted", ruled(func(r *oracle.Rules) {
			r.Counts = func(m *oracle.Machine, c oracle.Charge) bool { return !c.Declined && right.Counts(m, c) }
		})),
		wrong("E25", "the end of the runs rests on nothing", func(i *laws.Impl) {
			right := i.End
			i.End = func(s engine.Stored, d calendar.Date, p engine.Policy) (engine.End, error) {
				end, err := right(s, d, p)
				end.Because = ledger.Because{}
				return end, err
			}
		}),
		wrong("E26", "the run of the last day is left out", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			if before := through.AddDays(-1); s.State.RanThrough.Before(before) {
				through = before
			}
			return advance(s, through, p)
		})),
		wrong("E26", "a job that is started twice is refused", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			if s.State.Status != 0 && !s.State.RanThrough.Before(through) {
				return s, nil, errRefused
			}
			return advance(s, through, p)
		})),
		wrong("E27", "one way in has an error of its own", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			after, effects, err := advance(s, through, p)
			if err != nil {
				err = errRefused
			}
			return after, effects, err
		})),
		wrong("E28", "the last day of the calendar has no run", simulates(func(s *engine.Simulation) {
			if s.Until == calendar.MaxDate() && s.AsOf.Before(s.Until) {
				s.Until = s.Until.AddDays(-1)
			}
		}, every)),
		wrong("E32", "the days before an event pass without a run", beforeEvent(func(s *engine.Stored, e *engine.Event) {
			if before := e.Date.AddDays(-1); e.Kind != engine.EventRun && s.State.RanThrough.Before(before) {
				s.State.RanThrough = before
			}
		})),
		wrong("E33", "the runs before a refused event take place", func(i *laws.Impl) {
			right := i.Handle
			i.Handle = func(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
				after, effects, err := right(s, e, p)
				if len(effects) > 0 && err != nil {
					after, _, _ = i.Advance(s, e.Date.AddDays(-1), p)
				}
				return after, effects, err
			}
		}),
		wrong("E33", "the days of a profile that is not created pass in silence", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			if s.State.Status == 0 {
				return s, nil, nil
			}
			return advance(s, through, p)
		})),
		wrong("E34", "a state forgets the policy that made it", afterEvent(func(h *happened) {
			s := h.after.State
			h.after.State = engine.State{
				Status: s.Status, Repeat: s.Repeat, Anchor: s.Anchor, RanThrough: s.RanThrough, Paid: s.Paid, Missed: s.Missed,
				Stop: s.Stop, Last: s.Last, Manual: s.Manual, Because: s.Because,
			}
		})),
		wrong("E34", "an engine takes the state that another policy made", advances(func(advance advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			return advance(s.Under(p), through, p)
		})),
	}
}

// updated is the reference that does something more at each accepted update.
func updated(more func(m *oracle.Machine, u oracle.Update)) damage {
	return ruled(func(r *oracle.Rules) {
		right := r.Updated
		r.Updated = func(m *oracle.Machine, u oracle.Update, d oracle.Day) {
			right(m, u, d)
			more(m, u)
		}
	})
}

// paidByIndex takes a slot for paid when its repeat number was charged.
func paidByIndex(m *oracle.Machine, _ oracle.Day) bool {
	for _, r := range m.Records {
		if r.Charge != nil && !r.Charge.Manual && r.Charge.Repeat == m.Repeat {
			return true
		}
	}
	return false
}

// A happened is an event that happened, and what came of it.
type happened struct {
	before  engine.Stored
	event   engine.Event
	policy  engine.Policy
	effects []engine.Effect
	after   engine.Stored
	err     error
}

// beforeEvent is our own code that lets another event happen, or to another profile. EventRun is the daily runs up to a day.
func beforeEvent(change func(s *engine.Stored, e *engine.Event)) damage {
	return func(i *laws.Impl) {
		handle, advance := i.Handle, i.Advance
		i.Handle = func(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			change(&s, &e)
			return handle(s, e, p)
		}
		i.Advance = func(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			e := engine.Event{Date: through, Kind: engine.EventRun}
			change(&s, &e)
			return advance(s, e.Date, p)
		}
	}
}

// afterEvent is our own code that tells otherwise what came of an event.
func afterEvent(change func(h *happened)) damage {
	return func(i *laws.Impl) {
		right := i.Handle
		i.Handle = func(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			h := happened{before: s, event: e, policy: p}
			h.after, h.effects, h.err = right(s, e, p)
			change(&h)
			return h.after, h.effects, h.err
		}
	}
}

type advanceTo = func(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error)

// advances is our own code that lets days pass in another way.
func advances(advance func(right advanceTo, s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error)) damage {
	return func(i *laws.Impl) {
		right := i.Advance
		i.Advance = func(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			return advance(right, s, through, p)
		}
	}
}

// simulates is our own code that simulates something else, or keeps an effect to itself.
func simulates(change func(s *engine.Simulation), shown func(s engine.Simulation, e engine.Effect) bool) damage {
	return func(i *laws.Impl) {
		right := i.Simulate
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			change(&s)
			return right(p, s, func(e engine.Effect) bool { return !shown(s, e) || yield(e) })
		}
	}
}

func asItIs(line []byte) []byte { return line }

func every(engine.Simulation, engine.Effect) bool { return true }

// loading is our own code that reads another line of a state, and changes what it says.
func loading(change func(line []byte) []byte, after func(s *engine.State)) damage {
	return func(i *laws.Impl) {
		right := i.LoadState
		i.LoadState = func(line []byte) (string, engine.State, error) {
			profile, s, err := right(change(line))
			after(&s)
			return profile, s, err
		}
	}
}

// amountsBefore keeps the amounts of the profile that it saw before.
func amountsBefore(i *laws.Impl) {
	var before engine.Profile
	beforeEvent(func(s *engine.Stored, _ *engine.Event) {
		if !before.Amounts.IsZero() && before.ID != s.Profile.ID {
			before, s.Profile.Amounts = s.Profile, before.Amounts
		} else {
			before = s.Profile
		}
	})(i)
}
