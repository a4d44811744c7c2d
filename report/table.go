package report

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// table writes what a person reads: a block for each profile, then the totals.
type table struct {
	*sheet
	of       Profile
	charges  int // of the profile
	shown    int // profiles, or totals
	quiet    int // profiles without a charge
	headed   int // the gap of the columns that have their names above; 0 for none
	sum, max amount.Sum
	width    int // of the profile's amounts and totals
	book     book
	totals   totals
	marked   bool // a mark occurred
	observed bool // … that of a reading that charges have shown
	cited    ledger.Because
}

func newTable(s *sheet) *table {
	s.heading()
	return &table{sheet: s}
}

func (t *table) start(p *Profile) {
	t.of, t.charges = *p, 0
	t.shown++
	t.sum, t.max = p.Before.Min, p.Before.Max
	whole := p.Before.Max
	whole.AddSum(p.Total.Max)
	t.width = max(10, len(whole.String()))
	where := "row " + strconv.Itoa(p.Row) + ", " + termtext.Visible(p.Currency)
	if p.File != "" {
		where = termtext.Visible(p.File) + " " + where
	}
	if t.isSimulation() && p.Callback != "" {
		where += ", each charge calls " + termtext.Visible(p.Callback)
	}
	t.b = append(t.b, '\n')
	t.line(2).bold(termtext.Visible(p.Subject.Profile)).aside(where).newline()
}

// columns are those of a charge: its repeat number, its day, its amount and the running total. Where
// they are too wide they come closer and the day loses its weekday; there are none where that is too
// wide, too. A mark stands behind the day.
func (t *table) columns(width int) columns {
	for _, c := range [...]columns{
		{{2, 6, true}, {2, 15, false}, {2, width, true}, {2, width, true}},
		{{0, 6, true}, {1, 10, false}, {1, width, true}, {1, width, true}},
	} {
		if c.width()+1 <= t.options.Width {
			return c
		}
	}
	return nil
}

// begin begins a line in columns with its number and its day, below their names.
func (t *table) begin(c columns, repeat string, d calendar.Date, why ledger.Because) {
	day, gap := d.String(), c[2].gap
	if gap == 2 {
		day = string(words.AppendDay(nil, d))
	}
	if t.headed != gap {
		t.headed = gap
		t.line(2).faint(c[:2].row("repeat", "date") + " " + c[2:].row("amount", "total")).newline()
	}
	t.line(c[0].gap + c[0].width + c[1].gap).add(c[:2].row(repeat, day))
	t.mark(why)
}

func (t *table) charge(c *engine.Charge) {
	t.charges++
	t.book.add(t.of.Currency, c, t.basis(c.Because))
	if c.Outcome != engine.OutcomeDeclined {
		t.sum.Add(c.Min)
		t.max.Add(c.Max)
	}
	repeat := strconv.FormatUint(c.Repeat, 10)
	fixed := c.Min.Compare(c.Max) == 0
	amount := words.Between(c.Min.String(), c.Max.String(), fixed)
	total := words.Between(t.sum.String(), t.max.String(), t.sum.Compare(t.max) == 0)
	width := t.width
	if !fixed || !words.IsFixed(t.of.Total.Total) || !words.IsFixed(t.of.Before.Total) {
		width = 2*t.width + len(" to ")
	}
	if columns := t.columns(width); columns != nil {
		t.begin(columns, repeat, c.Date, c.Because)
		t.add(columns[2:].row(amount, total))
	} else {
		t.headed = 0
		t.line(4).add("  " + c.Date.String())
		t.mark(c.Because).add(" repeat " + repeat).below()
		t.add("amount ").words(" ", amount).below()
		t.add("total  ").words(" ", total)
	}
	if c.Slot != c.Date {
		t.remark("due on " + c.Slot.String())
	}
	if c.Manual {
		t.remark("manual")
	}
	if c.Outcome == engine.OutcomeDeclined {
		t.warning("declined")
	}
	if c.CardExpired {
		t.warning("card expired")
	}
	t.cite(c.Because)
}

func (t *table) event(e *engine.Effect) {
	if e.Kind != engine.EffectEvent {
		return
	}
	if columns := t.columns(t.width); columns != nil {
		t.begin(columns, "", e.Date, e.Because)
		if columns[2].gap == 2 {
			t.hang = t.at + 2
		}
	} else {
		t.line(4).add("  " + e.Date.String())
		t.mark(e.Because)
	}
	switch {
	case e.Result == engine.ResultAccepted:
		t.remark(eventWord(e.Event) + " accepted")
	case e.Refusal != nil:
		t.warning(e.Refusal.Error())
	default:
		t.warning(eventWord(e.Event) + " " + e.Result.String())
	}
	t.cite(e.Because)
}

func (t *table) end(e *engine.End) {
	if t.charges == 0 {
		t.quiet++
	}
	t.line(4).add("  ").words("", t.ending(e)).add(" ")
	t.mark(e.Because)
	t.cite(e.Because)
}

// ending says in words where the profile is.
func (t *table) ending(e *engine.End) string {
	var s string
	if t.charges == 0 {
		s = "no charge; "
		if t.of.NoCharge != "" {
			s = t.of.NoCharge + "; "
		}
	}
	switch {
	case e.Status == engine.StatusStopped && e.Stop.IsZero():
		return s + "stopped, on a day that is not known"
	case e.Status == engine.StatusStopped:
		return s + "stopped on " + e.Stop.Date.String() + ": " + words.Reasons(e.Stop.Reasons)
	case e.LastDay:
		return s + "active; the calendar ends here, on 9999-12-31"
	case t.charges == 0:
		return s + "active"
	}
	through := t.of.Through
	if through.IsZero() {
		through = t.head.Until
	}
	s += "active"
	if !through.IsZero() {
		s += " on " + through.String()
	}
	return s + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

func (t *table) total(x *record.Total) {
	t.shown++
	t.book.merge(x.Currency, calendar.Date{}, x, t.basis(x.Because))
	l := &t.totals
	if len(l.list) < maxTotalLines {
		l.list = append(l.list, *x)
		return
	}
	if !l.over { // too many to compare
		l.over = true
		t.writeTotals()
	}
	t.totalLine(x)
}

func (t *table) finish() {
	if !t.totals.over {
		t.writeTotals()
	}
	t.b = append(t.b, '\n')
	if t.shown == 0 {
		t.b = append(t.b, "No profile to show.\n"...)
		return
	}
	if t.quiet > 0 && t.quiet < t.shown {
		t.b = append(t.b, termtext.Counted(strconv.Itoa(t.quiet), "profile")+" without a charge here\n\n"...)
	}
	t.grandTotal(&t.book, &t.totals)
	t.legend()
}

// mark appends the sign for the basis of something.
func (t *table) mark(why ledger.Because) *sheet {
	basis := t.basis(why)
	t.observed = t.observed || basis == ledger.Observed
	t.marked = t.marked || basis > ledger.Stated
	return t.sheet.mark(basis)
}

// cite ends a line with the clauses that it rests on, if they were asked for.
func (t *table) cite(why ledger.Because) {
	if t.options.Explain {
		t.cited = t.cited.And(why)
		t.remark("[" + why.String() + "]")
	}
	t.newline()
}

// legend explains the marks and the clauses that occurred.
func (t *table) legend() {
	if !t.marked && t.cited.IsZero() {
		return
	}
	t.b = append(t.b, '\n')
	if t.marked {
		gap := ""
		if t.line(0); t.observed {
			t.words("", markObserved+" observed in charges that took place")
			gap = "   "
		}
		t.words(gap, markInferred+" inferred from the document's wording")
		t.words("   ", markAssumed+" assumed where the document is silent").newline()
	}
	if t.cited.IsZero() && t.options.Hint != "" {
		t.paragraph("  ", t.options.Hint)
	}
	hang := 17
	if t.options.Width < 2*hang {
		hang = 4
	}
	for c := range t.cited.All() {
		t.line(hang).bold(termtext.Pad(c.String(), 7)).add(termtext.Pad(t.head.Observed.BasisOf(c, t.head.Policy).String(), 10))
		t.words("", t.head.Policy.Reading(c).Text)
		if shown, ok := t.head.Observed.Observed(c, t.head.Policy); ok {
			t.words(" ", shownBy(&shown))
		}
		t.newline()
	}
}

// eventWord returns the word of an event as scripts have it: a resume is one by whichever way it comes.
func eventWord(k engine.EventKind) string {
	if k == engine.EventResumeByAPI {
		k = engine.EventResume
	}
	return k.String()
}
