package gateway

import (
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A reasonRow says what a reason means.
type reasonRow struct {
	reason  Reason
	clause  ledger.Clause
	message string
	help    string
}

// reasonRows is the one table of reasons, in the order in which they are judged; nothing writes to
// it.
var reasonRows = [...]reasonRow{
	{ReasonHost, clause.Doc41, "the Host header names another server", "use the address that the gateway listens at, or its public URL"},
	{ReasonPath, clause.Doc41, "the path is not that of the operation", "send " + pathPrefix + createOperation + "/ENDPOINT, without a query, a double slash, an escape or a final slash"},
	{ReasonNotShown, clause.Doc41, "the document does not show this operation", "use the admin interface instead: POST " + adminPrefix + "profiles/ID/stop, update, resume or charge"},
	{ReasonMethod, clause.Doc41, "the method is not POST", "send a POST request"},
	{ReasonContentType, clause.Doc41, "the content type is not that of a form", "send one header Content-Type: application/x-www-form-urlencoded"},
	{ReasonUnreadable, clause.Doc55, "the Authorization header or the signature in it cannot be read", "send one header Authorization: OAuth with the parameters of 5.1"},
	{ReasonUnknownMerchant, clause.Doc51, "no merchant has the login in oauth_consumer_key", "register the merchant, or correct the login"},
	{ReasonUnknownEndpoint, clause.Doc41, "the endpoint is not that of the merchant", "send the endpoint of the merchant that signs"},
	{ReasonTooLarge, clause.L56d, "the body is too long, was not received whole, or arrived together with too many others", "send fewer rows in a request, or fewer requests at a time"},
	{ReasonMismatch, clause.Doc53, "the signature is not that of the request", "see the diagnosis of the request"},
	{ReasonNotFresh, clause.L63, "the timestamp is outside the window of the merchant", "set the clock, and sign each request when it is sent"},
	{ReasonReplayed, clause.L63, "the nonce was used before", "make a new nonce for each request"},
	{ReasonPayload, clause.L48, "a row of the payload has an error, so that no profile was created", "correct what the findings name"},
	{ReasonCurrency, clause.L56, "a row has another currency than the merchant's project", "send the currency of the project"},
	{ReasonInternal, clause.Doc7, "the gateway failed", "see its log"},
}

// Reasons lists every reason in the order in which they are judged, [ReasonInternal] last.
func Reasons() []Reason {
	list := make([]Reason, len(reasonRows))
	for i, r := range reasonRows {
		list[i] = r.reason
	}
	return list
}

func (r Reason) row() *reasonRow {
	for i := range reasonRows {
		if reasonRows[i].reason == r {
			return &reasonRows[i]
		}
	}
	return &reasonRow{}
}

// Message says in a sentence what the reason means; it is empty for the zero Reason.
func (r Reason) Message() string { return r.row().message }

// finding returns the reason as a finding.
func (r Reason) finding() ledger.Finding {
	row := r.row()
	return ledger.Finding{
		Code: ledger.Code(r), Severity: ledger.SeverityError, Clause: row.clause, Basis: row.clause.Basis(),
		Message: row.message, Help: row.help,
	}
}
