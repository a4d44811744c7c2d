package rules

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"io"
)

// strict64 refuses a text with stray bits, so that each string of bytes has one text (L49). It skips line ends, which
// must not be passed to it.
var strict64 = base64.StdEncoding.Strict()

// A base64Reader decodes strictly (L49). What is buffered and needs no percent-decoding is decoded in blocks; all else
// in groups of four characters, where the first fault is found, which ends the stream.
type base64Reader struct {
	in *input
	// next returns the next character of the text and how many bytes of the input it takes, which
	// stay unread; none at the end.
	next    func() (c byte, size int, err error)
	lineEnd bool    // one line end after the text is not a fault
	group   [3]byte // the bytes of the last group
	pending []byte  // those that Read has not returned yet
	padded  bool    // the text is complete by its padding
	begun   bool    // a character was read
	err     error
}

// longestGroup is how many bytes four characters take at most.
const longestGroup = 4 * len("%XX")

// Read returns decoded bytes. A fault of the text is a [*wireFault].
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
			break // return what there is before the source is read again
		}
		b.readGroup()
	}
	if n > 0 {
		return n, nil
	}
	return 0, b.err
}

// block decodes the buffered characters of the alphabet, as far as they fit into dst.
func (b *base64Reader) block(dst []byte) int {
	if b.padded || b.err != nil {
		return 0
	}
	n, size := decodePairs(dst, b.in.window())
	b.begun = b.begun || size > 0
	b.in.skip(size)
	return n
}

// readGroup decodes one group.
func (b *base64Reader) readGroup() {
	var group [4]byte
	var last position // of the last character before the padding
	pads := 0
	for n := range group {
		c, size, err := b.next()
		if err == nil {
			err = b.check(c, size, n, pads)
		}
		if b.err = err; err != nil {
			return
		}
		if c == '=' {
			pads++
		} else {
			last = b.in.place(0)
		}
		group[n], b.begun = c, true
		b.in.skip(size)
	}
	n, err := strict64.Decode(b.group[:], group[:])
	if err != nil {
		b.err = faultAt(Base64StrayBits, last)
	}
	b.pending, b.padded = b.group[:n], pads > 0
}

// check returns what is wrong with the next character, of size bytes, after n others of its group, of which some are
// padding. It is io.EOF where the text ends after a whole group.
func (b *base64Reader) check(c byte, size, n, pads int) error {
	at := b.in.place(0)
	if size > 0 && (c == '\r' || c == '\n') { // one line end may end the text
		b.in.skip(size)
		next, rest, err := b.next()
		if c == '\r' && next == '\n' && rest > 0 {
			b.in.skip(rest)
			_, rest, err = b.next()
		}
		switch {
		case err != nil:
			return err
		case rest > 0 || !b.lineEnd:
			return faultAt(Base64Wrapped, at)
		}
		size = 0
	}
	code, message, help := Base64Syntax, "", ""
	switch {
	case size == 0 && n == 0:
		return io.EOF
	case size == 0 && n == 1:
		message, help = "the base64 text is cut off: one character is left over", "encode the whole CSV again: the end is missing"
	case size == 0:
		code = Base64Unpadded
	case !b.padded && (c == '=' && n >= 2 || inAlphabet(c) && pads == 0):
		return nil
	case c == ' ' && !b.begun:
		code, message, help = Base64Space, "a space is before the base64 text", "remove it"
	case c == ' ' && (b.padded || b.isLast()):
		code, message, help = Base64Space, "a space follows the base64 text", "remove it"
	case c == '=' && b.padded:
		message, help = "the base64 text has too much padding", "remove the excess =: there are at most two, at the end"
	case b.padded:
		message, help = "text follows the end of the base64 text", "perhaps two base64 texts were joined: encode the whole CSV at once"
	case c == '=':
		message, help = "the base64 text has padding where none can be", "encode again: = is only at the end, once or twice"
	case inAlphabet(c):
		message = "a character follows the padding = of the base64 text"
	case c == ' ':
		code = Base64Space
	case c == '-', c == '_':
		code = Base64URLSafe
	case c == '"' && !b.begun:
		message, help = "the base64 text is in double quotes", "remove the quotes"
	case c == '\'':
		message, help = "an apostrophe is in the base64 text", "write the text alone, without b'…': it is how a program shows bytes"
	case c == mark[0] && at.offset == 0:
		message, help = "a byte-order mark is before the base64 text", "save the file without one"
	case c == '%':
		message, help = "a percent sign is in the base64 text", "the form was encoded twice, or not decoded: percent-encode the base64 text once"
	case c == ':':
		message, help = "a colon is in the base64 text", "remove what is before the base64 text, such as data:text/csv;base64,"
	case c == '"', c == ';':
		message, help = "the text is a CSV, not base64", "encode it, or read it as CSV"
	}
	f := faultAt(code, at)
	f.Message = cmp.Or(message, f.Message)
	f.Help = cmp.Or(help, f.Help)
	return f
}

// inAlphabet reports whether c is a character of base64, other than the padding.
func inAlphabet(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '+' || c == '/'
}

// isLast reports whether nothing of the text follows the next character.
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
// rest of dst or text is too short. It overwrites two bytes of dst after those that it returns.
// Package base64 takes two thirds longer, which shows in the time for a whole form body.
func decodePairs(dst, text []byte) (n, read int) {
	const marks = isPair<<40 ^ isPair<<28 ^ isPair<<16 // that of the first pair is shifted out
	table, free, size := sextetPairs, len(dst), len(text)
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
	return free - len(dst), size - len(text)
}
