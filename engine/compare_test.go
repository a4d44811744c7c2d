package engine_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/ledger"
)

// TestCompare: a key is named exactly when another value of it changes a record, with
// the first day of the change (Y12).
func TestCompare(t *testing.T) {
	monthly := daily()
	monthly.Unit, monthly.Start = calendar.UnitMonth, day("2026-01-31")
	capped := daily()
	capped.MaxRepeats = engine.AtMost(3)
	finishing := daily()
	finishing.Finish = day("2026-01-15")
	past := daily()
	past.Start = day("2026-01-08")
	absent := daily()
	absent.Start = calendar.Date{}
	for _, r := range []struct {
		reason  string
		profile engine.Profile
		want    []string
	}{
		{"nothing open", daily(), nil},
		{"L01", monthly, []string{"month-end=skip 2026-02-28", "month-end=next-first 2026-02-28", "month-end=overflow 2026-02-28"}},
		{"L08", capped, []string{"max-counts=repeats-after-first 2026-01-12"}},
		{"L05", finishing, []string{"finish-bound=exclusive 2026-01-15"}},
		{"L03", past, []string{
			"start-past=catch-up 2026-01-10", "start-past=count-missed 2026-01-10", "start-past=reject 2026-01-10",
		}},
		{"L02", absent, []string{"start-absent=reject 2026-01-10"}},
	} {
		var got []string
		list, err := compare(engine.Stored{Profile: r.profile}, day("2026-01-10"), day("2026-04-30"), engine.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			got = append(got, s.Clause.Entry().Key+"="+s.Value+" "+s.First.String())
			if (s.Refused != "") != (s.Value == "reject") {
				t.Errorf("%s: %s refused: %v", r.reason, s.Value, s.Refused)
			}
		}
		if !slices.Equal(got, r.want) {
			t.Errorf("%s: %q, want %q", r.reason, got, r.want)
		}
	}
}

// TestSensitivitiesOfABook: each profile adds to the list, the total is that of the forecast, and
// nothing is allocated where no reading refuses or catches up.
func TestSensitivitiesOfABook(t *testing.T) {
	asOf, until := day("2026-01-10"), day("2026-04-30")
	monthly := daily()
	monthly.Unit, monthly.Start, monthly.Finish = calendar.UnitMonth, day("2026-01-31"), day("2026-03-31")
	var book []engine.Sensitivity
	for _, p := range []engine.Profile{monthly, daily(), monthly} {
		alone, err := compare(engine.Stored{Profile: p}, asOf, until, engine.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(book)
		var total amount.Total
		if book, total, err = engine.New(engine.Policy{}).Sensitivities(book, engine.Stored{Profile: p}, asOf, calendar.Through(asOf, until)); err != nil {
			t.Fatal(err)
		}
		plan := compile(t, p, engine.State{}, "2026-01-10", engine.Policy{})
		if want := plan.Total(calendar.Through(asOf, until)); !total.Equal(want) || !reflect.DeepEqual(book, append(before, alone...)) {
			t.Errorf("%v and total %v, alone %v and total %v", book, total, alone, want)
		}
	}
	if len(book) != 8 {
		t.Errorf("%d changes, want 3 of month-end and 1 of finish-bound, twice", len(book))
	}
	kept, _, err := engine.New(engine.Policy{}).Sensitivities(book, engine.Stored{Profile: monthly}, asOf, calendar.Through(asOf.AddDays(-9), asOf.AddDays(-1)))
	if !errors.Is(err, ledger.Code("until")) || !reflect.DeepEqual(kept, book) {
		t.Errorf("%v, %v", kept, err)
	}
	if race.Enabled {
		return // the race detector allocates
	}
	allocated := testing.AllocsPerRun(100, func() {
		book, _, _ = engine.New(engine.Policy{}).Sensitivities(book[:0], engine.Stored{Profile: monthly}, asOf, calendar.Through(asOf, until))
	})
	if allocated > 0 {
		t.Errorf("%v allocations", allocated)
	}
}

// TestSensitivitiesOfAWindow: for every window that begins after as-of, a reading is named if the charges of the
// window, or the end after it, are not those under the policy in force, and only then; the first day and the totals are
// those of the two listings.
func TestSensitivitiesOfAWindow(t *testing.T) {
	asOf := day("2026-01-10")
	monthly, weekly, capped, ending := daily(), daily(), daily(), daily()
	monthly.Unit, monthly.Start = calendar.UnitMonth, day("2026-01-31")
	weekly.Unit, weekly.Finish = calendar.UnitWeek, day("2026-03-07")
	capped.Unit, capped.Start, capped.MaxRepeats = calendar.UnitMonth, day("2026-01-31"), engine.AtMost(2)
	ending.Interval, ending.Start, ending.Finish = 13, day("2026-01-01"), day("2026-04-02")
	missed := engine.State{Status: engine.StatusActive, Repeat: 1, RanThrough: asOf.AddDays(-1), Missed: []calendar.Window{calendar.Through(day("2026-01-02"), day("2026-01-06"))}}
	named := 0
	for _, pol := range []engine.Policy{{}, {MonthEnd: calendar.MonthEndSkip}, engine.Policy{}.WithReading(clause.L16b, 1)} {
		named += windowsAgree(t, pol, asOf, []engine.Stored{
			{Profile: monthly}, {Profile: weekly}, {Profile: capped}, {Profile: ending},
			{Profile: daily(), State: missed}, {Profile: monthly, State: engine.State{Status: engine.StatusActive, Repeat: 3, RanThrough: asOf.AddDays(-1)}},
		})
	}
	if named < 1500 {
		t.Errorf("only %d readings matter", named)
	}
}

// windowsAgree compares the changes of many windows with the listings, and counts them.
func windowsAgree(t *testing.T, pol engine.Policy, asOf calendar.Date, profiles []engine.Stored) (named int) {
	t.Helper()
	for _, s := range profiles {
		plan, err := engine.New(pol).Compile(s, asOf)
		if err != nil {
			t.Fatal(err)
		}
		for ahead := range 90 {
			w := calendar.Through(asOf.AddDays(ahead), asOf.AddDays(ahead+ahead%31))
			list, total, err := engine.New(pol).Sensitivities(nil, s, asOf, w)
			if err != nil || !total.Equal(plan.Total(w)) {
				t.Fatalf("%v: total %v, %v", w, total, err)
			}
			for c := range engine.Keys() {
				for i, value := range c.Entry().Values() {
					at := slices.IndexFunc(list, func(x engine.Sensitivity) bool { return x.Clause == c && x.Value == value })
					other, err := engine.New(pol.WithReading(c, i)).Compile(s, asOf)
					if err != nil {
						if at < 0 || list[at].Refused == "" || list[at].First != w.From {
							t.Errorf("%v: %s refuses the profile, and the window has %v", w, value, list)
						}
						continue
					}
					first := firstOfListings(plan, other, w)
					if first.IsZero() != (at < 0) || at >= 0 && (list[at].First != first || !list[at].Old.Equal(total) || !list[at].New.Equal(other.Total(w))) {
						t.Errorf("%v: %s=%s differs first on %q, and the window has %v", w, c.Entry().Key, value, first, list)
					}
					if at >= 0 {
						named++
					}
				}
			}
		}
	}
	return named
}

// firstOfListings finds the first day of a window on which two plans differ, from their charges one by one and their
// ends; the window's first day if only their ends do, by a stop before it or a repeat number.
func firstOfListings(p, o *engine.Plan, w calendar.Window) (first calendar.Date) {
	x, y := slices.Collect(p.Charges(w)), slices.Collect(o.Charges(w))
	note := func(d calendar.Date) {
		if d.Before(w.From) {
			d = w.From
		}
		if first.IsZero() || d.Before(first) {
			first = d
		}
	}
	for i := range max(len(x), len(y)) {
		if i < len(x) && i < len(y) && x[i].Date == y[i].Date && x[i].Slot == y[i].Slot && x[i].Repeat == y[i].Repeat {
			continue
		}
		if i < len(x) {
			note(x[i].Date)
		}
		if i < len(y) {
			note(y[i].Date)
		}
		break
	}
	a, b := p.End(w.Last()), o.End(w.Last())
	if a.Stop.Date != b.Stop.Date || a.Stop.Reasons != b.Stop.Reasons {
		for _, e := range []engine.End{a, b} {
			if !e.Stop.Date.IsZero() {
				note(e.Stop.Date)
			}
		}
	}
	if first.IsZero() && a.Repeat != b.Repeat {
		return w.From
	}
	return first
}

// TestFirstDifference: two plans of one profile first differ where their charges, their stops
// or their repeat numbers do.
func TestFirstDifference(t *testing.T) {
	monthly, hand := daily(), daily()
	monthly.Unit, monthly.Start = calendar.UnitMonth, day("2026-01-31")
	hand.Unit, hand.Interval, hand.Kind = 0, 0, engine.KindDestination
	skip := engine.Policy{MonthEnd: calendar.MonthEndSkip}
	fifth := engine.State{Status: engine.StatusActive, Repeat: 5}
	for _, r := range []struct {
		reason         string
		a, b           engine.Profile
		stateA, stateB engine.State
		polA, polB     engine.Policy
		until, want    string
	}{
		{"the same", monthly, monthly, engine.State{}, engine.State{}, engine.Policy{}, engine.Policy{}, "9999-12-31", ""},
		{"L01", monthly, monthly, engine.State{}, engine.State{}, engine.Policy{}, skip, "9999-12-31", "2026-02-28"},
		{"L01, not yet", monthly, monthly, engine.State{}, engine.State{}, engine.Policy{}, skip, "2026-02-27", ""},
		{"a repeat number alone", hand, hand, fifth, engine.State{Status: engine.StatusActive}, engine.Policy{}, engine.Policy{}, "2026-03-01", "2026-01-10"},
		{"another repeat number", daily(), daily(), fifth, engine.State{Status: engine.StatusActive}, engine.Policy{}, engine.Policy{}, "2026-03-01", "2026-01-10"},
	} {
		a := compile(t, r.a, r.stateA, "2026-01-10", r.polA)
		b := compile(t, r.b, r.stateB, "2026-01-10", r.polB)
		for _, got := range []calendar.Date{engine.FirstDifference(a, b, day(r.until)), engine.FirstDifference(b, a, day(r.until))} {
			if got.String() != r.want && !(got.IsZero() && r.want == "") {
				t.Errorf("%s: %v, want %s", r.reason, got, r.want)
			}
		}
	}
}
