// Package httprules is the table of the codes of package oauthhttp. It is a package of its own so that a program that
// explains codes does not link net/http.
package httprules

import (
	"iter"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of package oauthhttp, which exports them.
const (
	BodyRead      ledger.Code = "body-read"
	BodyLength    ledger.Code = "body-length"
	BodyLimit     ledger.Code = "limit-body"
	BodiesLimit   ledger.Code = "limit-bodies"
	TargetForm    ledger.Code = "target-form"
	HeaderSeveral ledger.Code = "header-several"
	HeaderPresent ledger.Code = "authorization-exists"
	RedirectHost  ledger.Code = "redirect-host"
)

// Rules yields what the codes mean.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

// Found returns the finding of a code; a message or help replaces that of the rule unless empty.
func Found(code ledger.Code, message, help string) ledger.Finding {
	return table.Finding(code, message, help)
}

var table = ledger.NewRules([]ledger.Rule{
	{Code: BodyRead, Severity: ledger.SeverityError, Clause: clause.Doc41, Text: "the body could not be read to its end", Help: "send the request again"},
	{Code: BodyLength, Severity: ledger.SeverityError, Clause: clause.Doc41, Text: "the body is not as long as Content-Length says", Help: "send the body whole"},
	{Code: BodyLimit, Severity: ledger.SeverityError, Clause: clause.L56d, Text: "the body is longer than the limit", Help: "send a shorter body, or raise the limit"},
	{Code: BodiesLimit, Severity: ledger.SeverityError, Clause: clause.L56d, Text: "the bodies under way are too long together", Help: "send it again later, or raise the limit"},
	{Code: TargetForm, Severity: ledger.SeverityError, Clause: clause.L58, Text: "the request target or the Host header cannot be part of a URL", Help: "send a path, with other characters percent-encoded, and the name of the host"},
	{Code: HeaderSeveral, Severity: ledger.SeverityError, Clause: clause.Doc55, Text: "a header is there more than once", Help: "send one"},
	{Code: HeaderPresent, Severity: ledger.SeverityError, Clause: clause.Doc55, Text: "the request has an Authorization header already", Help: "leave it out: the transport makes it"},
	{Code: RedirectHost, Severity: ledger.SeverityError, Clause: clause.Doc51, Text: "the answer redirects a signed request to another host", Help: "send it to the address of the service itself"},
}, nil)
