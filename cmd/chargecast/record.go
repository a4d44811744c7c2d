package main

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// The schemas of the outputs; the number grows when a field changes its meaning.
const (
	forecastSchema = "chargecast.forecast/1"
	simulateSchema = "chargecast.simulate/1"
)

// A header tells what an output answers. Zero fields were not asked for.
type header struct {
	schema   string
	asOf     calendar.Date
	until    calendar.Date
	next     int
	zone     string
	input    string   // the form in which the payload came
	profiles []string // the only ones asked for
	by       string
	seed     uint64
	policy   engine.Policy

	untilChosen bool // until is this program's choice, not the user's
}

// A subject is the profile that records are about.
type subject struct {
	id       string // the client-orderid, as it may be shown
	row      int    // the data row, from 1
	currency string
	kind     engine.Kind
	callback string // where the gateway calls for each charge with a final status (6); empty for none
}

// A total is what charges of one currency come to, for one day, month or profile.
type total struct {
	by       string // "date", "month" or "profile"
	value    string
	currency string
	amounts  amount.Total
	because  ledger.Because
}

// records writes the records of an output as JSON objects. Text that stays the same
// from one charge to the next is made once.
type records struct {
	policy    engine.Policy
	explain   bool
	simulated bool

	of         subject
	head       []byte // of a charge of the profile, up to its repeat number
	min, max   amount.Amount
	tail       []byte // of a charge with these amounts, from behind its date
	because    ledger.Because
	becauseTxt []byte
}

func newRecords(h *header, explain bool) records {
	return records{policy: h.policy, explain: explain, simulated: h.schema == simulateSchema}
}

// header appends the header record.
func (r *records) header(dst []byte, h *header) []byte {
	dst = append(dst, `{"type":"header","schema":"`+h.schema+`","as_of":"`...)
	dst = append(h.asOf.Append(dst), '"')
	if !h.until.IsZero() {
		dst = append(h.until.Append(append(dst, `,"until":"`...)), '"')
	}
	if h.next > 0 {
		dst = strconv.AppendInt(append(dst, `,"next":`...), int64(h.next), 10)
	}
	dst = jsontext.AppendString(append(dst, `,"zone":`...), h.zone)
	if h.input != "" {
		dst = jsontext.AppendString(append(dst, `,"input":`...), h.input)
	}
	if h.by != "" && h.by != byCharge {
		dst = jsontext.AppendString(append(dst, `,"by":`...), h.by)
	}
	for i, id := range h.profiles {
		dst = append(dst, [...]string{`,"profiles":[`, `,`}[min(i, 1)]...)
		dst = jsontext.AppendString(dst, rules.Mask(0, id)) // as typed, and perhaps a card number
	}
	if len(h.profiles) > 0 {
		dst = append(dst, ']')
	}
	if r.simulated {
		dst = strconv.AppendUint(append(dst, `,"seed":`...), h.seed, 10)
	}
	return append(appendPolicy(append(dst, `,"policy":`...), h.policy), '}')
}

func appendPolicy(dst []byte, p engine.Policy) []byte {
	sep := byte('{')
	for key, value := range p.Values() {
		dst = append(dst, sep)
		dst = jsontext.AppendString(dst, key)
		dst = jsontext.AppendString(append(dst, ':'), value)
		sep = ','
	}
	return append(dst, '}')
}

// start turns to the next profile.
func (r *records) start(s subject) {
	r.of = s
	r.head = r.subject(append(r.head[:0], `{"type":"charge"`...))
	r.head = append(r.head, `,"repeat":`...)
	r.tail = r.tail[:0]
}

// subject appends the fields that name the profile.
func (r *records) subject(dst []byte) []byte {
	dst = jsontext.AppendString(append(dst, `,"profile":`...), r.of.id)
	return strconv.AppendInt(append(dst, `,"row":`...), int64(r.of.row), 10)
}

// charge appends a charge record. It allocates nothing once its buffers have grown.
func (r *records) charge(dst []byte, c *engine.Charge) []byte {
	dst = strconv.AppendUint(append(dst, r.head...), c.Repeat, 10)
	dst = c.Date.Append(append(dst, `,"date":"`...))
	if c.Slot != c.Date {
		dst = c.Slot.Append(append(dst, `","slot":"`...))
	}
	if len(r.tail) == 0 || c.Min != r.min || c.Max != r.max {
		r.setTail(c)
	}
	dst = append(dst, r.tail...)
	if r.simulated {
		dst = append(dst, `,"kind":"`+kindOf(c)+`","outcome":"`...)
		dst = append(append(dst, c.Outcome.String()...), '"')
		if r.of.callback != "" {
			dst = jsontext.AppendString(append(dst, `,"callback":`...), r.of.callback)
		}
	}
	if r.explain {
		dst = r.reasons(dst, c.Because)
	}
	return append(dst, '}')
}

func (r *records) setTail(c *engine.Charge) {
	r.min, r.max = c.Min, c.Max
	if c.Min.Compare(c.Max) == 0 {
		r.tail = c.Min.Append(append(r.tail[:0], `","amount":"`...))
	} else {
		r.tail = c.Min.Append(append(r.tail[:0], `","min":"`...))
		r.tail = c.Max.Append(append(r.tail, `","max":"`...))
	}
	r.tail = jsontext.AppendString(append(r.tail, `","currency":`...), r.of.currency)
}

func kindOf(c *engine.Charge) string {
	if c.Manual {
		return "manual"
	}
	return "automatic"
}

// end appends an end record.
func (r *records) end(dst []byte, e *engine.End) []byte {
	dst = append(r.subject(append(dst, `{"type":"end"`...)), ',')
	dst = r.standing(dst, e)
	if e.LastDay {
		dst = append(dst, `,"calendar_end":true`...)
	}
	if r.explain {
		dst = r.reasons(dst, e.Because)
	}
	return append(dst, '}')
}

// standing appends status, repeat number and stop.
func (r *records) standing(dst []byte, e *engine.End) []byte {
	dst = append(append(dst, `"status":"`...), e.Status.String()...)
	dst = strconv.AppendUint(append(dst, `","repeat":`...), e.Repeat, 10)
	dst = append(dst, `,"stop":`...)
	if e.Stop.IsZero() {
		dst = append(dst, "null"...)
	} else {
		dst = e.Stop.Date.Append(append(dst, `{"date":"`...))
		dst = append(dst, `","reasons":`...)
		sep := byte('[')
		for reason := range e.Stop.Reasons.All() {
			dst = append(append(append(dst, sep, '"'), reason...), '"')
			sep = ','
		}
		dst = append(dst, "]}"...)
	}
	return dst
}

// event appends an event record, which always says why.
func (r *records) event(dst []byte, e *engine.Effect) []byte {
	dst = jsontext.AppendString(append(dst, `{"type":"event","profile":`...), r.of.id)
	dst = e.Date.Append(append(dst, `,"date":"`...))
	dst = append(append(dst, `","do":"`...), e.Event.String()...)
	dst = append(append(append(dst, `","result":"`...), e.Result.String()...), '"')
	if code := refusalCode(e); code != "" {
		dst = jsontext.AppendString(append(dst, `,"code":`...), code)
	}
	return append(r.reasons(dst, e.Because), '}')
}

// refusalCode is the code of the rule that a refused event would break; empty where its
// status decides.
func refusalCode(e *engine.Effect) string {
	if e.Refusal == nil {
		return ""
	}
	return string(e.Refusal.Code)
}

// total appends a total record.
func (r *records) total(dst []byte, t *total) []byte {
	dst = append(append(dst, `{"type":"total","`...), t.by...)
	dst = jsontext.AppendString(append(dst, `":`...), t.value)
	dst = jsontext.AppendString(append(dst, `,"currency":`...), t.currency)
	dst = strconv.AppendUint(append(dst, `,"charges":`...), t.amounts.Charges(), 10)
	dst = t.amounts.Min().Append(append(dst, `,"min":"`...))
	dst = t.amounts.Max().Append(append(dst, `","max":"`...))
	dst = t.amounts.AppendMean(append(dst, `","mean":"`...))
	dst = append(dst, '"')
	if r.explain {
		dst = r.reasons(dst, t.because)
	}
	return append(dst, '}')
}

// reasons appends the clauses that a record rests on. Neighbours mostly rest on the
// same ones.
func (r *records) reasons(dst []byte, b ledger.Because) []byte {
	if b != r.because || len(r.becauseTxt) == 0 {
		r.because = b
		r.becauseTxt = appendBecause(append(r.becauseTxt[:0], `,"because":[`...), b, r.policy)
		r.becauseTxt = append(r.becauseTxt, ']')
	}
	return append(dst, r.becauseTxt...)
}

func appendBecause(dst []byte, b ledger.Because, p engine.Policy) []byte {
	first := true
	for clause := range b.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = jsontext.AppendString(append(dst, `{"clause":`...), clause.String())
		dst = jsontext.AppendString(append(dst, `,"basis":`...), clause.Entry().Basis.String())
		dst = jsontext.AppendString(append(dst, `,"text":`...), p.Reading(clause).Text)
		dst = append(dst, '}')
	}
	return dst
}
