// Package stencil writes the lines of charges. From one charge of a profile to the next, a line
// mostly differs in the digits of the repeat number and of the date alone: it is copied whole, and
// these are written over.
package stencil

import (
	"strconv"

	"github.com/chargecast/chargecast/engine"
)

// A Line is the line of a charge. The zero value fits no charge.
type Line struct {
	// Dates keeps the texts of dates for the charges to come; nil for a line that is written once.
	Dates *Dates
	// Explained says that lines show the reasons of their charges.
	Explained bool

	text   []byte
	number int // where the repeat number begins
	middle int // where it ends
	date   int // where the date begins

	like    engine.Charge // one whose line this is
	repeats span          // those that the line has digits for; none for a charge after its due day
}

// A span is n numbers from the first one on.
type span struct{ first, n uint64 }

// dateLength is the length of the text of a date.
const dateLength = len("2026-01-31")

// Fits reports whether the line of a charge differs from this one in the digits of number and date
// alone. It never fits a charge after its due day, whose line shows that day too.
func (l *Line) Fits(c *engine.Charge) bool {
	k := &l.like
	return c.Repeat-l.repeats.first < l.repeats.n && c.Slot == c.Date && c.Min == k.Min && c.Max == k.Max &&
		c.CardExpired == k.CardExpired && c.Manual == k.Manual && c.Nth == k.Nth && c.Outcome == k.Outcome && (!l.Explained || c.Because == k.Because)
}

// Set makes the line that of c and of charges like it: head, the repeat number, middle, the date and
// tail.
func (l *Line) Set(c *engine.Charge, head []byte, middle string, tail []byte) {
	var blank [dateLength]byte
	l.number = len(head)
	l.text = strconv.AppendUint(append(l.text[:0], head...), c.Repeat, 10)
	l.middle = len(l.text)
	l.date = l.middle + len(middle)
	l.text = append(append(append(l.text, middle...), blank[:]...), tail...)
	l.like = *c
	if l.repeats = (span{}); c.Slot == c.Date {
		l.repeats = asLongAs(c.Repeat)
	}
}

// asLongAs returns the numbers with as many digits as n.
func asLongAs(n uint64) span {
	s := span{0, 10}
	for n-s.first >= s.n {
		s.first += s.n
		s.n = min(9*s.first, -s.first) // those with 20 digits end where uint64 does
	}
	return s
}

// Clear makes the line fit no charge.
func (l *Line) Clear() { l.repeats = span{} }

// Append appends the line of a charge that it fits, or was set for.
func (l *Line) Append(dst []byte, c *engine.Charge) []byte {
	if l.Dates == nil || !c.Date.IsDay() {
		return l.appendParts(dst, c)
	}
	day := l.Dates.at(c.Date)
	if day.day != c.Date {
		day.set(c.Date)
	}
	begin := len(dst)
	dst = append(dst, l.text...)
	putNumber(dst[:begin+l.middle], c.Repeat)
	*(*[dateLength]byte)(dst[begin+l.date:]) = day.text
	return dst
}

// appendParts is Append part by part.
func (l *Line) appendParts(dst []byte, c *engine.Charge) []byte {
	dst = strconv.AppendUint(append(dst, l.text[:l.number]...), c.Repeat, 10)
	dst = append(dst, l.text[l.middle:l.date]...)
	return append(c.Date.Append(dst), l.text[l.date+dateLength:]...)
}

// putNumber writes a number at the end of b.
func putNumber(b []byte, number uint64) {
	i := len(b) - 1
	for ; number >= 10; i-- {
		rest := number / 10
		b[i] = '0' + byte(number-10*rest)
		number = rest
	}
	b[i] = '0' + byte(number)
}
