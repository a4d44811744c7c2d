package rules

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// strict64 refuses a text with bits that mean nothing, so that each string of bytes has one text (L49); but it skips line
// ends, which are not given to it here.
var strict64 = base64.StdEncoding.Strict()

// A base64Reader decodes strictly (L49). What can be decoded as it is at hand is decoded in blocks; what cannot, in groups
// of four characters, and so the first fault, which ends the stream, is found and named.
type base64Reader struct {
	in *intake
	// next is the next character of the text and how many bytes of the input it takes, which
	// stay unread; none at the end.
	next    func() (c byte, size int, err error)
	special string // what may not be in a block: it is not what it seems, or skipped
	lineEnd bool   // one line end after the text is not a fault
	report  func(ledger.Code, tally) *finding
	group   [3]byte // the bytes of the last group
	pending []byte  // those that Read has not returned yet
	ended   bool    // the text is complete by its padding
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

// block decodes what is at hand up to the first special character or fault, as far as dst has room.
func (b *base64Reader) block(dst []byte) int {
	if b.ended || b.err != nil {
		return 0
	}
	text := b.in.window()
	text = text[:min(len(text), len(dst)/3*4)]
	for i := range len(b.special) {
		if at := bytes.IndexByte(text, b.special[i]); at >= 0 {
			text = text[:at]
		}
	}
	n, _ := strict64.Decode(dst, text[:len(text)&^3]) // of a fault step finds the place
	b.in.skipInLine((n + 2) / 3 * 4)
	b.ended = n%3 != 0
	return n
}

// step decodes one group, or reports what keeps it from being one.
func (b *base64Reader) step() {
	var group [4]byte
	var last tally // the place of the last character before the padding
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
		group[n] = c
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
func (b *base64Reader) end(n int, at tally) {
	b.err = errBroken
	switch n {
	case 0:
		b.err = io.EOF
	case 1:
		b.report(Base64Syntax, at).say("the base64 text is cut off: one character is left over").
			advise("encode the whole CSV again: the end is missing")
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
		b.report(Base64Syntax, at).say("the base64 text has too much padding").advise("remove the excess =: there are at most two, at the end")
	case b.ended:
		b.report(Base64Syntax, at).say("text follows the end of the base64 text").
			advise("perhaps two base64 texts were joined: encode the whole CSV at once")
	case c == '=' && n < 2:
		b.report(Base64Syntax, at).say("the base64 text has padding where none can be").
			advise("encode again: = is only at the end, once or twice")
	case c == '=':
		return false
	case !inAlphabet(c):
		b.foreign(c, at)
	case pads > 0:
		b.report(Base64Syntax, at).say("a character follows the padding = of the base64 text")
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
func (b *base64Reader) foreign(c byte, at tally) {
	code := Base64Syntax
	switch c {
	case ' ':
		code = Base64Space
	case '-', '_':
		code = Base64URLSafe
	}
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
