package rules

import (
	"bytes"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/ordered"
	"github.com/chargecast/chargecast/ledger"
)

// Batches reads a payload as [Reader.Rows] does and hands its steps to work, so that what is to be done
// with the rows is done by the workers too. It cuts the steps into batches of neighbours and calls work
// once for each, on up to [Options.Workers] goroutines at a time. What work yields comes out in the
// order of the payload: all results of a batch before those of the next. work takes all steps of its
// batch.
//
// worker is the number of the goroutine, from 0. No two calls with the same number run at the same
// time, so each number may have a buffer or a sum of its own. How the rows fall into batches, and which
// worker gets which, differs from run to run. yield waits while earlier batches have results that were
// not taken, so that memory stays bounded; when it returns false no more is wanted and work returns. A
// panic of work goes to the caller.
//
// With one worker, or a payload that is too short or too faulty to divide, there is one batch with
// all steps, and work runs on the caller's goroutine.
//
// [Reader.Summary] and [Reader.Err] are complete when the sequence has ended. The sequence is single
// use: ended early, it leaves nothing to read. [Reader.Excerpt] and [Reader.Mendable] may be asked by
// the caller about a finding of the batch whose result was yielded last; of one batch with all steps they
// know the last step that work took.
func Batches[T any](r *Reader, work func(worker int, steps iter.Seq2[*Row, ledger.Findings], yield func(T) bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		r.begin()
		if r.divide(); r.parallel == nil {
			work(0, r.Rows(), yield)
			return
		}
		type result struct {
			of *chunk
			v  T
		}
		p := r.parallel
		defer func() { r.sc, r.parallel = nil, nil }()
		counted := func(yield func(*chunk) bool) {
			for c := range p.chunks {
				for i := range c.steps {
					p.count(c, &c.steps[i])
				}
				if !yield(c) {
					return
				}
			}
		}
		for of := range ordered.Map(counted, r.opts.Workers, func(worker int, c *chunk, give func(result) bool) {
			c.settle()
			work(worker, c.all, func(v T) bool { return give(result{c, v}) })
		}) {
			if p.current = of.of; !yield(of.v) {
				return
			}
		}
	}
}

// mostWorkers keeps what is read ahead small.
const mostWorkers = 32

// parallel reads for a Reader with several workers. The text is cut into chunks. A worker judges a chunk as if it began
// with a row. Whether it does is known when the Reader is done with all chunks before it; then the chunk is taken over,
// and its places are put right. Where the cut was a wrong guess, or something in the chunk depends on what is before
// it, the Reader reads it itself: so what comes out is the same, in any case.
type parallel struct {
	r       *Reader
	source  *chunkSource
	readers []*Reader             // of the workers
	judged  func() (*chunk, bool) // the next chunk, judged; nil before the first
	unread  []byte                // of a chunk that the Reader itself reads
	current *chunk                // the last that the caller has
	told    int                   // steps of current that the caller has; 0 for all
	around  *Reader               // reads one of them once more
}

// divide settles whether workers read what is left of the payload. They do where it is longer than a
// chunk and every row depends on nothing but itself and the header.
func (r *Reader) divide() {
	if r.divided {
		return
	}
	r.divided = true
	if r.sc == nil || r.opts.Workers == 1 || r.lost || r.misnamed != 0 || requiredOnSRC&^r.present != 0 || !r.atLine() || r.sc.eof {
		return
	}
	source := newChunkSource(r)
	r.parallel = &parallel{r: r, source: source, around: r.helper()}
	r.sc.src, r.sc.start, r.sc.end = r.parallel, 0, 0
	if source.isShort() {
		r.sc.src = io.MultiReader(bytes.NewReader(source.ahead.bytes()), source)
		r.parallel = nil
		return
	}
	for range r.opts.Workers {
		r.parallel.readers = append(r.parallel.readers, r.helper())
	}
}

// rows is [Reader.Rows].
func (p *parallel) rows(yield func(*Row, ledger.Findings) bool) {
	tell := func(c *chunk) bool {
		for p.current = c; p.told < len(c.steps); {
			s := &c.steps[p.told]
			p.told++
			p.count(c, s)
			if !yield(s.row, c.found(s)) {
				return false
			}
		}
		return true
	}
	if p.current != nil && !tell(p.current) { // where it was left
		return
	}
	for c := range p.chunks {
		c.settle()
		if p.told = 0; !tell(c) {
			return
		}
	}
}

// count counts a step in the summary.
func (p *parallel) count(c *chunk, s *step) {
	ps := c.found(s)
	if len(ps) == 0 || !c.noted[s.noted-1].file {
		p.r.summary.Rows++
	}
	p.r.count(s.row, ps)
}

// chunks yields the steps that are left, chunk by chunk, in order.
func (p *parallel) chunks(yield func(*chunk) bool) {
	judged, stop := iter.Pull(ordered.Map(p.source.all, len(p.readers), func(worker int, c *chunk, give func(*chunk) bool) {
		p.readers[worker].judgeChunk(c)
		give(c)
	}))
	defer stop()
	p.judged = func() (*chunk, bool) {
		c, ok := judged()
		if ok {
			p.source.take()
		}
		return c, ok
	}
	if ps := p.r.take(); len(ps) > 0 { // of the header
		c := new(chunk)
		c.add(nil, note{found: ps, in: -1, file: true})
		if !yield(c) {
			return
		}
	}
	for p.r.sc != nil {
		c := p.nextChunk()
		if len(c.steps) > 0 && !yield(c) {
			return
		}
	}
}

// nextChunk returns the next chunk with what a worker found in it, or what the Reader itself finds.
func (p *parallel) nextChunk() *chunk {
	if p.atChunk() {
		c, ok := p.judged()
		if ok && p.takeOver(c) {
			return c
		}
		if ok {
			p.unread = c.text
		}
	}
	return p.readItself()
}

// Read returns the bytes of the next chunks, for the Reader that reads them itself.
func (p *parallel) Read(b []byte) (int, error) {
	for len(p.unread) == 0 {
		c, ok := p.judged()
		if !ok {
			return p.source.end()
		}
		p.unread = c.text
	}
	n := copy(b, p.unread)
	p.unread = p.unread[n:]
	return n, nil
}

// atLine reports whether the next unread byte begins a line and what the Reader knows of the lines
// before it is reported.
func (r *Reader) atLine() bool { return r.sc.col == 0 && r.sc.skip == skipNothing && r.blank.n == 0 }

// atChunk reports whether the Reader is where a chunk begins, and could begin a row there.
func (p *parallel) atChunk() bool {
	sc := p.r.sc
	return sc.start == sc.end && len(p.unread) == 0 && p.r.atLine()
}

// takeOver makes the steps of a chunk those of the Reader; false where it has to read them itself.
func (p *parallel) takeOver(c *chunk) bool {
	r := p.r
	if !c.whole || len(c.steps) > r.opts.MaxRows-r.row || !r.ids.meetAll(&c.ids, r.before+r.row) {
		return false
	}
	c.begin = beginning{r.row, r.sc.line - 1, r.sc.offset}
	r.row += len(c.steps)
	r.sc.line += c.lines
	r.sc.offset += int64(len(c.text))
	r.bare.countAll(c.bare, c.begin)
	return true
}

// What the Reader itself reads for one chunk.
const (
	mostSteps    = 256
	mostFindings = 256
)

// readItself returns steps that the Reader itself reads, at most up to where workers may go on.
func (p *parallel) readItself() *chunk {
	c, r := new(chunk), p.r
	end, findings := r.sc.offset+int64(p.source.size), 0
	for len(c.steps) < mostSteps && findings < mostFindings && r.sc.offset < end {
		before := r.row
		row := r.step()
		n := note{found: r.take(), file: r.row == before, in: -1}
		if findings += len(n.found); r.sc == nil {
			if len(n.found) > 0 {
				c.add(row, n)
			}
			break
		}
		if len(n.found) > 0 && r.sc.fault.code == "" {
			n.at, n.in = r.sc.at, int32(len(c.text))
			c.text = append(append(c.text, r.sc.raw...), '\n')
		}
		if c.add(row, n); p.atChunk() {
			break
		}
	}
	return c
}

// reread returns a Reader of which the current row is that of the last step, or, while a batch is worked
// on, the one of the batch that has the finding; nil where there is none, or nothing was found in it.
func (p *parallel) reread(f ledger.Finding) *Reader {
	n := p.noteOf(f)
	if n == nil || n.in < 0 {
		return nil
	}
	p.around.sc.over(p.current.text[n.in:])
	p.around.sc.offset = n.at
	p.around.row = 1
	p.around.sc.next()
	return p.around
}

// noteOf returns the note of the last step, or of that of the batch which has the finding; nil for none.
func (p *parallel) noteOf(f ledger.Finding) *note {
	c := p.current
	if c == nil {
		return nil
	}
	if p.told > 0 {
		if of := c.steps[p.told-1].noted; of > 0 {
			return &c.noted[of-1]
		}
		return nil
	}
	for i := range c.noted {
		if slices.Contains(c.noted[i].found, f) {
			return &c.noted[i]
		}
	}
	return nil
}

// A chunk is a piece of the text and the steps that come of it.
type chunk struct {
	text  []byte // from the beginning of a row to the end of one, if it was cut at the right places
	steps []step
	noted []note    // of those steps in which something was found
	begin beginning // where it begins; to be added to all places in it

	// What a worker found in it.
	whole bool // if it begins with a row, then the steps are right, and it ends with one
	lines int
	bare  tally
	ids   listedIDs
}

// A beginning is what is before a chunk.
type beginning struct {
	rows, lines int
	offset      int64
}

// A step is what [Reader.Rows] yields. Most are a row and nothing else, so that is all they hold:
// what many steps hold is what the collector has to look at.
type step struct {
	row   *Row
	noted int32 // its note among those of the chunk, from 1; 0: nothing was found
}

// A note is what was found in a step, and what is needed to show an excerpt for it.
type note struct {
	found ledger.Findings
	at    int64 // where the record begins in the payload
	in    int32 // … and in the text of the chunk; negative where it cannot be shown
	file  bool  // it is about the text or the header, not about a data row
}

// add adds a step.
func (c *chunk) add(row *Row, n note) {
	s := step{row: row}
	if len(n.found) > 0 {
		c.noted = append(c.noted, n)
		s.noted = int32(len(c.noted))
	}
	c.steps = append(c.steps, s)
}

// found is what was found in a step.
func (c *chunk) found(s *step) ledger.Findings {
	if s.noted == 0 {
		return nil
	}
	return c.noted[s.noted-1].found
}

// all yields the steps as [Reader.Rows] does.
func (c *chunk) all(yield func(*Row, ledger.Findings) bool) {
	for i := range c.steps {
		if s := &c.steps[i]; !yield(s.row, c.found(s)) {
			return
		}
	}
}

// bytes is the text; nothing for no chunk.
func (c *chunk) bytes() []byte {
	if c == nil {
		return nil
	}
	return c.text
}

// settle makes places in the chunk places in the payload.
func (c *chunk) settle() {
	begin := c.begin
	if begin == (beginning{}) {
		return
	}
	for i := range c.steps {
		if row := c.steps[i].row; row != nil {
			row.Number += begin.rows
			row.Line += begin.lines
		}
	}
	for i := range c.noted {
		n := &c.noted[i]
		n.at += begin.offset
		for k := range n.found {
			at := &n.found[k].Place
			at.Line += begin.lines
			at.Offset += begin.offset
			if at.Row > 0 {
				at.Row += begin.rows
			}
		}
	}
}

// helper returns a Reader that judges rows under the same header, for one goroutine.
func (r *Reader) helper() *Reader {
	return &Reader{
		reporter:     reporter{severities: r.severities},
		opts:         r.opts,
		sc:           newScanner(nil, r.opts),
		fields:       r.fields,
		layout:       r.layout,
		judgings:     slices.Clone(r.judgings),
		engine:       r.engine,
		horizonMonth: r.horizonMonth,
		present:      r.present,
		states:       r.states,
		asOfMonth:    r.asOfMonth,
		forecast:     engine.Profile{Amounts: r.forecast.Amounts},
		ids:          orderIDs{list: new(listedIDs)},
	}
}

// A chunk that would take much more memory than its text is given up.
const (
	bytesAStep    = 32
	bytesAFinding = 64
)

// judgeChunk reads a chunk as if it began with the first row.
func (r *Reader) judgeChunk(c *chunk) {
	steps, findings := min(1+len(c.text)/bytesAStep, math.MaxUint16), 8+len(c.text)/bytesAFinding
	c.steps, c.noted = nil, nil
	r.forget() // of a chunk that was given up
	r.sc.over(c.text)
	r.row, r.bare, r.blank = 0, tally{}, tally{}
	*r.ids.list = listedIDs{}
	for {
		row, more := r.nextRow()
		if !more {
			break
		}
		if len(c.steps) == steps || findings < 0 {
			c.steps, c.noted = nil, nil
			return
		}
		if len(r.found) == 0 {
			c.steps = append(c.steps, step{row: row})
			continue
		}
		n := note{found: r.take(), at: r.sc.at, in: int32(r.sc.at)}
		if r.sc.fault.code != "" {
			n.in = -1
		}
		findings -= len(n.found)
		c.add(row, n)
	}
	c.lines, c.bare, c.ids = r.sc.line-1, r.bare, *r.ids.list
	c.whole = r.sc.skip == skipNothing && r.blank.n == 0 && c.text[len(c.text)-1] == '\n'
}

// A chunkSource cuts a text into chunks.
type chunkSource struct {
	text    io.Reader
	wire    *wire
	err     error    // why the text ended
	arrival arrival  // … as the wire saw it: its reader has not come there yet
	rest    []byte   // what was read and not cut off yet
	ahead   *chunk   // was cut off already
	queue   []*chunk // cut off and not taken yet
	given   int      // how many of them the workers have

	size   int // of a chunk, at most
	values int // of a row
	guess  *scanner
}

// The chunks that are judged and those that are worked on, of both a few more than there are workers,
// have at most chunksSize together. A chunk takes a worker much longer than waking one does.
const (
	chunkSize  = 256 << 10
	chunksSize = 2 << 20
)

// newChunkSource takes the text from the Reader, who has read the header.
func newChunkSource(r *Reader) *chunkSource {
	sc := r.sc
	s := &chunkSource{
		text: sc.src, wire: r.wire, rest: bytes.Clone(sc.buf[sc.start:sc.end]),
		size: r.opts.chunk, values: len(r.fields), guess: newScanner(nil, r.opts),
	}
	if s.size == 0 {
		s.size = min(chunkSize, chunksSize/(2*(r.opts.Workers+ordered.Ahead)))
	}
	return s
}

// isShort reports whether the text ends within the first chunk.
func (s *chunkSource) isShort() bool {
	s.ahead = s.cut()
	return s.err != nil
}

// all yields the chunks.
func (s *chunkSource) all(yield func(*chunk) bool) {
	for s.given = 0; ; {
		if s.given == len(s.queue) {
			c := s.cut()
			if c == nil {
				return
			}
			s.queue = append(s.queue, c)
		}
		s.given++
		if !yield(s.queue[s.given-1]) {
			return
		}
	}
}

// take takes away the first chunk that was cut off.
func (s *chunkSource) take() {
	s.queue = s.queue[1:]
	s.given--
}

// Read returns the end, and before it what was not cut off.
func (s *chunkSource) Read(b []byte) (int, error) {
	if n := copy(b, s.rest); n > 0 {
		s.rest = s.rest[n:]
		return n, nil
	}
	return s.end()
}

// end is what the text ended with, now that its reader has come there.
func (s *chunkSource) end() (int, error) {
	s.wire.arrival = s.arrival
	return 0, s.err
}

// cut cuts off the next chunk; nil at the end of the text.
func (s *chunkSource) cut() *chunk {
	c := s.ahead
	if s.ahead = nil; c != nil {
		return c
	}
	c = &chunk{text: make([]byte, s.size)}
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
