package gateway

import (
	"iter"
	"net/http"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// The codes of the errors of this package. Each error is a [ledger.Finding], so that errors.Is
// finds its code.
const (
	NotFound      ledger.Code = "not-found"
	Exists        ledger.Code = "exists"
	HasProfiles   ledger.Code = "has-profiles"
	InputForm     ledger.Code = "input-form"
	InputTooLarge ledger.Code = "input-too-large"
	KeyUnusable   ledger.Code = "key-unusable"
	ClockBack     ledger.Code = "clock-back"
	EventRefused  ledger.Code = engine.ErrEventRefused
	ForeignHost   ledger.Code = "foreign-host"
	ForeignOrigin ledger.Code = "foreign-origin"
	MethodNot     ledger.Code = "method-not-allowed"
	ReadOnly      ledger.Code = "read-only"
	Closed        ledger.Code = "closed"
	StoreFailed   ledger.Code = "store-failed"
	Restarting    ledger.Code = "restarting"
)

// Rules yields what the codes of this package mean, and the reasons of rejected requests, which are
// codes too: all but those that packages engine and signature explain.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

const fail = ledger.SeverityError

// table has every code.
var table = ledger.NewRules([]ledger.Rule{
	{Code: NotFound, Severity: fail, Text: "no such record", Help: "list the records for their ids"},
	{Code: Exists, Severity: fail, Text: "the login or the endpoint is registered already", Help: "choose another one, or change the keys of the merchant"},
	{Code: HasProfiles, Severity: fail, Text: "the merchant has profiles", Help: "delete them with a reset, or leave the merchant"},
	{Code: InputForm, Severity: fail, Text: "the input is not in the expected form", Help: "see /_sandbox/v1/openapi.json"},
	{Code: InputTooLarge, Severity: fail, Text: "the body is longer than 1 MiB", Help: "send a shorter one"},
	{Code: KeyUnusable, Severity: fail, Text: "the key cannot be used", Help: "send an RSA public key as PEM"},
	{Code: ClockBack, Severity: fail, Text: "the clock cannot go back", Help: "restore a snapshot, or reset to an earlier day"},
	{Code: ForeignHost, Severity: fail, Text: "the Host header names another server", Help: "use the address that the gateway listens at, or its public URL"},
	{Code: ForeignOrigin, Severity: fail, Text: "a page of another site sent the request", Help: "send it from a page of the gateway, or from a program"},
	{Code: MethodNot, Severity: fail, Text: "the path does not support the method", Help: "see the header Allow"},
	{Code: ReadOnly, Severity: fail, Text: "a view of the store cannot change it", Help: "use Update"},
	{Code: Closed, Severity: fail, Text: "the gateway is closed", Help: "start it again"},
	{Code: StoreFailed, Severity: fail, Text: "the store failed", Help: "see the log"},
	{Code: Restarting, Severity: fail, Text: "a fault ends the process after the run of this day", Help: "start it again: it goes on where it was"},

	{Code: ledger.Code(ReasonHost), Severity: fail, Clause: clause.Doc41, Text: "the Host header names another server", Help: "use the address that the gateway listens at, or its public URL"},
	{Code: ledger.Code(ReasonPath), Severity: fail, Clause: clause.Doc41, Text: "the path is not that of the operation", Help: "send " + pathPrefix + createOperation + "/ENDPOINT, without a query, a double slash, an escape or a final slash"},
	{Code: ledger.Code(ReasonNotShown), Severity: fail, Clause: clause.Doc41, Text: "the document does not show this operation", Help: "use the admin interface instead: POST " + adminPrefix + "profiles/ID/stop, update, resume or charge"},
	{Code: ledger.Code(ReasonMethod), Severity: fail, Clause: clause.Doc41, Text: "the method is not POST", Help: "send a POST request"},
	{Code: ledger.Code(ReasonUnreadable), Severity: fail, Clause: clause.Doc55, Text: "the Authorization header or the signature in it cannot be read", Help: "send one header Authorization: OAuth with the parameters of 5.1"},
	{Code: ledger.Code(ReasonUnknownMerchant), Severity: fail, Clause: clause.Doc51, Text: "no merchant has the login in oauth_consumer_key", Help: "register the merchant, or correct the login"},
	{Code: ledger.Code(ReasonUnknownEndpoint), Severity: fail, Clause: clause.Doc41, Text: "the endpoint is not that of the merchant", Help: "send the endpoint of the merchant that signs"},
	{Code: ledger.Code(ReasonTooLarge), Severity: fail, Clause: clause.L56d, Text: "the body is too long, or arrived together with too many others", Help: "send fewer rows in a request, or fewer requests at a time"},
	{Code: ledger.Code(ReasonNotFresh), Severity: fail, Clause: clause.L63, Text: "the timestamp is outside the window of the merchant", Help: "set the clock, and sign each request when it is sent"},
	{Code: ledger.Code(ReasonReplayed), Severity: fail, Clause: clause.L63, Text: "the nonce was used before", Help: "make a new nonce for each request"},
	{Code: ledger.Code(ReasonPayload), Severity: fail, Clause: clause.L48, Text: "the body was not received whole, or a row of the payload has an error, so that no profile was created", Help: "correct what the findings name"},
	{Code: ledger.Code(ReasonCurrency), Severity: fail, Clause: clause.L56, Text: "a row has another currency than the merchant's project", Help: "send the currency of the project"},
	{Code: ledger.Code(ReasonFault), Severity: fail, Clause: clause.Doc7, Text: "a fault refused the request", Help: "list the faults: GET " + adminPrefix + "faults"},
	{Code: ledger.Code(ReasonInternal), Severity: fail, Clause: clause.Doc7, Text: "the gateway failed", Help: "see its log"},
}, []ledger.Rule{
	{Code: EventRefused, Severity: fail, Text: "the event was refused"},
	{Code: signature.KeyMissing, Severity: fail, Clause: clause.Doc53, Text: "the key is missing", Help: "register the keys of the merchant"},
	{Code: ledger.Code(ReasonContentType), Severity: fail, Clause: clause.Doc41, Text: "the content type is not that of a form", Help: "send one header Content-Type: application/x-www-form-urlencoded"},
	{Code: ledger.Code(ReasonMismatch), Severity: fail, Clause: clause.Doc53, Text: "the signature is not that of the request", Help: "see the diagnosis of the request"},
})

// statuses are those with which the admin interface answers; every other code has 400.
var statuses = map[ledger.Code]int{
	NotFound:      http.StatusNotFound,
	Exists:        http.StatusConflict,
	HasProfiles:   http.StatusConflict,
	InputTooLarge: http.StatusRequestEntityTooLarge,
	KeyUnusable:   http.StatusUnprocessableEntity,
	ClockBack:     http.StatusConflict,
	EventRefused:  http.StatusConflict,
	ForeignHost:   http.StatusMisdirectedRequest,
	ForeignOrigin: http.StatusForbidden,
	MethodNot:     http.StatusMethodNotAllowed,
	ReadOnly:      http.StatusInternalServerError,
	Closed:        http.StatusServiceUnavailable,
	StoreFailed:   http.StatusInternalServerError,
	Restarting:    http.StatusServiceUnavailable,
}

// found returns the finding of a code; a message or help replaces that of the rule unless empty.
func found(code ledger.Code, message, help string) ledger.Finding {
	return table.Finding(code, message, help)
}

// inField returns a finding about the form of one member of an input.
func inField(name, message, help string) ledger.Finding {
	f := found(InputForm, message, help)
	f.Kind, f.Subject = ledger.SubjectField, name
	return f
}
