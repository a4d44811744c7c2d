package gateway

import (
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
)

// A CallbackState is how far a callback is. The zero value is none.
type CallbackState uint8

// The states.
const (
	CallbackPending CallbackState = iota + 1
	CallbackDelivered
	CallbackFailed // after its last attempt; it can be sent again
)

var callbackWords = enum.Words{Type: "CallbackState", Words: []string{"", "pending", "delivered", "failed"}}

// String returns "pending", "delivered" or "failed"; it is empty for none.
func (s CallbackState) String() string { return callbackWords.String(uint8(s)) }

// MarshalText returns the word; a value that is not a CallbackState is an error.
func (s CallbackState) MarshalText() ([]byte, error) { return callbackWords.Marshal(uint8(s)) }

// UnmarshalText reads what MarshalText writes. On an error s is unchanged.
func (s *CallbackState) UnmarshalText(text []byte) error {
	return callbackWords.Unmarshal(text, (*uint8)(s))
}

// A Callback tells a merchant of one attempt with a final status (6). What is sent is ours: the
// document does not show it.
type Callback struct {
	ID          ID
	Charge      ID
	Profile     ID
	Login       string
	URL         string // in full
	ContentType string
	Body        string
	State       CallbackState
	Attempts    []Attempt // the last ones, at most 50
	Round       int       // attempts since it was made or sent again
	Next        time.Time // when the next attempt is due, in real time; zero for none
	At          time.Time // when it was made, in real time

	Fault    FaultKind     // the kind of the fault that struck it; zero for none
	Held     bool          `json:",omitempty"` // a fault keeps it back: nobody sends it
	Day      calendar.Date // … until this day of the clock; zero for the next callback of the merchant
	Again    int           `json:",omitempty"` // how many deliveries more it gets
	Releases ID            `json:",omitempty"` // the callback that is let go once this one was tried; 0 for none
}

// An Attempt is one attempt to deliver a callback.
type Attempt struct {
	At     time.Time
	Status int    // of the answer; 0 if there was none
	Error  string // why there was none: "timeout", "not-loopback" or "connection"; empty for an answer
	Answer string `json:",omitempty"` // the beginning of its body, masked
}

// Key returns the key; its status is the state, or "held" for a callback that a fault keeps back.
func (c Callback) Key() Key {
	k := Key{ID: c.ID, Login: c.Login, Profile: c.Profile, Status: c.State.String()}
	if c.Held {
		k.Status = "held"
	}
	return k
}
