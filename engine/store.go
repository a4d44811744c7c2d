package engine

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// What a program keeps is JSON: a Stored, its Profile, its State with the Stop, and the line of a
// state file, which is a State with the profile's name. Each is a struct with tags below, and every
// value that Engine.Check accepts is read back exactly.

// The schemas of what this package writes. The number grows when a member changes its meaning.
const (
	storedSchema = "chargecast.stored/1"
	stateSchema  = "chargecast.state/1"
)

// A storedJSON is a Stored as it is written.
type storedJSON struct {
	Schema  string      `json:"schema,omitzero"`
	Profile profileJSON `json:"profile" strict:"required"`
	State   *stateJSON  `json:"state"`
}

// A profileJSON has the columns of the document by their names, dates in ISO form. Columns without
// a value are left out.
type profileJSON struct {
	ID         string          `json:"client-orderid,omitzero"`
	Kind       Kind            `json:"rp_card_type,omitzero" strict:"code=card-type"`
	Start      calendar.Date   `json:"start-date,omitzero"`
	Unit       calendar.Unit   `json:"period,omitzero" strict:"code=period-value"`
	Interval   int             `json:"interval,omitzero" strict:"code=integer-range"`
	Finish     calendar.Date   `json:"finish-date,omitzero"`
	MaxRepeats *uint64         `json:"max-repeats-number,omitzero" strict:"code=integer-range,count"`
	Amount     *amount.Amount  `json:"amount,omitzero" strict:"code=amount-syntax"`
	From       *amount.Amount  `json:"amount-from,omitzero" strict:"code=amount-syntax"`
	To         *amount.Amount  `json:"amount-to,omitzero" strict:"code=amount-syntax"`
	Sequence   []amount.Amount `json:"amount-sequence,omitzero" strict:"code=amount-syntax"`
	Currency   string          `json:"currency,omitzero"`
	Expires    calendar.Date   `json:"card-expires,omitzero"`
}

// A stateJSON is a State as it is written.
type stateJSON struct {
	Status     *Status         `json:"status,omitzero" strict:"code=state-status"` // nil is active
	Repeat     *uint64         `json:"repeat,omitzero" strict:"code=state-repeat,count"`
	RanThrough calendar.Date   `json:"ran_through,omitzero"`
	Anchor     calendar.Date   `json:"anchor,omitzero"`
	Last       calendar.Date   `json:"last,omitzero"`
	Manual     uint64          `json:"manual,omitzero" strict:"count"`
	Paid       []calendar.Date `json:"paid,omitzero"`
	Missed     []daySpan       `json:"missed,omitzero"`
	Stop       stopJSON        `json:"stop,omitzero"`
	Because    ledger.Because  `json:"because,omitzero"`
	Policy     *policyJSON     `json:"policy,omitzero"`
}

// A stateWithSchema is a State by itself, which may say its schema.
type stateWithSchema struct {
	Schema schemaOfState `json:"schema,omitzero" strict:"code=json-unknown-field"`
	stateJSON
}

// A stateLine is a line of a state file.
type stateLine struct {
	Schema  schemaOfState `json:"schema,omitzero" strict:"code=json-unknown-field"`
	Profile *string       `json:"profile"`
	stateJSON
}

// A daySpan is a window with its last day; a stopJSON is a Stop. Each is checked while it is read,
// so that an error has its place.
type (
	daySpan  struct{ From, Through calendar.Date }
	stopJSON Stop

	spanFields struct {
		From    calendar.Date `json:"from"`
		Through calendar.Date `json:"through"`
	}
)

var (
	storedForm  = strictjson.FormOf[storedJSON]()
	profileForm = strictjson.FormOf[profileJSON]()
	stateForm   = strictjson.FormOf[stateWithSchema]()
	lineForm    = strictjson.FormOf[stateLine]()
	spanForm    = strictjson.FormOf[spanFields]()
	stopForm    = strictjson.FormOf[Stop]()
)

// A schemaOfState is the schema of a state, which may be left out.
type schemaOfState uint8

var stateSchemas = enum.Words{Type: "schema", Words: []string{"", stateSchema}}

func (s *schemaOfState) UnmarshalText(text []byte) error {
	return stateSchemas.Unmarshal(text, (*uint8)(s))
}
func (s schemaOfState) MarshalText() ([]byte, error) { return stateSchemas.Marshal(uint8(s)) }

// MarshalJSON returns {"schema":"chargecast.stored/1","profile":{…},"state":{…}}. The state has the
// policy that made it as "policy", with the keys that differ from the defaults of version 1 and
// without the member where the policy is not known; it is null if the profile is not created yet
// and has no policy. A value that the form cannot carry exactly is an [*Error] that names the
// field; everything that [Engine.Check] accepts can be carried.
func (s Stored) MarshalJSON() ([]byte, error) {
	if err := s.Profile.checkEncodable(); err != nil {
		return nil, err
	}
	if err := s.State.checkEncodable(); err != nil {
		return nil, err
	}
	out := storedJSON{Schema: storedSchema, Profile: profileToJSON(&s.Profile)}
	if !s.State.IsZero() {
		out.State = new(stateToJSON(&s.State))
	}
	return storedForm.Append(make([]byte, 0, 512), &out), nil
}

// UnmarshalJSON reads what [Stored.MarshalJSON] writes. An unknown member and one given twice are a
// [ledger.Finding]; so is a missing schema, with the code "schema-missing", and that of a later
// version, with "schema-later". On an error s is unchanged. Whether the value can be used is for
// [Engine.Check] to say.
func (s *Stored) UnmarshalJSON(data []byte) error {
	var in storedJSON
	err := jsonline.Read(storedForm, data, &in)
	if err != nil || in.Schema != storedSchema {
		if wrong := checkSchema(data, storedSchema); wrong != nil {
			return wrong
		}
	}
	if err != nil {
		return err
	}
	var read Stored
	if read.Profile, err = in.Profile.profile(); err != nil {
		return err
	}
	if in.State != nil {
		if read.State, err = in.State.state(); err != nil {
			return err
		}
	}
	*s = read
	return nil
}

// MarshalJSON returns an object with the document's column names, dates in ISO form; columns
// without a value are left out. Errors are those of [Stored.MarshalJSON].
func (p Profile) MarshalJSON() ([]byte, error) {
	if err := p.checkEncodable(); err != nil {
		return nil, err
	}
	return profileForm.Append(nil, new(profileToJSON(&p))), nil
}

// UnmarshalJSON reads what [Profile.MarshalJSON] writes. On an error p is unchanged.
func (p *Profile) UnmarshalJSON(data []byte) error {
	var in profileJSON
	if err := jsonline.Read(profileForm, data, &in); err != nil {
		return err
	}
	read, err := in.profile()
	if err == nil {
		*p = read
	}
	return err
}

// checkEncodable returns an error if p has no exact JSON form.
func (p *Profile) checkEncodable() *Error {
	if err := p.checkTexts(); err != nil {
		return err
	}
	if err := p.checkDates(); err != nil {
		return err
	}
	switch {
	case p.Kind > KindDestination:
		return refuse("rp_card_type", errKind)
	case p.Unit > calendar.UnitMonth:
		return refuse("period", errInterval)
	}
	return nil
}

func profileToJSON(p *Profile) profileJSON {
	out := profileJSON{
		ID: p.ID, Kind: p.Kind, Start: p.Start, Unit: p.Unit, Interval: p.Interval, Finish: p.Finish,
		Currency: p.Currency, Expires: p.CardExpires,
	}
	if n, ok := p.MaxRepeats.Value(); ok {
		out.MaxRepeats = &n
	}
	columns := columnsOf(p.Amounts)
	out.Amount, out.From, out.To, out.Sequence = columns.fixed, columns.from, columns.to, columns.sequence
	return out
}

// profile returns the profile. A profile without an amount can be kept, though not used.
func (in *profileJSON) profile() (Profile, error) {
	p := Profile{
		ID: in.ID, Kind: in.Kind, Start: in.Start, Unit: in.Unit, Interval: in.Interval, Finish: in.Finish,
		Currency: in.Currency, CardExpires: in.Expires,
	}
	if in.MaxRepeats != nil {
		p.MaxRepeats = AtMost(*in.MaxRepeats)
	}
	columns := amountColumns{in.Amount, in.From, in.To, in.Sequence}
	if columns.none() {
		return p, nil
	}
	choice, err := columns.choice(in.Currency)
	if err != nil {
		rule, _ := table.Lookup(err.Code)
		return Profile{}, jsonline.In(jsonline.Fault(err.Code, 1, rule.Text, rule.Help), err.Field)
	}
	p.Amounts = choice
	return p, nil
}

// MarshalJSON returns the state member of a [Stored]; null for the zero State. Errors are those of
// [Stored.MarshalJSON].
func (s State) MarshalJSON() ([]byte, error) {
	if err := s.checkEncodable(); err != nil {
		return nil, err
	}
	if s.IsZero() {
		return []byte("null"), nil
	}
	return stateForm.Append(nil, &stateWithSchema{stateJSON: stateToJSON(&s)}), nil
}

// UnmarshalJSON reads what [State.MarshalJSON] writes. Every member is optional; status is active
// if it is left out. On an error s is unchanged.
func (s *State) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*s = State{}
		return nil
	}
	var in stateWithSchema
	if err := jsonline.Read(stateForm, data, &in); err != nil {
		return err
	}
	read, err := in.state()
	if err == nil {
		*s = read
	}
	return err
}

// checkEncodable returns an error if s has no exact JSON form.
func (s *State) checkEncodable() *Error {
	switch {
	case s.Status > StatusStopped, s.Status == 0 && s.checkUncreated() != nil:
		return refuse("state.status", ErrStateConflict)
	case s.Repeat > math.MaxInt64:
		return refuse("state.repeat", errRepeatEnd)
	case s.Manual > math.MaxInt64:
		return refuse("state.manual", errRepeatEnd)
	case afterEnd(s.RanThrough):
		return refuse("state.ran_through", errDate)
	case afterEnd(s.Anchor):
		return refuse("state.anchor", errDate)
	case afterEnd(s.Last):
		return refuse("state.last", errDate)
	case afterEnd(s.Stop.Date):
		return refuse("state.stop", errDate)
	case slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return !d.IsDay() }):
		return refuse("state.paid", ErrStateConflict)
	case slices.ContainsFunc(s.Missed, func(w calendar.Window) bool { return !w.From.IsDay() || w.IsEmpty() || afterEnd(w.To) }):
		return refuse("state.missed", ErrStateConflict)
	case s.Stop.IsZero() && s.Stop != Stop{}, s.Stop.Reasons&^allReasons != 0:
		return refuse("state.stop", ErrStateConflict)
	case s.bound:
		return s.policy.check()
	}
	return nil
}

func stateToJSON(s *State) stateJSON {
	var out stateJSON
	if s.bound {
		out.Policy = &policyJSON{s.policy}
	}
	out.Status = &s.Status
	if s.Status == 0 {
		return out
	}
	out.Repeat = &s.Repeat
	out.RanThrough, out.Anchor, out.Last, out.Manual = s.RanThrough, s.Anchor, s.Last, s.Manual
	out.Paid, out.Stop, out.Because = s.Paid, stopJSON(s.Stop), s.Because
	for _, w := range s.Missed {
		out.Missed = append(out.Missed, daySpan{w.From, w.Last()})
	}
	return out
}

// state returns the state.
func (in *stateJSON) state() (State, error) {
	s := State{
		Status: StatusActive, RanThrough: in.RanThrough, Anchor: in.Anchor, Last: in.Last, Manual: in.Manual,
		Paid: in.Paid, Stop: Stop(in.Stop), Because: in.Because,
	}
	if in.Repeat != nil {
		s.Repeat = *in.Repeat
	}
	if in.Status != nil {
		s.Status = *in.Status
	}
	if in.Policy != nil {
		s.policy, s.bound = in.Policy.Policy, true
	}
	if s.Status == 0 && (in.Repeat != nil || len(in.Missed) > 0 || s.checkUncreated() != nil) {
		return State{}, jsonline.In(stateFault("a profile that is not created has a policy at most", "leave the other fields out"), "status")
	}
	for _, w := range in.Missed {
		s.Missed = append(s.Missed, calendar.Through(w.From, w.Through))
	}
	return s, nil
}

// stateFault returns the error of a value that contradicts itself, which begins in the first
// column.
func stateFault(message, help string) error {
	return jsonline.Fault(ErrStateConflict, 1, message, help)
}

// MarshalJSON returns {"from":…,"through":…}.
func (w daySpan) MarshalJSON() ([]byte, error) { return spanForm.Append(nil, new(spanFields(w))), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (w *daySpan) UnmarshalJSON(data []byte) error {
	var in spanFields
	if err := spanForm.Read(data, &in); err != nil {
		return err
	}
	if in.From.IsZero() || in.Through.Before(in.From) {
		return stateFault("the span is incomplete or ends before it begins", "write from and through, in order")
	}
	*w = daySpan(in)
	return nil
}

// MarshalJSON returns {"date":…,"reasons":[…]}, with the clauses behind it.
func (s stopJSON) MarshalJSON() ([]byte, error) { return stopForm.Append(nil, new(Stop(s))), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *stopJSON) UnmarshalJSON(data []byte) error {
	var in Stop
	if err := jsonline.Read(stopForm, data, &in); err != nil {
		return err
	}
	if in.Date.IsZero() {
		return stateFault("the stop has no date", "write the date, or leave the stop out")
	}
	*s = stopJSON(in)
	return nil
}

// A schemaJSON is what every version of a Stored, or of a Book, has in common.
type schemaJSON struct {
	Schema string `json:"schema"`
}

var schemaForm = func() *strictjson.Form[schemaJSON] {
	f := strictjson.FormOf[schemaJSON]()
	f.Lenient = true
	return f
}()

// checkSchema returns an error if an object does not have this schema.
func checkSchema(data []byte, schema string) error {
	var in schemaJSON
	if schemaForm.Read(data, &in) != nil || in.Schema == schema {
		return nil
	}
	code := errSchemaMissing
	name, _, _ := strings.Cut(schema, "/")
	if version, ok := strings.CutPrefix(in.Schema, name+"/"); ok {
		if n, err := strconv.ParseUint(version, 10, 32); n > 1 && !errors.Is(err, strconv.ErrSyntax) {
			code = errSchemaLater
		}
	}
	f := table.Finding(code, "", "")
	f.Place.Col = 1
	return jsonline.In(f, "schema")
}

// AppendStateLine appends the line of a state file for a profile and its state, without a line end,
// as [ParseStateLine] reads it: the state without its policy. A profile that is not created yet has
// no line: dst is returned as it is. Errors are those of [Stored.MarshalJSON].
func AppendStateLine(dst []byte, profile string, s State) ([]byte, error) {
	if err := s.checkEncodable(); err != nil {
		return dst, err
	}
	if err := checkText(profile, "client-orderid"); err != nil {
		return dst, err
	}
	if s.Status == 0 {
		return dst, nil
	}
	s = s.withoutPolicy()
	return lineForm.Append(dst, &stateLine{Schema: 1, Profile: &profile, stateJSON: stateToJSON(&s)}), nil
}

// ParseStateLine reads one line of a state file, a JSON object such as
//
//	{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}
//
// Every member but profile is optional; status is active if it is left out. An unknown member or
// value, a policy, the status none, a member given twice and a schema of another version are a
// [ledger.Finding] with the column. Whether the state contradicts the as-of date is for
// [Engine.Check] to say.
func ParseStateLine(line []byte) (profile string, s State, err error) {
	var in stateLine
	if err := jsonline.Read(lineForm, line, &in); err != nil {
		return "", State{}, err
	}
	switch {
	case in.Policy != nil:
		return "", State{}, jsonline.In(jsonline.Fault(jsonline.CodeUnknown, 1, "a line of a state file has no policy", "leave it out"), "policy")
	case in.Status != nil && *in.Status == 0:
		return "", State{}, jsonline.In(jsonline.Fault("state-status", 1, "a profile that is not created has no line", "leave the line out"), "status")
	case in.Profile == nil:
		return "", State{}, jsonline.In(jsonline.Fault(jsonline.CodeType, 1, "the field is missing", "write the client-orderid of the profile"), "profile")
	}
	if s, err = in.state(); err != nil {
		return "", State{}, err
	}
	return *in.Profile, s, nil
}

// A policyJSON is the keys of a policy that differ from the defaults of version 1.
type policyJSON struct{ Policy }

// UnmarshalJSON reads as [Policy.UnmarshalJSON] does, with a finding for an [*Error].
func (p *policyJSON) UnmarshalJSON(data []byte) error {
	err := p.read(data, policyOfVersion1)
	if e, ok := errors.AsType[*Error](err); ok {
		f := table.Finding(e.Code, "", "use "+strings.ReplaceAll(e.Want, ",", ", "))
		if c, ok := keyClause(e.Field); ok {
			f.Message += " for " + c.Key()
		}
		f.Place.Col = 1
		return f
	}
	return err
}

// MarshalJSON returns an object such as {"month-end":"skip"}.
func (p policyJSON) MarshalJSON() ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return p.appendKeys(nil, &policyOfVersion1), nil
}

// MarshalJSON returns the limit as a number; null for none.
func (l Limit) MarshalJSON() ([]byte, error) {
	if !l.set {
		return []byte("null"), nil
	}
	return []byte(l.String()), nil
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
