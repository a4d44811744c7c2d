package gateway

import (
	"io"
	"math"
)

// A body is read before its signature can be verified, so that nothing is needed to have one read: the
// sum of those in memory has a limit, whatever each client does.

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

// discard reads and drops the rest of a body for which there is no room: most
// clients send a body whole before they read the answer, and would see the connection break
// instead.
func (v *visit) discard() {
	if v.r.Body != nil {
		_, _ = io.CopyN(io.Discard, v.r.Body, v.g.config.MaxBody)
	}
}
