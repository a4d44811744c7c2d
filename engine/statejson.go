package engine

import (
	"math"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/jsontext"
)

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
		return &Error{"state.status", ErrStateConflict}
	case s.Repeat > math.MaxInt64:
		return &Error{"state.repeat", ErrRepeatEnd}
	case slices.ContainsFunc(s.Paid, calendar.Date.IsZero):
		return &Error{"state.paid", ErrStateConflict}
	case slices.ContainsFunc(s.Missed, func(w calendar.Window) bool { return w.From.IsZero() || w.IsEmpty() }):
		return &Error{"state.missed", ErrStateConflict}
	case s.Stop.IsZero() && s.Stop != Stop{}, s.Stop.Reasons&^allReasons != 0:
		return &Error{"state.stop", ErrStateConflict}
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
		return jsonline.Count(v, &s.Repeat, ErrRepeatEnd)
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
		err = jsonline.Fault(ErrStateConflict, v.At+1, "the span is incomplete or ends before it begins", "write from and through, in order")
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
		err = jsonline.Fault(ErrStateConflict, v.At+1, "the stop has no date", "write the date, or leave the stop out")
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
		return jsonline.Fault(ErrStateConflict, v.At+1, "no such reason", "use max-repeats, finish-date, stopped-by-api")
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
		return nil, &Error{"stop", ErrStateConflict}
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
