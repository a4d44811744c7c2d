package signature

import (
	"encoding/hex"
	"io"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

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
		return "", found(NonceEntropy, partOptions, "", "")
	}
	if _, err := io.ReadFull(entropy, raw[:]); err != nil {
		return "", found(NonceEntropy, partOptions, "", "")
	}
	return hex.EncodeToString(raw[:]), nil
}

const sendSeconds = "send the seconds since 1970"

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
			return 0, timestampFindings(TimestampRange, "the timestamp has more than 19 digits", sendSeconds)
		}
		if value < 1e17 {
			value = value*10 + int64(text[i]-'0')
		}
	}
	if digits == 0 {
		return 0, timestampFindings(TimestampSyntax, "the timestamp is zero or empty", sendSeconds)
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
	return ledger.Findings{about(found(code, base.PartHeader, message, help), base.Timestamp)}
}

// finerUnit recognises milliseconds, microseconds and nanoseconds by their length.
func finerUnit(digits int, text string) ledger.Findings {
	code := map[int]ledger.Code{13: TimestampMillis, 16: TimestampMicros, 19: TimestampNanos}[digits]
	switch {
	case code == "":
		return nil
	case text == "9223372036854775807":
		return timestampFindings(TimestampRange, "the timestamp is the largest number of 64 bits", sendSeconds)
	}
	help := sendSeconds
	if seconds := text[len(text)-digits:][:10]; seconds[0] == '1' { // until 2033; what begins otherwise may be a card number
		help = "in seconds it is " + seconds
	}
	return timestampFindings(code, "", help)
}
