package main

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// The formats that have words of their own in messages.
const (
	formatTable    = "table" // which marks what is assumed
	formatICS      = "ics"   // which has no totals
	formatCalendar = "calendar"
	formatHTML     = "html"
	formatPartial  = "partial" // for chargecast merge
)

// noTotals says why a format has no place for --by; empty where it has.
func noTotals(format string) string {
	switch format {
	case formatICS:
		return "-o ics lists charges"
	case formatCalendar, formatHTML:
		return "-o " + format + " shows charges, days and months at once"
	}
	return ""
}

// A sink is one form of an output. Its methods are called in the order begin, then for
// each profile start, its charges and events, end; then the totals, then finish. flush may come
// anywhere after begin.
type sink interface {
	begin(h *header)
	start(s *profile)
	charge(c *engine.Charge)
	event(e *engine.Effect)
	end(e *engine.End)
	total(t *record.Total)
	flush() // what is collected
	finish()
}

// newSink returns the sink for a format.
func newSink(a *app, format string, explain bool, o report.Options) sink {
	if format == formatPartial {
		return &partSink{out: a.out, explain: explain}
	}
	if format == "ndjson" || format == "json" {
		return &recordSink{out: a.out, options: recordOptions(a, format, explain)}
	}
	o.Explain, o.Buffer = explain, a.out.limit
	_ = o.Form.UnmarshalText([]byte(format)) // a word of the flag
	return &reportSink{out: a.out, options: o}
}

func recordOptions(a *app, format string, explain bool) record.Options {
	o := record.Options{Explain: explain, Buffer: a.out.limit}
	if format == "json" {
		o.Form = record.FormJSON
	}
	return o
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
func (s *recordSink) flush()                  { _ = s.w.Flush() }
func (s *recordSink) finish()                 { _ = s.w.Close() }

// event leaves out a stop: the end of the profile has the last one.
func (s *recordSink) event(e *engine.Effect) {
	if e.Kind == engine.EventHandled {
		_ = s.w.Event(e)
	}
}

// reportSink writes what people read. An error stays in out.
type reportSink struct {
	out     *output
	options report.Options
	w       *report.Writer
}

func (s *reportSink) begin(h *header) {
	if h.untilChosen {
		s.options.Note = "12 months; --until or --next asks for more or less"
	}
	s.options.Hint = "--explain names the clauses; chargecast assumptions lists every reading"
	s.w = report.NewWriter(s.out, h.record(), s.options)
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
func (s *reportSink) flush()                  { _ = s.w.Flush() }
func (s *reportSink) finish()                 { _ = s.w.Close() }

// noCharge says why a profile has no charge here.
func (p *profile) noCharge() string {
	if p.plan.Explain(p.last).Why == engine.WhyNoSchedule {
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
