package laws

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/record"
)

// forecastLaws are the laws of the repeat number, of asking for parts of a forecast, and of going on with one.
func forecastLaws() []Law {
	return []Law{
		law("R01", "2.2.7", "repeats of Ch are c0, c0+1, c0+2 …, without gaps; a fresh profile starts at 0", gen.Plans, consecutive).presuming("resume-counter", "manual-counts"),
		law("R02", "2.2.7", "after n automatic attempts the repeat number is c0+n, whatever the outcomes", gen.Plans, attemptsCount),
		law("R03", "L13", "outcomes change no date, slot, repeat, amount, stop", gen.Plans, outcomesChangeNothing),
		law("R04", "2.2.8", "an automatic charge with repeat r exists ⇒ r < K; at most max(0, K − c0) charges", gen.Plans, belowCap),
		law("R06", "2.2.7", "end.repeat = c0 + counted charges dated up to the window's end", gen.Plans, endRepeat),
		law("T05", "2.2.1", "a < b < c ⇒ Ch([a,c)) = Ch([a,b)) ++ Ch([b,c)), reasons included", gen.Plans, windowSplit),
		law("T06", "2.2.1", "Next(n) = the first n of Ch; breaking off and starting again changes nothing", gen.Plans, nextIsFirst),
		law("T07", "2.2.8 2.2.9", "Count, Total, Stop in closed form = what a walk gives", gen.Plans, closedForm),
		law("T16", "L32", "Count and Total to the end of the calendar are finite and exact", gen.Plans, wholeCalendar).prompt(),
		once("T17", "L32", "work ≤ c·(charges in w + 1), whatever the distance; with skip and a day 29–31 it is linear in the months walked", farWindow).alone().prompt(),
		law("T18", "L13", "slots strictly increase, dates never decrease, slot ≤ date; slot = date but for a catch-up", gen.Plans, slotOrder),
		law("T19", "2.2.7 2.2.10", "state after the runs up to b−1, saved, read back, continued as of b ⇒ the same forecast, for every b", gen.Plans, restart),
		law("T20", "L03", "as-of only hides days: no M, a ≤ a' ⇒ Ch as of a' = Ch as of a from a' on", gen.FreshPlans, asOfHides).presuming("start-past"),
		law("T21", "L29 L31", "card expiry, weekends, holidays change no charge", gen.Plans, nothingElseCounts),
		law("T22", "L32", "past 9999-12-31 the series ends with a flag; that is no stop", gen.Plans, calendarEnd),
		law("T23", "2.2.8 2.2.9", "Stop is none ⇔ active, no F, K not reached by 9999-12-31; never charges ⇔ Count = 0", gen.Plans, noStop),
	}
}

func consecutive(t *T, p gen.PlanCase) {
	first := p.StartRepeat()
	if p.State.Status == 0 && p.Policy.StartPast != engine.StartPastCountMissed && first != 0 {
		t.Errorf("a fresh profile starts with repeat %d", first)
	}
	for c := range t.forecast(p.Job).Charges(p.Window(0, p.C+1)) {
		if c.Repeat != first {
			t.Fatalf("repeat %d on %v, want %d", c.Repeat, c.Date, first)
		}
		first++
	}
}

func belowCap(t *T, p gen.PlanCase) {
	most, capped := capOf(p.Job)
	if !capped {
		return
	}
	n := uint64(0)
	for c := range t.forecast(p.Job).Charges(p.Window(0, p.C+1)) {
		if n++; c.Repeat >= most {
			t.Fatalf("repeat %d of at most %d on %v", c.Repeat, most, c.Date)
		}
	}
	if first := p.StartRepeat(); n > 0 && n > most-first {
		t.Errorf("%d charges from repeat %d of at most %d", n, first, most)
	}
}

func endRepeat(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	first := p.StartRepeat()
	for _, n := range [...]int{p.A, p.B, p.C} {
		count := len(f.in(p.Window(0, n+1)))
		if got := f.End(p.Day(n)).Repeat; got != first+uint64(count) {
			t.Errorf("on %v the repeat number is %d after %d charges from %d", p.Day(n), got, count, first)
		}
	}
}

// declinedBy is a pattern of outcomes: the repeat numbers whose bit is set in a number.
func declinedBy(bits int) record.Script {
	outcomes := map[uint64]engine.Outcome{}
	for i := range uint64(64) {
		if bits>>(i%8)&1 == 1 {
			outcomes[i] = engine.OutcomeDeclined
		}
	}
	return record.Script{Outcomes: outcomes}
}

func attemptsCount(t *T, p gen.PlanCase) {
	l := t.live(p.Job, p.Day(p.B), declinedBy(p.A+1))
	first := p.StartRepeat()
	if got, n := l.end.State.Repeat, len(l.charges()); got != first+uint64(n) {
		t.Errorf("after %d attempts from repeat %d the number is %d", n, first, got)
	}
}

func outcomesChangeNothing(t *T, p gen.PlanCase) {
	until := p.Day(p.B)
	approved, mixed := t.live(p.Job, until, record.Script{}), t.live(p.Job, until, declinedBy(p.A+1))
	t.Equal("with declined attempts", mixed.charges(), approved.charges())
	t.Equal("the end with declined attempts", plainEnd(mixed.end.State), plainEnd(approved.end.State))
}

func windowSplit(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	whole := slices.Collect(f.Charges(p.Window(p.A, p.C)))
	parts := slices.Concat(slices.Collect(f.Charges(p.Window(p.A, p.B))), slices.Collect(f.Charges(p.Window(p.B, p.C))))
	if p.Day(p.C) != p.AsOf.AddDays(p.C) || slices.Equal(whole, parts) {
		return
	}
	what := "from " + p.Day(p.A).String() + " on, cut at " + p.Day(p.B).String()
	if t.Equal(what, plainCharges(slices.Values(parts)), plainCharges(slices.Values(whole))) {
		t.Equal(what, parts, whole)
	}
}

func nextIsFirst(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	all := f.in(p.Window(0, p.C+1))
	next := f.Next(p.N)
	for range next {
		break
	}
	got := plainCharges(next)
	if len(got) > p.N {
		t.Errorf("Next(%d) gives %d charges", p.N, len(got))
	}
	n := min(len(got), len(all))
	t.Equal("the first charges", got[:n], all[:n])
	if len(got) < min(p.N, len(all)) {
		t.Errorf("Next(%d) gives %d of at least %d charges", p.N, len(got), len(all))
	}
	for range f.Next(-1) {
		t.Errorf("Next(-1) gives a charge")
		break
	}
}

// closedForm compares with the oracle, which lets the days pass one by one.
func closedForm(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	m := walkTo(p.Job, p.Day(p.C))
	want := machineCharges(m)
	if !t.Equal("walk", f.in(p.Window(0, p.C+1)), want) {
		return
	}
	from, to := p.Day(p.A), p.Day(p.B)
	inside := slices.DeleteFunc(slices.Clone(want), func(c engine.Charge) bool { return c.Date.Before(from) || c.Date.After(to) })
	w := calendar.Through(from, to)
	if got := f.Count(w); got != len(inside) {
		t.Errorf("%d charges counted from %v to %v, want %d", got, from, to, len(inside))
	}
	total := f.Total(w)
	first := uint64(0)
	if len(inside) > 0 {
		first = inside[0].Repeat
	}
	t.Equal("the total from "+from.String()+" to "+to.String(), total.plain(), totalByLoop(p.Profile.Amounts, first, uint64(len(inside))).plain())
	end := End{Status: engine.StatusActive, Repeat: m.Repeat, Stop: stopFromOracle(m.Stop)}
	if m.Stopped {
		end.Status = engine.StatusStopped
	}
	t.Equal("walk", f.End(p.Day(p.C)).plain(), end.plain())
	if stop := f.Stop(); m.Stopped || !stop.Date.IsZero() && !stop.Date.After(p.Day(p.C)) {
		t.Equal("the stop", stop.plain(), end.Stop)
	}
}

func wholeCalendar(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	all := f.Count(calendar.Window{})
	cut := p.Day(p.B)
	if front, back := f.Count(calendar.Window{To: cut}), f.Count(calendar.Window{From: cut}); front+back != all {
		t.Errorf("%d charges in all, %d before %v and %d from it on", all, front, cut, back)
	}
	total := f.Total(calendar.Window{})
	if total.Charges != uint64(all) {
		t.Errorf("a total of %d charges, counted %d", total.Charges, all)
	}
	if all <= 1000 {
		if n := len(plainCharges(f.Charges(calendar.Window{}))); n != all {
			t.Errorf("%d charges to the end, counted %d", n, all)
		}
		t.Equal("the total to the end of the calendar", total.plain(), totalByLoop(p.Profile.Amounts, p.StartRepeat(), uint64(all)).plain())
	}
}

// farWindow asks about the next ten weeks and about ten weeks 7,000 years on. Both have
// the same number of charges, or nearly so.
func farWindow(t *T) {
	p := gen.PlainProfile()
	for _, unit := range [...]calendar.Unit{calendar.UnitMonth, calendar.UnitWeek, calendar.UnitDay} {
		p.Unit = unit
		f := t.forecast(gen.Job{Profile: p, AsOf: p.Start})
		for _, question := range [...]struct {
			name string
			ask  func(w calendar.Window)
		}{
			{"charges", func(w calendar.Window) {
				for range f.Charges(w) {
				}
			}},
			{"count", func(w calendar.Window) { f.Count(w) }},
			{"total", func(w calendar.Window) { f.Total(w) }},
			{"end", func(w calendar.Window) { f.End(w.To) }},
			{"state", func(w calendar.Window) { f.State(w.From) }},
		} {
			ask := func(from calendar.Date) func() {
				return func() { question.ask(calendar.Window{From: from, To: from.AddDays(70)}) }
			}
			near, far := t.work(ask(p.Start)), t.work(ask(p.Start.AddDays(7000*365)))
			if far.exceeds(10, near) {
				t.Fatalf("by %v: the %s of a window 7,000 years on take %d steps and %d bytes, of the next one %d and %d",
					unit, question.name, far.Steps, far.Bytes, near.Steps, near.Bytes)
			}
		}
	}
}

func slotOrder(t *T, p gen.PlanCase) {
	var before engine.Charge
	catchUp := p.Policy.StartPast == engine.StartPastCatchUp || p.Policy.RunMissed == engine.MissedCatchUp || len(p.State.Missed) > 0
	for i, c := range t.forecast(p.Job).in(p.Window(0, p.C+1)) {
		if i > 0 && (!before.Slot.Before(c.Slot) || c.Date.Before(before.Date)) || c.Slot.After(c.Date) || c.Slot != c.Date && !catchUp {
			t.Errorf("slot %v on %v, after slot %v on %v", c.Slot, c.Date, before.Slot, before.Date)
		}
		before = c
	}
}

// restart cuts the forecast twice, and goes on from the state saved at each cut.
func restart(t *T, p gen.PlanCase) {
	f := t.forecast(p.Job)
	job := p.Job
	g := f
	for _, cut := range [...]int{p.A, p.B} {
		if !p.AsOf.AddDays(cut).IsDay() || !p.AsOf.AddDays(cut).After(job.AsOf) || p.State.RanThrough == p.AsOf && cut < 1 {
			continue
		}
		state := g.State(p.AsOf.AddDays(cut - 1))
		job.State, job.AsOf = t.saved(state), p.AsOf.AddDays(cut)
		g = t.forecast(job)
		if !t.alike(p, "continued on "+job.AsOf.String(), cut, g, f) {
			return
		}
	}
}

func asOfHides(t *T, p gen.PlanCase) {
	p = plainStart(p)
	if p.Profile.Start.IsZero() {
		p.Profile.Start = p.AsOf
	}
	p.Profile.MaxRepeats = engine.Limit{}
	later := p.Job
	if later.AsOf = p.AsOf.AddDays(p.B); !later.AsOf.IsDay() {
		return
	}
	w := p.Window(p.B, p.C+1)
	t.Equal("the dates as of "+later.AsOf.String(), datesOf(t.forecast(later).in(w)), datesOf(t.forecast(p.Job).in(w)))
}

// nothingElseCounts compares the same profile with cards that expire on two days, and a profile by day or week with
// the same some days later, when other days are weekends.
func nothingElseCounts(t *T, p gen.PlanCase) {
	p.Expires = gen.Moved(p.Day(p.C), 366)
	plain := t.forecast(p.Job).in(p.Window(0, p.C+1))
	early := p.Job
	early.Expires = p.Day(p.A)
	t.Equal("with a card that expires on "+early.Expires.String(), t.forecast(early).in(p.Window(0, p.C+1)), plain)

	days := 1 + p.N%6
	beyond := func(d calendar.Date) bool { return d.IsDay() && !d.AddDays(days).IsDay() }
	if madeOnFirstDay(p.State) || p.Profile.Unit == calendar.UnitMonth || p.Day(p.C) != p.AsOf.AddDays(p.C) || beyond(p.Day(p.C)) || beyond(p.Profile.Start) {
		return
	}
	gen.MoveDays(&p.Job, days)
	later := t.forecast(p.Job).in(p.Window(0, p.C+1))
	for i := range later {
		later[i].Slot, later[i].Date = later[i].Slot.AddDays(-days), later[i].Date.AddDays(-days)
	}
	t.Equal("as the same profile "+strconv.Itoa(days)+" days later", later, plain)
}

// calendarEnd moves the whole case so that the calendar ends soon.
func calendarEnd(t *T, p gen.PlanCase) {
	gen.MoveDays(&p.Job, calendar.MaxDate().AddDays(-p.C).Sub(p.AsOf))
	p.Profile.Finish, p.Profile.MaxRepeats = calendar.Date{}, engine.Limit{}
	if p.State.Status == engine.StatusStopped {
		p.State.Status, p.State.Stop = engine.StatusActive, engine.Stop{}
	}
	f := t.forecast(p.Job)
	end := f.End(calendar.MaxDate())
	if end.Status != engine.StatusActive || !end.Stop.Date.IsZero() || !f.Stop().Date.IsZero() {
		t.Errorf("at the end of the calendar the profile is %v and %s, want active and never stopped", end.Status, f.Stop())
	}
	if end.LastDay != p.Profile.Automatic() {
		t.Errorf("the end says that the calendar cuts the series off: %v, want %v", end.LastDay, p.Profile.Automatic())
	}
	if want := p.StartRepeat() + uint64(f.Count(calendar.Window{})); end.Repeat != want {
		t.Errorf("repeat %d at the end of the calendar, want %d", end.Repeat, want)
	}
}

func noStop(t *T, p gen.PlanCase) {
	if p.State.Status == engine.StatusStopped {
		return
	}
	f := t.forecast(p.Job)
	n := f.Count(calendar.Window{})
	most, capped := capOf(p.Job)
	reached := capped && p.StartRepeat()+uint64(n) >= most
	none := p.Profile.Finish.IsZero() && !reached
	if !firstRun(p).IsDay() {
		none = true
	}
	if got := f.Stop(); got.Date.IsZero() != none {
		t.Errorf("%s, with %d charges from repeat %d and finish-date %q", got, n, p.StartRepeat(), p.Profile.Finish)
	}
	any := false
	for range f.Next(1) {
		any = true
	}
	if any != (n > 0) {
		t.Errorf("%d charges to the end of the calendar, and a first one: %v", n, any)
	}
}

// plainStart is the case with the readings under which no slot is caught up or counted, and none left to catch up.
func plainStart(p gen.PlanCase) gen.PlanCase {
	p.Policy.StartPast, p.Policy.RunMissed = engine.StartPastSkip, engine.MissedSkip
	p.State.Missed = nil
	return p
}

// firstRun is the day of the first run, or past the end of the calendar.
func firstRun(p gen.PlanCase) calendar.Date {
	if p.State.RanThrough == p.AsOf {
		return p.AsOf.AddDays(1)
	}
	return p.AsOf
}

// mayCharge reports whether neither M nor F forbids a charge on a day.
func mayCharge(p gen.PlanCase, d calendar.Date) bool {
	most, _ := capOf(p.Job)
	return most > p.StartRepeat() && !finished(p, d)
}

// finished reports whether finish-date forbids a charge on a day.
func finished(p gen.PlanCase, d calendar.Date) bool {
	f := p.Profile.Finish
	return !f.IsZero() && (d.After(f) || d == f && p.Policy.FinishBound == engine.FinishBoundExclusive)
}

// capOf is the cap K, by the ledger: L08 and L09.
func capOf(j gen.Job) (n uint64, ok bool) {
	n, ok = j.Profile.MaxRepeats.Value()
	switch {
	case !ok || n == 0 && j.Policy.MaxZero == engine.MaxZeroUnlimited:
		return math.MaxUint64, false
	case n > 0 && j.Policy.MaxCounts == engine.MaxCountsRepeatsAfterFirst:
		return n + 1, true
	}
	return n, true
}

// slotsOf are the eligible slots from a day on, with a grid that the caller knows to be
// the right one: the days of the grid, unpaid, in front of finish-date.
func slotsOf(p gen.PlanCase, from, to calendar.Date) []calendar.Date {
	if p.Profile.Unit == 0 {
		return nil
	}
	anchor := p.State.Anchor
	if anchor.IsZero() {
		anchor = p.Profile.Start
	}
	if anchor.IsZero() {
		anchor = p.AsOf
	}
	g := gen.GridOf(anchor, p.Profile.Unit, p.Profile.Interval, p.Policy.MonthEnd)
	var list []calendar.Date
	for c := oracle.At(gen.DayNumber(from)); c.Day <= gen.DayNumber(to); c = c.Next() {
		if d := gen.DateNumbered(c.Day); g.Due(c) && !finished(p, d) && !slices.Contains(p.State.Paid, d) {
			list = append(list, d)
		}
	}
	return list
}

// forecast is the forecast of a job that must not be refused.
func (t *T) forecast(j gen.Job) Forecast {
	f, err := t.Forecast(j)
	if err != nil {
		t.Fatalf("%v as of %v is refused: %v", j.Policy, j.AsOf, err)
	}
	return f
}

// alike compares charges and end of two forecasts, from a day of the case to its last.
func (t *T) alike(p gen.PlanCase, what string, from int, got, want Forecast) bool {
	w, last := p.Window(from, p.C+1), p.Day(p.C)
	return t.Equal(what, got.in(w), want.in(w)) && t.Equal(what, got.End(last).plain(), want.End(last).plain())
}

// plain is the end without what it rests on.
func (e End) plain() End { return End{Status: e.Status, Repeat: e.Repeat, Stop: e.Stop.plain()} }

func (s Stop) plain() Stop { return Stop{Date: s.Date, Reasons: s.Reasons} }

// walkTo is the oracle's life of a job up to a day.
func walkTo(j gen.Job, d calendar.Date) *oracle.Machine {
	m := gen.MachineOf(j, oracle.Right())
	if m != nil {
		m.UntilStopped(gen.DayNumber(d))
	}
	return m
}

// machineCharges are the charges that a machine made.
func machineCharges(m *oracle.Machine) []engine.Charge {
	return plainCharges(slices.Values(gen.ChargesFromOracle(m.Records)))
}

// plainCharge is a charge as a user sees it: without what it rests on, whatever its outcome.
func plainCharge(c engine.Charge) engine.Charge {
	return engine.Charge{Repeat: c.Repeat, Slot: c.Slot, Date: c.Date, Min: c.Min.Reduce(), Max: c.Max.Reduce(), Manual: c.Manual}
}

func plainCharges(charges iter.Seq[engine.Charge]) []engine.Charge {
	var list []engine.Charge
	for c := range charges {
		list = append(list, plainCharge(c))
	}
	return list
}

// in are the charges of a window.
func (f Forecast) in(w calendar.Window) []engine.Charge { return plainCharges(f.Charges(w)) }

// first are the first charges of a list, at most as many as another list has.
func first(list, of []engine.Charge) []engine.Charge { return list[:min(len(list), len(of))] }

// withAmounts are the charges with the amounts of others, for laws that leave those to other laws.
func withAmounts(list, of []engine.Charge) []engine.Charge {
	list = slices.Clone(list)
	for i := range first(list, of) {
		list[i].Min, list[i].Max = of[i].Min, of[i].Max
	}
	return list
}

func datesOf(list []engine.Charge) []calendar.Date {
	var dates []calendar.Date
	for _, c := range list {
		dates = append(dates, c.Date)
	}
	return dates
}
