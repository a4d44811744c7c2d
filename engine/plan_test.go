package engine_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/ledger"
)

func compile(t testing.TB, p engine.Profile, s engine.State, asOf string, pol engine.Policy) *engine.Plan {
	t.Helper()
	plan, err := engine.New(pol).Compile(engine.Stored{Profile: p, State: s}, day(asOf))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestCompileRefuses: every fault is found, whatever else the profile holds.
func TestCompileRefuses(t *testing.T) {
	with := func(change func(*engine.Profile)) engine.Profile {
		p := daily()
		change(&p)
		return p
	}
	asOf := day("2026-01-10")
	for _, r := range []struct {
		reason  string
		profile engine.Profile
		state   engine.State
		policy  engine.Policy
		want    ledger.Code
	}{
		{"R006", with(func(p *engine.Profile) { p.Kind = 0 }), engine.State{}, engine.Policy{}, ledger.Code("card-type")},
		{"2.2.3", with(func(p *engine.Profile) { p.Interval = 0 }), engine.State{}, engine.Policy{}, ledger.Code("schedule-pair")},
		{"2.2.3 mirrored", with(func(p *engine.Profile) { p.Unit = 0 }), engine.State{}, engine.Policy{}, ledger.Code("schedule-pair")},
		{"L56b", with(func(p *engine.Profile) { p.Interval = -1 }), engine.State{}, engine.Policy{}, ledger.Code("interval-value")},
		{"R040", with(func(p *engine.Profile) { p.Unit = 9 }), engine.State{}, engine.Policy{}, ledger.Code("interval-value")},
		{"R011", with(func(p *engine.Profile) { p.Kind = engine.KindDestination }), engine.State{}, engine.Policy{}, ledger.Code("schedule-on-dst")},
		{"2.2.5", with(func(p *engine.Profile) { p.Amounts = amount.Choice{} }), engine.State{}, engine.Policy{}, ledger.Code("amount-missing")},
		{"L02", with(func(p *engine.Profile) { p.Start = calendar.Date{} }), engine.State{}, engine.Policy{StartAbsent: engine.StartAbsentReject}, ledger.Code("start-absent")},
		{"L03", with(func(p *engine.Profile) { p.Start = day("2026-01-09") }), engine.State{}, engine.Policy{StartPast: engine.StartPastReject}, ledger.Code("start-past")},
		{"L09", with(func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(0) }), engine.State{}, engine.Policy{MaxZero: engine.MaxZeroReject}, ledger.Code("max-zero")},
		{"a policy out of range", daily(), engine.State{}, engine.Policy{StartPast: 5}, engine.ErrPolicy},
		{"h242", daily(), engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-11")}, engine.Policy{}, engine.ErrEventOrder},
		{"h243", daily(), engine.State{Status: engine.StatusActive, Paid: []calendar.Date{day("2026-01-11")}}, engine.Policy{}, engine.ErrStateConflict},
		{"state of a profile that is not created", daily(), engine.State{Repeat: 1}, engine.Policy{}, engine.ErrStateConflict},
		{"active with a stop", daily(), engine.State{Status: engine.StatusActive, Stop: engine.Stop{Date: asOf}}, engine.Policy{}, engine.ErrStateConflict},
	} {
		_, err := engine.New(r.policy).Compile(engine.Stored{Profile: r.profile, State: r.state}, asOf)
		if !errors.Is(err, r.want) {
			t.Errorf("%s: %v, want %v", r.reason, err, r.want)
		}
	}
	if _, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: daily()}, calendar.Date{}); !errors.Is(err, ledger.Code("as-of")) {
		t.Errorf("no as-of: %v", err)
	}
}

// TestFarWindow: a window at the end of the calendar is answered as one near (T17), and
// its last day is in it (C24).
func TestFarWindow(t *testing.T) {
	p := daily()
	p.Start = day("0001-01-01")
	plan := compile(t, p, engine.State{}, "0001-01-01", engine.Policy{})
	w := calendar.Through(day("9999-12-30"), day("9999-12-31"))
	got := slices.Collect(plan.Charges(w))
	if len(got) != 2 || got[1].Date != calendar.MaxDate() || got[1].Repeat != 3_652_058 {
		t.Errorf("%+v", got)
	}
	if n := plan.Count(calendar.Window{}); n != 3_652_059 {
		t.Errorf("%d charges in all (C26)", n)
	}
	if e := plan.End(calendar.MaxDate()); !e.LastDay || e.Status != engine.StatusActive || !e.Because.Has(clause.L32) {
		t.Errorf("the end of the calendar: %+v (L32)", e)
	}
}

// TestHugeNumbers: nothing wraps at the limits of the types (C27).
func TestHugeNumbers(t *testing.T) {
	p := daily()
	p.Interval = math.MaxInt
	plan := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{})
	if n := plan.Count(calendar.Window{}); n != 1 {
		t.Errorf("%d charges with a huge interval (h055)", n)
	}
	p = daily()
	p.MaxRepeats = engine.AtMost(math.MaxInt64)
	plan = compile(t, p, engine.State{Status: engine.StatusActive, Repeat: math.MaxInt64 - 2}, "2026-01-10", engine.Policy{})
	if n, stop := plan.Count(calendar.Window{}), plan.Stop(); n != 2 || stop.Date != day("2026-01-11") {
		t.Errorf("%d charges up to the largest cap, stopped on %v", n, stop.Date)
	}
}

// TestRepeatNumbersEnd: the highest repeat number is one that a state can be stored with and
// continued from; nothing is charged beyond it (E10).
func TestRepeatNumbersEnd(t *testing.T) {
	s := engine.Stored{Profile: daily(), State: engine.State{Status: engine.StatusActive, Repeat: math.MaxInt64 - 2}}
	plan := compile(t, s.Profile, s.State, "2026-01-10", engine.Policy{})
	if n := plan.Count(calendar.Window{}); n != 2 || !plan.Stop().IsZero() {
		t.Errorf("%d charges, stopped %+v", n, plan.Stop())
	}
	for _, on := range []string{"2026-01-11", "2026-01-19"} {
		s.State = plan.State(day(on))
		if s.State.Repeat != math.MaxInt64 || s.State.Status != engine.StatusActive || plan.End(day(on)).Repeat != math.MaxInt64 {
			t.Errorf("%s: %+v", on, s.State)
		}
		line, err := engine.AppendStateLine(nil, "a", s.State)
		if err != nil {
			t.Fatal(err)
		}
		if _, back, err := engine.ParseStateLine(line); err != nil || back.Repeat != s.State.Repeat {
			t.Errorf("%s: %v", line, err)
		}
		if n := compile(t, s.Profile, s.State, "2026-01-20", engine.Policy{}).Count(calendar.Window{}); n != 0 {
			t.Errorf("%d charges beyond the last repeat number", n)
		}
	}
	charge := engine.Event{Date: day("2026-01-20"), Kind: engine.EventCharge}
	if _, after, err := engine.Apply(engine.New(engine.Policy{}), s, charge); !errors.Is(err, ledger.Code("state-repeat")) || difference(after, s) != "" {
		t.Errorf("a manual charge at the last repeat number: %v", err)
	}
	if _, _, err := engine.Apply(engine.New(engine.Policy{ManualCounts: engine.ManualCountsNo}), s.Under(engine.Policy{ManualCounts: engine.ManualCountsNo}), charge); err != nil {
		t.Errorf("a manual charge that does not count: %v", err)
	}
}

// TestAllocations: a date or a charge costs none, whatever the window.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	p := daily()
	p.Finish = day("2031-01-10")
	sequence, err := amount.Sequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("9.99")})
	if err != nil {
		t.Fatal(err)
	}
	p.Amounts = sequence
	plan := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{})
	near, far := calendar.Through(day("2026-01-10"), day("2026-01-20")), calendar.Through(day("2026-01-10"), day("2030-12-31"))
	walk := func(w calendar.Window) func() {
		return func() {
			for c := range plan.Charges(w) {
				_ = c
			}
		}
	}
	if a, b := testing.AllocsPerRun(50, walk(near)), testing.AllocsPerRun(50, walk(far)); a != b || a > 4 {
		t.Errorf("a walk costs %v allocations near, %v for 1,800 charges", a, b)
	}
	reused := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{})
	for name, f := range map[string]func(){
		"Reset": func() {
			if err := engine.New(engine.Policy{}).Recompile(reused, engine.Stored{Profile: p}, day("2026-01-10")); err != nil {
				t.Fatal(err)
			}
		},
		"Count": func() { plan.Count(far) },
		"Total": func() { plan.Total(far) },
		"Stop":  func() { plan.Stop() },
		"End":   func() { plan.End(far.Last()) },
	} {
		if n := testing.AllocsPerRun(50, f); n != 0 {
			t.Errorf("%s costs %v allocations", name, n)
		}
	}
	s := engine.Stored{Profile: p, State: plan.State(day("2026-02-01"))}
	if n := testing.AllocsPerRun(50, func() { _, _, _ = engine.New(engine.Policy{}).Advance(s, day("2026-02-02")) }); n > 3 {
		t.Errorf("a run costs %v allocations", n) // two lists of the state and the effects
	}
}

// TestCitations: what a record rests on is what its reader has to know.
func TestCitations(t *testing.T) {
	monthly := daily()
	monthly.Unit, monthly.Start, monthly.Finish = calendar.UnitMonth, day("2026-01-31"), day("2026-03-31")
	charges := slices.Collect(compile(t, monthly, engine.State{}, "2026-01-31", engine.Policy{}).Charges(calendar.Window{}))
	capped := daily()
	capped.MaxRepeats = engine.AtMost(2)
	extra := slices.Collect(compile(t, capped, engine.State{}, "2026-01-10", engine.Policy{MaxCounts: engine.MaxCountsRepeatsAfterFirst}).Charges(calendar.Window{}))
	zero := daily()
	zero.MaxRepeats = engine.AtMost(0)
	for _, r := range []struct {
		reason string
		got    ledger.Because
		want   []ledger.Clause
		not    []ledger.Clause
	}{
		{"first charge", charges[0].Because, []ledger.Clause{clause.Doc221, clause.Doc224, clause.Doc225, clause.Doc227, clause.L01}, []ledger.Clause{clause.L05}},
		{"clamped charge", charges[1].Because, []ledger.Clause{clause.L01}, []ledger.Clause{clause.Doc224}},
		{"charge on finish-date", charges[2].Because, []ledger.Clause{clause.L05, clause.X8}, nil},
		{"charge that max-counts allows", extra[2].Because, []ledger.Clause{clause.L08}, nil},
		{"stop at max 0", compile(t, zero, engine.State{}, "2026-01-10", engine.Policy{}).Stop().Because, []ledger.Clause{clause.Doc228, clause.L09}, []ledger.Clause{clause.L08}},
		{"daily charge", extra[1].Because, []ledger.Clause{clause.Doc221}, []ledger.Clause{clause.L01, clause.L03, clause.L08, clause.Doc222}},
	} {
		for _, c := range r.want {
			if !r.got.Has(c) {
				t.Errorf("%s does not cite %v", r.reason, c)
			}
		}
		for _, c := range r.not {
			if r.got.Has(c) {
				t.Errorf("%s cites %v", r.reason, c)
			}
		}
	}
	if basis := extra[1].Because.Basis(); basis != ledger.Stated {
		t.Errorf("a plain daily charge is %v", basis)
	}
}

// TestRestart: a forecast cut at any day and continued from the saved state is the
// forecast (T19).
func TestRestart(t *testing.T) {
	p := daily()
	p.Unit, p.Start, p.Interval = calendar.UnitWeek, day("2025-11-30"), 2
	p.MaxRepeats, p.Finish = engine.AtMost(9), day("2026-06-01")
	until := day("2026-06-30")
	for c := range engine.Keys() {
		for i, r := range c.Entry().Readings {
			pol := engine.Policy{}.WithReading(c, i)
			whole, err := engine.New(pol).Compile(engine.Stored{Profile: p}, day("2026-01-10"))
			if err != nil {
				continue // start-past=reject
			}
			want := slices.Collect(whole.Charges(calendar.Through(day("2026-01-10"), until)))
			for cut := day("2026-01-10"); cut.Before(until); cut = cut.AddDays(1) {
				got := slices.Collect(whole.Charges(calendar.Through(day("2026-01-10"), cut)))
				line, err := engine.AppendStateLine(nil, p.ID, whole.State(cut))
				if err != nil {
					t.Fatal(err)
				}
				_, state, err := engine.ParseStateLine(line)
				if err != nil {
					t.Fatal(err)
				}
				rest := compile(t, p, state, cut.AddDays(1).String(), pol)
				got = append(got, slices.Collect(rest.Charges(calendar.Through(cut, until)))...)
				if !slices.Equal(got, want) || rest.End(until) != whole.End(until) {
					t.Fatalf("%s, cut at %v: %v, want %v; end %+v, want %+v", r.Value, cut, got, want, rest.End(until), whole.End(until))
				}
			}
		}
	}
}

// TestTally: the first charges of a window or all of them, with those after the card's expiry.
func TestTally(t *testing.T) {
	p := daily()
	p.CardExpires = day("2026-01-11")
	plan := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{})
	p.CardExpires = calendar.Date{}
	forever := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{})
	january := calendar.Through(day("2026-01-10"), day("2026-01-19"))
	for _, r := range []struct {
		plan           *engine.Plan
		most           int
		total, expired uint64
	}{{plan, 0, 10, 8}, {plan, 1, 1, 0}, {plan, 2, 2, 0}, {plan, 3, 3, 1}, {plan, 11, 10, 8}, {forever, 0, 10, 0}, {forever, 3, 3, 0}} {
		got := r.plan.Tally(january, r.most)
		var singly amount.Tally
		for c := range r.plan.Charges(january) {
			if n := singly.Total.Charges; r.most > 0 && n == uint64(r.most) {
				break
			}
			c.AddTo(&singly)
		}
		if got.Total.Charges != r.total || got.CardExpired.Charges != r.expired || got.Declined.Charges != 0 || !got.Equal(singly) {
			t.Errorf("the first %d: %v, and one by one %v", r.most, got, singly)
		}
	}
	var declined amount.Tally
	(&engine.Charge{Outcome: engine.OutcomeDeclined, CardExpired: true}).AddTo(&declined)
	if declined.Declined.Charges != 1 || declined.Total.Charges != 0 || declined.CardExpired.Charges != 0 {
		t.Errorf("a declined attempt is counted as %v", declined)
	}
}

// TestLimitEqual: no limit is not a limit of 0.
func TestLimitEqual(t *testing.T) {
	limits := []engine.Limit{{}, engine.AtMost(0), engine.AtMost(1)}
	for i, a := range limits {
		for j, b := range limits {
			if a.Equal(b) != (i == j) {
				t.Errorf("%v and %v: %v", a, b, a.Equal(b))
			}
		}
	}
}
