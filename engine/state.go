package engine

import (
	"iter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Status is what a profile is doing. Only stopped is the document's word; active
// is ours for the rest (X14). The zero value means that it is not created yet.
type Status uint8

// The statuses of clause 3.
const (
	Active Status = iota + 1
	Stopped
)

// String is the word that outputs use; "none" for the zero value.
func (s Status) String() string {
	return [...]string{"none", "active", "stopped"}[min(s, 3)%3]
}

// Reasons is the set of reasons for a stop. The zero value is none.
type Reasons uint8

// The reasons, in the order in which outputs name them (L11).
const (
	ByMaxRepeats Reasons = 1 << iota // 2.2.8
	ByFinishDate                     // 2.2.9
	ByAPI                            // L23
)

// All gives the words of the set in the fixed order.
func (r Reasons) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, word := range [...]string{"max-repeats", "finish-date", "stopped-by-api"} {
			if r>>i&1 == 1 && !yield(word) {
				return
			}
		}
	}
}

// A Stop is the day on which a profile was or will be stopped, and why. The zero
// value means no stop, or one that is not known.
type Stop struct {
	Date    calendar.Date
	Reasons Reasons
	Because ledger.Because
}

// IsZero tells whether there is no known stop.
func (s Stop) IsZero() bool { return s.Date.IsZero() }

// A State is all that a stored profile remembers beside its columns: a plain value to
// save and restore. The zero State is a profile that is not created yet.
//
// Days up to RanThrough had their run and are over, except those in Missed. Under the
// default policy a State keeps at most one paid slot, however long the profile runs.
type State struct {
	Status     Status
	Repeat     uint64        // the current repeat number: that of the next charge (2.2.7)
	Anchor     calendar.Date // the origin of the grid; zero: the start-date
	RanThrough calendar.Date // the last day whose run took place; zero: the day before as-of
	// Paid are the slots that 2.2.10 forbids to charge and that a run could still
	// meet, in order of date.
	Paid []calendar.Date
	// Missed are the days whose slots a catch-up policy still has to charge, in order
	// of date and apart from each other.
	Missed []calendar.Window
	// Stop is the last stop, while the profile is stopped and where it is known.
	Stop Stop
	// Last is the day of the last event or run; nothing earlier is accepted after it.
	// Zero in a state told by hand: what was due on the day RanThrough then counts as
	// paid.
	Last calendar.Date
	// Because are the entries of the ledger that events of the past brought in: what
	// comes later rests on them too.
	Because ledger.Because
}
