package gateway

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
)

// A Store keeps all that a gateway knows. [NewMemory] returns one in memory; package storetest
// checks any other. Its methods can be called by several goroutines at the same time.
type Store interface {
	// Update runs do in a transaction: all of its changes take place, or none if do or the store
	// fails. Once it returns nil they are durable. Transactions take place one after the other.
	Update(ctx context.Context, do func(Tx) error) error
	// View runs do on the state between two transactions. A change is an error with [ReadOnly].
	View(ctx context.Context, do func(Tx) error) error
	// Writable returns nil, or why the store refuses to be written, within 100 ms: /healthz and
	// /metrics say it.
	Writable(ctx context.Context) error
	// Close ends the store. Later calls are an error with [Closed].
	Close() error
}

// A Tx is the state of a store during one call of Update or View, and of no use afterwards. The
// records that it takes and gives are values: what they refer to is never changed. Errors are
// final: a transaction in which one occurred must return it, except those with [NotFound].
type Tx interface {
	// Clock returns the zero Clock for a new store.
	Clock() (Clock, error)
	SetClock(c Clock) error

	Merchants() Table[Merchant]
	Profiles() ProfileTable
	Charges() Table[Charge]
	Requests() Table[Request]
	Callbacks() Table[Callback]
	Outcomes() Table[Outcome]
	Faults() Table[Fault]
	Snapshots() Table[Snapshot]

	// UseNonce records the use of a nonce, named by its hash, at a time, and reports whether it is the
	// first one. Uses before the time forget need not be known any more; if that is zero, the last
	// ones of the merchant are, as many as keep says.
	UseNonce(login string, use [32]byte, at, forget time.Time, keep int) (first bool, err error)

	// Clear removes everything of a merchant but the merchant itself; an empty login means all
	// merchants, and then ids begin at 1 again, except those of merchants and snapshots, unless a
	// state is kept. Snapshots and the clock stay.
	Clear(login string) error
	// SaveState keeps a copy of everything under the id of a snapshot, next ids and clock included.
	// Snapshots are not part of it.
	SaveState(id ID) error
	// RestoreState brings back a state exactly, next ids included; Clock.Epoch is left as it is now.
	// The snapshot can be restored again. The error has the code [NotFound] for an id under which
	// nothing is kept.
	RestoreState(id ID) error
	// DropState forgets a state that was saved; without one nothing happens.
	DropState(id ID) error
}

// A Clock is the day that a gateway shows, the same for all merchants.
type Clock struct {
	Now    calendar.Date // whose run has taken place
	Began  calendar.Date // the first day of the store
	Target calendar.Date // where an advance that has not ended goes to; zero for none
	Epoch  uint64        // grows whenever the past is replaced, by a restore or a reset
	Policy string        // the readings in force, as engine.Policy writes them
	Seed   uint64        // what random amounts are drawn from
}

// A Key is what records are looked up by. A store keeps it beside the record, as columns for
// example.
type Key struct {
	ID      ID
	Login   string        // the merchant; empty for none
	Profile ID            // of a charge or callback
	Status  string        // the status of a profile, of an answer to a request, of a callback or outcome
	Text    string        // what a search looks into: a client-orderid; of a merchant its endpoint
	Due     calendar.Date // of a profile: the next day on which something happens to it; zero for none
}

// A Keyed record says under which key it is kept.
type Keyed interface{ Key() Key }

// A Query selects records of a table. The zero Query selects all.
type Query struct {
	Login   string // that of the record; empty for any
	Profile ID     // that of the record; 0 for any
	Status  string // that of the record; empty for any
	Search  string // a part of the record's text, whatever the case of letters (see Selects), or its id; empty for any
	// Past leaves out what comes before this id in the order of the list, and the id itself.
	Past ID
	// OldestFirst lists in order of id; otherwise the newest come first.
	OldestFirst bool
	Limit       int // the most records; 0 for all
}

// A Table is the records of one kind.
type Table[T Keyed] interface {
	// NextID returns the id of a new record.
	NextID() (ID, error)
	// Get returns the record with an id; the error has the code [NotFound] if there is none.
	Get(id ID) (T, error)
	// List returns the records that a query selects.
	List(q Query) ([]T, error)
	// Put adds a record, or replaces the one with its id.
	Put(v T) error
	// Delete removes the record with an id; the error has the code [NotFound] if there is none.
	Delete(id ID) error
}

// A ProfileTable is the profiles, with an index of the days on which they are due.
type ProfileTable interface {
	Table[Profile]
	// NextDue returns the earliest day on which a profile is due; zero for none.
	NextDue() (calendar.Date, error)
	// Due returns the profiles that are due on a day, those after an id in order of id, at most
	// limit.
	Due(day calendar.Date, after ID, limit int) ([]Profile, error)
}

// Selects reports whether a query selects the record with a key, Past and Limit aside. A search for
// a text that is ASCII disregards the case of ASCII letters alone; one for any other text
// disregards the case of all letters.
func (q Query) Selects(k Key) bool {
	switch {
	case q.Login != "" && q.Login != k.Login,
		q.Profile != 0 && q.Profile != k.Profile,
		q.Status != "" && q.Status != k.Status:
		return false
	}
	return q.Search == "" || contains(k.Text, q.Search) || k.ID.String() == q.Search
}

// contains looks for a part without case. A part that is ASCII is found in ASCII alone: a database
// can do that by itself.
func contains(text, part string) bool {
	if strings.ContainsFunc(part, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.Contains(strings.ToLower(text), strings.ToLower(part))
	}
	return strings.Contains(lowered(text), lowered(part))
}

// An ID names one record of a kind: a number from 1, counted by the store, so that the same
// requests give the same ids. The zero ID is none.
type ID uint64

// String returns the number in digits; "0" for none.
func (id ID) String() string { return strconv.FormatUint(uint64(id), 10) }

// MarshalText returns what [ID.String] returns.
func (id ID) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(id), 10), nil }

// UnmarshalText reads what [ID.MarshalText] writes; other texts are a [ledger.Finding] with
// [NotFound], since no record has such an id. On an error id is unchanged.
func (id *ID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 63)
	if err != nil || string(text) != ID(n).String() {
		return found(NotFound, "", "")
	}
	*id = ID(n)
	return nil
}
