package engine_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestEventsRefused: what is not an event for a living profile is an error that names the field, without effects.
func TestEventsRefused(t *testing.T) {
	s, on := stored(engine.StatusActive), day("2026-01-12")
	for _, r := range []struct {
		event engine.Event
		field string
		want  ledger.Code
	}{
		{engine.Event{Date: on}, "kind", ledger.Code("event-kind")},
		{engine.Event{Date: on, Kind: 8}, "kind", ledger.Code("event-kind")},
		{engine.Event{Date: on, Kind: engine.EventRun}, "kind", ledger.Code("event-kind")},
		{engine.Event{Date: on, Kind: engine.EventNoRun}, "kind", ledger.Code("event-kind")},
		{engine.Event{Date: on, Kind: engine.EventResumeByAPI}, "kind", ledger.Code("event-kind")},
		{engine.Event{Kind: engine.EventStop}, "date", engine.ErrEventOrder},
		{engine.Event{Date: day("2026-01-10"), Kind: engine.EventStop}, "date", engine.ErrEventOrder},
	} {
		after, effects, err := engine.New(engine.Policy{}).Handle(s, r.event)
		e, ok := errors.AsType[*engine.Error](err)
		if !ok || e.Field != r.field || e.Code != r.want || !errors.Is(err, r.want) || difference(s, after) != "" || effects != nil {
			t.Errorf("%+v: %v, %v", r.event, err, effects)
		}
	}
	for _, r := range []struct {
		profile engine.Profile
		policy  engine.Policy
		want    ledger.Code
	}{
		{daily(), engine.Policy{MaxZero: 9}, engine.ErrPolicy},
		{engine.Profile{Kind: engine.KindSource}, engine.Policy{}, ledger.Code("amount-missing")},
		{daily(), engine.Policy{StartPast: engine.StartPastReject}, ledger.Code("start-past")},
	} {
		after, err := engine.New(r.policy).Create(r.profile, on)
		if !errors.Is(err, r.want) || !after.State.IsZero() || after.Profile != r.profile {
			t.Errorf("created: %v, want %v", err, r.want)
		}
	}
	if err := new(engine.Error).Unwrap(); err != nil {
		t.Errorf("a refusal by the status unwraps to %v", err)
	}
}

// TestExpiredCard: charges after the card's last day are marked, and nothing else changes (L31).
func TestExpiredCard(t *testing.T) {
	p := daily()
	plain := slices.Collect(compile(t, p, engine.State{}, "2026-01-10", engine.Policy{}).Next(4))
	p.CardExpires = day("2026-01-11")
	for i, c := range slices.Collect(compile(t, p, engine.State{}, "2026-01-10", engine.Policy{}).Next(4)) {
		if want := i >= 2; c.CardExpired != want || c.Because.Has(clause.L31) != want {
			t.Errorf("%v: expired is %v because of %v", c.Date, c.CardExpired, c.Because)
		}
		c.CardExpired, c.Because = false, plain[i].Because
		if c != plain[i] {
			t.Errorf("%+v, want %+v", c, plain[i])
		}
	}
}

// TestLastRunOfAHandWrittenState: what was due on the day of the last run counts as charged, unless
// a catch-up still has to charge it.
func TestLastRunOfAHandWrittenState(t *testing.T) {
	on := day("2026-01-12")
	for _, r := range []struct {
		reason string
		state  engine.State
		want   int
	}{
		{"charged", engine.State{Status: engine.StatusActive, RanThrough: on}, 0},
		{"still to be charged", engine.State{Status: engine.StatusActive, RanThrough: on, Missed: []calendar.Window{calendar.Through(day("2026-01-11"), on)}}, 2},
	} {
		effects, _, err := engine.Apply(engine.New(engine.Policy{}), engine.Stored{Profile: daily(), State: r.state}, engine.Event{Date: on, Kind: engine.EventRun})
		if err != nil || len(effects)-1 != r.want {
			t.Errorf("%s: %d charges, want %d, %v", r.reason, len(effects)-1, r.want, err)
		}
	}
}

// TestUnsortedPaid: paid days in any order and more than once are one set (h243).
func TestUnsortedPaid(t *testing.T) {
	s := engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-09"), Paid: []calendar.Date{day("2026-01-12"), day("2026-01-11"), day("2026-01-12")}}
	plan := compile(t, daily(), s, "2026-01-12", engine.Policy{RunMissed: engine.MissedCatchUp})
	var got []string
	for c := range plan.Next(2) {
		got = append(got, c.Slot.String())
	}
	if want := []string{"2026-01-10", "2026-01-13"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !slices.Equal(s.Paid, []calendar.Date{day("2026-01-12"), day("2026-01-11"), day("2026-01-12")}) {
		t.Error("the caller's list was sorted")
	}
	// A window between two early slots counts what lies before it.
	for d, want := range map[string]int{"2026-01-09": 0, "2026-01-12": 1, "2026-01-13": 2} {
		if got := plan.Count(calendar.Through(day("2026-01-01"), day(d))); got != want {
			t.Errorf("%d charges through %s, want %d", got, d, want)
		}
	}
}

// TestMissedToTheEnd: days missed up to the end of the calendar have an open end, to which nothing
// can be added.
func TestMissedToTheEnd(t *testing.T) {
	last := calendar.MaxDate()
	p := daily()
	p.Start = last.AddDays(-2)
	s := engine.Stored{Profile: p, State: engine.State{Status: engine.StatusActive, RanThrough: last.AddDays(-3)}}
	pol := engine.Policy{RunMissed: engine.MissedCatchUp, ResumeMissed: engine.MissedCatchUp}
	var err error
	for _, do := range []engine.EventKind{engine.EventNoRun, engine.EventStop, engine.EventRun, engine.EventRun} {
		if _, s, err = engine.Apply(engine.New(pol), s, engine.Event{Date: last, Kind: do}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []calendar.Window{calendar.Through(last.AddDays(-2), last)}; !slices.Equal(s.State.Missed, want) {
		t.Errorf("missed %v, want %v", s.State.Missed, want)
	}
}

// TestSequenceUpdated: an update of another amount column meets a sequence that is there.
func TestSequenceUpdated(t *testing.T) {
	one, two := amount.MustParse("1.00"), amount.MustParse("2.00")
	sequence, err := amount.Sequence([]amount.Amount{one, two})
	if err != nil {
		t.Fatal(err)
	}
	ranged, err := amount.Range(one, two, "EUR")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		reason  string
		amounts amount.Choice
		set     engine.Update
		want    amount.Choice
		fault   ledger.Code
	}{
		{"a sequence and an amount", sequence, engine.Update{Amount: engine.To(one)}, amount.Choice{}, ledger.Code("amount-modes")},
		{"the same sequence", sequence, engine.Update{Amount: engine.Remove[amount.Amount]()}, sequence, ""},
		{"an amount instead", sequence, engine.Update{Amount: engine.To(one), Sequence: engine.Remove[[]amount.Amount]()}, amount.Fixed(one), ""},
		{"half a range is left", ranged, engine.Update{AmountTo: engine.Remove[amount.Amount]()}, amount.Choice{}, ledger.Code("amount-half-range")},
		{"the other half", ranged, engine.Update{AmountFrom: engine.Remove[amount.Amount]()}, amount.Choice{}, ledger.Code("amount-half-range")},
		{"the wrong way round", ranged, engine.Update{AmountFrom: engine.To(amount.MustParse("3"))}, amount.Choice{}, ledger.Code("amount-order")},
	} {
		s := stored(engine.StatusActive)
		s.Profile.Amounts = r.amounts
		_, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: r.set})
		if r.fault != "" {
			if !errors.Is(err, r.fault) || after.Profile.Amounts != r.amounts {
				t.Errorf("%s: %v", r.reason, err)
			}
			continue
		}
		if err != nil || after.Profile.Amounts != r.want {
			t.Errorf("%s: %v, %v", r.reason, after.Profile.Amounts, err)
		}
	}
}

// TestStartMoved: a new start-date moves the due days, also those that are missed; a removed one
// leaves them to the day of the update (L02, L18).
func TestStartMoved(t *testing.T) {
	s := stored(engine.StatusActive)
	s.State.Missed = []calendar.Window{calendar.Through(day("2026-01-09"), day("2026-01-09"))}
	for _, start := range []calendar.Date{day("2026-02-01"), {}} {
		effects, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.Update{Start: engine.To(start)}})
		want := start
		if start.IsZero() {
			want = day("2026-01-12")
		}
		if err != nil || after.State.Anchor != want || !effects[0].Because.Has(clause.L16b) || effects[0].Because.Has(clause.L02) != start.IsZero() {
			t.Errorf("%v: anchor %v because of %v, %v", start, after.State.Anchor, effects[0].Because, err)
		}
	}
}

// TestUnreadableUpdate: an update with a value that could not be read is refused for that value.
func TestUnreadableUpdate(t *testing.T) {
	for _, status := range []engine.Status{engine.StatusActive, engine.StatusStopped} {
		s := stored(status)
		e := engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: engine.Update{Unreadable: ledger.Findings{{Code: "amount-syntax", Clause: clause.L36, Subject: "amount", Message: "not an amount"}}}}
		effects, after, err := engine.Apply(engine.New(engine.Policy{}), s, e)
		if !errors.Is(err, ledger.Code("amount-syntax")) || !effects[0].Because.Has(clause.L36) || effects[0].Refusal.Code != "amount-syntax" ||
			!strings.HasSuffix(err.Error(), "2.1 or 2.2: amount: not an amount (L36)") || difference(s, after) != "" {
			t.Errorf("%v: %v because of %v", status, err, effects[0].Because)
		}
	}
}

// TestEnds: a profile ends where its plan does, and one that is not created ends nowhere.
func TestEnds(t *testing.T) {
	if e, err := engine.New(engine.Policy{}).End(engine.Stored{Profile: daily()}, day("2026-01-12")); err != nil || e.Status != 0 || e.Because.IsZero() {
		t.Errorf("%+v, %v", e, err)
	}
	capped := daily()
	capped.MaxRepeats = engine.AtMost(3)
	plan := compile(t, capped, engine.State{}, "2026-01-10", engine.Policy{})
	for _, on := range []string{"2026-01-10", "2026-01-12", "2026-02-01"} {
		s := engine.Stored{Profile: capped, State: plan.State(day(on))}
		if e, err := engine.New(engine.Policy{}).End(s, day(on)); err != nil || e != plan.End(day(on)) {
			t.Errorf("%s: %+v, %v; want %+v", on, e, err, plan.End(day(on)))
		}
	}
}

// TestSimulationRefused: what a simulation cannot be about.
func TestSimulationRefused(t *testing.T) {
	base := engine.Simulation{Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-01-20")}
	for _, r := range []struct {
		want   ledger.Code
		change func(*engine.Simulation, *engine.Policy)
	}{
		{ledger.Code("as-of"), func(s *engine.Simulation, _ *engine.Policy) { s.AsOf = calendar.Date{} }},
		{ledger.Code("until"), func(s *engine.Simulation, _ *engine.Policy) { s.Until = day("2026-01-09") }},
		{ledger.Code("until"), func(s *engine.Simulation, _ *engine.Policy) { s.Until = calendar.Date{} }},
		{engine.ErrEventOrder, func(s *engine.Simulation, _ *engine.Policy) {
			s.Steps = []engine.Step{{Event: engine.Event{Date: day("2026-01-09"), Kind: engine.EventStop}}}
		}},
		{ledger.Code("start-past"), func(s *engine.Simulation, p *engine.Policy) {
			s.AsOf, p.StartPast = day("2026-01-11"), engine.StartPastReject
		}},
	} {
		s, pol := base, engine.Policy{}
		r.change(&s, &pol)
		n := 0
		after, err := engine.New(pol).Simulate(s, func(engine.Effect) bool { n++; return true })
		if !errors.Is(err, r.want) || n != 0 || difference(after, s.Stored) != "" {
			t.Errorf("%v: %v after %d effects", r.want, err, n)
		}
	}
}

// TestSimulationEndsEarly: breaking off in the middle of a day's events, and events after the last
// day, leave the rest undone.
func TestSimulationEndsEarly(t *testing.T) {
	on := func(date string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(date), Kind: do}}
	}
	s := engine.Simulation{
		Stored: engine.Stored{Profile: daily()}, AsOf: day("2026-01-10"), Until: day("2026-01-12"), Seed: 1,
		Steps: []engine.Step{on("2026-01-11", engine.EventCharge), on("2026-01-11", engine.EventStop), on("2026-01-13", engine.EventCharge)},
	}
	ranged, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("2.00"), "EUR")
	if err != nil {
		t.Fatal(err)
	}
	s.Stored.Profile.Amounts = ranged
	all := effectsOf(t, s)
	for n := 1; n <= len(all); n++ {
		var got []engine.Effect
		after, err := engine.New(engine.Policy{}).Simulate(s, func(e engine.Effect) bool {
			got = append(got, e)
			return len(got) < n
		})
		if err != nil || !slices.Equal(got, all[:n]) || after.State.RanThrough.After(day("2026-01-12")) {
			t.Errorf("broken off after %d: %d effects, %v", n, len(got), err)
		}
	}
	for _, e := range all {
		if e.Kind == engine.EffectCharge && (e.Charge.Min != e.Charge.Max || e.Date.After(s.Until)) {
			t.Errorf("a charge of %v to %v on %v", e.Charge.Min, e.Charge.Max, e.Date)
		}
	}
	if all[len(all)-1].Kind != engine.EffectStop {
		t.Errorf("the last effect is %v", all[len(all)-1].Kind)
	}
}

// TestCompareCountsRepeats: a reading that only moves the repeat number is named from the first
// day.
func TestCompareCountsRepeats(t *testing.T) {
	p := daily()
	p.Start, p.Unit, p.Interval = day("2025-12-01"), calendar.UnitMonth, 1
	list, err := compare(engine.Stored{Profile: p}, day("2026-01-10"), day("2026-01-11"), engine.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.Value == "count-missed" {
			if s.First != day("2026-01-10") {
				t.Errorf("count-missed differs first on %v", s.First)
			}
			return
		}
	}
	t.Errorf("count-missed is not among %v", list)
}

// TestPolicyJSON: an object of keys, in any number, and nothing else.
func TestPolicyJSON(t *testing.T) {
	var p engine.Policy
	if err := json.Unmarshal([]byte(`{"month-end":"skip"}`), &p); err != nil || p != (engine.Policy{MonthEnd: calendar.MonthEndSkip}) {
		t.Errorf("%v, %v", p, err)
	}
	for text, want := range map[string]error{
		`{"month":"skip"}`: engine.ErrPolicyKey, `{"month-end":"drift"}`: engine.ErrPolicyValue, `{"month-end":1}`: ledger.Code("json-type"),
		`[]`: ledger.Code("json-type"), `{"month-end":"skip","month-end":"skip"}`: ledger.Code("json-duplicate-field"),
	} {
		before := p
		if err := p.UnmarshalJSON([]byte(text)); !errors.Is(err, want) || p != before {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	for range (engine.ReasonAPI | engine.ReasonMaxRepeats).All() {
		break
	}
	for range engine.Keys() {
		break
	}
}

// TestLimits: an explicit zero is a limit.
func TestLimits(t *testing.T) {
	if !(engine.Limit{}).IsZero() || engine.AtMost(0).IsZero() {
		t.Error("an explicit zero is a limit")
	}
}

// pastCalendar is what a day becomes that is moved past the end of the calendar.
var pastCalendar = calendar.MaxDate().AddDays(1)

// TestPastTheCalendar: a day past the end of the calendar is an error where a day is needed, and as a
// bound of a window neither every day nor a day.
func TestPastTheCalendar(t *testing.T) {
	s := engine.Stored{Profile: daily()}
	plan := compile(t, s.Profile, engine.State{}, "2026-01-10", engine.Policy{})
	if n := plan.Count(calendar.Window{From: pastCalendar}); n != 0 {
		t.Errorf("%d charges past the end of the calendar", n)
	}
	if n, all := plan.Count(calendar.Window{To: pastCalendar}), plan.Count(calendar.Window{}); n != all {
		t.Errorf("%d charges to the end of the calendar, want %d", n, all)
	}
	for by := engine.ByCharge; by <= engine.ByProfile; by++ {
		if text := by.Value(pastCalendar); text != "" {
			t.Errorf("by %v: %q", by, text)
		}
	}

	e := engine.New(engine.Policy{})
	_, asOf := e.Compile(s, pastCalendar)
	_, scope := e.NewBook(engine.Scope{AsOf: pastCalendar})
	_, event := e.Create(s.Profile, pastCalendar)
	_, _, through := e.Advance(s, pastCalendar)
	_, until := e.Simulate(engine.Simulation{Stored: s, AsOf: day("2026-01-10"), Until: pastCalendar}, nil)
	_, explained := e.Explain(engine.Simulation{Stored: s, AsOf: day("2026-01-10")}, pastCalendar)
	_, stored := engine.State{Status: engine.StatusActive, Last: pastCalendar}.MarshalJSON()
	_, profile := engine.Stored{Profile: engine.Profile{Kind: engine.KindSource, Finish: pastCalendar}}.MarshalJSON()
	_, stop := engine.State{Status: engine.StatusStopped, Stop: engine.Stop{Date: pastCalendar}}.MarshalJSON()
	for i, r := range []struct{ err, want error }{
		{asOf, ledger.Code("as-of")}, {scope, ledger.Code("as-of")}, {event, engine.ErrEventOrder}, {through, engine.ErrEventOrder}, {until, ledger.Code("until")}, {explained, ledger.Code("date-not-a-day")},
		{stored, ledger.Code("date-not-a-day")}, {profile, ledger.Code("date-not-a-day")}, {stop, ledger.Code("date-not-a-day")},
	} {
		if !errors.Is(r.err, r.want) {
			t.Errorf("%d: %v, want %v", i, r.err, r.want)
		}
	}

	for _, w := range []calendar.Window{{From: pastCalendar}, {From: day("2026-01-10"), To: pastCalendar}} {
		book := newBook(t, engine.Policy{}, engine.Scope{AsOf: day("2026-01-10"), Window: w})
		addTo(t, book, everyDay(day("9999-12-30"), "EUR", "1.00"))
		if got := len(totalsOf(book)); got != 2 && !w.IsEmpty() || got != 0 && w.IsEmpty() {
			t.Errorf("%v has %d days at the end of the calendar", w, got)
		}
	}
}

// TestNoRunLeft: a profile that had its run on the last day of the calendar has none left.
func TestNoRunLeft(t *testing.T) {
	p := daily()
	p.Finish = calendar.MaxDate()
	s := engine.Stored{Profile: p, State: engine.State{Status: engine.StatusActive, Repeat: 4, RanThrough: calendar.MaxDate(), Last: calendar.MaxDate()}}
	plan, err := engine.New(engine.Policy{}).Compile(s, calendar.MaxDate())
	if err != nil {
		t.Fatal(err)
	}
	if e := plan.End(calendar.MaxDate()); plan.Count(calendar.Window{}) != 0 || !plan.Stop().IsZero() || e.Repeat != 4 || !e.LastDay {
		t.Errorf("%d charges, %+v", plan.Count(calendar.Window{}), e)
	}
	if e, err := engine.New(engine.Policy{}).Explain(engine.Simulation{Stored: s, AsOf: calendar.MaxDate()}, calendar.MaxDate()); err != nil || e.Why != engine.WhyMissed {
		t.Errorf("the last day: %v, %v", e.Why, err)
	}
	for _, through := range []string{"9999-12-31", "9999-12-30", "9999-12-29"} {
		if after, effects, err := engine.New(engine.Policy{}).Advance(s, day(through)); err != nil || effects != nil || !after.Equal(s.Under(engine.Policy{})) {
			t.Errorf("advanced to %s: %v, %v", through, effects, err)
		}
	}
	s.State.Last, s.State.RanThrough = day("2026-01-12"), day("2026-01-10")
	if after, effects, err := engine.New(engine.Policy{}).Advance(s, day("2026-01-11")); err != nil || effects != nil || !after.Equal(s.Under(engine.Policy{})) {
		t.Errorf("advanced to a day before the last event: %v, %v", effects, err)
	}
	if _, _, err := engine.New(engine.Policy{}).Advance(s, calendar.Date{}); !errors.Is(err, engine.ErrEventOrder) {
		t.Errorf("advanced to no day: %v", err)
	}
}

// TestCompareFromAnyPolicy: the comparison is symmetric: what reading B changes under A, reading A
// changes under B, from the same day on, with missed and paid days in the state.
func TestCompareFromAnyPolicy(t *testing.T) {
	p := daily()
	p.Start, p.Interval = day("2025-11-02"), 2
	for _, s := range []engine.State{
		{},
		{
			Status: engine.StatusActive, RanThrough: day("2026-01-01"), Paid: []calendar.Date{day("2025-12-06"), day("2026-01-09")},
			Missed: []calendar.Window{calendar.Through(day("2025-12-01"), day("2025-12-10")), calendar.Through(day("2025-12-20"), day("2025-12-24"))},
		},
	} {
		for c := range engine.Keys() {
			for i, a := range c.Entry().Values() {
				for j, b := range c.Entry().Values() {
					if i == j || a == "reject" || b == "reject" {
						continue
					}
					there, back := firstOf(t, p, s, c, i, b), firstOf(t, p, s, c, j, a)
					if there != back {
						t.Errorf("%s: %s to %s differs first on %q, back on %q", c.Key(), a, b, there, back)
					}
				}
			}
		}
	}
}

// firstOf is the first day that another value changes under reading i of a key; zero for none.
func firstOf(t *testing.T, p engine.Profile, s engine.State, c ledger.Clause, i int, value string) calendar.Date {
	t.Helper()
	list, err := compare(engine.Stored{Profile: p, State: s}, day("2026-01-10"), day("2026-06-30"), engine.Policy{}.WithReading(c, i))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range list {
		if found.Clause == c && found.Value == value {
			return found.First
		}
	}
	return calendar.Date{}
}
