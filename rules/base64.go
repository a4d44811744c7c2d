package rules

import (
	"encoding/binary"
	"io"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A base64Reader decodes strictly (L49): each string of bytes has exactly one text. It
// names the usual departures; the first one ends the stream.
type base64Reader struct {
	in *intake
	// next is the next character of the text and how many bytes of the input it takes, which
	// stay unread; none at the end.
	next     func() (c byte, size int, err error)
	lineEnd  bool // one line end after the text is not a fault
	report   func(ledger.Code, tally) *finding
	group    [3]byte // the bytes of the last four characters read one by one
	pending  []byte  // those that Read has not returned yet
	quad     [4]byte
	have     int   // characters in quad
	pads     int   // padding characters after them
	size     int   // of the last character
	stray    tally // where the last character before the padding is
	ended    bool  // the text is complete by its padding
	broken   lineBreak
	brokenAt tally
	err      error
}

// A lineBreak is how much of a line end was read in the text.
type lineBreak uint8

const (
	unbroken lineBreak = iota
	afterCR            // LF may follow
	afterLF
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// sextets is the value of each character; 0xFF for those outside the alphabet.
var sextets = func() (table [256]byte) {
	for i := range table {
		table[i] = 0xFF
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(i)
	}
	return table
}()

// Read returns decoded bytes, and errBroken after a fault that was reported.
func (b *base64Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(b.pending) > 0 {
			k := copy(p[n:], b.pending)
			b.pending = b.pending[k:]
			n += k
			continue
		}
		k := b.run(p[n:])
		if n += k; k > 0 {
			continue
		}
		if b.err != nil || n > 0 && len(b.in.window()) < groupSize && b.in.mayWait() {
			break // first what there is
		}
		b.step()
	}
	if n > 0 {
		return n, nil
	}
	return 0, b.err
}

// run decodes what is at hand of nothing but the alphabet, as far as dst has room.
func (b *base64Reader) run(dst []byte) int {
	if b.have > 0 || b.ended || b.broken != unbroken || b.err != nil {
		return 0
	}
	n, taken := decodePairs(dst, b.in.window())
	if taken > 0 {
		b.in.skipInLine(taken)
		b.size = 1
	}
	return n
}

// step takes one character, whatever it is.
func (b *base64Reader) step() {
	c, size, err := b.next()
	switch {
	case err != nil:
		b.err = err
	case size == 0:
		b.err = io.EOF
		b.finish()
	case b.character(c):
		b.in.skip(size)
		b.size = size
	default:
		b.err = errBroken
	}
}

// push takes a character of the alphabet.
func (b *base64Reader) push(c byte) {
	b.quad[b.have] = sextets[c]
	if b.have++; b.have == 4 {
		b.have = 0
		b.give(3)
	}
}

// give makes the first n bytes of the group pending.
func (b *base64Reader) give(n int) {
	q := b.quad
	b.group = [3]byte{q[0]<<2 | q[1]>>4, q[1]<<4 | q[2]>>2, q[2]<<6 | q[3]}
	b.pending = b.group[:n]
}

// character takes a character, whatever it is; false after a fault.
func (b *base64Reader) character(c byte) bool {
	switch {
	case b.broken == afterCR && c == '\n':
		b.broken = afterLF
	case b.broken != unbroken:
		b.report(Base64Wrapped, b.brokenAt)
		return false
	case c == '\n':
		b.broken, b.brokenAt = afterLF, b.in.place(0)
	case c == '\r':
		b.broken, b.brokenAt = afterCR, b.in.place(0)
	case b.ended:
		b.afterEnd(c)
		return false
	case c == '=':
		return b.pad()
	case sextets[c] == 0xFF:
		b.foreign(c)
		return false
	case b.pads > 0:
		b.report(Base64Syntax, b.in.place(0)).say("a character follows the padding = of the base64 text")
		return false
	default:
		b.push(c)
	}
	return true
}

// pad takes a padding character.
func (b *base64Reader) pad() bool {
	if b.have < 2 {
		b.report(Base64Syntax, b.in.place(0)).say("the base64 text has padding where none can be").
			advise("encode again: = is only at the end, once or twice")
		return false
	}
	if b.pads == 0 {
		b.stray = b.in.place(0)
		b.stray.offset -= int64(b.size)
		b.stray.col -= b.size
	}
	if b.pads++; b.have+b.pads < 4 {
		return true
	}
	stray := b.quad[1] & 0x0F
	if b.have == 3 {
		stray = b.quad[2] & 0x03
	}
	if stray != 0 {
		b.report(Base64StrayBits, b.stray)
		return false
	}
	b.give(b.have - 1)
	b.ended, b.have, b.pads = true, 0, 0
	return true
}

// afterEnd reports a character after a complete text.
func (b *base64Reader) afterEnd(c byte) {
	p := b.report(Base64Syntax, b.in.place(0))
	if c == '=' {
		p.say("the base64 text has too much padding").advise("remove the excess =: there are at most two, at the end")
		return
	}
	p.say("text follows the end of the base64 text").advise("perhaps two base64 texts were joined: encode the whole CSV at once")
}

// foreign reports a character outside the alphabet.
func (b *base64Reader) foreign(c byte) {
	code := Base64Syntax
	switch c {
	case ' ':
		code = Base64Space
	case '-', '_':
		code = Base64URLSafe
	}
	at := b.in.place(0)
	p := b.report(code, at)
	switch {
	case code == Base64Space && at.offset == 0:
		p.say("a space is before the base64 text").advise("remove it")
	case c == mark[0] && at.offset == 0:
		p.say("a byte-order mark is before the base64 text").advise("save the file without one")
	case c == '%':
		p.say("a percent sign is in the base64 text").advise("the form was encoded twice, or not decoded: percent-encode the base64 text once")
	case c == ':':
		p.say("a colon is in the base64 text").advise("remove what is before the base64 text, such as data:text/csv;base64,")
	case strings.IndexByte("\";", c) >= 0:
		p.say("the text is a CSV, not base64").advise("encode it, or read it as CSV")
	}
}

// finish judges the end of the text.
func (b *base64Reader) finish() {
	end := b.in.place(0)
	if b.broken != unbroken {
		end = b.brokenAt
	}
	switch {
	case b.broken != unbroken && !b.lineEnd:
		b.report(Base64Wrapped, end)
	case b.have == 1: // and no padding, see pad
		b.report(Base64Syntax, end).say("the base64 text is cut off: one character is left over").
			advise("encode the whole CSV again: the end is missing")
	case b.have > 0:
		b.report(Base64Unpadded, end)
	default:
		return
	}
	b.err = errBroken
}

// sextetPairs holds the twelve bits of two characters, under a bit that is set if both are of the
// alphabet and neither is +, which in a form body is a space.
var sextetPairs = func() *[1 << 16]uint16 {
	var table [1 << 16]uint16
	for i := range 1 << 12 {
		if a, b := alphabet[i>>6], alphabet[i&63]; a != '+' && b != '+' {
			table[int(a)|int(b)<<8] = isPair | uint16(i)
		}
	}
	return &table
}()

const isPair = 1 << 12

// groupSize is how many characters are decoded at a time.
const groupSize = 8

// decodePairs decodes eight characters at a time, until one of them is not in sextetPairs or the
// rest of dst or text is too short. Of dst it needs two bytes more than it fills.
func decodePairs(dst, text []byte) (n, taken int) {
	const marks = isPair<<40 ^ isPair<<28 ^ isPair<<16 // that of the first pair is shifted out
	table, room, size := sextetPairs, len(dst), len(text)
	for len(text) >= groupSize && len(dst) >= groupSize {
		x := binary.LittleEndian.Uint64(text)
		a, b := uint64(table[uint16(x)]), uint64(table[uint16(x>>16)])
		c, d := uint64(table[uint16(x>>32)]), uint64(table[x>>48])
		if a&b&c&d < isPair {
			break
		}
		binary.BigEndian.PutUint64(dst, a<<52^b<<40^c<<28^d<<16^marks)
		dst, text = dst[groupSize/4*3:], text[groupSize:]
	}
	return room - len(dst), size - len(text)
}
