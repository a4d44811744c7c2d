package gateway

import (
	"slices"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
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
	ReasonUnknownMerchant Reason = "unknown-merchant"
	ReasonUnknownEndpoint Reason = "unknown-endpoint" // another merchant's, too
	ReasonTooLarge        Reason = "too-large"        // not received whole, or together with too many others, too
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
	ID       ID              `api:"id"` // also the serial number (2.3)
	At       time.Time       `api:"at" doc:"The machine's time"`
	Date     calendar.Date   `api:"day" doc:"The clock's day"`
	Login    string          `api:"login,null" doc:"The merchant that it names, if there is one; verified only if it was accepted"`
	Method   string          `api:"method"`
	URI      string          `api:"uri" doc:"As it was sent, masked"`
	Status   int             `api:"status"`
	Reason   Reason          `api:"reason,null"` // empty if it was accepted
	Errors   int             `api:"errors" doc:"How many findings are errors"`
	Findings ledger.Findings `api:"findings" doc:"The first ones; of an accepted request they are warnings"`
	Profiles int             `api:"profiles" doc:"How many profiles it created"`
	First    ID              `api:"first_profile,null" doc:"The first of them; the others follow it"`
	Fault    FaultKind       `api:"fault,omitzero" doc:"The kind of its fault"`

	// Of these a list says nothing.
	Headers   []Header   `api:"headers,omitzero" doc:"Of one request alone"`
	Params    []Param    `api:"parameters,omitzero" doc:"Of one request alone"`
	Diagnosis *Diagnosis `api:"diagnosis,omitzero" doc:"Of one request alone"` // of the signature, made when the request is first read; nil before
}

// A Header is a header of a request, masked unless it is one that everybody may see.
type Header struct {
	Name  string `api:"name"`
	Value string `api:"value" doc:"Masked"`
}

// A Param is a parameter of a form body: the length of its value, not the value.
type Param struct {
	Name  string `api:"name"`
	Bytes int    `api:"bytes" doc:"The length of the value as it was sent"`
}

// A Diagnosis says which mistakes explain a wrong signature.
type Diagnosis struct {
	Match       bool            `api:"match" doc:"The signature is right"`
	Causes      []Cause         `api:"causes" doc:"The smallest sets of known mistakes that reproduce it"`
	Known       []string        `api:"known" doc:"What is certain if there is no cause"`
	NotTried    []string        `api:"not_tried" doc:"Which candidates were left out, and why"`
	Findings    ledger.Findings `api:"findings"`
	Unavailable string          `api:"unavailable,omitzero" doc:"Why there is none"`
	Bases       *BaseStrings    `json:",omitempty" api:"base_strings,omitzero"` // nil if the request has none
}

// A Cause is a [diagnose.Cause].
type Cause struct {
	IDs  []string `api:"ids" doc:"Of the mistakes"`
	Text string   `api:"text" doc:"What was done"`
	Fix  string   `api:"fix" doc:"What to do"`
}

// BaseStrings are what had to be signed and what was signed. In both, every letter and digit of a
// value that may not be shown is an x, so that they can be compared by length and form. Of long
// ones they are the part around the first difference.
type BaseStrings struct {
	Right  string `api:"right" doc:"What had to be signed"`
	Signed string `api:"signed" doc:"What was signed, if the first cause is right; empty if it does not say"`
	Start  int    `api:"start" doc:"How many bytes in front of both are left out"`
	Offset int    `api:"offset" doc:"The first byte in which they differ"`
	Text   string `api:"text" doc:"What differs first; empty if nothing does"`
}

// Key returns the key; its status is that of the answer.
func (r Request) Key() Key { return Key{ID: r.ID, Login: r.Login, Status: strconv.Itoa(r.Status)} }

// judged are the reasons in the order in which they are judged; nothing writes to it.
var judged = [...]Reason{
	ReasonHost, ReasonPath, ReasonNotShown, ReasonMethod, ReasonContentType, ReasonUnreadable, ReasonUnknownMerchant, ReasonUnknownEndpoint,
	ReasonTooLarge, ReasonMismatch, ReasonNotFresh, ReasonReplayed, ReasonPayload, ReasonCurrency, ReasonFault, ReasonInternal,
}

// Reasons lists every reason in the order in which they are judged, [ReasonInternal] last.
func Reasons() []Reason { return slices.Clone(judged[:]) }

// Message says in a sentence what the reason means; it is empty for the zero Reason.
func (r Reason) Message() string { return r.finding().Message }

// finding returns the reason as a finding.
func (r Reason) finding() ledger.Finding { return found(ledger.Code(r), "", "") }
