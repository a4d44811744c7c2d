package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// ics writes an iCalendar file (RFC 5545): an event of a whole day for each charge, each event of a
// script and each stop. Its stamps are the as-of day, so that equal questions give equal bytes.
type ics struct {
	*sheet
	of      record.Profile
	events  map[string]int // events and stops of the profile, by kind and day
	stopped calendar.Date  // the day of the last stop
	empty   bool           // there was no charge
}

func newICS(s *sheet) *ics {
	c := &ics{sheet: s, events: map[string]int{}, empty: true}
	h, name := &s.head, "Forecast of charges, "+s.window()
	if s.isSimulation() {
		name = "Simulated charges, " + s.window()
	}
	c.property("BEGIN", "VCALENDAR")
	c.property("VERSION", "2.0")
	c.property("PRODID", "-//chargecast//"+string(h.Schema)+"//EN")
	c.property("CALSCALE", "GREGORIAN")
	c.property("NAME", name)
	c.property("X-WR-CALNAME", name)
	c.property("X-CHARGECAST-AS-OF", h.AsOf.String())
	if h.Zone != "" {
		c.property("X-CHARGECAST-ZONE", h.Zone)
	}
	c.property("X-CHARGECAST-POLICY", h.Policy.String())
	if s.isSimulation() {
		c.property("X-CHARGECAST-SEED", strconv.FormatUint(h.Seed, 10))
	}
	return c
}

func (c *ics) start(p *record.Profile) {
	c.of, c.stopped = *p, calendar.Date{}
	clear(c.events)
}

func (c *ics) charge(e *engine.Charge) {
	c.empty = false
	what := words.Amount(e) + " " + c.of.Currency
	if e.Outcome == engine.OutcomeDeclined {
		what += ", declined"
	}
	about := append([]string{"repeat " + strconv.FormatUint(e.Repeat, 10)}, words.Remarks(e)...)
	c.day(e.Date, e.Because, "charge "+e.Key(), what, strings.Join(about, ", "))
}

func (c *ics) event(e *engine.Effect) {
	switch e.Kind {
	case engine.EffectStop:
		c.stop(&e.Stop)
	case engine.EffectEvent:
		what := eventWord(e.Event) + " " + e.Result.String()
		about := what
		if e.Refusal != nil {
			about = e.Refusal.Error()
		}
		c.day(e.Date, e.Because, c.key("event-"+eventWord(e.Event), e.Date), what, about)
	case engine.EffectCharge:
	}
}

func (c *ics) end(e *engine.End) {
	if !e.Stop.IsZero() && e.Stop.Date != c.stopped {
		c.stop(&e.Stop)
	}
}

func (c *ics) stop(s *engine.Stop) {
	if s.Date.Before(c.first()) {
		return
	}
	c.day(s.Date, s.Because, c.key("stop", s.Date), "stopped", words.Reasons(s.Reasons))
	c.stopped = s.Date
}

// key tells an event or a stop apart from the others of its profile.
func (c *ics) key(kind string, d calendar.Date) string {
	kind += " " + d.String()
	c.events[kind]++
	return kind + "#" + strconv.Itoa(c.events[kind])
}

func (c *ics) total(*record.Total) {}

// finish ends the calendar, which may not be empty (RFC 5545, 3.6).
func (c *ics) finish() {
	if c.empty {
		c.of = record.Profile{}
		c.write(c.first(), "none", "No charges "+c.window(), "as of "+c.head.AsOf.String())
	}
	c.property("END", "VCALENDAR")
}

// day writes an event of the profile: what it is and a description.
func (c *ics) day(d calendar.Date, why ledger.Because, key, what, about string) {
	about += "; " + c.basis(why).String()
	if c.options.Explain {
		about += " [" + why.String() + "]"
	}
	c.write(d, key, c.of.Subject.Profile+": "+what, about)
}

// write writes an event of a whole day. Its id is a hash of the client-orderid and a key, so that a
// charge has the same one in every calendar of the payload, whatever rows come before it. Profiles
// with one client-orderid share their ids.
func (c *ics) write(d calendar.Date, key, summary, about string) {
	profile := c.of.Subject.Profile
	id := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", len(profile), profile, key))
	c.property("BEGIN", "VEVENT")
	c.property("UID", hex.EncodeToString(id[:16])+"@chargecast")
	c.property("DTSTAMP", icsDay(c.head.AsOf)+"T000000Z")
	c.property("DTSTART;VALUE=DATE", icsDay(d))
	c.property("SUMMARY", summary)
	c.property("DESCRIPTION", about)
	c.property("TRANSP", "TRANSPARENT")
	c.property("END", "VEVENT")
}

func icsDay(d calendar.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

// icsFold is how many bytes a content line may have (RFC 5545, 3.1).
const icsFold = 75

// icsText escapes what ends or divides a value (RFC 5545, 3.3.11).
var icsText = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`)

// property writes a content line. Control characters are made visible, and a line that is too long
// is broken between characters.
func (s *sheet) property(name, value string) {
	from := len(s.b)
	s.b = append(s.b, name+":"+icsText.Replace(termtext.Visible(value))...)
	for room := icsFold; len(s.b)-from > room; room = icsFold - 1 {
		from += room
		for !utf8.RuneStart(s.b[from]) {
			from--
		}
		s.b = slices.Insert(s.b, from, '\r', '\n', ' ')
		from += len("\r\n ")
	}
	s.b = append(s.b, "\r\n"...)
}
