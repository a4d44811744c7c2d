package rules

import "github.com/chargecast/chargecast/ledger"

// A chunk is a piece of the text and the steps that come of it.
type chunk struct {
	text  []byte // from the beginning of a row to the end of one, if it was cut at the right places
	steps []step
	begin beginning // where it begins; to be added to all places in it

	// What a worker found in it.
	judged chan struct{} // closed when it has; nil where the Reader itself made the steps
	whole  bool          // if it begins with a row, then the steps are right, and it ends with one
	lines  int
	bare   tally
	ids    listedIDs

	results chan any // of the caller's work; closed when that is done
	fault   any      // what a worker panicked with
}

// A beginning is what is before a chunk.
type beginning struct {
	rows, lines int
	offset      int64
}

// A step is what [Reader.Rows] yields, and what is needed to show an excerpt for it.
type step struct {
	row   *Row
	found ledger.Findings
	at    int64 // where the record begins in the payload
	in    int32 // … and in the text of the chunk; negative where it cannot be shown
	data  bool  // it is about a data row
}

// empty empties a chunk but for its memory.
func (c *chunk) empty() {
	clear(c.steps)
	c.ids.clear()
	*c = chunk{text: c.text[:0], steps: c.steps[:0], ids: c.ids}
}

// isJudged reports whether no worker uses the chunk.
func (c *chunk) isJudged() bool {
	select {
	case <-c.judged:
		return true
	default:
		return false
	}
}

// all yields the steps as [Reader.Rows] does.
func (c *chunk) all(yield func(*Row, ledger.Findings) bool) {
	for i := range c.steps {
		if !yield(c.steps[i].row, c.steps[i].found) {
			return
		}
	}
}

// settle makes places in the chunk places in the payload.
func (c *chunk) settle() {
	if c.begin == (beginning{}) {
		return
	}
	for i := range c.steps {
		s := &c.steps[i]
		s.at += c.begin.offset
		if s.row != nil {
			s.row.Number += c.begin.rows
			s.row.Line += c.begin.lines
		}
		for k := range s.found {
			at := &s.found[k].Place
			at.Line += c.begin.lines
			at.Offset += c.begin.offset
			if at.Row > 0 {
				at.Row += c.begin.rows
			}
		}
	}
}

// keepPanic is deferred by a worker. panicAgain goes on with the panic for the caller.
func (c *chunk) keepPanic() { c.fault = recover() }

func (c *chunk) panicAgain() {
	if c.fault != nil {
		panic(c.fault)
	}
}

// helper returns a Reader that judges rows under the same header, for one goroutine.
func (r *Reader) helper() *Reader {
	return &Reader{
		reporter:  reporter{severities: r.severities},
		opts:      r.opts,
		sc:        newScanner(nil, r.opts),
		fields:    r.fields,
		layout:    r.layout,
		present:   r.present,
		states:    r.states,
		asOfMonth: r.asOfMonth,
		sample:    r.sample,
	}
}

// A chunk that would take much more memory than its text is given up.
const (
	bytesAStep    = 32
	bytesAFinding = 64
)

// judgeChunk reads a chunk as if it began with the first row.
func (r *Reader) judgeChunk(c *chunk) {
	steps, findings := 1+len(c.text)/bytesAStep, 8+len(c.text)/bytesAFinding
	r.sc.over(c.text)
	r.row, r.bare, r.blank, r.ids.list = 0, tally{}, tally{}, &c.ids
	for r.nextRecord() {
		if len(c.steps) == steps || findings < 0 {
			clear(c.steps)
			return
		}
		s := step{row: r.readRow(), data: true, in: int32(r.sc.at), at: r.sc.at}
		if r.sc.fault.code != "" {
			s.in = -1
		}
		s.found = r.take()
		findings -= len(s.found)
		c.steps = append(c.steps, s)
	}
	c.lines, c.bare = r.sc.line-1, r.bare
	c.whole = r.sc.skip == skipNothing && r.blank.n == 0 && c.text[len(c.text)-1] == '\n'
}
