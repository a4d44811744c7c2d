package gallery

import (
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/oracle"
)

// eventRows are wrong about events.
func eventRows() []Member {
	right := oracle.Right()
	return []Member{
		{"resume-through-api", "accepted", by("E23"), "any", ruled(func(r *oracle.Rules) { r.Resumes = func(string) bool { return true } })},
		{"stop-not-absorbing", "new start-date re-activates", by("E23"), "stop, update", updated(func(m *oracle.Machine, u oracle.Update) {
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
		{"rule-10-by-index", "the repeat number is the identity", by("E23"), "stop, update, resume, second run on one day", ruled(func(r *oracle.Rules) { r.Paid = paidByIndex })},
		{"update-resets-counter", "new start-date sets repeat 0", by("E23"), "update", updated(func(m *oracle.Machine, u oracle.Update) {
			if u.Start != nil {
				m.Repeat = 0
			}
		})},
		{"update-forgets-paid", "paid slots lost on update", by("E23"), "update back", updated(func(m *oracle.Machine, _ oracle.Update) { clear(m.Paid) })},
		{"manual-when-stopped", "charge on a stopped profile", by("E23"), "M = 1, manual", policies(func(p *engine.Policy) { p.ManualWhenStopped = engine.ManualWhenStoppedAllow })},
		{"manual-takes-slot", "that day's automatic charge missing", by("E23"), "daily, manual", policies(func(p *engine.Policy) { p.ManualTakesSlot = engine.ManualTakesSlotYes })},
		{"manual-free", "manual charge not counted", by("E23"), "M = 4, manual", policies(func(p *engine.Policy) { p.ManualCounts = engine.ManualCountsNo })},
		{"stop-after-run", "event applied after its day's run", by("E23"), "stop on a grid day", simulated(func(s *engine.Simulation) {
			s.Steps = slices.Clone(s.Steps)
			for n := range s.Steps {
				s.Steps[n].After = true
			}
		})},
		{"shared-state", "the paid list of the State that it is given is changed", by("E23"), "a paid slot", simulated(func(s *engine.Simulation) {
			if paid := s.Stored.State.Paid; len(paid) > 0 {
				paid[len(paid)-1] = paid[len(paid)-1].AddDays(1)
			}
		})},
		{"run-twice-charges", "second run of a day charges again", by("E23"), "run, run", ruled(func(r *oracle.Rules) {
			r.Paid = func(m *oracle.Machine, d oracle.Day) bool {
				n := len(m.Records)
				again := n > 0 && m.Records[n-1].Do == oracle.EventRun && m.Records[n-1].Day == d
				return !again && right.Paid(m, d)
			}
		})},
	}
}

// simulated is our own code that simulates something else than it is given.
func simulated(change func(s *engine.Simulation)) damage {
	return func(i *laws.Impl) {
		patch(&i.Simulate, func(right simulate) simulate {
			return func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
				change(&s)
				return right(p, s, yield)
			}
		})
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
