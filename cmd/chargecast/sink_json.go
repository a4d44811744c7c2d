package main

import (
	"encoding/binary"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// jsonSink writes one JSON document: the header, then the same records as NDJSON,
// grouped. Charges and totals are written as they come; ends and events have to wait
// for the last charge, the ends in a few dozen bytes each.
type jsonSink struct {
	out     *output
	explain bool
	records
	items  int // of the list that is open
	ends   endLog
	events []byte // as text, apart by the separator
	totals bool   // the document is one of totals
}

func (s *jsonSink) begin(h *header) {
	s.records = newRecords(h, s.explain)
	s.out.b = s.records.header(append(s.out.b, `{"header":`...), h)
	s.totals = h.by != "" && h.by != byCharge
	if s.totals {
		s.open("totals")
	} else {
		s.open("charges")
	}
}

// open begins a list of the document.
func (s *jsonSink) open(name string) {
	s.out.b = append(s.out.b, ",\n\""+name+"\":["...)
	s.items = 0
}

// item is what comes before the next item of the open list.
func (s *jsonSink) item() []byte {
	s.items++
	if s.items > 1 {
		return append(s.out.b, ",\n"...)
	}
	return append(s.out.b, '\n')
}

func (s *jsonSink) put(b []byte) {
	s.out.b = b
	s.out.endLine()
}

func (s *jsonSink) start(p *profile)        { s.records.start(p.subject) }
func (s *jsonSink) charge(c *engine.Charge) { s.put(s.records.charge(s.item(), c)) }
func (s *jsonSink) total(t *total)          { s.put(s.records.total(s.item(), t)) }
func (s *jsonSink) end(e *engine.End)       { s.ends.add(&s.of, e) }

func (s *jsonSink) event(e *engine.Effect) {
	if len(s.events) > 0 {
		s.events = append(s.events, ",\n"...)
	}
	s.events = s.records.event(s.events, e)
}

func (s *jsonSink) finish() {
	s.out.b = append(s.out.b, ']')
	if !s.totals {
		if s.simulated {
			s.open("events")
			if len(s.events) > 0 {
				s.put(append(s.item(), s.events...))
			}
			s.out.b = append(s.out.b, ']')
		}
		s.open("ends")
		for of, e := range s.ends.all {
			s.of = of
			s.put(s.records.end(s.item(), &e))
		}
		s.out.b = append(s.out.b, ']')
	}
	s.put(append(s.out.b, "}\n"...))
}

// An endLog keeps ends in little room, in order.
type endLog struct {
	blocks [][]byte
}

// endBlock is the room that is taken at once.
const endBlock = 64 << 10

func (l *endLog) add(s *subject, e *engine.End) {
	if n := len(l.blocks); n == 0 || cap(l.blocks[n-1])-len(l.blocks[n-1]) < len(s.id)+128 {
		l.blocks = append(l.blocks, make([]byte, 0, endBlock+len(s.id)))
	}
	last := &l.blocks[len(l.blocks)-1]
	b := *last
	b = binary.AppendUvarint(b, uint64(len(s.id)))
	b = append(b, s.id...)
	b = binary.AppendUvarint(b, uint64(s.row))
	b = binary.AppendUvarint(b, e.Repeat)
	flags := byte(e.Status) | byte(e.Stop.Reasons)<<2
	if e.LastDay {
		flags |= 1 << 7
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, dayCode(e.Stop.Date))
	n := 0
	for range e.Because.All() {
		n++
	}
	b = append(b, byte(n))
	for c := range e.Because.All() {
		b = append(b, byte(c))
	}
	*last = b
}

// dayCode is a day as a small number, 0 for none.
func dayCode(d calendar.Date) uint64 {
	if d.IsZero() {
		return 0
	}
	return uint64(d.Sub(calendar.First())) + 1
}

// all gives the ends in order.
func (l *endLog) all(yield func(subject, engine.End) bool) {
	for _, b := range l.blocks {
		number := func() uint64 {
			v, n := binary.Uvarint(b)
			b = b[n:]
			return v
		}
		for len(b) > 0 {
			var s subject
			var e engine.End
			n := number()
			s.id, b = string(b[:n]), b[n:]
			s.row = int(number())
			e.Repeat = number()
			flags := b[0]
			b = b[1:]
			e.Status = engine.Status(flags & 3)
			e.Stop.Reasons = engine.Reasons(flags >> 2 & 7)
			e.LastDay = flags>>7 == 1
			if code := number(); code > 0 {
				e.Stop.Date = calendar.First().AddDays(int(code) - 1)
			}
			clauses := int(b[0])
			for _, c := range b[1 : 1+clauses] {
				e.Because = e.Because.With(ledger.Clause(c))
			}
			b = b[1+clauses:]
			if !yield(s, e) {
				return
			}
		}
	}
}
