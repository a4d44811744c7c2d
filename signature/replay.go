package signature

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// A Use is one use of a nonce. A nonce is new if its consumer has not used it at that timestamp
// (L63). The zero Use is none.
type Use struct {
	ConsumerKey string
	Timestamp   string // as it was sent: a decimal number of seconds since 1970
	Nonce       string
}

// Replays remembers which nonces were used. Implementations can be called by several goroutines at
// the same time.
type Replays interface {
	// Remember records a use. It returns nil if the use is new, [NonceReused] if it was recorded
	// before, and any other error if it cannot tell. It looks and records in one step: of two calls
	// with the same new use only one returns nil.
	Remember(ctx context.Context, u Use) error
}

// MemoryReplays is a [Replays] in memory. It keeps the latest uses up to a fixed number, about 100
// bytes each however long their texts are, and forgets older ones: it must hold as many uses as
// arrive within the window of accepted timestamps. The zero value and nil hold nothing and refuse
// every use.
type MemoryReplays struct {
	mu   sync.Mutex
	seen map[[sha256.Size]byte]struct{}
	ring [][sha256.Size]byte // the uses by their arrival; once there are most of them, next is the oldest
	next int
	most int
}

// NewMemoryReplays returns a store of at most capacity uses; a capacity below 1 counts as 1. Memory is
// taken as uses arrive.
func NewMemoryReplays(capacity int) *MemoryReplays {
	return &MemoryReplays{seen: map[[sha256.Size]byte]struct{}{}, most: max(capacity, 1)}
}

// Remember records a use and forgets the oldest one if the store is full. An error has the code
// [NonceReused], or [OAuthMissing] for the zero Use, or is that of a context that has ended.
func (m *MemoryReplays) Remember(ctx context.Context, u Use) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if u.ConsumerKey == "" || u.Timestamp == "" || u.Nonce == "" {
		return about(found(OAuthMissing, partHeader, "a use has no consumer key, timestamp or nonce", "remember the use that Verify returns without an error"), nameNonce)
	}
	if m == nil {
		return zeroReplays()
	}
	id := u.digest()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		return zeroReplays()
	}
	if _, ok := m.seen[id]; ok {
		return about(found(NonceReused, partHeader, "", ""), nameNonce)
	}
	if len(m.ring) < m.most {
		m.ring = append(m.ring, id)
	} else {
		delete(m.seen, m.ring[m.next])
		m.ring[m.next] = id
		m.next = (m.next + 1) % len(m.ring)
	}
	m.seen[id] = struct{}{}
	return nil
}

func zeroReplays() error {
	return newFault(OptionValue, partOptions, "the replay store is nil or its zero value", "make it with NewMemoryReplays").err()
}

// digest identifies a use by the hash of its texts with their lengths.
func (u Use) digest() [sha256.Size]byte {
	var text []byte
	for _, part := range [...]string{u.ConsumerKey, u.Timestamp, u.Nonce} {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}
