package laws

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// stopLaws are the laws of what is charged and when it stops.
func stopLaws() []Law {
	return []Law{
		law("T01", "2.2.1 2.2.8", "Ch = the first max(0, K − c0) eligible slots, with repeats from c0", gen.Plans, firstSlots).presuming("start-past", "run-missed"),
		law("T02", "2.2.4 2.2.9", "every date is ≥ max(anchor, as-of) and ≤ finish-date; a start ≥ as-of is the first date", gen.Plans, insideBounds),
		law("T03", "2.2.8 2.2.9", "Ch with M and F = the shorter of those with one alone; both are prefixes of Ch with neither", gen.Plans, shorterStop).presuming("start-past", "run-missed"),
		law("T04", "2.2.8 2.2.9", "raising M, moving F later or widening the window changes nothing earlier", gen.Plans, onlyAppends),
		law("T08", "1 L25", "no period and interval ⇒ no automatic charge in any window, under any policy", gen.Plans, noSchedule),
		law("T09", "2.2.4", "start = as-of with a schedule ⇒ the first charge is on as-of with repeat c0", gen.FreshPlans, startToday),
		law("T10", "L03", "start < as-of: first charge on the first grid date ≥ as-of, with repeat c0; the anchor stays", gen.FreshPlans, startPast).presuming("start-past"),
		law("T11", "L07", "finish-date off the grid: no charge on it, stopped on it", gen.FreshPlans, finishOffGrid),
		law("T12", "L11", "cap and finish-date met on one day: one stop, max-repeats then finish-date", gen.FreshPlans, bothOnOneDay),
		law("T13", "2.2.8 2.2.9 L11", "the stop: c0 ≥ K, else F < as-of, else the charge that reaches K, else F, else none", gen.Plans, theStop).presuming("start-past", "run-missed"),
		law("T14", "2.2.8", "nothing automatic after the stop; its date ≥ the last charge's", gen.Plans, nothingAfterStop),
		law("T15", "L32a", "with c0 < K: F < start ⇒ no charge, stopped on max(F, as-of); F < as-of ⇒ no charge, stopped on as-of", gen.FreshPlans, finishPast),
		law("T24", "L25 X6", "DST or no schedule: M and F still stop it", gen.Plans, stopsWithoutSchedule),
	}
}

func firstSlots(t *T, p gen.PlanCase) {
	p = plainStart(p)
	if !firstRun(p).IsDay() {
		return
	}
	var want []calendar.Date
	if p.State.Status != engine.StatusStopped {
		want = slotsOf(p, firstRun(p), p.Day(p.C))
	}
	first := p.State.Repeat
	if most, capped := capOf(p.Job); capped {
		want = want[:min(uint64(len(want)), most-min(first, most))]
	}
	var list []engine.Charge
	for i, d := range want {
		list = append(list, engine.Charge{Repeat: first + uint64(i), Slot: d, Date: d})
	}
	got := t.forecast(p.Job).in(p.Window(0, p.C+1))
	t.Equal("up to "+p.Day(p.C).String(), got, withAmounts(list, got))
}

func insideBounds(t *T, p gen.PlanCase) {
	m := gen.MachineOf(p.Job, oracle.Right())
	list := t.forecast(p.Job).in(p.Window(0, p.C+1))
	for _, c := range list {
		if c.Date.Before(p.AsOf) || gen.DayNumber(c.Date) < m.Anchor || finished(p, c.Date) {
			t.Errorf("a charge on %v: as-of %v, finish-date %v", c.Date, p.AsOf, p.Profile.Finish)
		}
	}
	// A start from as-of on is the first date, unless something forbids any charge.
	fresh := p.State.Status == 0 && p.Profile.Unit != 0 && !p.Profile.Start.Before(p.AsOf)
	if !fresh || !mayCharge(p, p.Profile.Start) || p.Profile.Start.After(p.Day(p.C)) {
		return
	}
	switch {
	case len(list) == 0:
		t.Errorf("no charge up to %v, want one on start-date %v", p.Day(p.C), p.Profile.Start)
	case list[0].Date != p.Profile.Start:
		t.Errorf("the first charge is %s, want one on start-date %v", chargeText(list[0]), p.Profile.Start)
	}
}

func shorterStop(t *T, p gen.PlanCase) {
	p = plainStart(p)
	w := p.Window(0, p.C+1)
	onlyMax, onlyFinish, neither := p.Job, p.Job, p.Job
	onlyMax.Profile.Finish, neither.Profile.Finish = calendar.Date{}, calendar.Date{}
	onlyFinish.Profile.MaxRepeats, neither.Profile.MaxRepeats = engine.Limit{}, engine.Limit{}
	both, m, f, all := t.forecast(p.Job).in(w), t.forecast(onlyMax).in(w), t.forecast(onlyFinish).in(w), t.forecast(neither).in(w)
	want := m
	if len(f) < len(m) {
		want = f
	}
	t.Equal("with both stops", both, want)
	for _, one := range [...][]engine.Charge{m, f} {
		t.Equal("no stop, not one", first(all, one), one)
	}
}

func onlyAppends(t *T, p gen.PlanCase) {
	w := p.Window(0, p.B+1)
	f := t.forecast(p.Job)
	before := f.in(w)
	t.Equal("a wider window", first(f.in(p.Window(0, p.C+1)), before), before)
	if n, ok := p.Profile.MaxRepeats.Value(); ok && n > 0 && n < 1<<60 {
		more := p.Job
		more.Profile.MaxRepeats = engine.AtMost(n + 1)
		t.Equal("a higher max-repeats", first(t.forecast(more).in(w), before), before)
	}
	if !p.Profile.Finish.IsZero() {
		later := p.Job
		later.Profile.Finish = gen.Moved(p.Profile.Finish, p.N)
		t.Equal("a later finish-date", first(t.forecast(later).in(w), before), before)
	}
}

func noSchedule(t *T, p gen.PlanCase) {
	p.Profile.Unit, p.Profile.Interval = 0, 0
	f := t.forecast(p.Job)
	if list := f.in(p.Window(0, p.C+1)); len(list) > 0 || f.Count(p.Window(p.A, p.C+1)) != 0 {
		t.Errorf("%d charges without a schedule: %s", len(list), texts(first(list, make([]engine.Charge, 1)), chargeText))
	}
	for c := range f.Next(1) {
		t.Errorf("a charge without a schedule on %v", c.Date)
	}
}

func startToday(t *T, p gen.PlanCase) {
	p.Profile.Start = p.AsOf
	if p.Profile.Unit == 0 || !mayCharge(p, p.AsOf) {
		return
	}
	for c := range t.forecast(p.Job).Charges(p.Window(0, p.C+1)) {
		if c.Date != p.AsOf || c.Repeat != 0 {
			t.Errorf("the first charge is on %v with repeat %d, want as-of %v with 0", c.Date, c.Repeat, p.AsOf)
		}
		return
	}
	t.Errorf("no charge on as-of %v, which is start-date", p.AsOf)
}

func startPast(t *T, p gen.PlanCase) {
	p = plainStart(p)
	if p.Profile.Start.IsZero() || !p.Profile.Start.Before(p.AsOf) || p.Profile.Unit == 0 {
		return
	}
	f := t.forecast(p.Job)
	if got := f.State(p.AsOf).Anchor; got != p.Profile.Start {
		t.Errorf("the anchor is %v, want start-date %v", got, p.Profile.Start)
	}
	slots := slotsOf(p, p.AsOf, p.Day(p.C))
	if len(slots) == 0 || !mayCharge(p, slots[0]) {
		return
	}
	for c := range f.Next(1) {
		if c.Date != slots[0] || c.Repeat != 0 {
			t.Errorf("the first charge is on %v with repeat %d, want %v with 0", c.Date, c.Repeat, slots[0])
		}
		return
	}
	t.Errorf("no charge, want one on %v", slots[0])
}

func finishOffGrid(t *T, p gen.PlanCase) {
	p.Profile.MaxRepeats = engine.Limit{}
	p.Profile.Finish = p.Day(p.B)
	m := walkTo(p.Job, p.Profile.Finish)
	for _, c := range machineCharges(m) {
		if c.Slot == p.Profile.Finish {
			return // on the grid
		}
	}
	f := t.forecast(p.Job)
	n := 0
	for _, c := range f.in(p.Window(p.B, p.C+2)) {
		if !c.Slot.Before(p.Profile.Finish) || c.Date.After(p.Profile.Finish) { // else caught up on finish-date
			n++
		}
	}
	if n > 0 {
		t.Errorf("charges for finish-date %v or after it: %d, want none", p.Profile.Finish, n)
	}
	if got := f.Stop(); got.Date != p.Profile.Finish || !slices.Equal(got.Reasons, []string{"finish-date"}) {
		t.Errorf("%s, want finish-date %v", got, p.Profile.Finish)
	}
}

// bothOnOneDay takes as finish-date the day on which the implementation itself reaches the cap: whether that is the
// right day is the matter of other laws.
func bothOnOneDay(t *T, p gen.PlanCase) {
	p.Policy.FinishBound, p.Profile.Finish = engine.FinishBoundInclusive, calendar.Date{}
	if _, capped := p.Profile.MaxRepeats.Value(); !capped {
		return
	}
	f := t.forecast(p.Job)
	day := f.Stop().Date
	if day.IsZero() || p.State.Status == engine.StatusStopped || f.Count(calendar.Through(day, day)) == 0 {
		return
	}
	p.Profile.Finish = day
	f = t.forecast(p.Job)
	if got := f.Stop(); got.Date != p.Profile.Finish || !slices.Equal(got.Reasons, []string{"max-repeats", "finish-date"}) {
		t.Errorf("%s, want stopped on %v by max-repeats and finish-date", got, p.Profile.Finish)
	}
	if n := len(f.in(calendar.Through(p.Profile.Finish, p.Profile.Finish))); n == 0 {
		t.Errorf("no charge on the day %v on which the cap is reached", p.Profile.Finish)
	}
}

// theStop works the stop out from the charges of the implementation itself, without a run. Whether they are the right ones
// is the matter of T01.
func theStop(t *T, p gen.PlanCase) {
	p = plainStart(p)
	if p.State.Status == engine.StatusStopped || firstRun(p) != p.AsOf {
		return
	}
	f := t.forecast(p.Job)
	most, capped := capOf(p.Job)
	first := p.State.Repeat
	finish := p.Profile.Finish
	past := finished(p, p.AsOf)
	want := Stop{}
	switch list := f.in(p.Window(0, p.C+1)); {
	case capped && first >= most:
		want = Stop{Date: p.AsOf, Reasons: []string{"max-repeats"}}
		if past {
			want.Reasons = append(want.Reasons, "finish-date")
		}
	case past:
		want = Stop{Date: p.AsOf, Reasons: []string{"finish-date"}}
	case capped && uint64(len(list)) >= most-first:
		want = Stop{Date: list[most-first-1].Date, Reasons: []string{"max-repeats"}}
		if want.Date == finish {
			want.Reasons = append(want.Reasons, "finish-date")
		}
	case !finish.IsZero() && !finish.After(p.Day(p.C)):
		want = Stop{Date: finish, Reasons: []string{"finish-date"}}
	default:
		if got := f.Stop(); !got.Date.IsZero() && !got.Date.After(p.Day(p.C)) {
			t.Errorf("%s, want no stop up to %v", got, p.Day(p.C))
		}
		return
	}
	t.Equal("the stop", f.Stop().plain(), want)
}

func nothingAfterStop(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	stop := f.Stop()
	if stop.Date.IsZero() || p.State.Status == engine.StatusStopped {
		return
	}
	if stop.Date.Before(p.AsOf) || len(stop.Reasons) == 0 {
		t.Errorf("%s, as of %v", stop, p.AsOf)
	}
	for c := range f.Charges(p.Window(0, p.C+1)) {
		if c.Date.After(stop.Date) {
			t.Errorf("a charge on %v after the stop on %v", c.Date, stop.Date)
		}
	}
	if n := f.Count(calendar.Window{From: stop.Date.AddDays(1)}); n != 0 {
		t.Errorf("%d charges after the stop on %v", n, stop.Date)
	}
}

func finishPast(t *T, p gen.PlanCase) {
	most, capped := capOf(p.Job)
	if capped && p.StartRepeat() >= most {
		return
	}
	start := p.Profile.Start
	if start.IsZero() {
		start = p.AsOf
	}
	for _, finish := range [...]calendar.Date{start.AddDays(-1 - p.N), p.AsOf.AddDays(-1 - p.A)} {
		if finish.IsZero() {
			continue
		}
		p.Profile.Finish = finish
		f := t.forecast(p.Job)
		want := p.AsOf
		if finish.After(want) {
			want = finish
		}
		if got := f.Stop(); got.Date != want || f.Count(calendar.Window{}) != 0 {
			t.Errorf("finish-date %v, start %v, as-of %v: %d charges, stopped on %v, want none and %v", finish, start, p.AsOf, f.Count(calendar.Window{}), got.Date, want)
		}
	}
}

func stopsWithoutSchedule(t *T, p gen.PlanCase) {
	p.Profile.Unit, p.Profile.Interval = 0, 0
	if p.N%2 == 0 {
		p.Profile.Kind = engine.KindDestination
	}
	if p.Profile.Finish.IsZero() {
		p.Profile.Finish = p.Day(p.B)
	}
	theStop(t, p)
}
