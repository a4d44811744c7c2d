package signature

import (
	"strconv"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// Options say how a request is judged. The zero value checks neither
// timestamp nor nonce: the document shows no rule for either (L63).
type Options struct {
	Now      time.Time     // the verifier's clock; required with Window
	Window   time.Duration // the largest distance of the timestamp from Now, either way, inclusive, in whole seconds; 0: any
	NonceMin int           // the smallest length of a nonce in bytes; 0: any
	NonceMax int           // the largest length; 0: any
}

// check refuses values that would switch a check off unnoticed.
func (o *Options) check() error {
	refuse := func(message, help string) error { return found(OptionValue, partOptions, message, help) }
	const help = "0 switches the check off"
	switch {
	case o.Window < 0:
		return refuse("Window is negative", help)
	case o.Window > 0 && o.Window < time.Second:
		return refuse("Window is less than a second: "+o.Window.String(), "write a number of units, such as 300 * time.Second")
	case o.Window > 0 && o.Now.IsZero():
		return refuse("Window is set, but Now is not", "set Now to the current time")
	case o.NonceMin < 0 || o.NonceMax < 0:
		return refuse("a length of the nonce is negative", help)
	case o.NonceMax > 0 && o.NonceMax < o.NonceMin:
		return refuse("NonceMax is below NonceMin", "exchange them")
	}
	return nil
}

// freshness judges timestamp and nonce, and reports whether one of them is not what the options ask
// for. The answer never depends on the signature.
func (o *Options) freshness(h *base.Header) (stale bool, findings ledger.Findings) {
	if o.Window > 0 {
		timestamp, _ := base.Value(h.Params, base.Timestamp)
		stale, findings = o.stale(timestamp)
	}
	nonce, _ := base.Value(h.Params, base.Nonce)
	limit := ""
	switch {
	case len(nonce) < o.NonceMin:
		limit = "fewer than " + strconv.Itoa(o.NonceMin)
	case o.NonceMax > 0 && len(nonce) > o.NonceMax:
		limit = "more than " + strconv.Itoa(o.NonceMax)
	default:
		return stale, findings
	}
	return true, append(findings, about(found(NonceLength, base.PartHeader, "the nonce has "+strconv.Itoa(len(nonce))+" bytes; the verifier accepts no "+limit, ""), base.Nonce))
}

// stale compares whole seconds, so that both edges of the window are inside, and says how far and
// in which direction a timestamp is off. What is wrong with one that cannot be read is reported
// already.
func (o *Options) stale(timestamp string) (bool, ledger.Findings) {
	seconds, _ := readTimestamp(timestamp)
	if seconds == 0 {
		return true, nil
	}
	distance, window := seconds-o.Now.Unix(), int64(o.Window/time.Second)
	if -window <= distance && distance <= window { // the smallest number has no opposite
		return false, nil
	}
	direction := "ahead of"
	if distance < 0 {
		distance, direction = -distance, "behind"
	}
	return true, timestampFindings(TimestampStale, "the timestamp is "+span(distance)+" "+direction+" the verifier's clock; the window is "+span(window),
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
