package record

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A WriteCloser writes records of any type. After the first error it writes nothing more and returns that error. Close
// writes what is left, and does not close the underlying writer.
type WriteCloser interface {
	Write(r Record) error
	Close() error
}

// An Output is a forecast or a simulation that is written, for programs by a [Writer] or for people by the Writer of package
// report: profiles one after the other, or totals. For each profile call Start, then Charge and Event in order of date, then
// End; or call Total for each total; then Write with the summary, and Close. Flush writes what is collected so far.
type Output interface {
	WriteCloser
	Start(p Profile)
	Charge(c *engine.Charge) error
	Event(e *engine.Effect) error
	End(e *engine.End) error
	Total(t *Total) error
	Flush() error
}

// A Profile is what an [Output] can say of a profile before its charges. Only the Subject is required.
type Profile struct {
	Subject
	Before   amount.Tally  // its charges before the window, with which running totals begin
	Total    amount.Tally  // the sum of its charges in the window, if known: a table makes room for it
	NoCharge string        // why it has no charge in the window, in words; empty for "no charge"
	Through  calendar.Date // the day after whose run its end is; zero for the last day of the window
}
