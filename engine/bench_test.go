package engine_test

import (
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// BenchmarkCharges streams ten years of a daily profile.
func BenchmarkCharges(b *testing.B) {
	plan := compile(b, daily(), engine.State{}, "2026-01-10", engine.Policy{})
	w := calendar.Through(day("2026-01-10"), day("2036-01-09"))
	n := plan.Count(w)
	for b.Loop() {
		for c := range plan.Charges(w) {
			_ = c
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/charge")
}

// BenchmarkCompile prepares a plan and asks for its total.
func BenchmarkCompile(b *testing.B) {
	p := daily()
	p.Unit, p.MaxRepeats = calendar.UnitMonth, engine.AtMost(12)
	w := calendar.Through(day("2026-01-10"), day("2026-12-31"))
	for b.Loop() {
		plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: p}, day("2026-01-10"))
		if err != nil {
			b.Fatal(err)
		}
		plan.Total(w)
	}
}

// BenchmarkSimulate is a profile-year with a decline, a missed run, a stop, an update
// and a resume.
func BenchmarkSimulate(b *testing.B) {
	p := daily()
	p.Unit = calendar.UnitMonth
	on := func(date string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(date), Kind: do}}
	}
	update := on("2026-06-15", engine.EventUpdate)
	update.Update.Start = engine.To(day("2026-07-20"))
	s := engine.Simulation{
		Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10"), Until: day("2027-01-09"),
		Steps: []engine.Step{
			on("2026-03-10", engine.EventNoRun), on("2026-03-12", engine.EventRun), on("2026-05-12", engine.EventStop),
			update, on("2026-07-01", engine.EventResume),
		},
		Outcomes: map[uint64]engine.Outcome{1: engine.OutcomeDeclined},
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.New(engine.Policy{}).Simulate(s, func(engine.Effect) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSensitivities compares readings for one profile of a book, beside the total of its
// forecast.
func BenchmarkSensitivities(b *testing.B) {
	plain, ends, all := daily(), daily(), daily()
	plain.Unit, plain.Start = calendar.UnitMonth, day("2026-01-15")
	ends.Unit, ends.Start, ends.Finish = calendar.UnitMonth, day("2026-01-31"), day("2030-12-31")
	all.Unit, all.Start, all.Finish, all.MaxRepeats = calendar.UnitMonth, day("2025-12-31"), day("2030-12-31"), engine.AtMost(12)
	asOf, until := day("2026-01-10"), day("2036-01-09")
	w := calendar.Through(asOf, until)
	for _, r := range []struct {
		name    string
		profile engine.Profile
	}{{"nothing open", plain}, {"month end and finish", ends}, {"five keys", all}} {
		s := engine.Stored{Profile: r.profile}
		b.Run(r.name+"/total", func(b *testing.B) {
			var plan engine.Plan
			for b.Loop() {
				if err := engine.New(engine.Policy{}).Recompile(&plan, s, asOf); err != nil {
					b.Fatal(err)
				}
				plan.Total(w)
			}
		})
		b.Run(r.name+"/sensitivities", func(b *testing.B) {
			b.ReportAllocs()
			var list []engine.Sensitivity
			for b.Loop() {
				var err error
				if list, _, err = engine.New(engine.Policy{}).Sensitivities(list[:0], s, asOf, calendar.Through(asOf, until)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBook adds profiles of all units, and then asks for five years of days.
func BenchmarkBook(b *testing.B) {
	list := make([]engine.Stored, 10_000)
	for i := range list {
		p := daily()
		p.Start = day("2026-01-01").AddDays(i * 7 % 31)
		p.Unit = [...]calendar.Unit{calendar.UnitMonth, calendar.UnitMonth, calendar.UnitWeek, calendar.UnitDay}[i%4]
		p.Amounts = amount.Fixed(amount.MustParse("10.00"))
		p.Currency = [...]string{"EUR", "USD", "GBP", "CHF", "JPY"}[i%5]
		list[i].Profile = p
	}
	scope := engine.Scope{AsOf: day("2026-01-01"), Window: calendar.Through(day("2026-01-01"), day("2030-12-31"))}
	p, err := engine.New(engine.Policy{}).NewBook(scope)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Add", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := p.Add(list[i%len(list)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Totals", func(b *testing.B) {
		for _, s := range list {
			if err := p.Add(s); err != nil {
				b.Fatal(err)
			}
		}
		n := 0
		for b.Loop() {
			for range p.Totals(engine.ByDay) {
				n++
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/total")
	})
}
