package oauthhttp

import (
	"io"
	"iter"

	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of this package.
const (
	BodyRead          = httprules.BodyRead
	BodyLength        = httprules.BodyLength
	BodyLimit         = httprules.BodyLimit
	TargetForm        = httprules.TargetForm
	HeaderSeveral     = httprules.HeaderSeveral
	HeaderPresent     = httprules.HeaderPresent
	ConsumerUnknown   = httprules.ConsumerUnknown
	HandlerIncomplete = httprules.HandlerIncomplete
)

// defaultMaxBody is the limit of a body if none is set.
const defaultMaxBody = 10 << 20

// Rules yields every code that this package gives beside those of package signature.
func Rules() iter.Seq[ledger.Rule] { return httprules.Rules() }

// found returns the finding of a code; message and help replace those of the table unless empty.
func found(code ledger.Code, message, help string) ledger.Finding {
	return httprules.Found(code, message, help)
}

// readBody reads a body whole; a limit of 0 is that of this package.
func readBody(source io.Reader, declared, limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = defaultMaxBody
	}
	return httpbody.Read(source, declared, limit)
}
