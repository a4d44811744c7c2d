package record

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/stencil"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Subject is the profile that a record is about.
type Subject struct {
	Profile  string // the client-orderid, as it may be shown
	File     string // the input, where there are several; else empty
	Row      int    // the data row in its file, from 1
	Currency string
	Callback string // the address that the gateway calls for each final status (6); empty for none
}

// A Charge is a charge, forecast or simulated. Slot is written where it differs from Date, Nth where it
// is above 0, and one amount where both bounds have the same value.
type Charge struct {
	Subject
	engine.Charge
	// Simulated charges are written with kind, outcome and callback, and so is any that is manual or
	// declined: read back, it is Simulated.
	Simulated bool
	Explain   *engine.Policy // with Because in the words of this policy's readings; nil: without
	Observed  Readings       // those of Explain that charges have shown
}

// isForecast reports whether a charge can be one of a forecast.
func isForecast(c *engine.Charge) bool {
	return !c.Manual && c.Nth == 0 && c.Outcome == engine.OutcomeUnknown
}

// An encoder appends the charges and the end of one profile after the other. Text that stays the same
// from one charge to the next is made once, and nothing is allocated once its buffers have grown.
type encoder struct {
	simulated bool
	explain   *engine.Policy // nil: without reasons
	observed  Readings       // those of explain that charges have shown

	of      Subject
	head    []byte // of a charge of the profile, up to its repeat number
	profile []byte // of a reconciled record, up to its kind
	line    stencil.Line
	tail    []byte // of the line, after its date

	because ledger.Because
	reasons []byte // of because
}

// start turns to the next profile.
func (e *encoder) start(s Subject) {
	e.of = s
	e.head = append(s.append(append(e.head[:0], `{"type":"charge"`...)), `,"repeat":`...)
	e.line.Clear()
}

// append appends the members that name the profile.
func (s *Subject) append(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `,"profile":`...), s.Profile)
	if s.File != "" {
		dst = strictjson.AppendString(append(dst, `,"file":`...), s.File)
	}
	return strconv.AppendInt(append(dst, `,"row":`...), int64(s.Row), 10)
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
	if e.simulated || !isForecast(c) {
		dst = e.appendOutcome(dst, c)
	}
	return append(e.why(dst, c.Because), '}')
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

// appendOutcome appends what only a simulation has.
func (e *encoder) appendOutcome(dst []byte, c *engine.Charge) []byte {
	kind := kindAutomatic
	if c.Manual {
		kind = kindManual
	}
	dst = append(append(append(dst, `,"kind":"`...), kindWords.Words[kind]...), '"')
	if c.Nth > 0 {
		dst = strconv.AppendUint(append(dst, `,"nth":`...), c.Nth, 10)
	}
	if c.Outcome != engine.OutcomeUnknown {
		dst = append(append(append(dst, `,"outcome":"`...), c.Outcome.String()...), '"')
	}
	if e.of.Callback != "" {
		dst = strictjson.AppendString(append(dst, `,"callback":`...), e.of.Callback)
	}
	return dst
}

// why appends the clauses that a record rests on, if they are to be written. Neighbours mostly rest on
// the same ones.
func (e *encoder) why(dst []byte, b ledger.Because) []byte {
	if e.explain == nil {
		return dst
	}
	if b != e.because || len(e.reasons) == 0 {
		e.because = b
		e.reasons = appendReasons(e.reasons[:0], b, e.explain, e.observed)
	}
	return append(dst, e.reasons...)
}

// AppendJSON appends the record, as [Record] says.
func (c Charge) AppendJSON(dst []byte) []byte {
	e := encoder{simulated: c.Simulated, explain: c.Explain, observed: c.Observed}
	e.start(c.Subject)
	return e.charge(dst, &c.Charge)
}

// A subjectJSON is the members that name a profile, as they are read.
type subjectJSON struct {
	Profile string `json:"profile" strict:"required"`
	File    string `json:"file,omitzero"`
	Row     int    `json:"row,omitzero" strict:"count"`
}

// A chargeJSON is a charge without its profile, as it is read.
type chargeJSON struct {
	Repeat      uint64         `json:"repeat" strict:"required,count"`
	Date        calendar.Date  `json:"date" strict:"required"`
	Slot        calendar.Date  `json:"slot,omitzero"`
	Amount      *amount.Amount `json:"amount,omitzero" strict:"code=amount-syntax"`
	Min         *amount.Amount `json:"min,omitzero" strict:"code=amount-syntax"`
	Max         *amount.Amount `json:"max,omitzero" strict:"code=amount-syntax"`
	Currency    string         `json:"currency" strict:"required"`
	CardExpired bool           `json:"card_expired,omitzero"`
	Kind        *chargeKind    `json:"kind,omitzero"`
	Nth         uint64         `json:"nth,omitzero"`
	Outcome     *outcome       `json:"outcome,omitzero"`
	Callback    *string        `json:"callback,omitzero"`
	Because     *[]reason      `json:"because,omitzero"`
}

// A chargeKind is the word of the member kind.
type chargeKind uint8

const (
	kindAutomatic chargeKind = iota
	kindManual
)

var kindWords = enum.Words{Type: "chargeKind", Words: []string{"automatic", "manual"}}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *chargeKind) UnmarshalText(text []byte) error { return kindWords.Unmarshal(text, (*uint8)(k)) }

var chargeForm = formOf[struct {
	subjectJSON
	chargeJSON
}]()

func readCharge(text []byte, h *Header) (Record, error) {
	in, err := read(chargeForm, text)
	if err != nil {
		return nil, err
	}
	c, err := in.charge(h)
	c.Profile, c.File, c.Row = in.Profile, in.File, in.Row
	return c, err
}

// charge returns the charge. The header is that of the output, if there is one.
func (in *chargeJSON) charge(h *Header) (Charge, error) {
	c := Charge{Simulated: in.Kind != nil || in.Nth > 0 || in.Outcome != nil || in.Callback != nil}
	c.Repeat, c.Date, c.Slot, c.CardExpired, c.Currency = in.Repeat, in.Date, in.Slot, in.CardExpired, in.Currency
	if in.Slot.IsZero() {
		c.Slot = in.Date
	}
	c.Manual, c.Nth = in.Kind != nil && *in.Kind == kindManual, in.Nth
	if in.Outcome != nil {
		c.Outcome = engine.Outcome(*in.Outcome)
	}
	if in.Callback != nil {
		c.Callback = *in.Callback
	}
	c.Because, c.Explain, c.Observed = reasonsUnder(in.Because, h)
	switch {
	case in.Amount != nil && in.Min == nil && in.Max == nil:
		c.Min, c.Max = *in.Amount, *in.Amount
	case in.Amount == nil && in.Min != nil && in.Max != nil && in.Min.Compare(*in.Max) < 0:
		c.Min, c.Max = *in.Min, *in.Max
	default:
		return c, refuse(RecordMember, "amount", "a charge has either an amount, or min and a greater max", "write the record as the command does")
	}
	return c, nil
}

// MarshalJSON returns what AppendJSON appends. One that is manual or declined but not Simulated is an
// error.
func (c Charge) MarshalJSON() ([]byte, error) {
	if !c.Simulated && !isForecast(&c.Charge) {
		return nil, refuse(RecordMember, "kind", "a charge that is manual or declined is one of a simulation", "set Simulated")
	}
	return marshal(c)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Charge) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }
