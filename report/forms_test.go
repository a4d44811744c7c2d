package report_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// readCSV reads what was written with another reader.
func readCSV(t *testing.T, out []byte) [][]string {
	t.Helper()
	list, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return list
}

// TestCSVFields come back as they were from another reader, whatever is in them.
func TestCSVFields(t *testing.T) {
	for _, id := range []string{"a,b", `a"b"`, " a", "a ", `"`, "", "a;b", "1=1", "a\nb", "界"} {
		p := demo()[1]
		p.ID = id
		list := readCSV(t, write(t, header("2026-01-10", "2026-02-28"), report.Options{Form: report.FormCSV, Explain: true}, p))
		want := [][]string{
			{"profile", "row", "repeat", "date", "slot", "amount", "min", "max", "currency", "card_expired", "because"},
			{strings.ReplaceAll(id, "\n", `\u000a`), "1", "0", "2026-01-20", "", "", "5.00", "15.00", "USD", "", "2.1 2.2.1 2.2.4 2.2.5 2.2.7 L36d"},
			{strings.ReplaceAll(id, "\n", `\u000a`), "1", "1", "2026-02-20", "", "", "5.00", "15.00", "USD", "", "2.2.1 2.2.5 L36d"},
		}
		if fmt.Sprint(list) != fmt.Sprint(want) {
			t.Errorf("%q: %q", id, list)
		}
	}
}

// TestCSVHasNoFormulas: what a spreadsheet would take for a formula (G07) has an apostrophe before
// it, in every column of texts, for charges and for totals; numbers and other texts have none.
func TestCSVHasNoFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`=HYPERLINK("https://example.com","x")`, `'=HYPERLINK("https://example.com","x")`},
		{"@SUM(A1:A9)", "'@SUM(A1:A9)"}, {"+1", "'+1"}, {"-1", "'-1"}, {"-", "'-"}, {"=", "'="},
		{"\t=1", `\u0009=1`}, {"\r=1", `\u000d=1`}, {" =1", " =1"}, {"'=1", "'=1"}, {"a=1", "a=1"}, {"1-2", "1-2"},
	} {
		options := report.Options{Form: report.FormCSV}
		var charges, totals bytes.Buffer
		w := report.NewWriter(&charges, record.Header{Schema: record.SchemaForecast}, options)
		w.Start(record.Profile{Subject: record.Subject{Profile: c.text, File: c.text, Row: 1, Currency: c.text}})
		_ = w.Charge(&engine.Charge{Date: date("2026-01-31"), Slot: date("2026-01-31")})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if row := readCSV(t, charges.Bytes())[1]; row[0] != c.want || row[1] != c.want || row[9] != c.want {
			t.Errorf("charge of %q: %q", c.text, row)
		}
		w = report.NewWriter(&totals, record.Header{Schema: record.SchemaForecast, By: engine.ByProfile}, options)
		_ = w.Total(&record.Total{By: engine.ByProfile, Value: c.text, File: c.text, Currency: c.text})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if row := readCSV(t, totals.Bytes())[1]; row[0] != c.want || row[1] != c.want || row[2] != c.want || row[3] != "0" {
			t.Errorf("total of %q: %q", c.text, row)
		}
	}
}

// TestCSVColumns: files are named where there are several, and every output has its columns, also
// without rows.
func TestCSVColumns(t *testing.T) {
	options := report.Options{Form: report.FormCSV}
	total := func(file string) *record.Total {
		return &record.Total{By: engine.ByProfile, Value: "order-1", File: file, Currency: "EUR"}
	}
	charge := engine.Charge{Date: date("2026-01-31"), Slot: date("2026-01-30"), Min: amount.MustParse("1"), Max: amount.MustParse("1")}
	for _, c := range []struct {
		reason string
		schema record.Schema
		by     engine.By
		do     func(w *report.Writer)
		want   string
	}{
		{"nothing", record.SchemaForecast, engine.ByCharge, func(*report.Writer) {}, "profile,row,repeat,date,slot,amount,min,max,currency,card_expired\n"},
		{"a simulation of nothing", record.SchemaSimulate, engine.ByWeek, func(*report.Writer) {},
			"week,currency,charges,min,max,mean,declined_charges,declined_min,declined_max,declined_mean\n"},
		{"charges of several files", record.SchemaForecast, engine.ByCharge, func(w *report.Writer) {
			w.Start(record.Profile{Subject: record.Subject{Profile: "order-1", File: "a,b.csv", Row: 7, Currency: "EUR"}})
			_ = w.Charge(&charge)
		}, "profile,file,row,repeat,date,slot,amount,min,max,currency,card_expired\norder-1,\"a,b.csv\",7,0,2026-01-31,2026-01-30,1,,,EUR,\n"},
		{"totals of several files", record.SchemaForecast, engine.ByProfile, func(w *report.Writer) { _ = w.Total(total("a.csv")) },
			"profile,file,currency,charges,min,max,mean,card_expires,card_expired_charges,card_expired_min,card_expired_max,card_expired_mean\norder-1,a.csv,EUR,0,0,0,0,,,,,\n"},
		{"totals of one", record.SchemaForecast, engine.ByProfile, func(w *report.Writer) { _ = w.Total(total("")) },
			"profile,currency,charges,min,max,mean,card_expires,card_expired_charges,card_expired_min,card_expired_max,card_expired_mean\norder-1,EUR,0,0,0,0,,,,,\n"},
	} {
		var b bytes.Buffer
		w := report.NewWriter(&b, record.Header{Schema: c.schema, By: c.by}, options)
		c.do(w)
		if err := w.Close(); err != nil || b.String() != c.want {
			t.Errorf("%s: %v\n%s", c.reason, err, b.String())
		}
	}
}

// TestLaterWindow: running totals go on from the charges before the window, the totals do not.
func TestLaterWindow(t *testing.T) {
	h := header("2026-01-10", "2026-04-30")
	h.From = date("2026-03-01")
	p := demo()[0]
	plan, err := engine.New(h.Policy).Compile(engine.Stored{Profile: p}, h.AsOf)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := report.NewWriter(&b, h, report.Options{})
	of := record.Profile{Subject: record.Subject{Profile: p.ID, Row: 1, Currency: p.Currency}}
	of.Before.Total = plan.Total(calendar.Through(h.AsOf, h.From.AddDays(-1)))
	w.Start(of)
	for c := range plan.Charges(calendar.Through(h.From, h.Until)) {
		_ = w.Charge(&c)
	}
	end := plan.End(h.Until)
	_ = w.End(&end)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"as of 2026-01-10 from 2026-03-01 to 2026-04-30", "2  2026-03-31 Tue ~      850.00     2550.00\n", "EUR  2 charges  1700.00\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestHeading names all that an answer depends on, within the width.
func TestHeading(t *testing.T) {
	h := header("2026-01-10", "2026-04-30")
	h.Schema, h.Seed, h.Next, h.Input = record.SchemaSimulate, 18446744073709551615, 12, "base64"
	var err error
	if h.Policy, err = engine.ParsePolicy("month-end=skip,start-past=catch-up,max-counts=repeats-after-first,run-missed=catch-up"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.NewWriter(&b, h, report.Options{Note: "chosen by the program"}).Close(); err != nil {
		t.Fatal(err)
	}
	want := `Simulation as of 2026-01-10 to 2026-04-30, chosen by the program, the first 12
  charges of each profile, seed 18446744073709551615, read from base64
Readings: month-end=skip, start-past=catch-up, max-counts=repeats-after-first,
          run-missed=catch-up; the others by default

No profile to show.
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// TestManyTotals: totals beyond those that are compared are all there, without bars, in little
// memory.
func TestManyTotals(t *testing.T) {
	h := header("2026-01-10", "2026-12-31")
	h.By = engine.ByProfile
	var b bytes.Buffer
	w := report.NewWriter(&b, h, report.Options{Width: 200})
	for i := range 10_000 {
		x := &record.Total{By: engine.ByProfile, Value: fmt.Sprintf("order-%05d", i), Currency: "EUR"}
		x.Charges = 1
		x.Max.Add(amount.MustParse("1.00"))
		x.Min = x.Max
		_ = w.Total(x)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\norder-"); n != 10_000 || strings.Contains(b.String(), "█") || !strings.Contains(b.String(), "EUR  10000 charges  10000.00") {
		t.Errorf("%d lines:\n%s", n, b.String()[b.Len()-200:])
	}
}

// TestLongNames: a client-orderid that its column has no room for has a line of its own, and is
// whole; the name of a file is above its profiles.
func TestLongNames(t *testing.T) {
	id := strings.Repeat("order", 12)
	h := header("2026-01-10", "2026-12-31")
	h.By = engine.ByProfile
	var b bytes.Buffer
	w := report.NewWriter(&b, h, report.Options{})
	for _, file := range []string{"a.csv", "b.csv"} {
		x := &record.Total{By: engine.ByProfile, Value: id, File: file, Currency: "EUR"}
		x.Charges = 1
		_ = w.Total(x)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"+id+"\n"); n != 2 || !strings.Contains(b.String(), "\nb.csv\n") {
		t.Errorf("%s", b.String())
	}
	for line := range strings.Lines(b.String()) {
		if termtext.Cells(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("%q is too wide", line)
		}
	}
}

// TestPageOfRefusals: a reading that refuses profiles says how many.
func TestPageOfRefusals(t *testing.T) {
	late := demo()[0]
	late.Start = date("2025-11-30")
	root := checkPage(t, write(t, header("2026-01-10", "2026-06-30"), pageOptions, late))
	var found []string
	for _, row := range rows(root.byID("other").up.all("table")[0])[1:] {
		found = append(found, row[0]+" "+row[3])
	}
	if !slices.Contains(found, "start-past=reject L03 1, all refused") || !slices.Contains(found, "start-past=count-missed L03 1") {
		t.Errorf("%q", found)
	}
	h := header("2026-01-10", "2026-06-30")
	h.Policy.MonthEnd = calendar.MonthEndSkip
	if text := checkPage(t, write(t, h, pageOptions, demo()[0])).all("header")[0].whole(); !strings.Contains(text, "readings: month-end=skip; the others by default") {
		t.Errorf("%q", text)
	}
}

// TestWithoutZone: an as-of day that was taken in no time zone, as the records of a gateway have
// it, is shown without one in every form. So is one in UTC or in the machine's own zone, for
// people: the names say nothing to them.
func TestWithoutZone(t *testing.T) {
	for _, form := range forms {
		h := header("2026-01-10", "2026-02-28")
		for _, zone := range []string{"UTC", "Local", "Europe/Berlin"} {
			h.Zone = zone
			shown := form == report.FormICS || form != report.FormCSV && zone == "Europe/Berlin"
			if out := string(write(t, h, report.Options{Form: form, Width: 80}, demo()[0])); strings.Contains(out, zone) != shown {
				t.Errorf("form %s, %s: shown %t, want %t", form, zone, !shown, shown)
			}
		}
		h.Zone = ""
		out := string(write(t, h, report.Options{Form: form, Width: 80}, demo()[0]))
		if strings.Contains(out, "2026-01-10 ()") || strings.Contains(out, "ZONE") || form == report.FormTable && !strings.Contains(out, "as of 2026-01-10 to") {
			t.Errorf("form %s: %.300s", form, out)
		}
	}
}
