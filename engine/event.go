package engine

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Verb is what an [Event] does. The zero value is none.
type Verb uint8

// The events of a profile's life (clause 3 and the ledger's table of states).
const (
	DoCreate Verb = iota + 1 // the profile is created; that day's run follows
	DoRun                    // one charging run
	DoNoRun                  // the day passes without its run (L16b)
	DoCharge                 // a manual charge
	DoStop                   // a stop through the update operation (L23)
	DoUpdate                 // columns are changed through the update operation
	DoResume                 // a resume, through the web UI or the API
)

// String is the word that scripts and outputs use; empty for none.
func (v Verb) String() string {
	return [...]string{"", "create", "run", "no-run", "charge", "stop", "update", "resume"}[min(v, 8)%8]
}

// An Outcome is how an attempt to charge ended. It changes nothing else (2.2.7).
// The zero value is Approved.
type Outcome uint8

// The outcomes.
const (
	Approved Outcome = iota
	Declined
)

// String is the word that scripts and outputs use.
func (o Outcome) String() string { return [...]string{"approved", "declined"}[o&1] }

// A Door is where a resume comes from. The zero value is none, which is refused.
type Door uint8

// The doors of clause 3: only the web UI resumes.
const (
	ViaUI Door = iota + 1
	ViaAPI
)

// String is the word that scripts use; empty for none.
func (d Door) String() string { return [...]string{"", "ui", "api"}[min(d, 3)%3] }

// An Event happens to one profile on one day.
type Event struct {
	Date calendar.Date
	Do   Verb
	Via  Door   // of a resume
	Set  Update // of an update
	// Outcome is how the attempt ended, for a run's charges and a manual charge.
	Outcome Outcome
}

// A Change is a new value for a column, or none. Given with the zero value removes
// the column's value.
type Change[T any] struct {
	Given bool
	Value T
}

// To is the change to v.
func To[T any](v T) Change[T] { return Change[T]{true, v} }

func (c Change[T]) over(old T) T {
	if c.Given {
		return c.Value
	}
	return old
}

// An Update changes columns of a stored profile; what is not given stays. A result
// that breaks 2.1 or 2.2 is refused and changes nothing.
type Update struct {
	Start, Finish                Change[calendar.Date]
	MaxRepeats                   Change[Limit]
	Unit                         Change[calendar.Unit]
	Interval                     Change[int]
	Amount, AmountFrom, AmountTo Change[amount.Amount]
	Sequence                     Change[[]amount.Amount]
	// Unreadable tells that a value of the update could not be read: such an update
	// is refused whatever else it holds, and the clauses say why.
	Unreadable ledger.Because
}
