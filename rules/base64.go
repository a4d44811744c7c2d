package rules

import (
	"encoding/base64"
	"io"
	"strings"
)

// An armour is a stream of base64 text, chunk by chunk, that knows its places.
type armour interface {
	// chunk is the next part of the text, valid until the next call; empty at the end.
	chunk() ([]byte, error)
	// place is where byte i of the last chunk stands in the input.
	place(i int) tally
	// before is how many bytes of the input the last byte of the chunk before it took.
	before() int
	// end is where the text ended; only after an empty chunk.
	end() tally
}

// A base64Reader decodes strictly (L49): each string of bytes has exactly one text. It
// names the usual departures; the first one ends the stream.
type base64Reader struct {
	from     armour
	lineEnd  bool // one line end after the text is no fault
	report   func(Code, tally) *finding
	out      []byte
	pending  []byte // the decoded bytes not yet given away, in out
	quad     [4]byte
	have     int   // characters in quad
	pads     int   // padding characters after them
	last     tally // of the last character before the padding
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

// sextets is the value of each character; 0xFF for those outside the alphabet.
var sextets = func() (table [256]byte) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range table {
		table[i] = 0xFF
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(i)
	}
	return table
}()

// Read gives decoded bytes; errBroken after a fault, which was reported.
func (b *base64Reader) Read(p []byte) (int, error) {
	for len(b.pending) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.pending = b.decode(b.out[:0])
	}
	n := copy(p, b.pending)
	b.pending = b.pending[n:]
	return n, nil
}

// decode decodes the next chunk into dst.
func (b *base64Reader) decode(dst []byte) []byte {
	text, err := b.from.chunk()
	if len(text) == 0 {
		b.err = err
		if err == nil {
			b.err = io.EOF
			b.finish()
		}
		return dst
	}
	if out, ok := b.quick(dst, text); ok {
		b.out = out
		return out
	}
	for i, c := range text {
		var ok bool
		if dst, ok = b.character(dst, c, i); !ok {
			b.err = errBroken
			break
		}
	}
	b.out = dst
	return dst
}

// quick decodes a chunk of nothing but the alphabet; not ok, and nothing done, for any
// other.
func (b *base64Reader) quick(dst, text []byte) (out []byte, ok bool) {
	if b.ended || b.pads > 0 || b.broken != unbroken {
		return dst, false
	}
	missing := min((4-b.have)&3, len(text))
	for _, c := range text[:missing] {
		if sextets[c] == 0xFF {
			return dst, false
		}
	}
	whole := text[missing:]
	size := len(whole) &^ 3
	need := 3 + base64.StdEncoding.DecodedLen(size)
	if cap(dst) < need {
		dst = make([]byte, 0, need)
	}
	first := 0
	if b.have+missing == 4 {
		first = 3
	}
	n, err := base64.StdEncoding.Decode(dst[first:need], whole[:size])
	if n < size/4*3 {
		return dst[:0], false // line ends or padding, which the decoder passes over
	}
	for _, c := range whole[size:] {
		ok = sextets[c] != 0xFF
		if !ok {
			break
		}
	}
	if err != nil || size < len(whole) && !ok {
		return dst[:0], false
	}
	dst = dst[:0]
	for _, c := range text[:missing] {
		dst = b.push(dst, c)
	}
	dst = dst[:first+n]
	for _, c := range whole[size:] {
		dst = b.push(dst, c)
	}
	return dst, true
}

// push adds a character of the alphabet.
func (b *base64Reader) push(dst []byte, c byte) []byte {
	b.quad[b.have] = sextets[c]
	if b.have++; b.have == 4 {
		b.have = 0
		q := b.quad
		dst = append(dst, q[0]<<2|q[1]>>4, q[1]<<4|q[2]>>2, q[2]<<6|q[3])
	}
	return dst
}

// character takes character i of the chunk, whatever it is; not ok after a fault.
func (b *base64Reader) character(dst []byte, c byte, i int) ([]byte, bool) {
	switch {
	case b.broken == afterCR && c == '\n':
		b.broken = afterLF
		return dst, true
	case b.broken != unbroken:
		b.report(Base64Wrapped, b.brokenAt)
		return dst, false
	case c == '\n':
		b.broken, b.brokenAt = afterLF, b.from.place(i)
		return dst, true
	case c == '\r':
		b.broken, b.brokenAt = afterCR, b.from.place(i)
		return dst, true
	case b.ended:
		b.afterEnd(c, i)
		return dst, false
	case c == '=':
		return b.pad(dst, i)
	case sextets[c] == 0xFF:
		b.foreign(c, i)
		return dst, false
	case b.pads > 0:
		b.report(Base64Syntax, b.from.place(i)).say("a character follows the padding = of the base64 text")
		return dst, false
	}
	return b.push(dst, c), true
}

// pad takes a padding character.
func (b *base64Reader) pad(dst []byte, i int) ([]byte, bool) {
	if b.have < 2 {
		b.report(Base64Syntax, b.from.place(i)).say("the base64 text has padding where none can be")
		return dst, false
	}
	if b.pads == 0 {
		b.last = b.placeBefore(i)
	}
	if b.pads++; b.have+b.pads < 4 {
		return dst, true
	}
	stray := b.quad[1] & 0x0F
	if b.have == 3 {
		stray = b.quad[2] & 0x03
	}
	if stray != 0 {
		b.report(Base64StrayBits, b.last)
		return dst, false
	}
	n := b.have - 1
	b.ended, b.have, b.pads = true, 0, 0
	three := [3]byte{b.quad[0]<<2 | b.quad[1]>>4, b.quad[1]<<4 | b.quad[2]>>2}
	return append(dst, three[:n]...), true
}

// placeBefore is where the character before character i of the chunk stands.
func (b *base64Reader) placeBefore(i int) tally {
	if i > 0 {
		return b.from.place(i - 1)
	}
	p, size := b.from.place(0), b.from.before()
	p.offset -= int64(size)
	p.col -= size
	return p
}

// afterEnd reports a character after a complete text.
func (b *base64Reader) afterEnd(c byte, i int) {
	p := b.report(Base64Syntax, b.from.place(i))
	if c == '=' {
		p.say("the base64 text has too much padding")
		return
	}
	p.say("text follows the end of the base64 text").advise("perhaps two base64 texts were joined: encode the whole CSV at once")
}

// foreign reports a character outside the alphabet.
func (b *base64Reader) foreign(c byte, i int) {
	code := Base64Syntax
	switch c {
	case ' ':
		code = Base64Space
	case '-', '_':
		code = Base64URLSafe
	}
	p := b.report(code, b.from.place(i))
	switch {
	case code != Base64Syntax:
	case c == '%':
		p.say("a percent sign is in the base64 text").advise("the form was encoded twice, or not decoded: percent-encode the base64 text once")
	case c == ':':
		p.say("a colon is in the base64 text").advise("remove what stands before the base64 text, such as data:text/csv;base64,")
	case strings.IndexByte("\";", c) >= 0:
		p.say("the text is a CSV, not base64").advise("encode it, or read it as CSV")
	}
}

// finish judges the end of the text.
func (b *base64Reader) finish() {
	switch {
	case b.broken != unbroken && !b.lineEnd:
		b.report(Base64Wrapped, b.brokenAt)
	case b.have == 1 && b.pads == 0:
		b.report(Base64Syntax, b.from.end()).say("the base64 text is cut off: one character is left over")
	case b.have > 0:
		b.report(Base64Unpadded, b.from.end())
	default:
		return
	}
	b.err = errBroken
}
