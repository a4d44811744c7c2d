package report

import (
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

// A sheet is where the forms write: whole lines but for the last one, which is continued below
// where it would be too wide for a terminal.
type sheet struct {
	b       []byte
	head    record.Header
	options Options
	at      int    // the column of the last line
	hang    int    // the column where it is continued
	top     int    // the end of the heading in b; 0 once that was written
	beside  string // of a page: what stands beside the answer
}

func (s *sheet) isSimulation() bool { return s.head.Schema == record.SchemaSimulate }

// first is the first day of the window.
func (s *sheet) first() calendar.Date {
	if s.head.From.IsZero() {
		return s.head.AsOf
	}
	return s.head.From
}

// heading says what a text is about.
func (s *sheet) heading() {
	h := &s.head
	what, window := "Forecast", asOf(h)
	if s.isSimulation() {
		what = "Simulation"
	}
	if !h.From.IsZero() && h.From != h.AsOf {
		window += " from " + h.From.String()
	}
	if !h.Until.IsZero() {
		window += " to " + h.Until.String()
	}
	s.line(2).bold(what).words(" ", window)
	for _, note := range s.notes(s.options.Note) {
		s.add(",").words(" ", note)
	}
	s.newline()
	if others := words.OtherReadings(h.Policy); others != "" {
		s.paragraph("Readings: ", others+"; the others by default")
	}
	s.top = len(s.b)
}

// asOf is the as-of day with its time zone, if it has one, as part of a sentence.
func asOf(h *record.Header) string {
	s := "as of " + h.AsOf.String()
	if h.Zone != "" {
		s += " (" + termtext.Visible(h.Zone) + ")"
	}
	return s
}

// notes are what is said besides the window: how many charges are shown of each profile, if not all,
// which chance a simulation had, and in which form the payload came, unless it was plain CSV.
func (s *sheet) notes(first string) []string {
	notes := []string{first}
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

// line begins a line that is continued at a column.
func (s *sheet) line(hang int) *sheet {
	s.at, s.hang = 0, hang
	return s
}

// newline ends a line.
func (s *sheet) newline() { s.b = append(termtext.TrimSpace(s.b), '\n') }

// below goes on below.
func (s *sheet) below() *sheet {
	s.newline()
	s.b = append(s.b, strings.Repeat(" ", s.hang)...)
	s.at = s.hang
	return s
}

// paragraph writes lines of running text, which begin below the end of the lead.
func (s *sheet) paragraph(lead, text string) {
	s.b = termtext.AppendHanging(append(s.b, lead...), len(lead), s.options.Width, text)
}

func (s *sheet) paint() termtext.Paint { return termtext.Paint(s.options.Color) }

func (s *sheet) add(text string) *sheet   { return s.with(append(s.b, text...), text) }
func (s *sheet) bold(text string) *sheet  { return s.with(s.paint().Bold(s.b, text), text) }
func (s *sheet) faint(text string) *sheet { return s.with(s.paint().Faint(s.b, text), text) }
func (s *sheet) warn(text string) *sheet  { return s.with(s.paint().Warn(s.b, text), text) }

// colour appends a text behind the escape sequence of its colours.
func (s *sheet) colour(on, text string) *sheet { return s.with(s.paint().With(s.b, on, text), text) }

// with takes the bytes with a text at their end.
func (s *sheet) with(b []byte, text string) *sheet {
	s.b = b
	s.at += termtext.Cells(text)
	return s
}

// words goes on with running text.
func (s *sheet) words(gap, text string) *sheet { return s.flow(gap, text, s.add) }

// remark appends words behind two spaces, on the lines below where they do not fit.
func (s *sheet) remark(text string) *sheet { return s.flow("  ", text, s.add) }

// warning is remark in the colour of a warning.
func (s *sheet) warning(text string) *sheet { return s.flow("  ", text, s.warn) }

func (s *sheet) flow(gap, text string, add func(string) *sheet) *sheet {
	for word := range strings.FieldsSeq(text) {
		if s.at+len(gap)+termtext.Cells(word) > s.options.Width && s.at > s.hang {
			s.below()
			gap = ""
		}
		s.add(gap)
		add(word)
		gap = " "
	}
	return s
}

// aside appends faint text behind two spaces, on the line below where it does not fit.
func (s *sheet) aside(text string) *sheet {
	if s.at+2+termtext.Cells(text) <= s.options.Width {
		return s.faint("  " + text)
	}
	return s.below().faint(text)
}

// The marks of a basis: what has none is stated by the document.
const (
	markObserved = "="
	markInferred = "~"
	markAssumed  = "?"
)

// basis returns the weakest basis of what something rests on.
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

// A column has spaces before it and a width. What is in it begins there, or ends there.
type column struct {
	gap, width int
	right      bool
}

// columns are those of a line, or of a part of it.
type columns []column

// width is how wide the columns are together.
func (c columns) width() int {
	n := 0
	for _, column := range c {
		n += column.gap + column.width
	}
	return n
}

// row returns texts in their columns. A text that is too wide moves what follows it.
func (c columns) row(texts ...string) string {
	var b strings.Builder
	for i, text := range texts {
		pad := termtext.Pad
		if c[i].right {
			pad = termtext.PadLeft
		}
		b.WriteString(strings.Repeat(" ", c[i].gap) + pad(text, c[i].width))
	}
	return b.String()
}
