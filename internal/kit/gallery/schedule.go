package gallery

import (
	"iter"
	"slices"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
)

// scheduleRows are wrong about what is charged, when it stops, and how it is counted.
func scheduleRows() []Member {
	right := oracle.Right()
	return []Member{
		{"max-plus-one", "N+1 charges", by("T07"), "M = 1", ruled(func(r *oracle.Rules) {
			r.Cap = func(m *oracle.Machine) (uint64, bool) { n, ok := right.Cap(m); return n + 1, ok }
		})},
		{"max-minus-one", "N−1 charges", by("T07"), "M = 1", ruled(func(r *oracle.Rules) {
			r.Cap = func(m *oracle.Machine) (uint64, bool) { n, ok := right.Cap(m); return max(n, 1) - 1, ok }
		})},
		{"max-by-equality", "`==` for `≥`", by("E23"), "M lowered under the counter", ruled(func(r *oracle.Rules) {
			r.Full = func(repeat, limit uint64) bool { return repeat == limit }
		})},
		{"max-zero-unlimited", "0 means no cap", by("T07"), "M = 0", policies(func(p *engine.Policy) {
			if p.MaxZero == engine.MaxZeroStop {
				p.MaxZero = engine.MaxZeroUnlimited
			}
		})},
		{"max-zero-one-charge", "repeats-after-first gives 0 one charge", by("T07"), "M = 0", ruled(func(r *oracle.Rules) {
			r.Cap = func(m *oracle.Machine) (uint64, bool) {
				if n, ok := right.Cap(m); n > 0 || !ok || !m.Policy.RepeatsAfterFirst {
					return n, ok
				}
				return 1, true
			}
		})},
		{"max-counts-approved", "declined charges not counted", by("E23"), "M = 3, second declined", ruled(func(r *oracle.Rules) {
			r.Cap = func(m *oracle.Machine) (uint64, bool) { n, ok := right.Cap(m); return n + declined(m), ok }
		})},
		{"counter-on-success", "number stays after a decline", by("E23"), "one decline", ruled(func(r *oracle.Rules) {
			r.Counts = func(m *oracle.Machine, c oracle.Charge) bool { return right.Counts(m, c) && !c.Declined }
		})},
		{"counter-from-one", "first repeat is 1", by("T07"), "any", perCharge(func(c *engine.Charge, _ gen.Job) bool { c.Repeat++; return true })},
		{"retry-next-day", "declined charge tried again", by("E23"), "one decline", ruled(func(r *oracle.Rules) { r.Counts = retried })},
		{"finish-exclusive", "no charge on finish-date", by("T07"), "F on the grid", policies(func(p *engine.Policy) { p.FinishBound = engine.FinishBoundExclusive })},
		{"finish-plus-one", "charges on F+1", by("T07"), "daily", jobs(func(j *gen.Job) { j.Profile.Finish = j.Profile.Finish.AddDays(1) })},
		{"finish-stub", "charges on F off the grid", by("T07"), "weekly, F = start+10", dueBy(func(j gen.Job, due bool, d calendar.Date) bool { return due || d == j.Profile.Finish })},
		{"stop-at-last-charge", "stop dated at the last charge", by("T25"), "F off the grid", stops(func(s *plain.Stop, f laws.Forecast, j gen.Job) {
			for c := range f.Charges(calendar.Through(j.AsOf, s.Date)) {
				s.Date = c.Date
			}
		})},
		{"stop-at-next-due", "stop dated at the next due day", by("T25"), "F off the grid", stops(func(s *plain.Stop, _ laws.Forecast, j gen.Job) {
			j.Profile.Finish, j.Profile.MaxRepeats = calendar.Date{}, engine.Limit{}
			if f, err := laws.Ours().Forecast(j); err == nil && slices.Equal(s.Reasons, []string{"finish-date"}) {
				for c := range f.Charges(calendar.Through(s.Date, s.Date.AddDays(400))) {
					s.Date = c.Date
					break
				}
			}
		})},
		{"one-reason", "only one reason at a tie", by("T25"), "weekly, M = 3, F = third date", stops(func(s *plain.Stop, _ laws.Forecast, _ gen.Job) {
			s.Reasons = s.Reasons[:min(1, len(s.Reasons))]
		})},
		{"reasons-swapped", "finish-date first", by("T25"), "same", stops(func(s *plain.Stop, _ laws.Forecast, _ gen.Job) {
			s.Reasons = slices.Sorted(slices.Values(s.Reasons))
		})},
		{"start-today-waits", "first charge one period later", by("T07"), "start = as-of", dueBy(func(j gen.Job, due bool, d calendar.Date) bool {
			return due && (d != j.AsOf || d != j.Profile.Start)
		})},
		{"past-caught-up", "missed dates charged on as-of", by("T07"), "start 70 days ago, monthly", policies(func(p *engine.Policy) { p.StartPast = engine.StartPastCatchUp })},
		{"past-counted", "missed dates counted", by("T07"), "same, sequence", policies(func(p *engine.Policy) { p.StartPast = engine.StartPastCountMissed })},
		{"past-reanchored", "grid moves to as-of", by("T07"), "same", policies(func(p *engine.Policy) { p.StartPast = engine.StartPastReanchor })},
		{"restart-recounts", "start-past applied at each restart", by("T07"), "count-missed, two restarts", ruled(func(r *oracle.Rules) {
			r.Restored = func(m *oracle.Machine) { right.StartPast(m) }
		})},
		{"catch-up-after-finish", "missed dates charged although F is past", by("T07"), "catch-up, F < as-of", ruled(func(r *oracle.Rules) {
			r.Over = func(m *oracle.Machine, d oracle.Day) bool { return right.Over(m, d) && len(m.Owed) == 0 }
		})},
		{"window-restarts-repeat", "repeats start at c0 in every window", by("T07"), "second window", forecasts(restarted)},
		{"window-restarts-date", "grid starts at the window", by("T07"), "any", forecasts(regridded)},
		{"unscheduled-daily", "no period read as day", by("T07"), "no schedule", jobs(func(j *gen.Job) {
			if j.Profile.Unit == 0 && j.Profile.Kind == engine.KindSource {
				j.Profile.Unit, j.Profile.Interval = calendar.UnitDay, 1
			}
		})},
		{"dst-charged", "DST with a start charged once", by("T07"), "DST", jobs(func(j *gen.Job) {
			if j.Profile.Kind == engine.KindDestination && !j.Profile.Start.IsZero() {
				j.Profile.Kind, j.Profile.Unit, j.Profile.Interval = engine.KindSource, calendar.UnitDay, 1<<30
			}
		})},
		{"dst-never-stops", "F ignored without a schedule", by("T25"), "DST, F", jobs(func(j *gen.Job) {
			if j.Profile.Unit == 0 {
				j.Profile.Finish = calendar.Date{}
			}
		})},
		{"weekend-shift", "Saturday moves to Monday", by("T21"), "daily", perCharge(func(c *engine.Charge, _ gen.Job) bool {
			for wd := c.Date.Weekday(); wd == time.Saturday || wd == time.Sunday; wd = c.Date.Weekday() {
				c.Date = c.Date.AddDays(1)
			}
			return true
		})},
		{"expired-card-ends", "forecast ends with the card", by("T21"), "expiry next month", perCharge(func(c *engine.Charge, j gen.Job) bool { return j.Expires.IsZero() || !c.Date.After(j.Expires) })},
		{"end-repeats-last", "the repeat number at the end of a day is that of the last charge", by("T26"), "one charge", forecasts(func(f *laws.Forecast, _ gen.Job) {
			right := f.End
			f.End = func(d calendar.Date) laws.End {
				e := right(d)
				e.Repeat = max(e.Repeat, 1) - 1
				return e
			}
		})},
		{"life-ends-active", "a simulation ends with an active profile", by("E31"), "stop", func(i *laws.Impl) {
			patch(&i.Simulate, func(right simulate) simulate {
				return func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
					end, err := right(p, s, yield)
					end.State.Status, end.State.Stop = engine.StatusActive, engine.Stop{}
					return end, err
				}
			})
		}},
	}
}

// ruled is the reference with another rule.
func ruled(change func(*oracle.Rules)) damage {
	rules := oracle.Right()
	change(&rules)
	return reference(func(i *laws.Impl) { i.EngineImpl = laws.ReferenceEngine(rules) })
}

// policies is our own code that takes another policy than the one given.
func policies(change func(*engine.Policy)) damage {
	return func(i *laws.Impl) {
		jobs(func(j *gen.Job) { change(&j.Policy) })(i)
		patch(&i.Simulate, func(right simulate) simulate {
			return func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
				change(&p)
				return right(p, s, yield)
			}
		})
	}
}

type (
	forecast = func(gen.Job) (laws.Forecast, error)
	simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error)
)

// jobs is our own code that forecasts another profile than the one given.
func jobs(change func(*gen.Job)) damage {
	return func(i *laws.Impl) {
		patch(&i.Forecast, func(right forecast) forecast {
			return func(j gen.Job) (laws.Forecast, error) {
				change(&j)
				return right(j)
			}
		})
	}
}

// dueBy is the reference with other due days.
func dueBy(due func(j gen.Job, due bool, d calendar.Date) bool) damage {
	return reference(func(i *laws.Impl) {
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			rules := oracle.Right()
			rules.Due = func(g oracle.Grid, c oracle.Civil) bool { return due(j, g.Due(c), gen.DateNumbered(c.Day)) }
			return laws.ReferenceEngine(rules).Forecast(j)
		}
	})
}

// declined counts the declined attempts so far.
func declined(m *oracle.Machine) uint64 {
	n := uint64(0)
	for _, r := range m.Records {
		if r.Charge != nil && r.Charge.Declined {
			n++
		}
	}
	return n
}

// retried owes a declined slot to the next run.
func retried(m *oracle.Machine, c oracle.Charge) bool {
	if c.Declined && !c.Manual {
		delete(m.Paid, c.Slot)
		m.Owed = append(m.Owed, oracle.Span{From: c.Slot, To: c.Slot})
	}
	return oracle.Right().Counts(m, c)
}

// forecasts is our own code with changed forecasts.
func forecasts(change func(*laws.Forecast, gen.Job)) damage {
	return func(i *laws.Impl) {
		patch(&i.Forecast, func(right forecast) forecast {
			return func(j gen.Job) (laws.Forecast, error) {
				f, err := right(j)
				if err == nil {
					change(&f, j)
				}
				return f, err
			}
		})
	}
}

// perCharge is our own code whose charges are changed one by one, or left out where keep says false.
func perCharge(keep func(c *engine.Charge, j gen.Job) bool) damage {
	return forecasts(func(f *laws.Forecast, j gen.Job) {
		right := f.Charges
		f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				for c := range right(w) {
					if keep(&c, j) && !yield(c) {
						return
					}
				}
			}
		}
	})
}

// stops is our own code with other stops.
func stops(change func(*plain.Stop, laws.Forecast, gen.Job)) damage {
	return forecasts(func(f *laws.Forecast, j gen.Job) {
		right := *f
		f.Stop = func() plain.Stop {
			stop := right.Stop()
			stop.Reasons = slices.Clone(stop.Reasons)
			if !stop.Date.IsZero() {
				change(&stop, right, j)
			}
			return stop
		}
	})
}

func restarted(f *laws.Forecast, j gen.Job) {
	right := f.Charges
	f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
		return func(yield func(engine.Charge) bool) {
			n := j.State.Repeat
			for c := range right(w) {
				if c.Repeat = n; !yield(c) {
					return
				}
				n++
			}
		}
	}
}

func regridded(f *laws.Forecast, j gen.Job) {
	right := f.Charges
	f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
		moved := j
		if w.From.After(j.AsOf) {
			moved.Profile.Start, moved.State.Anchor = w.From, calendar.Date{}
		}
		other, err := laws.Ours().Forecast(moved)
		if err != nil {
			return right(w)
		}
		return other.Charges(w)
	}
}
