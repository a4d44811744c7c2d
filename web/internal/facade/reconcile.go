package facade

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"slices"
	"unicode/utf16"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// reconcile answers with what became of each charge and each line, and which readings that shows.
func (s *Server) reconcile(q *request) (object, error) {
	if q.Through.IsZero() {
		q.Through = q.Until
	}
	if q.Through.IsZero() || q.Through.Before(q.AsOf) {
		return nil, refused("through", "through is missing, or before as_of", "give the day up to which the actual charges are complete")
	}
	forms, err := q.forms()
	if err != nil {
		return nil, err
	}
	decode, err := s.decoder(&q.decisions)
	if err != nil {
		return nil, err
	}
	b, err := s.open(q)
	if err != nil {
		return nil, err
	}
	read := reconcile.ReadOptions{Forms: forms, Names: map[string]string{}}
	for column, name := range q.Names {
		if !slices.Contains(reconcile.Columns(), column) {
			return nil, refused("decision", "this is not a column of actual charges", "")
		}
		read.Names[name] = column
	}
	var out bytes.Buffer
	m := &matching{book: b, out: &out, lag: q.Lag}
	actuals := func(yield func(*reconcile.Actual, error) bool) { m.actuals(read, decode, yield) }
	o := reconcile.Options{AsOf: q.AsOf, Through: q.Through, Lag: q.Lag, Policy: b.policy, Given: b.given, Report: m.reportActual}
	if q.Profile != "" {
		o.Wants = func(profile string) bool { return profile == q.Profile }
	}
	result, err := reconcile.Match(m.all(), actuals, o, m)
	if err != nil {
		return nil, err
	}
	if m.w != nil {
		_ = m.w.Close()
	}
	reply := b.reply(&out)
	text, err := record.AppendReadings(nil, result.Readings())
	if err == nil {
		reply["readings"] = string(text)
	}
	reply["agrees"] = result.Summary.Agrees() && !b.bad
	return reply, nil
}

// A matching reads both sides as often as they are wanted, and writes the records.
type matching struct {
	*book
	out      *bytes.Buffer
	w        *record.Writer
	lag      int
	input    string
	again    bool
	unusable map[string]bool
	first    uint64 // rows left out in the first reading
}

// all yields the rows. Only the first reading says what is wrong with them.
func (m *matching) all() iter.Seq2[*reconcile.Row, error] {
	return func(yield func(*reconcile.Row, error) bool) {
		r := rules.NewReader(bytes.NewReader(m.csv), m.options())
		again := m.again
		if m.again = true; !again {
			m.unusable = map[string]bool{}
		}
		seen := map[string]bool{}
		for row, problems := range r.Rows() {
			if !again {
				m.report(problems...)
			}
			if row == nil {
				continue
			}
			id := row.OrderID()
			if m.request.Profile != "" && id != m.request.Profile {
				if !again {
					m.pass(id)
				}
				continue
			}
			p := &profile{Row: row}
			switch {
			case m.unusable[id]:
				continue
			case again && m.states != nil:
				p.state, _ = m.states.State(id)
			case !again && !m.join(p) && !seen[id]:
				m.unusable[id] = true
				m.first++
				continue
			}
			seen[id] = true
			if !yield(&reconcile.Row{Subject: p.subject(), ID: id, Stored: p.stored(), Script: m.scriptOf(id)}, nil) {
				return
			}
		}
		m.input = r.Summary().Input.String()
		if sum := r.Summary(); !again {
			m.summary = sum
			m.first += uint64(sum.Rows - sum.Valid)
			if sum.Unreadable {
				yield(nil, errUnreadable)
			}
		}
	}
}

var errUnreadable = refused("unreadable", "the payload cannot be read", "see its problems")

// reportActual reports a finding about a line or a row.
func (m *matching) reportActual(err error) {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		return
	}
	if f.Place.Line > 0 {
		f.Place.File = "actual"
	}
	m.report(f)
}

// actuals yields the lines of the second file.
func (m *matching) actuals(o reconcile.ReadOptions, decode func(io.Reader) io.Reader, yield func(*reconcile.Actual, error) bool) {
	o.File = "actual"
	r := reconcile.NewReader(unmarked(m.request.Actual.bytes, decode), o)
	for {
		a := new(reconcile.Actual)
		err := r.Read(a)
		if err == io.EOF {
			return
		}
		if errors.Is(err, reconcile.ActualEmpty) || errors.Is(err, reconcile.ActualHeader) {
			// It cannot be read as charges, so it must not mean that nothing was charged.
			f, _ := errors.AsType[ledger.Finding](err)
			yield(nil, refused(f.Code, "the second file: "+f.Message, f.Help))
			return
		}
		if _, ok := errors.AsType[ledger.Finding](err); err != nil && !ok {
			yield(nil, err)
			return
		}
		if a.File = ""; !yield(a, err) {
			return
		}
	}
}

// unmarked is a text without its byte-order mark, and in UTF-8 where that says UTF-16. A text without a mark is decoded.
func unmarked(b []byte, decode func(io.Reader) io.Reader) io.Reader {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return bytes.NewReader(b[3:])
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		order = binary.BigEndian
	case decode != nil:
		return decode(bytes.NewReader(b))
	default:
		return bytes.NewReader(b)
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 2; i+1 < len(b); i += 2 {
		units = append(units, order.Uint16(b[i:]))
	}
	text := string(utf16.Decode(units))
	if len(b)%2 == 1 {
		text += "\ufffd"
	}
	return bytes.NewReader([]byte(text))
}

// Begin implements [reconcile.Writer].
func (m *matching) Begin(r reconcile.Result) {
	h := record.Header{
		Schema: record.SchemaReconcile, AsOf: m.request.AsOf, Until: m.request.Through, Lag: m.lag, Input: m.input, Policy: r.Policy, Observed: r.Readings(),
	}
	if m.request.Profile != "" {
		h.Profiles = []string{rules.Mask(0, m.request.Profile)}
	}
	m.w = record.NewWriter(m.out, h, record.Options{})
}

// Profile implements [reconcile.Writer].
func (m *matching) Profile(s record.Subject) { m.w.Start(s) }

// Reconciled implements [reconcile.Writer].
func (m *matching) Reconciled(kind record.Match, expected *engine.Charge, actual *record.Actual) {
	if actual != nil && actual.ID != "" {
		actual.ID = rules.Mask(0, actual.ID)
	}
	_ = m.w.Reconcile(kind, expected, actual)
}

// Write implements [reconcile.Writer].
func (m *matching) Write(r record.Record) {
	switch of := r.(type) {
	case record.Reconciled: // of a profile that nobody knows: its name may be anything
		of.Profile, of.Actual.ID = rules.Mask(0, of.Profile), rules.Mask(0, of.Actual.ID)
		r = of
	case record.ReconcileSummary:
		of.LeftOut += m.first
		r = of
	default:
	}
	_ = m.w.Write(r)
}
