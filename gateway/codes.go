package gateway

import (
	"net/http"

	"github.com/chargecast/chargecast/ledger"
)

// The codes of the errors of this package. Each error is a [ledger.Finding], so that errors.Is
// finds its code.
const (
	NotFound       ledger.Code = "not-found"
	Exists         ledger.Code = "exists"
	InputForm      ledger.Code = "input-form"
	InputTooLarge  ledger.Code = "input-too-large"
	KeyUnusable    ledger.Code = "key-unusable"
	ClockBack      ledger.Code = "clock-back"
	EventRefused   ledger.Code = "event-refused"
	SnapshotDay    ledger.Code = "snapshot-day"
	ForecastTooBig ledger.Code = "forecast-too-big"
	ForeignHost    ledger.Code = "foreign-host"
	ForeignOrigin  ledger.Code = "foreign-origin"
	MethodNot      ledger.Code = "method-not-allowed"
	ReadOnly       ledger.Code = "read-only"
	Closed         ledger.Code = "closed"
	StoreFailed    ledger.Code = "store-failed"
)

// A codeRow says what a code means, and with which status the admin interface answers it.
type codeRow struct {
	code    ledger.Code
	status  int
	message string
	help    string
}

// codeRows is the one table of codes; nothing writes to it.
var codeRows = [...]codeRow{
	{NotFound, http.StatusNotFound, "no such record", "list the records for their ids"},
	{Exists, http.StatusConflict, "the login or the endpoint is registered already", "choose another one, or change the keys of the merchant"},
	{InputForm, http.StatusBadRequest, "the input is not in the expected form", "see /_sandbox/v1/openapi.json"},
	{InputTooLarge, http.StatusRequestEntityTooLarge, "the body is longer than 1 MiB", "send a shorter one"},
	{KeyUnusable, http.StatusUnprocessableEntity, "the key cannot be used", "send an RSA public key as PEM"},
	{ClockBack, http.StatusConflict, "the clock cannot go back", "restore a snapshot, or reset to an earlier day"},
	{EventRefused, http.StatusConflict, "the event was refused", "see because for the clauses behind it"},
	{SnapshotDay, http.StatusConflict, "the snapshot of one merchant was made on another day than the clock shows", "restore a snapshot of all merchants"},
	{ForecastTooBig, http.StatusUnprocessableEntity, "the forecast has more than 1,000,000 charges or totals", "ask for fewer days, or for one login"},
	{ForeignHost, http.StatusMisdirectedRequest, "the Host header names another server", "use the address that the gateway listens at, or its public URL"},
	{ForeignOrigin, http.StatusForbidden, "a page of another site sent the request", "send it from a page of the gateway, or from a program"},
	{MethodNot, http.StatusMethodNotAllowed, "the path does not support the method", "see the header Allow"},
	{ReadOnly, http.StatusInternalServerError, "a view of the store cannot change it", "use Update"},
	{Closed, http.StatusServiceUnavailable, "the gateway is closed", "start it again"},
	{StoreFailed, http.StatusInternalServerError, "the store failed", "see the log"},
}

// found returns the finding of a code; message and help replace those of the table unless empty.
func found(code ledger.Code, message, help string) ledger.Finding {
	f := ledger.Finding{Code: code, Severity: ledger.SeverityError, Message: message, Help: help}
	for i := range codeRows {
		if codeRows[i].code == code && message == "" {
			f.Message, f.Help = codeRows[i].message, codeRows[i].help
		}
	}
	return f
}

// inField returns a finding about the form of one member of an input.
func inField(name, message, help string) ledger.Finding {
	f := found(InputForm, message, help)
	f.Kind, f.Subject = ledger.SubjectField, name
	return f
}
