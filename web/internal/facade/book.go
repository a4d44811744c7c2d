package facade

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A book is the payload of a request with its states and its script, read under the readings in force.
type book struct {
	server   *Server
	request  *request
	asOf     calendar.Date
	through  calendar.Date // the last day that is asked about
	policy   engine.Policy
	observed record.Readings
	given    []ledger.Clause // keys that the request says
	csv      []byte
	input    rules.Input
	states   *record.StateJoin // nil: all profiles are new
	script   record.ScriptJoin
	scripted bool

	problems          []ledger.Finding
	most              int // problems of a code that are kept; 0 for all
	counts            map[ledger.Code]int
	bad               bool // an error among them
	summary           rules.Summary
	leftOut, unsent   uint64
	unreadable, found bool // nothing was read; the profile of the request was there
}

// A profile is a row without errors, with its state.
type profile struct {
	*rules.Row
	state engine.State
}

func (p *profile) stored() engine.Stored {
	return engine.Stored{Profile: p.Profile(), State: p.state}
}

func (p *profile) subject() record.Subject {
	return record.Subject{Profile: p.ShownID, Row: p.Number, Currency: p.Currency, Callback: p.ShownCallback()}
}

// open reads what a request says beside the rows.
func (s *Server) open(q *request) (*book, error) {
	b := &book{server: s, request: q, asOf: q.AsOf, through: cmp.Or(q.On, q.Through, q.Until, q.AsOf), counts: map[ledger.Code]int{}}
	var err error
	if b.policy, b.observed, b.given, err = q.policy(); err != nil {
		return nil, err
	}
	if b.csv = q.CSV.bytes; q.Columns != nil {
		if b.csv, err = rowOf(q.Columns); err != nil {
			return nil, err
		}
	}
	b.input = rules.InputAuto
	if q.Columns == nil && capture.Is(b.csv[:min(len(b.csv), 4096)]) {
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

// onlyID is the client-orderid of the only row, which a state without a profile is for.
func (b *book) onlyID() string { return b.request.Columns[rules.ColumnOrderID.String()] }

func (b *book) readStates() error {
	q := b.request
	hasState := len(q.State) > 0 && string(q.State) != "null"
	if !hasState && !q.States.given && q.Charged == nil {
		return nil
	}
	asOf := b.asOf
	if asOf.IsZero() {
		asOf = calendar.MaxDate()
	}
	b.states = record.NewStateJoin(asOf)
	if hasState {
		line := slices.Concat([]byte(`{"profile":`), appendJSON(b.onlyID()), []byte{','}, bytes.TrimSpace(q.State)[1:])
		line = bytes.Replace(line, []byte(",}"), []byte("}"), 1)
		id, state, err := engine.ParseStateLine(line)
		if err != nil {
			return err
		}
		return b.states.Add(record.StateLine{Profile: id, State: state})
	}
	if q.Charged != nil {
		return b.states.Add(record.StateLine{Profile: q.Profile, State: engine.State{Status: engine.StatusActive, Repeat: *q.Charged}})
	}
	for l, err := range record.ReadStates(bytes.NewReader(q.States.bytes)) {
		if err == nil {
			err = b.states.Add(l)
		}
		if err != nil {
			return inPart(err, "states")
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

func (b *book) readScript() error {
	for i, line := range b.request.Script {
		l, err := record.ParseScriptLine(line)
		l.Line = i + 1
		switch {
		case err == nil && !l.IsOutcome && l.Step.Date.Before(b.asOf) && !b.asOf.IsZero():
			f := rulebook().Finding(record.ScriptBeforeAsOf, "the event is before the as-of date", "put the past into the state")
			f.Place = ledger.Place{File: "script", Line: l.Line, Col: 1}
			return f
		case err == nil:
			err = b.script.Add(l)
		}
		if err != nil {
			return inPart(err, "script")
		}
	}
	b.scripted = len(b.request.Script) > 0
	return nil
}

// options are those under which the rows are read.
func (b *book) options() rules.Options {
	policy := b.policy
	if b.states != nil {
		policy = policy.WithReading(clause.L02, 0).WithReading(clause.L03, 0)
	}
	o := rules.Options{AsOf: b.asOf, Policy: policy, Input: b.input, ScheduleOnly: true, IDs: new(rules.OrderIDs), Horizon: b.through}
	if o.AsOf.IsZero() { // each profile has a day of its own, and none is in the past
		o.AsOf, o.Horizon, o.Policy = calendar.MinDate(), calendar.Date{}, engine.Policy{}
	}
	if b.states != nil {
		o.State = b.states.State
	}
	return o
}

// rows yields the rows that can be used. What is wrong with the others is in problems. begin, which may be nil, is called once
// the form of the payload is known; it is not called for what is not a payload.
func (b *book) rows(begin func(input string), yield func(*profile) error) error {
	r := rules.NewReader(bytes.NewReader(b.csv), b.options())
	begun, n := false, 0
	start := func() {
		if !begun && begin != nil {
			begin(r.Summary().Input.String())
		}
		begun = true
	}
	for row, problems := range r.Rows() {
		if n++; n%2048 == 0 && b.server.Progress != nil {
			b.server.Progress(n)
		}
		if row != nil && b.request.Profile != "" && row.OrderID() != b.request.Profile {
			b.pass(row.OrderID())
			b.report(slices.DeleteFunc(problems, ofOneRow)...)
			start()
			continue
		}
		b.report(problems...)
		if row == nil {
			continue
		}
		start()
		p := &profile{Row: row}
		if !b.join(p) {
			b.leftOut++
			continue
		}
		if err := yield(p); err != nil {
			b.refuse(row, err)
			continue
		}
		if b.found = true; row.Unsendable {
			b.unsent++
		}
	}
	b.summary = r.Summary()
	if b.unreadable = b.summary.Unreadable; !b.unreadable {
		start()
	}
	b.leftOut += uint64(b.summary.Rows - b.summary.Valid)
	return r.Err()
}

// ofOneRow reports whether a problem is a warning about a row.
func ofOneRow(p ledger.Finding) bool {
	return p.Place.Row > 0 && p.Severity != ledger.SeverityError && p.Code != rules.LimitOrderIDs
}

// pass leaves out a row that the request does not select.
func (b *book) pass(id string) {
	if b.states != nil {
		b.states.Skip(id)
	}
	b.script.Skip(id)
}

// join gives a row its state, and reports whether that can be used.
func (b *book) join(p *profile) bool {
	if b.states == nil {
		return true
	}
	l, ok, err := b.states.Join(p.OrderID(), ledger.Place{Row: p.Number})
	if err != nil {
		b.reportError(inPart(err, "states"))
		return false
	}
	p.state = l.State
	if l.Line > 0 {
		b.report(l.CheckPaid(p.Profile(), b.policy.MonthEnd)...)
	}
	return ok
}

// refuse reports that a row without errors cannot be used, by the policy or its state.
func (b *book) refuse(row *rules.Row, err error) {
	b.leftOut++
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: "row", Severity: ledger.SeverityError, Message: err.Error()}
	}
	if code, ok := errors.AsType[ledger.Code](err); ok {
		f.Code = code
	}
	f.Place = ledger.Place{Profile: row.ShownID, Row: row.Number, Line: row.Line, Col: 1}
	b.report(f)
}

func (b *book) reportError(err error) {
	if f, ok := errors.AsType[ledger.Finding](err); ok {
		b.report(f)
	}
}

// report keeps problems.
func (b *book) report(problems ...ledger.Finding) {
	for _, f := range problems {
		if f.Severity == ledger.SeverityOff {
			continue
		}
		b.bad = b.bad || f.Severity == ledger.SeverityError
		if b.counts[f.Code]++; b.most == 0 || b.counts[f.Code] <= b.most {
			b.problems = append(b.problems, f)
		}
	}
}

// firstError is the first error among the problems, for a request about one row.
func (b *book) firstError() error {
	for _, f := range b.problems {
		if f.Severity == ledger.SeverityError {
			return f
		}
	}
	return nil
}

// header is the header of an output.
func (b *book) header(schema record.Schema, input string) record.Header {
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
func (b *book) window() calendar.Window {
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
func (b *book) check() error {
	q := b.request
	switch {
	case q.Until.IsZero() && q.Next <= 0:
		return refused("until", "until or next is needed, since some profiles never end", "give the last day")
	case q.Next < 0, !q.Until.IsZero() && (q.Until.Before(b.asOf) || q.Until.Before(q.From)), !q.From.IsZero() && q.From.Before(b.asOf):
		return refused("window", "the last day lies before the first one", "choose a later day")
	}
	return nil
}
