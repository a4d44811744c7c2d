package gallery

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// eventMembers are wrong about events.
func eventMembers() []Member {
	right := oracle.Right()
	return []Member{
		{"resume-through-api", "accepted", by("E06"), "any", ruled(func(r *oracle.Rules) { r.Resumes = func(string) bool { return true } })},
		{"stop-not-absorbing", "new start-date re-activates", by("E04", "E05"), "stop, update", updated(func(m *oracle.Machine, u oracle.Update) {
			if u.Start != nil {
				m.Stopped, m.Stop = false, oracle.Stop{}
			}
		})},
		{"resume-resets-counter", "repeat 0 after resume", by("E13"), "M = 2", policies(func(p *engine.Policy) { p.ResumeCounter = engine.ResumeCounterReset })},
		{"resume-moves-anchor", "grid from the resume day", by("E13"), "31.01, resume on the 10th", policies(func(p *engine.Policy) { p.ResumeAnchor = engine.ResumeAnchorResumeDate })},
		{"resume-catches-up", "missed days charged", by("E13"), "weekly, three weeks stopped", policies(func(p *engine.Policy) { p.ResumeMissed = engine.MissedCatchUp })},
		{"resume-at-cap-charges", "one charge before stopping again", by("E11"), "M reached, resume", ruled(func(r *oracle.Rules) {
			r.Resumed = func(m *oracle.Machine, d oracle.Day) {
				right.Resumed(m, d)
				if n, ok := right.Cap(m); ok && m.Repeat >= n && n > 0 {
					m.Repeat = n - 1
				}
			}
		})},
		{"rule-10-forgotten", "start-date set back charges again", by("E07"), "two runs a day", ruled(func(r *oracle.Rules) {
			r.Paid = func(*oracle.Machine, oracle.Day) bool { return false }
		})},
		{"rule-10-by-index", "the repeat number is the identity", by("E07"), "stop, update, resume, second run on one day", ruled(func(r *oracle.Rules) { r.Paid = paidByIndex })},
		{"update-resets-counter", "new start-date sets repeat 0", by("E14", "R05"), "update", updated(func(m *oracle.Machine, u oracle.Update) {
			if u.Start != nil {
				m.Repeat = 0
			}
		})},
		{"update-forgets-paid", "paid slots lost on update", by("E14"), "update back", updated(func(m *oracle.Machine, _ oracle.Update) { clear(m.Paid) })},
		{"manual-when-stopped", "charge on a stopped profile", by("E17"), "M = 1, manual", policies(func(p *engine.Policy) { p.ManualWhenStopped = engine.ManualWhenStoppedAllow })},
		{"manual-takes-slot", "that day's automatic charge missing", by("E17"), "daily, manual", policies(func(p *engine.Policy) { p.ManualTakesSlot = engine.ManualTakesSlotYes })},
		{"manual-free", "manual charge not counted", by("R07"), "M = 4, manual", policies(func(p *engine.Policy) { p.ManualCounts = engine.ManualCountsNo })},
		{"stop-after-run", "event applied after its day's run", by("E18"), "stop on a grid day", changed(func(i *laws.Impl) {
			i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
				s.Script.Steps = slices.Clone(s.Script.Steps)
				for n := range s.Script.Steps {
					s.Script.Steps[n].After = true
				}
				return laws.Reference().Simulate(p, s, yield)
			}
		})},
		{"shared-state", "Apply changes the old State's paid list", by("E02"), "save, apply, compare", applied(func(s *engine.Stored, e engine.Event) {
			if len(s.State.Paid) > 0 {
				s.State.Paid[0] = e.Date
			}
		})},
		{"run-twice-charges", "second run of a day charges again", by("E08"), "run, run", applied(func(s *engine.Stored, e engine.Event) {
			if e.Do == engine.DoRun && s.State.RanThrough == e.Date {
				s.State.Paid = slices.DeleteFunc(slices.Clone(s.State.Paid), func(d calendar.Date) bool { return d == e.Date })
			}
		})},
	}
}

// updated is the reference that does something more at each accepted update.
func updated(more func(m *oracle.Machine, u oracle.Update)) laws.Impl {
	return ruled(func(r *oracle.Rules) {
		right := r.Updated
		r.Updated = func(m *oracle.Machine, u oracle.Update, d oracle.Day) {
			right(m, u, d)
			more(m, u)
		}
	})
}

// applied is the reference that touches a state before an event happens to it.
func applied(touch func(s *engine.Stored, e engine.Event)) laws.Impl {
	return changed(func(i *laws.Impl) {
		right := i.Apply
		i.Apply = func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			touch(&s, e)
			return right(s, e, p)
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
