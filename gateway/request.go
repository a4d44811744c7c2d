package gateway

import (
	"strconv"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// A Reason says why a request was refused. The document has no such thing: a refused request is
// answered with 403 and an empty body (7). The zero value is none.
type Reason string

// The reasons, in the order in which a request is judged: the first one that applies is given.
const (
	ReasonHost            Reason = "host"
	ReasonPath            Reason = "path"      // query, double slash, escaped or final slash, another version
	ReasonNotShown        Reason = "not-shown" // another operation of the path's shape, which the document does not show
	ReasonMethod          Reason = "method"
	ReasonContentType     Reason = "content-type"
	ReasonUnreadable      Reason = "signature-unreadable" // no Authorization header that can be read, too
	ReasonTooLarge        Reason = "too-large"
	ReasonUnknownMerchant Reason = "unknown-merchant"
	ReasonUnknownEndpoint Reason = "unknown-endpoint" // another merchant's, too
	ReasonMismatch        Reason = "signature-mismatch"
	ReasonNotFresh        Reason = "not-fresh"
	ReasonReplayed        Reason = "replayed"
	ReasonPayload         Reason = "payload-invalid"
	ReasonCurrency        Reason = "currency"
	ReasonFault           Reason = "fault"    // a fault refused it, or cut the connection; nothing was created
	ReasonInternal        Reason = "internal" // the gateway failed; nothing was created
)

// A Request is what is kept of a request that was received: nothing of it that must not be shown.
type Request struct {
	ID       ID            // also the serial number (2.3)
	Date     calendar.Date // the clock's day
	At       time.Time     // the machine's time
	Login    string        // the merchant that it names, if there is one; verified only if accepted
	Method   string
	URI      string // as it was sent, masked
	Headers  []Header
	Params   []Param
	Status   int
	Reason   Reason          // empty if it was accepted
	Findings ledger.Findings // the first ones; of an accepted request they are warnings
	Errors   int             // how many findings are errors
	Profiles int             // how many profiles were created
	First    ID              // … the first of them; the others follow it
	Fault    FaultKind       // the kind of the fault that struck it; zero for none
	// Diagnosis is that of the signature, made when the request is first read; nil before.
	Diagnosis *Diagnosis
}

// A Header is a header of a request, masked unless it is one that everybody may see.
type Header struct{ Name, Value string }

// A Param is a parameter of a form body: the length of its value, not the value.
type Param struct {
	Name  string
	Bytes int
}

// A Diagnosis says which mistakes explain a wrong signature.
type Diagnosis struct {
	Match    bool             // the signature is right
	Causes   []diagnose.Cause // the smallest sets of known mistakes that reproduce it
	Known    []string         // what is certain if there is no cause
	NotTried []string         // which candidates were left out, and why
	Findings ledger.Findings
	// Unavailable says why there is no diagnosis; empty if there is one.
	Unavailable string
	// Bases are the base strings; nil if the request has none.
	Bases *BaseStrings `json:",omitempty"`
}

// BaseStrings are what had to be signed and what was signed. In both, every letter and digit of a
// value that may not be shown is an x, so that they can be compared by length and form. Of long
// ones they are the part around the first difference.
type BaseStrings struct {
	Right  string
	Signed string // if the first cause is right; empty if it does not tell
	Start  int    // how many bytes in front of both are left out
	Offset int    // of the first difference in Right and in Signed
	Text   string // what differs first; empty if nothing does
}

// Key returns the key; its status is that of the answer.
func (r Request) Key() Key { return Key{ID: r.ID, Login: r.Login, Status: strconv.Itoa(r.Status)} }
