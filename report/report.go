package report

import (
	"errors"
	"io"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A Form is one of the forms of a report. The empty one is FormTable.
type Form string

// The forms.
const (
	FormTable Form = "table" // text: a block for each profile, or a line for each total
	FormCSV   Form = "csv"   // comma-separated charges or totals
	FormICS   Form = "ics"   // an iCalendar file (RFC 5545) of charges, events and stops
	FormHTML  Form = "html"  // one page that needs nothing else
)

// Options say how a report is written. The zero value is a table of 80 columns without colours.
type Options struct {
	Form    Form
	Explain bool   // with the ids of the clauses that each line is based on
	Width   int    // columns of the terminal, for text; 0 for 80, and at least LeastWidth
	Color   bool   // with the escape sequences of a terminal with 256 colours
	Note    string // follows the window in the heading of a text; may be empty
	Hint    string // the last line of a table with marks but without the ids of clauses; may be empty
	// Remedies say what can be done about profiles that are taken as new, in the words of the
	// caller; may be empty.
	Remedies string
	Buffer   int // bytes that are collected before a write; 0 for 65,536

	// Excel writes FormCSV for German Excel: a byte-order mark, semicolons, decimal commas, days as
	// 31.01.2026, and what else Excel would change, such as the id 0012, as text.
	Excel bool

	Quantiles []amount.Percent // those that totals have: FormTable and FormCSV have a column for each
}

// A form writes one kind of report into a sheet.
type form interface {
	start(p *record.Profile)
	charge(c *engine.Charge)
	event(e *engine.Effect)
	end(e *engine.End)
	total(t *record.Total)
	finish()
}

// A Writer is a [record.Output] for people: it writes one report, of profiles or of totals. Its
// writes end with a whole line. [NewWriter] makes one; the methods of the zero Writer panic.
//
// FormTable, FormCSV and FormICS need the same little memory for any number of profiles and
// charges. FormHTML keeps sums of days and months until Close, in a few megabytes.
type Writer struct {
	base
	form form
}

// LeastWidth is the least number of columns that text is arranged for; a narrower terminal wraps it.
const LeastWidth = 72

// keptTable is how many bytes of a table are kept, so that the note can come first.
const keptTable = 1 << 20

var (
	errTotals = errors.New("report: this form shows charges: leave out the totals")
	errForm   = errors.New("report: there is no such form")
)

// NewWriter returns a Writer that begins with the header. An Options.Form that is not a Form, and a
// header with totals that the form has no place for, are errors of every method: FormICS and
// FormHTML take no totals.
func NewWriter(w io.Writer, h record.Header, o Options) *Writer {
	if !h.Until.IsDay() {
		h.Until = calendar.Date{} // past the calendar it bounds nothing
	}
	out := &Writer{base: newBase(w, h, o)}
	switch s := &out.sheet; s.options.Form {
	case FormTable:
		out.form = newTable(s)
	case FormCSV:
		out.form = newCSV(s)
	case FormICS:
		out.form = newICS(s)
	case FormHTML:
		out.form = newPage(s)
	default:
		out.form, out.err = newTable(s), errForm
	}
	if h.By != engine.ByCharge && (o.Form == FormICS || o.Form == FormHTML) {
		out.err = errTotals
	}
	return out
}

// Start turns to the next profile.
func (w *Writer) Start(p record.Profile) {
	p.NoCharge = termtext.Visible(p.NoCharge)
	w.form.start(&p)
	_ = w.written()
}

// Charge writes a charge of the profile. In FormCSV it allocates nothing once the buffers have
// grown.
func (w *Writer) Charge(c *engine.Charge) error {
	w.form.charge(c)
	return w.written()
}

// Event writes an effect of kind [engine.EffectEvent]. Of the other effects, charges are for
// Charge, and a stop, which the profile's end has too, is shown in FormICS.
func (w *Writer) Event(e *engine.Effect) error {
	w.form.event(e)
	return w.written()
}

// Compare writes what other readings would change in the charges of the profile, as
// [engine.Engine.Sensitivities] returns it, before its End. Only FormHTML shows
// it, added up over all profiles. It keeps nothing of the slice.
func (w *Writer) Compare(changes []engine.Sensitivity) error {
	if page, ok := w.form.(*page); ok {
		page.compare(changes)
	}
	return w.err
}

// End writes where the profile is after its last charge.
func (w *Writer) End(e *engine.End) error {
	w.form.end(e)
	return w.written()
}

// Total writes a total.
func (w *Writer) Total(t *record.Total) error {
	w.form.total(t)
	return w.written()
}

// Write writes a record of another kind: of a page each [record.Problem] of the payload, at any
// time, and of a table and a page the [record.ForecastSummary], before Close, which says above the
// rest what they leave out. A table of more than a mebibyte, which is written as it comes, says it
// above its totals. Other records, and other forms, which have no place for them, leave them out.
func (w *Writer) Write(r record.Record) error {
	if problem, ok := r.(record.Problem); ok {
		if page, ok := w.form.(*page); ok {
			page.problem(problem.Finding)
		}
	}
	if s, ok := r.(record.ForecastSummary); ok {
		w.summary(words.OmittedNote(s.LeftOut, s.TakenAsNew, s.CardExpired, w.sheet.head.AsOf, w.sheet.options.Remedies))
	}
	return w.err
}

// summary writes what an answer leaves out.
func (w *Writer) summary(note string) {
	s := &w.sheet
	s.note = note
	if note == "" || s.options.Form != FormTable {
		return
	}
	at := s.top
	if w.sent {
		at = len(s.b)
	}
	s.b = slices.Insert(s.b, at, termtext.AppendHanging([]byte("Note: "), len("Note: "), s.options.Width, note)...)
}

// Close writes what comes last, and what is collected. It does not close the underlying writer.
func (w *Writer) Close() error {
	w.form.finish()
	return w.Flush()
}

// written writes if enough has come together.
func (w *Writer) written() error {
	if w.sheet.options.Form == FormTable && len(w.sheet.b) < keptTable {
		return w.err
	}
	return w.filled()
}

// Flush writes what is collected.
func (w *Writer) Flush() error { return w.flush() }
