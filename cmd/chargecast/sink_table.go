package main

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// tableSink writes what a person reads: a block for each profile, then the totals. It
// keeps the totals by currency and nothing else.
type tableSink struct {
	out     *output
	explain bool
	paint

	head     *header
	of       *profile
	charges  int  // of the profile
	shown    int  // profiles
	headed   bool // the columns have their names
	sum, max amount.Sum
	width    int // of the profile's amounts and totals
	grand    grandTotals
	marked   ledger.Because // bases met, by the marks that stand for them
	cited    ledger.Because
	quiet    int // profiles without a charge
}

// The marks of a basis: what no mark has is the document's word.
const (
	markInferred = "~"
	markAssumed  = "?"
)

func (t *tableSink) begin(h *header) {
	t.head = h
	what := "Forecast"
	if h.schema == record.SchemaSimulate {
		what = "Simulation"
	}
	b := t.bold(t.out.b, what)
	b = h.asOf.Append(append(b, " as of "...))
	b = append(b, " ("+h.zone+")"...)
	if !h.until.IsZero() {
		b = h.until.Append(append(b, " to "...))
	}
	if h.untilChosen {
		b = append(b, ", 12 months; --until or --next asks for more or less"...)
	}
	switch {
	case h.next == 1:
		b = append(b, ", the first charge of each profile"...)
	case h.next > 1:
		b = append(b, ", the first "+strconv.Itoa(h.next)+" charges of each profile"...)
	}
	if h.schema == record.SchemaSimulate {
		b = append(b, ", seed "+strconv.FormatUint(h.seed, 10)...)
	}
	if h.input == "base64" || h.input == "form" {
		b = append(b, ", read from "+h.input...)
	}
	b = append(b, '\n')
	if others := otherReadings(h.policy); others != "" {
		b = append(b, "Readings: "+others+"; the others by default\n"...)
	}
	if h.by != record.ByCharge {
		b = t.faint(append(b, '\n'), pad(h.by.Member(), t.valueWidth())+pad("  currency", 12)+padLeft("charges", 10)+padLeft("amount", 18))
		b = append(b, '\n')
	}
	t.put(b)
}

// otherReadings are the policy values that differ from the default.
func otherReadings(p engine.Policy) string {
	var others []string
	for c := range engine.Keys() {
		if e := c.Entry(); p.Reading(c).Value != e.Readings[0].Value {
			others = append(others, e.Key+"="+p.Reading(c).Value)
		}
	}
	return strings.Join(others, ", ")
}

func (t *tableSink) start(p *profile) {
	t.of, t.charges = p, 0
	t.shown++
	t.sum, t.max = amount.Sum{}, amount.Sum{}
	t.width = max(10, len(p.total.Max.String()))
	b := t.bold(append(t.out.b, '\n'), visible(p.Profile))
	b = t.faint(b, "  row "+strconv.Itoa(p.Row)+", "+visible(p.Currency))
	if p.plan == nil && p.Callback != "" {
		b = t.faint(b, ", each charge calls "+visible(p.Callback))
	}
	t.put(append(b, '\n'))
	t.grand.merge(p.Currency, p.total)
}

func (t *tableSink) charge(c *engine.Charge) {
	b := t.heading(t.out.b, t.amountWidth(c))
	t.charges++
	if t.of.plan == nil { // what a simulation draws is not known before
		var one record.Tally
		one.Add(c)
		t.grand.merge(t.of.Currency, one)
	}
	if c.Outcome == engine.OutcomeApproved {
		t.sum.Add(c.Min)
		t.max.Add(c.Max)
	}
	b = append(b, "  "+padLeft(strconv.FormatUint(c.Repeat, 10), 6)+"  "...)
	b = appendDay(b, c.Date)
	b = t.mark(append(b, ' '), c.Because)
	b = append(b, "  "...)
	b = append(b, padLeft(between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0), t.amountWidth(c))...)
	b = append(b, "  "...)
	b = append(b, padLeft(between(t.sum.String(), t.max.String(), t.sum.Compare(t.max) == 0), t.amountWidth(c))...)
	if c.Slot != c.Date {
		b = c.Slot.Append(append(b, "  due on "...))
	}
	if c.Manual {
		b = append(b, "  manual"...)
	}
	if c.Outcome == engine.OutcomeDeclined {
		b = t.warn(append(b, "  "...), "declined")
	}
	if c.CardExpired {
		b = t.warn(append(b, "  "...), "card expired")
	}
	t.put(append(t.cite(b, c.Because), '\n'))
}

// amountWidth leaves room for "1.00 to 5.00" where amounts are random.
func (t *tableSink) amountWidth(c *engine.Charge) int {
	if c.Min.Compare(c.Max) == 0 && isFixed(t.of.total.Sums) {
		return t.width
	}
	return 2*t.width + 4
}

func between(low, high string, same bool) string {
	if same {
		return low
	}
	return low + " to " + high
}

// heading names the columns, once, above the first line that has any.
func (t *tableSink) heading(b []byte, width int) []byte {
	if t.headed {
		return b
	}
	t.headed = true
	return append(t.faint(b, "  repeat  date              "+padLeft("amount", width)+"  "+padLeft("total", width)), '\n')
}

func (t *tableSink) event(e *engine.Effect) {
	b := append(t.heading(t.out.b, t.width), "          "...)
	b = appendDay(b, e.Date)
	b = t.mark(append(b, ' '), e.Because)
	b = append(b, "  "...)
	switch {
	case e.Result == engine.ResultAccepted:
		b = append(b, e.Event.String()+" accepted"...)
	case e.Refusal != nil:
		b = t.warn(b, e.Refusal.Error())
	default:
		b = t.warn(b, e.Event.String()+" "+e.Result.String())
	}
	t.put(append(t.cite(b, e.Because), '\n'))
}

func (t *tableSink) end(e *engine.End) {
	if t.charges == 0 {
		t.quiet++
	}
	b := append(t.out.b, "  "...)
	b = append(b, t.ending(e)...)
	b = t.mark(append(b, ' '), e.Because)
	t.put(append(t.cite(trimSpace(b), e.Because), '\n'))
}

// ending says in words where the profile stands.
func (t *tableSink) ending(e *engine.End) string {
	var s string
	if t.charges == 0 {
		s = t.of.noCharge() + "; "
	}
	switch {
	case e.Status == engine.StatusStopped && e.Stop.IsZero():
		return s + "stopped, on a day that is not known"
	case e.Status == engine.StatusStopped:
		return s + "stopped on " + e.Stop.Date.String() + ": " + reasonsInWords(e.Stop.Reasons)
	case e.LastDay:
		return s + "active; the calendar ends here, on 9999-12-31"
	case t.charges == 0:
		return s + "active"
	}
	return s + "active on " + t.of.last.String() + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

// noCharge says why a profile has no charge here.
func (p *profile) noCharge() string {
	if p.plan == nil {
		return "no charge"
	}
	if p.plan.Explain(p.last).Why == engine.WhyNoSchedule {
		if p.kind == engine.KindDestination {
			return "never charged automatically, since it is DST"
		}
		return "never charged automatically, it has no period and interval"
	}
	for c := range p.plan.Next(1) {
		return "no charge here, the first is on " + c.Date.String()
	}
	return "no charge"
}

func reasonsInWords(r engine.Reasons) string {
	var words []string
	for reason := range r.All() {
		switch reason {
		case "max-repeats":
			words = append(words, "max-repeats-number is reached")
		case "finish-date":
			words = append(words, "finish-date is reached")
		default:
			words = append(words, "stopped through the update operation")
		}
	}
	return strings.Join(words, " and ")
}

func (t *tableSink) total(x *record.Total) {
	value := visible(x.Value)
	if day, err := calendar.Parse(x.Value); err == nil && x.By == record.ByDay {
		value = string(appendDay(nil, day))
	}
	b := append(t.out.b, pad(value, t.valueWidth())+"  "+pad(visible(x.Currency), 10)...)
	b = append(b, padLeft(strconv.FormatUint(x.Charges, 10), 10)...)
	b = append(b, padLeft(between(x.Min.String(), x.Max.String(), isFixed(x.Sums)), 18)...)
	b = append(b, meanOf(x.Sums)...)
	b = append(b, besides(&x.Tally)...)
	b = t.mark(append(b, ' '), x.Because)
	t.put(append(t.cite(trimSpace(b), x.Because), '\n'))
	t.shown++
	t.grand.merge(x.Currency, x.Tally)
}

// besides says what was declined, and what of the rest falls after the card's expiry.
func besides(t *record.Tally) string {
	var s string
	if n := t.CardExpired.Charges; n > 0 {
		s += "; of which " + inWords(t.CardExpired) + " after the card's expiry"
	}
	if n := t.Declined.Charges; n > 0 {
		s += "; declined " + inWords(t.Declined)
	}
	return s
}

// valueWidth is the room for a day, a month or a client-orderid.
func (t *tableSink) valueWidth() int {
	if t.head.by == record.ByProfile {
		return 24
	}
	return 14
}

func isFixed(s record.Sums) bool { return s.Min.Compare(s.Max) == 0 }

// meanOf names the mean of a sum that is not certain.
func meanOf(s record.Sums) string {
	if isFixed(s) {
		return ""
	}
	return ", mean " + string(s.AppendMean(nil))
}

func (t *tableSink) finish() {
	b := append(t.out.b, '\n')
	if t.shown == 0 {
		t.put(append(b, "No profile to show.\n"...))
		return
	}
	if t.quiet > 0 && t.quiet < t.shown {
		b = append(b, counted(strconv.Itoa(t.quiet), "profile")+" without a charge here\n\n"...)
	}
	b = t.grand.append(b, t.paint)
	b = t.legend(b)
	t.put(b)
}

// mark appends the sign for the basis of something, or a space.
func (t *tableSink) mark(b []byte, why ledger.Because) []byte {
	switch why.Basis() {
	case ledger.Inferred:
		t.marked = t.marked.And(why)
		return t.faint(b, markInferred)
	case ledger.Assumed:
		t.marked = t.marked.And(why)
		return t.warn(b, markAssumed)
	}
	return append(b, ' ')
}

// cite appends the clauses that something rests on, when asked for.
func (t *tableSink) cite(b []byte, why ledger.Because) []byte {
	if !t.explain {
		return trimSpace(b)
	}
	t.cited = t.cited.And(why)
	b = append(b, "  ["...)
	return append(appendClauses(b, why), ']')
}

// legend explains the marks and the clauses that occurred.
func (t *tableSink) legend(b []byte) []byte {
	if t.marked.IsZero() && t.cited.IsZero() {
		return b
	}
	b = append(b, '\n')
	if !t.marked.IsZero() {
		b = append(b, markInferred+" inferred from the document's wording   "+markAssumed+" assumed where the document is silent\n"...)
	}
	if t.cited.IsZero() {
		return append(b, "  --explain names the clauses; chargecast assumptions lists every reading\n"...)
	}
	for c := range t.cited.All() {
		b = t.bold(b, pad(c.String(), 7))
		b = append(b, pad(c.Entry().Basis.String(), 10)...)
		b = appendHanging(b, 17, t.head.policy.Reading(c).Text)
	}
	return b
}

func (t *tableSink) put(b []byte) {
	t.out.b = b
	t.out.endLine()
}

// appendDay appends a date with its day of the week, 14 characters.
func appendDay(dst []byte, d calendar.Date) []byte {
	return append(append(d.Append(dst), ' '), d.Weekday().String()[:3]...)
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-len([]rune(s))))
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-len(s))) + s
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}
