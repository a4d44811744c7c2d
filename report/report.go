package report

import (
	"errors"
	"io"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A Form is one of the forms of a report. The zero value is FormTable.
type Form uint8

// The forms.
const (
	FormTable    Form = iota // text: a block for each profile, or a line for each total
	FormCalendar             // text: months as grids, shaded by what is charged on each day
	FormCSV                  // comma-separated charges or totals
	FormICS                  // an iCalendar file (RFC 5545) of charges, events and stops
	FormHTML                 // one page that needs nothing else
)

var formWords = enum.Words{Type: "Form", Words: []string{"table", "calendar", "csv", "ics", "html"}}

// String returns "table", "calendar", "csv", "ics" or "html".
func (f Form) String() string { return formWords.String(uint8(f)) }

// MarshalText returns the word; a value that is not a Form is an error.
func (f Form) MarshalText() ([]byte, error) { return formWords.Marshal(uint8(f)) }

// UnmarshalText reads what MarshalText writes. On an error f is unchanged.
func (f *Form) UnmarshalText(text []byte) error { return formWords.Unmarshal(text, (*uint8)(f)) }

// Options say how a [Writer] writes. The zero value is a table of 80 columns without colours.
type Options struct {
	Form    Form
	Explain bool   // with the ids of the clauses that each line rests on
	Width   int    // columns of the terminal, for text; 0 for 80, and at least LeastWidth
	Color   bool   // with the escape sequences of a terminal with 256 colours
	Note    string // what stands behind the window in the heading of a text; may be empty
	Hint    string // the last line of a table that marks what is not stated but cites no clauses; may be empty
	// Remedies are what can be done about profiles that are taken as new, in the words of the caller; may be empty.
	Remedies string
	Buffer   int // bytes that are collected before a write; 0 for 65,536

	// Excel writes FormCSV as German Excel reads it: a byte-order mark, semicolons, decimal commas and days as 31.01.2026.
	Excel bool

	Quantiles []amount.Percent // those that totals have, as CSV has a column for each
}

// A Profile is what a report knows of a profile before its charges. Only the Subject is required.
type Profile struct {
	record.Subject
	Before   amount.Tally  // its charges before the window, with which running totals begin
	Total    amount.Tally  // what its charges in the window come to, if known: a table makes room for it
	NoCharge string        // why it has no charge in the window, in words; empty for "no charge"
	Through  calendar.Date // the day after whose run its end is; zero for the last day of the window
}

// A form writes one kind of report into a sheet.
type form interface {
	start(p *Profile)
	charge(c *engine.Charge)
	event(e *engine.Effect)
	end(e *engine.End)
	total(t *record.Total)
	finish()
}

// A Writer writes one report: that of profiles one after the other, or of totals. For each profile
// call Start, then Charge and Event in order of date, then End; or call Total for each total; then Summary. Close
// writes the rest. Its writes end with a whole line. After the first error it writes nothing more
// and returns that error. [NewWriter] makes one; the methods of the zero Writer panic.
//
// FormTable, FormCSV and FormICS need the same little memory for any number of profiles and
// charges. FormCalendar and FormHTML keep sums of days and months until Close, in a few megabytes.
type Writer struct {
	w     io.Writer
	err   error
	sheet sheet
	form  form
	sent  bool // something was written
}

// LeastWidth is how many columns a table or a calendar needs at least.
const LeastWidth = 24

const (
	bufferSize   = 64 << 10
	keptTable    = 1 << 20 // of a table, above which a line may have to be written in the end
	defaultWidth = 80
)

// errTotals is returned where a form has no place for the totals that the header announces.
var errTotals = errors.New("report: this form shows charges, or totals by day: leave out the other totals")

// NewWriter returns a Writer that begins with the header. An Options.Form that is not a Form, and a
// header with totals that the form has no place for, are errors of every method: FormICS takes no
// totals, FormCalendar and FormHTML take those by day.
func NewWriter(w io.Writer, h record.Header, o Options) *Writer {
	if !h.Until.IsDay() {
		h.Until = calendar.Date{} // past the calendar it bounds nothing
	}
	if o.Buffer <= 0 {
		o.Buffer = bufferSize
	}
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	o.Width = max(LeastWidth, o.Width)
	out := &Writer{w: w, sheet: sheet{head: h, options: o}}
	fits, byDay := true, h.By == engine.ByCharge || h.By == engine.ByDay
	switch o.Form {
	case FormTable:
		out.form = newTable(&out.sheet)
	case FormCalendar:
		out.form, fits = newCalendar(&out.sheet), byDay
	case FormCSV:
		out.form = newCSV(&out.sheet)
	case FormICS:
		out.form, fits = newICS(&out.sheet), h.By == engine.ByCharge
	case FormHTML:
		out.form, fits = newPage(&out.sheet), byDay
	default:
		out.form, out.err = newTable(&out.sheet), enum.ErrUnnamed
	}
	if !fits {
		out.err = errTotals
	}
	return out
}

// Start turns to the next profile.
func (w *Writer) Start(p Profile) error {
	p.NoCharge = termtext.Visible(p.NoCharge)
	w.form.start(&p)
	return w.written()
}

// Charge writes a charge of the profile. In FormCSV it allocates nothing once the buffers have
// grown.
func (w *Writer) Charge(c *engine.Charge) error {
	w.form.charge(c)
	return w.written()
}

// Event writes an effect of kind [engine.EffectEvent]. Of the other effects, charges are for
// Charge, and a stop, which the profile's end has too, is shown in FormICS and FormHTML.
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

// Summary takes what is in the answer and what is not, before Close. A text and a page say so in a line above the rest; a
// table of more than a mebibyte, which is written as it comes, above its totals. CSV and iCalendar files have no place for it.
func (w *Writer) Summary(s record.ForecastSummary) error {
	beside := words.Beside(s.LeftOut, s.TakenAsNew, s.CardExpired, w.sheet.head.AsOf, w.sheet.options.Remedies)
	if beside == "" {
		return w.err
	}
	switch w.sheet.options.Form {
	case FormTable, FormCalendar:
		rest := slices.Clone(w.sheet.b[w.sheet.top:])
		w.sheet.b = w.sheet.b[:w.sheet.top]
		if w.sent {
			w.sheet.b, rest = append(w.sheet.b, rest...), nil
		}
		w.sheet.paragraph("Note: ", beside)
		w.sheet.b = append(w.sheet.b, rest...)
	case FormHTML:
		w.sheet.beside = beside
	case FormCSV, FormICS:
	}
	return w.err
}

// Close writes what comes last, and what is collected. It does not close the underlying writer.
func (w *Writer) Close() error {
	w.form.finish()
	return w.Flush()
}

// written writes if enough has come together.
func (w *Writer) written() error {
	if len(w.sheet.b) < w.sheet.options.Buffer || w.sheet.options.Form == FormTable && len(w.sheet.b) < keptTable {
		return w.err
	}
	return w.Flush()
}

// Flush writes what is collected.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.sheet.b) > 0 {
		_, w.err = w.w.Write(w.fitting(w.sheet.b))
		w.sent, w.sheet.top = true, 0
	}
	w.sheet.b = w.sheet.b[:0]
	return w.err
}

// fitting returns text whose lines are all within the width. The forms arrange what usually comes
// so that it fits; this is for the rest, such as a client-orderid that is longer than a line.
func (w *Writer) fitting(b []byte) []byte {
	o := &w.sheet.options
	if o.Form != FormTable && o.Form != FormCalendar || termtext.Fits(b, o.Width) {
		return b
	}
	return termtext.AppendFolded(make([]byte, 0, len(b)+len(b)/8), b, o.Width)
}
