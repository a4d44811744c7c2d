// Package explained has what the command and the page explain: the meaning of every code.
package explained

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// The codes about the files and variables that a key or a secret is read from.
const (
	SecretForm     ledger.Code = "secret-form"
	SecretLineEnd  ledger.Code = "secret-line-end"
	KeyPermissions ledger.Code = "key-permissions"
)

var keys = ledger.NewRules([]ledger.Rule{
	{Code: SecretForm, Severity: ledger.SeverityError, Basis: ledger.Assumed, Clause: clause.L64, Text: "the secret has something around it that hardly belongs to it",
		Help: "write the secret alone, or give --secret-as-is if that is the secret", Note: "a space inside it is a warning"},
	{Code: SecretLineEnd, Severity: ledger.SeverityWarning, Basis: ledger.Assumed, Clause: clause.L64, Text: "the file with the secret ends in a line end, which is not used as part of the secret",
		Help: "write the secret without a line end, as printf does"},
	{Code: KeyPermissions, Severity: ledger.SeverityWarning, Basis: ledger.Assumed, Text: "everybody on this machine may read the private key",
		Help: "change that with chmod 600"},
}, nil)

// KeyRules yields what the codes of this package mean.
func KeyRules() iter.Seq[ledger.Rule] { return keys.All() }

// Rules returns the rules of all packages.
func Rules() ledger.Rules {
	var all []ledger.Rule
	for _, room := range [...]iter.Seq[ledger.Rule]{
		rules.Rules(), record.Rules(), reconcile.Rules(), engine.Rules(), signature.Rules(), capture.Rules(), httprules.Rules(), KeyRules(),
	} {
		all = slices.AppendSeq(all, room)
	}
	return ledger.NewRules(all, nil)
}
