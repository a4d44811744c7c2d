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
	"github.com/chargecast/chargecast/internal/book"
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
	m := &matching{payload: b, out: &out, lag: q.Lag}
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

// A matching reads the rows as often as they are wanted, and writes the records.
type matching struct {
	*payload
	out      *bytes.Buffer
	w        *record.Writer
	lag      int
	input    string
	again    bool
	unusable map[string]bool
}

// all yields the rows. Only the first reading says what is wrong with them.
func (m *matching) all() iter.Seq2[*reconcile.Row, error] {
	return func(yield func(*reconcile.Row, error) bool) {
		r, states, again := m.reader(), m.states, m.again
		if r.States = nil; again { // a row that repeats another may have an unusable state
			r.Report = func(ledger.Finding) {}
			states = states.Fresh(func(ledger.Finding) bool { return true })
		} else {
			m.unusable = map[string]bool{}
		}
		m.again = true
		for p := range r.Profiles() {
			if !m.usable(p, states, again) {
				continue
			}
			if !yield(&reconcile.Row{Subject: subjectOf(p), ID: p.OrderID(), Stored: p.Stored, Script: m.script.Of(p.OrderID())}, nil) {
				return
			}
		}
		sum := r.Payload().Summary()
		if m.input = sum.Input.String(); !again {
			m.leftOut += r.LeftOut
			if m.summary = sum; sum.Unreadable {
				yield(nil, errUnreadable)
			}
		}
	}
}

// usable joins a row with its state, and reports whether the row counts.
func (m *matching) usable(p *book.Profile, states *book.States, again bool) bool {
	if p.Left {
		if !again {
			states.Skip(p.OrderID())
			if m.script != nil {
				m.script.Skip(p.OrderID())
			}
		}
		return false
	}
	state, ok := states.Of(p)
	if p.Stored.State = state; !ok && !p.Repeated {
		if m.unusable[p.OrderID()] = true; !again {
			m.leftOut++
		}
	}
	return !m.unusable[p.OrderID()]
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

// unmarked is a text without its byte-order mark, and in UTF-8 where that says UTF-16. A text
// without a mark is decoded.
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

// Start implements [reconcile.Writer].
func (m *matching) Start(p record.Profile) { m.w.Start(p) }

// Reconcile implements [reconcile.Writer].
func (m *matching) Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error {
	return m.w.Reconcile(kind, expected, book.MaskActual(actual))
}

// Write implements [reconcile.Writer].
func (m *matching) Write(r record.Record) error {
	switch of := r.(type) {
	case record.Reconciled:
		r = book.MaskUnknown(of)
	case record.ReconcileSummary:
		of.LeftOut += m.leftOut
		r = of
	default:
	}
	return m.w.Write(r)
}
