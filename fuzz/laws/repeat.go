package laws

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// repeatLaws are the laws of the current repeat number. Those that need events are with the logs.
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
	for c := range t.forecast(p.Job).Charges(p.Window(0, p.C+1)) {
		if c.Repeat != first {
			t.Errorf("repeat %d on %v, want %d", c.Repeat, c.Date, first)
			return
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
			t.Errorf("repeat %d of at most %d on %v", c.Repeat, most, c.Date)
			return
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
	l := t.live(p.Job, p.Day(p.B), declinedBy(p.A+1))
	first := p.StartRepeat()
	if got, n := l.end.State.Repeat, len(l.charges()); got != first+uint64(n) {
		t.Errorf("after %d attempts from repeat %d the number is %d", n, first, got)
	}
}

func outcomesChangeNothing(t *T, p gen.PlanCase) {
	until := p.Day(p.B)
	approved, mixed := t.live(p.Job, until, engine.Script{}), t.live(p.Job, until, declinedBy(p.A+1))
	t.Equal("with declined attempts", mixed.charges(), approved.charges())
	t.Equal("the end with declined attempts", plainEnd(mixed.end.State), plainEnd(approved.end.State))
}
