package gateway

import (
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
)

// A FaultKind says what goes wrong. The zero value is none.
type FaultKind uint8

// The kinds.
const (
	FaultAnswerLost        FaultKind = iota + 1 // a request is accepted and committed, then the connection is cut
	FaultAnswerLate                             // a request is accepted, and answered after Ms
	FaultRefusedLate                            // a request is read whole, and refused after Ms
	FaultCut                                    // the connection is cut before anything is committed
	FaultSlow                                   // the body of a request is read at BytesS
	FaultCallbackTwice                          // a callback is delivered once more than needed
	FaultCallbackLate                           // a callback is sent Days of the clock later
	FaultCallbackLost                           // a callback is never sent
	FaultCallbackReordered                      // a callback is sent after the next one of the merchant
	FaultCallbackEarly                          // a callback is sent before the create request is answered
	FaultRestart                                // the process ends between two days
	FaultDecline                                // a charge is declined
)

var faultWords = enum.Words{Type: "FaultKind", Words: []string{
	"", "answer-lost", "answer-late", "refused-late", "cut", "slow", "callback-twice", "callback-late", "callback-lost",
	"callback-reordered", "callback-early", "restart", "decline",
}}

// FaultKinds lists every kind.
func FaultKinds() []FaultKind {
	list := make([]FaultKind, 0, len(faultWords.Words)-1)
	for k := FaultAnswerLost; k <= FaultDecline; k++ {
		list = append(list, k)
	}
	return list
}

// String returns the word, such as "answer-lost"; it is empty for none, and a text such as "FaultKind(99)" for a value
// that is none of these.
func (k FaultKind) String() string { return faultWords.String(uint8(k)) }

// MarshalText returns the word; a value that is not a FaultKind is an error.
func (k FaultKind) MarshalText() ([]byte, error) { return faultWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes. On an error k is unchanged.
func (k *FaultKind) UnmarshalText(text []byte) error {
	return faultWords.Unmarshal(text, (*uint8)(k))
}

// A Fault is something that goes wrong on purpose. Each event that it may strike is counted, and a number drawn from the
// seed of the gateway, the fault's id and that count decides whether it is struck: the same requests and days are struck by
// the same faults.
type Fault struct {
	ID     ID         `api:"id,out"`
	Kind   FaultKind  `api:"kind,needed"`
	Login  string     `api:"login,null" doc:"Any merchant without it"`
	Where  FaultWhere `api:"where,null"`
	Times  int        `api:"times,count" default:"1" doc:"How many events it strikes; 0: all, until it is removed"`
	Chance float64    `api:"chance" default:"1" limits:"exclusiveMinimum=0 maximum=1" doc:"Of an event to be struck"`
	Ms     int        `api:"ms,count" doc:"Of answer-late and refused-late"`
	Days   int        `api:"days,count" doc:"Of callback-late"`
	BytesS int        `api:"bytes_s,count" doc:"Of slow"`
	Used   int        `api:"used,out" doc:"How many events it has struck"`
	Seen   int        // how many events it might have struck; of a fault with Where.Request, all requests
	Held   []ID       `json:",omitempty"` // the callbacks that it keeps back
}

var faultForm = formOf[Fault]()

// A FaultWhere selects what a fault may strike. The zero value selects everything.
type FaultWhere struct {
	Profile string        `api:"profile,null" doc:"client-orderid"`                                                                     // empty for any
	Day     calendar.Date `api:"day,null"`                                                                                              // the clock's day; zero for any
	Request int           `api:"request,count,null" limits:"minimum=1" doc:"The n-th request of the merchant since the fault was made"` // 0 for any
}

// The statuses of outcomes and faults in a [Key].
const (
	statusActive = "active"
	statusSpent  = "spent"
)

// Key returns the key; its status is "active" or "spent". A fault that keeps callbacks back is active.
func (f Fault) Key() Key {
	k := Key{ID: f.ID, Login: f.Login, Status: statusActive, Text: f.Where.Profile}
	if f.isSpent() && len(f.Held) == 0 {
		k.Status = statusSpent
	}
	return k
}

func (f *Fault) isSpent() bool { return f.Times > 0 && f.Used >= f.Times }
