package gallery

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// reconcileRows are wrong about what really happened.
func reconcileRows() []Member {
	return []Member{
		{"declined-ignored", "a declined charge is expected to be paid", by("Z01", "Z02"), "a declined charge without a line", asking(func(c *gen.GatewayCase) {
			c.Rows = slices.Clone(c.Rows)
			for i := range c.Rows {
				c.Rows[i].Declined = nil
			}
		})},
		{"unexplained-decides", "the nearest policy of an unexplained profile counts", by("Z02"), "a line of another amount", reconciling(func(r *laws.Reconciliation) {
			for _, u := range r.Unexplained {
				for i := range r.Readings {
					one := &r.Readings[i]
					if strings.Contains(","+u.Nearest+",", ","+one.Key+"="+one.Value+",") {
						one.For, one.Verdict = one.For+1, record.VerdictObserved
					}
				}
			}
		})},
		{"noise-absorbed", "what profiles contradict is observed", by("Z05"), "two profiles, the last line of one is lost", reconciling(func(r *laws.Reconciliation) {
			for i := range r.Readings {
				if r.Readings[i].Verdict == record.VerdictContradicted {
					r.Readings[i].Verdict = record.VerdictObserved
				}
			}
		})},
		{"observed-unused", "the records are those of the defaults", by("Z03"), "31.01 monthly, overflow", func(i *laws.Impl) {
			right := i.Reconcile
			i.Reconcile = func(c gen.GatewayCase, under *engine.Policy) (laws.Reconciliation, error) {
				r, err := right(c, under)
				if under == nil {
					plain, _ := right(c, new(engine.Policy))
					r.Records = plain.Records
				}
				return r, err
			}
		}},
		{"extra-shifts", "lines are counted off, one for each charge", by("Z04"), "an extra line, then a charge", reconciling(countedOff)},
		{"line-twice", "a line of another amount is extra, too", by("Z04"), "one such line", reconciling(func(r *laws.Reconciliation) {
			for _, of := range r.Records {
				if of.Kind == record.MatchedAmount {
					r.Records = append(r.Records, record.Reconciled{Profile: of.Profile, Kind: record.Extra, Actual: of.Actual})
				}
			}
		})},
		{"probe-misses-key", "resume-anchor is forgotten", by("Z07"), "any", probing(func(x *reconcile.Experiment) {
			x.Decides = slices.DeleteFunc(x.Decides, func(d reconcile.Decision) bool { return d.Key.Key() == "resume-anchor" })
		})},
		{"probe-needless-row", "the first row comes twice", by("Z07"), "any", probing(func(x *reconcile.Experiment) {
			if len(x.Rows) == 0 {
				return
			}
			row := x.Rows[0]
			again := row.Profile.ID + "-again"
			for _, d := range x.Decides {
				if d.Profile == row.Profile.ID {
					d.Profile = again
					x.Decides = append(x.Decides, d)
				}
			}
			row.Profile.ID = again
			x.Rows = append(x.Rows, row)
		})},
		{"probe-day-more", "it ends a day later", by("Z07"), "any", probing(func(x *reconcile.Experiment) {
			if later := x.Through.AddDays(1); later.IsDay() {
				x.Through = later
			}
		})},
		{"probe-unconditional", "what only a step that may be refused shows is decided", by("Z06"), "manual-when-stopped=refuse", probing(func(x *reconcile.Experiment) {
			x.Steps = slices.DeleteFunc(slices.Clone(x.Steps), func(s reconcile.ProbeStep) bool {
				return s.Line.Step.Kind == engine.EventCharge && s.Unless == nil
			})
		})},
		{"probe-step-refused", "it does not say where a step is refused", by("Z06"), "a charge while stopped", probing(func(x *reconcile.Experiment) {
			x.Steps = slices.Clone(x.Steps)
			for i := range x.Steps {
				x.Steps[i].Unless = nil
			}
		})},
		{"observed-as-assumed", "the basis is that of the ledger", by("Z08"), "31.01 monthly, month-end observed", showing(func(j *gen.Job, r *record.Readings) {
			j.Policy, *r = r.Policy(j.Policy), record.Readings{}
		})},
		{"observed-not-in-force", "readings change no charge", by("Z08"), "31.01 monthly, overflow observed", showing(func(_ *gen.Job, r *record.Readings) {
			*r = record.Readings{}
		})},
	}
}

// asking reconciles another case.
func asking(change func(c *gen.GatewayCase)) damage {
	return func(i *laws.Impl) {
		right := i.Reconcile
		i.Reconcile = func(c gen.GatewayCase, under *engine.Policy) (laws.Reconciliation, error) {
			change(&c)
			return right(c, under)
		}
	}
}

// reconciling changes what a reconciliation comes to.
func reconciling(change func(r *laws.Reconciliation)) damage {
	return func(i *laws.Impl) {
		right := i.Reconcile
		i.Reconcile = func(c gen.GatewayCase, under *engine.Policy) (laws.Reconciliation, error) {
			r, err := right(c, under)
			change(&r)
			return r, err
		}
	}
}

// countedOff gives the first charge of a profile its first line, the second its second.
func countedOff(r *laws.Reconciliation) {
	lines := map[string][]*record.Actual{}
	for _, of := range r.Records {
		if of.Actual != nil && of.Actual.Outcome != record.ActualNone && of.Kind != record.Unknown {
			lines[of.Profile] = append(lines[of.Profile], of.Actual)
		}
	}
	for i := range r.Records {
		of := &r.Records[i]
		if of.Expected == nil || of.Actual == nil || of.Actual.Outcome == record.ActualNone {
			continue
		}
		of.Actual = lines[of.Profile][0]
		lines[of.Profile] = lines[of.Profile][1:]
	}
}

// probing changes an experiment.
func probing(change func(x *reconcile.Experiment)) damage {
	return func(i *laws.Impl) {
		right := i.Probe
		i.Probe = func(asOf calendar.Date) (reconcile.Experiment, error) {
			x, err := right(asOf)
			change(&x)
			return x, err
		}
	}
}

// showing shows another forecast under readings.
func showing(change func(j *gen.Job, observed *record.Readings)) damage {
	return func(i *laws.Impl) {
		right := i.ShowObserved
		i.ShowObserved = func(j gen.Job, w calendar.Window, observed record.Readings) ([]byte, error) {
			change(&j, &observed)
			return right(j, w, observed)
		}
	}
}
