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
	for text, ok := range map[string]bool{short: true, shortHeader: false, "": false, "PK\x03\x04": false, mark + short: true, short + "x\n": false} {
		if report, _ := Validate(strings.NewReader(text), options()); report.OK() != ok {
			t.Errorf("%q: %+v", text, report)
		}
	}
	o := options()
	o.Severity = map[ledger.Code]ledger.Severity{FormEscape: ledger.SeverityOff}
	if report, _ := Validate(strings.NewReader("payload=%zz"), o); report.OK() || report.Errors != 1 {
		t.Errorf("an unreadable payload whose finding is off: %+v", report)
	}
	o.Severity = map[ledger.Code]ledger.Severity{NoRows: ledger.SeverityOff}
	if report, _ := Validate(strings.NewReader(shortHeader), o); report.OK() || report.Errors != 1 {
		t.Errorf("a payload without rows whose finding is off: %+v", report)
	}
	broken := errors.New("broken")
	if _, err := Validate(io.MultiReader(strings.NewReader(short), iotest.ErrReader(broken)), options()); !errors.Is(err, broken) {
		t.Error(err)
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
		if err != nil || len(report.Findings) != want || report.Errors != rows {
			t.Errorf("at most %d: %d findings, %+v, %v", most, len(report.Findings), report.Errors, err)
		}
		if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 1<<20 {
			t.Errorf("%d bytes are held", held)
		}
	}
}

// TestOptionsThatNoTableHas: an option with a value that there is not is an error, and nothing is read; Validate said that a
// payload without a usable row is right.
func TestOptionsThatNoTableHas(t *testing.T) {
	for reason, change := range map[string]func(*Options){
		"a day past the calendar":          func(o *Options) { o.AsOf = calendar.MaxDate().AddDays(1) },
		"a policy value that there is not": func(o *Options) { o.Policy.MonthEnd = 77 },
		"a severity that there is not":     func(o *Options) { o.Severity = map[ledger.Code]ledger.Severity{IntervalValue: 99} },
		"an input that there is not":       func(o *Options) { o.Input = 77 },
	} {
		o := options()
		change(&o)
		report, err := Validate(strings.NewReader(document(source(nil))), o)
		if !errors.Is(err, OptionValue) || report.OK() || report.Rows != 0 {
			t.Errorf("%s: %v, %+v", reason, err, report)
		}
		if j := judge(document(source(nil)), o); len(j.rows) != 0 || !errors.Is(j.err, OptionValue) || verdict(j.problems) != "E payload-option" {
			t.Errorf("%s: a Reader: %v, %s", reason, j.err, verdict(j.problems))
		}
	}
}

// TestAsOfMissing: without the current date nothing is judged, whatever the severities; start-past, card-expired and
// what needs a forecast were left out without a word.
func TestAsOfMissing(t *testing.T) {
	o := Options{Severity: map[ledger.Code]ledger.Severity{AsOfMissing: ledger.SeverityOff}}
	if report, err := Validate(strings.NewReader(short), o); !errors.Is(err, AsOfMissing) || report.OK() {
		t.Errorf("%v, %+v", err, report)
	}
	if j := judge(short, o); len(j.rows) != 0 || verdict(j.problems) != "E as-of-missing" || !errors.Is(j.err, AsOfMissing) {
		t.Errorf("%v, %v", j.problems, j.err)
	}
}
