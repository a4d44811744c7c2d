package engine

import (
	"errors"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// An EventKind is what an [Event] does. The zero value is none.
type EventKind uint8

// The events (clause 3 and the ledger). The first four are for [Engine.Handle] and
// scripts.
const (
	EventStop   EventKind = iota + 1 // a stop through the update operation (L23)
	EventUpdate                      // columns are changed through the update operation
	EventResume                      // a resume in the web UI, the only one that there is
	EventCharge                      // a manual charge

	// These are for the steps of a [Simulation] alone.
	EventRun         // an extra charging run
	EventNoRun       // the day passes without its run (L16b)
	EventResumeByAPI // a resume through the API, which is always refused (clause 3)
)

var eventKindWords = enum.Words{Type: "EventKind", Words: []string{"", "stop", "update", "resume", "charge", "run", "no-run", "resume-by-api"}}

// String returns a word such as "stop", "no-run" or "resume-by-api"; it is empty for none.
func (k EventKind) String() string { return eventKindWords.String(uint8(k)) }

// MarshalText returns the word, so that an Event that a program keeps in a queue reads the same for
// ever; a value that is not an EventKind is an error.
func (k EventKind) MarshalText() ([]byte, error) { return eventKindWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes.
func (k *EventKind) UnmarshalText(text []byte) error {
	return eventKindWords.Unmarshal(text, (*uint8)(k))
}

// isEvent reports whether k is one of the constants.
func (k EventKind) isEvent() bool { return k != 0 && eventKindWords.Has(uint8(k)) }

// An Outcome is how an attempt to charge ended. It affects nothing else (2.2.7). The zero value is
// OutcomeUnknown.
type Outcome uint8

// The outcomes. A charge has OutcomeUnknown until somebody asked the bank; only a [Simulation]
// gives another one.
const (
	OutcomeUnknown Outcome = iota
	OutcomeApproved
	OutcomeDeclined
)

var outcomeWords = enum.Words{Type: "Outcome", Words: []string{"unknown", "approved", "declined"}}

// String returns "unknown", "approved" or "declined".
func (o Outcome) String() string { return outcomeWords.String(uint8(o)) }

// MarshalText returns the word; a value that is not an Outcome is an error.
func (o Outcome) MarshalText() ([]byte, error) { return outcomeWords.Marshal(uint8(o)) }

// UnmarshalText reads what MarshalText writes.
func (o *Outcome) UnmarshalText(text []byte) error { return outcomeWords.Unmarshal(text, (*uint8)(o)) }

// An Event happens to one profile on one day.
type Event struct {
	Date   calendar.Date
	Kind   EventKind
	Update Update // of EventUpdate
}

// A Change is a new value for a column, no value any more, or no change. The zero value is no
// change.
type Change[T any] struct {
	Given   bool
	Removed bool // of a change that is given: the column loses its value, and Value is not used
	Value   T
}

// To returns the change to v. The change to a zero date, unit, interval or limit, or to an empty
// sequence, removes the value, as [Remove] does; that to a zero amount sets it.
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
// result breaks 2.1 or 2.2 is refused and changes nothing: so is an Amount for a profile that has a
// range, which stays. [SetAmounts] removes it.
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

// SetAmounts returns the update that gives the amount in the way of c and removes the other ways,
// of which a profile has exactly one (2.2.5). The zero Choice removes all of them, which is
// refused.
func SetAmounts(c amount.Choice) Update {
	u := Update{
		Amount: Remove[amount.Amount](), AmountFrom: Remove[amount.Amount](), AmountTo: Remove[amount.Amount](),
		Sequence: Remove[[]amount.Amount](),
	}
	columns := columnsOf(c)
	switch {
	case columns.fixed != nil:
		u.Amount = To(*columns.fixed)
	case columns.from != nil:
		u.AmountFrom, u.AmountTo = To(*columns.from), To(*columns.to)
	case len(columns.sequence) > 0:
		u.Sequence = To(columns.sequence)
	}
	return u
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
	EffectCharge                       // a charge is due, or was made by hand: Charge
	EffectStop                         // the profile was stopped: Stop
)

var effectWords = enum.Words{Type: "EffectKind", Words: []string{"", "event", "charge", "stop"}}

// String returns "event", "charge" or "stop"; it is empty for none.
func (k EffectKind) String() string { return effectWords.String(uint8(k)) }

// An Effect is one thing that an event or a run caused, in the order in which it happened.
type Effect struct {
	Kind    EffectKind
	Date    calendar.Date
	Because ledger.Because // what the effect depends on

	Event   EventKind // of EffectEvent
	Result  Result    // of EffectEvent
	Refusal *Error    // of EffectEvent, if the event was refused

	Charge Charge // of EffectCharge

	Stop Stop // of EffectStop
}

var errEffect = errors.New("engine: an Effect has no JSON form: use package record, with record.Charge and record.Event")

// MarshalJSON returns an error: package record has the JSON forms of charges, stops and events.
func (e Effect) MarshalJSON() ([]byte, error) { return nil, errEffect }
