package engine_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Goal: a rule changes its answer exactly at its bound. Method: the last case on one side of it and
// the first on the other.

// TestTailOfASequence: charges after the last element repeat it, and say why (X7).
func TestTailOfASequence(t *testing.T) {
	p := daily()
	elements, err := amount.Sequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.00")})
	if err != nil {
		t.Fatal(err)
	}
	p.Amounts = elements
	for _, c := range slices.Collect(compile(t, p, engine.State{}, "2026-01-10", engine.Policy{}).Next(4)) {
		if want := c.Repeat >= 2; c.Because.Has(clause.X7) != want {
			t.Errorf("charge %d, because of %v", c.Repeat, c.Because)
		}
	}
}

// TestManualChargeReachesTheCap: it stops the profile by the cap (L20); that the cap was passed
// before (L10) is a reason only where it was.
func TestManualChargeReachesTheCap(t *testing.T) {
	for _, r := range []struct {
		reason string
		repeat uint64
		passed bool
	}{
		{"the charge is the last of three", 2, false},
		{"the cap is reached already", 3, false},
		{"the cap is passed already", 4, true},
	} {
		s := stored(engine.StatusActive)
		s.Profile.MaxRepeats = engine.AtMost(3)
		s.State.Repeat = r.repeat
		effects, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventCharge})
		if err != nil || after.State.Status != engine.StatusStopped {
			t.Fatalf("%s: %v, %v", r.reason, after.State.Status, err)
		}
		stop := effects[len(effects)-1]
		if stop.Kind != engine.EffectStop || !stop.Because.Has(clause.L20) || stop.Because.Has(clause.L10) != r.passed {
			t.Errorf("%s: stopped because of %v", r.reason, stop.Because)
		}
	}
}

// TestTextWithNULFirst: a NUL is found wherever it is.
func TestTextWithNULFirst(t *testing.T) {
	for _, id := range []string{"\x00", "\x00a", "a\x00"} {
		p := daily()
		p.ID = id
		_, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: p}, day("2026-01-10"))
		if !errors.Is(err, ledger.Code("nul-character")) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestMissedUpToYesterday: without a last run, the days before as-of can have been missed, and no
// later ones.
func TestMissedUpToYesterday(t *testing.T) {
	for through, want := range map[string]error{"2026-01-11": nil, "2026-01-12": engine.ErrStateConflict, "2026-01-13": engine.ErrStateConflict} {
		s := engine.Stored{Profile: daily(), State: engine.State{
			Status: engine.StatusActive, Missed: []calendar.Window{calendar.Through(day("2026-01-10"), day(through))},
		}}
		if err := engine.New(engine.Policy{}).Check(s, day("2026-01-12")); !errors.Is(err, want) {
			t.Errorf("missed through %s: %v, want %v", through, err, want)
		}
	}
}

// TestPlaceInAStateLine: a problem of a value is at its first byte, marked § here.
func TestPlaceInAStateLine(t *testing.T) {
	for _, marked := range []string{
		`{"profile":"a","stop":§{"reasons":["max-repeats"]}}`,
		`{"profile":"a","stop":{"date":"2026-01-02","reasons":§["bored"]}}`,
		`{"profile":"a","stop":{"date":"2026-01-02","reasons":§["max-repeats",7]}}`,
		`{"profile":"a","missed":[§{"from":"2026-01-02","through":"2026-01-01"}]}`,
	} {
		at := strings.Index(marked, "§")
		_, _, err := engine.ParseStateLine([]byte(strings.Replace(marked, "§", "", 1)))
		if f, ok := errors.AsType[ledger.Finding](err); !ok || f.Place.Col != at+1 {
			t.Errorf("%s: %v, want column %d", marked, err, at+1)
		}
	}
}

// TestPolicyErrorNamesTheItem: by its place, from 1, and by its key where that is known.
func TestPolicyErrorNamesTheItem(t *testing.T) {
	for _, r := range []struct {
		text, field, says string
	}{
		{`{"month-end":"bad"}`, "month-end", "month-end: unknown policy value: use clamp, skip, next-first, overflow (L01)"},
		{`{"month-end":"clamp","finish-bound":"bad"}`, "finish-bound", ": use inclusive, exclusive"},
		{`{"month-end":"clamp","no":"x"}`, "item 2", "item 2: unknown policy key: use month-end, "},
	} {
		var p engine.Policy
		err := p.UnmarshalJSON([]byte(r.text))
		e, ok := errors.AsType[*engine.Error](err)
		if !ok || e.Field != r.field || !strings.Contains(e.Error(), r.says) {
			t.Errorf("%s: %v", r.text, err)
		}
	}
}

// TestEveryUnitIsCarried: days, weeks and months have a JSON form that reads back, and no other unit has one.
func TestEveryUnitIsCarried(t *testing.T) {
	for unit := calendar.UnitDay; unit <= calendar.UnitMonth+1; unit++ {
		s := engine.Stored{Profile: daily()}
		s.Profile.Unit = unit
		text, err := s.MarshalJSON()
		if unit > calendar.UnitMonth {
			if !errors.Is(err, ledger.Code("interval-value")) {
				t.Errorf("%v: %s, %v", unit, text, err)
			}
			continue
		}
		var back engine.Stored
		if err != nil || back.UnmarshalJSON(text) != nil || difference(s, back) != "" {
			t.Errorf("%v: %s, %v", unit, text, err)
		}
	}
}

// TestTotalsAroundPaidDays: charges that are caught up around a paid day count on the days that they have.
func TestTotalsAroundPaidDays(t *testing.T) {
	prof := daily()
	drawn, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("9.00"), "EUR")
	if err != nil {
		t.Fatal(err)
	}
	prof.Amounts = drawn
	state := engine.State{Status: engine.StatusActive, RanThrough: day("2026-01-13"), Paid: []calendar.Date{day("2026-01-11")},
		Missed: []calendar.Window{calendar.Through(day("2026-01-10"), day("2026-01-12"))}}
	scope := engine.Scope{
		AsOf: day("2026-01-14"), Window: calendar.Through(day("2026-01-14"), day("2026-01-31")),
		Draws: true, Explain: true,
	}
	policy := engine.Policy{ResumeMissed: engine.MissedCatchUp}
	plan := compile(t, prof, state, "2026-01-14", policy)
	p := newBook(t, policy, scope)
	if err := p.Add(engine.Stored{Profile: prof, State: state}); err != nil {
		t.Fatal(err)
	}
	want := newBook(t, policy, scope)
	for c := range plan.Charges(scope.Window) {
		if err := want.AddCharge(prof.Currency, c); err != nil {
			t.Fatal(err)
		}
	}
	if got, other := totalsOf(p), totalsOf(want); len(got) < 10 || !sameTotals(got, other) {
		t.Errorf("%v\nwant %v", got, other)
	}
}

// TestLaterWindow: what comes before a window counts for its repeat numbers, and not for its charges.
func TestLaterWindow(t *testing.T) {
	state := engine.State{Status: engine.StatusActive, Repeat: 2, RanThrough: day("2026-01-11")}
	plan := compile(t, daily(), state, "2026-01-12", engine.Policy{})
	w := calendar.Through(day("2026-01-15"), day("2026-01-20"))
	if n := plan.Count(w); n != 6 {
		t.Errorf("%d charges in six days", n)
	}
	repeat := uint64(5) // 2 on the 12th, and one more each day
	for c := range plan.Charges(w) {
		if c.Repeat != repeat {
			t.Errorf("%v has repeat %d, want %d", c.Date, c.Repeat, repeat)
		}
		repeat++
	}
	if total := plan.Total(w); total.Charges != 6 || total.Max.String() != "60.00" {
		t.Errorf("%v", total)
	}
	if e := explain(t, daily(), state, "2026-01-12", engine.Policy{}, "2026-01-15"); e.Why != engine.WhyDue || len(e.Charges) != 1 || e.Charges[0].Repeat != 5 {
		t.Errorf("%+v", e)
	}
}

// TestPolicyItemOfAText: items of a text are counted as those of JSON are.
func TestPolicyItemOfAText(t *testing.T) {
	for text, item := range map[string]int{"no=x": 1, "month-end=clamp,no=x": 2, "month-end=clamp,finish-bound=inclusive,no=x": 3} {
		_, err := engine.ParsePolicy(text)
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Field != "item "+strconv.Itoa(item) || !strings.HasPrefix(e.Want, "month-end,start-absent,") {
			t.Errorf("%s: %v, want item %d", text, err, item)
		}
	}
}

// TestTotalsOfASequence: the total of a window has the elements of its charges, wherever the window begins and ends, and
// nothing for a window without a charge.
func TestTotalsOfASequence(t *testing.T) {
	p := daily()
	charged := []int{1, 2, 4, 8, 8, 8} // by charge: the last element repeats
	elements, err := amount.Sequence([]amount.Amount{amount.MustParse("1"), amount.MustParse("2"), amount.MustParse("4"), amount.MustParse("8")})
	if err != nil {
		t.Fatal(err)
	}
	p.Amounts = elements
	for before := range 3 { // charges before the as-of day
		asOf := p.Start.AddDays(before)
		state := engine.State{}
		if before > 0 {
			state = engine.State{Status: engine.StatusActive, Repeat: uint64(before), Anchor: p.Start, RanThrough: asOf.AddDays(-1)}
		}
		plan := compile(t, p, state, asOf.String(), engine.Policy{})
		left := charged[before:]
		for from := range left {
			for to := from; to <= len(left); to++ {
				sum := 0
				for _, a := range left[from:to] {
					sum += a
				}
				w := calendar.Window{From: asOf.AddDays(from), To: asOf.AddDays(to)}
				if total := plan.Total(w); total.Charges != uint64(to-from) || total.Max.String() != strconv.Itoa(sum) {
					t.Errorf("%d charges before, charges %d to %d: %v, want %d", before, from, to, total, sum)
				}
			}
		}
	}
}

// TestDayOfTheGrid: a schedule rests on the month end where its day is one that some month lacks, from the 29th on (L01).
func TestDayOfTheGrid(t *testing.T) {
	for start, want := range map[string]bool{"2026-01-01": false, "2026-01-27": false, "2026-01-28": false, "2026-01-29": true, "2026-01-30": true, "2026-01-31": true} {
		for unit, monthly := range map[calendar.Unit]bool{calendar.UnitMonth: true, calendar.UnitWeek: false} {
			p := daily()
			p.Start, p.Unit = day(start), unit
			for _, c := range slices.Collect(compile(t, p, engine.State{}, "2026-01-01", engine.Policy{}).Next(3)) {
				if c.Because.Has(clause.L01) != (want && monthly) {
					t.Errorf("%s by %v: the charge of %v rests on %v", start, unit, c.Date, c.Because)
				}
			}
		}
	}
}

// TestUpdateCitesMissedDays: a new grid is what missed days are looked up in, where there are any (L16b).
func TestUpdateCitesMissedDays(t *testing.T) {
	for _, missed := range []bool{false, true} {
		for _, moves := range []bool{false, true} {
			s := stored(engine.StatusActive)
			if missed {
				s.State.Missed = []calendar.Window{calendar.Through(day("2026-01-10"), day("2026-01-10"))}
			}
			set := engine.Update{MaxRepeats: engine.To(engine.AtMost(9))}
			if moves {
				set = engine.Update{Interval: engine.To(2)}
			}
			effects, _, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: set})
			if err != nil || effects[0].Because.Has(clause.L16b) != (missed && moves) {
				t.Errorf("missed %t, moved %t: %+v, %v", missed, moves, effects, err)
			}
		}
	}
}

// TestPlaceOfAStoredValue: the column of a value that is refused is that of its first byte.
func TestPlaceOfAStoredValue(t *testing.T) {
	for _, text := range []string{
		`{"profile":{"interval":§1.5}}`, `{"profile":{"interval": §99999999999999999999}}`, `{"profile":{"max-repeats-number":§-1}}`,
		`{"profile":{"amount":§9.99}}`, `{"profile":{"period":  §"year"}}`, `{"profile":{"start-date":§"31.01.2026"}}`,
	} {
		text = `{"schema":"chargecast.stored/1",` + text[1:]
		var s engine.Stored
		f, ok := errors.AsType[ledger.Finding](s.UnmarshalJSON([]byte(strings.Replace(text, "§", "", 1))))
		if want := strings.Index(text, "§") + 1; !ok || f.Place.Col != want {
			t.Errorf("%s: %v, want column %d", text, f, want)
		}
	}
}
