package report

import (
	"strconv"
	"strings"

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
	of       record.Profile
	charges  int           // of the profile
	last     calendar.Date // of them
	shown    int           // profiles, or totals
	quiet    int           // profiles without a charge
	headed   bool
	running  amount.Total // of the profile, from before the window on
	width    int          // of the profile's amounts and totals
	sums     currencySums
	totals   totals
	marked   bool // a mark occurred
	observed bool // … that of a reading that charges have shown
	cited    ledger.Because
}

func newTable(s *sheet) *table {
	s.heading()
	return &table{sheet: s}
}

func (t *table) start(p *record.Profile) {
	t.of, t.charges, t.running = *p, 0, inCurrency(p.Before, p.Currency).Total
	t.shown++
	whole := t.running.Max
	whole.AddSum(p.Total.Max)
	t.width = max(10, len(whole.String()))
	if !words.IsFixed(p.Total.Total) || !words.IsFixed(p.Before.Total) {
		t.width = 2*t.width + len(" to ")
	}
	where := "row " + strconv.Itoa(p.Row) + ", " + termtext.Visible(p.Currency)
	if p.File != "" {
		where = termtext.Visible(p.File) + " " + where
	}
	if t.isSimulation() && p.Callback != "" {
		where += ", each charge calls " + termtext.Visible(p.Callback)
	}
	t.add("\n").bold(termtext.Visible(p.Subject.Profile)).faint("  " + where).newline()
	if before := &p.Before; before.Charges > 0 {
		t.names()
		t.row("", "until "+t.first().AddDays(-1).String()).amounts(t.width, words.Charges(before.Charges), words.Range(t.running))
		t.newline()
	}
}

// names writes the names of the columns above the first line.
func (t *table) names() {
	if !t.headed {
		t.headed = true
		t.row("repeat", "date").add(" ").amounts(t.width, "amount", "total").newline()
	}
}

// row begins a line with a repeat number and a day.
func (t *table) row(repeat, day string) *sheet {
	return t.add("  " + termtext.PadLeft(repeat, len("repeat")) + "  " + termtext.Pad(day, len("2026-01-31 Sat ")))
}

// amounts appends an amount and a total in columns of a width.
func (s *sheet) amounts(width int, amount, total string) *sheet {
	return s.add("  " + termtext.PadLeft(amount, width) + "  " + termtext.PadLeft(total, width))
}

func (t *table) charge(c *engine.Charge) {
	t.charges++
	t.last = c.Date
	t.sums.add(t.of.Currency, c, t.basis(c.Because))
	each := uint64(1)
	if c.Outcome == engine.OutcomeDeclined {
		each = 0 // which leaves the sum its decimals
	}
	t.running.Min.AddTimes(c.Min, each)
	t.running.Max.AddTimes(c.Max, each)
	fixed := c.Min.Compare(c.Max) == 0
	width := t.width
	if few := 2*len("888888.88") + len(" to "); !fixed && width < few {
		width = few
	}
	t.names()
	t.row(strconv.FormatUint(c.Repeat, 10), string(words.AppendDay(nil, c.Date)))
	t.mark(c.Because).amounts(width, words.Amount(c), words.Range(t.running))
	for _, remark := range words.Remarks(c) {
		if strings.HasPrefix(remark, "due ") || remark == "manual" {
			t.add("  " + remark)
		} else {
			t.add("  ").warn(remark)
		}
	}
	t.cite(c.Because)
}

func (t *table) event(e *engine.Effect) {
	if e.Kind != engine.EffectEvent {
		return
	}
	t.names()
	t.row("", string(words.AppendDay(nil, e.Date)))
	t.mark(e.Because).add("  ")
	switch {
	case e.Result == engine.ResultAccepted:
		t.add(eventWord(e.Event) + " accepted")
	case e.Refusal != nil:
		t.warn(e.Refusal.Error())
	default:
		t.warn(eventWord(e.Event) + " " + e.Result.String())
	}
	t.cite(e.Because)
}

func (t *table) end(e *engine.End) {
	if t.charges == 0 {
		t.quiet++
	}
	t.add("  " + t.ending(e) + " ")
	t.mark(e.Because)
	t.cite(e.Because)
}

// ending says in words where the profile is.
func (t *table) ending(e *engine.End) string {
	s := words.End(e)
	if t.charges == 0 {
		if t.of.NoCharge != "" {
			return t.of.NoCharge + "; " + s
		}
		return "no charge; " + s
	}
	if e.Status == engine.StatusStopped || e.LastDay {
		return s
	}
	through := t.of.Through
	switch {
	case t.head.Next > 0 && t.charges == t.head.Next: // which ends a simulation, too
		through = t.last
	case through.IsZero():
		through = t.head.Until
	}
	if !through.IsZero() {
		s += " on " + through.String()
	}
	return s + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

func (t *table) total(x *record.Total) {
	t.shown++
	t.sums.merge(x, t.basis(x.Because))
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
	t.add("\n")
	if t.shown == 0 {
		t.add("No profile to show.\n")
		return
	}
	if t.quiet > 0 && t.quiet < t.shown {
		t.add(counted(t.quiet, "profile") + " without a charge here\n\n")
	}
	t.grandTotal()
	t.legend()
}

// mark appends the sign for the basis of something.
func (t *table) mark(why ledger.Because) *sheet {
	basis := t.basis(why)
	t.observed = t.observed || basis == ledger.Observed
	t.marked = t.marked || basis > ledger.Stated
	return t.sheet.mark(basis)
}

// cite ends a line with the clauses that it is based on, if they were asked for.
func (t *table) cite(why ledger.Because) {
	if t.options.Explain {
		t.cited = t.cited.And(why)
		t.add("  [" + why.String() + "]")
	}
	t.newline()
}

// legend explains the marks and the clauses that occurred.
func (t *table) legend() {
	if !t.marked && t.cited.IsZero() {
		return
	}
	t.add("\n")
	if t.marked {
		text := markInferred + " inferred from the document's wording   " + markAssumed + " assumed where the document is silent"
		if t.observed {
			text = markObserved + " observed in charges that took place   " + text
		}
		t.add(text).newline()
	}
	if t.cited.IsZero() && t.options.Hint != "" {
		t.paragraph("  ", t.options.Hint)
	}
	for c := range t.cited.All() {
		basis, text := t.head.Observed.BasisOf(c, t.head.Policy).String(), t.head.Policy.Reading(c).Text
		if shown, ok := t.head.Observed.Observed(c, t.head.Policy); ok {
			text += " " + shownBy(&shown)
		}
		t.bold(termtext.Pad(c.String(), 7)).add(termtext.Pad(basis, 10))
		t.b = termtext.AppendHanging(t.b, 17, t.options.Width, text)
	}
}

// eventWord returns the word of an event as scripts have it: a resume is one by whichever way it
// comes.
func eventWord(k engine.EventKind) string {
	if k == engine.EventResumeByAPI {
		k = engine.EventResume
	}
	return k.String()
}
