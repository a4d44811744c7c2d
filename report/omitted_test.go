package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// written returns a report of one profile with so many charges, and a summary.
func written(t *testing.T, o report.Options, charges int, sum record.ForecastSummary) string {
	t.Helper()
	var b bytes.Buffer
	day := calendar.MustParse("2026-01-10")
	w := report.NewWriter(&b, record.Header{Schema: record.SchemaForecast, AsOf: day, Zone: "UTC"}, o)
	w.Start(record.Profile{Subject: record.Subject{Profile: "order;1", Row: 1, Currency: "EUR"}})
	price := amount.MustParse("1234.50")
	for i := range charges {
		_ = w.Charge(&engine.Charge{Repeat: uint64(i), Date: day.AddDays(i), Slot: day.AddDays(i), Min: price, Max: price})
	}
	_ = w.End(&engine.End{Status: engine.StatusActive, Repeat: uint64(charges)})
	_ = w.Write(sum)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSummaryStandsAbove: rows that were left out, and profiles that were taken as new, left no
// trace in what people read.
func TestSummaryStandsAbove(t *testing.T) {
	sum := record.ForecastSummary{Profiles: 1, LeftOut: 2, TakenAsNew: 1, Charges: 3, CardExpired: 1}
	const leftOut, taken, expired = "2 rows with errors left out", "1 profile with a start before 2026-01-10 and no state taken as new (ask)", "1 charge after the card's expiry"
	for _, form := range []report.Form{report.FormTable, report.FormHTML} {
		text := written(t, report.Options{Form: form, Remedies: "ask", Width: 200}, 3, sum)
		text = strings.ReplaceAll(text, "&#39;", "'")
		at := strings.Index(text, leftOut+"; "+taken+"; "+expired)
		if below := strings.Index(text, "order;1"); at < 0 || form == report.FormTable && below < at || !strings.Contains(text[at:], "EUR") {
			t.Errorf("%v: %d\n%s", form, at, text)
		}
		if text := written(t, report.Options{Form: form}, 3, record.ForecastSummary{Profiles: 1, Charges: 3}); strings.Contains(text, "left out") || strings.Contains(text, "Note:") {
			t.Errorf("%v: a note of nothing\n%s", form, text)
		}
	}
	long := written(t, report.Options{}, 40_000, sum)
	if at, total := strings.Index(long, leftOut), strings.Index(long, "\nTotal\n"); at < 0 || at > total || strings.Count(long, leftOut) != 1 {
		t.Errorf("a long table: %d, total at %d", at, total)
	}
	for _, form := range []report.Form{report.FormCSV, report.FormICS} {
		if text := written(t, report.Options{Form: form}, 3, sum); strings.Contains(text, "left out") {
			t.Errorf("%v has no place for comments\n%s", form, text)
		}
	}
}

// TestExcelOfGermany: a German spreadsheet read neither the separators nor the decimals nor the
// days of our CSV.
func TestExcelOfGermany(t *testing.T) {
	const want = "\ufeffprofile;row;repeat;date;slot;amount;min;max;currency;card_expired\n\"order;1\";1;0;10.01.2026;;1234,50;;;EUR;\n"
	if got := written(t, report.Options{Form: report.FormCSV, Excel: true}, 1, record.ForecastSummary{}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var b bytes.Buffer
	w := report.NewWriter(&b, record.Header{Schema: record.SchemaForecast, By: engine.ByDay}, report.Options{Form: report.FormCSV, Excel: true, Quantiles: []amount.Percent{}})
	total := record.Total{By: engine.ByDay, Value: "2026-01-31", Currency: "=1"}
	total.Add(amount.MustParse("1.50"), amount.MustParse("2.50"))
	_ = w.Total(&total)
	_ = w.Close()
	if got, want := b.String(), "\ufeffdate;currency;charges;min;max;mean\n31.01.2026;'=1;1;1,50;2,50;2,00\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDiff: the money and why it differs, then what differs, profile by profile.
func TestDiff(t *testing.T) {
	day, price := calendar.MustParse("2026-01-31"), amount.MustParse("10.00")
	was := &record.Timeline{Subject: record.Subject{Profile: "a<b", Row: 1, Currency: "EUR"}, Charges: []engine.Charge{{Date: day, Slot: day, Min: price, Max: price}}, End: engine.End{Status: engine.StatusActive, Repeat: 1}}
	is := &record.Timeline{Subject: record.Subject{Profile: "new", Row: 2, Currency: "EUR"}, End: engine.End{Status: engine.StatusActive}}
	for name, c := range map[string]struct {
		brief bool
		want  string
	}{
		"whole": {false, "EUR  10.00 -> 0.00\n  gone        -10.00, 1 profile\n\na<b (row 1)  only in OLD\n  removed 2026-01-31 10.00 EUR, repeat 0\n  end     active, next repeat 1\n" +
			"\nnew (row 2)  only in NEW\n  end     active, next repeat 0\n" +
			"\nadded 0, removed 1, moved 0, changed 0, ends that differ 2\n"},
		"brief": {true, "EUR  10.00 -> 0.00\n  gone        -10.00, 1 profile\n\nadded 0, removed 1, moved 0, changed 0, ends that differ 2\n"},
	} {
		var b bytes.Buffer
		w := report.NewDiffWriter(&b, record.Header{Schema: record.SchemaDiff, AsOf: day}, report.Options{})
		d := record.NewDiff(new(record.Side), new(record.Side), w)
		d.Brief = c.brief
		d.Compare(was, nil)
		d.Compare(nil, is)
		d.Compare(is, is)
		d.Finish()
		if err := w.Close(); err != nil || b.String() != c.want {
			t.Errorf("%s: %v\n%s", name, err, &b)
		}
	}
}

// TestExcelKeepsText: German Excel turned the ids 0012 and 1-2, and months, into numbers and days.
func TestExcelKeepsText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0012", `"=""0012"""`}, {"1-2", `"=""1-2"""`}, {"2026-03", `"=""2026-03"""`}, {"3E5", `"=""3E5"""`}, {"mar-7", `"=""mar-7"""`},
		{"WAHR", `"=""WAHR"""`}, {`1"2`, `"=""1""""2"""`}, {"order-1", "order-1"}, {"2026-W05", `"=""2026-W05"""`}, {"=1+1", "'=1+1"}, {"-5", "'-5"}, {"", ""},
	} {
		var b bytes.Buffer
		w := report.NewWriter(&b, record.Header{Schema: record.SchemaForecast, By: engine.ByProfile}, report.Options{Form: report.FormCSV, Excel: true})
		_ = w.Total(&record.Total{By: engine.ByProfile, Value: c.text, Currency: "EUR"})
		_ = w.Close()
		_, line, _ := strings.Cut(b.String(), "\n")
		if want := c.want + ";EUR;0;0;0;0;;;;;\n"; line != want {
			t.Errorf("%q: %q, want %q", c.text, line, want)
		}
	}
	var b bytes.Buffer
	w := report.NewWriter(&b, record.Header{Schema: record.SchemaForecast}, report.Options{Form: report.FormCSV, Excel: true, Explain: true})
	w.Start(record.Profile{Subject: record.Subject{Profile: "0012", File: "03-04", Row: 1, Currency: "EUR"}})
	_ = w.Charge(&engine.Charge{Date: date("2026-01-31"), Slot: date("2026-01-30"), Because: ledger.On(clause.Doc21)})
	_ = w.Close()
	if _, line, _ := strings.Cut(b.String(), "\n"); line != `"=""0012""";"=""03-04""";1;0;31.01.2026;30.01.2026;0;;;EUR;;"=""2.1"""`+"\n" {
		t.Errorf("%q", line)
	}
}
