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
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// TestSimulationTellsTheStop: once, on its day, after the charge of that day (L32b).
func TestSimulationTellsTheStop(t *testing.T) {
	for _, r := range []struct {
		reason  string
		change  func(*engine.Profile)
		charges int
		on      string
		reasons engine.Reasons
	}{
		{"2.2.8", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(3) }, 3, "2026-01-12", engine.ReasonMaxRepeats},
		{"2.2.9", func(p *engine.Profile) { p.Finish = day("2026-01-13") }, 4, "2026-01-13", engine.ReasonFinishDate},
		{"L11", func(p *engine.Profile) { p.Finish, p.MaxRepeats = day("2026-01-13"), engine.AtMost(4) }, 4, "2026-01-13", engine.ReasonMaxRepeats | engine.ReasonFinishDate},
		{"L09", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(0) }, 0, "2026-01-10", engine.ReasonMaxRepeats},
	} {
		p := daily()
		r.change(&p)
		charges, stops := 0, []engine.Stop{}
		after, err := engine.New(engine.Policy{}).Simulate(engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10"), Until: day("2026-02-10")}, func(e engine.Effect) bool {
			switch e.Kind {
			case engine.EffectCharge:
				charges++
				if len(stops) > 0 {
					t.Errorf("%s: a charge after the stop", r.reason)
				}
			case engine.EffectStop:
				stops = append(stops, e.Stop)
			}
			return true
		})
		if err != nil || charges != r.charges || len(stops) != 1 || stops[0].Date != day(r.on) || stops[0].Reasons != r.reasons || after.State.Status != engine.StatusStopped {
			t.Errorf("%s: %d charges, %+v, %v", r.reason, charges, stops, err)
		}
	}
}

// TestNoSecondStop: a run on the day of a stop does not tell it again.
func TestNoSecondStop(t *testing.T) {
	for _, first := range []engine.EventKind{engine.EventStop, engine.EventCharge} {
		s := stored(engine.StatusActive)
		s.Profile.MaxRepeats = engine.AtMost(3) // the manual charge reaches it
		_, s, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: first})
		if err != nil || s.State.Status != engine.StatusStopped {
			t.Fatal(first, s.State, err)
		}
		effects, _, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventRun})
		if err != nil || len(effects) != 1 || effects[0].Kind != engine.EffectEvent {
			t.Errorf("%v: %+v, %v", first, effects, err)
		}
	}
}

// TestUnjudgedStop: that a stop condition was not judged yet is cited where one holds, and
// nowhere else (L19).
func TestUnjudgedStop(t *testing.T) {
	for _, r := range []struct {
		reason string
		change func(*engine.Profile)
		want   bool
	}{
		{"no condition", func(*engine.Profile) {}, false},
		{"the cap is ahead", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(9) }, false},
		{"the cap is reached", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(2) }, true},
		{"finish-date is ahead", func(p *engine.Profile) { p.Finish = day("2026-03-01") }, false},
		{"finish-date is today", func(p *engine.Profile) { p.Finish = day("2026-01-12") }, false},
		{"finish-date is over", func(p *engine.Profile) { p.Finish = day("2026-01-11") }, true},
	} {
		s := stored(engine.StatusActive)
		r.change(&s.Profile)
		effects, _, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
		if err != nil || effects[0].Because.Has(clause.L19) != r.want {
			t.Errorf("%s: %+v, %v", r.reason, effects[0].Because, err)
		}
	}
}

// TestUpdateWithoutStart: that a profile is created without start-date is judged when the
// update removes it, not when it lacks it (L02, X9).
func TestUpdateWithoutStart(t *testing.T) {
	reject := engine.Policy{StartAbsent: engine.StartAbsentReject}
	for _, r := range []struct {
		reason string
		start  string
		auto   bool
		set    engine.Update
		policy engine.Policy
		want   error
	}{
		{"another column", "", true, engine.Update{MaxRepeats: engine.To(engine.AtMost(9))}, reject, nil},
		{"start-date removed", "2026-01-10", true, engine.Update{Start: engine.To(calendar.Date{})}, reject, ledger.Code("start-absent")},
		{"start-date removed, allowed", "2026-01-10", true, engine.Update{Start: engine.To(calendar.Date{})}, engine.Policy{}, nil},
		{"start-date removed without a schedule", "2026-01-10", false, engine.Update{Start: engine.To(calendar.Date{})}, reject, nil},
		{"start-date moved", "2026-01-10", true, engine.Update{Start: engine.To(day("2026-02-01"))}, reject, nil},
	} {
		s := stored(engine.StatusActive)
		s.Profile.Start = calendar.Date{}
		if r.start != "" {
			s.Profile.Start = day(r.start)
		}
		if !r.auto {
			s.Profile.Unit, s.Profile.Interval = calendar.UnitNone, 0
		}
		_, _, err := engine.Apply(engine.New(r.policy), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: r.set})
		if !errors.Is(err, r.want) || (err == nil) != (r.want == nil) {
			t.Errorf("%s: %v, want %v", r.reason, err, r.want)
		}
	}
}

// TestUpdateCitesTheGrid: every column that makes a new grid rests on L18.
func TestUpdateCitesTheGrid(t *testing.T) {
	for reason, r := range map[string]struct {
		set  engine.Update
		want bool
	}{
		"start":    {engine.Update{Start: engine.To(day("2026-01-20"))}, true},
		"unit":     {engine.Update{Unit: engine.To(calendar.UnitWeek)}, true},
		"interval": {engine.Update{Interval: engine.To(2)}, true},
		"finish":   {engine.Update{Finish: engine.To(day("2026-03-20"))}, false},
	} {
		effects, _, err := engine.Apply(engine.New(engine.Policy{}), stored(engine.StatusActive), engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: r.set})
		if err != nil || effects[0].Because.Has(clause.L18) != r.want {
			t.Errorf("%s: %+v, %v", reason, effects[0].Because, err)
		}
	}
}

// TestApplyLeavesPaidAlone: what an event adds to the paid slots is not seen by the caller,
// even where the list has room behind its end.
func TestApplyLeavesPaidAlone(t *testing.T) {
	s := stored(engine.StatusActive)
	paid := make([]calendar.Date, 1, 4)
	paid[0] = day("2026-01-11")
	s.State.Paid = paid
	takes := engine.Policy{ManualTakesSlot: engine.ManualTakesSlotYes}
	_, after, err := engine.Apply(engine.New(takes), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
	if err != nil || !slices.Contains(after.State.Paid, day("2026-01-12")) {
		t.Fatal(after.State, err)
	}
	if !paid[:2][1].IsZero() {
		t.Error("the list of the caller was written to")
	}
}

// TestManualChargeOffTheGrid takes no slot: there is none (L22).
func TestManualChargeOffTheGrid(t *testing.T) {
	s := stored(engine.StatusActive)
	s.Profile.Unit = calendar.UnitWeek
	takes := engine.Policy{ManualTakesSlot: engine.ManualTakesSlotYes}
	effects, after, err := engine.Apply(engine.New(takes), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
	if err != nil || slices.Contains(after.State.Paid, day("2026-01-12")) || effects[0].Because.Has(clause.L22) {
		t.Errorf("%+v, %v", after.State.Paid, err)
	}
}

// TestChargesRestOnTheState: what a state came to be by is cited by all that goes on from it.
func TestChargesRestOnTheState(t *testing.T) {
	s := stored(engine.StatusActive)
	s.State.Because = ledger.On(clause.L14)
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: s.Profile, State: s.State}, day("2026-01-12"))
	if err != nil {
		t.Fatal(err)
	}
	for c := range plan.Next(2) {
		if !c.Because.Has(clause.L14) {
			t.Errorf("%s: %+v", c.Date, c.Because)
		}
	}
	if !plan.End(day("2026-01-20")).Because.Has(clause.L14) {
		t.Error("the end does not say so")
	}
}

// TestLastDay: only an automatic profile that is active on the last day there is was cut by
// the end of the calendar (L32).
func TestLastDay(t *testing.T) {
	for _, r := range []struct {
		reason string
		change func(*engine.Profile)
		on     calendar.Date
		want   bool
	}{
		{"cut", func(*engine.Profile) {}, calendar.MaxDate(), true},
		{"the day before", func(*engine.Profile) {}, calendar.MaxDate().AddDays(-1), false},
		{"stopped", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(3) }, calendar.MaxDate(), false},
		{"no schedule", func(p *engine.Profile) { p.Unit, p.Interval = calendar.UnitNone, 0 }, calendar.MaxDate(), false},
	} {
		p := daily()
		r.change(&p)
		plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: p}, day("2026-01-10"))
		if err != nil {
			t.Fatal(err)
		}
		if e := plan.End(r.on); e.LastDay != r.want || e.Because.Has(clause.L32) != r.want {
			t.Errorf("%s: %+v", r.reason, e)
		}
	}
}

// TestConflictingStates: each thing that no state can be is refused alone.
func TestConflictingStates(t *testing.T) {
	window := func(from, through string) calendar.Window { return calendar.Through(day(from), day(through)) }
	for _, r := range []struct {
		reason string
		change func(*engine.State)
	}{
		{"status", func(s *engine.State) { s.Status = engine.StatusStopped + 1 }},
		{"active with a stop", func(s *engine.State) { s.Stop = engine.Stop{Date: day("2026-01-11")} }},
		{"paid without a day", func(s *engine.State) { s.Paid = []calendar.Date{{}} }},
		{"paid after as-of", func(s *engine.State) { s.Paid = []calendar.Date{day("2026-01-13")} }},
		{"missed out of order", func(s *engine.State) {
			s.Missed = []calendar.Window{window("2026-01-08", "2026-01-09"), window("2026-01-02", "2026-01-03")}
		}},
		{"missed twice", func(s *engine.State) {
			s.Missed = []calendar.Window{window("2026-01-02", "2026-01-04"), window("2026-01-04", "2026-01-05")}
		}},
		{"missed without an end", func(s *engine.State) {
			s.Missed = []calendar.Window{{From: day("2026-01-02")}}
		}},
		{"missed without a beginning", func(s *engine.State) {
			s.Missed = []calendar.Window{{To: day("2026-01-02")}}
		}},
		{"missed but not over", func(s *engine.State) { s.Missed = []calendar.Window{window("2026-01-10", "2026-01-12")} }},
	} {
		s := stored(engine.StatusActive)
		r.change(&s.State)
		if _, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: s.Profile, State: s.State}, day("2026-01-12")); !errors.Is(err, engine.ErrStateConflict) {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
}

// TestMissedLineByLine: an element of missed lacks what it lacks, whatever the one before has.
func TestMissedLineByLine(t *testing.T) {
	for _, missed := range []string{
		`{"from":"2026-01-01","through":"2026-01-02"},{"through":"2026-01-03"}`,
		`{"from":"2026-01-01","through":"2026-01-02"},{"from":"2026-01-01"}`,
		`{"from":"2026-01-01","through":"2026-01-02"},{}`,
	} {
		_, _, err := engine.ParseStateLine([]byte(`{"profile":"a","missed":[` + missed + `]}`))
		if e, ok := errors.AsType[ledger.Finding](err); !ok || e.Code != "state-conflict" {
			t.Errorf("%s: %v", missed, err)
		}
	}
}

// TestSurrogates: two halves make one character; a half alone, or with anything but its other
// half behind it, is refused (h233).
func TestSurrogates(t *testing.T) {
	for name, want := range map[string]string{
		`\ud83d\ude00`: "\U0001F600", `\uD83D\uDE00x`: "\U0001F600x",
		`\ud83dude00`: "", `\ud83d\nde00`: "", `\ud83dx`: "", `\ude00\ud83d`: "", `\ud83d`: "", `\ud83d\u0041`: "",
	} {
		id, _, err := engine.ParseStateLine([]byte(`{"profile":"` + name + `"}`))
		if (err == nil) != (want != "") || id != want {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

// TestJSONStringsAreVisible: what a terminal obeys or does not show is escaped, its neighbours
// stay, and all is read back.
func TestJSONStringsAreVisible(t *testing.T) {
	escaped := []rune{0, 0x1f, 0x7f, 0x9f, 0x200b, 0x200f, 0x2028, 0x202e, 0x2066, 0x2069, 0xfeff}
	for _, r := range escaped {
		if got := string(strictjson.AppendString(nil, string(r))); !strings.HasPrefix(got, `"\u`) || len(got) != len(`"\u0000"`) {
			t.Errorf("%U: %s", r, got)
		}
	}
	for _, r := range []rune{' ', '~', 0xa0, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a, 0xfefe, 0x1F600} {
		if got := string(strictjson.AppendString(nil, string(r))); got != `"`+string(r)+`"` {
			t.Errorf("%U: %s", r, got)
		}
	}
	text := "a\"b\\c" + string(escaped[1:])
	id, _, err := engine.ParseStateLine(append(strictjson.AppendString([]byte(`{"profile":`), text), '}'))
	if err != nil || id != text {
		t.Errorf("%q, %v", id, err)
	}
}

// amounts returns the amount choice of columns, as a stored profile in EUR has them.
func amounts(fixed, from, to string, list ...string) (amount.Choice, error) {
	columns := map[string]any{"currency": "EUR"}
	for name, text := range map[string]string{"amount": fixed, "amount-from": from, "amount-to": to} {
		if text != "" {
			columns[name] = text
		}
	}
	if list != nil {
		columns["amount-sequence"] = list
	}
	text, _ := json.Marshal(columns)
	var p engine.Profile
	err := json.Unmarshal(text, &p)
	if err == nil && p.Amounts.IsZero() {
		err = ledger.Code("amount-missing")
	}
	return p.Amounts, err
}

// TestAmounts: exactly one choice (2.2.5).
func TestAmounts(t *testing.T) {
	const one, two, none = "1.00", "2.00", ""
	for _, r := range []struct {
		reason          string
		fixed, from, to string
		list            []string
		want            error
	}{
		{"fixed", one, none, none, nil, nil},
		{"range", none, one, two, nil, nil},
		{"a range of one amount", none, one, one, nil, nil},
		{"sequence", none, none, none, []string{"1.00"}, nil},
		{"nothing", none, none, none, nil, ledger.Code("amount-missing")},
		{"only from", none, one, none, nil, ledger.Code("amount-half-range")},
		{"only to", none, none, one, nil, ledger.Code("amount-half-range")},
		{"the wrong way round", none, two, one, nil, ledger.Code("amount-order")},
		{"fixed and range", one, one, two, nil, ledger.Code("amount-modes")},
		{"fixed and sequence", one, none, none, []string{"1.00"}, ledger.Code("amount-modes")},
		{"range and sequence", none, one, two, []string{"1.00"}, ledger.Code("amount-modes")},
	} {
		s, err := amounts(r.fixed, r.from, r.to, r.list...)
		if !errors.Is(err, r.want) || (err == nil) != (r.want == nil) || s.IsZero() != (r.want != nil) {
			t.Errorf("%s: %v, %v; want %v", r.reason, s, err, r.want)
		}
	}
}

// TestNothingOwedBehindAFinish: a run that charged all it owed and stopped by finish-date owes
// nothing more; one that the cap ended owes what lies behind its last charge, one that stopped
// before it charged all of it (L16, L32b).
func TestNothingOwedBehindAFinish(t *testing.T) {
	missed := []calendar.Window{calendar.Through(day("2026-01-11"), day("2026-01-14"))}
	catchUp := engine.Policy{ResumeMissed: engine.MissedCatchUp, RunMissed: engine.MissedCatchUp}
	for _, r := range []struct {
		reason  string
		change  func(*engine.Profile)
		charges int
		want    []calendar.Window
	}{
		{"no stop", func(*engine.Profile) {}, 5, nil},
		{"finish-date", func(p *engine.Profile) { p.Interval, p.Finish = 3, day("2026-01-15") }, 1, nil},
		{"both", func(p *engine.Profile) { p.Finish, p.MaxRepeats = day("2026-01-15"), engine.AtMost(6) }, 5, nil},
		{"the cap", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(3) }, 2, []calendar.Window{calendar.Through(day("2026-01-13"), day("2026-01-14"))}},
		{"the cap before", func(p *engine.Profile) { p.MaxRepeats = engine.AtMost(1) }, 0, missed},
	} {
		p := daily()
		r.change(&p)
		s := engine.State{Status: engine.StatusActive, Repeat: 1, Anchor: day("2026-01-10"), RanThrough: day("2026-01-14"), Missed: missed}
		plan, err := engine.New(catchUp).Compile(engine.Stored{Profile: p, State: s}, day("2026-01-15"))
		if err != nil {
			t.Fatal(r.reason, err)
		}
		on := day("2026-01-15")
		if n := plan.Count(calendar.Through(on, on)); n != r.charges {
			t.Errorf("%s: %d charges, want %d", r.reason, n, r.charges)
		}
		if got := plan.State(on).Missed; !slices.Equal(got, r.want) {
			t.Errorf("%s: owed %v, want %v", r.reason, got, r.want)
		}
	}
}

// TestWhatTheLedgerSays: the readings whose texts say more than which due day is charged do so (L05, L16).
func TestWhatTheLedgerSays(t *testing.T) {
	resume := func(after bool) []engine.Step {
		return []engine.Step{
			{Event: engine.Event{Date: day("2026-01-11"), Kind: engine.EventStop}},
			{Event: engine.Event{Date: day("2026-01-14"), Kind: engine.EventResume}, After: after},
		}
	}
	moved := engine.Policy{ResumeMissed: engine.MissedCatchUp, ResumeAnchor: engine.ResumeAnchorResumeDate}
	for _, r := range []struct {
		reason string
		finish string
		policy engine.Policy
		steps  []engine.Step
		want   string // the due days that are charged, with the day of the charge where it differs
	}{
		{"L05: owed days are dropped on finish-date", "2026-01-12", engine.Policy{FinishBound: engine.FinishBoundExclusive, RunMissed: engine.MissedCatchUp},
			[]engine.Step{{Event: engine.Event{Date: day("2026-01-11"), Kind: engine.EventNoRun}}}, "10"},
		{"L16: missed days are charged in the first run", "", engine.Policy{ResumeMissed: engine.MissedCatchUp}, resume(false), "10 11/14 12/14 13/14 14 15"},
		{"L16: counted from the resume, none is missed", "", moved, resume(false), "10 14 15"},
		{"L16: but its own day after the run", "", moved, resume(true), "10 14/15 15"},
	} {
		p := daily()
		if r.finish != "" {
			p.Finish = day(r.finish)
		}
		var got []string
		for _, e := range effectsOf(t, engine.Simulation{Stored: engine.Stored{Profile: p}, AsOf: day("2026-01-10"), Until: day("2026-01-15"), Steps: r.steps}, r.policy) {
			if e.Kind != engine.EffectCharge {
				continue
			}
			slot := e.Charge.Slot.String()[8:]
			if e.Charge.Slot != e.Charge.Date {
				slot += "/" + e.Charge.Date.String()[8:]
			}
			got = append(got, slot)
		}
		if strings.Join(got, " ") != r.want {
			t.Errorf("%s: %v, want %s", r.reason, got, r.want)
		}
	}
}
