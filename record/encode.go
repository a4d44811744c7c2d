package record

import (
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/stencil"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// An encoder appends the records of one profile after the other. Text that stays the same from one
// charge to the next is made once, and nothing is allocated once its buffers have grown.
type encoder struct {
	simulated bool
	explain   *engine.Policy // nil: without reasons

	of   Subject
	head []byte // of a charge of the profile, up to its repeat number
	line stencil.Line
	tail []byte // of the line, after its date

	because ledger.Because
	policy  engine.Policy
	reasons []byte // of because under policy
}

// start turns to the next profile.
func (e *encoder) start(s Subject) {
	e.of = s
	e.head = append(s.append(append(e.head[:0], `{"type":"charge"`...)), `,"repeat":`...)
	e.line.Clear()
}

// append appends the members that name the profile.
func (s *Subject) append(dst []byte) []byte {
	dst = s.appendName(dst)
	return strconv.AppendInt(append(dst, `,"row":`...), int64(s.Row), 10)
}

func (s *Subject) appendName(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `,"profile":`...), s.Profile)
	if s.File != "" {
		dst = strictjson.AppendString(append(dst, `,"file":`...), s.File)
	}
	return dst
}

// charge appends a charge record.
func (e *encoder) charge(dst []byte, c *engine.Charge) []byte {
	if !e.line.Fits(c) {
		e.tail = e.appendTail(e.tail[:0], c)
		e.line.Set(c, e.head, `,"date":"`, e.tail)
	}
	return e.line.Append(dst, c)
}

// appendTail appends what comes after the date of a charge.
func (e *encoder) appendTail(dst []byte, c *engine.Charge) []byte {
	if c.Slot != c.Date {
		dst = c.Slot.Append(append(dst, `","slot":"`...))
	}
	dst = e.appendAmounts(dst, c)
	if c.CardExpired {
		dst = append(dst, `,"card_expired":true`...)
	}
	if e.simulated {
		dst = e.appendOutcome(dst, c)
	}
	if e.explain != nil {
		dst = e.clauses(dst, c.Because, *e.explain)
	}
	return append(dst, '}')
}

// appendOutcome appends what only a simulation has.
func (e *encoder) appendOutcome(dst []byte, c *engine.Charge) []byte {
	dst = append(append(dst, `,"kind":"`...), kindOf(c)...)
	dst = append(append(dst, `","outcome":"`...), c.Outcome.String()...)
	dst = append(dst, '"')
	if e.of.Callback != "" {
		dst = strictjson.AppendString(append(dst, `,"callback":`...), e.of.Callback)
	}
	return dst
}

// appendAmounts appends what is charged.
func (e *encoder) appendAmounts(dst []byte, c *engine.Charge) []byte {
	if c.Min.Compare(c.Max) == 0 {
		dst = c.Min.Append(append(dst, `","amount":"`...))
	} else {
		dst = c.Min.Append(append(dst, `","min":"`...))
		dst = c.Max.Append(append(dst, `","max":"`...))
	}
	return strictjson.AppendString(append(dst, `","currency":`...), e.of.Currency)
}

const (
	kindAutomatic = "automatic"
	kindManual    = "manual"
)

func kindOf(c *engine.Charge) string {
	if c.Manual {
		return kindManual
	}
	return kindAutomatic
}

// end appends an end record.
func (e *encoder) end(dst []byte, end *engine.End) []byte {
	dst = e.of.append(append(dst, `{"type":"end"`...))
	dst = appendEnd(append(dst, ','), end)
	return append(e.why(dst, end.Because), '}')
}

// appendEnd appends status, repeat number and stop.
func appendEnd(dst []byte, e *engine.End) []byte {
	dst = append(append(dst, `"status":"`...), e.Status.String()...)
	dst = strconv.AppendUint(append(dst, `","repeat":`...), e.Repeat, 10)
	dst = append(dst, `,"stop":`...)
	if e.Stop.IsZero() {
		dst = append(dst, "null"...)
	} else {
		dst = e.Stop.Date.Append(append(dst, `{"date":"`...))
		dst = append(dst, `","reasons":[`...)
		for i, reason := range allReasons {
			if e.Stop.Reasons&reason == 0 {
				continue
			}
			if e.Stop.Reasons&(1<<i-1) != 0 {
				dst = append(dst, ',')
			}
			dst = append(append(append(dst, '"'), reason.String()...), '"')
		}
		dst = append(dst, "]}"...)
	}
	if e.LastDay {
		dst = append(dst, `,"calendar_end":true`...)
	}
	return dst
}

// event appends an event record.
func (e *encoder) event(dst []byte, v *Event) []byte {
	dst = v.appendName(append(dst, `{"type":"event"`...))
	dst = v.Date.Append(append(dst, `,"date":"`...))
	dst = append(append(dst, `","do":"`...), v.Do.String()...)
	dst = append(append(append(dst, `","result":"`...), v.Result.String()...), '"')
	if v.Code != "" {
		dst = strictjson.AppendString(append(dst, `,"code":`...), string(v.Code))
	}
	policy := engine.Policy{}
	if v.Explain != nil {
		policy = *v.Explain
	}
	return append(e.clauses(dst, v.Because, policy), '}')
}

// total appends a total record.
func (e *encoder) total(dst []byte, t *Total) []byte {
	dst = append(append(dst, `{"type":"total","`...), t.By.Member()...)
	dst = strictjson.AppendString(append(dst, `":`...), t.Value)
	if t.File != "" {
		dst = strictjson.AppendString(append(dst, `,"file":`...), t.File)
	}
	dst = strictjson.AppendString(append(dst, `,"currency":`...), t.Currency)
	dst = appendQuantiles(t.Tally.appendMembers(append(dst, ',')), t.Quantiles, t.Normal)
	return append(e.why(dst, t.Because), '}')
}

// appendQuantiles appends a member with the sums by percentage, and one that says if they are those of
// a normal approximation, unless there are none.
func appendQuantiles(dst []byte, list []Quantile, normal bool) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(dst, `,"quantiles":`...)
	for i, q := range list {
		dst, _ = q.Percent.AppendText(append(dst, "{,"[min(i, 1)], '"'))
		dst = append(q.Sum.Append(append(dst, `":"`...)), '"')
	}
	dst = append(dst, '}')
	if normal {
		dst = append(dst, `,"quantiles_by":"normal"`...)
	}
	return dst
}

// why appends the clauses that a record rests on, if they are to be written.
func (e *encoder) why(dst []byte, b ledger.Because) []byte {
	if e.explain == nil {
		return dst
	}
	return e.clauses(dst, b, *e.explain)
}

// clauses appends the clauses of a set. Neighbours mostly rest on the same ones.
func (e *encoder) clauses(dst []byte, b ledger.Because, p engine.Policy) []byte {
	if b != e.because || p != e.policy || len(e.reasons) == 0 {
		e.because, e.policy = b, p
		e.reasons = AppendBecause(append(e.reasons[:0], `,"because":`...), b, p)
	}
	return append(dst, e.reasons...)
}

// AppendBecause appends a set of clauses as records have it: a list of objects with clause, basis and
// the text of the reading in force. The empty set is an empty list.
func AppendBecause(dst []byte, b ledger.Because, p engine.Policy) []byte {
	dst = append(dst, '[')
	first := true
	for clause := range b.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = strictjson.AppendString(append(dst, `{"clause":`...), clause.String())
		dst = strictjson.AppendString(append(dst, `,"basis":`...), clause.Basis().String())
		dst = strictjson.AppendString(append(dst, `,"text":`...), p.Reading(clause).Text)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// AppendJSON appends the record, as [Record] says.
func (h Header) AppendJSON(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"header","schema":`...), string(h.Schema))
	dst = append(h.AsOf.Append(append(dst, `,"as_of":"`...)), '"')
	if h.From.IsDay() {
		dst = append(h.From.Append(append(dst, `,"from":"`...)), '"')
	}
	if h.Until.IsDay() {
		dst = append(h.Until.Append(append(dst, `,"until":"`...)), '"')
	}
	if h.Next > 0 {
		dst = strconv.AppendInt(append(dst, `,"next":`...), int64(h.Next), 10)
	}
	if h.Zone != "" {
		dst = strictjson.AppendString(append(dst, `,"zone":`...), h.Zone)
	}
	if h.Input != "" {
		dst = strictjson.AppendString(append(dst, `,"input":`...), h.Input)
	}
	if h.By != engine.ByCharge {
		dst = append(append(append(dst, `,"by":"`...), h.By.String()...), '"')
	}
	dst = appendTexts(dst, `,"profiles":`, h.Profiles)
	dst = appendTexts(dst, `,"excluded":`, h.Excluded)
	switch h.Schema {
	case SchemaSimulate:
		dst = strconv.AppendUint(append(dst, `,"seed":`...), h.Seed, 10)
	case SchemaValidate:
		dst = strconv.AppendBool(append(dst, `,"strict":`...), h.Strict)
	}
	if h.Schema == SchemaDiff && h.OldPolicy != nil {
		dst = h.OldPolicy.AppendJSON(append(dst, `,"old_policy":`...))
	}
	return append(h.Policy.AppendJSON(append(dst, `,"policy":`...)), '}')
}

// appendTexts appends a member that is a list of texts, unless it is empty.
func appendTexts(dst []byte, member string, list []string) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(dst, member...)
	for i, text := range list {
		dst = strictjson.AppendString(append(dst, "[,"[min(i, 1)]), text)
	}
	return append(dst, ']')
}

// AppendJSON appends the record, as [Record] says.
func (c Charge) AppendJSON(dst []byte) []byte {
	e := encoder{simulated: c.Simulated, explain: c.Explain}
	e.start(c.Subject)
	return e.charge(dst, &c.Charge)
}

// AppendJSON appends the record, as [Record] says.
func (n End) AppendJSON(dst []byte) []byte {
	e := encoder{of: n.Subject, explain: n.Explain}
	return e.end(dst, &n.End)
}

// AppendJSON appends the record, as [Record] says.
func (v Event) AppendJSON(dst []byte) []byte { return new(encoder).event(dst, &v) }

// AppendJSON appends the record, as [Record] says.
func (t Total) AppendJSON(dst []byte) []byte {
	e := encoder{explain: t.Explain}
	return e.total(dst, &t)
}

// AppendJSON appends the record, as [Record] says.
func (d Difference) AppendJSON(dst []byte) []byte {
	dst = appendDifference(dst, d.Profile, d.Kind.String())
	dst = appendSide(append(dst, `,"old":`...), d.Old)
	return append(appendSide(append(dst, `,"new":`...), d.New), '}')
}

func appendDifference(dst []byte, profile, kind string) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"difference","profile":`...), profile)
	return append(append(append(dst, `,"kind":"`...), kind...), '"')
}

// appendSide appends one of the two charges, without the members that name the profile.
func appendSide(dst []byte, c *Charge) []byte {
	if c == nil {
		return append(dst, "null"...)
	}
	e := encoder{simulated: c.Simulated, explain: c.Explain, head: []byte(`{"repeat":`)}
	e.of.Currency = c.Currency
	return e.charge(dst, &c.Charge)
}

const kindEnd = "end"

// AppendJSON appends the record, as [Record] says.
func (d EndDifference) AppendJSON(dst []byte) []byte {
	dst = appendDifference(dst, d.Profile, kindEnd)
	dst = appendEndSide(append(dst, `,"old":`...), d.Old)
	return append(appendEndSide(append(dst, `,"new":`...), d.New), '}')
}

func appendEndSide(dst []byte, e *engine.End) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	return append(appendEnd(append(dst, '{'), e), '}')
}

// AppendJSON appends the record, as [Record] says.
func (m Money) AppendJSON(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"money","currency":`...), m.Currency)
	dst = m.Old.AppendJSON(append(dst, `,"old":`...))
	return append(m.New.AppendJSON(append(dst, `,"new":`...)), '}')
}

// AppendJSON appends the record, as [Record] says.
func (s Summary) AppendJSON(dst []byte) []byte {
	dst = appendCounts(append(dst, `{"type":"summary"`...), s.counts())
	dst = strconv.AppendBool(append(dst, `,"currency_checked":`...), s.CurrencyChecked)
	dst = strconv.AppendInt(append(dst, `,"orderids_checked":`...), int64(s.OrderIDsChecked), 10)
	dst = strconv.AppendBool(append(dst, `,"orderids_complete":`...), s.OrderIDsComplete)
	if s.CutOff {
		dst = append(dst, `,"cut_off":true`...)
	}
	return append(dst, '}')
}

// AppendJSON appends the record, as [Record] says.
func (s DifferenceSummary) AppendJSON(dst []byte) []byte {
	return append(appendCounts(append(dst, `{"type":"summary"`...), s.counts()), '}')
}

// A count is a member with a number.
type count struct {
	name string
	n    *int
}

func (s *Summary) counts() []count {
	return []count{{"rows", &s.Rows}, {"valid", &s.Valid}, {"errors", &s.Errors}, {"warnings", &s.Warnings}}
}

func (s *DifferenceSummary) counts() []count {
	return []count{{"added", &s.Added}, {"removed", &s.Removed}, {"moved", &s.Moved}, {"changed", &s.Changed}, {"ends", &s.Ends}}
}

func appendCounts(dst []byte, counts []count) []byte {
	for _, c := range counts {
		dst = append(append(append(dst, `,"`...), c.name...), `":`...)
		dst = strconv.AppendInt(dst, int64(*c.n), 10)
	}
	return dst
}
