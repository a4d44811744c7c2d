package rules

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A textReader reads the text of a payload in UTF-8, without byte-order marks before it, and notes what shows that the
// text is not in the encoding that was given.
type textReader struct {
	raw, text    *bytesSeen
	src          *bufio.Reader
	marked, wide bool // a byte-order mark comes first; it is that of UTF-16
	left         int  // bytes of marks in UTF-8, which count as bytes of the first line
	given        bool
	odd          bool // the first bytes are those of another encoding
	err          error
}

func newTextReader(raw io.Reader, decode func(io.Reader) io.Reader) *textReader {
	t := &textReader{raw: &bytesSeen{src: raw}, given: decode != nil}
	first := bufio.NewReader(t.raw)
	head, _ := first.Peek(4)
	big, wide := utf16Order(head)
	begins := wide || bytes.HasPrefix(head, []byte(mark))
	var text io.Reader = first
	switch {
	case decode != nil:
		text = decode(first)
	case wide:
		t.wide, text = true, &utf16Reader{src: first, big: big}
	}
	t.text = &bytesSeen{src: text}
	t.src = bufio.NewReaderSize(t.text, 32<<10)
	for {
		head, _ := t.src.Peek(len(mark))
		if string(head) != mark {
			break
		}
		t.marked = true
		if decode == nil && !t.wide {
			t.left += len(mark)
		}
		_, _ = t.src.Discard(len(mark))
	}
	head, _ = t.src.Peek(4)
	t.odd = begins && !t.marked || bytes.IndexByte(head, 0) >= 0 // UTF-16 or UTF-32 without a mark
	return t
}

func (t *textReader) Read(p []byte) (int, error) {
	n, err := t.src.Read(p)
	if err != nil {
		t.err = err
	}
	return n, err
}

// unknown reports whether the text, read to its end, is neither in the given encoding nor in UTF-8 or marked UTF-16.
func (t *textReader) unknown() bool {
	switch {
	case t.odd || t.text.invalid || len(t.text.rest) > 0 || t.wide && t.text.replaced:
		return true
	case t.given: // a text that is UTF-8 is in no other encoding
		return t.text.replaced || t.text.controls || !t.raw.invalid && len(t.raw.rest) == 0 && t.raw.some
	}
	return false
}

// recoded reports whether what was read in the given encoding has other bytes in UTF-8.
func (t *textReader) recoded() bool {
	return t.given && (t.raw.some || t.text.some || t.raw.n != t.text.n)
}

// bytesSeen notes what bytes came by.
type bytesSeen struct {
	src      io.Reader
	rest     []byte // the beginning of a character
	n        int64
	some     bool // beyond ASCII
	invalid  bool // not in UTF-8
	replaced bool // U+FFFD
	controls bool // a control character beyond ASCII
}

func (b *bytesSeen) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	b.n += int64(max(0, n))
	switch text := p[:max(0, n)]; {
	case len(b.rest) > 0:
		b.see(append(b.rest, text...))
	case !isASCII(text):
		b.see(text)
	}
	return n, err
}

func (b *bytesSeen) see(text []byte) {
	b.some = true
	for len(text) > 0 && (len(text) >= utf8.UTFMax || utf8.FullRune(text)) {
		r, size := utf8.DecodeRune(text)
		b.invalid = b.invalid || r == utf8.RuneError && size == 1
		b.replaced = b.replaced || r == utf8.RuneError
		b.controls = b.controls || 0x80 <= r && r < 0xA0
		text = text[size:]
	}
	b.rest = append(b.rest[:0:0], text...)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// A utf16Reader turns UTF-16 into UTF-8. What is none becomes U+FFFD.
type utf16Reader struct {
	src  io.Reader
	big  bool // the high byte comes first
	buf  [4 << 10]byte
	have int    // bytes of buf that were read but not decoded
	out  []byte // decoded and not returned yet
	room []byte // memory for out
	err  error  // of src
}

// utf16Order reports whether a text begins with the mark of UTF-16, and whether the high byte comes first.
func utf16Order(head []byte) (big, ok bool) {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}) {
		return false, false // UTF-32
	}
	big = bytes.HasPrefix(head, []byte{0xFE, 0xFF})
	return big, big || bytes.HasPrefix(head, []byte{0xFF, 0xFE})
}

// Read returns UTF-8.
func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 && r.err == nil {
		var n int
		n, r.err = readSome(r.src, r.buf[r.have:])
		r.have += n
		r.decode()
	}
	n := copy(p, r.out)
	if r.out = r.out[n:]; n == 0 {
		return 0, r.err
	}
	return n, nil
}

// decode decodes what is complete, and at the end of src the rest.
func (r *utf16Reader) decode() {
	unit := func(i int) rune {
		if r.big {
			return rune(r.buf[i])<<8 | rune(r.buf[i+1])
		}
		return rune(r.buf[i+1])<<8 | rune(r.buf[i])
	}
	r.room = r.room[:0]
	i := 0
	for ; i+1 < r.have; i += 2 {
		c := unit(i)
		if utf16.IsSurrogate(c) {
			if i+3 >= r.have && r.err != io.EOF {
				break // its other half may follow
			}
			if i+3 < r.have && utf16.DecodeRune(c, unit(i+2)) != utf8.RuneError {
				c = utf16.DecodeRune(c, unit(i+2))
				i += 2
			}
		}
		r.room = utf8.AppendRune(r.room, c) // half of a character as U+FFFD
	}
	if r.err == io.EOF && i < r.have {
		r.room = utf8.AppendRune(r.room, utf8.RuneError)
	}
	r.have = copy(r.buf[:], r.buf[i:r.have])
	r.out = r.room
}
