package engine_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// An outline agrees with the plan of the same profile, under every policy.
func TestOutline_Plan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	asOf := day("2026-01-31")
	days := []calendar.Date{{}, calendar.MinDate(), calendar.MaxDate(), day("2023-12-31"), asOf, asOf.AddDays(-1), asOf.AddDays(1)}
	anyDay := func() calendar.Date {
		if r.IntN(3) > 0 {
			return days[r.IntN(len(days))]
		}
		return asOf.AddDays(r.IntN(2_000) - 700)
	}
	refused := 0
	for range 100_000 {
		p := engine.Profile{
			Kind: engine.Kind(r.IntN(3)), Unit: calendar.Unit(r.IntN(4)), Interval: r.IntN(4), Start: anyDay(), Finish: anyDay(),
			Amounts: amount.Fixed(amount.MustParse("1.00")),
		}
		if r.IntN(2) == 0 {
			p.MaxRepeats = engine.AtMost(uint64(r.IntN(40)))
		}
		var policy engine.Policy
		if r.IntN(2) == 0 {
			policy = randomPolicy(r)
		}
		e := engine.New(policy)
		charged, stop, err := e.Outline(&p, asOf)
		plan, want := e.Compile(engine.Stored{Profile: p}, asOf)
		if want != nil {
			refused++
			if err == nil || err.Error() != want.Error() || !errors.Is(err, errors.Unwrap(want)) {
				t.Fatalf("%+v: error %v, want %v", p, err, want)
			}
			continue
		}
		if err != nil || charged != (plan.Count(calendar.Window{}) > 0) || stop != plan.Stop().Reasons {
			t.Fatalf("%+v, %v: charged %v, stop %v, %v; want %d, %v", p, policy, charged, stop, err, plan.Count(calendar.Window{}), plan.Stop())
		}
	}
	if refused > 99_000 {
		t.Errorf("%d profiles were refused: little was compared", refused)
	}
}

// BenchmarkOutline asks what a new monthly profile comes to.
func BenchmarkOutline(b *testing.B) {
	p := daily()
	p.Unit, p.MaxRepeats, p.Finish = calendar.UnitMonth, engine.AtMost(12), day("2030-12-31")
	asOf := day("2026-01-10")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := engine.New(engine.Policy{}).Outline(&p, asOf); err != nil {
			b.Fatal(err)
		}
	}
}
