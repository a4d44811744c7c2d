package reconcile_test

import (
	"cmp"
	"encoding/binary"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
)

var keyCases = flag.Int("keys", 2, "profiles of TestPolicyKeys, each under all policies")

// policies yields every policy whose values of some keys are free, those of the others being the
// defaults.
func policies(keys []ledger.Clause, yield func(engine.Policy)) {
	var walk func(p engine.Policy, rest []ledger.Clause)
	walk = func(p engine.Policy, rest []ledger.Clause) {
		if len(rest) == 0 {
			yield(p)
			return
		}
		for i := range rest[0].Entry().Values() {
			walk(p.WithReading(rest[0], i), rest[1:])
		}
	}
	walk(engine.Policy{}, keys)
}

// resultUnder returns the charges and the end of a simulation under a policy, or that it is
// refused.
func resultUnder(s engine.Simulation, p engine.Policy) string {
	var b []byte
	e := engine.New(p)
	after, err := e.Simulate(s, func(f engine.Effect) bool {
		if f.Kind == engine.EffectCharge {
			c := f.Charge
			b = c.Date.Append(c.Slot.Append(binary.AppendUvarint(b, c.Repeat)))
			b = c.Max.Append(append(c.Min.Append(append(b, ' ')), '-'))
			b = append(strconv.AppendBool(b, c.Manual), byte(c.Outcome))
		}
		return true
	})
	if err != nil {
		return "refused"
	}
	end, err := e.End(after, s.Until)
	b = append(binary.AppendUvarint(b, end.Repeat), byte(end.Status), byte(end.Stop.Reasons))
	return string(end.Stop.Date.Append(b)) + fmt.Sprint(err)
}

// TestPolicyKeys: a key that is left out changes no charge and no end, whatever the others are:
// against all 61,440 policies.
func TestPolicyKeys(t *testing.T) {
	all := slices.Collect(engine.Keys())
	sizes := map[int]int{}
	for i := range *keyCases {
		l := gen.Logs(gen.ChooserOf(gen.NewSource("rests", 1, uint64(i)).Uint64()))
		s := engine.Simulation{Stored: engine.Stored{Profile: l.Profile, State: l.State}, AsOf: l.AsOf, Until: l.Until(), Steps: l.Steps, Outcomes: l.Script().Outcomes, Undrawn: true}
		if !s.Until.IsDay() || s.Until.Before(s.AsOf) {
			continue
		}
		keys := reconcile.PolicyKeys(&s)
		results := map[engine.Policy]string{}
		policies(keys, func(p engine.Policy) { results[p] = resultUnder(s, p) })
		sizes[len(results)]++
		failed := false
		policies(all, func(p engine.Policy) {
			kept := engine.Policy{}
			for _, c := range keys {
				kept = kept.WithReading(c, slices.Index(c.Entry().Values(), p.Reading(c).Value))
			}
			if got, want := resultUnder(s, p), results[kept]; got != want && !failed {
				failed = true
				t.Errorf("case %d depends on more than %v: under %v\n%s\nwithout the others\n%s\n%v", i, names(keys), p, got, want, l)
			}
		})
	}
	t.Log("products of values and how many profiles have them:", sizes)
}

func names(keys []ledger.Clause) (list []string) {
	for _, c := range keys {
		list = append(list, c.Key())
	}
	return list
}

var daily = engine.Profile{
	Kind: engine.KindSource, Start: day("2026-01-10"), Unit: calendar.UnitDay, Interval: 1, Currency: "EUR", Amounts: amount.Fixed(amount.MustParse("10.00")),
}

// TestPolicyKeysFew: usual profiles depend on few keys.
func TestPolicyKeysFew(t *testing.T) {
	p := gen.PlainProfile()
	p.Start = calendar.MustParse("2026-01-15")
	for _, test := range []struct {
		name   string
		change func(*engine.Simulation)
		keys   []ledger.Clause
	}{
		{"plain", func(*engine.Simulation) {}, nil},
		{"day 31 of the past", func(s *engine.Simulation) {
			s.Stored.Profile.Start = calendar.MustParse("2026-01-05")
			s.AsOf = calendar.MustParse("2026-01-31")
		},
			[]ledger.Clause{clause.L01, clause.L03}},
		{"cap", func(s *engine.Simulation) { s.Stored.Profile.MaxRepeats = engine.AtMost(3) }, []ledger.Clause{clause.L08}},
		{"far end", func(s *engine.Simulation) { s.Stored.Profile.Finish = calendar.MustParse("2030-12-31") }, nil},
		{"resume without a stop", func(s *engine.Simulation) {
			s.Steps = []engine.Step{{Event: engine.Event{Date: calendar.MustParse("2026-03-01"), Kind: engine.EventResume}}}
		}, nil},
	} {
		s := engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: p.Start, Until: calendar.MustParse("2026-12-31"), Undrawn: true}
		test.change(&s)
		if got := reconcile.PolicyKeys(&s); !slices.Equal(got, test.keys) {
			t.Errorf("%s: %v, want %v", test.name, names(got), names(test.keys))
		}
	}
}

// TestPolicyKeysEach: what each part of a profile, a state and a script makes the charges depend
// on.
func TestPolicyKeysEach(t *testing.T) {
	type clauses = []ledger.Clause
	profile := func(change func(*engine.Profile)) engine.Profile {
		p := daily
		change(&p)
		return p
	}
	monthly := func(start string, interval int) engine.Profile {
		return profile(func(p *engine.Profile) { p.Start, p.Unit, p.Interval = day(start), calendar.UnitMonth, interval })
	}
	atMost := func(n uint64) engine.Profile {
		return profile(func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(n) })
	}
	until := func(finish string) engine.Profile { return profile(func(p *engine.Profile) { p.Finish = day(finish) }) }
	on := func(date string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(date), Kind: do}}
	}
	update := func(u engine.Update) engine.Step {
		return engine.Step{Event: engine.Event{Date: day("2026-01-11"), Kind: engine.EventUpdate, Update: u}}
	}
	charge, noRun, stop := on("2026-01-11", engine.EventCharge), on("2026-01-11", engine.EventNoRun), on("2026-01-12", engine.EventStop)
	resume := engine.Step{Event: engine.Event{Date: day("2026-01-13"), Kind: engine.EventResume}}
	resumeAPI := engine.Step{Event: engine.Event{Date: day("2026-01-13"), Kind: engine.EventResumeByAPI}}
	unscheduled := profile(func(p *engine.Profile) { p.Unit, p.Interval = 0, 0 })
	noStart := profile(func(p *engine.Profile) { p.Start = calendar.Date{} })
	resumed := clauses{clause.L14, clause.L15, clause.L16}
	for _, r := range []struct {
		reason      string
		profile     engine.Profile
		state       engine.State
		asOf, until string // 2026-01-10 and 2026-03-31 if empty
		script      []engine.Step
		want        clauses
	}{
		{reason: "nothing", profile: daily},
		{reason: "created after the start-date", profile: daily, asOf: "2026-01-11", want: clauses{clause.L03}},
		{reason: "the same with a state", profile: daily, state: engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-10")}, asOf: "2026-01-11"},
		{reason: "a run left out before as-of", profile: daily, state: engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-10")}, asOf: "2026-01-12", want: clauses{clause.L16b}},
		{reason: "a charge by hand", profile: daily, script: []engine.Step{charge}, want: clauses{clause.L20, clause.L22}},
		{reason: "a charge by hand and a stop", profile: daily, script: []engine.Step{charge, stop}, want: clauses{clause.L20, clause.L21, clause.L22}},
		{reason: "a charge by hand without a schedule", profile: unscheduled, script: []engine.Step{charge}, want: clauses{clause.L20}},
		{reason: "no run", profile: daily, script: []engine.Step{noRun}, want: clauses{clause.L16b}},
		{reason: "no run without a schedule", profile: unscheduled, script: []engine.Step{noRun}},
		{reason: "a resume", profile: daily, script: []engine.Step{resume}},
		{reason: "a stop and a resume", profile: daily, script: []engine.Step{stop, resume}, want: resumed},
		{reason: "a stop and a resume through the API", profile: daily, script: []engine.Step{stop, resumeAPI}},
		{reason: "a stop and a resume without a schedule", profile: unscheduled, script: []engine.Step{stop, resume}, want: clauses{clause.L14}},
		{reason: "a stop after the end", profile: daily, script: []engine.Step{on("2026-04-01", engine.EventStop), resume}},
		{reason: "a stop on the last day", profile: daily, script: []engine.Step{resume, on("2026-03-31", engine.EventStop)}, want: resumed},
		{reason: "a stopped profile and a resume", profile: daily, state: engine.State{Status: engine.StatusStopped}, script: []engine.Step{resume}, want: resumed},
		{reason: "no limit", profile: atMost(0), want: clauses{clause.L09}},
		{reason: "a limit", profile: atMost(82), want: clauses{clause.L08}},
		{reason: "a limit and a charge by hand", profile: atMost(83), script: []engine.Step{charge}, want: clauses{clause.L08, clause.L20, clause.L21, clause.L22}},
		{reason: "a limit and a resume", profile: atMost(5), script: []engine.Step{resume}, want: clauses{clause.L08, clause.L14, clause.L15, clause.L16}},
		{reason: "a limit that is set", profile: daily, script: []engine.Step{update(engine.Update{MaxRepeats: engine.Change[engine.Limit]{Given: true, Value: engine.AtMost(5)}})}, want: clauses{clause.L08}},
		{reason: "a finish-date", profile: until("2026-03-31"), want: clauses{clause.L05}},
		{reason: "a finish-date on as-of", profile: until("2026-01-10"), want: clauses{clause.L05}},
		{reason: "a finish-date after the end", profile: until("2026-04-01"), script: []engine.Step{resume}},
		{reason: "a finish-date before as-of, and a resume", profile: until("2026-01-09"), script: []engine.Step{resume}, want: resumed},
		{reason: "a finish-date that is set", profile: daily, script: []engine.Step{update(engine.Update{Finish: engine.Change[calendar.Date]{Given: true, Value: day("2026-02-01")}})}, want: clauses{clause.L05}},
		{reason: "no start-date", profile: noStart, want: clauses{clause.L02}},
		{reason: "no start-date, known anchor", profile: noStart, state: engine.State{Status: engine.StatusActive, Anchor: day("2026-01-10")}},
		{reason: "no start-date, known anchor, an interval that is set", profile: noStart, state: engine.State{Status: engine.StatusActive, Anchor: day("2026-01-10")},
			script: []engine.Step{update(engine.Update{Interval: engine.Change[int]{Given: true, Value: 2}})}, want: clauses{clause.L02}},
		{reason: "a start-date that is removed", profile: daily, script: []engine.Step{update(engine.Update{Start: engine.Change[calendar.Date]{Given: true, Removed: true}})}, want: clauses{clause.L02}},
		{reason: "day 31", profile: monthly("2026-01-31", 1), want: clauses{clause.L01}},
		{reason: "day 29", profile: monthly("2026-01-29", 1), want: clauses{clause.L01}},
		{reason: "day 28", profile: monthly("2026-01-28", 1)},
		{reason: "a month that is set, from the 31st", profile: profile(func(p *engine.Profile) { p.Start = day("2026-01-31") }),
			script: []engine.Step{update(engine.Update{Unit: engine.Change[calendar.Unit]{Given: true, Value: calendar.UnitMonth}})}, want: clauses{clause.L01}},
		{reason: "a month that is set without an interval, from 29 February", profile: profile(func(p *engine.Profile) { p.Start, p.Unit, p.Interval = day("2028-02-29"), 0, 0 }), asOf: "2028-02-29", until: "2028-12-31",
			script: []engine.Step{update(engine.Update{Unit: engine.Change[calendar.Unit]{Given: true, Value: calendar.UnitMonth}})}, want: clauses{clause.L01}},
		{reason: "the 31st that is set", profile: monthly("2026-01-10", 1),
			script: []engine.Step{update(engine.Update{Start: engine.Change[calendar.Date]{Given: true, Value: day("2026-01-31")}})}, want: clauses{clause.L01}},
	} {
		s := engine.Simulation{Stored: engine.Stored{Profile: r.profile, State: r.state}, AsOf: day(cmp.Or(r.asOf, "2026-01-10")), Until: day(cmp.Or(r.until, "2026-03-31")),
			Steps: r.script}
		if got := reconcile.PolicyKeys(&s); !slices.Equal(got, r.want) {
			t.Errorf("%s: %v, want %v", r.reason, names(got), names(r.want))
		}
	}
}
