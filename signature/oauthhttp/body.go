package oauthhttp

import (
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
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
func Rules() iter.Seq[signature.Rule] { return httprules.All() }

// found returns the finding of a code; message and help replace those of the table unless empty.
func found(code ledger.Code, message, help string) ledger.Finding {
	f := ledger.Finding{Code: code, Message: message, Help: help}
	for r := range httprules.All() {
		if r.Code == code {
			f.Severity, f.Clause, f.Basis = r.Severity, r.Clause, r.Clause.Basis()
			if message == "" {
				f.Message, f.Help = r.Text, r.Help
			}
		}
	}
	return f
}

// A failure is a finding with the error that caused it.
type failure struct {
	ledger.Finding
	cause error
}

func (f *failure) Unwrap() []error { return []error{f.Finding, f.cause} }

// firstBody is the room for a body before any of it has arrived. More is made for what arrives, not for
// what Content-Length promises.
const firstBody = 64 << 10

// readBody reads a body whole. declared is its Content-Length, negative if it is not known. Only io.EOF
// itself ends a body: an error that wraps it, and io.ErrUnexpectedEOF, are errors like any other.
func readBody(source io.Reader, declared, limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = defaultMaxBody
	}
	if declared > limit {
		return nil, tooLong(limit)
	}
	var body []byte
	if declared > 0 {
		body = make([]byte, 0, min(declared, firstBody)+1)
	}
	if source == nil {
		return body, checkLength(0, declared)
	}
	for idle := 0; ; {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		room := body[len(body):cap(body)]
		n, err := source.Read(room)
		if n < 0 || n > len(room) {
			return nil, readFailed(errors.New("oauthhttp: a reader returned an invalid count"))
		}
		body = body[:len(body)+n]
		if int64(len(body)) > limit {
			return nil, tooLong(limit)
		}
		switch {
		case err == io.EOF: //nolint:errorlint // an error that wraps it is not the end
			if err := checkLength(int64(len(body)), declared); err != nil {
				return nil, err
			}
			return body, nil
		case err != nil:
			return nil, readFailed(err)
		case n > 0:
			idle = 0
		default:
			if idle++; idle == 100 {
				return nil, readFailed(io.ErrNoProgress)
			}
		}
	}
}

func checkLength(n, declared int64) error {
	if declared < 0 || n == declared {
		return nil
	}
	return found(BodyLength, "the body has "+strconv.FormatInt(n, 10)+" bytes, and Content-Length is "+strconv.FormatInt(declared, 10), "send the body whole")
}

func tooLong(limit int64) error {
	return found(BodyLimit, "the body has more than "+strconv.FormatInt(limit, 10)+" bytes", "send a shorter body, or raise MaxBody")
}

func readFailed(cause error) error {
	return &failure{found(BodyRead, "", ""), cause}
}
