package record

import (
	"encoding/binary"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// An endLog keeps the ends of a document in little memory, in order.
type endLog struct{ ends texts }

// add keeps an end, and whether its reasons are written. What Stop.Because cites is not written, and
// not kept.
func (l *endLog) add(s *Subject, e *engine.End, explained bool) {
	var buf [128]byte
	b := appendText(appendText(buf[:0], s.Profile), s.File)
	b = binary.AppendUvarint(b, uint64(s.Row))
	b = binary.AppendUvarint(b, e.Repeat)
	flags := byte(e.Status) | byte(e.Stop.Reasons)<<2
	if explained {
		flags |= 1 << 6
	}
	if e.LastDay {
		flags |= 1 << 7
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, dayCode(e.Stop.Date))
	for c := range e.Because.All() {
		b = append(b, byte(c))
	}
	l.ends.add(b)
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// dayCode returns a day as a small number, 0 for none.
func dayCode(d calendar.Date) uint64 {
	if d.IsZero() {
		return 0
	}
	return uint64(d.Sub(calendar.First())) + 1
}

// writeTo hands over the ends in order.
func (l *endLog) writeTo(put func(s *Subject, e *engine.End, explained bool)) {
	for i := range l.ends.places {
		profile, b := cutText(l.ends.at(i))
		file, b := cutText(b)
		number := func() uint64 {
			v, n := binary.Uvarint(b)
			b = b[n:]
			return v
		}
		s := Subject{Profile: string(profile), File: string(file), Row: int(number())}
		e := engine.End{Repeat: number()}
		flags := b[0]
		b = b[1:]
		e.Status = engine.Status(flags & 3)
		e.Stop.Reasons = engine.Reasons(flags >> 2 & 7)
		e.LastDay = flags>>7 == 1
		if code := number(); code > 0 {
			e.Stop.Date = calendar.First().AddDays(int(code) - 1)
		}
		for _, c := range b {
			e.Because = e.Because.With(ledger.Clause(c))
		}
		put(&s, &e, flags>>6&1 == 1)
	}
}
