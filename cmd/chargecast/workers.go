package main

import (
	"errors"
	"iter"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A crew makes the output of a payload row by row, or adds it up, in the workers that read it. What comes out is the
// same for any number of them: the bytes, and what is reported of the rows.
type crew struct {
	hands [mostHands]*hand // by number of the worker
	hire  func() *hand
	file  string      // of the rows, if there are several
	free  chan []byte // memory of pieces that were written
}

// mostHands is not less than the workers that package rules has.
const mostHands = 64

// A hand is what one worker has: a run of its own over the rows that it is given.
type hand struct {
	forecastRun
	one  func(*forecastRun, *joined) error
	crew *crew
	made piece
	give func(piece) bool // hands a piece over; nil: what is written is not wanted
}

// A piece is what was made of neighbouring rows, with what is to be said of them.
type piece struct {
	text    []byte // whole lines
	remarks []remark
	rows    int  // that end in it
	valid   bool // there was a row without errors, with which the output begins
}

// A remark is what was found in a row, or in the payload. It comes after the first bytes of a piece.
type remark struct {
	at       int
	problems ledger.Findings
	faulty   bool       // a row has an error, and is left out
	bad      *rules.Row // refused for the reason below; nil for no row
	refusal  error
}

// What waits for the rows before it is small, and what is found in rows is reported soon.
const (
	pieceSize   = 64 << 10
	mostRemarks = 256
	mostRows    = 4096
)

// newCrew returns a crew for an output of which every row makes its part alone; nil for another one, and where one
// worker is wanted. A state is for one row, whether an id was met is noted, and on a terminal output and findings are
// seen in order.
func (q *forecastFlags) newCrew(f *forecastRun, one func(*forecastRun, *joined) error) *crew {
	records := f.book == nil && (q.format.V == "ndjson" || q.format.V == "csv")
	added := f.book != nil && f.header.next == 0
	switch {
	case q.workers.number() == 1, f.header.schema != record.SchemaForecast, !records && !added:
		return nil
	case f.saver != nil, q.hasStates(), len(q.profiles)+len(q.excluded) > 0, records && f.out.limit < outputBuffer:
		return nil
	}
	c := &crew{free: make(chan []byte, 2*mostHands)}
	asked := *f.header // which gets the form of the payload while hands are hired
	c.hire = func() *hand {
		h := &hand{one: one, crew: c}
		header, out := asked, &output{w: h, limit: outputBuffer}
		h.forecastRun = forecastRun{header: &header, out: out, explain: q.explain, sink: newSink(&app{out: out}, q.format.V, q.explain, q.look(f.app))}
		if added {
			h.book, _ = newBook(&asked, q.explain)
			return h
		}
		c.prime(h.sink, h.header)
		_ = out.flush()
		return h
	}
	return c
}

// prime makes a sink write what comes before the first row.
func (c *crew) prime(s sink, h *header) {
	p := profile{}
	p.File = c.file
	s.begin(h)
	s.start(&p) // for the names of the columns
	s.flush()
}

// work makes what comes of neighbouring rows. It takes all of them, whether more is wanted or not.
func (c *crew) work(worker int, steps iter.Seq2[*rules.Row, ledger.Findings], give func(piece) bool) {
	if c.hands[worker] == nil {
		c.hands[worker] = c.hire()
	}
	h, wanted := c.hands[worker], true
	h.give = func(p piece) bool {
		wanted = wanted && give(p)
		return wanted
	}
	for row, problems := range steps {
		if wanted {
			h.step(row, problems)
		}
	}
	if wanted {
		h.handOver()
	}
}

// step makes the output of a row, and notes what is to be reported of it. A step with an error ends its piece: whether
// payload fix mends it is known of the last step alone.
func (h *hand) step(row *rules.Row, problems ledger.Findings) {
	h.made.rows++
	if len(problems) > 0 {
		h.remark(remark{problems: problems, faulty: row == nil && isFaulty(problems)})
	}
	if row != nil {
		h.made.valid = true
		if err := h.one(&h.forecastRun, &joined{Row: row, file: h.crew.file}); err != nil {
			h.remark(remark{bad: row, refusal: err})
		}
	}
	if row == nil && len(problems) > 0 || len(h.made.remarks) >= mostRemarks || h.made.rows >= mostRows {
		h.handOver()
	}
}

// remark notes what is to be reported after the output so far.
func (h *hand) remark(m remark) {
	h.flush()
	m.at = len(h.made.text)
	h.made.remarks = append(h.made.remarks, m)
}

// flush takes what the sink has collected.
func (h *hand) flush() {
	if h.book == nil {
		h.sink.flush()
		_ = h.forecastRun.out.flush()
	}
}

var errNotWanted = errors.New("no more output is wanted")

// Write takes whole lines of output.
func (h *hand) Write(p []byte) (int, error) {
	if h.give == nil {
		return len(p), nil
	}
	if h.made.text == nil {
		select {
		case h.made.text = <-h.crew.free:
		default:
			h.made.text = make([]byte, 0, pieceSize+outputBuffer)
		}
	}
	if h.made.text = append(h.made.text, p...); len(h.made.text) >= pieceSize && !h.send() {
		return 0, errNotWanted
	}
	return len(p), nil
}

// handOver hands over what there is.
func (h *hand) handOver() {
	h.flush()
	_ = h.send()
}

func (h *hand) send() bool {
	p := h.made
	h.made = piece{}
	return h.give(p)
}

// giveBack returns the memory of a piece that was written.
func (c *crew) giveBack(b []byte) {
	if b == nil {
		return
	}
	select {
	case c.free <- b[:0]:
	default:
	}
}

// finish adds up what the hands have.
func (c *crew) finish(f *forecastRun) {
	if c == nil {
		return
	}
	for _, h := range c.hands {
		if h == nil {
			continue
		}
		f.sum.Merge(h.sum)
		f.fail(h.failed)
		if h.book != nil {
			f.fail(f.book.Merge(h.book))
		}
	}
}

// readTogether goes through the rows of one file with the crew. The error is that of the output.
func (r *payloadRun) readTogether() error {
	c := r.do.crew
	if c.file != r.name {
		c.file = r.name
	}
	for p := range rules.Batches(r.reader, c.work) {
		if p.valid {
			r.start()
		}
		if r.take(&p); r.out.err != nil {
			return r.out.err
		}
		c.giveBack(p.text)
	}
	return nil
}

// take writes a piece as far as the output takes it, and reports what was found in it.
func (r *payloadRun) take(p *piece) {
	written := 0
	for i := range p.remarks {
		m := &p.remarks[i]
		if _, _ = r.out.Write(p.text[written:m.at]); r.out.err != nil {
			return
		}
		written = m.at
		r.report(m.problems)
		if m.faulty {
			r.faulty++
		}
		if m.bad != nil {
			r.refuse(m.bad, m.refusal)
		}
	}
	_, _ = r.out.Write(p.text[written:])
	for range p.rows {
		r.progress.row()
	}
}
