package engine

import (
	"errors"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsonline"
)

// The schemas of what this package writes. The number grows when a member changes its meaning.
const (
	storedSchema = "chargecast.stored/1"
	stateSchema  = "chargecast.state/1"
)

// MarshalJSON returns {"schema":"chargecast.stored/1","profile":{…},"state":{…}}; the state is null
// if the profile is not created yet. A value that the form cannot carry exactly is an [*Error] that
// names the field; everything that [Stored.Check] accepts can be carried.
func (s Stored) MarshalJSON() ([]byte, error) {
	if err := s.Profile.carried(); err != nil {
		return nil, err
	}
	if err := s.State.carried(); err != nil {
		return nil, err
	}
	dst := append(make([]byte, 0, 512), `{"schema":"`+storedSchema+`","profile":`...)
	dst = s.Profile.appendJSON(dst)
	return append(s.State.appendJSON(append(dst, `,"state":`...)), '}'), nil
}

// UnmarshalJSON reads what [Stored.MarshalJSON] writes. An unknown member, one given twice, and a
// schema of another version are a [ledger.Finding]. On an error s is unchanged. Whether the value
// can be used is for [Stored.Check] to say.
func (s *Stored) UnmarshalJSON(data []byte) error {
	fields, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	var read Stored
	if err := jsonline.Read(fields, storedMembers, &read); err != nil {
		return err
	}
	*s = read
	return nil
}

var storedMembers = []jsonline.Member[Stored]{
	{Name: "schema", Read: func(_ *Stored, v *jsonline.Value) error { return readSchema(v, storedSchemas) }},
	{Name: "profile", Read: func(s *Stored, v *jsonline.Value) error { return jsonline.Object(v, profileMembers, &s.Profile) }},
	{Name: "state", Read: func(s *Stored, v *jsonline.Value) error { return s.State.read(v) }},
}

var (
	storedSchemas = []string{storedSchema}
	stateSchemas  = []string{stateSchema}
)

// readSchema refuses the schema of another version.
func readSchema(v *jsonline.Value, schemas []string) error {
	var version uint8
	return jsonline.Word(v, &version, jsonline.CodeUnknown, schemas)
}

// MarshalJSON returns an object with the document's column names, dates in ISO form; columns
// without a value are left out. Errors are those of [Stored.MarshalJSON].
func (p Profile) MarshalJSON() ([]byte, error) {
	if err := p.carried(); err != nil {
		return nil, err
	}
	return p.appendJSON(nil), nil
}

// UnmarshalJSON reads what [Profile.MarshalJSON] writes. On an error p is unchanged.
func (p *Profile) UnmarshalJSON(data []byte) error {
	fields, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	var read Profile
	if err := jsonline.Read(fields, profileMembers, &read); err != nil {
		return err
	}
	*p = read
	return nil
}

// carried returns what the JSON form of p cannot carry exactly.
func (p *Profile) carried() *Error {
	if err := p.checkTexts(); err != nil {
		return err
	}
	switch {
	case !kindWords.Has(uint8(p.Kind)):
		return &Error{"rp_card_type", ErrKind}
	case p.Unit > calendar.UnitMonth:
		return &Error{"period", ErrInterval}
	case p.Amounts != nil && !usable(p.Amounts):
		return &Error{"amount", ErrAmountMissing}
	}
	return nil
}

func (p *Profile) appendJSON(dst []byte) []byte {
	at := len(dst)
	dst = appendText(dst, "client-orderid", p.ID)
	dst = appendText(dst, "rp_card_type", p.Kind.String())
	dst = appendDate(dst, "start-date", p.Start)
	if p.Unit != 0 {
		dst = appendText(dst, "period", p.Unit.String())
	}
	if p.Interval != 0 {
		dst = strconv.AppendInt(appendName(dst, "interval"), int64(p.Interval), 10)
	}
	dst = appendDate(dst, "finish-date", p.Finish)
	if n, ok := p.MaxRepeats.Value(); ok {
		dst = strconv.AppendUint(appendName(dst, "max-repeats-number"), n, 10)
	}
	if p.Amounts != nil {
		text, _ := p.Amounts.MarshalJSON() // carried has refused what it would
		dst = append(appendName(dst, "amounts"), text...)
	}
	dst = appendText(dst, "currency", p.Currency)
	dst = appendDate(dst, "card-expires", p.CardExpires)
	return closeObject(dst, at)
}

var profileMembers = []jsonline.Member[Profile]{
	{Name: "client-orderid", Read: func(p *Profile, v *jsonline.Value) error { return jsonline.String(v, &p.ID) }},
	{Name: "rp_card_type", Read: func(p *Profile, v *jsonline.Value) error {
		return jsonline.Word(v, &p.Kind, ErrKind, kindWords.Words)
	}},
	{Name: "start-date", Read: func(p *Profile, v *jsonline.Value) error { return jsonline.Date(v, &p.Start) }},
	{Name: "period", Read: func(p *Profile, v *jsonline.Value) error {
		return jsonline.Word(v, &p.Unit, "period-value", unitWords)
	}},
	{Name: "interval", Read: func(p *Profile, v *jsonline.Value) error { return readInt(v, &p.Interval) }},
	{Name: "finish-date", Read: func(p *Profile, v *jsonline.Value) error { return jsonline.Date(v, &p.Finish) }},
	{Name: "max-repeats-number", Read: func(p *Profile, v *jsonline.Value) error {
		var n uint64
		err := jsonline.Count(v, &n, "integer-range")
		p.MaxRepeats = AtMost(n)
		return err
	}},
	{Name: "amounts", Read: func(p *Profile, v *jsonline.Value) (err error) {
		if p.Amounts, err = amount.StrategyFromJSON(v.Raw); err != nil {
			return jsonline.Fault("amount-syntax", v.At+1, "the amounts cannot be read", "write an object with amount, with amount-from and amount-to, or with amount-sequence")
		}
		return nil
	}},
	{Name: "currency", Read: func(p *Profile, v *jsonline.Value) error { return jsonline.String(v, &p.Currency) }},
	{Name: "card-expires", Read: func(p *Profile, v *jsonline.Value) error { return jsonline.Date(v, &p.CardExpires) }},
}

var unitWords = []string{"", "day", "week", "month"}

func readInt(v *jsonline.Value, to *int) error {
	if err := jsonline.As(v, jsonline.KindNumber, "write a number without quotes"); err != nil {
		return err
	}
	n, err := strconv.Atoi(v.Text())
	if err != nil {
		return jsonline.Fault("integer-range", v.At+1, "the number is out of range", "write a whole number")
	}
	*to = n
	return nil
}

// MarshalJSON returns the limit as a number; null for none.
func (l Limit) MarshalJSON() ([]byte, error) {
	if !l.set {
		return []byte("null"), nil
	}
	return strconv.AppendUint(nil, l.n, 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes: null, or a whole number from 0 to 2^63-1.
func (l *Limit) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*l = Limit{}
		return nil
	}
	n, err := strconv.ParseUint(string(data), 10, 63)
	if err != nil {
		return errLimit
	}
	*l = AtMost(n)
	return nil
}

var errLimit = errors.New("engine: max-repeats-number is a whole number from 0 to 9223372036854775807, or null")
