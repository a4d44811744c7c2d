package rules

import (
	"encoding/base64"
	"encoding/binary"
	"io"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// strict64 refuses a text with bits that mean nothing, so that each string of bytes has one text (L49). It is given no
// line end, which it would skip.
var strict64 = base64.StdEncoding.Strict()

// A base64Reader decodes strictly (L49). What is buffered and needs no percent-decoding is decoded in blocks; all else
// in groups of four characters, and so the first fault, which ends the stream, is found and named.
type base64Reader struct {
	in *input
	// next is the next character of the text and how many bytes of the input it takes, which
	// stay unread; none at the end.
	next    func() (c byte, size int, err error)
	lineEnd bool // one line end after the text is not a fault
	report  func(ledger.Code, position) *ledger.Finding
	group   [3]byte // the bytes of the last group
	pending []byte  // those that Read has not returned yet
	ended   bool    // the text is complete by its padding
	begun   bool    // a character was read
	err     error
}

// longestGroup is how many bytes four characters take at most.
const longestGroup = 4 * len("%XX")

// Read returns decoded bytes, and errBroken after a fault that was reported.
func (b *base64Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], b.pending)
		b.pending = b.pending[k:]
		if k == 0 {
			k = b.block(p[n:])
		}
		if n += k; k > 0 {
			continue
		}
		if b.err != nil || n > 0 && len(b.in.window()) < longestGroup && b.in.mayWait() {
			break // first what there is
		}
		b.step()
	}
	if n > 0 {
		return n, nil
	}
	return 0, b.err
}

// block decodes the buffered characters of the alphabet, as far as dst has room.
func (b *base64Reader) block(dst []byte) int {
	if b.ended || b.err != nil {
		return 0
	}
	n, taken := decodePairs(dst, b.in.window())
	b.begun = b.begun || taken > 0
	b.in.skip(taken)
	return n
}

// step decodes one group, or reports what keeps it from being one.
func (b *base64Reader) step() {
	var group [4]byte
	var last position // the place of the last character before the padding
	pads := 0
	for n := range group {
		c, size, err := b.next()
		switch {
		case err != nil:
			b.err = err
			return
		case size == 0:
			b.end(n, b.in.place(0))
			return
		case c == '\r' || c == '\n':
			b.wrapped(n, c, size)
			return
		case b.misplaced(c, n, pads):
			b.err = errBroken
			return
		case c == '=':
			pads++
		default:
			last = b.in.place(0)
		}
		group[n], b.begun = c, true
		b.in.skip(size)
	}
	n, err := strict64.Decode(b.group[:], group[:])
	if err != nil {
		b.report(Base64StrayBits, last)
		b.err = errBroken
	}
	b.pending, b.ended = b.group[:n], pads > 0
}

// end judges a text that ends after n characters of a group.
func (b *base64Reader) end(n int, at position) {
	b.err = errBroken
	switch n {
	case 0:
		b.err = io.EOF
	case 1:
		say(b.report(Base64Syntax, at), "the base64 text is cut off: one character is left over", "encode the whole CSV again: the end is missing")
	default:
		b.report(Base64Unpadded, at)
	}
}

// wrapped judges a line end after n characters of a group: one may end the text.
func (b *base64Reader) wrapped(n int, c byte, size int) {
	at := b.in.place(0)
	b.in.skip(size)
	next, size, err := b.next()
	if c == '\r' && next == '\n' && size > 0 {
		b.in.skip(size)
		_, size, err = b.next()
	}
	switch {
	case err != nil:
		b.err = err
	case size > 0 || !b.lineEnd:
		b.report(Base64Wrapped, at)
		b.err = errBroken
	default:
		b.end(n, at)
	}
}

// misplaced reports whether a character may not be after n others of a group, of which some are padding, and says so.
func (b *base64Reader) misplaced(c byte, n, pads int) bool {
	at := b.in.place(0)
	switch {
	case b.ended && c == '=':
		say(b.report(Base64Syntax, at), "the base64 text has too much padding", "remove the excess =: there are at most two, at the end")
	case b.ended && c == ' ':
		say(b.report(Base64Space, at), "a space follows the base64 text", "remove it")
	case b.ended:
		say(b.report(Base64Syntax, at), "text follows the end of the base64 text", "perhaps two base64 texts were joined: encode the whole CSV at once")
	case c == '=' && n < 2:
		say(b.report(Base64Syntax, at), "the base64 text has padding where none can be", "encode again: = is only at the end, once or twice")
	case c == '=':
		return false
	case !inAlphabet(c):
		b.foreign(c, at)
	case pads > 0:
		say(b.report(Base64Syntax, at), "a character follows the padding = of the base64 text", "")
	default:
		return false
	}
	return true
}

// inAlphabet reports whether c is a character of base64, other than the padding.
func inAlphabet(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '+' || c == '/'
}

// foreign reports a character outside the alphabet.
func (b *base64Reader) foreign(c byte, at position) {
	code := Base64Syntax
	switch c {
	case ' ':
		code = Base64Space
	case '-', '_':
		code = Base64URLSafe
	}
	p := b.report(code, at)
	switch {
	case code == Base64Space && !b.begun:
		say(p, "a space is before the base64 text", "remove it")
	case code == Base64Space && b.isLast():
		say(p, "a space follows the base64 text", "remove it")
	case c == '"' && !b.begun:
		say(p, "the base64 text is in double quotes", "remove the quotes")
	case c == '\'':
		say(p, "an apostrophe is in the base64 text", "write the text alone, without b'…': it is how a program shows bytes")
	case c == mark[0] && at.offset == 0:
		say(p, "a byte-order mark is before the base64 text", "save the file without one")
	case c == '%':
		say(p, "a percent sign is in the base64 text", "the form was encoded twice, or not decoded: percent-encode the base64 text once")
	case c == ':':
		say(p, "a colon is in the base64 text", "remove what is before the base64 text, such as data:text/csv;base64,")
	case strings.IndexByte("\";", c) >= 0:
		say(p, "the text is a CSV, not base64", "encode it, or read it as CSV")
	}
}

// say replaces the message, and the remedy unless help is empty.
func say(f *ledger.Finding, message, help string) {
	f.Message = message
	advise(f, help)
}

// isLast reports whether nothing of the text follows the character that was read last, which is still in the input.
func (b *base64Reader) isLast() bool {
	w := b.in.peek(longestGroup)
	_, size, _ := b.next()
	return size > 0 && (len(w) == size || w[size] == '&' || isEnd(w[size:]))
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// sextetPairs holds the twelve bits of two characters, under a bit that is set if both are of the
// alphabet and neither is +, which in a form body is a space.
var sextetPairs = func() *[1 << 16]uint16 {
	var table [1 << 16]uint16
	for i := range 1 << 12 {
		if a, b := base64Alphabet[i>>6], base64Alphabet[i&63]; a != '+' && b != '+' {
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
// Package base64 takes two thirds longer, which a form body as a whole shows.
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
