package rules

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

func TestValidate(t *testing.T) {
	row := func(change values) string { return line(destination(change)) }
	text := string(AppendHeader(nil)) + row(nil) + row(values{ColumnOrderID: "b", ColumnAmount: "1e3"}) + row(values{ColumnOrderID: "c", ColumnAmount: "0", ColumnStartDate: "1.2.2026"}) +
		row(values{ColumnOrderID: "d", ColumnAmount: "1e3", ColumnFinishDate: "1.2.2026"})
	report, err := Validate(strings.NewReader(text), options())
	if err != nil || report.OK() || report.Rows != 4 || report.Valid != 1 || report.Errors != 5 || len(report.Findings) != 5 {
		t.Errorf("%+v, %v", report, err)
	}
	want := []CodeCount{
		{AmountSyntax, ledger.SeverityError, 2, "amount", 2, 4},
		{AmountZero, ledger.SeverityError, 1, "amount", 3, 3},
		{DateSyntax, ledger.SeverityError, 2, "", 3, 4},
	}
	if len(report.Codes) != len(want) {
		t.Fatalf("%+v", report.Codes)
	}
	for i, c := range want {
		if report.Codes[i] != c {
			t.Errorf("%+v, want %+v", report.Codes[i], c)
		}
	}
	for text, ok := range map[string]bool{short: true, shortHeader: false, "": false, "PK\x03\x04": false, mark + short: true, short + "x\n": false} {
		if report, _ := Validate(strings.NewReader(text), options()); report.OK() != ok {
			t.Errorf("%q: %+v", text, report)
		}
	}
	o := options()
	o.Severity = map[ledger.Code]ledger.Severity{FormEscape: ledger.SeverityOff}
	if report, _ := Validate(strings.NewReader("payload=%zz"), o); report.OK() || report.Errors != 0 {
		t.Errorf("an unreadable payload whose finding is off: %+v", report)
	}
	o.Severity = map[ledger.Code]ledger.Severity{NoRows: ledger.SeverityOff}
	if report, _ := Validate(strings.NewReader(shortHeader), o); report.OK() || report.Errors != 0 {
		t.Errorf("a payload without rows whose finding is off: %+v", report)
	}
	broken := errors.New("broken")
	if _, err := Validate(io.MultiReader(strings.NewReader(short), iotest.ErrReader(broken)), options()); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// TestCodeCountRows: findings that are not about a row do not count as rows.
func TestCodeCountRows(t *testing.T) {
	for _, c := range []struct {
		reason      string
		rows        []int
		first, last int
	}{
		{"about the header alone", []int{0, 0}, 0, 0}, {"about the header, then rows", []int{0, 4, 7}, 4, 7}, {"rows, then the end", []int{4, 7, 0}, 4, 7}, {"one row", []int{1}, 1, 1},
	} {
		var count CodeCount
		for i, row := range c.rows {
			if n := count.Add(ledger.Finding{Place: ledger.Place{Row: row}}); n != i+1 {
				t.Errorf("%s: %d", c.reason, n)
			}
		}
		if count.FirstRow != c.first || count.LastRow != c.last {
			t.Errorf("%s: %+v", c.reason, count)
		}
	}
}

// TestReportsStaySmall: of any number of findings a report keeps some of each code, and counts all.
func TestReportsStaySmall(t *testing.T) {
	const rows = 20_000 // whose findings would take megabytes
	in := func() io.Reader {
		return io.MultiReader(strings.NewReader(shortHeader), strings.NewReader(strings.Repeat("x\n", rows)))
	}
	o := options()
	for most, want := range map[int]int{0: 100, 3: 3, -1: 0} {
		o.MaxFindings = most
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		report, err := Validate(in(), o)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if err != nil || len(report.Findings) != want || report.Errors != rows || report.Codes[0].Count != rows || report.Codes[0].LastRow != rows {
			t.Errorf("at most %d: %d findings, %+v, %v", most, len(report.Findings), report.Codes, err)
		}
		if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 1<<20 {
			t.Errorf("%d bytes are held", held)
		}
	}
}

// TestNoForecastNoRow: a row that can be used compiles on the as-of day and under the policy of the options, so there is none where
// these are not valid.
func TestNoForecastNoRow(t *testing.T) {
	for reason, change := range map[string]func(*Options){
		"a day past the calendar":          func(o *Options) { o.AsOf = calendar.MaxDate().AddDays(1) },
		"a policy value that there is not": func(o *Options) { o.Policy.MonthEnd = 99 },
	} {
		o := options()
		o.Severity = map[ledger.Code]ledger.Severity{CardExpired: ledger.SeverityOff}
		text := document(source(nil), destination(nil))
		if j := judge(text, o); len(j.rows) != 2 {
			t.Fatalf("%s: %d rows without it, %s", reason, len(j.rows), verdict(j.problems))
		}
		change(&o)
		if j := judge(text, o); len(j.rows) != 0 || j.summary.Rows != 2 || j.summary.Valid != 0 {
			t.Errorf("%s: %d rows, %+v, %s", reason, len(j.rows), j.summary, verdict(j.problems))
		}
	}
}
