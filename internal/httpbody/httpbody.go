// Package httpbody reads the body of a request whole, for all that judge requests.
package httpbody

import (
	"errors"
	"io"
	"strconv"

	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
)

// A failure is a finding with the error that caused it.
type failure struct {
	ledger.Finding
	cause error
}

func (f *failure) Unwrap() []error { return []error{f.Finding, f.cause} }

// firstBody is the room for a body before any of it has arrived. More is made for what arrives, not for
// what Content-Length promises.
const firstBody = 64 << 10

// Read reads a body whole, up to limit bytes. declared is its Content-Length, negative if it is not known;
// nil is an empty body. The result is nil only with an error, which has one of the codes BodyRead, BodyLength
// and BodyLimit. Only io.EOF itself ends a body: an error that wraps it, and io.ErrUnexpectedEOF, are
// errors like any other.
func Read(source io.Reader, declared, limit int64) ([]byte, error) {
	if declared > limit {
		return nil, tooLong(limit)
	}
	body := []byte{}
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
			return nil, readFailed(errors.New("httpbody: a reader returned an invalid count"))
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
	return httprules.Found(httprules.BodyLength, "the body has "+strconv.FormatInt(n, 10)+" bytes, and Content-Length is "+strconv.FormatInt(declared, 10), "send the body whole")
}

func tooLong(limit int64) error {
	return httprules.Found(httprules.BodyLimit, "the body has more than "+strconv.FormatInt(limit, 10)+" bytes", "send a shorter body, or raise MaxBody")
}

func readFailed(cause error) error {
	return &failure{httprules.Found(httprules.BodyRead, "", ""), cause}
}
