package report

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A base collects a report in its sheet and writes it. After the first error it writes nothing more.
type base struct {
	w     io.Writer
	err   error
	sheet sheet
	sent  bool // something was written
}

func newBase(w io.Writer, h record.Header, o Options) base {
	o.Buffer = cmp.Or(max(o.Buffer, 0), 64<<10)
	o.Width = max(cmp.Or(o.Width, 80), LeastWidth)
	o.Form = cmp.Or(o.Form, FormTable)
	return base{w: w, sheet: sheet{head: h, options: o}}
}

// filled writes if the buffer is full.
func (b *base) filled() error {
	if len(b.sheet.b) < b.sheet.options.Buffer {
		return b.err
	}
	return b.flush()
}

// flush writes what is collected. A line of text that is wider than the terminal, such as one with a
// long client-orderid, is folded.
func (b *base) flush() error {
	s := &b.sheet
	if b.err == nil && len(s.b) > 0 {
		text := s.b
		if s.options.Form == FormTable && !termtext.Fits(text, s.options.Width) {
			text = termtext.AppendFolded(make([]byte, 0, len(text)+len(text)/8), text, s.options.Width)
		}
		_, b.err = b.w.Write(text)
		b.sent, s.top = true, 0
	}
	s.b = s.b[:0]
	return b.err
}

// A sheet is where the forms write.
type sheet struct {
	b       []byte
	head    record.Header
	options Options
	top     int    // the end of the heading in b; 0 once that was written
	note    string // of a page: what the summary says
}

func (s *sheet) isSimulation() bool { return s.head.Schema == record.SchemaSimulate }

// first is the first day of the window.
func (s *sheet) first() calendar.Date {
	if s.head.From.IsZero() {
		return s.head.AsOf
	}
	return s.head.From
}

// window says in words which days the report is about.
func (s *sheet) window() string {
	text := "from " + s.first().String()
	if u := s.head.Until; !u.IsZero() {
		text += " to " + u.String()
	}
	return text
}

// heading says what a text is about.
func (s *sheet) heading() {
	h := &s.head
	what, text := "Forecast", " "+asOf(h)
	if s.isSimulation() {
		what = "Simulation"
	}
	if !h.From.IsZero() && h.From != h.AsOf {
		text += " from " + h.From.String()
	}
	if !h.Until.IsZero() {
		text += " to " + h.Until.String()
	}
	for _, note := range s.notes(s.options.Note) {
		text += ", " + note
	}
	s.bold(what).add(text).newline()
	s.readings()
	s.top = len(s.b)
}

// readings names the readings that are not those by default.
func (s *sheet) readings() {
	if others := words.OtherReadings(s.head.Policy); others != "" {
		s.paragraph("Readings: ", others+"; the others by default")
	}
}

// asOf is the as-of day with its time zone, if that has a name which says where it is, as part of a
// sentence.
func asOf(h *record.Header) string {
	s := "as of " + h.AsOf.String()
	if z := h.Zone; z != "" && z != "Local" && z != "UTC" {
		s += " (" + termtext.Visible(z) + ")"
	}
	return s
}

// notes are what is said besides the window: how many charges are shown of each profile, if not all,
// the seed of a simulation, and the form of the payload, unless it was plain CSV.
func (s *sheet) notes(first string) []string {
	notes := []string{first}
	if s.head.ToEnd {
		notes = append(notes, "each profile to its end")
	}
	switch next := s.head.Next; next {
	case 0:
	case 1:
		notes = append(notes, "the first charge of each profile")
	default:
		notes = append(notes, "the first "+strconv.Itoa(next)+" charges of each profile")
	}
	if s.isSimulation() {
		notes = append(notes, "seed "+strconv.FormatUint(s.head.Seed, 10))
	}
	if s.head.Input != "" && s.head.Input != "csv" {
		notes = append(notes, "read from "+termtext.Visible(s.head.Input))
	}
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" })
}

// named is a profile for people: its id, and its place, which tells those with one id apart.
func named(s *record.Subject) string {
	place := "row " + strconv.Itoa(s.Row)
	if s.File != "" {
		place = termtext.Visible(s.File) + " " + place
	}
	return termtext.Visible(s.Profile) + " (" + place + ")"
}

// counted is a number with its noun: "1 charge", "2 charges".
func counted[N int | uint64](n N, noun string) string {
	return termtext.Counted(number(n), noun)
}

func number[N int | uint64](n N) string { return strconv.FormatUint(uint64(n), 10) }

// newline ends a line.
func (s *sheet) newline() { s.b = append(termtext.TrimSpace(s.b), '\n') }

// paragraph writes lines of running text, which begin below the end of the lead.
func (s *sheet) paragraph(lead, text string) {
	s.b = termtext.AppendHanging(append(s.b, lead...), len(lead), s.options.Width, text)
}

func (s *sheet) paint() termtext.Paint { return termtext.Paint(s.options.Color) }

func (s *sheet) add(text string) *sheet {
	s.b = append(s.b, text...)
	return s
}

func (s *sheet) bold(text string) *sheet {
	s.b = s.paint().Bold(s.b, text)
	return s
}

func (s *sheet) faint(text string) *sheet {
	s.b = s.paint().Faint(s.b, text)
	return s
}

func (s *sheet) warn(text string) *sheet {
	s.b = s.paint().Warn(s.b, text)
	return s
}

// colour appends a text behind the escape sequence of its colours.
func (s *sheet) colour(on, text string) *sheet {
	s.b = s.paint().With(s.b, on, text)
	return s
}

// The marks of a basis: what has none is stated by the document.
const (
	markObserved = "="
	markInferred = "~"
	markAssumed  = "?"
)

// basis returns the weakest basis of something.
func (s *sheet) basis(why ledger.Because) ledger.Basis {
	return s.head.Observed.Basis(why, s.head.Policy)
}

// shownBy says which profile showed a reading, and by which day.
func shownBy(r *record.ObservedReading) string {
	return "(shown by " + termtext.Visible(r.Profile) + " on " + r.Date.String() + ")"
}

// mark appends the sign for a basis, or a space.
func (s *sheet) mark(basis ledger.Basis) *sheet {
	switch basis {
	case ledger.Observed:
		return s.faint(markObserved)
	case ledger.Inferred:
		return s.faint(markInferred)
	case ledger.Assumed:
		return s.warn(markAssumed)
	}
	return s.add(" ")
}

const (
	barColour = "\x1b[38;5;67m"
	leastBar  = 8
	mostBar   = 60
)

// eighths are the parts of a full block.
var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar appends a bar for a sum: solid to its lower bound, light from there to its upper one.
func (s *sheet) bar(sum amount.Total, largest amount.Sum, width int) *sheet {
	low, high := share(sum.Min, largest, 8*width), share(sum.Max, largest, 8*width)
	bar := strings.Repeat("█", low/8) + eighths[low%8]
	if high > low {
		bar += strings.Repeat("░", max(0, (high+7)/8-(low+7)/8))
	}
	return s.colour(barColour, bar)
}

// places are how many decimals sums of a currency have at least.
func places(currency string) int {
	n, _ := amount.MinorUnits(currency)
	return n
}

// scaled returns a sum with at least so many decimals.
func scaled(t amount.Total, places int) amount.Total {
	zero, _ := amount.FromMinor(0, places)
	t.Min.Add(zero)
	t.Max.Add(zero)
	return t
}

// inCurrency returns a tally whose sums have the decimals of a currency at least.
func inCurrency(t amount.Tally, currency string) amount.Tally {
	n := places(currency)
	t.Total, t.CardExpired, t.Declined = scaled(t.Total, n), scaled(t.CardExpired, n), scaled(t.Declined, n)
	return t
}
