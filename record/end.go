package record

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// An End is where a profile is after the last day of an output. Profile, File and Row of the Subject
// are written. What Stop.Because cites is among Because.
type End struct {
	Subject
	engine.End
	Explain  *engine.Policy // with Because in the words of this policy's readings; nil: without
	Observed Readings       // those of Explain that charges have shown
}

// end appends an end record.
func (e *encoder) end(dst []byte, end *engine.End) []byte {
	dst = e.of.append(append(dst, `{"type":"end"`...))
	dst = appendEnd(append(dst, ','), end)
	return append(e.why(dst, end.Because), '}')
}

// appendEnd appends status, repeat number and stop.
func appendEnd(dst []byte, e *engine.End) []byte {
	dst = append(append(dst, `"status":"`...), e.Status.String()...)
	dst = strconv.AppendUint(append(dst, `","repeat":`...), e.Repeat, 10)
	dst = append(dst, `,"stop":`...)
	if e.Stop.IsZero() {
		dst = append(dst, "null"...)
	} else {
		dst = e.Stop.Date.Append(append(dst, `{"date":"`...))
		dst = append(dst, `","reasons":[`...)
		for reason := range e.Stop.Reasons.All() {
			dst = append(append(append(dst, '"'), reason...), `",`...)
		}
		if e.Stop.Reasons != 0 {
			dst = dst[:len(dst)-1]
		}
		dst = append(dst, "]}"...)
	}
	if e.LastDay {
		dst = append(dst, `,"calendar_end":true`...)
	}
	return dst
}

// AppendJSON appends the record, as [Record] says.
func (n End) AppendJSON(dst []byte) []byte {
	e := encoder{of: n.Subject, explain: n.Explain, observed: n.Observed}
	return e.end(dst, &n.End)
}

// An endJSON is an end without its profile, as it is read.
type endJSON struct {
	Status  engine.Status `json:"status" strict:"required"`
	Repeat  uint64        `json:"repeat" strict:"required,count"`
	Stop    *stopJSON     `json:"stop" strict:"required"`
	LastDay bool          `json:"calendar_end,omitzero"`
}

type stopJSON struct {
	Date    calendar.Date `json:"date" strict:"required"`
	Reasons []stopReason  `json:"reasons" strict:"required"`
}

// A stopReason is one of the reasons.
type stopReason engine.Reasons

var stopReasons = []engine.Reasons{engine.ReasonMaxRepeats, engine.ReasonFinishDate, engine.ReasonAPI}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *stopReason) UnmarshalText(text []byte) error {
	for _, one := range stopReasons {
		if one.String() == string(text) {
			*r = stopReason(one)
			return nil
		}
	}
	return &enum.Unknown{Possible: slices.Collect((engine.ReasonMaxRepeats | engine.ReasonFinishDate | engine.ReasonAPI).All())}
}

var endForm = formOf[struct {
	subjectJSON
	endJSON
	Because *[]reason `json:"because,omitzero"`
}]()

func readEnd(text []byte, h *Header) (Record, error) {
	in, err := read(endForm, text)
	n := End{Subject: Subject{Profile: in.Profile, File: in.File, Row: in.Row}, End: in.end()}
	n.Because, n.Explain, n.Observed = reasonsUnder(in.Because, h)
	return n, err
}

func (in *endJSON) end() engine.End {
	e := engine.End{Status: in.Status, Repeat: in.Repeat, LastDay: in.LastDay}
	if in.Stop != nil {
		e.Stop.Date = in.Stop.Date
		for _, r := range in.Stop.Reasons {
			e.Stop.Reasons |= engine.Reasons(r)
		}
	}
	return e
}

// MarshalJSON returns what AppendJSON appends.
func (n End) MarshalJSON() ([]byte, error) { return marshal(n) }

// UnmarshalJSON reads what MarshalJSON writes.
func (n *End) UnmarshalJSON(data []byte) error { return unmarshal(data, n) }

// An Event is what became of an event of a simulation. It always says why. Of the Subject the profile
// and the file are written.
type Event struct {
	Subject
	Date     calendar.Date
	Do       engine.EventKind
	Result   engine.Result
	Code     ledger.Code // the rule that a refused event or its result would break; empty if the status decides
	Because  ledger.Because
	Explain  *engine.Policy // the readings whose words Because is written in; nil for the default ones
	Observed Readings       // those of Explain that charges have shown
}

// EventOf returns the record of an effect of kind [engine.EffectEvent].
func EventOf(s Subject, e *engine.Effect, explain *engine.Policy, observed Readings) Event {
	v := Event{Subject: s, Date: e.Date, Do: e.Event, Result: e.Result, Because: e.Because, Explain: explain, Observed: observed}
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
	Because *[]reason     `json:"because,omitzero" strict:"required"`
}

var eventForm = formOf[eventJSON]()

// AppendJSON appends the record, as [Record] says.
func (v Event) AppendJSON(dst []byte) []byte {
	out := eventJSON{Profile: v.Profile, File: v.File, Date: v.Date, Result: v.Result, Code: v.Code}
	if out.Do, out.Via = verbOf(v.Do); out.Via == viaUI {
		out.Via = 0
	}
	if v.Explain == nil {
		v.Explain = new(engine.Policy)
	}
	return withReasons(appendRecord(dst, "event", eventForm, &out), v.Because, v.Explain, v.Observed)
}

func readEvent(text []byte, h *Header) (Record, error) {
	in, err := read(eventForm, text)
	v := Event{Subject: Subject{Profile: in.Profile, File: in.File}, Date: in.Date, Do: eventKind(in.Do, in.Via), Result: in.Result, Code: in.Code}
	v.Because, v.Explain, v.Observed = reasonsUnder(in.Because, h)
	return v, err
}

// MarshalJSON returns what AppendJSON appends.
func (v Event) MarshalJSON() ([]byte, error) { return marshal(v) }

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Event) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }
