package engine

import (
	"math"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
)

// A Kind is the card that a profile charges or pays (clause 1). The zero value
// is none, which no profile may have.
type Kind uint8

// The kinds of clause 1.
const (
	Source      Kind = iota + 1 // SRC: the sender's card; the only kind with an automatic schedule
	Destination                 // DST: the receiver's card
)

// String is the document's code, "SRC" or "DST"; empty for none.
func (k Kind) String() string {
	return [...]string{"", "SRC", "DST"}[min(k, 3)%3]
}

// A Limit is the value of max-repeats-number: absent (the zero value) or a whole
// number from 0 (clause 2.2.8, L09, L10).
type Limit struct {
	n   uint64
	set bool
}

// AtMost is an explicit max-repeats-number; AtMost(0) is an explicit zero, whose
// meaning the policy max-zero decides (L09). Numbers from 2^63 on, which no payload can
// hold and no profile reach, count as 2^63-1.
func AtMost(n uint64) Limit { return Limit{min(n, math.MaxInt64), true} }

// Value is the number, and whether there is one.
func (l Limit) Value() (n uint64, ok bool) { return l.n, l.set }

// A Profile is what a schedule depends on and nothing else. It is a plain value;
// [Compile] and [Apply] check it whole.
type Profile struct {
	// ID is the client-orderid. It names the profile in outputs and keys its
	// random amounts; it may be empty.
	ID string
	// Kind is required.
	Kind Kind
	// Start is the start-date; zero means absent (L02).
	Start calendar.Date
	// Unit and Interval are period and interval: both or neither (2.2.3).
	// With Unit zero and Interval 0 there is no automatic charge.
	Unit     calendar.Unit
	Interval int
	// Finish is the finish-date; zero means none (2.2.9).
	Finish calendar.Date
	// MaxRepeats is the max-repeats-number; the zero value means none (2.2.8).
	MaxRepeats Limit
	// Amounts is the amount choice (2.2.5); required.
	Amounts amount.Strategy
	// Currency is the currency code, carried to the outputs.
	Currency string
}

// Automatic tells whether the profile has an automatic schedule (clause 1).
func (p Profile) Automatic() bool { return p.Unit != 0 }
