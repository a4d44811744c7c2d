package report

import (
	"io"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A DiffWriter writes what a [record.Diff] finds as text: the differences of each profile, then the
// sums of all. Of Options, Width and Color count.
type DiffWriter struct {
	base
	differ bool // there was a difference
	hidden int  // differences that have no room
	money  []record.Money
	counts record.DifferenceSummary
}

// NewDiffWriter returns a writer of a comparison under a header.
func NewDiffWriter(w io.Writer, h record.Header, o Options) *DiffWriter {
	o.Form = FormTable
	o.Buffer = maxDifferences + 1<<20 // they come behind the money, which is known at the end
	return &DiffWriter{base: newBase(w, h, o)}
}

// maxDifferences is how many bytes of differences are kept to be shown.
const maxDifferences = 4 << 20

// isFull reports whether no more differences are shown.
func (d *DiffWriter) isFull() bool { return len(d.sheet.b) > maxDifferences }

// Profile implements [record.DiffWriter].
func (d *DiffWriter) Profile(old, new *record.Timeline) {
	if d.isFull() {
		return
	}
	s := &d.sheet
	if d.differ {
		s.add("\n")
	}
	switch {
	case old == nil:
		s.bold(named(&new.Subject)).add("  only in NEW")
	case new == nil:
		s.bold(named(&old.Subject)).add("  only in OLD")
	default:
		s.bold(named(&new.Subject))
	}
	s.newline()
}

// Write implements [record.DiffWriter].
func (d *DiffWriter) Write(r record.Record) error {
	switch r := r.(type) {
	case record.Difference:
		d.difference(r.Kind.String(), chargeAndDay(r.Old), chargeAndDay(r.New))
	case record.EndDifference:
		d.difference("end", endAndRepeat(r.Old), endAndRepeat(r.New))
	case record.Money:
		d.money = append(d.money, r)
	case record.DifferenceSummary:
		d.counts = r
	case record.Header, record.Charge, record.End, record.Event, record.Total, record.ForecastSummary, record.Problem, record.Summary,
		record.Reconciled, record.Unexplained, record.Reading, record.ReconcileSummary:
	}
	return d.filled()
}

// chargeAndDay returns a charge in words, behind its day; empty for none.
func chargeAndDay(c *record.Charge) string {
	if c == nil {
		return ""
	}
	return c.Charge.Date.String() + " " + words.Charge(&c.Charge, c.Currency)
}

// endAndRepeat returns an end in words, with the next repeat number; empty for none.
func endAndRepeat(e *engine.End) string {
	if e == nil {
		return ""
	}
	return words.End(e) + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

// difference writes a difference of the profile at hand.
func (d *DiffWriter) difference(kind, old, new string) {
	d.differ = true
	if d.isFull() {
		d.hidden++
		return
	}
	text := old + new
	if old != "" && new != "" {
		text = old + " -> " + new
	}
	d.sheet.paragraph("  "+termtext.Pad(kind, 8), text)
}

// Close writes the sums of all profiles, and what is collected.
func (d *DiffWriter) Close() error {
	s, n := &d.sheet, &d.counts
	if n.IsZero() {
		s.add("No difference.\n")
		return d.flush()
	}
	body := slices.Clone(s.b)
	s.b = s.b[:0]
	for _, m := range d.money {
		s.money(&m)
	}
	if len(body) > 0 {
		s.b = append(append(s.b, '\n'), body...)
	}
	if d.hidden > 0 {
		s.paragraph("", strconv.Itoa(d.hidden)+" more differences: -o ndjson lists all")
	}
	s.add("\nadded " + strconv.Itoa(n.Added) + ", removed " + strconv.Itoa(n.Removed) + ", moved " + strconv.Itoa(n.Moved) +
		", changed " + strconv.Itoa(n.Changed) + ", ends that differ " + strconv.Itoa(n.Ends) + "\n")
	return d.flush()
}

// money writes what a currency comes to on both sides, and why.
func (s *sheet) money(m *record.Money) {
	s.bold(termtext.Visible(m.Currency)).add("  " + boundsInWords(m.Old) + " -> " + boundsInWords(m.New)).newline()
	for _, c := range [...]struct {
		name string
		record.MoneyChange
	}{{"new", m.Added}, {"gone", m.Gone}, {"repriced", m.Repriced}, {"rescheduled", m.Rescheduled}} {
		if c.Profiles == 0 {
			continue
		}
		sign := ""
		if !c.Min.Negative {
			sign = "+"
		}
		s.paragraph("  "+termtext.Pad(c.name, 12), sign+boundsInWords(c.Bounds)+", "+counted(c.Profiles, "profile"))
	}
}

func boundsInWords(b record.Bounds) string {
	low, high := b.Min.String(), b.Max.String()
	return words.Between(low, high, low == high)
}
