package laws

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
)

// policyLaws are the laws of the readings that a policy chooses.
func policyLaws() []Law {
	return []Law{
		law("Y02", "L01", "month-end has no effect when u ≠ Month or the anchor's day ≤ 28", gen.Plans, monthEndIdle),
		law("Y03", "L05", "exclusive with F charges as inclusive with F−1; the stop date stays F", gen.Plans, exclusiveFinish),
		law("Y04", "L08", "repeats-after-first with M ≡ charges with M+1, for M ≥ 1", gen.Plans, repeatsAfterFirst),
		law("Y05", "L09", "M = 0: stop gives no charge and a stop on the first run; unlimited ≡ no M; reject is an error", gen.Plans, maxZero),
		law("Y06", "L03", "start ≥ as-of: all values of start-past give the same", gen.FreshPlans, startPastIdle),
		law("Y07", "L03", "count-missed ≡ skip with c0 increased by the number of grid dates in [start, as-of)", gen.FreshPlans, countMissed),
		law("Y08", "L03", "catch-up = the forecast as of the start, each date replaced by max(date, as-of), slots kept", gen.FreshPlans, catchUp),
		law("Y09", "L02 L03", "reanchor with start < as-of ≡ start := as-of; start-absent=as-of ≡ start := as-of", gen.FreshPlans, reanchor),
		law("Y10", "L02 L03", "start-past and start-absent act once, when a profile is first seen", gen.FreshPlans, startActsOnce),
		law("Y11", "L14 L20", "resume-… keys have no effect without a resume, manual-… keys none without a manual charge", gen.Plans, idleKeys),
		law("Y12", "L01", "a key is named ⇔ another value of it changes some record; first date and totals are those of the two forecasts", gen.Plans, namesWhatChanges),
	}
}

// sameForecast compares charges and end of two jobs up to the case's last day.
func (t *T) sameForecast(p gen.PlanCase, what string, got, want gen.Job) {
	t.alike(p, what, 0, t.forecast(got), t.forecast(want))
}

func monthEndIdle(t *T, p gen.PlanCase) {
	anchor := oracle.At(gen.MachineOf(p.Job, oracle.Right()).Anchor)
	if p.Profile.Unit == calendar.UnitMonth && anchor.Date > 28 {
		p.Profile.Unit = calendar.UnitWeek
	}
	want := p.Job
	want.Policy.MonthEnd = calendar.MonthEndClamp
	for end := calendar.MonthEndSkip; end <= calendar.MonthEndOverflow; end++ {
		got := p.Job
		got.Policy.MonthEnd = end
		t.sameForecast(p, "month end "+end.String(), got, want)
	}
}

func exclusiveFinish(t *T, p gen.PlanCase) {
	if p.Profile.Finish.IsZero() {
		p.Profile.Finish = p.Day(p.B)
	}
	exclusive, inclusive := p.Job, p.Job
	exclusive.Policy.FinishBound, inclusive.Policy.FinishBound = engine.FinishBoundExclusive, engine.FinishBoundInclusive
	if inclusive.Profile.Finish = p.Profile.Finish.AddDays(-1); inclusive.Profile.Finish.IsZero() {
		return
	}
	f, g := t.forecast(exclusive), t.forecast(inclusive)
	w := p.Window(0, p.C+1)
	t.Equal("exclusive", f.in(w), g.in(w))
	stop := f.Stop()
	if slices.Contains(stop.Reasons, "finish-date") && p.State.Status != engine.StatusStopped && !p.Profile.Finish.Before(firstRun(p)) && stop.Date != p.Profile.Finish {
		t.Errorf("%s, want finish-date %v", stop, p.Profile.Finish)
	}
}

func repeatsAfterFirst(t *T, p gen.PlanCase) {
	n, ok := p.Profile.MaxRepeats.Value()
	if !ok || n == 0 || n > 1<<60 {
		n = uint64(p.N + 1)
	}
	after, charges := p.Job, p.Job
	after.Policy.MaxCounts, charges.Policy.MaxCounts = engine.MaxCountsRepeatsAfterFirst, engine.MaxCountsCharges
	after.Profile.MaxRepeats, charges.Profile.MaxRepeats = engine.AtMost(n), engine.AtMost(n+1)
	t.sameForecast(p, "repeats after the first", after, charges)
}

func maxZero(t *T, p gen.PlanCase) {
	p.Profile.MaxRepeats = engine.AtMost(0)
	stop, unlimited, none, reject := p.Job, p.Job, p.Job, p.Job
	stop.Policy.MaxZero, unlimited.Policy.MaxZero, reject.Policy.MaxZero = engine.MaxZeroStop, engine.MaxZeroUnlimited, engine.MaxZeroReject
	none.Profile.MaxRepeats = engine.Limit{}
	t.sameForecast(p, "max-zero=unlimited", unlimited, none)
	if _, err := t.Forecast(reject); err == nil {
		t.Errorf("max-zero=reject accepts 0")
	}
	f := t.forecast(stop)
	if n := f.Count(calendar.Window{}); n != 0 {
		t.Errorf("%d charges with max-repeats 0", n)
	}
	if got := f.Stop(); p.State.Status != engine.StatusStopped && firstRun(p).IsDay() && (got.Date != firstRun(p) || len(got.Reasons) == 0 || got.Reasons[0] != "max-repeats") {
		t.Errorf("%s, want the first run, %v", got, firstRun(p))
	}
}

// startPasts are the readings of L03 that accept.
func startPasts() []engine.StartPast {
	return []engine.StartPast{engine.StartPastSkip, engine.StartPastCatchUp, engine.StartPastCountMissed, engine.StartPastReanchor}
}

func startPastIdle(t *T, p gen.PlanCase) {
	if !p.Profile.Start.IsZero() && p.Profile.Start.Before(p.AsOf) {
		p.Profile.Start = p.AsOf
	}
	want := p.Job
	want.Policy.StartPast = engine.StartPastReject
	for _, reading := range startPasts() {
		got := p.Job
		got.Policy.StartPast = reading
		t.sameForecast(p, got.Policy.Reading(clause.L03).Value, got, want)
	}
}

// pastStart makes the case one of a start before as-of; false where that cannot be.
func pastStart(p *gen.PlanCase) bool {
	if p.Profile.Start.IsZero() || !p.Profile.Start.Before(p.AsOf) {
		p.Profile.Start = p.AsOf.AddDays(-1 - p.A)
	}
	return !p.Profile.Start.IsZero() && p.Profile.Unit != 0
}

func countMissed(t *T, p gen.PlanCase) {
	if !pastStart(&p) {
		return
	}
	missed := uint64(0)
	g := gen.GridOf(p.Profile.Start, p.Profile.Unit, p.Profile.Interval, p.Policy.MonthEnd)
	for c := oracle.At(gen.DayNumber(p.Profile.Start)); c.Day < gen.DayNumber(p.AsOf); c = c.Next() {
		if g.Due(c) {
			missed++
		}
	}
	counted, skipped := p.Job, p.Job
	counted.Policy.StartPast, skipped.Policy.StartPast = engine.StartPastCountMissed, engine.StartPastSkip
	skipped.State = engine.State{Status: engine.StatusActive, Repeat: missed, Anchor: p.Profile.Start, RanThrough: p.AsOf.AddDays(-1)}
	t.sameForecast(p, "count-missed", counted, skipped)
}

func catchUp(t *T, p gen.PlanCase) {
	if !pastStart(&p) {
		return
	}
	late, early := p.Job, p.Job
	late.Policy.StartPast, early.Policy.StartPast = engine.StartPastCatchUp, engine.StartPastSkip
	early.AsOf = p.Profile.Start
	w := calendar.Through(early.AsOf, p.Day(p.C))
	var want []engine.Charge
	if !finished(p, p.AsOf) {
		want = t.forecast(early).in(w)
	}
	for i, c := range want {
		if c.Date.Before(p.AsOf) {
			want[i].Date = p.AsOf
		}
	}
	t.Equal("catch-up", t.forecast(late).in(p.Window(0, p.C+1)), want)
}

func reanchor(t *T, p gen.PlanCase) {
	today, absent := p.Job, p.Job
	today.Profile.Start, absent.Profile.Start = p.AsOf, calendar.Date{}
	t.sameForecast(p, "start-absent=as-of", absent, today)
	if pastStart(&p) {
		moved := p.Job
		moved.Policy.StartPast = engine.StartPastReanchor
		t.sameForecast(p, "start-past=reanchor", moved, today)
		moved.Policy.StartPast = engine.StartPastReject
		if _, err := t.Forecast(moved); err == nil {
			t.Errorf("start-past=reject accepts a start-date in the past")
		}
	}
	if absent.Profile.Unit != 0 {
		absent.Policy.StartAbsent = engine.StartAbsentReject
		if _, err := t.Forecast(absent); err == nil {
			t.Errorf("start-absent=reject accepts an absent start-date")
		}
	}
}

// startActsOnce takes up a forecast under a reading of L03, each time with the state of the
// one before it.
func startActsOnce(t *T, p gen.PlanCase) {
	if !pastStart(&p) {
		return
	}
	readings := startPasts()
	p.Policy.StartPast = readings[(p.A+p.N)%len(readings)]
	restart(t, p)
	p.Profile.Start = calendar.Date{}
	restart(t, p)
}

func idleKeys(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	for _, key := range [...]ledger.Clause{clause.L14, clause.L15, clause.L16, clause.L20, clause.L21, clause.L22} {
		for i := range key.Entry().Readings {
			got := p.Job
			if got.Policy = p.Policy.WithReading(key, i); got.Policy != p.Policy {
				t.alike(p, key.Key(), 0, t.forecast(got), f)
			}
		}
	}
}

func namesWhatChanges(t *T, p gen.PlanCase) {
	until := p.Day(p.C)
	w := calendar.Through(p.AsOf, until)
	named := map[engine.Policy]engine.Sensitivity{}
	list, err := t.CompareReadings(p.Job, until)
	if err != nil {
		t.Fatalf("the readings are not compared: %v", err)
	}
	for _, s := range list {
		i := slices.Index(s.Clause.Entry().Values(), s.Value)
		if i < 0 {
			t.Fatalf("%v has no value %q", s.Clause, s.Value)
		}
		named[p.Policy.WithReading(s.Clause, i)] = s
	}
	was := t.forecast(p.Job)
	before, total := listed(was, w), was.Total(w)
	for c := range engine.Keys() {
		for i, value := range c.Entry().Values() {
			other := p.Job
			other.Policy = p.Policy.WithReading(c, i)
			if other.Policy == p.Policy {
				continue
			}
			s, found := named[other.Policy]
			delete(named, other.Policy)
			is, err := t.Forecast(other)
			if err != nil {
				if !found || s.Refused == "" || s.First != p.AsOf {
					t.Errorf("%s=%s refuses the profile, and is compared as if it did not", c.Entry().Key, value)
				}
				continue
			}
			first := firstDifference(before, listed(is, w), w)
			switch {
			case found == first.IsZero():
				t.Errorf("%s=%s differs first on %q, and is named: %v", c.Entry().Key, value, first, found)
			case found && (s.First != first || s.Refused != ""):
				t.Errorf("%s=%s differs first on %v, not on %v", c.Entry().Key, value, first, s.First)
			case found:
				t.Equal("the total before "+c.Entry().Key+"="+value, totalFrom(s.Old).plain(), total.plain())
				t.Equal("the total under "+c.Entry().Key+"="+value, totalFrom(s.New).plain(), is.Total(w).plain())
			}
		}
	}
	for _, s := range named {
		t.Errorf("%v=%s is named besides", s.Clause, s.Value)
	}
}

// A listing is what a forecast says about a window.
type listing struct {
	lines []engine.Charge
	end   End
}

func listed(f Forecast, w calendar.Window) listing {
	return listing{f.in(w), f.End(w.Last())}
}

// firstDifference is the first day of w on which two forecasts differ, found by listing
// both; the first day at all where only the repeat number does. Zero for none.
func firstDifference(a, b listing, w calendar.Window) calendar.Date {
	var days []calendar.Date
	x, y := a.lines, b.lines
	for i := range max(len(x), len(y)) {
		if i < len(x) && i < len(y) && x[i] == y[i] {
			continue
		}
		for _, list := range [][]engine.Charge{x, y} {
			if i < len(list) {
				days = append(days, list[i].Date)
			}
		}
		break
	}
	s, r := a.end, b.end
	if s.Stop.Date != r.Stop.Date || !slices.Equal(s.Stop.Reasons, r.Stop.Reasons) {
		days = append(days, s.Stop.Date, r.Stop.Date)
	}
	days = slices.DeleteFunc(days, calendar.Date.IsZero)
	if len(days) == 0 && s.Repeat != r.Repeat {
		return w.From
	}
	if len(days) == 0 {
		return calendar.Date{}
	}
	return slices.MinFunc(days, calendar.Date.Compare)
}
