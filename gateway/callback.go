package gateway

import (
	"slices"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/cardtext"
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
	ID          ID            `api:"id"`
	Charge      ID            `api:"charge_id"`
	Profile     ID            `api:"profile_id"`
	Login       string        `api:"login"`
	URL         string        `api:"url" doc:"Masked"` // in full where it is kept
	Attempts    []Attempt     `api:"attempts" doc:"The last 50"`
	State       CallbackState `api:"state"`
	Round       int           // attempts since it was made or sent again
	Next        time.Time     `api:"next_attempt,null" doc:"In the machine's time"` // zero for none
	At          time.Time     `api:"at" doc:"When it was made, in the machine's time"`
	Fault       FaultKind     `api:"fault,omitzero"` // the kind of the fault that struck it; zero for none
	ContentType string        `api:"content_type"`
	Body        string        `api:"body" doc:"What is sent, masked"` // in full where it is kept

	Held     bool          `json:",omitempty"` // a fault keeps it back: nobody sends it
	Day      calendar.Date // … until this day of the clock; zero for the next callback of the merchant
	Again    int           `json:",omitempty"` // how many deliveries more it gets
	Releases ID            `json:",omitempty"` // the callback that is let go once this one was tried; 0 for none
}

// An Attempt is one attempt to deliver a callback.
type Attempt struct {
	At     time.Time `api:"at"`
	Status int       `api:"status" doc:"0: no answer"`
	Error  string    `api:"error,omitzero" words:"timeout|not-loopback|connection" doc:"Why there was no answer"`
	Answer string    `json:",omitempty" api:"answer,omitzero" doc:"The beginning of its body, masked"`
}

var callbackForm = formOf[Callback]()

// shown is a callback as it may be shown.
func (b Callback) shown() Callback {
	b.URL, b.Body, b.At = shownURL(b.URL), cardtext.MaskEscaped(b.Body), b.At.UTC()
	if !b.Next.IsZero() {
		b.Next = b.Next.UTC()
	}
	b.Attempts = slices.Clone(b.Attempts)
	for i := range b.Attempts {
		b.Attempts[i].At = b.Attempts[i].At.UTC()
	}
	return b
}

// Key returns the key; its status is the state, or "held" for a callback that a fault keeps back.
func (c Callback) Key() Key {
	k := Key{ID: c.ID, Login: c.Login, Profile: c.Profile, Status: c.State.String()}
	if c.Held {
		k.Status = "held"
	}
	return k
}
