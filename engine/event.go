package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A EventKind is what an [Event] does. The zero value is none.
type EventKind uint8

// The events of a profile's life (clause 3 and the ledger).
const (
	EventCreate EventKind = iota + 1 // the profile is created; that day's run follows
	EventRun                         // one charging run
	EventNoRun                       // the day passes without its run (L16b)
	EventCharge                      // a manual charge
	EventStop                        // a stop through the update operation (L23)
	EventUpdate                      // columns are changed through the update operation
	EventResume                      // a resume, through the web UI or the API
)

var eventKindWords = enum.Words{Type: "EventKind", Words: []string{"", "create", "run", "no-run", "charge", "stop", "update", "resume"}}

// String returns the word that scripts and outputs use; it is empty for none.
func (v EventKind) String() string { return eventKindWords.String(uint8(v)) }

// MarshalText returns the word; a value that is not an EventKind is an error.
func (v EventKind) MarshalText() ([]byte, error) { return eventKindWords.Marshal(uint8(v)) }

// UnmarshalText reads what MarshalText writes.
func (v *EventKind) UnmarshalText(text []byte) error {
	return eventKindWords.Unmarshal(text, (*uint8)(v))
}

// An Outcome is how an attempt to charge ended. It affects nothing else (2.2.7). The zero value is
// OutcomeApproved.
type Outcome uint8

// The outcomes.
const (
	OutcomeApproved Outcome = iota
	OutcomeDeclined
)

var outcomeWords = enum.Words{Type: "Outcome", Words: []string{"approved", "declined"}}

// String returns the word that scripts and outputs use.
func (o Outcome) String() string { return outcomeWords.String(uint8(o)) }

// MarshalText returns the word; a value that is not an Outcome is an error.
func (o Outcome) MarshalText() ([]byte, error) { return outcomeWords.Marshal(uint8(o)) }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error { return outcomeWords.Unmarshal(text, (*uint8)(o)) }

// A Channel is where a resume comes from. The zero value is none, which is refused.
type Channel uint8

// The channels of clause 3: only the web UI resumes a profile.
const (
	ChannelUI Channel = iota + 1
	ChannelAPI
)

var channelWords = enum.Words{Type: "Channel", Words: []string{"", "ui", "api"}}

// String returns the word that scripts use; it is empty for none.
func (c Channel) String() string { return channelWords.String(uint8(c)) }

// MarshalText returns the word; a value that is not a Channel is an error.
func (c Channel) MarshalText() ([]byte, error) { return channelWords.Marshal(uint8(c)) }

// UnmarshalText reads what MarshalText writes.
func (c *Channel) UnmarshalText(text []byte) error { return channelWords.Unmarshal(text, (*uint8)(c)) }

// An Event happens to one profile on one day.
type Event struct {
	Date   calendar.Date
	Kind   EventKind
	Via    Channel // of a resume
	Update Update  // of an update
	// Outcome is how the attempts of a run or of a manual charge end, but for those that Outcomes names
	// by their repeat number: a run that catches up makes several.
	Outcome  Outcome
	Outcomes map[uint64]Outcome
}

// outcome returns how the attempt with a repeat number ends.
func (e *Event) outcome(repeat uint64) Outcome {
	if o, ok := e.Outcomes[repeat]; ok {
		return o
	}
	return e.Outcome
}

// A Change is a new value for a column, no value any more, or no change. The zero value is no change.
type Change[T any] struct {
	Given   bool
	Removed bool // of a change that is given: the column loses its value, and Value is not used
	Value   T
}

// To returns the change to v. A zero amount is a value, and not one that is removed; a zero date, unit,
// interval or limit and an empty sequence are none.
func To[T any](v T) Change[T] { return Change[T]{Given: true, Value: v} }

// Remove returns the change to no value.
func Remove[T any]() Change[T] { return Change[T]{Given: true, Removed: true} }

func (c Change[T]) over(old T) T {
	switch {
	case !c.Given:
		return old
	case c.Removed:
		return *new(T)
	}
	return c.Value
}

// An Update changes columns of a stored profile; columns without a change stay. An update whose
// result breaks 2.1 or 2.2 is refused and changes nothing.
type Update struct {
	Start, Finish                Change[calendar.Date]
	MaxRepeats                   Change[Limit]
	Unit                         Change[calendar.Unit]
	Interval                     Change[int]
	Amount, AmountFrom, AmountTo Change[amount.Amount]
	Sequence                     Change[[]amount.Amount]
	// Unreadable are the findings about values that could not be read into the other fields. If
	// there is one, the update is refused whatever else it holds.
	Unreadable ledger.Findings
}

// A Result is what became of an event. The zero value is none.
type Result uint8

// The results. Ignored and refused events change nothing.
const (
	ResultAccepted Result = iota + 1
	ResultIgnored
	ResultRefused
)

var resultWords = enum.Words{Type: "Result", Words: []string{"", "accepted", "ignored", "refused"}}

// String returns the word that outputs use; it is empty for none.
func (r Result) String() string { return resultWords.String(uint8(r)) }

// MarshalText returns the word; a value that is not a Result is an error.
func (r Result) MarshalText() ([]byte, error) { return resultWords.Marshal(uint8(r)) }

// UnmarshalText reads what MarshalText writes.
func (r *Result) UnmarshalText(text []byte) error { return resultWords.Unmarshal(text, (*uint8)(r)) }

// An EffectKind says which fields of an [Effect] are set. The zero value is none.
type EffectKind uint8

// The kinds of effects.
const (
	EffectEvent  EffectKind = iota + 1 // an event was accepted, ignored or refused: Event, Result, Refusal
	EffectCharge                       // a charge was attempted: Charge
	EffectStop                         // the profile was stopped: Stop
)

var effectWords = enum.Words{Type: "EffectKind", Words: []string{"", "event", "charge", "stop"}}

// String returns "event", "charge" or "stop"; it is empty for none.
func (k EffectKind) String() string { return effectWords.String(uint8(k)) }

// MarshalText returns the word; a value that is not an EffectKind is an error.
func (k EffectKind) MarshalText() ([]byte, error) { return effectWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes.
func (k *EffectKind) UnmarshalText(text []byte) error {
	return effectWords.Unmarshal(text, (*uint8)(k))
}

// An Effect is one thing that an event or a run caused, in the order in which it happened.
type Effect struct {
	Kind    EffectKind
	Date    calendar.Date
	Because ledger.Because // what the effect rests on

	Event   EventKind // of EffectEvent
	Result  Result    // of EffectEvent
	Refusal *Refusal  // of EffectEvent, if the event was refused

	Charge Charge // of EffectCharge; Min equals Max if a random amount was drawn

	Stop Stop // of EffectStop
}

// A Refusal says why an event was refused: the status of the profile forbids it, or the result
// would break a rule. It is the error of [Engine.Apply] and shows no value of the event.
type Refusal struct {
	Do     EventKind
	Status Status // the status before the event
	// Field and Code are the rule that the event or its result breaks, or that of the first value of an
	// update that could not be read; empty if the status decides.
	Field   string
	Code    ledger.Code
	Text    string // why, in words
	Because ledger.Because
}

// Error names event, status and rule.
func (r *Refusal) Error() string {
	event := r.Do.String()
	if event == "" {
		event = "event"
	}
	return event + " refused while " + r.Status.String() + ": " + r.Text
}

// Unwrap returns the broken rule as an [*Error], so that errors.Is finds its Code; nil if the status
// decides.
func (r *Refusal) Unwrap() error {
	if r.Code == "" {
		return nil
	}
	return &Error{Field: r.Field, Code: r.Code}
}
