package engine_test

import (
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestWhatComesAfterAnEventDependsOnIt: what a charge, a stop and an end cite includes how the events
// before them took effect, for every kind of update and after a stop and a resume. A charge does not
// cite how a finish-date or max-repeats-number is judged, nor a stop or an end how amounts are replaced.
func TestWhatComesAfterAnEventDependsOnIt(t *testing.T) {
	update := func(u engine.Update) engine.Event {
		return engine.Event{Date: day("2026-03-01"), Kind: engine.EventUpdate, Update: u}
	}
	manual := engine.Event{Date: day("2026-03-02"), Kind: engine.EventCharge}
	stop := engine.Event{Date: day("2026-02-20"), Kind: engine.EventStop}
	resume := engine.Event{Date: day("2026-03-01"), Kind: engine.EventResume}
	of := func(cs ...ledger.Clause) ledger.Because { return ledger.On(cs...) }
	for _, r := range []struct {
		reason                        string
		events                        []engine.Event
		charges, limit, finish, never ledger.Because // of what comes later; never: of charges
	}{
		{"start-date", []engine.Event{update(engine.Update{Start: engine.To(day("2026-03-05"))})}, of(clause.L18), of(clause.L18), of(), of()},
		{"period", []engine.Event{update(engine.Update{Unit: engine.To(calendar.UnitWeek)})}, of(clause.L18), of(clause.L18), of(), of()},
		{"interval", []engine.Event{update(engine.Update{Interval: engine.To(2)})}, of(clause.L18), of(clause.L18), of(), of()},
		{"no start-date", []engine.Event{update(engine.Update{Start: engine.Remove[calendar.Date]()})}, of(clause.L18, clause.L02), of(clause.L18, clause.L02), of(), of()},
		{"amount", []engine.Event{update(engine.Update{Amount: engine.To(amount.MustParse("12.00"))})}, of(clause.L26), of(), of(), of()},
		{"amount to a sequence", []engine.Event{update(engine.Update{Amount: engine.Remove[amount.Amount](), Sequence: engine.To([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.00")})})}, of(clause.L26), of(), of(), of()},
		{"finish-date", []engine.Event{update(engine.Update{Finish: engine.To(day("2026-12-01"))})}, of(), of(clause.L19), of(clause.L19), of(clause.L19)},
		{"max-repeats-number", []engine.Event{update(engine.Update{MaxRepeats: engine.To(engine.AtMost(6))})}, of(), of(clause.L10, clause.L19), of(clause.L19), of(clause.L10, clause.L19)},
		{"several columns", []engine.Event{update(engine.Update{Interval: engine.To(2), Amount: engine.To(amount.MustParse("12.00")), MaxRepeats: engine.To(engine.AtMost(6))})}, of(clause.L18, clause.L26), of(clause.L10, clause.L18, clause.L19), of(clause.L19), of(clause.L10, clause.L19)},
		{"a stop and a resume", []engine.Event{stop, resume}, of(clause.L14, clause.L15, clause.L16), of(clause.L14, clause.L15, clause.L16, clause.L17), of(clause.L17), of(clause.L17)},
		{"an update while it is stopped", []engine.Event{stop, update(engine.Update{Interval: engine.To(2)}), resume}, of(clause.L14, clause.L15, clause.L16, clause.L18), of(clause.L14, clause.L17, clause.L18), of(clause.L17), of(clause.L17)},
	} {
		for _, byFinish := range []bool{false, true} {
			p := daily()
			p.Start, p.Unit = day("2026-01-10"), calendar.UnitMonth
			p.MaxRepeats = engine.AtMost(5)
			if byFinish {
				p.MaxRepeats, p.Finish = engine.Limit{}, day("2026-11-20")
			}
			after, stops := 0, 0
			var steps []engine.Step
			for _, e := range append(r.events, manual) {
				steps = append(steps, engine.Step{Event: e})
			}
			sim := engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10"), Until: day("2027-12-31"), Steps: steps}
			e := engine.New(engine.Policy{})
			began, late := engine.End{}, sim
			late.Until = day("2026-03-03")
			saved, err := e.Simulate(late, func(engine.Effect) bool { return true })
			if err == nil {
				began, err = e.End(saved, late.Until)
			}
			if err != nil {
				t.Fatal(err)
			}
			s, err := e.Simulate(sim, func(f engine.Effect) bool {
				switch {
				case f.Kind == engine.EffectCharge && f.Date.Before(r.events[0].Date):
					if news := r.charges.Without(f.Because); news != r.charges {
						t.Errorf("%s: the charge of %v before it cites %v", r.reason, f.Date, f.Because)
					}
				case f.Kind == engine.EffectCharge:
					after++
					if lacks, more := r.charges.Without(f.Because), r.never.Without(f.Because); !lacks.IsZero() || more != r.never {
						t.Errorf("%s: the charge of %v cites %v, want %v and not %v", r.reason, f.Date, f.Because, r.charges, r.never)
					}
				case f.Kind == engine.EffectStop && f.Stop.Reasons != engine.ReasonAPI:
					stops++
					want := r.limit
					if f.Stop.Reasons == engine.ReasonFinishDate {
						want = r.finish
					}
					if lacks := want.Without(f.Because); !lacks.IsZero() || f.Because.Has(clause.L26) {
						t.Errorf("%s: the stop by %v cites %v, want %v", r.reason, f.Stop.Reasons, f.Because, want)
					}
				}
				return true
			})
			if err != nil || after < 2 || stops == 0 {
				t.Fatalf("%s: %v, %d charges after it, %d stops", r.reason, err, after, stops)
			}
			ended, err := e.End(s, sim.Until)
			if err != nil {
				t.Fatal(err)
			}
			for _, end := range []engine.End{began, ended} {
				if lacks := r.limit.Without(end.Because); !lacks.IsZero() || end.Because.Has(clause.L26) {
					t.Errorf("%s: an end cites %v, want %v", r.reason, end.Because, r.limit)
				}
			}
			// A forecast that continues from the saved state says the same.
			plan := compile(t, saved.Profile, saved.State, "2026-03-04", engine.Policy{})
			for c := range plan.Next(2) {
				if lacks := r.charges.Without(c.Because); !lacks.IsZero() {
					t.Errorf("%s: a charge after the saved state cites %v, want %v", r.reason, c.Because, r.charges)
				}
			}
		}
	}
}
