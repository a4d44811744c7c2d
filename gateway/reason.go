package gateway

import (
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// judged are the reasons in the order in which they are judged; nothing writes to it.
var judged = [...]Reason{
	ReasonHost, ReasonPath, ReasonNotShown, ReasonMethod, ReasonContentType, ReasonUnreadable, ReasonTooLarge, ReasonUnknownMerchant,
	ReasonUnknownEndpoint, ReasonMismatch, ReasonNotFresh, ReasonReplayed, ReasonPayload, ReasonCurrency, ReasonFault, ReasonInternal,
}

// Reasons lists every reason in the order in which they are judged, [ReasonInternal] last.
func Reasons() []Reason { return slices.Clone(judged[:]) }

// Message says in a sentence what the reason means; it is empty for the zero Reason.
func (r Reason) Message() string { return r.finding().Message }

// finding returns the reason as a finding.
func (r Reason) finding() ledger.Finding { return found(ledger.Code(r), "", "") }
