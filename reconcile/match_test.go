package reconcile_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// A sheet writes what a match finds as short lines.
type sheet struct {
	lines   []string
	records []record.Record
	at      string
	policy  engine.Policy
}

func (s *sheet) Begin(r reconcile.Result) { s.policy = r.Policy }
func (s *sheet) Start(of record.Profile)  { s.at = of.Subject.Profile }
func (s *sheet) Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error {
	text := s.at + " " + kind.String()
	if expected != nil {
		text += " " + expected.Date.String()[5:] + "=" + expected.Min.String()
	}
	if actual != nil {
		text += fmt.Sprint(" @", actual.Line)
	}
	s.lines = append(s.lines, text)
	return nil
}
func (s *sheet) Write(r record.Record) error {
	s.records = append(s.records, r)
	switch r := r.(type) {
	case record.Unexplained:
		s.lines = append(s.lines, r.Profile+" unexplained "+r.Nearest+" "+r.First.Kind.String())
	case record.Reconciled:
		s.lines = append(s.lines, fmt.Sprint(r.Profile, " ", r.Kind, " @", r.Actual.Line))
	}
	return nil
}

func rowsOf(rows ...*reconcile.Row) iter.Seq2[*reconcile.Row, error] {
	return func(yield func(*reconcile.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func day(s string) calendar.Date { return calendar.MustParse(s) }

func money(s string) amount.Amount {
	a, err := amount.Parse(s)
	if err != nil {
		panic(err)
	}
	return a
}

// row returns a monthly profile of 10.00 EUR.
func row(id, start string) *reconcile.Row {
	r := &reconcile.Row{ID: id, Subject: record.Subject{Profile: id, Row: 1, Currency: "EUR"}}
	r.Stored.Profile = engine.Profile{
		ID: id, Kind: engine.KindSource, Start: day(start), Unit: calendar.UnitMonth, Interval: 1,
		Amounts: amount.Fixed(money("10.00")), Currency: "EUR",
	}
	return r
}

func (s *sheet) run(t *testing.T, o reconcile.Options, text string, rows ...*reconcile.Row) (reconcile.Result, []ledger.Finding) {
	t.Helper()
	var found []ledger.Finding
	o.Report = func(err error) {
		f, ok := errors.AsType[ledger.Finding](err)
		if !ok {
			t.Errorf("%v is reported, which is not a finding", err)
		}
		found = append(found, f)
	}
	result, err := reconcile.Match(rowsOf(rows...), reconcile.Actuals(strings.NewReader(text), reconcile.ReadOptions{}), o, s)
	if err != nil {
		t.Fatal(err)
	}
	return result, found
}

// TestMatching: what becomes of charges and lines.
func TestMatching(t *testing.T) {
	random := row("a", "2026-01-15")
	random.Stored.Profile.Amounts, _ = amount.Range(money("1.00"), money("5.00"), "EUR")
	declined := row("a", "2026-01-15")
	declined.Script.Outcomes = map[uint64]engine.Outcome{1: engine.OutcomeDeclined}
	twice := row("a", "2026-01-15")
	twice.Script.Steps = []engine.Step{{Event: engine.Event{Date: day("2026-02-15"), Kind: engine.EventCharge}}}
	twice.Script.Outcomes = map[uint64]engine.Outcome{1: engine.OutcomeDeclined}
	capped := row("a", "2026-01-15") // far from its cap
	capped.Stored.Profile.MaxRepeats = engine.AtMost(12)
	for _, test := range []struct {
		name  string
		row   *reconcile.Row
		lag   int
		lines string
		want  string
	}{
		{"all", nil, 0, "a,2026-01-15,10.00\na,2026-02-15,10\na,2026-03-15,10.000", "matched 01-15=10.00 @2, matched 02-15=10.00 @3, matched 03-15=10.00 @4"},
		{"a lost line", nil, 0, "a,2026-01-15,10.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, missing 02-15=10.00, matched 03-15=10.00 @3, unexplained  missing"},
		{"an extra line in the middle", nil, 0, "a,2026-01-15,10.00\na,2026-01-20,10.00\na,2026-02-15,10.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, extra @3, matched 02-15=10.00 @4, matched 03-15=10.00 @5, unexplained  extra"},
		{"a doubled line", nil, 0, "a,2026-02-15,10.00\na,2026-02-15,10.00\na,2026-01-15,10.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @4, matched 02-15=10.00 @2, extra @3, matched 03-15=10.00 @5, unexplained  extra"},
		{"another amount", nil, 0, "a,2026-01-15,10.00\na,2026-02-15,11.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, amount 02-15=10.00 @3, matched 03-15=10.00 @4, unexplained  amount"},
		{"late", nil, 3, "a,2026-01-18,10.00\na,2026-02-15,10.00\na,2026-02-16,10.00\na,2026-03-15,10.00",
			"late 01-15=10.00 @2, matched 02-15=10.00 @3, extra @4, matched 03-15=10.00 @5, unexplained  extra"},
		{"nearest late", nil, 40, "a,2026-01-20,10.00\na,2026-02-16,10.00\na,2026-02-17,10.00\na,2026-03-15,10.00",
			"late 01-15=10.00 @2, late 02-15=10.00 @3, extra @4, matched 03-15=10.00 @5, unexplained  extra"},
		{"the end is open with a lag", nil, 20, "a,2026-01-15,10.00\na,2026-02-15,10.00", "matched 01-15=10.00 @2, matched 02-15=10.00 @3"},
		{"refunds, other currencies and days after", nil, 0,
			"a,2026-01-15,10.00\na,2026-01-16,-10.00\na,2026-02-15,10.00,USD\na,2026-02-15,10.00,EUR\na,2026-03-15,10.00\na,2026-04-01,10.00",
			"matched 01-15=10.00 @2, unknown @3, matched 02-15=10.00 @5, unknown @4, matched 03-15=10.00 @6"},
		{"before its creation", nil, 0, "a,2025-12-15,10.00\na,2026-01-15,10.00\na,2026-02-15,10.00\na,2026-03-15,10.00",
			"extra @2, matched 01-15=10.00 @3, matched 02-15=10.00 @4, matched 03-15=10.00 @5, unexplained  extra"},
		{"looked", nil, 0, "a,2026-01-15,10.00\na,2026-01-16,,,none\na,2026-02-15,,,none\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, matched @3, missing 02-15=10.00 @4, matched 03-15=10.00 @5, unexplained  missing"},
		{"looked and late", nil, 2, "a,2026-01-15,,,none\na,2026-01-16,10.00\na,2026-02-15,10.00\na,2026-03-15,,,none",
			"late 01-15=10.00 @3, matched @2, matched 02-15=10.00 @4, missing 03-15=10.00 @5, unexplained  missing"},
		{"random", random, 0, "a,2026-01-15,1.00\na,2026-02-15,5.01\na,2026-03-15,5.00\na,2026-03-15,0.99",
			"matched 01-15=1.00 @2, amount 02-15=1.00 @3, matched 03-15=1.00 @4, extra @5, unexplained  amount"},
		{"declined needs no line", declined, 0, "a,2026-01-15,10.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, matched 02-15=10.00, matched 03-15=10.00 @3"},
		{"declined may have one", declined, 0, "a,2026-01-15,10.00\na,2026-02-15,10.00,,declined\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, matched 02-15=10.00 @3, matched 03-15=10.00 @4"},
		{"of a declined and an approved charge the approved one has the line", twice, 0, "a,2026-01-15,10.00\na,2026-02-15,10.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, matched 02-15=10.00, matched 02-15=10.00 @3, matched 03-15=10.00 @4"},
		{"a key that changes no charge is not named", capped, 0, "a,2026-01-15,10.00\na,2026-03-15,10.00",
			"matched 01-15=10.00 @2, missing 02-15=10.00, matched 03-15=10.00 @3, unexplained  missing"},
		{"nothing was charged", nil, 0, "", "missing 01-15=10.00, missing 02-15=10.00, missing 03-15=10.00"},
		{"strangers", nil, 0, "x,2026-01-15,10.00\na,2026-01-15,10.00\na,2026-02-15,10.00\na,2026-03-15,10.00\nb,2026-01-15,1.00\nx,2027-01-01,1.00",
			"matched 01-15=10.00 @3, matched 02-15=10.00 @4, matched 03-15=10.00 @5, x unknown @2, b unknown @6"},
	} {
		if test.row == nil {
			test.row = row("a", "2026-01-15")
		}
		var s sheet
		s.run(t, reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-03-20"), Lag: test.lag}, "profile,date,amount,currency,outcome\n"+pad(test.lines), test.row)
		got := strings.ReplaceAll(", "+strings.Join(s.lines, ", "), ", a ", ", ")[2:]
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// pad gives every line five values.
func pad(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		b.WriteString(line + strings.Repeat(",", 4-strings.Count(line, ",")) + "\n")
	}
	return b.String()
}

// TestOrder: the order of the lines and of the rows changes nothing but which of equal lines is
// matched.
func TestOrder(t *testing.T) {
	lines := []string{"a,2026-01-31,10.00", "a,2026-02-28,10.00", "a,2026-03-31,10.00", "b,2026-01-31,9.00", "b,2026-02-28,10.00", "b,2026-03-31,10.00", "c,2026-01-31,1.00"}
	o := reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-03-31"), Lag: 1}
	var want []string
	for n := range len(lines) {
		var s sheet
		rotated := slices.Concat(lines[n:], lines[:n])
		r, _ := s.run(t, o, "profile,date,amount\n"+strings.Join(rotated, "\n"), row("a", "2026-01-31"), row("b", "2026-01-31"))
		for i := range s.lines {
			s.lines[i], _, _ = strings.Cut(s.lines[i], " @")
		}
		s.lines = append(s.lines, r.Summary.Policy)
		if n == 0 {
			want = s.lines
		}
		if !slices.Equal(s.lines, want) {
			t.Errorf("rotated by %d:\n%q\nwant\n%q", n, s.lines, want)
		}
	}
	if want[len(want)-1] != "month-end=clamp" {
		t.Errorf("observed %q", want)
	}
}

// TestProblems: rows without a day or with two, rows that share an id, and days that are said to be
// without a charge twice.
func TestProblems(t *testing.T) {
	b, c := row("b", "2026-01-15"), row("c", "2026-01-15")
	var s sheet
	r, found := s.run(t, reconcile.Options{Through: day("2026-03-20")},
		"profile,date,amount,outcome,created\na,2026-01-15,10.00,,2026-01-01\na,2026-02-15,10,,\na,2026-03-15,10,,\n"+
			"b,2026-01-15,10.00,,2026-01-01\nb,2026-02-15,10,,2026-01-02\nc,2026-01-15,1,,\nd,2026-01-15,1,,\n"+
			"e,2026-01-16,,none,2026-01-01\ne,2026-01-16,,none,\ne,2026-02-15,,none,\ne,2026-02-15,10,,\n",
		row("a", "2026-01-15"), b, c, row("d", "2026-01-15"), row("d", "2026-02-15"), row("e", "2026-02-15"))
	var codes []string
	for _, f := range found {
		codes = append(codes, fmt.Sprint(f.Code, " ", f.Place.Profile, " ", f.Place.Line))
	}
	want := []string{"profile-repeated d 0", "profile-repeated d 0", "profile-day b 0", "profile-day c 0", "actual-none e 10", "actual-none e 11"}
	if !slices.Equal(codes, want) {
		t.Errorf("found %q, want %q", codes, want)
	}
	lines := "a matched 01-15=10.00 @2, a matched 02-15=10.00 @3, a matched 03-15=10.00 @4, b unknown @5, b unknown @6, c unknown @7, " +
		"e matched @9, e matched 02-15=10.00 @12, e missing 03-15=10.00, d unknown @8" // e has lines with a problem
	if got := strings.Join(s.lines, ", "); got != lines {
		t.Errorf("\n got %s\nwant %s", got, lines)
	}
	stated := row("a", "2026-01-15")
	stated.Stored.State.Status = engine.StatusActive
	if _, found := s.run(t, reconcile.Options{Through: day("2026-03-20")}, "profile,date,amount,created\na,2026-01-15,10.00,2026-01-01", stated); len(found) != 1 || strings.Contains(found[0].Help, "created") {
		t.Errorf("of a profile with a state, whose lines cannot say it: %v", found)
	}
	if r.Summary.LeftOut != 4 || r.Summary.Unknown != 4 || r.Summary.Matched != 5 || r.Summary.Unreadable != 2 {
		t.Errorf("summary %+v", r.Summary)
	}
}

// TestMatchSaysWhatIsMissing: without the last day nothing is compared, which is an error and no
// agreement.
func TestMatchSaysWhatIsMissing(t *testing.T) {
	o := reconcile.Options{AsOf: day("2026-01-10")}
	_, err := reconcile.Match(rowsOf(row("a", "2026-01-15")), reconcile.Actuals(strings.NewReader("profile,date,amount\n"), reconcile.ReadOptions{}), o, new(sheet))
	if err == nil || !strings.Contains(err.Error(), "Options.Through") {
		t.Error(err)
	}
}

// TestMatchCounts: without a Writer there are the counts, and rows that are left out agree with
// nothing.
func TestMatchCounts(t *testing.T) {
	o := reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-01-31")}
	for lines, agrees := range map[string]bool{"a,2026-01-15,10.00\n": true, "": false} {
		r, err := reconcile.Match(rowsOf(row("a", "2026-01-15")), reconcile.Actuals(strings.NewReader("profile,date,amount\n"+lines), reconcile.ReadOptions{}), o, nil)
		if err != nil || r.Summary.Agrees() != agrees {
			t.Errorf("%q: %+v %v", lines, r.Summary, err)
		}
	}
	broken := row("a", "2026-01-15")
	broken.Stored.Profile.Kind = 0
	r, err := reconcile.Match(rowsOf(broken), reconcile.Actuals(strings.NewReader("profile,date,amount\n"), reconcile.ReadOptions{}), o, nil)
	if err != nil || r.Summary.LeftOut != 1 || r.Summary.Agrees() {
		t.Errorf("%+v agrees, %v", r.Summary, err)
	}
}

// TestRowSaysItOnce: a row needs no second id or currency beside those of its profile, and must not
// have another one.
func TestRowSaysItOnce(t *testing.T) {
	o := reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-02-20")}
	lines := func() iter.Seq2[*reconcile.Actual, error] {
		return reconcile.Actuals(strings.NewReader("profile,date,amount,currency\na,2026-01-15,10.00,EUR\na,2026-02-15,10.00,USD\n"), reconcile.ReadOptions{})
	}
	full, short := new(sheet), new(sheet)
	once := &reconcile.Row{Stored: row("a", "2026-01-15").Stored}
	for s, r := range map[*sheet]*reconcile.Row{full: row("a", "2026-01-15"), short: once} {
		if _, err := reconcile.Match(rowsOf(r), lines(), o, s); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(full.lines, short.lines) || len(full.lines) == 0 || once.ID != "" {
		t.Errorf("%q, not %q", short.lines, full.lines)
	}
	for says, change := range map[string]func(*reconcile.Row){
		"Row.ID":       func(r *reconcile.Row) { r.ID = "b" },
		"Row.Currency": func(r *reconcile.Row) { r.Currency = "USD" },
	} {
		r := row("a", "2026-01-15")
		change(r)
		if _, err := reconcile.Match(rowsOf(r), lines(), o, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}
