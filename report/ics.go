package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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
	hashed  []byte
	twins   twins
	again   uint64 // profiles before this one with the same client-orderid
	ids     chargeIDs
	events  map[string]uint64 // events and stops of the profile, by kind
	stopped calendar.Date     // the day of the last stop
	charges uint64            // in all
}

func newICS(s *sheet) *ics {
	c := &ics{sheet: s, events: map[string]uint64{}}
	h, name := &s.head, "Forecast of charges, "
	if c.isSimulation() {
		name = "Simulated charges, "
	}
	c.property("BEGIN", "VCALENDAR")
	c.property("VERSION", "2.0")
	c.property("PRODID", "-//chargecast//"+string(h.Schema)+"//EN")
	c.property("CALSCALE", "GREGORIAN")
	c.property("NAME", name+c.window())
	c.property("X-WR-CALNAME", name+c.window())
	c.property("X-CHARGECAST-AS-OF", h.AsOf.String())
	if h.Zone != "" {
		c.property("X-CHARGECAST-ZONE", h.Zone)
	}
	c.property("X-CHARGECAST-POLICY", h.Policy.String())
	if c.isSimulation() {
		c.property("X-CHARGECAST-SEED", strconv.FormatUint(h.Seed, 10))
	}
	return c
}

// window says in words which days the calendar is about.
func (c *ics) window() string {
	s := "from " + c.first().String()
	if u := c.head.Until; !u.IsZero() {
		s += " to " + u.String()
	}
	return s
}

func (c *ics) start(p *Profile) {
	c.of, c.again = *p, c.twins.count(p.Subject.Profile, p.Row)
	c.ids, c.stopped = chargeIDs{}, calendar.Date{}
	clear(c.events)
}

func (c *ics) charge(e *engine.Charge) {
	c.charges++
	what := words.Between(e.Min.String(), e.Max.String(), e.Min.Compare(e.Max) == 0) + " " + c.of.Currency
	about := "repeat " + strconv.FormatUint(e.Repeat, 10)
	if e.Slot != e.Date {
		about += ", due on " + e.Slot.String()
	}
	if e.Manual {
		about += ", manual"
	}
	if e.Outcome == engine.OutcomeDeclined {
		what += ", declined"
	}
	if e.CardExpired {
		about += ", after the card's expiry"
	}
	c.day(e.Date, e.Because, c.ids.next(e), what, about)
}

func (c *ics) event(e *engine.Effect) {
	switch e.Kind {
	case engine.EffectStop:
		if !e.Stop.Date.Before(c.first()) {
			c.stop(&e.Stop)
		}
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
	if s := &e.Stop; !s.IsZero() && s.Date != c.stopped && !s.Date.Before(c.first()) {
		c.stop(s)
	}
}

func (c *ics) stop(s *engine.Stop) {
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
	if c.charges == 0 {
		c.of, c.again = Profile{}, 0
		c.write(c.first(), icsID{kind: "none"}, "No charges "+c.window(), "as of "+c.head.AsOf.String())
	}
	c.property("END", "VCALENDAR")
}

// day writes an event of the profile: what it is and what is said about it.
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
	c.property("UID", c.uid(id))
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

// uid makes an id from a hash, so that the same charge has the same id in every calendar, and the
// charges of two payloads have different ones.
func (c *ics) uid(id icsID) string {
	profile := c.of.Subject.Profile
	b := binary.AppendUvarint(c.hashed[:0], uint64(len(profile)))
	b = append(b, profile...)
	for _, n := range [...]uint64{c.again, id.repeat, id.again} {
		b = binary.AppendUvarint(b, n)
	}
	c.hashed = append(b, id.kind...)
	sum := sha256.Sum256(c.hashed)
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

// twins counts the profiles with one client-orderid, which payloads should not but may have.
type twins struct{ seen map[uint64]uint32 }

// maxTwins is for how many client-orderids they are counted, which takes some 3 MB.
const maxTwins = 50_000

// count returns how many profiles with this client-orderid came before; beyond the limit a number
// that no other profile has.
func (t *twins) count(id string, row int) uint64 {
	if t.seen == nil {
		t.seen = map[uint64]uint32{}
	}
	sum := sha256.Sum256([]byte(id))
	key := binary.LittleEndian.Uint64(sum[:])
	n, known := t.seen[key]
	if !known && len(t.seen) == maxTwins {
		return 1<<32 + uint64(max(row, 0))
	}
	t.seen[key] = n + 1
	return uint64(n)
}

func icsDay(d calendar.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

// icsFold is how many bytes a content line may have (RFC 5545, 3.1).
const icsFold = 75

// property writes a content line. What ends or divides a value is escaped (3.3.11), control
// characters come as everywhere else, and a line that is too long is broken between characters.
func (c *ics) property(name, value string) {
	from := len(c.b)
	c.b = append(append(c.b, name...), ':')
	value = termtext.Visible(value)
	for i := range len(value) {
		if strings.IndexByte(`\;,`, value[i]) >= 0 {
			c.b = append(c.b, '\\')
		}
		c.b = append(c.b, value[i])
	}
	for room := icsFold; len(c.b)-from > room; room = icsFold - 1 {
		from += room
		for !utf8.RuneStart(c.b[from]) {
			from--
		}
		c.b = slices.Insert(c.b, from, '\r', '\n', ' ')
		from += len("\r\n ")
	}
	c.b = append(c.b, "\r\n"...)
}
