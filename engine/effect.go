package engine

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

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
	EventHandled    EffectKind = iota + 1 // an event was accepted, ignored or refused: Event, Result, Refusal
	ChargeAttempted                       // a charge was attempted: Charge
	ProfileStopped                        // the profile was stopped: Stop
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

	Event   Verb     // of EventHandled
	Result  Result   // of EventHandled
	Refusal *Refusal // of EventHandled, if the event was refused

	Charge Charge // of ChargeAttempted; Min equals Max if a random amount was drawn

	Stop Stop // of ProfileStopped
}

// A Refusal says why an event was refused: the status of the profile forbids it, or the result
// would break a rule. It is the error of [Apply] and shows no value of the event.
type Refusal struct {
	Do     Verb
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
