package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

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
	twins   twins
	again   uint64 // profiles before this one with the same client-orderid
	ids     chargeIDs
	events  map[engine.Verb]uint64 // of the profile, by what they do
	stops   uint64                 // of the profile
	stopped calendar.Date          // the day of the last one
	charges uint64                 // in all
}

func newICS(s *sheet) *ics {
	c := &ics{sheet: s}
	h := &s.head
	c.lines("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//chargecast//"+string(h.Schema)+"//EN", "CALSCALE:GREGORIAN",
		"NAME:"+icsText(c.name()), "X-WR-CALNAME:"+icsText(c.name()),
		"X-CHARGECAST-AS-OF:"+h.AsOf.String(), "X-CHARGECAST-ZONE:"+icsText(h.Zone), "X-CHARGECAST-POLICY:"+icsText(h.Policy.String()))
	if c.isSimulation() {
		c.lines("X-CHARGECAST-SEED:" + strconv.FormatUint(h.Seed, 10))
	}
	return c
}

// name is what a program calls the calendar.
func (c *ics) name() string {
	what := "Forecast of charges"
	if c.isSimulation() {
		what = "Simulated charges"
	}
	return what + ", " + c.window()
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
	c.ids, c.stops, c.stopped = chargeIDs{}, 0, calendar.Date{}
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
	kind, repeat, again := c.ids.next(e)
	c.day(c.uid(kind, repeat, again), e.Date, what, about, e.Because)
}

func (c *ics) event(e *engine.Effect) {
	switch e.Kind {
	case engine.ProfileStopped:
		if !e.Stop.Date.Before(c.first()) {
			c.stop(&e.Stop)
		}
	case engine.EventHandled:
		if c.events == nil {
			c.events = map[engine.Verb]uint64{}
		}
		about := e.Event.String() + " " + e.Result.String()
		if e.Refusal != nil {
			about = e.Refusal.Error()
		}
		c.day(c.uid("event-"+e.Event.String(), 0, c.events[e.Event]), e.Date, e.Event.String()+" "+e.Result.String(), about, e.Because)
		c.events[e.Event]++
	case engine.ChargeAttempted:
	}
}

func (c *ics) end(e *engine.End) {
	if s := &e.Stop; !s.IsZero() && s.Date != c.stopped && !s.Date.Before(c.first()) {
		c.stop(s)
	}
}

func (c *ics) stop(s *engine.Stop) {
	c.day(c.uid("stop", 0, c.stops), s.Date, "stopped", words.Reasons(s.Reasons), s.Because)
	c.stops++
	c.stopped = s.Date
}

func (c *ics) compare([]engine.Sensitivity) {}
func (c *ics) total(*record.Total)          {}

// finish ends the calendar, which may not be empty (RFC 5545, 3.6).
func (c *ics) finish() {
	if c.charges == 0 {
		c.component(c.uidOf("none", "", 0, 0, 0), c.first(), "No charges "+c.window(), "as of "+c.head.AsOf.String())
	}
	c.lines("END:VCALENDAR")
}

// day writes one event of the profile.
func (c *ics) day(uid string, d calendar.Date, what, about string, why ledger.Because) {
	about += "; " + why.Basis().String()
	if c.options.Explain {
		about += " [" + why.String() + "]"
	}
	c.component(uid, d, c.of.Subject.Profile+": "+what, about)
}

func (c *ics) component(uid string, d calendar.Date, summary, about string) {
	c.lines("BEGIN:VEVENT",
		"UID:"+uid,
		"DTSTAMP:"+icsDay(c.head.AsOf)+"T000000Z",
		"DTSTART;VALUE=DATE:"+icsDay(d),
		"SUMMARY:"+icsText(summary),
		"DESCRIPTION:"+icsText(about),
		"TRANSP:TRANSPARENT",
		"END:VEVENT")
}

func (c *ics) uid(kind string, repeat, again uint64) string {
	return c.uidOf(kind, c.of.Subject.Profile, c.again, repeat, again)
}

// uidOf makes an id from a hash, so that the same charge has the same id in every calendar, and the
// charges of two payloads have different ones. The last number tells apart what is otherwise the same.
func (*ics) uidOf(kind, profile string, twin, repeat, again uint64) string {
	b := binary.AppendUvarint(nil, uint64(len(profile)))
	b = append(b, profile...)
	for _, n := range [...]uint64{twin, repeat, again} {
		b = binary.AppendUvarint(b, n)
	}
	sum := sha256.Sum256(append(b, kind...))
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

// next returns the kind, the repeat number and what tells the charge apart from others of these.
func (i *chargeIDs) next(c *engine.Charge) (kind string, repeat, again uint64) {
	if i.begun && (c.Repeat < i.last || !c.Manual && c.Repeat < i.auto) {
		*i = chargeIDs{rounds: i.rounds + 1}
	}
	i.begun, i.last = true, c.Repeat
	if !c.Manual {
		i.auto = c.Repeat + 1
		return words.Kind(c), c.Repeat, i.rounds
	}
	if i.again++; i.manual != c.Repeat+1 {
		i.manual, i.again = c.Repeat+1, 0
	}
	return words.Kind(c), c.Repeat, i.again<<32 | i.rounds
}

// twins counts the profiles with one client-orderid, which payloads should not but may have.
type twins struct{ seen map[uint64]uint32 }

// maxTwins is for how many client-orderids they are counted, which takes some 10 MB.
const maxTwins = 200_000

// count returns how many profiles with this client-orderid came before; beyond the limit a number that
// no other profile has.
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

// icsText escapes what ends or divides a text value; control characters come as everywhere else.
func icsText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`).Replace(termtext.Visible(s))
}
