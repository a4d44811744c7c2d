package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// icsSink writes an iCalendar (RFC 5545): an event of a whole day for each charge, and
// one for the stop of a profile. Its stamps are the as-of day, so that equal questions
// give equal bytes.
type icsSink struct {
	out     *output
	explain bool
	head    *header
	of      record.Subject
	lastID  string
	again   int // how often the last id came
}

func (s *icsSink) begin(h *header) {
	s.head = h
	s.lines("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//chargecast//"+string(h.schema)+"//EN", "CALSCALE:GREGORIAN",
		"X-CHARGECAST-AS-OF:"+h.asOf.String(), "X-CHARGECAST-ZONE:"+icsText(h.zone), "X-CHARGECAST-POLICY:"+icsText(h.policy.String()))
	if h.schema == record.SchemaSimulate {
		s.lines("X-CHARGECAST-SEED:" + strconv.FormatUint(h.seed, 10))
	}
}

func (s *icsSink) start(p *profile) { s.of, s.lastID = p.Subject, "" }

func (s *icsSink) charge(c *engine.Charge) {
	what := between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0) + " " + s.of.Currency
	about := "repeat " + strconv.FormatUint(c.Repeat, 10)
	if c.Slot != c.Date {
		about += ", due on " + c.Slot.String()
	}
	if c.Manual {
		about += ", manual"
	}
	if c.Outcome == engine.OutcomeDeclined {
		what += ", declined"
	}
	id := kindOf(c) + "-" + c.Slot.String() + "-" + strconv.FormatUint(c.Repeat, 10)
	s.day(id, c.Date, what, about, c.Because)
}

func (s *icsSink) event(*engine.Effect) {}

func (s *icsSink) end(e *engine.End) {
	if !e.Stop.IsZero() && !e.Stop.Date.Before(s.head.asOf) {
		s.day("stop", e.Stop.Date, "stopped", reasonsInWords(e.Stop.Reasons), e.Stop.Because)
	}
}

func (s *icsSink) total(*record.Total) {}

func (s *icsSink) finish() { s.lines("END:VCALENDAR") }

// day writes one event. Its id is the same in every forecast of the same row.
func (s *icsSink) day(id string, d calendar.Date, what, about string, why ledger.Because) {
	if id != s.lastID {
		s.lastID, s.again = id, 0
	}
	if s.again++; s.again > 1 { // two manual charges on a day, neither counted
		id += "-" + strconv.Itoa(s.again)
	}
	about += "; " + why.Basis().String()
	if s.explain {
		about += " [" + string(appendClauses(nil, why)) + "]"
	}
	s.lines("BEGIN:VEVENT",
		"UID:row-"+strconv.Itoa(s.of.Row)+"-"+id+"@chargecast",
		"DTSTAMP:"+icsDay(s.head.asOf)+"T000000Z",
		"DTSTART;VALUE=DATE:"+icsDay(d),
		"SUMMARY:"+icsText(s.of.Profile+": "+what),
		"DESCRIPTION:"+icsText(about),
		"TRANSP:TRANSPARENT",
		"END:VEVENT")
}

func icsDay(d calendar.Date) string { return strings.ReplaceAll(d.String(), "-", "") }

// icsText escapes what ends or parts a text value; control characters come as
// everywhere else.
func icsText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`).Replace(visible(s))
}

// icsFold is how many bytes a line may have.
const icsFold = 75

// lines writes content lines, folded between characters and ended by CRLF.
func (s *icsSink) lines(lines ...string) {
	for _, line := range lines {
		for room := icsFold; len(line) > room; room = icsFold - 1 {
			n := room
			for !utf8.RuneStart(line[n]) {
				n--
			}
			s.out.b = append(append(s.out.b, line[:n]...), "\r\n "...)
			line = line[n:]
		}
		s.out.b = append(append(s.out.b, line...), "\r\n"...)
	}
	s.out.endLine()
}
