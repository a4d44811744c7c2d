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

// What a program keeps is JSON: a Stored, its Profile, its State with the Stop, and the line of a state
// file, which is a State with the profile's name. Each is a struct with tags below, and every value
// that Engine.Check accepts is read back exactly.

// The schemas of what this package writes. The number grows when a member changes its meaning.
const (
	storedSchema = "chargecast.stored/1"
	stateSchema  = "chargecast.state/1"
)

// A storedJSON is a Stored as it is written.
type storedJSON struct {
	Schema  schemaOfStored `json:"schema,omitzero" strict:"code=json-unknown-field"`
	Profile profileJSON    `json:"profile"`
	Policy  *policyJSON    `json:"policy,omitzero"`
	State   *stateJSON     `json:"state"`
}

// A profileJSON has the columns of the document by their names, dates in ISO form. Columns without a
// value are left out.
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
	Status     storedStatus    `json:"status" strict:"code=state-status"`
	Repeat     uint64          `json:"repeat" strict:"code=state-repeat,count"`
	RanThrough calendar.Date   `json:"ran_through,omitzero"`
	Anchor     calendar.Date   `json:"anchor,omitzero"`
	Last       calendar.Date   `json:"last,omitzero"`
	Manual     uint64          `json:"manual,omitzero" strict:"count"`
	Paid       []calendar.Date `json:"paid,omitzero"`
	Missed     []daySpan       `json:"missed,omitzero"`
	Stop       Stop            `json:"stop,omitzero"`
	Because    ledger.Because  `json:"because,omitzero"`
}

// A stateLine is a line of a state file.
type stateLine struct {
	Schema  schemaOfState `json:"schema,omitzero" strict:"code=json-unknown-field"`
	Profile *string       `json:"profile"`
	stateJSON
}

// A keptState is a State by itself, which may say its schema.
type keptState struct {
	Schema schemaOfState `json:"schema,omitzero" strict:"code=json-unknown-field"`
	stateJSON
}

type stopJSON struct {
	Date    calendar.Date  `json:"date"`
	Reasons []reason       `json:"reasons" strict:"code=state-conflict"`
	Because ledger.Because `json:"because,omitzero"`
}

// A daySpan is a window with its last day.
type daySpan struct{ From, Through calendar.Date }

type spanJSON struct {
	From    calendar.Date `json:"from"`
	Through calendar.Date `json:"through"`
}

var (
	storedForm  = strictjson.FormOf[storedJSON]()
	profileForm = strictjson.FormOf[profileJSON]()
	stateForm   = strictjson.FormOf[keptState]()
	lineForm    = strictjson.FormOf[stateLine]()
	stopForm    = strictjson.FormOf[stopJSON]()
	spanForm    = strictjson.FormOf[spanJSON]()
)

// The words that only these forms have.
type (
	schemaOfStored uint8
	schemaOfState  uint8
	storedStatus   Status // a profile that is not created has no state to store
	reason         uint8
)

var (
	storedSchemas  = enum.Words{Type: "schema", Words: []string{"", storedSchema}}
	stateSchemas   = enum.Words{Type: "schema", Words: []string{"", stateSchema}}
	storedStatuses = enum.Words{Type: "Status", Words: []string{"", "active", "stopped"}}
	stopReasons    = enum.Words{Type: "reason", Words: append([]string{""}, reasonWords[:]...)}
)

func (s *schemaOfStored) UnmarshalText(text []byte) error {
	return storedSchemas.Unmarshal(text, (*uint8)(s))
}
func (s schemaOfStored) MarshalText() ([]byte, error) { return storedSchemas.Marshal(uint8(s)) }
func (s *schemaOfState) UnmarshalText(text []byte) error {
	return stateSchemas.Unmarshal(text, (*uint8)(s))
}
func (s schemaOfState) MarshalText() ([]byte, error) { return stateSchemas.Marshal(uint8(s)) }
func (s *storedStatus) UnmarshalText(text []byte) error {
	return storedStatuses.Unmarshal(text, (*uint8)(s))
}
func (s storedStatus) MarshalText() ([]byte, error) { return storedStatuses.Marshal(uint8(s)) }
func (r *reason) UnmarshalText(text []byte) error   { return stopReasons.Unmarshal(text, (*uint8)(r)) }
func (r reason) MarshalText() ([]byte, error)       { return stopReasons.Marshal(uint8(r)) }

// MarshalJSON returns {"schema":"chargecast.stored/1","profile":{…},"policy":{…},"state":{…}}. The
// policy is the keys that differ from the defaults, and is left out where it is not known; the state is
// null if the profile is not created yet. A value that the form cannot carry exactly is an [*Error] that
// names the field; everything that [Engine.Check] accepts can be carried.
func (s Stored) MarshalJSON() ([]byte, error) {
	if err := s.Profile.carried(); err != nil {
		return nil, err
	}
	if err := s.State.carried(); err != nil {
		return nil, err
	}
	out := storedJSON{Schema: 1, Profile: profileToJSON(&s.Profile)}
	if s.bound {
		out.Policy = &policyJSON{s.policy}
	}
	if s.State.Status != 0 {
		out.State = new(stateToJSON(&s.State))
	}
	return storedForm.Append(make([]byte, 0, 512), &out), nil
}

// UnmarshalJSON reads what [Stored.MarshalJSON] writes. An unknown member, one given twice, and a
// schema of another version are a [ledger.Finding]. On an error s is unchanged. Whether the value
// can be used is for [Engine.Check] to say.
func (s *Stored) UnmarshalJSON(data []byte) error {
	var in storedJSON
	if err := jsonline.Read(storedForm, data, &in); err != nil {
		return err
	}
	var read Stored
	var err error
	if read.Profile, err = in.Profile.profile(); err != nil {
		return err
	}
	if in.Policy != nil {
		read.policy, read.bound = in.Policy.Policy, true
	}
	if in.State != nil {
		read.State = in.State.state()
	}
	*s = read
	return nil
}

// MarshalJSON returns an object with the document's column names, dates in ISO form; columns
// without a value are left out. Errors are those of [Stored.MarshalJSON].
func (p Profile) MarshalJSON() ([]byte, error) {
	if err := p.carried(); err != nil {
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

// carried returns what the JSON form of p cannot carry exactly.
func (p *Profile) carried() *Error {
	if err := p.checkTexts(); err != nil {
		return err
	}
	if err := p.checkDates(); err != nil {
		return err
	}
	switch {
	case !kindWords.Has(uint8(p.Kind)):
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

// MarshalJSON returns an object with the members of a state line but "profile"; null for the zero
// State. Errors are those of [Stored.MarshalJSON].
func (s State) MarshalJSON() ([]byte, error) {
	if err := s.carried(); err != nil {
		return nil, err
	}
	if s.Status == 0 {
		return []byte("null"), nil
	}
	return stateForm.Append(nil, &keptState{stateJSON: stateToJSON(&s)}), nil
}

// UnmarshalJSON reads what [State.MarshalJSON] writes. Every member is optional; status is active
// if it is left out. On an error s is unchanged.
func (s *State) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*s = State{}
		return nil
	}
	var in keptState
	if err := jsonline.Read(stateForm, data, &in); err != nil {
		return err
	}
	*s = in.state()
	return nil
}

// carried returns what the JSON form of s cannot carry exactly.
func (s *State) carried() *Error {
	switch {
	case s.Status > StatusStopped, s.Status == 0 && !s.IsZero():
		return refuse("state.status", ErrStateConflict)
	case s.Repeat > math.MaxInt64:
		return refuse("state.repeat", errRepeatEnd)
	case pastCalendar(s.RanThrough):
		return refuse("state.ran_through", errDate)
	case pastCalendar(s.Anchor):
		return refuse("state.anchor", errDate)
	case pastCalendar(s.Last):
		return refuse("state.last", errDate)
	case pastCalendar(s.Stop.Date):
		return refuse("state.stop", errDate)
	case slices.ContainsFunc(s.Paid, func(d calendar.Date) bool { return !d.IsDay() }):
		return refuse("state.paid", ErrStateConflict)
	case slices.ContainsFunc(s.Missed, func(w calendar.Window) bool { return w.From.IsZero() || w.IsEmpty() }):
		return refuse("state.missed", ErrStateConflict)
	case s.Stop.IsZero() && s.Stop != Stop{}, s.Stop.Reasons&^allReasons != 0:
		return refuse("state.stop", ErrStateConflict)
	}
	return nil
}

func stateToJSON(s *State) stateJSON {
	out := stateJSON{
		Status: storedStatus(s.Status), Repeat: s.Repeat, RanThrough: s.RanThrough, Anchor: s.Anchor, Last: s.Last, Manual: s.Manual,
		Paid: s.Paid, Stop: s.Stop, Because: s.Because,
	}
	for _, w := range s.Missed {
		out.Missed = append(out.Missed, daySpan{w.From, w.Last()})
	}
	return out
}

func (in *stateJSON) state() State {
	s := State{
		Status: Status(in.Status), Repeat: in.Repeat, RanThrough: in.RanThrough, Anchor: in.Anchor, Last: in.Last, Manual: in.Manual,
		Paid: in.Paid, Stop: in.Stop, Because: in.Because,
	}
	if s.Status == 0 {
		s.Status = StatusActive
	}
	for _, w := range in.Missed {
		s.Missed = append(s.Missed, calendar.Through(w.From, w.Through))
	}
	return s
}

// MarshalJSON returns {"from":…,"through":…}.
func (w daySpan) MarshalJSON() ([]byte, error) { return spanForm.Append(nil, new(spanJSON(w))), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (w *daySpan) UnmarshalJSON(data []byte) error {
	var in spanJSON
	if err := spanForm.Read(data, &in); err != nil {
		return err
	}
	if in.From.IsZero() || in.Through.Before(in.From) {
		return jsonline.Fault(ErrStateConflict, 1, "the span is incomplete or ends before it begins", "write from and through, in order")
	}
	*w = daySpan(in)
	return nil
}

// MarshalJSON returns {"date":…,"reasons":[…]}, with the clauses behind it; null for the zero Stop.
func (s Stop) MarshalJSON() ([]byte, error) {
	switch {
	case s == Stop{}:
		return []byte("null"), nil
	case !s.Date.IsDay() || s.Reasons&^allReasons != 0:
		return nil, refuse("stop", ErrStateConflict)
	}
	out := stopJSON{Date: s.Date, Because: s.Because}
	for i := range reasonWords {
		if s.Reasons>>i&1 == 1 {
			out.Reasons = append(out.Reasons, reason(i+1))
		}
	}
	return stopForm.Append(nil, &out), nil
}

// UnmarshalJSON reads what [Stop.MarshalJSON] writes. On an error s is unchanged.
func (s *Stop) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*s = Stop{}
		return nil
	}
	var in stopJSON
	if err := jsonline.Read(stopForm, data, &in); err != nil {
		return err
	}
	if in.Date.IsZero() {
		return jsonline.Fault(ErrStateConflict, 1, "the stop has no date", "write the date, or leave the stop out")
	}
	read := Stop{Date: in.Date, Because: in.Because}
	for _, r := range in.Reasons {
		read.Reasons |= 1 << (r - 1)
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
	return lineForm.Append(dst, &stateLine{Schema: 1, Profile: &profile, stateJSON: stateToJSON(&s)}), nil
}

// ParseStateLine reads one line of a state file, a JSON object such as
//
//	{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}
//
// Every member but profile is optional; status is active if it is left out. Errors are a
// [ledger.Finding] with the column: an unknown member or value, a member given twice, a schema of
// another version. Whether the state contradicts the as-of date is for [Engine.Check] to say.
func ParseStateLine(line []byte) (profile string, s State, err error) {
	var in stateLine
	if err := jsonline.Read(lineForm, line, &in); err != nil {
		return "", State{}, err
	}
	if in.Profile == nil {
		return "", State{}, jsonline.In(jsonline.Fault(jsonline.CodeType, 1, "the field is missing", "write the client-orderid of the profile"), "profile")
	}
	return *in.Profile, in.state(), nil
}

// A policyJSON is the keys of a policy that differ from the defaults.
type policyJSON struct{ Policy }

// UnmarshalJSON reads as [Policy.UnmarshalJSON] does, with a finding for a [*PolicyError].
func (p *policyJSON) UnmarshalJSON(data []byte) error {
	err := p.Policy.UnmarshalJSON(data)
	if e, ok := errors.AsType[*PolicyError](err); ok {
		f := table.Finding(e.Code, "", "use "+strings.Join(e.Choices, ", "))
		if e.Key != "" {
			f.Message += " for " + e.Key
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
	return p.appendKeys(nil, func(c ledger.Clause) bool { return *p.field(c) != 0 }), nil
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
