package main

import (
	"errors"
	"io"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// sideOfRecords is an output, in NDJSON or as one document. In NDJSON the end of a profile follows
// its charges, so that one profile is kept at a time; in a document all charges come before the
// ends.
func sideOfRecords(a *app, in *input, text io.Reader, of *selector) *compared {
	findings := lineLog{log: a.log, file: in.name}
	s := &compared{in: in}
	r := recordTimelines{side: s, open: map[timelineKey]*timeline{}, ended: map[string]int{}}
	s.profiles = func(yield func(*timeline) bool) {
		for rec, err := range record.Read(text) {
			var done *timeline
			if err == nil {
				done, err = r.add(rec)
			}
			if err != nil && in.err == nil {
				findings.report(err)
			}
			if done != nil && !of.selectsID(done.id, func() string { return done.id }) {
				done = nil
			}
			if findings.full() || errors.Is(err, record.RecordTotals) || done != nil && !yield(done) {
				return
			}
		}
	}
	s.broken = func() bool { return findings.errors > 0 || in.err != nil }
	s.finish = func() (bool, error) {
		if err := in.failed(); err != nil {
			return false, err
		}
		if len(r.open) > 0 && findings.errors == 0 {
			findings.report(cutOutput("a profile has no end: the file is cut off"))
		}
		if findings.finish(); findings.errors > 0 {
			return false, errFindings
		}
		return true, nil
	}
	return s
}

// A timelineKey names a profile within an output.
type timelineKey struct {
	file, profile string
	row           int
}

// recordTimelines collects the timelines of an output.
type recordTimelines struct {
	side *compared
	open map[timelineKey]*timeline // without their ends so far
	// ended is the last row of each file that has its end; rows come in order.
	ended map[string]int
}

// add takes a record, and returns the profile that it ends.
func (r *recordTimelines) add(rec record.Record) (*timeline, error) {
	switch rec := rec.(type) {
	case record.Header:
		return nil, r.begin(&rec)
	case record.Charge:
		t, err := r.timeline(&rec.Subject)
		if err == nil {
			t.currency, t.charges = rec.Currency, append(t.charges, rec.Charge)
		}
		return nil, err
	case record.End:
		t, err := r.timeline(&rec.Subject)
		if err != nil {
			return nil, err
		}
		t.end = rec.End
		delete(r.open, keyOf(&rec.Subject))
		r.ended[t.file] = t.row
		return t, nil
	case record.Event, record.Total, record.Difference, record.EndDifference, record.Money, record.Problem, record.Summary, record.ForecastSummary, record.DifferenceSummary:
	}
	return nil, nil
}

func (r *recordTimelines) begin(h *record.Header) error {
	r.side.made, r.side.until, r.side.next = h, h.Until, h.Next
	switch {
	case h.Schema != record.SchemaForecast && h.Schema != record.SchemaSimulate:
		return notCompared("the file is not an output of forecast or simulate", "forecast -o ndjson and simulate -o ndjson write what can be compared")
	case h.By != engine.ByCharge:
		return notCompared("the file has totals, and charges are compared", "write it without --by")
	}
	return nil
}

func keyOf(s *record.Subject) timelineKey { return timelineKey{s.File, s.Profile, s.Row} }

// timeline returns that of a profile, which has no end yet.
func (r *recordTimelines) timeline(s *record.Subject) (*timeline, error) {
	t := r.open[keyOf(s)]
	if t != nil {
		return t, nil
	}
	if s.Row > 0 && s.Row <= r.ended[s.File] {
		return nil, cutOutput("there is a record of the profile after its end, or the profiles are not in the order of their rows")
	}
	t = &timeline{id: s.Profile, file: s.File, row: s.Row, currency: s.Currency}
	r.open[keyOf(s)] = t
	return t, nil
}
