package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// ics writes an iCalendar file (RFC 5545): an event of a whole day for each charge, each event of a
// script and each stop. Its stamps are the as-of day, so that equal questions give equal bytes.
type ics struct {
	*sheet
	of      Profile
	what    []byte // of the event at hand
	about   []byte
	hashed  []byte
	id      []byte
	twins   twins
	again   uint64 // profiles before this one with the same client-orderid
	ids     chargeIDs
	events  map[engine.Verb]uint64 // of the profile, by what they do
	stops   uint64                 // of the profile
	stopped calendar.Date          // the day of the last one
	charges uint64                 // in all
}

func newICS(s *sheet) *ics {
	c := &ics{sheet: s, events: map[engine.Verb]uint64{}}
	h := &s.head
	c.property("BEGIN", "VCALENDAR")
	c.property("VERSION", "2.0")
	c.property("PRODID", "-//chargecast//"+string(h.Schema)+"//EN")
	c.property("CALSCALE", "GREGORIAN")
	c.text("NAME", c.name())
	c.text("X-WR-CALNAME", c.name())
	c.property("X-CHARGECAST-AS-OF", h.AsOf.String())
	if h.Zone != "" {
		c.text("X-CHARGECAST-ZONE", h.Zone)
	}
	c.text("X-CHARGECAST-POLICY", h.Policy.String())
	if c.isSimulation() {
		c.property("X-CHARGECAST-SEED", strconv.FormatUint(h.Seed, 10))
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
	c.what = e.Min.Append(c.what[:0])
	if e.Min.Compare(e.Max) != 0 {
		c.what = e.Max.Append(append(c.what, " to "...))
	}
	c.what = append(append(c.what, ' '), c.of.Currency...)
	c.about = strconv.AppendUint(append(c.about[:0], "repeat "...), e.Repeat, 10)
	if e.Slot != e.Date {
		c.about = e.Slot.Append(append(c.about, ", due on "...))
	}
	if e.Manual {
		c.about = append(c.about, ", manual"...)
	}
	if e.Outcome == engine.OutcomeDeclined {
		c.what = append(c.what, ", declined"...)
	}
	if e.CardExpired {
		c.about = append(c.about, ", after the card's expiry"...)
	}
	kind, repeat, again := c.ids.next(e)
	c.day(e.Date, e.Because, kind, repeat, again)
}

func (c *ics) event(e *engine.Effect) {
	switch e.Kind {
	case engine.ProfileStopped:
		if !e.Stop.Date.Before(c.first()) {
			c.stop(&e.Stop)
		}
	case engine.EventHandled:
		c.what = append(c.what[:0], e.Event.String()+" "+e.Result.String()...)
		c.about = append(c.about[:0], c.what...)
		if e.Refusal != nil {
			c.about = append(c.about[:0], e.Refusal.Error()...)
		}
		c.day(e.Date, e.Because, "event-"+e.Event.String(), 0, c.events[e.Event])
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
	c.what = append(c.what[:0], "stopped"...)
	c.about = append(c.about[:0], words.Reasons(s.Reasons)...)
	c.day(s.Date, s.Because, "stop", 0, c.stops)
	c.stops++
	c.stopped = s.Date
}

func (c *ics) compare([]engine.Sensitivity) {}
func (c *ics) total(*record.Total)          {}

// finish ends the calendar, which may not be empty (RFC 5545, 3.6).
func (c *ics) finish() {
	if c.charges == 0 {
		c.of, c.again = Profile{}, 0
		c.open(c.first(), "none", 0, 0)
		c.text("SUMMARY", "No charges "+c.window())
		c.close("as of " + c.head.AsOf.String())
	}
	c.property("END", "VCALENDAR")
}

// day writes one event of the profile: what it is and what is said about it.
func (c *ics) day(d calendar.Date, why ledger.Because, kind string, repeat, again uint64) {
	c.open(d, kind, repeat, again)
	c.text("SUMMARY", c.of.Subject.Profile, ": ", string(c.what))
	c.about = append(append(c.about, "; "...), why.Basis().String()...)
	if c.options.Explain {
		c.about, _ = why.AppendText(append(c.about, " ["...))
		c.about = append(c.about, ']')
	}
	c.close(string(c.about))
}

func (c *ics) open(d calendar.Date, kind string, repeat, again uint64) {
	c.property("BEGIN", "VEVENT")
	c.property("UID", string(c.uid(kind, repeat, again)))
	var day [10]byte
	c.property("DTSTAMP", string(append(appendICSDay(day[:0], c.head.AsOf), "T000000Z"...)))
	c.property("DTSTART;VALUE=DATE", string(appendICSDay(day[:0], d)))
}

func (c *ics) close(about string) {
	c.text("DESCRIPTION", about)
	c.property("TRANSP", "TRANSPARENT")
	c.property("END", "VEVENT")
}

// uid makes an id from a hash, so that the same charge has the same id in every calendar, and the
// charges of two payloads have different ones. The last number tells apart what is otherwise the
// same.
func (c *ics) uid(kind string, repeat, again uint64) []byte {
	profile := c.of.Subject.Profile
	b := binary.AppendUvarint(c.hashed[:0], uint64(len(profile)))
	b = append(b, profile...)
	for _, n := range [...]uint64{c.again, repeat, again} {
		b = binary.AppendUvarint(b, n)
	}
	c.hashed = append(b, kind...)
	sum := sha256.Sum256(c.hashed)
	c.id = append(hex.AppendEncode(c.id[:0], sum[:16]), "@chargecast"...)
	return c.id
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

func appendICSDay(dst []byte, d calendar.Date) []byte {
	year, month, day := d.Date()
	for _, part := range [...]int{year / 100, year % 100, int(month), day} {
		dst = append(dst, byte('0'+part/10), byte('0'+part%10))
	}
	return dst
}
