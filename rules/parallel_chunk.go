package rules

import "github.com/chargecast/chargecast/ledger"

// A chunk is a piece of the text and the steps that come of it.
type chunk struct {
	text  []byte // from the beginning of a row to the end of one, if it was cut at the right places
	steps []step
	noted []note    // of those steps in which something was found
	begin beginning // where it begins; to be added to all places in it
	code  textCode  // the encoding that the rows before it show

	// What a worker found in it.
	judged chan struct{} // closed when it has; nil where the Reader itself made the steps
	whole  bool          // if it begins with a row, then the steps are right, and it ends with one
	lines  int
	bare   tally
	ids    listedIDs
	after  textCode // the encoding that its rows show

	results chan any // of the caller's work; closed when that is done
	fault   any      // what a worker panicked with
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
	at    int64    // where the record begins in the payload
	in    int32    // … and in the text of the chunk; negative where it cannot be shown
	file  bool     // it is about the text or the header, not about a data row
	code  textCode // the encoding that the rows of the chunk show before it
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

// empty empties a chunk but for its memory.
func (c *chunk) empty() {
	clear(c.steps)
	clear(c.noted)
	*c = chunk{text: c.text[:0], steps: c.steps[:0], noted: c.noted[:0]}
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
		if s := &c.steps[i]; !yield(s.row, c.found(s)) {
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
		if row := c.steps[i].row; row != nil {
			row.Number += c.begin.rows
			row.Line += c.begin.lines
		}
	}
	for i := range c.noted {
		n := &c.noted[i]
		n.at += c.begin.offset
		for k := range n.found {
			at := &n.found[k].Place
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
		reporter:     reporter{severities: r.severities},
		opts:         r.opts,
		sc:           newScanner(nil, r.opts),
		fields:       r.fields,
		layout:       r.layout,
		judgings:     r.judgings,
		engine:       r.engine,
		horizonMonth: r.horizonMonth,
		present:      r.present,
		states:       r.states,
		asOfMonth:    r.asOfMonth,
		sample:       r.sample,
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
	steps, findings := min(1+len(c.text)/bytesAStep, mostListed), 8+len(c.text)/bytesAFinding
	r.sc.over(c.text)
	r.row, r.bare, r.blank, r.codeAfter = 0, tally{}, tally{}, codeASCII
	r.ids.list.clear()
	for r.nextRecord() {
		if len(c.steps) == steps || findings < 0 {
			clear(c.steps)
			clear(c.noted)
			return
		}
		row := r.readRow()
		if len(r.found) == 0 {
			c.steps = append(c.steps, step{row: row})
			continue
		}
		n := note{found: r.take(), at: r.sc.at, in: int32(r.sc.at), code: r.code}
		if r.sc.fault.code != "" {
			n.in = -1
		}
		findings -= len(n.found)
		c.add(row, n)
	}
	c.lines, c.bare, c.ids, c.after = r.sc.line-1, r.bare, r.ids.list.clone(), r.codeAfter
	c.whole = r.sc.skip == skipNothing && r.blank.n == 0 && c.text[len(c.text)-1] == '\n'
}
