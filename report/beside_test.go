package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// written returns a report of one profile with so many charges, and a summary.
func written(t *testing.T, o report.Options, charges int, sum record.ForecastSummary) string {
	t.Helper()
	var b bytes.Buffer
	day := calendar.MustParse("2026-01-10")
	w := report.NewWriter(&b, record.Header{Schema: record.SchemaForecast, AsOf: day, Zone: "UTC"}, o)
	_ = w.Start(report.Profile{Subject: record.Subject{Profile: "order;1", Row: 1, Currency: "EUR"}})
	price := amount.MustParse("1234.50")
	for i := range charges {
		_ = w.Charge(&engine.Charge{Repeat: uint64(i), Date: day.AddDays(i), Slot: day.AddDays(i), Min: price, Max: price})
	}
	_ = w.End(&engine.End{Status: engine.StatusActive, Repeat: uint64(charges)})
	_ = w.Summary(sum)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSummaryStandsAbove: rows that were left out, and profiles that were taken as new, left no trace in what people read.
func TestSummaryStandsAbove(t *testing.T) {
	sum := record.ForecastSummary{Profiles: 1, LeftOut: 2, TakenAsNew: 1, Charges: 3, CardExpired: 1}
	const leftOut, taken, expired = "2 rows with errors left out", "1 profile with a start before 2026-01-10 and no state taken as new (ask)", "1 charge after the card's expiry"
	for _, form := range []report.Form{report.FormTable, report.FormCalendar, report.FormHTML} {
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

// TestExcelOfGermany: a German spreadsheet read neither the separators nor the decimals nor the days of our CSV.
func TestExcelOfGermany(t *testing.T) {
	const want = "\ufeffprofile;row;repeat;date;slot;amount;min;max;currency\n\"order;1\";1;0;10.01.2026;;1234,50;;;EUR\n"
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

// TestDiffForms: what differs, in each form for people.
func TestDiffForms(t *testing.T) {
	day, price := calendar.MustParse("2026-01-31"), amount.MustParse("10.00")
	was := &record.Timeline{Subject: record.Subject{Profile: "a<b", Row: 1, Currency: "EUR"}, Charges: []engine.Charge{{Date: day, Slot: day, Min: price, Max: price}}, End: engine.End{Status: engine.StatusActive, Repeat: 1}}
	is := &record.Timeline{Subject: record.Subject{Profile: "new", Row: 2, Currency: "EUR"}, End: engine.End{Status: engine.StatusActive}}
	for form, want := range map[report.Form][]string{
		report.FormTable: {"a<b (row 1)  only in OLD\n  removed 2026-01-31 Sat repeat 0 10.00 EUR\n  end     active, next repeat 1\n", "\n\nnew (row 2)  only in NEW\n", "\nMoney\n  EUR 10.00 -> 0\n", "added 0, removed 1, moved 0, changed 0, ends that differ 2\n"},
		report.FormCSV:   {"profile,kind,old_date,", "\na<b,removed,2026-01-31,,0,10.00,,,EUR,,,,,,,,,,,\n", "\nnew,end,,,,,,,,,,,,0,,,,,active,\n"},
		report.FormHTML:  {"<title>Differences", "a&lt;b (row 1)", "2026-01-31 Sat repeat 0 10.00 EUR", `id="money"`},
	} {
		var b bytes.Buffer
		w := report.NewDiffWriter(&b, record.Header{Schema: record.SchemaDiff, AsOf: day}, false, report.Options{Form: form})
		d := record.NewDiff(new(record.Side), new(record.Side), w)
		d.Compare(was, nil)
		d.Compare(nil, is)
		d.Compare(is, is)
		d.Finish()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, text := range want {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%v: no %q in\n%s", form, text, &b)
			}
		}
	}
}
