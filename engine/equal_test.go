package engine_test

import (
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestEqualLooksAtEachField: a state or a stored profile that differs in one field is another one.
func TestEqualLooksAtEachField(t *testing.T) {
	full := fullStored()
	full.State.Manual = 1
	for i := range reflect.TypeFor[engine.State]().NumField() {
		if !reflect.TypeFor[engine.State]().Field(i).IsExported() {
			continue // the policy, below
		}
		var a, b engine.State
		field := reflect.ValueOf(&a).Elem().Field(i)
		from := reflect.ValueOf(full.State).Field(i)
		if from.IsZero() {
			t.Fatalf("the full state has no %s", reflect.TypeFor[engine.State]().Field(i).Name)
		}
		if field.Set(from); a.Equal(b) || b.Equal(a) || !a.Equal(a) {
			t.Errorf("State.%s is not looked at", reflect.TypeFor[engine.State]().Field(i).Name)
		}
	}
	plain := engine.Stored{Profile: daily()}
	for what, other := range map[string]engine.Stored{
		"the profile": {Profile: full.Profile}, "the state": {Profile: daily(), State: full.State},
		"a policy": plain.Under(engine.Policy{MonthEnd: calendar.MonthEndSkip}), "that it is known": plain.Under(engine.Policy{}),
	} {
		if plain.Equal(other) || other.Equal(plain) || !other.Equal(other) {
			t.Errorf("%s is not looked at", what)
		}
	}
	if skip := plain.Under(engine.Policy{MonthEnd: calendar.MonthEndSkip}); skip.Equal(plain.Under(engine.Policy{})) {
		t.Error("two policies are one")
	}
}

// TestUpdateRestsOnAnAbsentStart: only an update that moves the due days of a profile without start-date rests on L02.
func TestUpdateRestsOnAnAbsentStart(t *testing.T) {
	amountOnly := engine.Update{MaxRepeats: engine.Change[engine.Limit]{Given: true, Value: engine.AtMost(50)}}
	interval := engine.Update{Interval: engine.Change[int]{Given: true, Value: 2}}
	for _, r := range []struct {
		reason string
		start  bool
		set    engine.Update
		want   bool
	}{
		{"the limit, with a start-date", true, amountOnly, false}, {"the limit, without", false, amountOnly, false},
		{"the interval, with a start-date", true, interval, false}, {"the interval, without", false, interval, true},
	} {
		s := stored(engine.StatusActive)
		if !r.start {
			s.Profile.Start = calendar.Date{}
		}
		_, after, err := engine.Apply(engine.New(engine.Policy{}), s, engine.Event{Date: day("2026-01-12"), Kind: engine.EventUpdate, Update: r.set})
		if err != nil || after.State.Because.Has(clause.L02) != r.want {
			t.Errorf("%s: %v, %v", r.reason, after.State.Because, err)
		}
	}
}

// TestPaidAmongMissedAndAhead: what is charged rests on 2.2.10 where a due day that was charged before is left out, be it among
// those that a run catches up with or among those to come.
func TestPaidAmongMissedAndAhead(t *testing.T) {
	missed := []calendar.Window{calendar.Through(day("2026-01-10"), day("2026-01-11"))}
	for _, r := range []struct {
		reason  string
		paid    string
		missed  []calendar.Window
		charges int // from the 12th through the 14th
		want    bool
	}{
		{"one ahead", "2026-01-12", nil, 2, true}, {"none among the missed", "", missed, 5, false},
		{"one missed", "2026-01-11", missed, 4, true}, {"one ahead of the missed", "2026-01-12", missed, 4, true},
	} {
		s := engine.State{Status: engine.StatusActive, Anchor: day("2026-01-10"), RanThrough: day("2026-01-11"), Last: day("2026-01-12"), Missed: r.missed}
		if r.paid != "" {
			s.Paid = []calendar.Date{day(r.paid)}
		}
		plan := compile(t, daily(), s, "2026-01-12", engine.Policy{RunMissed: engine.MissedCatchUp})
		n := 0
		for c := range plan.Charges(calendar.Through(day("2026-01-12"), day("2026-01-14"))) {
			n++
			if c.Because.Has(clause.L13) != r.want {
				t.Errorf("%s: %v rests on %v", r.reason, c.Slot, c.Because)
			}
		}
		if n != r.charges {
			t.Errorf("%s: %d charges", r.reason, n)
		}
	}
}

// TestStoppedOnTheDayThatIsExplained: a stop on a day without a charge is its reason, also if that day is finish-date or the stop
// is for a finish-date in the past.
func TestStoppedOnTheDayThatIsExplained(t *testing.T) {
	p := daily()
	p.Finish, p.MaxRepeats = day("2026-01-14"), engine.AtMost(5)
	atCap := engine.State{Status: engine.StatusActive, Repeat: 5, Anchor: p.Start, RanThrough: day("2026-01-13"), Last: day("2026-01-13")}
	if e := explain(t, p, atCap, "2026-01-14", engine.Policy{}, "2026-01-14"); e.Why != engine.WhyStopped {
		t.Errorf("at the limit, on finish-date: %v", e.Why)
	}
	p.MaxRepeats = engine.Limit{}
	if e := explain(t, p, engine.State{}, "2026-01-20", engine.Policy{StartPast: engine.StartPastCatchUp}, "2026-01-20"); e.Why != engine.WhyStopped {
		t.Errorf("after finish-date: %v", e.Why)
	}
	if e := explain(t, p, engine.State{}, "2026-01-10", engine.Policy{FinishBound: engine.FinishBoundExclusive}, "2026-01-14"); e.Why != engine.WhyStopped {
		t.Errorf("on finish-date, which is over: %v", e.Why)
	}
}

// TestBookExplainsBeyondTheCap: the charges of a run up to max-repeats-number do not rest on its reading, the last one does.
func TestBookExplainsBeyondTheCap(t *testing.T) {
	policy := engine.Policy{MaxCounts: 1}
	for _, most := range []uint64{2, 3, 4, 9} {
		p := daily()
		p.MaxRepeats = engine.AtMost(most)
		book := newBook(t, policy, engine.Scope{AsOf: day("2026-01-10"), Window: calendar.Through(day("2026-01-10"), day("2026-02-10")), Explain: true})
		addTo(t, book, p)
		plan := compile(t, p, engine.State{}, "2026-01-10", policy)
		totals := totalsOf(book)
		if len(totals) != int(most)+1 {
			t.Fatalf("at most %d: %d days", most, len(totals))
		}
		var last ledger.Because
		i := 0
		for c := range plan.Charges(calendar.Window{}) {
			if totals[i].Because != c.Because {
				t.Errorf("at most %d, charge %d rests on %v, in the book on %v", most, i, c.Because, totals[i].Because)
			}
			last = c.Because
			i++
		}
		if !last.Has(clause.L08) {
			t.Errorf("at most %d: the last charge rests on %v", most, last)
		}
	}
}
