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
	_, broken := t.text.src.(*utf16Reader)
	switch {
	case t.odd || t.text.invalid || len(t.text.rest) > 0 || broken && t.err != io.EOF:
		return true
	case t.given: // a text that is UTF-8 is in no other encoding
		return t.text.controls || !t.raw.invalid && len(t.raw.rest) == 0 && t.raw.some
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
	controls bool // U+FFFD, or a control character beyond ASCII
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
		b.controls = b.controls || r == utf8.RuneError || 0x80 <= r && r < 0xA0
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

// A utf16Reader turns UTF-16 into UTF-8. What is not UTF-16, a surrogate without its other half or
// a last odd byte, ends the text.
type utf16Reader struct {
	src  io.Reader
	big  bool // the high byte comes first
	buf  [4 << 10]byte
	have int    // bytes of buf that were read but not decoded
	out  []byte // decoded and not returned yet
	room []byte // memory for out
	err  error  // of src, or errBroken
	// fault is what is wrong if err is errBroken.
	fault string
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
	for idle := 0; len(r.out) == 0; idle++ {
		if r.err != nil {
			return 0, r.err
		}
		n, err := r.src.Read(r.buf[r.have:])
		if r.err = err; n > 0 {
			idle = 0
		} else if err == nil && idle == maxIdleReads {
			r.err = io.ErrNoProgress
		}
		r.have += max(0, n)
		used := r.decode()
		r.have = copy(r.buf[:], r.buf[used:r.have])
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// unit is the code unit at byte i of buf; false where it is not there whole.
func (r *utf16Reader) unit(i int) (u rune, ok bool) {
	switch {
	case i+1 >= r.have:
		return 0, false
	case r.big:
		return rune(r.buf[i])<<8 | rune(r.buf[i+1]), true
	}
	return rune(r.buf[i+1])<<8 | rune(r.buf[i]), true
}

// decode decodes what is complete, and at the end of src the rest, and returns how many bytes that were.
func (r *utf16Reader) decode() (used int) {
	r.room = r.room[:0]
	defer func() { r.out = r.room }()
	for {
		u, ok := r.unit(used)
		low, both := r.unit(used + 2)
		switch {
		case ok && !utf16.IsSurrogate(u):
			r.room = utf8.AppendRune(r.room, u)
			used += 2
		case both && utf16.DecodeRune(u, low) != utf8.RuneError:
			r.room = utf8.AppendRune(r.room, utf16.DecodeRune(u, low))
			used += 4
		case ok && (both || u >= 0xDC00):
			r.err, r.fault = errBroken, "half a character of UTF-16 is in the text"
			return used
		case r.err == io.EOF && used < r.have:
			r.err, r.fault = errBroken, "the text of UTF-16 ends in the middle of a character"
			return used
		default:
			return used
		}
	}
}
