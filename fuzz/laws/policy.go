package laws

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/internal/clause"
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
	}
}

// sameForecast compares charges and end of two jobs up to the case's last day.
func sameForecast(p gen.PlanCase, t *T, what string, got, want gen.Job) {
	f, g := forecast(got, t), forecast(want, t)
	w := p.Window(0, p.C+1)
	if sameLines(t, what, lines(f, w), lines(g, w)) {
		sameEnd(t, what, f.End(p.Day(p.C)), g.End(p.Day(p.C)))
	}
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
		sameForecast(p, t, "month end "+end.String(), got, want)
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
	f, g := forecast(exclusive, t), forecast(inclusive, t)
	w := p.Window(0, p.C+1)
	sameLines(t, "exclusive", lines(f, w), lines(g, w))
	stop := f.Stop()
	if slices.Contains(stop.Reasons, "finish-date") && p.State.Status != engine.StatusStopped && !p.Profile.Finish.Before(firstRun(p)) && stop.Date != p.Profile.Finish {
		t.Errorf("%s, want finish-date %v", inWords(stop), p.Profile.Finish)
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
	sameForecast(p, t, "repeats after the first", after, charges)
}

func maxZero(t *T, p gen.PlanCase) {
	p.Profile.MaxRepeats = engine.AtMost(0)
	stop, unlimited, none, reject := p.Job, p.Job, p.Job, p.Job
	stop.Policy.MaxZero, unlimited.Policy.MaxZero, reject.Policy.MaxZero = engine.MaxZeroStop, engine.MaxZeroUnlimited, engine.MaxZeroReject
	none.Profile.MaxRepeats = engine.Limit{}
	sameForecast(p, t, "max-zero=unlimited", unlimited, none)
	if _, err := t.Forecast(reject); err == nil {
		t.Errorf("max-zero=reject accepts 0")
	}
	f := forecast(stop, t)
	if n := f.Count(calendar.Window{}); n != 0 {
		t.Errorf("%d charges with max-repeats 0", n)
	}
	if got := f.Stop(); p.State.Status != engine.StatusStopped && firstRun(p).IsDay() && (got.Date != firstRun(p) || len(got.Reasons) == 0 || got.Reasons[0] != "max-repeats") {
		t.Errorf("%s, want the first run, %v", inWords(got), firstRun(p))
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
		sameForecast(p, t, got.Policy.Reading(clause.L03).Value, got, want)
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
	g := gen.GridOf(p.Profile, p.Profile.Start, p.Policy)
	for c := oracle.At(gen.DayNumber(p.Profile.Start)); c.Day < gen.DayNumber(p.AsOf); c = c.Next() {
		if g.Due(c) {
			missed++
		}
	}
	counted, skipped := p.Job, p.Job
	counted.Policy.StartPast, skipped.Policy.StartPast = engine.StartPastCountMissed, engine.StartPastSkip
	skipped.State = engine.State{Status: engine.StatusActive, Repeat: missed, Anchor: p.Profile.Start, RanThrough: p.AsOf.AddDays(-1)}
	sameForecast(p, t, "count-missed", counted, skipped)
}

func catchUp(t *T, p gen.PlanCase) {
	if !pastStart(&p) {
		return
	}
	late, early := p.Job, p.Job
	late.Policy.StartPast, early.Policy.StartPast = engine.StartPastCatchUp, engine.StartPastSkip
	early.AsOf = p.Profile.Start
	w := calendar.Through(early.AsOf, p.Day(p.C))
	var want []line
	if f := p.Profile.Finish; f.IsZero() || f.After(p.AsOf) || f == p.AsOf && p.Policy.FinishBound == engine.FinishBoundInclusive {
		want = lines(forecast(early, t), w)
	}
	for i, c := range want {
		if c.date.Before(p.AsOf) {
			want[i].date = p.AsOf
		}
	}
	sameLines(t, "catch-up", lines(forecast(late, t), p.Window(0, p.C+1)), want)
}

func reanchor(t *T, p gen.PlanCase) {
	today, absent := p.Job, p.Job
	today.Profile.Start, absent.Profile.Start = p.AsOf, calendar.Date{}
	sameForecast(p, t, "start-absent=as-of", absent, today)
	if pastStart(&p) {
		moved := p.Job
		moved.Policy.StartPast = engine.StartPastReanchor
		sameForecast(p, t, "start-past=reanchor", moved, today)
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
	w, last := p.Window(0, p.C+1), p.Day(p.C)
	f := forecast(p.Job, t)
	want, end := lines(f, w), f.End(last)
	for _, key := range [...]ledger.Clause{clause.L14, clause.L15, clause.L16, clause.L20, clause.L21, clause.L22} {
		for i := range key.Entry().Readings {
			got := p.Job
			if got.Policy = p.Policy.WithReading(key, i); got.Policy == p.Policy {
				continue
			}
			g := forecast(got, t)
			if sameLines(t, key.Entry().Key, lines(g, w), want) {
				sameEnd(t, key.Entry().Key, g.End(last), end)
			}
		}
	}
}
