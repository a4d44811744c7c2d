package report_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// printForecast writes the forecast of a profile, as a program that keeps profiles would.
func printForecast(out io.Writer, o report.Options) error {
	asOf, until := calendar.MustParse("2026-01-10"), calendar.MustParse("2026-03-31")
	gym := engine.Profile{
		ID: "gym", Kind: engine.KindSource, Currency: "EUR", Amounts: amount.Fixed(amount.MustParse("29.90")),
		Unit: calendar.UnitMonth, Interval: 1, Start: calendar.MustParse("2026-01-31"), MaxRepeats: engine.AtMost(2),
	}
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: gym}, asOf)
	if err != nil {
		return err
	}
	w := report.NewWriter(out, record.Header{Schema: record.SchemaForecast, AsOf: asOf, Until: until, Zone: "UTC"}, o)
	w.Start(record.Profile{Subject: record.Subject{Profile: gym.ID, Row: 1, Currency: gym.Currency}})
	for c := range plan.Charges(calendar.Through(asOf, until)) {
		_ = w.Charge(&c)
	}
	end := plan.End(until)
	_ = w.End(&end)
	return w.Close() // the first error of all
}

// A forecast as the command prints it.
func Example() {
	if err := printForecast(os.Stdout, report.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Forecast as of 2026-01-10 to 2026-03-31
	//
	// gym  row 1, EUR
	//   repeat  date                  amount       total
	//        0  2026-01-31 Sat ~       29.90       29.90
	//        1  2026-02-28 Sat ~       29.90       59.80
	//   stopped on 2026-02-28: max-repeats-number is reached ~
	//
	// Total
	//   EUR  2 charges  59.80
	//
	// ~ inferred from the document's wording   ? assumed where the document is silent
}

// The same for a spreadsheet.
func ExampleFormCSV() {
	if err := printForecast(os.Stdout, report.Options{Form: report.FormCSV}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// profile,row,repeat,date,slot,amount,min,max,currency,card_expired
	// gym,1,0,2026-01-31,,29.90,,,EUR,
	// gym,1,1,2026-02-28,,29.90,,,EUR,
}

// The same for a calendar program. Lines end in CRLF.
func ExampleFormICS() {
	var file bytes.Buffer
	if err := printForecast(&file, report.Options{Form: report.FormICS}); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(file.String()) {
		if strings.HasPrefix(line, "DTSTART") || strings.HasPrefix(line, "SUMMARY") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// DTSTART;VALUE=DATE:20260131
	// SUMMARY:gym: 29.90 EUR
	// DTSTART;VALUE=DATE:20260228
	// SUMMARY:gym: 29.90 EUR
	// DTSTART;VALUE=DATE:20260228
	// SUMMARY:gym: stopped
}

// The same as a page for a browser: one file, which asks the network for nothing.
func ExampleFormHTML() {
	var page bytes.Buffer
	if err := printForecast(&page, report.Options{Form: report.FormHTML}); err != nil {
		log.Fatal(err)
	}
	first, _, _ := strings.Cut(page.String(), "\n")
	fmt.Println(first, strings.Contains(page.String(), "59.80"), page.Len() < 300_000)
	// Output:
	// <!doctype html> true true
}

// Why is there a charge on this day?
func ExampleSentences() {
	gym := engine.Profile{
		ID: "gym", Kind: engine.KindSource, Currency: "EUR", Amounts: amount.Fixed(amount.MustParse("29.90")),
		Unit: calendar.UnitMonth, Interval: 1, Start: calendar.MustParse("2026-01-31"), MaxRepeats: engine.AtMost(2),
	}
	sim := engine.Simulation{Stored: engine.Stored{Profile: gym}, AsOf: calendar.MustParse("2026-01-10")}
	e, err := engine.New(engine.Policy{}).Explain(sim, calendar.MustParse("2026-02-28"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Headline(&e))
	for _, s := range report.Sentences(&e) {
		fmt.Println(s.Text)
	}
	// Output:
	// 29.90 EUR, repeat 1
	// 2026-02-28 is due: it is the 1st month after 2026-01-31: February 2026 has 28 days, so it is the 28th.
	// It has repeat number 1: 1 charge came before it.
	// The amount is the same each time, 29.90 EUR.
	// The profile is stopped on this day: max-repeats-number is reached.
}
