package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/ledger"
)

// A PlanCase is a profile of which a forecast is wanted, and what is asked of it. The
// profile, its state and the policy go together: no engine may refuse it.
type PlanCase struct {
	Job
	A, B, C int // days after as-of, in order
	N       int // a number of charges

	labels Classes
}

func (p PlanCase) classes() Classes { return p.labels }

// String is the case with the profile's columns as a payload has them.
func (p PlanCase) String() string {
	o := profileToOracle(p.Profile)
	return fmt.Sprintf("kind=%v start=%v unit=%v interval=%d finish=%v max=%v amount=%s from=%s to=%s sequence=%v\nas-of=%v state=%+v\npolicy=%v\nA=%d B=%d C=%d N=%d",
		p.Profile.Kind, p.Profile.Start, p.Profile.Unit, p.Profile.Interval, p.Profile.Finish, p.Profile.MaxRepeats, o.Amount, o.From, o.To, o.Sequence,
		p.AsOf, p.State, p.Policy, p.A, p.B, p.C, p.N)
}

// Plans generates profiles with every pair of must-hit classes, under any policy but the
// readings that refuse, half of them with a saved state.
func Plans() gopter.Gen { return generator(chooser.planCase, simplerPlans, validPlan) }

// FreshPlans generates as [Plans], but each profile is created on as-of.
func FreshPlans() gopter.Gen {
	fresh := func(r chooser) PlanCase {
		p := r.planCase()
		p.State = engine.State{}
		return p
	}
	return generator(fresh, simplerPlans, validPlan)
}

// reach is how many days after as-of a case looks, so that an oracle can walk there.
const reach = 800

func validPlan(p PlanCase) bool {
	if p.AsOf.IsZero() || p.A < 0 || p.B < p.A || p.C < p.B || p.N < 0 || p.Profile.Amounts == nil {
		return false
	}
	if (p.Profile.Unit == 0) != (p.Profile.Interval == 0) || p.Profile.Interval < 0 {
		return false
	}
	inOrder := slices.IsSortedFunc(p.State.Paid, calendar.Date.Compare) && len(slices.Compact(slices.Clone(p.State.Paid))) == len(p.State.Paid)
	return inOrder && (p.State.RanThrough.IsZero() || !p.State.RanThrough.After(p.AsOf))
}

// day is the day n days after as-of, inside the calendar.
func (p PlanCase) day(n int) calendar.Date { return moved(p.AsOf, n) }

// window is the days from … to−1 after as-of. At the end of the calendar it is open.
func (p PlanCase) window(from, to int) calendar.Window {
	w := calendar.Window{From: p.AsOf.AddDays(from), To: p.AsOf.AddDays(to)}
	if w.From.IsZero() {
		return calendar.Window{From: p.AsOf, To: p.AsOf} // nothing lies behind the end
	}
	return w
}

// stepDays is about how many days lie between two due days.
func stepDays(u calendar.Unit, interval int) int {
	days := [...]int{0, 1, 7, 30}[u]
	return min(days*min(interval, 1000), 1000)
}

func (r chooser) planCase() PlanCase {
	p := PlanCase{N: r.in(0, 9)}
	p.Profile = engine.Profile{ID: pick(r, "order-1", "order-2", ""), Kind: engine.KindSource, Currency: r.currency()}
	p.Policy = r.policy()
	p.schedule(r)
	p.start(r)
	mode := r.weigh(40, 25, 35)
	p.Profile.Amounts = r.strategy(mode, p.Profile.Currency)
	p.labels[dimAmounts] = 1 << mode
	if r.chance(45) {
		p.state(r)
	}
	p.stops(r)
	step := stepDays(p.Profile.Unit, p.Profile.Interval)
	span := min(8*step+40, reach)
	p.A, p.B, p.C = sorted3(r.in(0, span), r.in(0, span), r.in(0, span))
	p.labels[dimMonthEnd] = 1 << p.Policy.MonthEnd
	p.labels[dimEvents], p.labels[dimOutcomes] = 1, 1
	return p
}

func sorted3(a, b, c int) (x, y, z int) {
	low, high := min(a, b, c), max(a, b, c)
	return low, a + b + c - low - high, high
}

// policy is the default but for the month end in half of the cases; the readings that
// refuse are left to the laws about them.
func (r chooser) policy() engine.Policy {
	var p engine.Policy
	if r.chance(60) {
		p.MonthEnd = calendar.MonthEnd(r.below(4))
	}
	if r.chance(50) {
		return p
	}
	for _, k := range policyKeys {
		if i := r.below(len(k.values)); k.key != ledger.L01 && k.values[i] != "reject" && r.chance(50) {
			p = p.WithReading(k.key, i)
		}
	}
	return p
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

func (p *PlanCase) schedule(r chooser) {
	unit := r.weigh(12, 24, 24, 40)
	p.labels[dimUnit] = 1 << unit
	if unit == 0 {
		p.labels[dimInterval] = 1
		if r.chance(50) {
			p.Profile.Kind = engine.KindDestination
		}
		return
	}
	class := 1 + r.weigh(40, 17, 13, 13, 17)
	p.Profile.Unit = calendar.Unit(unit)
	p.Profile.Interval = [...]int{0, 1, 2, 12, pick(r, 13, 24, 100, 366, 4800, 146_097, math.MaxInt32, math.MaxInt), r.in(3, 11)}[class]
	p.labels[dimInterval] = 1 << class
}

// start chooses start-date and as-of, and labels how they lie.
func (p *PlanCase) start(r chooser) {
	start := r.date()
	step := stepDays(p.Profile.Unit, p.Profile.Interval)
	p.Profile.Start, p.AsOf = start, start
	class := r.weigh(20, 20, 24, 20, 16)
	switch class {
	case 0, 1:
		p.AsOf, class = r.after(p.Profile, p.Policy, step, class == 0)
		if p.Profile.Unit == 0 {
			class = 1
		}
	case 3:
		p.AsOf = moved(start, -r.in(1, 70))
	case 4:
		p.Profile.Start = calendar.Date{}
	}
	switch {
	case p.AsOf == start && class < 2:
		class = 2 // the calendar ends here
	case p.AsOf == start && class == 3:
		class = 2 // or begins
	}
	p.labels[dimStart] = 1 << class
	p.labels[dimAnchor] = anchorClass(start)
}

func anchorClass(d calendar.Date) uint8 {
	c := oracle.At(DayNumber(d))
	switch {
	case c.Month == 2 && c.Date == 29:
		return 1 << 4
	case c.Date <= 28:
		return 1
	}
	return 1 << (c.Date - 28)
}

// gridOf is the oracle's grid of a profile.
func gridOf(p engine.Profile, anchor calendar.Date, pol engine.Policy) oracle.Grid {
	return oracle.Grid{
		Anchor:   oracle.At(DayNumber(anchor)),
		Unit:     oracle.Unit(p.Unit),
		Interval: int64(p.Interval),
		End:      oracle.MonthEnd(pol.MonthEnd),
	}
}

// after is a day after the start, on the grid or off it where that is possible, and the
// class that it has come to.
func (r chooser) after(p engine.Profile, pol engine.Policy, step int, on bool) (day calendar.Date, class int) {
	day = moved(p.Start, r.in(1, min(4*step+9, 900)))
	if p.Unit == 0 {
		return day, 1
	}
	g := gridOf(p, p.Start, pol)
	c := oracle.At(DayNumber(day))
	for range min(2*step+4, 1000) {
		if g.Due(c) == on || c.Day >= oracle.Last {
			break
		}
		c = c.Next()
	}
	class = 1
	if g.Due(c) {
		class = 0
	}
	return DateNumbered(c.Day), class
}

// state is a saved one, as a user would give it or a run would leave it.
func (p *PlanCase) state(r chooser) {
	s := engine.State{Status: engine.StatusActive, Repeat: uint64(r.in(0, 6))}
	if r.chance(8) {
		s.Status = engine.StatusStopped
	}
	switch r.weigh(40, 30, 15, 15) {
	case 1:
		s.RanThrough = p.AsOf.AddDays(-1)
	case 2:
		s.RanThrough = p.AsOf
	case 3:
		s.RanThrough = p.AsOf.AddDays(-r.in(2, 40))
	}
	if r.chance(30) {
		s.Anchor = moved(p.AsOf, -r.in(0, 60))
	}
	for r.chance(35) {
		s.Paid = append(s.Paid, moved(p.AsOf, -r.in(0, 30)))
	}
	slices.SortFunc(s.Paid, calendar.Date.Compare)
	s.Paid = slices.Compact(s.Paid)
	p.State = s
}

// stops chooses max-repeats-number and finish-date.
func (p *PlanCase) stops(r chooser) {
	class := r.weigh(28, 20, 20, 16, 16)
	step := stepDays(p.Profile.Unit, p.Profile.Interval)
	if class == 1 || class >= 3 {
		n := uint64(r.in(1, 8))
		switch r.weigh(88, 8, 4) {
		case 1:
			n = 0
		case 2:
			n = pick[uint64](r, 1000, math.MaxUint32, math.MaxUint64)
		}
		p.Profile.MaxRepeats = engine.AtMost(n)
	}
	switch class {
	case 2, 3:
		p.Profile.Finish = moved(p.AsOf, r.in(-20, min(6*step+20, 900)))
	case 4:
		if day := p.capDay(); !day.IsZero() {
			p.Profile.Finish = day
		} else {
			p.Profile.Finish = moved(p.AsOf, r.in(0, 60))
			class = 3
		}
	}
	p.labels[dimStop] = 1 << class
}

// capDay is the day on which the cap is reached; zero if that is not soon.
func (p *PlanCase) capDay() calendar.Date {
	n, _ := p.Profile.MaxRepeats.Value()
	if n > reach || (int(n)-int(p.State.Repeat)-1)*stepDays(p.Profile.Unit, p.Profile.Interval) > reach {
		return calendar.Date{}
	}
	m := MachineOf(p.Job, oracle.Right())
	if m == nil {
		return calendar.Date{}
	}
	m.UntilStopped(min(DayNumber(p.AsOf)+reach, oracle.Last))
	if len(m.Records) < 2 {
		return calendar.Date{} // no charge that reaches it
	}
	return DateNumbered(m.Stop.Day)
}
