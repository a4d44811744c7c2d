package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

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
	// leftOut are the first profiles, by currency, whose row has errors on one side.
	leftOut map[string][]string
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
	d.leave(old, new)
	d.leave(new, old)
	if d.isFull() {
		return
	}
	s := &d.sheet
	if d.differ {
		s.add("\n")
	}
	switch {
	case old != nil && old.LeftOut:
		s.bold(named(&new.Subject)).add("  left out of OLD for errors")
	case new != nil && new.LeftOut:
		s.bold(named(&old.Subject)).add("  left out of NEW for errors")
	case old == nil:
		s.bold(named(&new.Subject)).add("  only in NEW")
	case new == nil:
		s.bold(named(&old.Subject)).add("  only in OLD")
	default:
		s.bold(named(&new.Subject))
	}
	s.newline()
}

// leave remembers a profile that is left out where another is used.
func (d *DiffWriter) leave(out, used *record.Timeline) {
	const shown = 4 // of which the last stands for all that follow
	if out == nil || !out.LeftOut || used == nil || len(d.leftOut[used.Currency]) == shown {
		return
	}
	if d.leftOut == nil {
		d.leftOut = map[string][]string{}
	}
	d.leftOut[used.Currency] = append(d.leftOut[used.Currency], termtext.Visible(used.Profile))
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
	switch left := rowsLeftOut(n); {
	case !n.IsZero():
	case n.Compared == 0 && left == "":
		s.add("Nothing was compared.\n")
		return d.flush()
	case n.Compared == 0:
		s.paragraph("", "Nothing was compared: "+left+" for errors.")
		return d.flush()
	case left == "":
		s.paragraph("", "No difference in the "+counted(n.Compared, "row")+" compared.")
		return d.flush()
	default:
		s.paragraph("", "No difference in the "+counted(n.Compared, "row")+" compared; "+left+" for errors.")
		return d.flush()
	}
	body := slices.Clone(s.b)
	s.b = s.b[:0]
	for _, m := range d.money {
		s.money(&m, d.leftOut[m.Currency])
	}
	if len(body) > 0 {
		s.b = append(append(s.b, '\n'), body...)
	}
	if d.hidden > 0 {
		s.paragraph("", strconv.Itoa(d.hidden)+" more differences: -o ndjson lists all")
	}
	s.add("\nadded " + strconv.Itoa(n.Added) + ", removed " + strconv.Itoa(n.Removed) + ", moved " + strconv.Itoa(n.Moved) +
		", changed " + strconv.Itoa(n.Changed) + ", ends that differ " + strconv.Itoa(n.Ends) + "\n")
	if left := rowsLeftOut(n); left != "" {
		s.paragraph("", "Note: "+left+" for errors")
	}
	return d.flush()
}

// rowsLeftOut says how many rows each side left out; empty for none.
func rowsLeftOut(n *record.DifferenceSummary) string {
	old, now := n.OldLeftOut, n.NewLeftOut
	switch {
	case old == 0 && now == 0:
		return ""
	case old == now:
		return counted(old, "row") + " left out on each side"
	case old == 0:
		return counted(now, "row") + " left out of NEW"
	case now == 0:
		return counted(old, "row") + " left out of OLD"
	}
	return counted(old, "row") + " left out of OLD, " + number(now) + " of NEW,"
}

// money writes what a currency comes to on both sides, and why; leftOut are the first profiles that are left out.
func (s *sheet) money(m *record.Money, leftOut []string) {
	s.bold(termtext.Visible(m.Currency)).add("  " + boundsInWords(m.Old) + " -> " + boundsInWords(m.New)).newline()
	const left = "left out for errors"
	width := 12
	if m.LeftOut.Profiles > 0 {
		width = len(left) + 1
	}
	for _, c := range [...]struct {
		name string
		record.MoneyChange
	}{{"new", m.Added}, {"gone", m.Gone}, {"repriced", m.Repriced}, {"rescheduled", m.Rescheduled}, {left, m.LeftOut}} {
		if c.Profiles == 0 {
			continue
		}
		sign := ""
		if !c.Min.Negative {
			sign = "+"
		}
		text := sign + boundsInWords(c.Bounds) + ", " + counted(c.Profiles, "profile")
		if c.name == left && len(leftOut) > 0 {
			if len(leftOut) > 3 {
				leftOut = append(leftOut[:3:3], "…")
			}
			text += " (" + strings.Join(leftOut, ", ") + ")"
		}
		s.paragraph("  "+termtext.Pad(c.name, width), text)
	}
}

func boundsInWords(b record.Bounds) string {
	low, high := b.Min.String(), b.Max.String()
	return words.Between(low, high, low == high)
}
