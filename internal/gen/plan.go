package gen

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
)

// A PlanCase is a profile of which a forecast is wanted, and what is asked of it. The
// profile, its state and the policy go together: no engine may refuse it.
type PlanCase struct {
	Job
	A, B, C int // days after as-of, in order
	N       int // a number of charges

	ordinary bool // see [Chooser]
}

// String is the case with the profile's columns as a payload has them.
func (p PlanCase) String() string {
	o := profileToOracle(p.Profile)
	return fmt.Sprintf("kind=%v start=%v unit=%v interval=%d finish=%v max=%v amount=%s from=%s to=%s sequence=%v\nas-of=%v state=%+v\npolicy=%v\nA=%d B=%d C=%d N=%d",
		p.Profile.Kind, p.Profile.Start, p.Profile.Unit, p.Profile.Interval, p.Profile.Finish, p.Profile.MaxRepeats, o.Amount, o.From, o.To, o.Sequence,
		p.AsOf, p.State, p.Policy, p.A, p.B, p.C, p.N)
}

// FarthestDay is how many days after as-of a case looks, so that an oracle can walk there.
const FarthestDay = 800

// KeptApart reports whether a state that was moved to the first days of the calendar, where earlier days fall on the first one, is
// still reachable: slots unique, windows disjoint and in the past.
func KeptApart(s engine.State, asOf calendar.Date) bool {
	last := lastRun(s, asOf)
	var before calendar.Date
	for _, w := range s.Missed {
		if w.From.IsZero() || w.IsEmpty() || !before.IsZero() && w.From.Before(before) || w.Last().After(last) {
			return false
		}
		before = w.To
	}
	return len(slices.Compact(slices.Clone(s.Paid))) == len(s.Paid) && !s.Stop.Date.After(last)
}

// Day is the day n days after as-of, inside the calendar.
func (p PlanCase) Day(n int) calendar.Date { return Moved(p.AsOf, n) }

// Window is the days from … to−1 after as-of. At the end of the calendar it is open.
func (p PlanCase) Window(from, to int) calendar.Window {
	return calendar.Window{From: p.AsOf.AddDays(from), To: DayOrNone(p.AsOf.AddDays(to))}
}

// stepDays is about how many days lie between two due days.
func stepDays(u calendar.Unit, interval int) int {
	days := [...]int{0, 1, 7, 30}[u]
	return min(days*min(interval, 1000), 1000)
}

// Plans draws profiles under any policy but the readings that refuse, half of them with a saved state. The ordinary ones are
// created under the default policy, with dates of 2025 to 2027 and amounts under 10,000.
func Plans(r Chooser) PlanCase {
	r.ordinary = r.drawOrdinary()
	p := PlanCase{ordinary: r.ordinary, N: r.In(0, 9)}
	p.Profile = engine.Profile{ID: Pick(r, "order-1", "order-2", ""), Kind: engine.KindSource, Currency: r.Currency()}
	p.Policy = r.policy()
	p.schedule(r)
	p.start(r)
	mode := r.Weigh(40, 25, 35)
	p.Profile.Amounts = r.Choice(mode, p.Profile.Currency)
	if !r.ordinary && r.Chance(45) {
		p.state(r)
	}
	p.stops(r)
	step := stepDays(p.Profile.Unit, p.Profile.Interval)
	span := min(8*step+40, FarthestDay)
	p.A, p.B, p.C = inOrder(cmp.Compare[int], r.In(0, span), r.In(0, span), r.In(0, span))
	return p
}

// FreshPlans draws as [Plans], but each profile is created on as-of.
func FreshPlans(r Chooser) PlanCase {
	p := Plans(r)
	p.State = engine.State{}
	return p
}

// policy is the default but for the month end in half of the cases; the readings that
// refuse are left to the laws about them.
func (r Chooser) policy() engine.Policy {
	var p engine.Policy
	if r.ordinary {
		return r.Asked(p)
	}
	if r.Chance(60) {
		p.MonthEnd = calendar.MonthEnd(r.Below(4))
	}
	if !r.Chance(50) {
		return r.Asked(p)
	}
	for _, k := range policyKeys {
		if i := r.Below(len(k.values)); k.key != clause.L01 && k.values[i] != "reject" && r.Chance(50) {
			p = p.WithReading(k.key, i)
		}
	}
	return r.Asked(p)
}

// Asked is the policy that every case asks for, or else the one that was drawn.
func (r Chooser) Asked(drawn engine.Policy) engine.Policy {
	if r.Policy != nil {
		return *r.Policy
	}
	return drawn
}

// A policyKey is a key of a policy and its values.
type policyKey struct {
	key    ledger.Clause
	values []string
}

// policyKeys are all keys; an entry of the ledger is a copy each time.
var policyKeys = func() (list []policyKey) {
	for c := range engine.Keys() {
		list = append(list, policyKey{c, c.Entry().Values()})
	}
	return list
}()

func (p *PlanCase) schedule(r Chooser) {
	if p.ordinary {
		p.Profile.Unit = Pick(r, calendar.UnitMonth, calendar.UnitMonth, calendar.UnitWeek, calendar.UnitDay)
		p.Profile.Interval = Pick(r, 1, 1, 2, 3, 6, 12)
		return
	}
	unit := r.Weigh(12, 24, 24, 40)
	if unit == 0 {
		if r.Chance(50) {
			p.Profile.Kind = engine.KindDestination
		}
		return
	}
	class := 1 + r.Weigh(40, 17, 13, 13, 17)
	p.Profile.Unit = calendar.Unit(unit)
	p.Profile.Interval = [...]int{0, 1, 2, 12, Pick(r, 13, 24, 100, 366, 4800, 146_097, math.MaxInt32, math.MaxInt), r.In(3, 11)}[class]
}

// start chooses start-date and as-of.
func (p *PlanCase) start(r Chooser) {
	start := r.Date()
	step := stepDays(p.Profile.Unit, p.Profile.Interval)
	p.Profile.Start, p.AsOf = start, start
	switch r.Weigh(24, 20, 16, 20, 20) {
	case 1:
		p.AsOf = Moved(start, -r.In(1, 70))
	case 2:
		p.Profile.Start = calendar.Date{}
	case 3:
		p.AsOf = r.after(p.Profile, p.Policy, step, false)
	case 4:
		p.AsOf = r.after(p.Profile, p.Policy, step, true)
	}
}

// GridOf is a series as the oracle has it.
func GridOf(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) oracle.Grid {
	return oracle.Grid{Anchor: oracle.At(DayNumber(start)), Unit: oracle.Unit(unit), Interval: int64(interval), End: oracle.MonthEnd(end)}
}

// after is a day after the start, on the grid or off it where that is possible.
func (r Chooser) after(p engine.Profile, pol engine.Policy, step int, on bool) calendar.Date {
	day := Moved(p.Start, r.In(1, min(4*step+9, 900)))
	if p.Unit == 0 {
		return day
	}
	g := GridOf(p.Start, p.Unit, p.Interval, pol.MonthEnd)
	c := oracle.At(DayNumber(day))
	for range min(2*step+4, 1000) {
		if g.Due(c) == on || c.Day >= oracle.Last {
			break
		}
		c = c.Next()
	}
	return DateNumbered(c.Day)
}

// state is a saved one, as a user would give it or a run would leave it.
func (p *PlanCase) state(r Chooser) {
	s := engine.State{Status: engine.StatusActive, Repeat: uint64(r.In(0, 6))}
	if r.Chance(8) {
		s.Status = engine.StatusStopped
	}
	switch r.Weigh(40, 30, 15, 15) {
	case 1:
		s.RanThrough = p.AsOf.AddDays(-1)
	case 2:
		s.RanThrough = p.AsOf
	case 3:
		s.RanThrough = p.AsOf.AddDays(-r.In(2, 40))
	}
	if r.Chance(30) {
		s.Anchor = Moved(p.AsOf, -r.In(0, 60))
	}
	for r.Chance(35) {
		s.Paid = append(s.Paid, Moved(p.AsOf, -Pick(r, 0, r.In(0, 30))))
	}
	slices.SortFunc(s.Paid, calendar.Date.Compare)
	s.Paid = slices.Compact(s.Paid)
	if r.Chance(20) {
		s.Missed = r.missed(lastRun(s, p.AsOf), stepDays(p.Profile.Unit, p.Profile.Interval))
	}
	if r.Chance(30) { // else it was written by hand
		s.Last = Moved(p.AsOf, -Pick(r, 0, 1, r.In(0, 40)))
	}
	if last := lastRun(s, p.AsOf); s.Status == engine.StatusStopped && !last.IsZero() && r.Chance(50) {
		s.Stop = engine.Stop{Date: Moved(last, -r.In(0, 40)), Reasons: Pick(r, engine.ReasonAPI, engine.ReasonFinishDate, engine.ReasonMaxRepeats, engine.ReasonMaxRepeats|engine.ReasonFinishDate)}
	}
	p.State = s
}

// lastRun is the last day that a state takes as over.
func lastRun(s engine.State, asOf calendar.Date) calendar.Date {
	if s.RanThrough.IsZero() {
		return asOf.AddDays(-1)
	}
	return s.RanThrough
}

// missed are one or two windows of days up to the last run, long enough for a due day or too short.
func (r Chooser) missed(last calendar.Date, step int) (list []calendar.Window) {
	for range r.Times(1, 2) {
		to := last.AddDays(-r.In(0, 3))
		from := to.AddDays(-r.In(0, min(2*step, 90)))
		if from.IsZero() {
			break
		}
		list = append(list, calendar.Through(from, to))
		last = from.AddDays(-2)
		if last.IsZero() {
			break
		}
	}
	slices.Reverse(list)
	return list
}

// stops chooses max-repeats-number and finish-date.
func (p *PlanCase) stops(r Chooser) {
	class := r.Weigh(28, 20, 20, 16, 16)
	step := stepDays(p.Profile.Unit, p.Profile.Interval)
	rare := 12
	if p.ordinary {
		rare = 0
	}
	if class == 1 || class >= 3 {
		n := uint64(r.In(1, 8))
		switch r.Weigh(88, 2*rare/3, rare/3) {
		case 1:
			n = 0
		case 2:
			n = Pick[uint64](r, 1000, math.MaxUint32, math.MaxInt64)
		}
		p.Profile.MaxRepeats = engine.AtMost(n)
	}
	switch class {
	case 2, 3:
		p.Profile.Finish = Moved(p.AsOf, r.Around(-20, min(6*step+20, 900)))
	case 4:
		if day := p.capDay(); !day.IsZero() {
			p.Profile.Finish = day
		} else {
			p.Profile.Finish = Moved(p.AsOf, r.In(0, 60))
		}
	}
}

// capDay is the day on which the cap is reached; zero if that is not soon.
func (p *PlanCase) capDay() calendar.Date {
	n, _ := p.Profile.MaxRepeats.Value()
	if n > FarthestDay || (int(n)-int(p.State.Repeat)-1)*stepDays(p.Profile.Unit, p.Profile.Interval) > FarthestDay {
		return calendar.Date{}
	}
	m := MachineOf(p.Job, oracle.Right())
	if m == nil {
		return calendar.Date{}
	}
	m.UntilStopped(min(DayNumber(p.AsOf)+FarthestDay, oracle.Last))
	if len(m.Records) < 2 {
		return calendar.Date{} // no charge that reaches it
	}
	return DateNumbered(m.Stop.Day)
}

// PlainProfile is monthly from 2026-01-31 with a fixed amount.
func PlainProfile() engine.Profile {
	return engine.Profile{
		ID: "plain", Kind: engine.KindSource, Currency: "EUR",
		Start: DateNumbered(oracle.DayOf(2026, 1, 31)), Unit: calendar.UnitMonth, Interval: 1,
		Amounts: amount.Fixed(Minor(1000, 2)),
	}
}

// StartRepeat is the repeat number before the first run.
func (p PlanCase) StartRepeat() uint64 {
	m := MachineOf(p.Job, oracle.Right())
	return m.Repeat
}

// MoveDays moves every day of the job. One that would leave the calendar stays on its edge.
func MoveDays(j *Job, by int) {
	j.ChangeDays(func(d calendar.Date) calendar.Date { return Moved(d, by) })
}

// ChangeDays changes every day of the job.
func (j *Job) ChangeDays(change func(calendar.Date) calendar.Date) {
	j.State.Paid, j.State.Missed = slices.Clone(j.State.Paid), slices.Clone(j.State.Missed)
	days := []*calendar.Date{
		&j.AsOf, &j.Expires, &j.Profile.Start, &j.Profile.Finish, &j.Profile.CardExpires, &j.State.Anchor, &j.State.RanThrough, &j.State.Last, &j.State.Stop.Date,
	}
	for i := range j.State.Paid {
		days = append(days, &j.State.Paid[i])
	}
	for _, d := range days {
		if !d.IsZero() {
			*d = change(*d)
		}
	}
	// A window through 9999-12-31 has no day To, so windows are changed by their first and last days.
	for i, w := range j.State.Missed {
		j.State.Missed[i] = calendar.Through(change(w.First()), change(w.Last()))
	}
}

// A Job is a profile of which a forecast is wanted.
type Job struct {
	Profile engine.Profile
	State   engine.State
	AsOf    calendar.Date
	Policy  engine.Policy
	// Expires is the last day of the card. No forecast may heed it (L31).
	Expires calendar.Date
}

// JobOf is the profile of a simulation under a policy.
func JobOf(p engine.Policy, s engine.Simulation) Job {
	return Job{Profile: s.Stored.Profile, State: s.Stored.State, AsOf: s.AsOf, Policy: p}
}

// Stored is the profile with its state.
func (j Job) Stored() engine.Stored { return engine.Stored{Profile: j.Profile, State: j.State} }

// Plain reports whether the job is what most schedulers offer: a profile that is created on as-of, under
// the default readings.
func (j Job) Plain() bool { return j.Policy == (engine.Policy{}) && j.State.Status == 0 }

// Moved is the day n days later, or the end of the calendar in that direction.
func Moved(d calendar.Date, n int) calendar.Date {
	return DateNumbered(min(max(DayNumber(d)+oracle.Day(n), oracle.First), oracle.Last))
}

// DayOrNone is d if it is a day, and the zero Date past the end of the calendar.
func DayOrNone(d calendar.Date) calendar.Date {
	if !d.IsDay() {
		return calendar.Date{}
	}
	return d
}
