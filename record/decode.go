package record

import (
	"math"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// A member is a member of a record and what reads its value into a T. Records may gain members, so
// unknown ones are ignored.
type member[T any] struct {
	name     string
	required bool
	read     func(to *T, v *jsonline.Value) error
}

// readMembers reads each field by the member of its name.
func readMembers[T any](fields []jsonline.Field, members []member[T], to *T) error {
	for _, m := range members {
		i := slices.IndexFunc(fields, func(f jsonline.Field) bool { return f.Name.Is(m.name) })
		if i >= 0 {
			if err := m.read(to, &fields[i].Value); err != nil {
				return jsonline.In(err, m.name)
			}
		} else if m.required {
			return refuse(RecordMember, m.name, "the member is missing", "write the record as the command does")
		}
	}
	return nil
}

// object reads a value that is an object with members.
func object[T any](v *jsonline.Value, members []member[T], to *T) error {
	if err := jsonline.As(v, jsonline.KindObject, "write an object in braces"); err != nil {
		return err
	}
	return readMembers(v.Fields, members, to)
}

// of returns members of a part of a T as members of the T.
func of[T, P any](part func(*T) *P, members []member[P]) []member[T] {
	list := make([]member[T], len(members))
	for i, m := range members {
		list[i] = member[T]{m.name, m.required, func(to *T, v *jsonline.Value) error { return m.read(part(to), v) }}
	}
	return list
}

// parse reads one record, a JSON object. The header, which may be nil, has the readings in whose
// words reasons are.
func parse(text []byte, h *Header) (Record, error) {
	fields, err := jsonline.Parse(text)
	if err != nil {
		return nil, err
	}
	var kind string
	if err := readMembers(fields, typeMembers, &kind); err != nil {
		return nil, err
	}
	switch kind {
	case "header":
		return readHeader(fields)
	case "charge":
		return readCharge(fields, h)
	case "end":
		return readEnd(fields, h)
	case "event":
		return readEvent(fields, h)
	case "total":
		return readTotal(fields, h)
	case "difference":
		return readDifference(fields, h)
	case "money":
		return read(fields, moneyMembers)
	case "problem":
		return read(fields, problemMembers)
	case "summary":
		if slices.ContainsFunc(fields, func(f jsonline.Field) bool { return f.Name.Is("added") }) {
			return read(fields, differenceSummaryMembers)
		}
		return read(fields, summaryMembers)
	}
	return nil, refuse(RecordType, "type", "no such type of record", "perhaps a newer version wrote it")
}

var typeMembers = []member[string]{{"type", true, func(to *string, v *jsonline.Value) error { return jsonline.String(v, to) }}}

// read reads a record that is nothing but its members.
func read[R Record](fields []jsonline.Field, members []member[R]) (Record, error) {
	var r R
	err := readMembers(fields, members, &r)
	return r, err
}

var problemMembers = []member[Problem]{
	{"code", true, func(p *Problem, v *jsonline.Value) error { return readCode(v, &p.Code) }},
	{"severity", false, func(p *Problem, v *jsonline.Value) error {
		return jsonline.Word(v, &p.Severity, RecordMember, []string{"", "off", "warning", "error"})
	}},
	{"basis", false, func(p *Problem, v *jsonline.Value) error {
		return jsonline.Word(v, &p.Basis, RecordMember, []string{"", "stated", "inferred", "assumed"})
	}},
	{"clause", false, func(p *Problem, v *jsonline.Value) error { return readClause(v, &p.Clause) }},
	{"because", false, func(p *Problem, v *jsonline.Value) error { return jsonline.Because(v, &p.Because) }},
	{"file", false, func(p *Problem, v *jsonline.Value) error { return jsonline.String(v, &p.Place.File) }},
	{"profile", false, func(p *Problem, v *jsonline.Value) error { return jsonline.String(v, &p.Place.Profile) }},
	{"row", false, func(p *Problem, v *jsonline.Value) error { return number(v, &p.Place.Row) }},
	{"line", false, func(p *Problem, v *jsonline.Value) error { return number(v, &p.Place.Line) }},
	{"col", false, func(p *Problem, v *jsonline.Value) error { return number(v, &p.Place.Col) }},
	{"offset", false, func(p *Problem, v *jsonline.Value) error {
		var offset uint64
		err := jsonline.Count(v, &offset, RecordMember)
		p.Place.Offset = int64(offset)
		return err
	}},
	{"wire", false, func(p *Problem, v *jsonline.Value) error { return jsonline.Bool(v, &p.Place.Wire) }},
	{"column", false, readProblemSubject(ledger.SubjectColumn)},
	{"parameter", false, readProblemSubject(ledger.SubjectParameter)},
	{"field", false, readProblemSubject(ledger.SubjectField)},
	{"message", true, func(p *Problem, v *jsonline.Value) error { return jsonline.String(v, &p.Message) }},
	{"help", false, func(p *Problem, v *jsonline.Value) error { return jsonline.String(v, &p.Help) }},
}

func readCode(v *jsonline.Value, to *ledger.Code) error {
	var code string
	err := jsonline.String(v, &code)
	*to = ledger.Code(code)
	return err
}

func readProblemSubject(kind ledger.SubjectKind) func(*Problem, *jsonline.Value) error {
	return func(p *Problem, v *jsonline.Value) error {
		p.Kind = kind
		return jsonline.String(v, &p.Subject)
	}
}

func readClause(v *jsonline.Value, to *ledger.Clause) error {
	e, ok := ledger.Lookup(v.Text())
	if v.Kind != jsonline.KindString || !ok {
		return jsonline.Fault(RecordMember, v.At+1, "the ledger has no entry with this id", "write ids such as 2.2.6, L01 or X7")
	}
	*to = e.Clause
	return nil
}

var headerMembers = []member[Header]{
	{"schema", true, func(h *Header, v *jsonline.Value) error { return readSchema(v, &h.Schema) }},
	{"as_of", true, func(h *Header, v *jsonline.Value) error { return jsonline.Date(v, &h.AsOf) }},
	{"from", false, func(h *Header, v *jsonline.Value) error { return jsonline.Date(v, &h.From) }},
	{"until", false, func(h *Header, v *jsonline.Value) error { return jsonline.Date(v, &h.Until) }},
	{"next", false, func(h *Header, v *jsonline.Value) error { return number(v, &h.Next) }},
	{"zone", false, func(h *Header, v *jsonline.Value) error { return jsonline.String(v, &h.Zone) }},
	{"input", false, func(h *Header, v *jsonline.Value) error { return jsonline.String(v, &h.Input) }},
	{"by", false, func(h *Header, v *jsonline.Value) error { return jsonline.Word(v, &h.By, RecordMember, byWords) }},
	{"profiles", false, func(h *Header, v *jsonline.Value) error { return readTexts(v, &h.Profiles) }},
	{"excluded", false, func(h *Header, v *jsonline.Value) error { return readTexts(v, &h.Excluded) }},
	{"seed", false, func(h *Header, v *jsonline.Value) error { return whole(v, &h.Seed) }},
	{"strict", false, func(h *Header, v *jsonline.Value) error { return jsonline.Bool(v, &h.Strict) }},
	{"policy", false, func(h *Header, v *jsonline.Value) error { return readPolicy(v, &h.Policy) }},
	{"old_policy", false, func(h *Header, v *jsonline.Value) error {
		h.OldPolicy = new(engine.Policy)
		return readPolicy(v, h.OldPolicy)
	}},
}

func readTexts(v *jsonline.Value, to *[]string) error {
	return jsonline.List(v, func(v *jsonline.Value) error {
		var text string
		err := jsonline.String(v, &text)
		*to = append(*to, text)
		return err
	})
}

func readHeader(fields []jsonline.Field) (Record, error) {
	var h Header
	err := readMembers(fields, headerMembers, &h)
	if h.Schema != SchemaSimulate {
		h.Seed = 0
	}
	if h.Schema != SchemaValidate {
		h.Strict = false
	}
	if h.Schema != SchemaDiff {
		h.OldPolicy = nil
	}
	return h, err
}

func readSchema(v *jsonline.Value, to *Schema) error {
	for _, s := range schemas {
		if v.Is(string(s)) {
			*to = s
			return nil
		}
	}
	return jsonline.Fault(RecordSchema, v.At+1, "the schema is not one that this version reads", "write the output again with this version")
}

func readPolicy(v *jsonline.Value, to *engine.Policy) error {
	if err := jsonline.As(v, jsonline.KindObject, "write keys and values in braces"); err != nil {
		return err
	}
	if to.UnmarshalJSON(v.Raw) != nil {
		return jsonline.Fault(RecordMember, v.At+1, "the policy has a key or value that does not exist", "use the keys and values of the ledger")
	}
	return nil
}

var (
	nameMembers = []member[Subject]{
		{"profile", true, func(s *Subject, v *jsonline.Value) error { return jsonline.String(v, &s.Profile) }},
		{"file", false, func(s *Subject, v *jsonline.Value) error { return jsonline.String(v, &s.File) }},
	}
	subjectMembers = append(slices.Clip(nameMembers),
		member[Subject]{"row", false, func(s *Subject, v *jsonline.Value) error { return number(v, &s.Row) }})
)

// A reasons is what a record rests on, as it is read.
type reasons struct {
	header  *Header
	because ledger.Because
	explain *engine.Policy
}

var reasonsMembers = []member[reasons]{{"because", false, readReasons}}

// readReasons reads reasons. The texts choose the readings; those of clauses that are not named are
// the header's.
func readReasons(r *reasons, v *jsonline.Value) error {
	var inForce engine.Policy
	if r.header != nil {
		inForce, r.explain = r.header.Policy, &r.header.Policy
	}
	read := inForce
	err := jsonline.List(v, func(v *jsonline.Value) error {
		var one reason
		err := object(v, reasonMembers, &one)
		r.because, read = r.because.With(one.clause), reading(read, one.clause, one.text)
		return err
	})
	if r.header == nil || read != inForce {
		r.explain = &read
	}
	return err
}

// A reason is a clause and the text of a reading.
type reason struct {
	clause ledger.Clause
	text   string
}

var reasonMembers = []member[reason]{
	{"clause", true, func(r *reason, v *jsonline.Value) error { return readClause(v, &r.clause) }},
	{"text", true, func(r *reason, v *jsonline.Value) error { return jsonline.String(v, &r.text) }},
}

// reading returns p with the reading of a clause that has a text. A text that no reading has, as it
// may be reworded, changes nothing.
func reading(p engine.Policy, c ledger.Clause, text string) engine.Policy {
	if c.Key() == "" || p.Reading(c).Text == text {
		return p
	}
	for i := 0; ; i++ {
		r, ok := c.Reading(i)
		if !ok {
			return p
		}
		if r.Text == text {
			return p.WithReading(c, i)
		}
	}
}

// A chargeDraft is a charge as it is read.
type chargeDraft struct {
	charge            Charge
	why               reasons
	amount, low, high *amount.Amount
}

// sideMembers are those of a charge but its profile.
var sideMembers = append([]member[chargeDraft]{
	{"repeat", true, func(c *chargeDraft, v *jsonline.Value) error {
		return jsonline.Count(v, &c.charge.Repeat, RecordMember)
	}},
	{"date", true, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.Date(v, &c.charge.Date) }},
	{"slot", false, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.Date(v, &c.charge.Slot) }},
	{"amount", false, func(c *chargeDraft, v *jsonline.Value) error { return readAmount(v, &c.amount) }},
	{"min", false, func(c *chargeDraft, v *jsonline.Value) error { return readAmount(v, &c.low) }},
	{"max", false, func(c *chargeDraft, v *jsonline.Value) error { return readAmount(v, &c.high) }},
	{"currency", true, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.String(v, &c.charge.Currency) }},
	{"card_expired", false, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.Bool(v, &c.charge.CardExpired) }},
	{"kind", false, func(c *chargeDraft, v *jsonline.Value) error {
		var kind uint8
		err := jsonline.Word(v, &kind, RecordMember, []string{kindAutomatic, kindManual})
		c.charge.Simulated, c.charge.Manual = true, kind == 1
		return err
	}},
	{"outcome", false, func(c *chargeDraft, v *jsonline.Value) error {
		c.charge.Simulated = true
		return jsonline.Word(v, &c.charge.Outcome, RecordMember, outcomes)
	}},
	{"callback", false, func(c *chargeDraft, v *jsonline.Value) error {
		c.charge.Simulated = true
		return jsonline.String(v, &c.charge.Callback)
	}},
}, of(func(c *chargeDraft) *reasons { return &c.why }, reasonsMembers)...)

var chargeMembers = append(of(func(c *chargeDraft) *Subject { return &c.charge.Subject }, subjectMembers), sideMembers...)

func readCharge(fields []jsonline.Field, h *Header) (Record, error) {
	c := chargeDraft{why: reasons{header: h}}
	if err := readMembers(fields, chargeMembers, &c); err != nil {
		return nil, err
	}
	err := c.finish()
	return c.charge, err
}

// finish completes a charge whose members are read.
func (c *chargeDraft) finish() error {
	c.charge.Because, c.charge.Explain = c.why.because, c.why.explain
	if c.charge.Slot.IsZero() {
		c.charge.Slot = c.charge.Date
	}
	switch {
	case c.amount != nil && c.low == nil && c.high == nil:
		c.charge.Min, c.charge.Max = *c.amount, *c.amount
	case c.amount == nil && c.low != nil && c.high != nil && c.low.Compare(*c.high) < 0:
		c.charge.Min, c.charge.Max = *c.low, *c.high
	default:
		return refuse(RecordMember, "amount", "a charge has either an amount, or min and a greater max", "write the record as the command does")
	}
	return nil
}

func readAmount(v *jsonline.Value, to **amount.Amount) error {
	if err := jsonline.As(v, jsonline.KindString, "write an amount in double quotes"); err != nil {
		return err
	}
	a, err := amount.Parse(v.Text())
	if err != nil {
		return jsonline.Fault("amount-syntax", v.At+1, "the amount cannot be read", "write digits, with decimals after a point")
	}
	*to = &a
	return nil
}

// An endDraft is an end as it is read.
type endDraft struct {
	end End
	why reasons
}

var endMembers = slices.Concat(
	of(func(n *endDraft) *Subject { return &n.end.Subject }, subjectMembers),
	of(func(n *endDraft) *engine.End { return &n.end.End }, endSideMembers),
	of(func(n *endDraft) *reasons { return &n.why }, reasonsMembers),
)

func readEnd(fields []jsonline.Field, h *Header) (Record, error) {
	n := endDraft{why: reasons{header: h}}
	err := readMembers(fields, endMembers, &n)
	n.end.Because, n.end.Explain = n.why.because, n.why.explain
	return n.end, err
}

// endSideMembers are those of an end but its profile.
var endSideMembers = []member[engine.End]{
	{"status", true, func(e *engine.End, v *jsonline.Value) error {
		return jsonline.Word(v, &e.Status, RecordMember, []string{"none", "active", "stopped"})
	}},
	{"repeat", true, func(e *engine.End, v *jsonline.Value) error { return jsonline.Count(v, &e.Repeat, RecordMember) }},
	{"stop", true, func(e *engine.End, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		return object(v, stopMembers, &e.Stop)
	}},
	{"calendar_end", false, func(e *engine.End, v *jsonline.Value) error { return jsonline.Bool(v, &e.LastDay) }},
}

var stopMembers = []member[engine.Stop]{
	{"date", true, func(s *engine.Stop, v *jsonline.Value) error { return jsonline.Date(v, &s.Date) }},
	{"reasons", true, func(s *engine.Stop, v *jsonline.Value) error {
		return jsonline.List(v, func(v *jsonline.Value) error { return readStopReason(v, &s.Reasons) })
	}},
}

var allReasons = [...]engine.Reasons{engine.ReasonMaxRepeats, engine.ReasonFinishDate, engine.ReasonAPI}

func readStopReason(v *jsonline.Value, to *engine.Reasons) error {
	for _, reason := range allReasons {
		if v.Is(reason.String()) {
			*to |= reason
			return nil
		}
	}
	return jsonline.Fault(RecordMember, v.At+1, "no such reason", "use max-repeats, finish-date, stopped-by-api")
}

// An eventDraft is an event as it is read.
type eventDraft struct {
	event Event
	why   reasons
}

var eventMembers = slices.Concat(
	of(func(n *eventDraft) *Subject { return &n.event.Subject }, nameMembers),
	[]member[eventDraft]{
		{"date", true, func(n *eventDraft, v *jsonline.Value) error { return jsonline.Date(v, &n.event.Date) }},
		{"do", true, func(n *eventDraft, v *jsonline.Value) error {
			return jsonline.Word(v, &n.event.Do, RecordMember, []string{"", "create", "run", "no-run", "charge", "stop", "update", "resume"})
		}},
		{"result", true, func(n *eventDraft, v *jsonline.Value) error {
			return jsonline.Word(v, &n.event.Result, RecordMember, []string{"", "accepted", "ignored", "refused"})
		}},
		{"code", false, func(n *eventDraft, v *jsonline.Value) error { return readCode(v, &n.event.Code) }},
		{"because", true, func(n *eventDraft, v *jsonline.Value) error { return readReasons(&n.why, v) }},
	},
)

func readEvent(fields []jsonline.Field, h *Header) (Record, error) {
	n := eventDraft{why: reasons{header: h}}
	err := readMembers(fields, eventMembers, &n)
	n.event.Because, n.event.Explain = n.why.because, n.why.explain
	return n.event, err
}

// whole reads a whole number from 0 to 2^64-1.
func whole(v *jsonline.Value, to *uint64) error {
	if err := jsonline.As(v, jsonline.KindNumber, "write a number without quotes"); err != nil {
		return err
	}
	n, err := strconv.ParseUint(v.Text(), 10, 64)
	if err != nil {
		return jsonline.Fault(RecordMember, v.At+1, "the number is out of range", "write a whole number from 0 to 18446744073709551615")
	}
	*to = n
	return nil
}

// number reads a whole number that is not negative.
func number(v *jsonline.Value, to *int) error {
	var n uint64
	if err := whole(v, &n); err != nil {
		return err
	}
	if n > math.MaxInt {
		return jsonline.Fault(RecordMember, v.At+1, "the number is out of range", "write a smaller number")
	}
	*to = int(n)
	return nil
}
