package gateway

import (
	"errors"
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/chargecast/chargecast/ledger"
)

// A body is read before its signature can be verified, so that a login is all that a client needs
// to have one read: the sum of those in memory has a limit, whatever each of them does.

const (
	minBodies  = 256 << 20 // the sum of bodies by default, at least
	bodiesEach = 4         // … and as many of the longest
)

// defaultBodies returns the limit of the sum of bodies, if none is set, for that of one body.
func defaultBodies(one int64) int64 {
	if one > math.MaxInt64/bodiesEach {
		return math.MaxInt64
	}
	return max(minBodies, bodiesEach*one)
}

// bodies counts the bytes of the bodies in memory, of all create requests that are being judged.
type bodies struct {
	most int64
	mu   sync.Mutex
	held int64
}

// fits reports whether there is room for n bytes now. They may never arrive, and are not counted.
func (b *bodies) fits(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return n <= b.most-b.held
}

// hold counts n bytes if there is room for them, and reports whether there is.
func (b *bodies) hold(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.most-b.held {
		return false
	}
	b.held += n
	return true
}

// release takes back bytes that hold counted.
func (b *bodies) release(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held -= n
}

// full is the finding about a body without room.
func (b *bodies) full() ledger.Finding {
	f := ReasonTooLarge.finding()
	f.Message = "the bodies of this request and of those under way have more than " + strconv.FormatInt(b.most, 10) + " bytes together"
	f.Help = "send it again, or raise MaxBodies"
	return f
}

// discard reads and drops the rest of a body for which there is no room: most
// clients send a body whole before they read the answer, and would see the connection break
// instead.
func (v *visit) discard() {
	if v.r.Body != nil {
		_, _ = io.CopyN(io.Discard, v.r.Body, v.g.config.MaxBody)
	}
}

// A heldBody is a body whose bytes are counted as they are read, until it is released. A client
// that promises many and sends few takes no room from others.
type heldBody struct {
	source io.Reader
	of     *bodies
	held   int64
}

// errBodies ends the reading of a body for which there is no room.
var errBodies = errors.New("gateway: no room for a body")

func (h *heldBody) Read(p []byte) (int, error) {
	n, err := h.source.Read(p)
	if n <= 0 {
		return n, err
	}
	if !h.of.hold(int64(n)) {
		return 0, errBodies
	}
	h.held += int64(n)
	return n, err
}

func (h *heldBody) release() {
	if h.of != nil {
		h.of.release(h.held)
	}
	h.held = 0
}
