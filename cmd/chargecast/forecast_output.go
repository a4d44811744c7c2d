package main

import (
	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// The formats that have words of their own in messages.
const (
	formatTable = "table" // which marks what is assumed
	formatICS   = "ics"   // which has no totals
	formatHTML  = "html"

	csvExcel = "excel-de" // of --csv
)

// csvFlag adds --csv.
func csvFlag(c *cobra.Command) *program.Flag[string] {
	f := program.OneOf("standard", csvExcel)
	c.Flags().Var(f, "csv", "`DIALECT` of -o csv: standard or excel-de")
	return f
}

// errCSVUnused is that --csv is given for another output.
var errCSVUnused = usage("--csv is for -o csv", "add -o csv")

func csvUnused(csv, format *program.Flag[string]) bool { return csv.V == csvExcel && format.V != "csv" }

// noTotals says why a format has no place for --by; empty where it has.
func noTotals(format string) string {
	switch format {
	case formatICS:
		return "-o ics lists charges"
	case formatHTML:
		return "-o html shows charges, days and months at once"
	}
	return ""
}

// begin begins the output, whose header is complete by then.
func (f *forecastRun) begin() {
	h := f.header.Header
	switch format := f.flags.format.V; format {
	case "ndjson", "json":
		f.to = record.NewWriter(f.out, h, recordOptions(f.app, format, f.flags.explain))
	case formatHTML:
		f.page = report.NewWriter(f.out, h, f.look())
		f.to = f.page
		for _, p := range f.early {
			f.problem(p)
		}
		for range f.uncounted {
			f.problem(ledger.Finding{})
		}
	default:
		f.to = report.NewWriter(f.out, h, f.look())
	}
}

func recordOptions(a *app, format string, explain bool) record.Options {
	return record.Options{Document: format == "json", Explain: explain, Buffer: a.out.limit}
}

// look is how a report looks.
func (f *forecastRun) look() report.Options {
	q := f.flags
	o := report.Options{
		Form: report.Form(q.format.V), Width: f.app.width(), Color: f.app.colourful(q.colour.V), Quantiles: q.quantiles, Excel: q.csv.V == csvExcel, Explain: q.explain,
		Buffer: f.out.limit, Remedies: remedies, Hint: "--explain names the clauses; chargecast assumptions lists every reading",
	}
	if f.header.untilChosen {
		o.Note = "12 months (change with --until or --next)"
	}
	return o
}

// problem adds a problem to a page.
func (f *forecastRun) problem(p ledger.Finding) {
	switch {
	case f.flags.format.V != formatHTML:
	case f.page != nil:
		_ = f.page.Write(record.Problem{Finding: p})
	case len(f.early) < report.PageEntries:
		f.early = append(f.early, p)
	default:
		f.uncounted++ // which is all that the page does with it
	}
}

// abort ends the output of an input that failed part-way: with what there is of charges, and no sums that would look whole.
func (f *forecastRun) abort() {
	if f.flags.format.V == "json" {
		_ = f.to.Close()
	} else {
		_ = f.to.Flush()
	}
}

// newBook returns what totals by period are added up in; nil for charges and totals by profile.
func newBook(h *header, explain bool) (*engine.Book, error) {
	if h.By.Period(calendar.MinDate()).IsZero() {
		return nil, nil
	}
	return engine.New(h.Policy).NewBook(engine.Scope{AsOf: h.AsOf, Window: h.window(), Draws: len(h.quantiles) > 0, Explain: explain})
}

// writeTotal writes a total, with the quantiles of --quantiles.
func (f *forecastRun) writeTotal(t *record.Total) {
	_ = t.Quantify(f.header.quantiles...) // whose draws are there where these are
	t.Tally = t.Tally.WithoutDraws()
	_ = f.to.Total(t)
}
