package signature

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/ledger"
)

// Options say how a request is judged. The zero value is the profile gateway, with no check of
// timestamp and nonce: the document shows no rule for either (L63).
type Options struct {
	Profile  Profile
	Now      time.Time     // the verifier's clock; required with Window
	Window   time.Duration // the largest distance of the timestamp from Now, either way, inclusive, in whole seconds; 0: any
	NonceMin int           // the smallest length of a nonce in bytes; 0: any
	NonceMax int           // the largest length; 0: any

	// AllowUnsigned lets bytes through that no signature covers, and that a stranger may have changed: a body that is
	// not a form, under ProfileRFC5849, and a parameter oauth_signature in a body or a query.
	AllowUnsigned bool
}

// check refuses values that would switch a check off unnoticed.
func (o *Options) check() *fault {
	const help = "0 switches the check off"
	switch {
	case o.Window < 0:
		return newFault(OptionValue, partOptions, "Window is negative", help)
	case o.Window > 0 && o.Window < time.Second:
		return newFault(OptionValue, partOptions, "Window is less than a second: "+o.Window.String(), "write a number of units, such as 300 * time.Second")
	case o.Window > 0 && o.Now.IsZero():
		return newFault(OptionValue, partOptions, "Window is set, but Now is not", "set Now to the current time")
	case o.NonceMin < 0 || o.NonceMax < 0:
		return newFault(OptionValue, partOptions, "a length of the nonce is negative", help)
	case o.NonceMax > 0 && o.NonceMax < o.NonceMin:
		return newFault(OptionValue, partOptions, "NonceMax is below NonceMin", "exchange them")
	}
	return nil
}

// freshness judges timestamp and nonce. The answer never depends on the signature.
func (o *Options) freshness(h *header) ledger.Findings {
	var list ledger.Findings
	timestamp, _ := h.value(nameTimestamp)
	nonce, _ := h.value(nameNonce)
	if o.Window > 0 {
		list = append(list, o.stale(timestamp)...)
	}
	switch {
	case len(nonce) < o.NonceMin:
		list = append(list, about(found(NonceLength, partHeader, "the nonce has "+strconv.Itoa(len(nonce))+" bytes; the verifier accepts no fewer than "+strconv.Itoa(o.NonceMin), "send a longer nonce"), nameNonce))
	case o.NonceMax > 0 && len(nonce) > o.NonceMax:
		list = append(list, about(found(NonceLength, partHeader, "the nonce has "+strconv.Itoa(len(nonce))+" bytes; the verifier accepts no more than "+strconv.Itoa(o.NonceMax), "send a shorter nonce"), nameNonce))
	}
	return list
}

// stale compares whole seconds, so that both edges of the window are inside, and says how far and
// in which direction a timestamp is off.
func (o *Options) stale(timestamp string) ledger.Findings {
	seconds, problems := readTimestamp(timestamp)
	if seconds == 0 {
		message := "the timestamp cannot be compared with the clock"
		switch problems[0].Code {
		case TimestampMillis:
			message += ": it looks like milliseconds"
		case TimestampMicros:
			message += ": it looks like microseconds"
		case TimestampNanos:
			message += ": it looks like nanoseconds"
		}
		return timestampFindings(TimestampStale, message, "send the seconds since 1970")
	}
	distance, window := seconds-o.Now.Unix(), int64(o.Window/time.Second)
	if -window <= distance && distance <= window { // the smallest number has no opposite
		return nil
	}
	direction := "ahead of"
	if distance < 0 {
		distance, direction = -distance, "behind"
	}
	return timestampFindings(TimestampStale, "the timestamp is "+span(distance)+" "+direction+" the verifier's clock; the window is "+span(window),
		"set the clock, and send the current time")
}

// span writes a number of seconds in its two largest units: "2 h 3 min".
func span(seconds int64) string {
	units := [...]struct {
		size int64
		name string
	}{{86_400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}
	for i, u := range units {
		if seconds < u.size && u.size > 1 {
			continue
		}
		text := strconv.FormatInt(seconds/u.size, 10) + " " + u.name
		if rest := seconds % u.size; rest > 0 && i+1 < len(units) {
			if next := rest / units[i+1].size; next > 0 {
				text += " " + strconv.FormatInt(next, 10) + " " + units[i+1].name
			}
		}
		return text
	}
	return "0 s"
}

// A Use is one use of a nonce. A nonce is new if its consumer has not used it at that timestamp
// (L63). The zero Use is none.
type Use struct {
	ConsumerKey string
	Timestamp   string // as it was sent: a decimal number of seconds since 1970
	Nonce       string
	// Until is the last second at which the timestamp is inside the window: the caller has to remember the use so long. It is
	// zero where there is no window, and then the use has to be remembered for ever.
	Until time.Time `json:",omitzero"`
}

// Hash identifies a use by its texts; Until is not in it.
func (u Use) Hash() [sha256.Size]byte {
	var text []byte
	for _, part := range [...]string{u.ConsumerKey, u.Timestamp, u.Nonce} {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}

// lastTimestamp is 9999-12-31T23:59:59Z.
const lastTimestamp = 253402300799

// Timestamp returns a time as oauth_timestamp: whole seconds since 1970 (5.1). Times before
// 1970-01-01T00:00:01Z give a text that no request can be signed with.
func Timestamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// Nonce returns an oauth_nonce: 16 bytes of entropy as 32 hex digits (5.1). Pass
// crypto/rand.Reader. A source that ends or fails is an error with the code [NonceEntropy], never
// a shorter nonce.
func Nonce(entropy io.Reader) (string, error) {
	var raw [16]byte
	if entropy == nil {
		return "", newFault(NonceEntropy, partOptions, "", "").err()
	}
	if _, err := io.ReadFull(entropy, raw[:]); err != nil {
		return "", newFault(NonceEntropy, partOptions, "", "").err()
	}
	return hex.EncodeToString(raw[:]), nil
}

// readTimestamp reads a number of seconds in digits. It returns 0 and an error for anything else,
// and a warning for leading zeros, which are signed as they are.
func readTimestamp(text string) (int64, ledger.Findings) {
	digits := 0
	var value int64
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, timestampFindings(TimestampSyntax, "", "")
		}
		if digits > 0 || text[i] != '0' {
			digits++
		}
		if digits > 19 {
			return 0, timestampFindings(TimestampRange, "the timestamp has more than 19 digits", "send the seconds since 1970")
		}
		if value < 1e17 {
			value = value*10 + int64(text[i]-'0')
		}
	}
	if digits == 0 {
		return 0, timestampFindings(TimestampSyntax, "the timestamp is zero or empty", "send the seconds since 1970")
	}
	if finer := finerUnit(digits, text); finer != nil {
		return 0, finer
	}
	if value > lastTimestamp {
		return 0, timestampFindings(TimestampRange, "", "")
	}
	if text[0] == '0' {
		return value, timestampFindings(LeadingZero, "", "")
	}
	return value, nil
}

func timestampFindings(code ledger.Code, message, help string) ledger.Findings {
	return ledger.Findings{about(found(code, partHeader, message, help), nameTimestamp)}
}

// finerUnit recognises milliseconds, microseconds and nanoseconds by their length.
func finerUnit(digits int, text string) ledger.Findings {
	var code ledger.Code
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
		return timestampFindings(TimestampRange, "the timestamp is the largest number of 64 bits", "send the seconds since 1970")
	}
	help := "send the seconds since 1970"
	if seconds := text[len(text)-digits:][:10]; seconds[0] == '1' { // until 2033; what begins otherwise may be a card number
		help = "in seconds it is " + seconds
	}
	return timestampFindings(code, "the timestamp is in "+unit, help)
}
