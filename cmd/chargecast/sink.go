package main

import "github.com/chargecast/chargecast/engine"

// What --by can ask for.
const (
	byCharge  = "charge"
	byDay     = "day"
	byMonth   = "month"
	byProfile = "profile"
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
	total(t *total)
	finish()
}

// newSink is the sink for a format.
func newSink(a *app, format string, explain bool, p paint) sink {
	switch format {
	case "ndjson":
		return &ndjsonSink{out: a.out, explain: explain}
	case "json":
		return &jsonSink{out: a.out, explain: explain}
	case "csv":
		return &csvSink{out: a.out, explain: explain}
	case formatICS:
		return &icsSink{out: a.out, explain: explain}
	}
	return &tableSink{out: a.out, explain: explain, paint: p}
}

// ndjsonSink writes a record a line.
type ndjsonSink struct {
	out     *output
	explain bool
	records
}

func (s *ndjsonSink) begin(h *header) {
	s.records = newRecords(h, s.explain)
	s.line(s.records.header(s.out.b, h))
}

func (s *ndjsonSink) start(p *profile) { s.records.start(p.subject) }

func (s *ndjsonSink) charge(c *engine.Charge) { s.line(s.records.charge(s.out.b, c)) }
func (s *ndjsonSink) event(e *engine.Effect)  { s.line(s.records.event(s.out.b, e)) }
func (s *ndjsonSink) end(e *engine.End)       { s.line(s.records.end(s.out.b, e)) }
func (s *ndjsonSink) total(t *total)          { s.line(s.records.total(s.out.b, t)) }
func (s *ndjsonSink) finish()                 {}

// line takes the buffer with one record more and ends its line.
func (s *ndjsonSink) line(b []byte) {
	s.out.b = append(b, '\n')
	s.out.endLine()
}
