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

// A sink is one form of an output. Its methods are called in the order begin, then for
// each profile start, its charges and events, end; then the totals, then finish or cut.
type sink interface {
	begin(h *header)
	start(s *profile)
	charge(c *engine.Charge)
	event(e *engine.Effect)
	end(e *engine.End)
	total(t *record.Total)
	finish(sum *record.ForecastSummary) // of an input that was read as a whole
	cut()                               // of another one
}

// newSink returns the sink for a format.
func newSink(a *app, format string, explain bool, o report.Options) sink {
	if format == "ndjson" || format == "json" {
		return &recordSink{out: a.out, options: recordOptions(a, format, explain)}
	}
	o.Explain, o.Buffer = explain, a.out.limit
	o.Form = report.Form(format)
	return &reportSink{out: a.out, options: o}
}

func recordOptions(a *app, format string, explain bool) record.Options {
	return record.Options{Document: format == "json", Explain: explain, Buffer: a.out.limit}
}

// recordSink writes records. An error stays in out.
type recordSink struct {
	out     *output
	options record.Options
	w       *record.Writer
}

func (s *recordSink) begin(h *header)         { s.w = record.NewWriter(s.out, h.record(), s.options) }
func (s *recordSink) start(p *profile)        { s.w.Start(p.Subject) }
func (s *recordSink) charge(c *engine.Charge) { _ = s.w.Charge(c) }
func (s *recordSink) end(e *engine.End)       { _ = s.w.End(e) }
func (s *recordSink) total(t *record.Total)   { _ = s.w.Total(t) }
func (s *recordSink) cut()                    { _ = s.w.Close() }
func (s *recordSink) finish(sum *record.ForecastSummary) {
	_ = s.w.Write(*sum)
	_ = s.w.Close()
}

// event leaves out a stop: the end of the profile has the last one.
func (s *recordSink) event(e *engine.Effect) {
	if e.Kind == engine.EffectEvent {
		_ = s.w.Event(e)
	}
}

// reportSink writes what people read. An error stays in out.
type reportSink struct {
	out     *output
	options report.Options
	w       *report.Writer
	early   []ledger.Finding // problems before begin
	counted int              // more of them
}

// problem adds a problem to a page.
func (s *reportSink) problem(f ledger.Finding) {
	switch {
	case s.options.Form != report.FormHTML:
	case s.w != nil:
		_ = s.w.Write(record.Problem{Finding: f})
	case len(s.early) < report.PageEntries:
		s.early = append(s.early, f)
	default:
		s.counted++ // which is all that the page does with it
	}
}

func (s *reportSink) begin(h *header) {
	if h.untilChosen {
		s.options.Note = "12 months; --until or --next asks for more or less"
	}
	s.options.Remedies = remedies
	s.options.Hint = "--explain names the clauses; chargecast assumptions lists every reading"
	s.w = report.NewWriter(s.out, h.record(), s.options)
	for _, f := range s.early {
		s.problem(f)
	}
	for range s.counted {
		s.problem(ledger.Finding{})
	}
}

func (s *reportSink) start(p *profile) {
	r := report.Profile{Subject: p.Subject, Before: p.before, Total: p.total, Through: p.last}
	if p.plan != nil && p.total.IsZero() {
		r.NoCharge = p.noCharge()
	}
	_ = s.w.Start(r)
}

func (s *reportSink) charge(c *engine.Charge) { _ = s.w.Charge(c) }
func (s *reportSink) event(e *engine.Effect)  { _ = s.w.Event(e) }
func (s *reportSink) end(e *engine.End)       { _ = s.w.End(e) }
func (s *reportSink) total(t *record.Total)   { _ = s.w.Total(t) }
func (s *reportSink) finish(sum *record.ForecastSummary) {
	_ = s.w.Write(*sum)
	_ = s.w.Close()
}

// cut writes what there is of charges, and no sums that would look whole.
func (s *reportSink) cut() {
	if s.options.Form != report.FormHTML {
		_ = s.w.Flush()
	}
}

// noCharge says why a profile has no charge here.
func (p *profile) noCharge() string {
	if !p.automatic {
		if p.kind == engine.KindDestination {
			return "never charged automatically, since it is DST"
		}
		return "never charged automatically, it has no period and interval"
	}
	for c := range p.plan.Next(1) {
		if !c.Date.After(p.last) {
			return "no charge here" // but before the window
		}
		return "no charge here, the first is on " + c.Date.String()
	}
	return "no charge"
}

// newBook returns what totals by period are added up in; nil for charges and totals by profile.
func newBook(h *header, explain bool) (*engine.Book, error) {
	if h.by.Period(calendar.MinDate()).IsZero() {
		return nil, nil
	}
	return engine.New(h.policy).NewBook(engine.Scope{AsOf: h.asOf, Window: h.window(), Draws: len(h.quantiles) > 0, Explain: explain})
}

// sendTotal sends a total to a sink, with the quantiles that were asked for.
func sendTotal(s sink, h *header, t *record.Total) {
	_ = t.Quantify(h.quantiles...) // whose draws are there where these are
	t.Tally = t.Tally.WithoutDraws()
	s.total(t)
}
