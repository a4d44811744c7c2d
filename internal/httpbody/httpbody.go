// Package httpbody reads the whole body of a request, and limits the memory of the bodies of all requests.
package httpbody

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
)

// A failure is a finding with the error that caused it.
type failure struct {
	ledger.Finding
	cause error
}

func (f *failure) Unwrap() []error { return []error{f.Finding, f.cause} }

// firstSize limits the buffer for a body before any of it has arrived, whatever Content-Length is.
const firstSize = 4 << 10

// Read reads a whole body of up to limit bytes. declared is its Content-Length, negative if it is not
// known; nil is an empty body. The text is empty with an error, which has one of the codes
// BodyRead, BodyLength and BodyLimit. Only io.EOF itself ends a body: an error that wraps it, and
// io.ErrUnexpectedEOF, are errors like any other.
func Read(source io.Reader, declared, limit int64) (string, error) {
	if declared > limit {
		return "", tooLong(limit)
	}
	if source == nil {
		return "", checkLength(0, declared)
	}
	body := make([]byte, 0, 1+min(firstSize, uint64(limit), uint64(declared))) // one byte more shows that a body is too long
	for idle := 0; ; idle++ {
		if len(body) == cap(body) {
			more := len(body) // to twice the size, but no more than Content-Length
			if rest := int(declared) - len(body); 0 <= rest && rest < more {
				more = rest + 1
			}
			body = slices.Grow(body, more)
		}
		free := body[len(body):cap(body)]
		n, err := source.Read(free)
		if n < 0 || n > len(free) {
			return "", readFailed(errors.New("httpbody: a reader returned an invalid count"))
		}
		body = body[:len(body)+n]
		switch size := int64(len(body)); {
		case size > limit:
			return "", tooLong(limit)
		case err == io.EOF: //nolint:errorlint // an error that wraps it is not the end
			if err := checkLength(size, declared); err != nil {
				return "", err
			}
			return string(body), nil
		case err != nil:
			return "", readFailed(err)
		case n > 0:
			idle = -1
		case idle == 99:
			return "", readFailed(io.ErrNoProgress)
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
	return httprules.Found(httprules.BodyLimit, "the body has more than "+strconv.FormatInt(limit, 10)+" bytes", "send a shorter body, or raise the limit")
}

func readFailed(cause error) error {
	return &failure{httprules.Found(httprules.BodyRead, "", ""), cause}
}

// A Budget counts the bytes of all bodies in memory. A body is read before its signature can be verified, so the sum needs
// a limit that holds whatever clients do. In the zero Budget nothing is counted yet.
type Budget struct {
	mu   sync.Mutex
	used int64
}

// add counts n bytes if the sum is then at most most, and reports whether it is.
func (b *Budget) add(n, most int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > most-b.used {
		return false
	}
	b.used += n
	return true
}

// Fits reports whether add would count n bytes now.
func (b *Budget) Fits(n, most int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return n <= most-b.used
}

// Full returns the finding about a body for which the budget is too small.
func Full(most int64) ledger.Finding {
	return httprules.Found(httprules.BodiesLimit, "the bodies of this request and of those under way have more than "+strconv.FormatInt(most, 10)+" bytes together", "")
}

// A CountedBody is a body whose bytes are counted in a budget as they are read, until it is released. What a client
// announces and does not send is not counted.
type CountedBody struct {
	Source  io.Reader
	Budget  *Budget
	Most    int64 // bytes of all bodies in the budget
	counted int64
}

// Read reads from the source. The error is that of the source, or [Full].
func (h *CountedBody) Read(p []byte) (int, error) {
	n, err := h.Source.Read(p)
	if n <= 0 {
		return n, err
	}
	if !h.Budget.add(int64(n), h.Most) {
		return 0, Full(h.Most)
	}
	h.counted += int64(n)
	return n, err
}

// Release removes the bytes from the budget.
func (h *CountedBody) Release() {
	if h.Budget == nil {
		return
	}
	h.Budget.mu.Lock()
	defer h.Budget.mu.Unlock()
	h.Budget.used -= h.counted
	h.counted = 0
}
