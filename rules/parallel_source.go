package rules

import (
	"bytes"
	"io"
	"slices"
)

// A chunkSource cuts a text into chunks. The rows that the Reader itself reads come from it too.
type chunkSource struct {
	text    io.Reader
	wire    *wire
	err     error   // why the text ended
	arrival arrival // … as the wire saw it: its reader has not come there yet
	rest    []byte  // what was read and not cut off yet
	ahead   *chunk  // was cut off already

	queue   []*chunk // cut off and not read yet
	reading *chunk   // that the Reader itself reads; nil: none
	unread  []byte   // … of it
	free    []*chunk // empty ones

	size   int // of a chunk, at most
	values int // of a row
	guess  *scanner
}

// The chunks that are judged and those that are worked on, of both a few more than there are workers,
// have at most chunksSize together. A chunk takes a worker much longer than waking one does.
const (
	chunkSize   = 256 << 10
	chunksSize  = 2 << 20
	spareChunks = 2
)

// newChunkSource takes the text from the Reader, who has read the header.
func newChunkSource(r *Reader) *chunkSource {
	sc := r.sc
	s := &chunkSource{
		text: sc.src, wire: r.wire, rest: bytes.Clone(sc.buf[sc.start:sc.end]),
		size: r.opts.chunk, values: len(r.fields), guess: newScanner(nil, r.opts),
	}
	if s.size == 0 {
		s.size = min(chunkSize, chunksSize/(2*(r.opts.Workers+spareChunks)))
	}
	sc.src, sc.start, sc.end = s, 0, 0
	return s
}

// isShort reports whether the text ends within the first chunk.
func (s *chunkSource) isShort() bool {
	s.ahead = s.cut()
	return s.err != nil
}

// Read returns the bytes of the next chunks, for a caller that reads them itself.
func (s *chunkSource) Read(p []byte) (int, error) {
	for len(s.unread) == 0 {
		if c := s.reading; c != nil && c.isJudged() {
			s.release(c)
		}
		if s.reading = s.next(); s.reading == nil {
			s.wire.arrival = s.arrival
			return 0, s.err
		}
		s.unread = s.reading.text
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

// next is the first chunk that is not read yet; nil at the end of the text.
func (s *chunkSource) next() *chunk {
	if len(s.queue) == 0 {
		return s.cut()
	}
	c := s.queue[0]
	s.queue = s.queue[1:]
	return c
}

// release keeps the memory of a chunk that nobody uses any more.
func (s *chunkSource) release(c *chunk) {
	c.empty()
	s.free = append(s.free, c)
}

// cut cuts off the next chunk; nil at the end of the text.
func (s *chunkSource) cut() *chunk {
	c := s.ahead
	if s.ahead = nil; c != nil {
		return c
	}
	if n := len(s.free); n > 0 {
		c, s.free = s.free[n-1], s.free[:n-1]
	} else {
		c = new(chunk)
	}
	c.judged = make(chan struct{})
	c.text = slices.Grow(c.text, s.size)[:s.size]
	n := copy(c.text, s.rest)
	s.rest = s.rest[:copy(s.rest, s.rest[n:])]
	for n < s.size && s.err == nil {
		n += s.read(c.text[n:])
	}
	if c.text = c.text[:n]; n == 0 {
		return nil
	}
	end := s.endOfRows(c.text)
	s.rest = slices.Insert(s.rest, 0, c.text[end:]...)
	c.text = c.text[:end]
	return c
}

// read reads from the text. That it has come to the end matters only to who uses what was read.
func (s *chunkSource) read(p []byte) int {
	before := s.wire.arrival
	for range maxIdleReads {
		n, err := s.text.Read(p)
		if s.err = err; err != nil {
			s.arrival, s.wire.arrival = s.wire.arrival, before
		}
		if n > 0 || err != nil {
			return max(0, n)
		}
	}
	s.err, s.arrival = io.ErrNoProgress, before
	return 0
}

// mostTries is how many line ends are looked at to find a good one.
const mostTries = 64

// endOfRows guesses where the last whole row of a text ends: behind a line end after which another
// whole row follows. It is a guess, since the line end may be inside a value, and the text that follows
// may look like a row.
func (s *chunkSource) endOfRows(text []byte) int {
	last := bytes.LastIndexByte(text, '\n') + 1
	if last == 0 {
		return len(text)
	}
	at := last
	for range mostTries {
		if at = bytes.LastIndexByte(text[:at-1], '\n') + 1; at == 0 {
			break
		}
		if s.isRow(text[at:last]) {
			last = at
			break
		}
	}
	return beforeBlank(text, last)
}

// beforeBlank is at without the blank lines before it: they are reported with the row that follows.
func beforeBlank(text []byte, at int) int {
	for range mostTries {
		switch before := text[:at]; {
		case bytes.HasSuffix(before, []byte("\n\n")):
			at--
		case bytes.HasSuffix(before, []byte("\n\r\n")):
			at -= 2
		default:
			return at
		}
	}
	return at
}

// isRow reports whether a text begins with a row of as many values as the header has.
func (s *chunkSource) isRow(text []byte) bool {
	s.guess.over(text)
	return s.guess.next() && s.guess.fault.code == "" && s.guess.width == s.values && !s.guess.open
}
