package engine

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Stored is a profile as the gateway keeps it: its columns and its state. The zero
// State means that it is not created yet (clause 1).
type Stored struct {
	Profile Profile
	State   State
}

// A Result is what became of an event. The zero value is none.
type Result uint8

// The results: ignored and refused events change nothing.
const (
	Accepted Result = iota + 1
	Ignored
	Refused
)

// String is the word that outputs use; empty for none.
func (r Result) String() string {
	return [...]string{"", "accepted", "ignored", "refused"}[min(r, 4)%4]
}

// An EffectKind tells which fields of an [Effect] hold.
type EffectKind uint8

// The effects.
const (
	Handled EffectKind = iota + 1 // an event was accepted, ignored or refused: Event, Result, Err
	Made                          // a charge was attempted: Charge
	Halted                        // the profile was stopped: Stop
)

// An Effect is one thing that an event or a run brought about, in the order in which it
// happened. It is a plain value.
type Effect struct {
	Kind    EffectKind
	Date    calendar.Date
	Because ledger.Because // what the effect rests on

	Event  Verb   // Handled
	Result Result // Handled
	Err    error  // Handled, when refused: a [*Refusal]

	Charge Charge // Made; Min equals Max where a random amount was drawn

	Stop Stop // Halted
}

// A Refusal is why an event was refused: its state forbids it, or the Fault that its
// result would have. It shows no value of the event.
type Refusal struct {
	Do      Verb
	Status  Status // the status that the event met
	Fault   Fault  // what its result would break; zero when the status decides
	Because ledger.Because
}

// Error names event, status and rule.
func (r *Refusal) Error() string {
	s := r.Do.String()
	if s == "" {
		s = "event"
	}
	s += " refused while " + r.Status.String()
	if r.Fault != 0 {
		return s + ": " + r.Fault.Error()
	}
	for c := range r.Because.All() {
		if c != ledger.X14 {
			return s + ": " + c.Entry().Readings[0].Text + " (" + c.String() + ")"
		}
	}
	return s
}

// Unwrap is the Fault, so that errors.Is finds it; nil when the status decides.
func (r *Refusal) Unwrap() error {
	if r.Fault == 0 {
		return nil
	}
	return r.Fault
}
