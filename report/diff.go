package report

import (
	"io"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A DiffWriter writes what a [record.Diff] finds, as text in FormTable, as FormCSV, or as a page in FormHTML; other forms
// are an error. Of Options, Form, Width, Color, Excel and Buffer count. With Brief it leaves out the differences.
type DiffWriter struct {
	w     io.Writer
	err   error
	sheet sheet
	brief bool

	old, new *record.Timeline // the profile at hand; both nil before the first
	excel    []func(string) string
	differ   bool // there was a difference
	money    []record.Money
	counts   record.DifferenceSummary
	rows     markup // of the page
	left     int    // differences that it has no room for
}

// The columns of the differences in FormCSV.
const diffColumns = "profile,kind,old_date,old_slot,old_repeat,old_amount,old_min,old_max,old_currency,old_status,old_stop_date," +
	"new_date,new_slot,new_repeat,new_amount,new_min,new_max,new_currency,new_status,new_stop_date"

// NewDiffWriter returns a writer of a comparison under a header.
func NewDiffWriter(w io.Writer, h record.Header, brief bool, o Options) *DiffWriter {
	if o.Buffer <= 0 {
		o.Buffer = bufferSize
	}
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	d := &DiffWriter{w: w, brief: brief, sheet: sheet{head: h, options: o}}
	switch o.Form {
	case FormTable, FormHTML:
	case FormCSV:
		if o.Excel {
			d.sheet.b, d.excel = append(d.sheet.b, "\ufeff"...), germanCells(diffColumns)
		}
		d.line([]byte(diffColumns+"\n"), nil)
	default:
		d.err = enum.ErrUnnamed
	}
	return d
}

// line appends a line of values.
func (d *DiffWriter) line(line []byte, cells []func(string) string) {
	if d.sheet.options.Excel {
		d.sheet.b = appendGerman(d.sheet.b, line, cells)
	} else {
		d.sheet.b = append(d.sheet.b, line...)
	}
}

// Profile implements [record.DiffWriter].
func (d *DiffWriter) Profile(old, new *record.Timeline) {
	s := &d.sheet
	if d.old, d.new = old, new; d.brief || s.options.Form != FormTable {
		return
	}
	if d.differ {
		s.b = append(s.b, '\n')
	}
	s.line(2).bold(d.name())
	switch {
	case old == nil:
		s.remark("only in NEW")
	case new == nil:
		s.remark("only in OLD")
	}
	s.newline()
}

// name is the profile at hand for people. The row tells those with one id apart.
func (d *DiffWriter) name() string {
	t := d.new
	if t == nil {
		t = d.old
	}
	place := "row " + strconv.Itoa(t.Row)
	if t.File != "" {
		place = termtext.Visible(t.File) + " " + place
	}
	return termtext.Visible(t.Profile) + " (" + place + ")"
}

// Write implements [record.DiffWriter].
func (d *DiffWriter) Write(r record.Record) {
	switch r := r.(type) {
	case record.Difference:
		d.differ = true
		d.difference(r.Profile, r.Kind.String(), diffCharge(r.Old), diffCharge(r.New))
	case record.EndDifference:
		d.differ = true
		d.difference(r.Profile, "end", diffEnd(r.Old), diffEnd(r.New))
	case record.Money:
		d.money = append(d.money, r)
	case record.DifferenceSummary:
		d.counts = r
	case record.Header, record.Charge, record.End, record.Event, record.Total, record.ForecastSummary, record.Problem, record.Summary,
		record.Reconciled, record.Unexplained, record.Reading, record.ReconcileSummary:
	}
	if len(d.sheet.b) >= d.sheet.options.Buffer {
		d.flush()
	}
}

// A diffValue is one side of a difference: in words, and as the values of its columns.
type diffValue struct {
	text  string
	cells [9]string // from date to stop_date
}

func diffCharge(c *record.Charge) (v diffValue) {
	if c == nil {
		return v
	}
	v.cells = [9]string{0: c.Charge.Date.String(), 2: strconv.FormatUint(c.Charge.Repeat, 10), 6: termtext.Visible(c.Currency)}
	fixed := c.Charge.Min.Compare(c.Charge.Max) == 0
	v.text = string(words.AppendDay(nil, c.Charge.Date)) + " repeat " + v.cells[2] + " " + words.Between(c.Charge.Min.String(), c.Charge.Max.String(), fixed) + " " + v.cells[6]
	if fixed {
		v.cells[3] = c.Charge.Min.String()
	} else {
		v.cells[4], v.cells[5] = c.Charge.Min.String(), c.Charge.Max.String()
	}
	if c.Charge.Slot != c.Charge.Date {
		v.cells[1] = c.Charge.Slot.String()
		v.text += " due on " + v.cells[1]
	}
	if c.Charge.Manual {
		v.text += " manual"
	}
	if c.Charge.Outcome == engine.OutcomeDeclined {
		v.text += " declined"
	}
	return v
}

func diffEnd(e *engine.End) (v diffValue) {
	if e == nil {
		return v
	}
	v.text = e.Status.String()
	v.cells = [9]string{2: strconv.FormatUint(e.Repeat, 10), 7: v.text}
	if !e.Stop.IsZero() {
		v.cells[8] = e.Stop.Date.String()
		v.text += " on " + v.cells[8] + " (" + words.Reasons(e.Stop.Reasons) + ")"
	}
	v.text += ", next repeat " + v.cells[2]
	return v
}

// difference writes a difference of the profile at hand.
func (d *DiffWriter) difference(profile, kind string, old, new diffValue) {
	if d.brief {
		return
	}
	s := &d.sheet
	switch s.options.Form {
	case FormTable:
		s.line(10).add("  " + termtext.Pad(kind, 8))
		text := old.text + new.text
		if old.text != "" && new.text != "" {
			text = old.text + " -> " + new.text
		}
		s.words("", text).newline()
	case FormCSV:
		line := append(appendField(nil, profile), ","+kind...)
		for _, cells := range [...]*[9]string{&old.cells, &new.cells} {
			for _, cell := range cells {
				line = appendField(append(line, ','), cell)
			}
		}
		d.line(append(line, '\n'), d.excel)
	case FormHTML:
		if len(d.rows) > pageBytes-20_000 {
			d.left++
			return
		}
		d.rows.row(diffHeads, d.name(), kind, old.text, new.text)
	case FormCalendar, FormICS:
	}
}

var diffHeads = []head{{"Profile", "", ""}, {"Difference", "", ""}, {"Old", "", ""}, {"New", "", ""}}

// Close writes what all profiles come to, and what is collected.
func (d *DiffWriter) Close() error {
	switch d.sheet.options.Form {
	case FormTable:
		d.finishText()
	case FormHTML:
		d.sheet.b = append(d.sheet.b, d.page()...)
	case FormCSV, FormCalendar, FormICS:
	}
	d.flush()
	return d.err
}

func (d *DiffWriter) flush() {
	b := d.sheet.b
	if d.sheet.options.Form == FormTable && !termtext.Fits(b, d.sheet.options.Width) {
		b = termtext.AppendFolded(nil, b, d.sheet.options.Width)
	}
	if d.err == nil && len(b) > 0 {
		_, d.err = d.w.Write(b)
	}
	d.sheet.b = d.sheet.b[:0]
}

func (d *DiffWriter) finishText() {
	s := &d.sheet
	if d.counts.IsZero() {
		s.b = append(s.b, "No difference.\n"...)
		return
	}
	for i, m := range d.money {
		if i == 0 {
			s.b = append(s.b, "\nMoney\n"...)
		}
		s.line(6).add("  "+termtext.Pad(termtext.Visible(m.Currency), 4)).words("", moneyInWords(&m.Old)+" -> "+moneyInWords(&m.New)).newline()
	}
	s.b = append(s.b, "\n"+d.inWords()+"\n"...)
}

// inWords says how many differences there are.
func (d *DiffWriter) inWords() string {
	n := &d.counts
	return "added " + strconv.Itoa(n.Added) + ", removed " + strconv.Itoa(n.Removed) + ", moved " + strconv.Itoa(n.Moved) +
		", changed " + strconv.Itoa(n.Changed) + ", ends that differ " + strconv.Itoa(n.Ends)
}

func moneyInWords(t *amount.Tally) string {
	s := words.Range(t.Total) + words.Mean(t.Total)
	if besides := words.Besides(t); besides != "" {
		s += " (" + besides[2:] + ")"
	}
	return s
}

// page is the whole page.
func (d *DiffWriter) page() string {
	h := &d.sheet.head
	window := asOf(h)
	if extent := h.Extent(); extent != "" {
		window = extent + ", " + window
	}
	var notes, links, body, rows markup
	notes.put("<li>%</li>", d.inWords())
	if others := words.OtherReadings(h.Policy); others != "" {
		notes.put("<li>%</li>", "readings of the new side: "+others)
	}
	if d.left > 0 {
		notes.put("<li>%</li>", termtext.Counted(strconv.Itoa(d.left), "difference")+" more than there is room for")
	}
	heads := []head{{"Currency", "", ""}, {"Old", "n", "n"}, {"New", "n", "n"}}
	for _, m := range d.money {
		rows.row(heads, termtext.Visible(m.Currency), moneyInWords(&m.Old), moneyInWords(&m.New))
	}
	put := func(id, heading string, heads []head, rows markup) {
		if rows == nil {
			return
		}
		links.put(`<li><a href="#%">%</a></li>`+"\n", id, heading)
		body.put(`<section aria-labelledby="%">`+"\n"+`<h2 id="%">%</h2>`+"\n", id, id, heading)
		body.table(heading, nil, heads, rows)
		body.put("</section>\n")
	}
	put("money", "Money", heads, rows)
	put("differences", "Differences", diffHeads, d.rows)
	return framed("Differences", window, notes, links, body)
}
