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
	of      Profile
	ids     chargeIDs
	events  map[string]uint64 // events and stops of the profile, by kind
	stopped calendar.Date     // the day of the last stop
	empty   bool              // there was no charge
}

func newICS(s *sheet) *ics {
	c := &ics{sheet: s, events: map[string]uint64{}, empty: true}
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

func (c *ics) start(p *Profile) {
	c.of, c.ids, c.stopped = *p, chargeIDs{}, calendar.Date{}
	clear(c.events)
}

func (c *ics) charge(e *engine.Charge) {
	c.empty = false
	what := words.Amount(e) + " " + c.of.Currency
	if e.Outcome == engine.OutcomeDeclined {
		what += ", declined"
	}
	about := append([]string{"repeat " + strconv.FormatUint(e.Repeat, 10)}, words.Remarks(e)...)
	c.day(e.Date, e.Because, c.ids.next(e), what, strings.Join(about, ", "))
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
		c.day(e.Date, e.Because, c.next("event-"+eventWord(e.Event)), what, about)
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
	c.day(s.Date, s.Because, c.next("stop"), "stopped", words.Reasons(s.Reasons))
	c.stopped = s.Date
}

// next returns the id of an event or a stop.
func (c *ics) next(kind string) icsID {
	c.events[kind]++
	return icsID{kind, 0, c.events[kind] - 1}
}

func (c *ics) total(*record.Total) {}

// finish ends the calendar, which may not be empty (RFC 5545, 3.6).
func (c *ics) finish() {
	if c.empty {
		c.of = Profile{}
		c.write(c.first(), icsID{kind: "none"}, "No charges "+c.window(), "as of "+c.head.AsOf.String())
	}
	c.property("END", "VCALENDAR")
}

// day writes an event of the profile: what it is and a description.
func (c *ics) day(d calendar.Date, why ledger.Because, id icsID, what, about string) {
	about += "; " + c.basis(why).String()
	if c.options.Explain {
		about += " [" + why.String() + "]"
	}
	c.write(d, id, c.of.Subject.Profile+": "+what, about)
}

// write writes an event of a whole day.
func (c *ics) write(d calendar.Date, id icsID, summary, about string) {
	c.property("BEGIN", "VEVENT")
	c.property("UID", id.uid(c.of.Subject.Profile))
	c.property("DTSTAMP", icsDay(c.head.AsOf)+"T000000Z")
	c.property("DTSTART;VALUE=DATE", icsDay(d))
	c.property("SUMMARY", summary)
	c.property("DESCRIPTION", about)
	c.property("TRANSP", "TRANSPARENT")
	c.property("END", "VEVENT")
}

// An icsID tells an event apart from the others of its profile: its kind, its repeat number and how
// often these came before.
type icsID struct {
	kind          string
	repeat, again uint64
}

// uid makes an id from a hash, so that a charge has the same id in every calendar of the payload,
// whatever rows come before it. Profiles with one client-orderid share their ids.
func (id icsID) uid(profile string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s %d %d", len(profile), profile, id.kind, id.repeat, id.again))
	return hex.EncodeToString(sum[:16]) + "@chargecast"
}

// chargeIDs numbers the charges of a profile that have one kind and one repeat number: a resume may
// begin again at 0, and manual charges may not count.
type chargeIDs struct {
	begun  bool
	last   uint64 // the last repeat number
	auto   uint64 // 1 + that of the last automatic charge
	manual uint64 // 1 + that of the last manual charge
	again  uint64 // manual charges in a row with one repeat number
	rounds uint64 // how often the numbers began again
}

// next returns the id of a charge.
func (i *chargeIDs) next(c *engine.Charge) icsID {
	if i.begun && (c.Repeat < i.last || !c.Manual && c.Repeat < i.auto) {
		*i = chargeIDs{rounds: i.rounds + 1}
	}
	i.begun, i.last = true, c.Repeat
	if !c.Manual {
		i.auto = c.Repeat + 1
		return icsID{words.Kind(c), c.Repeat, i.rounds}
	}
	if i.again++; i.manual != c.Repeat+1 {
		i.manual, i.again = c.Repeat+1, 0
	}
	return icsID{words.Kind(c), c.Repeat, i.again<<32 | i.rounds}
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
