package facade

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A payload is that of a request, with its states and its script, under the readings in force.
type payload struct {
	server   *Server
	request  *request
	asOf     calendar.Date
	through  calendar.Date // the last day that is asked about
	policy   engine.Policy
	observed record.Readings
	given    []ledger.Clause // keys that the request says
	csv      []byte
	input    rules.Input
	states   *book.States // nil: all profiles are new
	script   *book.Script // nil: nothing happens but the daily runs

	problems        []ledger.Finding
	most            int // problems of a code that are kept; 0 for all
	counts          map[ledger.Code]int
	bad             bool // an error among them
	summary         rules.Summary
	leftOut, unsent uint64
}

func subjectOf(p *book.Profile) record.Subject {
	return record.Subject{Profile: p.ShownID, Row: p.Number, Currency: p.Currency, Callback: p.ShownCallback()}
}

// open reads what a request says beside the rows.
func (s *Server) open(q *request) (*payload, error) {
	b := &payload{server: s, request: q, asOf: q.AsOf, through: cmp.Or(q.On, q.Through, q.Until, q.AsOf), counts: map[ledger.Code]int{}}
	var err error
	if b.policy, b.observed, b.given, err = q.policy(); err != nil {
		return nil, err
	}
	if b.csv = q.CSV.bytes; q.Columns != nil {
		if b.csv, err = rowOf(q.Columns); err != nil {
			return nil, err
		}
	}
	if q.Columns == nil && capture.Is(b.csv[:min(len(b.csv), captureHead)]) {
		r, found, err := capture.Parse(b.csv, capture.Options{AnyHost: true})
		if err == nil {
			err = found.Err()
		}
		if err != nil {
			return nil, err
		}
		b.csv, b.input = r.Body, rules.InputForm
	}
	if err := b.readStates(); err != nil {
		return nil, err
	}
	return b, b.readScript()
}

// captureHead is how much of an input shows whether it is a captured request.
const captureHead = 4096

// rowOf is a payload of one row.
func rowOf(columns map[string]string) ([]byte, error) {
	cells := make([]string, 0, 64)
	for spec := range rules.Columns() {
		cells = append(cells, columns[spec.Name])
	}
	for name := range columns {
		if _, ok := rules.ColumnOf(name); !ok {
			return nil, rules.ColumnUnknown
		}
	}
	return rules.AppendRecord(rules.AppendHeader(nil), cells...), nil
}

// first keeps the first error that is reported; it is what report of states and scripts does while
// they are read, since nothing is forecast from half of them.
type first struct{ err error }

func (f *first) report(found ledger.Finding) bool {
	if found.Severity == ledger.SeverityError && f.err == nil {
		f.err = found
	}
	return f.err == nil
}

func (b *payload) readStates() error {
	q := b.request
	hasState := len(q.State) > 0 && string(q.State) != "null"
	if !hasState && !q.States.given && q.Charged == nil {
		return nil
	}
	asOf := b.asOf
	if asOf.IsZero() {
		asOf = calendar.MaxDate()
	}
	var read first
	states := book.NewStates(asOf, b.policy, read.report)
	switch {
	case hasState:
		line := slices.Concat([]byte(`{"profile":`), appendJSON(q.Columns[rules.ColumnOrderID.String()]), []byte{','}, bytes.TrimSpace(q.State)[1:])
		line = bytes.Replace(line, []byte(",}"), []byte("}"), 1)
		id, state, err := engine.ParseStateLine(line)
		if err != nil {
			return err
		}
		states.Add(record.StateLine{Profile: id, State: state})
	case q.Charged != nil:
		states.Add(record.StateLine{Profile: q.Profile, State: engine.State{Status: engine.StatusActive, Repeat: *q.Charged}})
	default:
		states.Read(bytes.NewReader(q.States.bytes), "states")
	}
	b.states = states.Fresh(b.report)
	return read.err
}

func (b *payload) readScript() error {
	if len(b.request.Script) == 0 && b.request.Op != "simulate" {
		return nil
	}
	var read first
	b.script = book.NewScript(b.asOf, b.through, func(f ledger.Finding) bool { return read.report(f) && b.report(f) })
	for i, line := range b.request.Script {
		l, err := record.ParseScriptLine(line)
		if l.Line = i + 1; err == nil {
			err = b.script.Line(l, "script")
		}
		if err = cmp.Or(err, read.err); err != nil {
			return inPart(err, "script")
		}
	}
	return nil
}

// inPart names the part of a request that a finding is about.
func inPart(err error, part string) error {
	if f, ok := errors.AsType[ledger.Finding](err); ok && f.Place.File == "" {
		f.Place.File = part
		return f
	}
	return err
}

// options are those under which the rows are read.
func (b *payload) options() rules.Options {
	o := book.Options(b.asOf, b.through, b.policy, b.states)
	if o.Input = b.input; o.AsOf.IsZero() { // each profile has a day of its own, and none is in the past
		o.AsOf, o.Horizon, o.Policy = calendar.MinDate(), calendar.Date{}, engine.Policy{}
	}
	return o
}

// reader reads the rows, of which the request may select one profile.
func (b *payload) reader() *book.Reader {
	n := 0
	r := &book.Reader{States: b.states, Report: func(f ledger.Finding) { b.report(f) }, Each: func() {
		if n++; n%2048 == 0 && b.server.Progress != nil {
			b.server.Progress(n)
		}
	}}
	if q := b.request; q.Profile != "" {
		r.Select = func(row *rules.Row) bool { return row.OrderID() == q.Profile }
	}
	r.Open(bytes.NewReader(b.csv), "", b.options())
	return r
}

// rows yields the rows that can be used. What is wrong with the others is in problems. begin, which
// may be nil, is called once the form of the payload is known; it is not called for what is not a
// payload.
func (b *payload) rows(begin func(input string), yield func(*book.Profile) error) {
	r, begun := b.reader(), false
	start := func() {
		if !begun && begin != nil {
			begin(r.Payload().Summary().Input.String())
		}
		begun = true
	}
	for p := range r.Profiles() {
		start()
		if p.Left {
			if b.script != nil {
				b.script.Skip(p.OrderID())
			}
			continue
		}
		if err := yield(p); err != nil {
			r.Refuse(p, err)
		} else if p.Unsendable {
			b.unsent++
		}
	}
	if b.summary = r.Payload().Summary(); !b.summary.Unreadable {
		start()
	}
	b.leftOut = r.LeftOut
}

// report keeps a problem, and asks for more.
func (b *payload) report(f ledger.Finding) bool {
	b.bad = b.bad || f.Severity == ledger.SeverityError
	if b.counts[f.Code]++; b.most == 0 || b.counts[f.Code] <= b.most {
		b.problems = append(b.problems, f)
	}
	return true
}

// firstError is the first error among the problems, for a request about one row.
func (b *payload) firstError() error {
	for _, f := range b.problems {
		if f.Severity == ledger.SeverityError {
			return f
		}
	}
	return nil
}

// header is the header of an output.
func (b *payload) header(schema record.Schema, input string) record.Header {
	q := b.request
	h := record.Header{
		Schema: schema, AsOf: b.asOf, From: q.From, Until: q.Until, Next: q.Next, Zone: "UTC", Input: input, By: q.By, Policy: b.policy, Observed: b.observed,
	}
	if q.Zone != nil {
		h.Zone = *q.Zone
	}
	if q.Profile != "" {
		h.Profiles = []string{rules.Mask(0, q.Profile)}
	}
	return h
}

// window is the days that are asked about.
func (b *payload) window() calendar.Window {
	from := b.asOf
	if b.request.From.After(from) {
		from = b.request.From
	}
	if b.request.Until.IsZero() {
		return calendar.Window{From: from}
	}
	return calendar.Through(from, b.request.Until)
}

// check refuses a window that ends before it begins.
func (b *payload) check() error {
	q := b.request
	switch {
	case q.Until.IsZero() && q.Next <= 0:
		return refused("until", "until or next is needed, since some profiles never end", "give the last day")
	case q.Next < 0, !q.Until.IsZero() && (q.Until.Before(b.asOf) || q.Until.Before(q.From)), !q.From.IsZero() && q.From.Before(b.asOf):
		return refused("window", "the last day lies before the first one", "choose a later day")
	}
	return nil
}
