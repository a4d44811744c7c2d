package signature

import (
	"strconv"
	"time"

	"github.com/chargecast/chargecast/ledger"
)

// Options say how a request is judged. The zero value is the profile gateway, with no check of
// timestamp and nonce: the document shows no rule for either (L63).
type Options struct {
	Profile  Profile
	Now      time.Time     // the verifier's clock; required with Window
	Window   time.Duration // the largest distance of the timestamp from Now, either way, inclusive; 0: any
	NonceMin int           // the smallest length of a nonce in bytes; 0: any
	NonceMax int           // the largest length; 0: any
}

// check refuses values that would switch a check off unnoticed.
func (o *Options) check() *fault {
	const help = "0 switches the check off"
	switch {
	case o.Window < 0:
		return newFault(OptionValue, partOptions, "Window is negative", help)
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
