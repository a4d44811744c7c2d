// Package stencil writes the lines of charges. From one charge of a profile to the next a line mostly
// differs in the repeat number and the date alone: it is copied whole, and these two are written over.
package stencil

import (
	"strconv"

	"github.com/chargecast/chargecast/engine"
)

// A Line is the line of a charge. The zero value fits no charge.
type Line struct {
	// Dates keeps the texts of dates for the charges to come; nil for a line that is written once.
	Dates *Dates

	text   []byte
	number int           // where the repeat number begins
	digits int           // of the number, for which text has room
	room   span          // the numbers with so many digits
	date   int           // where the date begins
	like   engine.Charge // one whose line this is
}

// A span is the numbers low … high.
type span struct{ low, high uint64 }

// dateLength is the length of the text of a date.
const dateLength = len("2026-01-31")

// Fits reports whether the line of a charge differs from this one in repeat number and date alone. It
// never fits a charge after its due day, whose line shows that day too.
func (l *Line) Fits(c *engine.Charge) bool {
	k := &l.like
	return len(l.text) > 0 && c.Slot == c.Date && k.Slot == k.Date && c.Min == k.Min && c.Max == k.Max &&
		c.Because == k.Because && c.Manual == k.Manual && c.Outcome == k.Outcome && c.CardExpired == k.CardExpired
}

// Set makes the line one of charges like c: head, the repeat number, middle, the date and tail.
func (l *Line) Set(c *engine.Charge, head []byte, middle string, tail []byte) {
	var blank [dateLength]byte
	l.text = append(l.text[:0], head...)
	l.number, l.digits, l.room = len(l.text), 0, span{1, 0}
	l.text = append(l.text, middle...)
	l.date = len(l.text)
	l.text = append(append(l.text, blank[:]...), tail...)
	l.like = *c
}

// Clear makes the line fit no charge.
func (l *Line) Clear() { l.text = l.text[:0] }

// Append appends the line of a charge that it fits, or was set for.
func (l *Line) Append(dst []byte, c *engine.Charge) []byte {
	if l.Dates == nil || c.Date.IsZero() {
		return l.appendParts(dst, c)
	}
	if c.Repeat < l.room.low || c.Repeat > l.room.high {
		l.makeRoom(c.Repeat)
	}
	day := l.Dates.at(c.Date)
	if day.day != c.Date {
		day.set(c.Date)
	}
	dst = append(dst, l.text...)
	line := dst[len(dst)-len(l.text):]
	*(*[dateLength]byte)(line[l.date:]) = day.text
	putNumber(line[:l.number+l.digits], c.Repeat)
	return dst
}

// appendParts is Append part by part.
func (l *Line) appendParts(dst []byte, c *engine.Charge) []byte {
	dst = strconv.AppendUint(append(dst, l.text[:l.number]...), c.Repeat, 10)
	dst = append(dst, l.text[l.number+l.digits:l.date]...)
	return append(c.Date.Append(dst), l.text[l.date+dateLength:]...)
}

// makeRoom makes room for as many digits as a number has.
func (l *Line) makeRoom(number uint64) {
	digits, room := 1, span{0, 9}
	for number > room.high {
		digits++
		room.low = room.high + 1
		if room.high = 10*room.low - 1; digits == mostDigits {
			room.high = 1<<64 - 1
		}
	}
	var blank [mostDigits]byte
	more, after := digits-l.digits, l.number+l.digits
	end := len(l.text)
	l.text = append(l.text, blank[:max(more, 0)]...)
	copy(l.text[after+more:], l.text[after:end])
	l.text = l.text[:end+more]
	l.digits, l.room = digits, room
	l.date += more
}

// mostDigits is how many digits a number has at most.
const mostDigits = 20

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
