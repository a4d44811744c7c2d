package main

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A timeline is the charges and the end of one profile, from a forecast or from an output.
type timeline struct {
	id       string
	file     string
	row      int
	nth      int // how many profiles before it have the same id
	currency string
	charges  []engine.Charge
	end      engine.End
	ended    bool
}

// timelines are the profiles of one side of a comparison, in the order of the file. They are kept in
// memory.
type timelines struct {
	list  []*timeline
	until calendar.Date // the last day that they reach; zero for none
	next  int           // charges of each at most; 0 for all
}

// reach says in words how far a side reaches.
func (ts *timelines) reach() string {
	var words []string
	if !ts.until.IsZero() {
		words = append(words, "to "+ts.until.String())
	}
	if ts.next > 0 {
		words = append(words, "for "+counted(strconv.Itoa(ts.next), "charge")+" of each profile")
	}
	return strings.Join(words, " and ")
}

// number tells apart the profiles with one id.
func (ts *timelines) number() {
	seen := map[string]int{}
	for _, t := range ts.list {
		t.nth = seen[t.id]
		seen[t.id]++
	}
}

// timelines reads one side: a payload, which is forecast, or the output of forecast or simulate,
// recognised by its first byte.
func (q *diffing) timelines(a *app, path string, h *header) (*timelines, error) {
	options := q.options(h.asOf, h.policy)
	in, err := a.openPayload(path, &options)
	if err != nil {
		return nil, err
	}
	defer in.close()
	text := bufio.NewReader(in)
	if isOutput(text) {
		return timelinesOfRecords(a, in, text)
	}
	if h.until.IsZero() && h.next == 0 {
		return nil, usage("--until or --next is needed to forecast a payload, since some profiles never end", "such as --next 12")
	}
	all := &timelines{until: h.until, next: h.next}
	rows := newRows(a, &input{name: in.name, file: text}, options, nil)
	for row := range rows.all() {
		plan, err := engine.Compile(engine.Stored{Profile: row.Profile()}, h.asOf, h.policy)
		if err != nil {
			rows.refuse(row, err)
			continue
		}
		charges, p := h.charges(row, plan)
		all.list = append(all.list, &timeline{
			id: p.Profile, row: p.Row, currency: p.Currency, charges: slices.Collect(charges), end: plan.End(p.last),
		})
	}
	if err := rows.finish(in); err != nil {
		return nil, err
	}
	if all.number(); rows.bad {
		return all, errFindings
	}
	return all, nil
}

// isOutput reports whether a text begins with a brace, as no payload does.
func isOutput(text *bufio.Reader) bool {
	start, _ := text.Peek(3)
	if string(start) == "\ufeff" {
		start, _ = text.Peek(4)
		start = start[3:]
	}
	return len(start) > 0 && start[0] == '{'
}

// timelinesOfRecords reads an output, in NDJSON or as one document.
func timelinesOfRecords(a *app, in *input, text io.Reader) (*timelines, error) {
	r := recordTimelines{all: new(timelines), of: map[timelineKey]*timeline{}}
	findings := lineLog{log: a.log, file: in.name}
	for rec, err := range record.Read(text) {
		if err == nil {
			err = r.add(rec)
		}
		if err != nil && in.err == nil {
			findings.report(err)
		}
		if findings.full() || errors.Is(err, record.RecordTotals) {
			break
		}
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if err := r.cut(); err != nil && findings.errors == 0 {
		findings.report(err)
	}
	if findings.finish(); findings.errors > 0 {
		return nil, errFindings
	}
	// In a document the ends come after all charges.
	slices.SortStableFunc(r.all.list, func(a, b *timeline) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.row, b.row)) })
	r.all.number()
	return r.all, nil
}

func notCompared(message, help string) error {
	return ledger.Finding{Code: record.RecordTotals, Severity: ledger.SeverityError, Message: message, Help: help}
}

func cutOutput(message string) error {
	return ledger.Finding{Code: record.RecordCut, Severity: ledger.SeverityError, Message: message, Help: "write the output again"}
}

// A timelineKey names a profile within an output.
type timelineKey struct {
	file, profile string
	row           int
}

// recordTimelines collects the timelines of an output.
type recordTimelines struct {
	all *timelines
	of  map[timelineKey]*timeline
}

// add takes a record.
func (r *recordTimelines) add(rec record.Record) error {
	switch rec := rec.(type) {
	case record.Header:
		return r.begin(&rec)
	case record.Charge:
		t, err := r.timeline(&rec.Subject)
		if err == nil {
			t.currency, t.charges = rec.Currency, append(t.charges, rec.Charge)
		}
		return err
	case record.End:
		t, err := r.timeline(&rec.Subject)
		if err == nil {
			t.end, t.ended = rec.End, true
		}
		return err
	case record.Event, record.Total, record.Difference, record.EndDifference, record.Money, record.Problem, record.Summary, record.DifferenceSummary:
	}
	return nil
}

func (r *recordTimelines) begin(h *record.Header) error {
	r.all.until, r.all.next = h.Until, h.Next
	switch {
	case h.Schema != record.SchemaForecast && h.Schema != record.SchemaSimulate:
		return notCompared("the file is not an output of forecast or simulate", "forecast -o ndjson and simulate -o ndjson write what can be compared")
	case h.By != record.ByCharge:
		return notCompared("the file has totals, and charges are compared", "write it without --by")
	}
	return nil
}

// timeline returns that of a profile, which has no end yet.
func (r *recordTimelines) timeline(s *record.Subject) (*timeline, error) {
	key := timelineKey{s.File, s.Profile, s.Row}
	t := r.of[key]
	if t == nil {
		t = &timeline{id: s.Profile, file: s.File, row: s.Row}
		r.of[key] = t
		r.all.list = append(r.all.list, t)
	}
	if t.ended {
		return nil, cutOutput("there is a record of the profile after its end")
	}
	return t, nil
}

// cut returns an error unless every profile has its end.
func (r *recordTimelines) cut() error {
	if slices.ContainsFunc(r.all.list, func(t *timeline) bool { return !t.ended }) {
		return cutOutput("a profile has no end: the file is cut off")
	}
	return nil
}

// name is the profile for people.
func (t *timeline) name() string {
	if t.nth == 0 {
		return visible(t.id)
	}
	return visible(t.id) + " (number " + strconv.Itoa(t.nth+1) + " of this id)"
}
