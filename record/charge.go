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

// A Charge is a charge, forecast or simulated. Slot is written where it differs from Date, Nth
// where it is above 0, and one amount where both bounds have the same value.
type Charge struct {
	Subject
	Charge engine.Charge // one that was read cannot draw an amount
}

// isForecast reports whether a charge can be one of a forecast.
func isForecast(c *engine.Charge) bool {
	return !c.Manual && c.Nth == 0 && c.Outcome == engine.OutcomeUnknown
}

// An encoder appends the charges and the end of one profile after the other. Text that stays the
// same from one charge to the next is made once, and nothing is allocated once its buffers have
// grown.
type encoder struct {
	explain  *engine.Policy // nil: without reasons
	observed Readings       // those of explain that charges have shown

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
	e.head = strconv.AppendInt(s.append(append(e.head[:0], `{"type":"charge"`...)), int64(s.Row), 10)
	e.head = append(e.head, `,"repeat":`...)
	e.line.Clear()
}

// append appends the members that name the profile, up to the number of its row.
func (s *Subject) append(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `,"profile":`...), s.Profile)
	if s.File != "" {
		dst = strictjson.AppendString(append(dst, `,"file":`...), s.File)
	}
	return append(dst, `,"row":`...)
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
	if !isForecast(c) {
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

// why appends the clauses that a record depends on, if they are to be written. Neighbours mostly
// depend on the same ones.
func (e *encoder) why(dst []byte, b ledger.Because) []byte {
	if e.explain == nil {
		return dst
	}
	if b != e.because || len(e.reasons) == 0 {
		e.because = b
		e.reasons = AppendBecause(append(e.reasons[:0], `,"because":`...), b, *e.explain, e.observed)
	}
	return append(dst, e.reasons...)
}

// AppendJSON appends the record, as [Record] says.
func (c Charge) AppendJSON(dst []byte) []byte {
	return appendUnder(dst, c, wordsOf(c.Charge.Because), Readings{})
}

// A subjectJSON is the members that name a profile.
type subjectJSON struct {
	Profile string `json:"profile" strict:"required"`
	File    string `json:"file,omitzero"`
	Row     int    `json:"row" strict:"count"`
}

func subjectToJSON(s *Subject) subjectJSON { return subjectJSON{s.Profile, s.File, s.Row} }

func (in *subjectJSON) subject() Subject {
	return Subject{Profile: in.Profile, File: in.File, Row: in.Row}
}

// A chargeJSON is a charge without its profile.
type chargeJSON struct {
	Repeat      uint64         `json:"repeat" strict:"required,count"`
	Date        calendar.Date  `json:"date" strict:"required"`
	Slot        calendar.Date  `json:"slot,omitzero"`
	Amount      *amount.Amount `json:"amount,omitzero" strict:"code=amount-syntax"`
	Min         *amount.Amount `json:"min,omitzero" strict:"code=amount-syntax"`
	Max         *amount.Amount `json:"max,omitzero" strict:"code=amount-syntax"`
	Currency    string         `json:"currency" strict:"required"`
	CardExpired bool           `json:"card_expired,omitzero"`
	Kind        chargeKind     `json:"kind,omitzero"`
	Nth         uint64         `json:"nth,omitzero"`
	Outcome     outcome        `json:"outcome,omitzero"`
	Callback    *string        `json:"callback,omitzero"`
	Because     *because       `json:"because,omitzero"`
}

// A chargeKind is the word of the member kind.
type chargeKind uint8

const (
	kindAutomatic chargeKind = iota
	kindManual
)

var kindWords = enum.Words{Type: "chargeKind", Words: []string{"automatic", "manual"}}

// MarshalText implements [encoding.TextMarshaler].
func (k chargeKind) MarshalText() ([]byte, error) { return kindWords.Marshal(uint8(k)) }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *chargeKind) UnmarshalText(text []byte) error { return kindWords.Unmarshal(text, (*uint8)(k)) }

var chargeForm = formOf[struct {
	subjectJSON
	chargeJSON
}]()

func readCharge(text []byte) (Record, error) {
	in, err := read(chargeForm, text)
	if err != nil {
		return nil, err
	}
	c, err := in.charge()
	c.Profile, c.File, c.Row = in.Profile, in.File, in.Row
	return c, err
}

// charge returns the charge.
func (in *chargeJSON) charge() (Charge, error) {
	c := Charge{Subject: Subject{Currency: in.Currency, Callback: textOf(in.Callback)}}
	c.Charge = engine.Charge{
		Repeat: in.Repeat, Date: in.Date, Slot: in.Slot, CardExpired: in.CardExpired,
		Manual: in.Kind == kindManual, Nth: in.Nth, Outcome: engine.Outcome(in.Outcome), Because: in.Because.set(),
	}
	if in.Slot.IsZero() {
		c.Charge.Slot = in.Date
	}
	switch {
	case in.Amount != nil && in.Min == nil && in.Max == nil:
		c.Charge.Min, c.Charge.Max = *in.Amount, *in.Amount
	case in.Amount == nil && in.Min != nil && in.Max != nil && in.Min.Compare(*in.Max) < 0:
		c.Charge.Min, c.Charge.Max = *in.Min, *in.Max
	default:
		return c, refuse(codeRecordMember, "amount", "a charge has either an amount, or min and a greater max", "write the record as the command does")
	}
	return c, nil
}

// A chargeSide is a charge in a record about two sides, without the members that name its profile
// and without reasons.
type chargeSide Charge

// MarshalJSON returns what the record has.
func (c chargeSide) MarshalJSON() ([]byte, error) {
	e := encoder{head: []byte(`{"repeat":`)}
	e.of.Currency, e.of.Callback = c.Currency, c.Callback
	return e.charge(nil, &c.Charge), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *chargeSide) UnmarshalJSON(data []byte) error {
	var in chargeJSON
	if err := sideForm.Read(data, &in); err != nil {
		return err
	}
	side, err := in.charge()
	*c = chargeSide(side)
	return err
}

var sideForm = formOf[chargeJSON]()

// MarshalJSON returns what AppendJSON appends.
func (c Charge) MarshalJSON() ([]byte, error) { return marshal(c) }
