package engine

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/jsontext"
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
		return ErrKind.in("rp_card_type")
	case p.Unit > calendar.UnitMonth:
		return ErrInterval.in("period")
	case p.Amounts != nil && !usable(p.Amounts):
		return ErrAmountMissing.in("amount")
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
		return jsonline.Word(v, &p.Kind, faults[ErrKind].code, kindWords.Words)
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

// MarshalJSON returns an object with the members of a state line but "profile"; null for the zero
// State. Errors are those of [Stored.MarshalJSON].
func (s State) MarshalJSON() ([]byte, error) {
	if err := s.carried(); err != nil {
		return nil, err
	}
	return s.appendJSON(nil), nil
}

// UnmarshalJSON reads what [State.MarshalJSON] writes. Every member is optional; status is active
// if it is left out. On an error s is unchanged.
func (s *State) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*s = State{}
		return nil
	}
	fields, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	read := State{Status: StatusActive}
	if err := jsonline.Read(fields, stateMembers, &read); err != nil {
		return err
	}
	*s = read
	return nil
}

// carried returns what the JSON form of s cannot carry exactly.
func (s *State) carried() *Error {
	switch {
	case s.Status > StatusStopped, s.Status == 0 && !s.IsZero():
		return ErrStateConflict.in("state.status")
	case s.Repeat > math.MaxInt64:
		return ErrRepeatEnd.in("state.repeat")
	case slices.ContainsFunc(s.Paid, calendar.Date.IsZero):
		return ErrStateConflict.in("state.paid")
	case slices.ContainsFunc(s.Missed, func(w calendar.Window) bool { return w.From.IsZero() || w.IsEmpty() }):
		return ErrStateConflict.in("state.missed")
	case s.Stop.IsZero() && s.Stop != Stop{}, s.Stop.Reasons&^allReasons != 0:
		return ErrStateConflict.in("state.stop")
	}
	return nil
}

func (s *State) appendJSON(dst []byte) []byte {
	if s.Status == 0 {
		return append(dst, "null"...)
	}
	at := len(dst)
	return closeObject(s.appendMembers(dst), at)
}

func (s *State) appendMembers(dst []byte) []byte {
	dst = appendText(dst, "status", s.Status.String())
	dst = strconv.AppendUint(appendName(dst, "repeat"), s.Repeat, 10)
	dst = appendDate(dst, "ran_through", s.RanThrough)
	dst = appendDate(dst, "anchor", s.Anchor)
	dst = appendDate(dst, "last", s.Last)
	if len(s.Paid) > 0 {
		dst = appendList(appendName(dst, "paid"), slices.Values(s.Paid), func(dst []byte, d calendar.Date) []byte {
			return append(d.Append(append(dst, '"')), '"')
		})
	}
	if len(s.Missed) > 0 {
		dst = appendList(appendName(dst, "missed"), slices.Values(s.Missed), func(dst []byte, w calendar.Window) []byte {
			at := len(dst)
			dst = appendDate(dst, "from", w.From)
			return closeObject(appendDate(dst, "through", w.Last()), at)
		})
	}
	if !s.Stop.IsZero() {
		dst = s.Stop.appendJSON(appendName(dst, "stop"))
	}
	if !s.Because.IsZero() {
		dst = s.Because.AppendJSON(appendName(dst, "because"))
	}
	return dst
}

func (s *Stop) appendJSON(dst []byte) []byte {
	at := len(dst)
	dst = appendDate(dst, "date", s.Date)
	dst = appendList(appendName(dst, "reasons"), s.Reasons.All(), jsontext.AppendString)
	if !s.Because.IsZero() {
		dst = s.Because.AppendJSON(appendName(dst, "because"))
	}
	return closeObject(dst, at)
}

// read reads the member state of a Stored.
func (s *State) read(v *jsonline.Value) error {
	if v.Kind == jsonline.KindNull {
		return nil
	}
	s.Status = StatusActive
	return jsonline.Object(v, stateMembers, s)
}

var stateMembers = []jsonline.Member[State]{
	{Name: "schema", Read: func(_ *State, v *jsonline.Value) error { return readSchema(v, stateSchemas) }},
	{Name: "status", Read: func(s *State, v *jsonline.Value) error {
		return jsonline.Word(v, &s.Status, "state-status", storedStatuses)
	}},
	{Name: "repeat", Read: func(s *State, v *jsonline.Value) error {
		return jsonline.Count(v, &s.Repeat, faults[ErrRepeatEnd].code)
	}},
	{Name: "ran_through", Read: func(s *State, v *jsonline.Value) error { return jsonline.Date(v, &s.RanThrough) }},
	{Name: "paid", Read: func(s *State, v *jsonline.Value) error {
		s.Paid = make([]calendar.Date, 0, len(v.Items))
		return jsonline.List(v, s.readPaid)
	}},
	{Name: "anchor", Read: func(s *State, v *jsonline.Value) error { return jsonline.Date(v, &s.Anchor) }},
	{Name: "missed", Read: func(s *State, v *jsonline.Value) error { return jsonline.List(v, s.readMissed) }},
	{Name: "stop", Read: func(s *State, v *jsonline.Value) error { return s.Stop.read(v) }},
	{Name: "last", Read: func(s *State, v *jsonline.Value) error { return jsonline.Date(v, &s.Last) }},
	{Name: "because", Read: func(s *State, v *jsonline.Value) error { return jsonline.Because(v, &s.Because) }},
}

// storedStatuses are the words of a status without that of a profile that is not created.
var storedStatuses = []string{"", "active", "stopped"}

func (s *State) readPaid(v *jsonline.Value) error {
	var d calendar.Date
	err := jsonline.Date(v, &d)
	s.Paid = append(s.Paid, d)
	return err
}

func (s *State) readMissed(v *jsonline.Value) error {
	var w daySpan
	err := jsonline.Object(v, spanMembers, &w)
	if err == nil && (w.from.IsZero() || w.through.Before(w.from)) {
		err = jsonline.Fault(faults[ErrStateConflict].code, v.At+1, "the span is incomplete or ends before it begins", "write from and through, in order")
	}
	s.Missed = append(s.Missed, calendar.Through(w.from, w.through))
	return err
}

// A daySpan is a window as a state line has it.
type daySpan struct{ from, through calendar.Date }

var spanMembers = []jsonline.Member[daySpan]{
	{Name: "from", Read: func(w *daySpan, v *jsonline.Value) error { return jsonline.Date(v, &w.from) }},
	{Name: "through", Read: func(w *daySpan, v *jsonline.Value) error { return jsonline.Date(v, &w.through) }},
}

func (s *Stop) read(v *jsonline.Value) error {
	err := jsonline.Object(v, stopMembers, s)
	if err == nil && s.Date.IsZero() {
		err = jsonline.Fault(faults[ErrStateConflict].code, v.At+1, "the stop has no date", "write the date, or leave the stop out")
	}
	return err
}

var stopMembers = []jsonline.Member[Stop]{
	{Name: "date", Read: func(s *Stop, v *jsonline.Value) error { return jsonline.Date(v, &s.Date) }},
	{Name: "reasons", Read: func(s *Stop, v *jsonline.Value) error { return jsonline.List(v, s.readReason) }},
	{Name: "because", Read: func(s *Stop, v *jsonline.Value) error { return jsonline.Because(v, &s.Because) }},
}

func (s *Stop) readReason(v *jsonline.Value) error {
	reason, ok := reasonOf(v.Text())
	if v.Kind != jsonline.KindString || !ok {
		return jsonline.Fault(faults[ErrStateConflict].code, v.At+1, "no such reason", "use max-repeats, finish-date, stopped-by-api")
	}
	s.Reasons |= reason
	return nil
}

// MarshalJSON returns {"date":…,"reasons":[…]}, with the clauses behind it; null for the zero Stop.
func (s Stop) MarshalJSON() ([]byte, error) {
	switch {
	case s == Stop{}:
		return []byte("null"), nil
	case s.IsZero() || s.Reasons&^allReasons != 0:
		return nil, ErrStateConflict.in("stop")
	}
	return s.appendJSON(nil), nil
}

// UnmarshalJSON reads what [Stop.MarshalJSON] writes. On an error s is unchanged.
func (s *Stop) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*s = Stop{}
		return nil
	}
	fields, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	var read Stop
	if err := read.read(&jsonline.Value{Kind: jsonline.KindObject, Fields: fields}); err != nil {
		return err
	}
	*s = read
	return nil
}

// AppendStateLine appends the line of a state file for a profile and its state, without a line end,
// as [ParseStateLine] reads it. A profile that is not created yet has no line: dst is returned as
// it is. Errors are those of [Stored.MarshalJSON].
func AppendStateLine(dst []byte, profile string, s State) ([]byte, error) {
	if err := s.carried(); err != nil {
		return dst, err
	}
	if err := checkText(profile, "client-orderid"); err != nil {
		return dst, err
	}
	if s.Status == 0 {
		return dst, nil
	}
	dst = append(dst, `{"schema":"`+stateSchema+`","profile":`...)
	dst = s.appendMembers(jsontext.AppendString(dst, profile))
	return append(dst, '}'), nil
}

// ParseStateLine reads one line of a state file, a JSON object such as
//
//	{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}
//
// Every member but profile is optional; status is active if it is left out. Errors are a
// [ledger.Finding] with the column: an unknown member or value, a member given twice, a schema of
// another version. Whether the state contradicts the as-of date is for [Stored.Check] to say.
func ParseStateLine(line []byte) (profile string, s State, err error) {
	fields, err := jsonline.Parse(line)
	if err != nil {
		return "", State{}, err
	}
	l := stateLine{state: State{Status: StatusActive}}
	if err := jsonline.Read(fields, stateLineMembers, &l); err != nil {
		return "", State{}, err
	}
	if !l.named {
		return "", State{}, jsonline.In(jsonline.Fault(jsonline.CodeType, 1, "the field is missing", "write the client-orderid of the profile"), "profile")
	}
	return l.profile, l.state, nil
}

// A stateLine is a state with its profile.
type stateLine struct {
	profile string
	named   bool
	state   State
}

// stateLineMembers are those of a state, and the profile.
var stateLineMembers = func() []jsonline.Member[stateLine] {
	list := []jsonline.Member[stateLine]{{Name: "profile", Read: func(l *stateLine, v *jsonline.Value) error {
		l.named = true
		return jsonline.String(v, &l.profile)
	}}}
	for _, m := range stateMembers {
		list = append(list, jsonline.Member[stateLine]{Name: m.Name, Read: func(l *stateLine, v *jsonline.Value) error { return m.Read(&l.state, v) }})
	}
	return list
}()

// Members are appended with a comma in front, which closeObject turns into the brace of the first.

func appendName(dst []byte, name string) []byte {
	return append(append(append(dst, `,"`...), name...), `":`...)
}

func appendText(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return jsontext.AppendString(appendName(dst, name), value)
}

func appendDate(dst []byte, name string, d calendar.Date) []byte {
	if d.IsZero() {
		return dst
	}
	return append(d.Append(append(appendName(dst, name), '"')), '"')
}

func appendList[T any](dst []byte, items iter.Seq[T], item func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	first := true
	for v := range items {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = item(dst, v)
	}
	return append(dst, ']')
}

// closeObject makes the members appended since at an object.
func closeObject(dst []byte, at int) []byte {
	if len(dst) == at {
		return append(dst, "{}"...)
	}
	dst[at] = '{'
	return append(dst, '}')
}
