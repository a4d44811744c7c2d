package signature

import (
	"encoding/hex"
	"io"
	"strconv"
	"sync"
	"time"
)

// lastTimestamp is 9999-12-31T23:59:59Z.
const lastTimestamp = 253402300799

// Timestamp writes a time as oauth_timestamp: whole seconds since 1970 (5.1). Times before 1970-01-01T00:00:01Z give a
// text that no header takes.
func Timestamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// readTimestamp reads seconds as digits (R124). It gives 0 and a fault for anything else, and a warning for leading
// zeros, which are signed as they are.
func readTimestamp(text string) (int64, []Finding) {
	digits := 0
	var value int64
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, []Finding{fault(TimestampSyntax, "5.1", "the timestamp is no plain number of seconds", "send the seconds since 1970 in digits alone")}
		}
		if digits > 0 || text[i] != '0' {
			digits++
		}
		if digits > 19 {
			return 0, []Finding{fault(TimestampRange, "5.1", "the timestamp has more than 19 digits", "send the seconds since 1970")}
		}
		if value < 1e17 {
			value = value*10 + int64(text[i]-'0')
		}
	}
	if digits == 0 {
		return 0, []Finding{fault(TimestampSyntax, "5.1", "the timestamp is zero or empty", "send the seconds since 1970")}
	}
	if found := finerUnit(digits, text); found != nil {
		return 0, found
	}
	if value > lastTimestamp {
		return 0, []Finding{fault(TimestampRange, "5.1", "the timestamp lies past the year 9999", "send the seconds since 1970")}
	}
	if text[0] == '0' {
		return value, []Finding{warning(LeadingZero, "5.1", "the timestamp has leading zeros; it is signed as it stands", "send it without them")}
	}
	return value, nil
}

// finerUnit recognises milli-, micro- and nanoseconds by their length.
func finerUnit(digits int, text string) []Finding {
	var code Code
	var unit string
	switch digits {
	case 13:
		code, unit = TimestampMillis, "milliseconds"
	case 16:
		code, unit = TimestampMicros, "microseconds"
	case 19:
		code, unit = TimestampNanos, "nanoseconds"
	default:
		return nil
	}
	if text == "9223372036854775807" {
		return []Finding{fault(TimestampRange, "5.1", "the timestamp is the largest number of 64 bits", "send the seconds since 1970")}
	}
	start := len(text) - digits
	return []Finding{fault(code, "5.1", "the timestamp is in "+unit, "in seconds it is "+text[start:start+10])}
}

// Nonce makes oauth_nonce: 16 bytes of entropy as 32 hex digits (5.1, R122). Give it crypto/rand.Reader; a source that
// ends or fails is an *Error with Entropy, never a shorter nonce.
func Nonce(entropy io.Reader) (string, error) {
	var raw [16]byte
	if _, err := io.ReadFull(entropy, raw[:]); err != nil {
		return "", &Error{Code: Entropy, Offset: noOffset, Rule: "the source of nonces gave fewer than 16 bytes", Clause: "5.1"}
	}
	return hex.EncodeToString(raw[:]), nil
}

// Use is one use of a nonce. Uniqueness is per consumer key and timestamp (L63).
type Use struct{ ConsumerKey, Timestamp, Nonce string }

// ReplayStore remembers which nonces were used. Implementations that several goroutines share lock inside.
type ReplayStore interface {
	// Seen reports whether the use was remembered before.
	Seen(Use) bool
	// Remember records a use and reports whether it was remembered before, in one step.
	Remember(Use) bool
}

// MemoryReplays is a ReplayStore in memory that keeps the latest uses up to a fixed number; older ones are forgotten,
// so the window of accepted timestamps must be short enough for it. It may be shared. Make it with NewMemoryReplays.
type MemoryReplays struct {
	mu   sync.Mutex
	seen map[Use]struct{}
	ring []Use
	next int
}

// NewMemoryReplays makes a store of at most capacity uses; less than one counts as one.
func NewMemoryReplays(capacity int) *MemoryReplays {
	return &MemoryReplays{seen: map[Use]struct{}{}, ring: make([]Use, 0, max(capacity, 1))}
}

// Seen reports whether the use is remembered.
func (m *MemoryReplays) Seen(u Use) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.seen[u]
	return ok
}

// Remember records the use, and forgets the oldest when it is full.
func (m *MemoryReplays) Remember(u Use) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.seen[u]; ok {
		return true
	}
	if len(m.ring) < cap(m.ring) {
		m.ring = append(m.ring, u)
	} else {
		delete(m.seen, m.ring[m.next])
		m.ring[m.next] = u
		m.next = (m.next + 1) % len(m.ring)
	}
	m.seen[u] = struct{}{}
	return false
}

// Freshness says what a verifier asks of timestamp and nonce (L63). The document shows no rule, so the zero value asks
// nothing. Each part is on by itself.
type Freshness struct {
	Now      time.Time     // the clock, read by the caller; needed with Window only
	Window   time.Duration // largest distance of the timestamp from Now, either way, inclusive; zero: any
	NonceMin int           // smallest length of a nonce in bytes; zero: any
	NonceMax int           // largest length; zero: any
	Replays  ReplayStore   // nil: nonces may repeat
}

func (f Freshness) asked() bool {
	return f.Window > 0 || f.NonceMin > 0 || f.NonceMax > 0 || f.Replays != nil
}

// Fresh is the answer to Freshness. The zero Fresh says that nothing was asked.
type Fresh uint8

// Not asked, yes, no.
const (
	FreshUnknown Fresh = iota
	FreshYes
	FreshNo
)

// String gives "not asked", "yes" or "no".
func (f Fresh) String() string {
	switch f {
	case FreshYes:
		return "yes"
	case FreshNo:
		return "no"
	}
	return "not asked"
}

// check judges timestamp and nonce. Only a use whose signature is right is remembered, or a stranger could spoil
// nonces; the answer itself never depends on the signature.
func (f Freshness) check(h *Header, signed bool) (Fresh, []Finding) {
	if !f.asked() {
		return FreshUnknown, nil
	}
	var findings []Finding
	timestamp, _ := h.Value(nameTimestamp)
	nonce, _ := h.Value(nameNonce)
	consumer, _ := h.Value(nameConsumerKey)
	if f.Window > 0 && !f.inWindow(timestamp) {
		findings = append(findings, fault(FreshnessStale, "L63", "the timestamp is outside the window", "set the clock, and send the current time"))
	}
	if len(nonce) < f.NonceMin || f.NonceMax > 0 && len(nonce) > f.NonceMax {
		findings = append(findings, fault(FreshnessNonce, "L63", "the nonce is shorter or longer than asked", "send one of the length asked"))
	}
	if f.Replays != nil {
		use := Use{consumer, timestamp, nonce}
		if signed && f.Replays.Remember(use) || !signed && f.Replays.Seen(use) {
			findings = append(findings, fault(FreshnessReplay, "L63", "the nonce was used before by this consumer at this second", "send a new nonce"))
		}
	}
	if len(findings) > 0 {
		return FreshNo, findings
	}
	return FreshYes, nil
}

// inWindow compares whole seconds: both edges are inside.
func (f Freshness) inWindow(timestamp string) bool {
	seconds, found := readTimestamp(timestamp)
	if seconds == 0 || len(found) > 0 && found[0].Severity == Fault {
		return false
	}
	distance := seconds - f.Now.Unix()
	return max(distance, -distance) <= int64(f.Window/time.Second)
}
