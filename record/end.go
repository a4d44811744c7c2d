package record

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// An End is where a profile is after the last day of an output. Profile, File and Row of the
// Subject are written. What Stop.Because cites is among Because.
type End struct {
	Subject
	engine.End
}

// An endRecord is an End as it is written.
type endRecord struct {
	subjectJSON
	endJSON
	Because *because `json:"because,omitzero"`
}

// An endJSON is an end without its profile.
type endJSON struct {
	Status  engine.Status `json:"status" strict:"required"`
	Repeat  uint64        `json:"repeat" strict:"required,count"`
	Stop    *stopJSON     `json:"stop" strict:"required"`
	LastDay bool          `json:"calendar_end,omitzero"`
}

type stopJSON struct {
	Date    calendar.Date  `json:"date" strict:"required"`
	Reasons engine.Reasons `json:"reasons" strict:"required"`
}

var endForm = formOf[endRecord]()

func endToJSON(e *engine.End) endJSON {
	out := endJSON{Status: e.Status, Repeat: e.Repeat, LastDay: e.LastDay}
	if !e.Stop.IsZero() {
		out.Stop = &stopJSON{e.Stop.Date, e.Stop.Reasons}
	}
	return out
}

func (in *endJSON) end() engine.End {
	e := engine.End{Status: in.Status, Repeat: in.Repeat, LastDay: in.LastDay}
	if in.Stop != nil {
		e.Stop.Date, e.Stop.Reasons = in.Stop.Date, in.Stop.Reasons
	}
	return e
}

// end appends an end record.
func (e *encoder) end(dst []byte, end *engine.End) []byte {
	out := endRecord{subjectJSON: subjectToJSON(&e.of), endJSON: endToJSON(end)}
	return e.withWhy(appendRecord(dst, "end", endForm, &out), end.Because)
}

func readEnd(line []byte) (Record, error) {
	in, err := read(endForm, line)
	n := End{in.subject(), in.end()}
	n.Because = in.Because.set()
	return n, err
}

// AppendJSON appends the record, as [Record] says.
func (n End) AppendJSON(dst []byte) []byte {
	return appendUnder(dst, n, wordsOf(n.Because), Readings{})
}

// MarshalJSON returns what AppendJSON appends.
func (n End) MarshalJSON() ([]byte, error) { return marshal(n) }

// An Event is what became of an event of a simulation. It always says why. Of the Subject the
// profile and the file are written.
type Event struct {
	Subject
	Date    calendar.Date
	Do      engine.EventKind
	Result  engine.Result
	Code    ledger.Code // the rule that a refused event or its result would break; empty if the status decides
	Because ledger.Because
}

// EventOf returns the record of an effect of kind [engine.EffectEvent].
func EventOf(s Subject, e *engine.Effect) Event {
	v := Event{Subject: s, Date: e.Date, Do: e.Event, Result: e.Result, Because: e.Because}
	if e.Refusal != nil {
		v.Code = e.Refusal.Code
	}
	return v
}

// An eventJSON is an event as it is written.
type eventJSON struct {
	Profile string        `json:"profile" strict:"required"`
	File    string        `json:"file,omitzero"`
	Date    calendar.Date `json:"date" strict:"required"`
	Do      scriptVerb    `json:"do" strict:"required"`
	Via     scriptVia     `json:"via,omitzero"` // of a resume through the API
	Result  engine.Result `json:"result" strict:"required"`
	Code    ledger.Code   `json:"code,omitzero"`
	Because *because      `json:"because,omitzero" strict:"required"`
}

var eventForm = formOf[eventJSON]()

// event appends an event record.
func (e *encoder) event(dst []byte, v *Event) []byte {
	out := eventJSON{Profile: v.Profile, File: v.File, Date: v.Date, Result: v.Result, Code: v.Code}
	if out.Do, out.Via = verbOf(v.Do); out.Via == viaUI {
		out.Via = 0
	}
	return e.withWhy(appendRecord(dst, "event", eventForm, &out), v.Because)
}

func readEvent(line []byte) (Record, error) {
	in, err := read(eventForm, line)
	return Event{Subject{Profile: in.Profile, File: in.File}, in.Date, eventKind(in.Do, in.Via), in.Result, in.Code, in.Because.set()}, err
}

// AppendJSON appends the record, as [Record] says.
func (v Event) AppendJSON(dst []byte) []byte {
	return appendUnder(dst, v, new(engine.Policy), Readings{})
}

// MarshalJSON returns what AppendJSON appends.
func (v Event) MarshalJSON() ([]byte, error) { return marshal(v) }
