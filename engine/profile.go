package engine

import (
	"math"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
)

// A Kind is the card that a profile charges or pays (clause 1). The zero value is none, which no
// profile may have.
type Kind uint8

// The kinds of clause 1.
const (
	KindSource      Kind = iota + 1 // SRC: the sender's card; the only kind with an automatic schedule
	KindDestination                 // DST: the receiver's card
)

var kindWords = enum.Words{Type: "Kind", Words: []string{"", "SRC", "DST"}}

// String returns the document's code, "SRC" or "DST"; it is empty for none.
func (k Kind) String() string { return kindWords.String(uint8(k)) }

// MarshalText returns the code; a value that is not a Kind is an error.
func (k Kind) MarshalText() ([]byte, error) { return kindWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes.
func (k *Kind) UnmarshalText(text []byte) error { return kindWords.Unmarshal(text, (*uint8)(k)) }

// A Limit is the value of max-repeats-number: absent (the zero value) or a whole number from 0
// (clause 2.2.8, L09, L10).
type Limit struct {
	n   uint64
	set bool
}

// AtMost returns an explicit max-repeats-number. AtMost(0) is an explicit zero, whose meaning the
// policy max-zero decides (L09). It panics for a number above 2^63-1, which no payload can hold and
// no profile can reach.
func AtMost(n uint64) Limit {
	if n > math.MaxInt64 {
		panic("engine: max-repeats-number is above 2^63-1")
	}
	return Limit{n, true}
}

// Value returns the number, and whether there is one.
func (l Limit) Value() (n uint64, ok bool) { return l.n, l.set }

// String returns the number, or "none".
func (l Limit) String() string {
	if !l.set {
		return "none"
	}
	return strconv.FormatUint(l.n, 10)
}

// Equal reports whether two limits are the same, as == does.
func (l Limit) Equal(o Limit) bool { return l == o }

// IsZero reports whether there is no limit.
func (l Limit) IsZero() bool { return !l.set }

// A Profile holds the columns that determine the charges. It is a plain value; [Engine.Check]
// says whether it can be used.
type Profile struct {
	// ID is the client-orderid. It names the profile in outputs and keys its random amounts; it
	// may be empty.
	ID string
	// Kind is required.
	Kind Kind
	// Start is the start-date; zero means absent (L02).
	Start calendar.Date
	// Unit and Interval are period and interval: both or neither (2.2.3). Without them there is
	// no automatic charge.
	Unit     calendar.Unit
	Interval int
	// Finish is the finish-date; zero means none (2.2.9).
	Finish calendar.Date
	// MaxRepeats is the max-repeats-number; the zero value means none (2.2.8).
	MaxRepeats Limit
	// Amounts is the amount choice (2.2.5); required.
	Amounts amount.Choice
	// Currency is the currency code, carried to the outputs.
	Currency string
	// CardExpires is the last day of the card's expiry month; zero means not known. It changes no
	// date, number or amount: charges after it are marked (L31).
	CardExpires calendar.Date
}

// Automatic reports whether the profile has an automatic schedule (clause 1).
func (p Profile) Automatic() bool { return p.Unit != 0 }
