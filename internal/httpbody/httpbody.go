// Package httpbody reads the body of a request whole, for all that judge requests, and bounds what
// bodies take together.
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

// firstRoom is all the room that there is for a body before any of it has arrived, whatever
// Content-Length promises.
const firstRoom = 4 << 10

// Read reads a body whole, up to limit bytes. declared is its Content-Length, negative if it is not
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
	body := make([]byte, 0, 1+min(firstRoom, uint64(limit), uint64(declared))) // with a byte to see what is too long
	for idle := 0; ; idle++ {
		if len(body) == cap(body) {
			more := len(body) // twice as much, but no more than is promised
			if rest := int(declared) - len(body); 0 <= rest && rest < more {
				more = rest + 1
			}
			body = slices.Grow(body, more)
		}
		room := body[len(body):cap(body)]
		n, err := source.Read(room)
		if n < 0 || n > len(room) {
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

// A Room counts the bytes of the bodies in memory, of all requests that are being judged: a body is
// read before its signature can be verified, so that their sum has to have a limit, whatever each
// client does. The zero Room has none.
type Room struct {
	mu   sync.Mutex
	held int64
}

// take counts n bytes if there is room for them among most, and reports whether there is.
func (r *Room) take(n, most int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > most-r.held {
		return false
	}
	r.held += n
	return true
}

// Fits reports whether there is room for n bytes now. They may never arrive, and are not counted.
func (r *Room) Fits(n, most int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return n <= most-r.held
}

// Full returns the finding about a body without room.
func Full(most int64) ledger.Finding {
	return httprules.Found(httprules.BodiesLimit, "the bodies of this request and of those under way have more than "+strconv.FormatInt(most, 10)+" bytes together", "")
}

// A Held is a body whose bytes are counted in a room as they are read, until it is released. A
// client that promises many and sends few takes no room from others.
type Held struct {
	Source io.Reader
	Room   *Room
	Most   int64 // bytes of all bodies in the room
	held   int64
}

// Read reads from the source. An error of [Full] says that there is no room.
func (h *Held) Read(p []byte) (int, error) {
	n, err := h.Source.Read(p)
	if n <= 0 {
		return n, err
	}
	if !h.Room.take(int64(n), h.Most) {
		return 0, Full(h.Most)
	}
	h.held += int64(n)
	return n, err
}

// Release gives the room back.
func (h *Held) Release() {
	if h.Room == nil {
		return
	}
	h.Room.mu.Lock()
	defer h.Room.mu.Unlock()
	h.Room.held -= h.held
	h.held = 0
}
