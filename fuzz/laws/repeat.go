package laws

import (
	"math"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
)

// repeatLaws are the laws of the current repeat number. Those that need events are with
// the events.
func repeatLaws() []Law {
	return []Law{
		law("R01", "2.2.7", "repeats of Ch are c0, c0+1, c0+2 …, without gaps; a fresh profile starts at 0", gen.Plans, consecutive).presuming("resume-counter", "manual-counts"),
		law("R02", "2.2.7", "after n automatic attempts the repeat number is c0+n, whatever the outcomes", gen.Plans, attemptsCount),
		law("R03", "L13", "outcomes change no date, slot, repeat, amount, stop", gen.Plans, outcomesChangeNothing),
		law("R04", "2.2.8", "an automatic charge with repeat r exists ⇒ r < K; at most max(0, K − c0) charges", gen.Plans, belowCap),
		law("R06", "2.2.7", "end.repeat = c0 + counted charges dated up to the window's end", gen.Plans, endRepeat),
	}
}

func consecutive(t *T, p gen.PlanCase) {
	first := p.StartRepeat()
	if p.State.Status == 0 && p.Policy.StartPast != engine.StartPastCountMissed && first != 0 {
		t.Errorf("a fresh profile starts with repeat %d", first)
	}
	for c := range forecast(p.Job, t).Charges(p.Window(0, p.C+1)) {
		if c.Repeat != first {
			t.Errorf("repeat %d on %v, want %d", c.Repeat, c.Date, first)
			return
		}
		first++
	}
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

func belowCap(t *T, p gen.PlanCase) {
	most, capped := capOf(p.Job)
	if !capped {
		return
	}
	n := uint64(0)
	for c := range forecast(p.Job, t).Charges(p.Window(0, p.C+1)) {
		if n++; c.Repeat >= most {
			t.Errorf("repeat %d of at most %d on %v", c.Repeat, most, c.Date)
			return
		}
	}
	if first := p.StartRepeat(); n > 0 && n > most-first {
		t.Errorf("%d charges from repeat %d of at most %d", n, first, most)
	}
}

func endRepeat(t *T, p gen.PlanCase) {
	f := forecast(p.Job, t)
	first := p.StartRepeat()
	for _, n := range [...]int{p.A, p.B, p.C} {
		count := len(lines(f, p.Window(0, n+1)))
		if got := f.End(p.Day(n)).Repeat; got != first+uint64(count) {
			t.Errorf("on %v the repeat number is %d after %d charges from %d", p.Day(n), got, count, first)
		}
	}
}

// A life is what a simulation gave.
type life struct {
	effects []engine.Effect
	end     engine.Stored
}

// live simulates a job up to a day.
func live(j gen.Job, t *T, until calendar.Date, script engine.Script) life {
	var l life
	var err error
	sim := engine.Simulation{Stored: engine.Stored{Profile: j.Profile, State: j.State}, AsOf: j.AsOf, Until: until, Script: script, Seed: 1}
	l.end, err = t.Simulate(j.Policy, sim, func(e engine.Effect) bool {
		l.effects = append(l.effects, e)
		return true
	})
	if err != nil {
		t.Errorf("the simulation is refused: %v", err)
		panic("no simulation")
	}
	return l
}

// charges are the automatic charges of a life.
func (l life) charges() []line {
	var list []line
	for _, e := range l.effects {
		if e.Kind == engine.ChargeAttempted && !e.Charge.Manual {
			list = append(list, lineOf(e.Charge))
		}
	}
	return list
}

// declinedBy is a pattern of outcomes: the repeat numbers whose bit is set in a number.
func declinedBy(bits int) engine.Script {
	outcomes := map[uint64]engine.Outcome{}
	for i := range uint64(64) {
		if bits>>(i%8)&1 == 1 {
			outcomes[i] = engine.OutcomeDeclined
		}
	}
	return engine.Script{Outcomes: outcomes}
}

func attemptsCount(t *T, p gen.PlanCase) {
	l := live(p.Job, t, p.Day(p.B), declinedBy(p.A+1))
	first := p.StartRepeat()
	if got, n := l.end.State.Repeat, len(l.charges()); got != first+uint64(n) {
		t.Errorf("after %d attempts from repeat %d the number is %d", n, first, got)
	}
}

func outcomesChangeNothing(t *T, p gen.PlanCase) {
	until := p.Day(p.B)
	approved, mixed := live(p.Job, t, until, engine.Script{}), live(p.Job, t, until, declinedBy(p.A+1))
	sameLines(t, "with declined attempts", mixed.charges(), approved.charges())
	if a, b := approved.end.State, mixed.end.State; a.Status != b.Status || a.Repeat != b.Repeat || !sameStop(StopFrom(a.Stop), StopFrom(b.Stop)) {
		t.Errorf("outcomes change the end: %v %d, want %v %d", b.Status, b.Repeat, a.Status, a.Repeat)
	}
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
	g := gen.GridOf(p.Profile, anchor, p.Policy)
	var list []calendar.Date
	for c := oracle.At(gen.DayNumber(from)); c.Day <= gen.DayNumber(to); c = c.Next() {
		d := gen.DateNumbered(c.Day)
		f := p.Profile.Finish
		over := !f.IsZero() && (d.After(f) || d == f && p.Policy.FinishBound == engine.FinishBoundExclusive)
		if g.Due(c) && !over && !contains(p.State.Paid, d) {
			list = append(list, d)
		}
	}
	return list
}

func contains(list []calendar.Date, d calendar.Date) bool {
	return slices.Contains(list, d)
}
