package record_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// joinOf reads a state file into a join as of 2026-03-01, and returns what Add found.
func joinOf(t *testing.T, file string) (*record.StateJoin, []string) {
	t.Helper()
	j := record.NewStateJoin(day("2026-03-01"))
	var found []string
	for l, err := range record.ReadStates(strings.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Add(l); err != nil {
			found = append(found, short(t, err))
		}
	}
	return j, found
}

// short is the place, severity and code of a finding.
func short(t *testing.T, err error) string {
	t.Helper()
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok || f.Help == "" || f.Message == "" || f.Clause == 0 {
		t.Fatalf("%v is not a finding with message, help and clause", err)
	}
	return fmt.Sprintf("%d:%d %s %s", f.Place.Line, f.Place.Col, f.Severity, f.Code)
}

// TestJoinOfStates: each row gets the state of its own profile, once, and lines that contradict each
// other or the day are never used (L47).
func TestJoinOfStates(t *testing.T) {
	file := `{"profile":"a","repeat":3}

{"profile":"twice","repeat":1}
{"profile":"twice","repeat":2}
{"profile":"ahead","ran_through":"2026-03-02"}
{"profile":"today","ran_through":"2026-03-01","paid":["2026-03-01"],"repeat":1}
{"profile":"paid","paid":["2026-02-01","2026-03-02"]}
{"profile":"skipped"}
{"profile":"nobody"}
{"profile":"","repeat":9}
`
	j, found := joinOf(t, file)
	want := []string{"4:1 error state-profile-duplicate", "5:1 error state-conflict", "7:1 error state-conflict"}
	if !slices.Equal(found, want) {
		t.Errorf("Add found %q, want %q", found, want)
	}
	if j.Len() != 8 {
		t.Errorf("%d profiles, want 8", j.Len())
	}
	for _, test := range []struct {
		reason, profile, file string
		row                   int
		repeat                uint64
		ok                    bool
		err                   string
	}{
		{"the state of the profile", "a", "x.csv", 1, 3, true, ""},
		{"without a line a profile is new", "A", "x.csv", 2, 0, true, ""},
		{"an empty id is an id", "", "x.csv", 3, 9, true, ""},
		{"neither of two lines is right", "twice", "x.csv", 4, 1, false, ""},
		{"a run still to come", "ahead", "x.csv", 5, 0, false, ""},
		{"a run of the day itself has taken place", "today", "x.csv", 6, 1, true, ""},
		{"a payment still to come", "paid", "x.csv", 7, 0, false, ""},
		{"a row of the same number in another file", "a", "y.csv", 1, 0, false,
			"1:1: row 1 of x.csv and row 1 of y.csv have the same client-orderid"},
		{"the third row meets the first", "a", "y.csv", 2, 0, false, "row 1 of x.csv and row 2 of y.csv"},
	} {
		l, ok, err := j.Join(test.profile, ledger.Place{File: test.file, Row: test.row})
		if ok != test.ok || l.State.Repeat != test.repeat || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %+v, %t, %v", test.reason, l, ok, err)
		}
	}
	j.Skip("skipped")
	j.Skip("in no line")
	var unused []string
	for f := range j.Unused() {
		unused = append(unused, short(t, f))
	}
	if want := []string{"9:1 warning state-profile-unknown"}; !slices.Equal(unused, want) {
		t.Errorf("unused %q, want %q", unused, want)
	}
	for range j.Unused() {
		break // a sequence that goes on after that panics
	}
	if s, ok := j.State("twice"); !ok || s.Repeat != 1 {
		t.Errorf("State of a line that cannot be used: %+v, %t; validation asks for it", s, ok)
	}
	if _, ok := j.State("A"); ok {
		t.Error("State of no line")
	}
}

// TestJoinOfOnePayload: rows of one payload are named without a file.
func TestJoinOfOnePayload(t *testing.T) {
	j, _ := joinOf(t, `{"profile":"a"}`)
	if _, ok, err := j.Join("a", ledger.Place{Row: 2}); !ok || err != nil {
		t.Error(ok, err)
	}
	_, _, err := j.Join("a", ledger.Place{Row: 7})
	if short(t, err) != "1:1 error state-profile-ambiguous" || !strings.Contains(err.Error(), "rows 2 and 7 have") {
		t.Error(err)
	}
}

// TestJoinReadsWhatItKept: lines of a file of any shape, blank lines and gaps in it, join in any order.
func TestJoinReadsWhatItKept(t *testing.T) {
	const n = 500
	var file strings.Builder
	for i := range n {
		fmt.Fprintf(&file, "%s{\"profile\":\"p%d\",\"repeat\":%d}\n", strings.Repeat("\n", i%3), i, i+1)
	}
	j, _ := joinOf(t, file.String())
	for i := n - 1; i >= 0; i -= 2 {
		if l, ok, err := j.Join(fmt.Sprint("p", i), ledger.Place{Row: n - i}); !ok || err != nil || l.State.Repeat != uint64(i+1) {
			t.Fatal(i, l, ok, err)
		}
	}
	left := 0
	for range j.Unused() {
		left++
	}
	if left != n/2 {
		t.Errorf("%d lines are unused, want %d", left, n/2)
	}
}

// TestPaidDates: paid dates written by hand are checked against the counter and the schedule (L13, 2.2.7).
func TestPaidDates(t *testing.T) {
	monthly := engine.Profile{Start: day("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1}
	uncounted, off := "3:1 warning state-paid-uncounted", "3:1 warning state-paid-off-schedule"
	paid := func(repeat uint64, dates ...string) engine.State {
		s := engine.State{Repeat: repeat}
		for _, d := range dates {
			s.Paid = append(s.Paid, day(d))
		}
		return s
	}
	saved := paid(0, "2026-01-02")
	saved.Last = day("2026-02-28")
	moved := paid(1, "2026-01-05", "2026-02-05")
	moved.Anchor = day("2026-01-05")
	for _, test := range []struct {
		reason  string
		state   engine.State
		profile engine.Profile
		end     calendar.MonthEnd
		want    []string
	}{
		{"nothing is paid", paid(0), monthly, calendar.MonthEndClamp, nil},
		{"due days that are counted", paid(2, "2026-01-31", "2026-02-28"), monthly, calendar.MonthEndClamp, nil},
		{"due days that are not counted", paid(0, "2026-01-31"), monthly, calendar.MonthEndClamp, []string{uncounted}},
		{"the day after", paid(1, "2026-02-01"), monthly, calendar.MonthEndClamp, []string{off}},
		{"both, and one finding for two days", paid(0, "2026-02-01", "2026-02-02"), monthly, calendar.MonthEndClamp, []string{uncounted, off}},
		{"a due day of another reading", paid(1, "2026-02-28"), monthly, calendar.MonthEndSkip, []string{off}},
		{"before the first due day", paid(1, "2025-12-31"), monthly, calendar.MonthEndClamp, []string{off}},
		{"a saved state may be of an earlier schedule", saved, monthly, calendar.MonthEndClamp, nil},
		{"counted from the anchor", moved, monthly, calendar.MonthEndClamp, nil},
		{"without a schedule no day is off it", paid(1, "2026-02-02"), engine.Profile{}, calendar.MonthEndClamp, nil},
	} {
		var got []string
		for _, f := range (record.StateLine{Line: 3, State: test.state}).CheckPaid(test.profile, test.end) {
			got = append(got, short(t, f))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.reason, got, test.want)
		}
	}
	for n, want := range []string{1: "1 paid date, but", 2: "2 paid dates, but"} {
		found := record.StateLine{State: paid(0, []string{"2026-01-31", "2026-02-28"}[:n]...)}.CheckPaid(monthly, calendar.MonthEndClamp)
		if n > 0 && !strings.Contains(found[0].Message, want) {
			t.Errorf("%q, want %q", found[0].Message, want)
		}
	}
}
