package record

import (
	"errors"
	"io"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/stencil"
)

// Options say how a [Writer] writes. The zero value is NDJSON without reasons.
type Options struct {
	Document bool // one JSON document, of the header and lists of the same records; else NDJSON, a record a line
	Explain  bool // with the clauses that each record depends on
	Buffer   int  // bytes that are collected before a write; 0 for 65,536
}

// bufferSize is how much is written and read at once.
const bufferSize = 64 << 10

// A Writer writes the records of one output: those of its profiles one after the other, or totals,
// differences or problems. For each profile call Start, then Charge and Event in order, then End;
// at the end Write the summary, without which the output is not whole, and Close. Its writes end
// with a whole record. After the first error it writes nothing more and returns that error.
//
// NDJSON needs no memory for what was written. A document keeps the records of its ends and events
// until Close, since they come after the charges.
type Writer struct {
	w    io.Writer
	err  error
	b    []byte
	size int

	enc        encoder
	started    bool
	reconciles bool      // its records are those of SchemaReconcile
	doc        *document // nil for NDJSON
	pol        engine.Policy
	observed   Readings
}

var errNotStarted = errors.New("record: a charge, end or event without its profile: call Start before it")

// NewWriter returns a Writer that begins with the header.
func NewWriter(w io.Writer, h Header, o Options) *Writer {
	out := &Writer{w: w, size: o.Buffer, pol: h.Policy, observed: h.Observed}
	if out.size == 0 {
		out.size = bufferSize
	}
	out.reconciles = h.Schema == SchemaReconcile
	if o.Explain {
		out.enc.explain, out.enc.observed, out.enc.line.Explained = &out.pol, h.Observed, true
	}
	if o.Document {
		out.doc = &document{simulated: h.Schema == SchemaSimulate}
		out.b = h.AppendJSON(append(out.b, `{"header":`...))
		out.doc.of = listOf(&h)
		out.b = out.doc.open(out.b, out.doc.of)
		return out
	}
	out.b = append(h.AppendJSON(out.b), '\n')
	return out
}

// Start turns to the next profile, of which records have the Subject alone.
func (w *Writer) Start(p Profile) {
	if w.enc.line.Dates == nil {
		w.enc.line.Dates = new(stencil.Dates)
	}
	w.started = true
	if w.reconciles {
		w.enc.startReconciled(p.Subject)
		return
	}
	w.enc.start(p.Subject)
}

// Reconcile writes what became of an expected charge of the profile, with the actual one, or of one
// of the two; the header is one of [SchemaReconcile]. It allocates nothing once its buffers have
// grown.
func (w *Writer) Reconcile(m Match, expected *engine.Charge, actual *Actual) error {
	if !w.isStarted() {
		return w.err
	}
	return w.put(w.enc.reconciled(w.item(), m, expected, actual))
}

// isStarted reports whether there is a profile, without which the Writer fails.
func (w *Writer) isStarted() bool {
	if !w.started && w.err == nil {
		w.err = errNotStarted
	}
	return w.started
}

// Charge writes a charge of the profile. It allocates nothing once its buffers have grown.
func (w *Writer) Charge(c *engine.Charge) error {
	if !w.isStarted() {
		return w.err
	}
	return w.put(w.enc.charge(w.item(), c))
}

// End writes where the profile is after its last charge.
func (w *Writer) End(e *engine.End) error {
	switch {
	case !w.isStarted():
		return w.err
	case w.doc != nil:
		w.doc.ends = w.enc.end(next(w.doc.ends), e)
		return w.err
	}
	return w.put(w.enc.end(w.b, e))
}

// Event writes an effect of kind [engine.EffectEvent]. Of the others, charges are for Charge, and the
// end has the last stop.
func (w *Writer) Event(e *engine.Effect) error {
	if !w.isStarted() || e.Kind != engine.EffectEvent {
		return w.err
	}
	return w.Write(EventOf(w.enc.of, e))
}

// Total writes a total.
func (w *Writer) Total(t *Total) error { return w.put(w.enc.total(w.item(), t)) }

// Write writes a record of any type. Its reasons are written if the Writer explains, in the words
// of the header's readings; those of an event always are. Headers are for [NewWriter] and are left
// out. In a document a record of a type that the document does not list is placed where the others
// are.
func (w *Writer) Write(r Record) error {
	if _, ok := r.(Header); ok {
		return w.err
	}
	if w.doc != nil {
		if to := w.doc.keeps(r); to != nil {
			*to = w.record(next(*to), r)
			return w.err
		}
	}
	return w.put(w.record(w.item(), r))
}

// record appends a record.
func (w *Writer) record(dst []byte, r Record) []byte {
	explain := w.enc.explain
	if _, ok := r.(Event); ok {
		explain = &w.pol
	}
	return appendUnder(dst, r, explain, w.observed)
}

// item returns the buffer with what comes before the next record.
func (w *Writer) item() []byte {
	if w.doc == nil {
		return w.b
	}
	return w.doc.item(w.b)
}

// put takes the buffer with one more record.
func (w *Writer) put(b []byte) error {
	if w.doc == nil {
		b = append(b, '\n')
	}
	w.b = b
	if len(b) < w.size {
		return w.err
	}
	return w.Flush()
}

// Flush writes what is collected.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.b) > 0 {
		_, w.err = w.w.Write(w.b)
	}
	w.b = w.b[:0]
	return w.err
}

// Close writes what a document has after its records, and what is collected. It does not close the
// underlying writer.
func (w *Writer) Close() error {
	if w.doc != nil {
		w.finish()
	}
	return w.Flush()
}

// finish writes the rest of a document.
func (w *Writer) finish() {
	w.b = append(w.b, ']')
	switch w.doc.of {
	case "charges":
		if w.doc.simulated {
			w.list("events", w.doc.events)
		}
		w.list("ends", w.doc.ends)
	case "reconciled":
		w.list("unexplained", w.doc.unexplained)
		w.list("readings", w.doc.readings)
	}
	if w.doc.summary != nil {
		w.b = append(append(w.b, ",\n\"summary\":"...), w.doc.summary...)
	}
	w.b = append(w.b, "}\n"...)
}

// list writes a list of records that were kept.
func (w *Writer) list(name string, records []byte) {
	w.b = w.doc.open(w.b, name)
	if len(records) > 0 {
		w.b = append(w.b, '\n')
		if w.Flush() == nil {
			_, w.err = w.w.Write(records)
		}
	}
	w.b = append(w.b, ']')
}

// A document is what a JSON document keeps until it is finished.
type document struct {
	simulated   bool
	of          string // the list that the header announces
	items       int    // of the list that is open
	ends        []byte // the records
	events      []byte
	unexplained []byte
	readings    []byte
	summary     []byte
}

// listOf returns the list that a document with this header has.
func listOf(h *Header) string {
	switch {
	case h.Schema == SchemaDiff:
		return "differences"
	case h.Schema == SchemaValidate:
		return "problems"
	case h.Schema == SchemaReconcile:
		return "reconciled"
	case h.By != engine.ByCharge:
		return "totals"
	}
	return "charges"
}

// open begins a list.
func (d *document) open(b []byte, name string) []byte {
	d.items = 0
	return append(b, ",\n\""+name+"\":["...)
}

// item appends what comes before the next item of the open list.
func (d *document) item(b []byte) []byte {
	d.items++
	if d.items > 1 {
		b = append(b, ',')
	}
	return append(b, '\n')
}

// keeps returns where a record is kept; nil for one that is written at once.
func (d *document) keeps(r Record) *[]byte {
	switch r.(type) {
	case End:
		return &d.ends
	case Event:
		return &d.events
	case Unexplained:
		return &d.unexplained
	case Reading:
		return &d.readings
	case Summary, ForecastSummary, DifferenceSummary, ReconcileSummary:
		d.summary = nil // there is one
		return &d.summary
	case Header, Charge, Total, Difference, EndDifference, Money, Problem, Reconciled:
	}
	return nil
}

// next returns records with what comes before the next one.
func next(records []byte) []byte {
	if len(records) > 0 {
		return append(records, ",\n"...)
	}
	return records
}
