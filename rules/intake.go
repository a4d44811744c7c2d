package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errBroken ends a stream whose text cannot be decoded further; what is wrong was noted as
// a finding. errLimit, one of its kind, ends a stream that is longer than the limit.
var (
	errBroken = errors.New("the input cannot be read further")
	errLimit  = fmt.Errorf("%w: it is longer than the limit", errBroken)
)

// intakeSize is small enough for the pieces that are decoded from it to stay near: more
// makes a form body slower to read.
const intakeSize = 16 << 10

// firstIntake is enough for a request with one row, which is to be cheap.
const firstIntake = 2 << 10

// An intake is the input as sent: a window of unread bytes with their place, and the
// limit on bytes.
type intake struct {
	src        io.Reader
	left       int64 // bytes that may still be read
	buf        []byte
	start, end int
	offset     int64 // of buf[start]
	line, col  int   // of buf[start], both from 1
	eof        bool
	over       bool  // there is more than the limit allows
	err        error // of src, but for io.EOF

	limited bool // there is a limit: the line where it is met is told
}

func newIntake(src io.Reader, most int64) *intake {
	return &intake{src: src, left: most, limited: most < noLimit, buf: make([]byte, firstRoom(src)), line: 1, col: 1}
}

// firstRoom is the room for the first bytes of a source: for all of a short one in memory, and for one
// byte more, so that its end is seen without more room.
func firstRoom(src io.Reader) int {
	size := firstIntake
	switch memory := src.(type) {
	case *bytes.Reader:
		size = memory.Len()
	case *strings.Reader:
		size = memory.Len()
	case *bytes.Buffer:
		size = memory.Len()
	}
	return min(size, firstIntake-1) + 1
}

// window is the unread bytes; they stay valid until the next fill.
func (t *intake) window() []byte { return t.buf[t.start:t.end] }

// fill reads more behind the unread bytes; false when there is no more, or no room.
func (t *intake) fill() bool {
	if t.start > 0 {
		copy(t.buf, t.window())
		t.start, t.end = 0, t.end-t.start
	}
	if t.end == len(t.buf) && len(t.buf) < intakeSize {
		t.buf = append(t.buf, make([]byte, intakeSize-len(t.buf))...)
	}
	n := t.read(t.buf[t.end:])
	t.end += n
	return n > 0
}

// mayWait reports whether the source may make the next fill wait: the last one got less than
// there was room for.
func (t *intake) mayWait() bool { return !t.eof && t.end < len(t.buf) }

// read reads from the source into room, as far as the limit allows.
func (t *intake) read(room []byte) int {
	if len(room) == 0 {
		return 0
	}
	if int64(len(room)) > t.left {
		room = room[:t.left+1] // one byte more reports whether there is more
	}
	for range maxIdleReads {
		if t.eof {
			return 0
		}
		n, err := t.src.Read(room)
		n = max(0, n)
		if int64(n) > t.left {
			n, t.over, t.eof = int(t.left), true, true
		}
		t.left -= int64(n)
		if err != nil && !t.over {
			t.eof = true
			if err != io.EOF { // an error that wraps io.EOF is a failure
				t.err = err
			}
		}
		if n > 0 {
			return n
		}
	}
	t.eof, t.err = true, io.ErrNoProgress
	return 0
}

// peek fills the window to at least n bytes, or to all there are.
func (t *intake) peek(n int) []byte {
	for t.end-t.start < n && t.fill() {
	}
	return t.window()
}

// skip leaves n bytes of the window behind.
func (t *intake) skip(n int) {
	t.pass(t.buf[t.start : t.start+n])
	t.start += n
}

// skipInLine is skip for bytes without a line end.
func (t *intake) skipInLine(n int) {
	t.start += n
	t.offset += int64(n)
	t.col += n
}

// pass counts bytes that are left behind.
func (t *intake) pass(gone []byte) {
	if lines := bytes.Count(gone, []byte{'\n'}); lines > 0 {
		t.line += lines
		t.col = len(gone) - bytes.LastIndexByte(gone, '\n')
	} else {
		t.col += len(gone) // without the search from the end, which is slow
	}
	t.offset += int64(len(gone))
}

// place is where byte i of the window is in the input.
func (t *intake) place(i int) tally {
	before := t.buf[t.start : t.start+i]
	p := tally{n: 1, offset: t.offset + int64(i), line: t.line + bytes.Count(before, []byte{'\n'}), col: t.col + i}
	if last := bytes.LastIndexByte(before, '\n'); last >= 0 {
		p.col = i - last
	}
	return p
}

// broken is why the window will get no more bytes although the input was not read to
// its end; nil at a plain end.
func (t *intake) broken() error {
	switch {
	case t.err != nil:
		return t.err
	case t.over:
		return errLimit
	}
	return nil
}

// Read returns the bytes as they are: those of the window, then those of the source
// without a stay in between.
func (t *intake) Read(p []byte) (int, error) {
	if t.start < t.end {
		n := copy(p, t.window())
		t.skip(n)
		return n, nil
	}
	if n := t.read(p); n > 0 {
		if t.limited { // else no place is asked for after this
			t.pass(p[:n])
		}
		return n, nil
	}
	if err := t.broken(); err != nil {
		return 0, err
	}
	return 0, io.EOF
}
