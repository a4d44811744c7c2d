package report

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
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
	charges  int          // of the profile
	shown    int          // profiles, or totals
	quiet    int          // profiles without a charge
	headed   chargeLayout // whose columns have their names
	sum, max amount.Sum
	width    int // of the profile's amounts and totals
	grand    grandTotals
	lines    totalLines
	file     string // of the last total
	marked   bool   // a mark occurred
	cited    ledger.Because
}

func newTable(s *sheet) *table {
	t := &table{sheet: s}
	s.heading()
	return t
}

// asOf is the as-of day with its time zone, if it has one, as part of a sentence.
func asOf(h *record.Header) string {
	s := "as of " + h.AsOf.String()
	if h.Zone != "" {
		s += " (" + termtext.Visible(h.Zone) + ")"
	}
	return s
}

// heading says what the report is about.
func (s *sheet) heading() {
	h := &s.head
	what := "Forecast"
	if s.isSimulation() {
		what = "Simulation"
	}
	window := asOf(h)
	if !h.From.IsZero() && h.From != h.AsOf {
		window += " from " + h.From.String()
	}
	if !h.Until.IsZero() {
		window += " to " + h.Until.String()
	}
	l := s.line(2).bold(what).words(" ", window)
	for _, more := range []string{s.options.Note, firstCharges(h.Next), s.seed(), s.input()} {
		if more != "" {
			l.add(",").words(" ", more)
		}
	}
	l.end(s)
	if others := words.OtherReadings(h.Policy); others != "" {
		s.b = termtext.AppendHanging(append(s.b, "Readings: "...), 10, s.options.Width, others+"; the others by default")
	}
}

// firstCharges says how many charges of each profile are shown, if not all.
func firstCharges(next int) string {
	switch next {
	case 0:
		return ""
	case 1:
		return "the first charge of each profile"
	}
	return "the first " + strconv.Itoa(next) + " charges of each profile"
}

func (s *sheet) seed() string {
	if !s.isSimulation() {
		return ""
	}
	return "seed " + strconv.FormatUint(s.head.Seed, 10)
}

// input says in which form the payload came, unless it was plain CSV.
func (s *sheet) input() string {
	if s.head.Input == "" || s.head.Input == "csv" {
		return ""
	}
	return "read from " + termtext.Visible(s.head.Input)
}

func (t *table) start(p *Profile) {
	t.of, t.charges = *p, 0
	t.shown++
	t.sum, t.max = p.Before.Min, p.Before.Max
	whole := p.Before.Max
	whole.AddSum(p.Total.Max)
	t.width = max(10, len(whole.String()))
	t.b = append(t.b, '\n')
	l := t.line(2).bold(termtext.Visible(p.Subject.Profile))
	where := "row " + strconv.Itoa(p.Row) + ", " + termtext.Visible(p.Currency)
	if p.File != "" {
		where = termtext.Visible(p.File) + " " + where
	}
	if t.isSimulation() && p.Callback != "" {
		where += ", each charge calls " + termtext.Visible(p.Callback)
	}
	l.aside(where).end(t.sheet)
}

func (t *table) charge(c *engine.Charge) {
	t.charges++
	t.grand.add(t.of.Currency, c)
	if c.Outcome == engine.OutcomeApproved {
		t.sum.Add(c.Min)
		t.max.Add(c.Max)
	}
	l := t.chargeLine(c)
	if c.Slot != c.Date {
		l.remark("due on " + c.Slot.String())
	}
	if c.Manual {
		l.remark("manual")
	}
	if c.Outcome == engine.OutcomeDeclined {
		l.warning("declined")
	}
	if c.CardExpired {
		l.warning("card expired")
	}
	t.cite(l, c.Because).end(t.sheet)
}

func (t *table) event(e *engine.Effect) {
	if e.Kind != engine.EventHandled {
		return
	}
	l := t.eventLine(e)
	switch {
	case e.Result == engine.ResultAccepted:
		l.remark(e.Event.String() + " accepted")
	case e.Refusal != nil:
		l.warning(e.Refusal.Error())
	default:
		l.warning(e.Event.String() + " " + e.Result.String())
	}
	t.cite(l, e.Because).end(t.sheet)
}

func (t *table) end(e *engine.End) {
	if t.charges == 0 {
		t.quiet++
	}
	l := t.line(4).add("  ").words("", t.ending(e)).add(" ")
	t.cite(t.mark(l, e.Because), e.Because).end(t.sheet)
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
	if through.IsZero() {
		return s + "active, next repeat " + strconv.FormatUint(e.Repeat, 10)
	}
	return s + "active on " + through.String() + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

func (t *table) compare([]engine.Sensitivity) {}

func (t *table) total(x *record.Total) {
	t.shown++
	t.grand.merge(x.Currency, x.Tally)
	if t.lines.add(x) {
		return
	}
	t.writeTotals(false) // too many to compare
	t.totalLine(x, t.lines.layout)
}

func (t *table) finish() {
	t.writeTotals(true)
	t.b = append(t.b, '\n')
	if t.shown == 0 {
		t.b = append(t.b, "No profile to show.\n"...)
		return
	}
	if t.quiet > 0 && t.quiet < t.shown {
		t.b = append(t.b, termtext.Counted(strconv.Itoa(t.quiet), "profile")+" without a charge here\n\n"...)
	}
	t.grand.write(t.sheet, &t.lines)
	t.legend()
}

// mark appends the sign for the basis of something.
func (t *table) mark(l *line, why ledger.Because) *line {
	basis := why.Basis()
	t.marked = t.marked || basis == ledger.Inferred || basis == ledger.Assumed
	return l.mark(basis)
}

// cite appends the clauses that something rests on, when asked for.
func (t *table) cite(l *line, why ledger.Because) *line {
	if !t.options.Explain {
		return l
	}
	t.cited = t.cited.And(why)
	return l.remark("[" + why.String() + "]")
}

// legend explains the marks and the clauses that occurred.
func (t *table) legend() {
	if !t.marked && t.cited.IsZero() {
		return
	}
	t.b = append(t.b, '\n')
	if t.marked {
		l := t.line(0).words("", markInferred+" inferred from the document's wording")
		l.words("   ", markAssumed+" assumed where the document is silent").end(t.sheet)
	}
	if t.cited.IsZero() {
		if t.options.Hint != "" {
			t.b = termtext.AppendHanging(append(t.b, "  "...), 2, t.options.Width, t.options.Hint)
		}
		return
	}
	for c := range t.cited.All() {
		hang := 17
		if t.options.Width < 2*hang {
			hang = 4
		}
		l := t.line(hang).bold(termtext.Pad(c.String(), 7)).add(termtext.Pad(c.Entry().Basis.String(), 10))
		l.words("", t.head.Policy.Reading(c).Text).end(t.sheet)
	}
}
