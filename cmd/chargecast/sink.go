package main

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// formatTable is the format for people, which marks what is assumed.
const formatTable = "table"

// formatICS is a calendar of charges, which has no totals.
const formatICS = "ics"

// A sink is one form of an output. Its methods are called in the order begin, then for
// each profile start, its charges and events, end; then the totals, then finish.
type sink interface {
	begin(h *header)
	start(s *profile)
	charge(c *engine.Charge)
	event(e *engine.Effect)
	end(e *engine.End)
	total(t *record.Total)
	finish()
}

// newSink returns the sink for a format.
func newSink(a *app, format string, explain bool, p paint) sink {
	switch format {
	case "ndjson", "json":
		return &recordSink{out: a.out, options: recordOptions(a, format, explain)}
	case "csv":
		return &csvSink{out: a.out, explain: explain}
	case formatICS:
		return &icsSink{out: a.out, explain: explain}
	}
	return &tableSink{out: a.out, explain: explain, paint: p}
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
func (s *recordSink) event(e *engine.Effect)  { _ = s.w.Event(e) }
func (s *recordSink) end(e *engine.End)       { _ = s.w.End(e) }
func (s *recordSink) total(t *record.Total)   { _ = s.w.Total(t) }
func (s *recordSink) finish()                 { _ = s.w.Close() }

// kindOf names what made a charge.
func kindOf(c *engine.Charge) string {
	if c.Manual {
		return "manual"
	}
	return "automatic"
}
