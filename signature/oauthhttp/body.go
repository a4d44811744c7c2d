package oauthhttp

import (
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// The codes of this package.
const (
	BodyRead          ledger.Code = "body-read"
	BodyLength        ledger.Code = "body-length"
	BodyLimit         ledger.Code = "limit-body"
	TargetForm        ledger.Code = "target-form"
	HeaderSeveral     ledger.Code = "header-several"
	HeaderPresent     ledger.Code = "authorization-exists"
	ConsumerUnknown   ledger.Code = "consumer-unknown"
	HandlerIncomplete ledger.Code = "handler-incomplete"
)

// defaultMaxBody is the limit of a body if none is set.
const defaultMaxBody = 10 << 20

// rules is the one table of codes; nothing writes to it.
var rules = [...]signature.Rule{
	{Code: BodyRead, Severity: ledger.SeverityError, Clause: ledger.Doc41, Text: "the body could not be read to its end", Help: "send the request again"},
	{Code: BodyLength, Severity: ledger.SeverityError, Clause: ledger.Doc41, Text: "the body is not as long as Content-Length says", Help: "send the body whole"},
	{Code: BodyLimit, Severity: ledger.SeverityError, Clause: ledger.L56d, Text: "the body is longer than the limit", Help: "send a shorter body, or raise MaxBody"},
	{Code: TargetForm, Severity: ledger.SeverityError, Clause: ledger.L58, Text: "the request target or the Host header cannot be part of a URL", Help: "send a path, with other characters percent-encoded, and the name of the host"},
	{Code: HeaderSeveral, Severity: ledger.SeverityError, Clause: ledger.Doc55, Text: "a header is there more than once", Help: "send one"},
	{Code: HeaderPresent, Severity: ledger.SeverityError, Clause: ledger.Doc55, Text: "the request has an Authorization header already", Help: "leave it out: the transport makes it"},
	{Code: ConsumerUnknown, Severity: ledger.SeverityError, Clause: ledger.Doc51, Text: "no key is known for this consumer", Help: "register the consumer's key"},
	{Code: HandlerIncomplete, Severity: ledger.SeverityError, Clause: ledger.Doc53, Text: "the handler has no Next or no Key", Help: "set both"},
}

// Rules yields every code that this package gives beside those of package signature.
func Rules() iter.Seq[signature.Rule] {
	return func(yield func(signature.Rule) bool) {
		for _, r := range rules {
			if !yield(r) {
				return
			}
		}
	}
}

// found returns the finding of a code; message and help replace those of the table unless empty.
func found(code ledger.Code, message, help string) ledger.Finding {
	f := ledger.Finding{Code: code, Message: message, Help: help}
	for _, r := range rules {
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
