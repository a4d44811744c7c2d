package main

import "sync"

// A renderer makes the output of a payload on several goroutines. The rows are cut into lots of
// neighbours, each worker makes the output of one lot after the other, and what they made is written in
// the order of the rows. So the bytes, and what is reported of the rows, are the same for any number of
// workers.
type renderer struct {
	hands []*renderHand
	one   func(*forecastRun, *joined) error
	file  string // of the rows, if there are several

	tasks   chan *lot
	stopped chan struct{} // closed when no more output is wanted
	free    chan []byte   // memory of parts that were written
	ordered []*lot        // the lots whose output is not written yet
	spare   []*lot        // those whose output is written
	rows    int           // how many the next lot has
}

// A renderHand is what one worker has.
type renderHand struct {
	forecastRun
	made   lotOutput
	primed bool
}

// The output of a lot is to be about as long as a part; a lot with more is handed over in parts.
const (
	partSize    = 128 << 10
	partsAhead  = 2   // that may wait, for each lot
	lotsAhead   = 2   // more than there are workers, so that these have something to do meanwhile
	mostLotRows = 256 // what is found in rows is reported soon
)

// mostRenderers keeps memory small.
const mostRenderers = 16

// newRenderer returns a renderer for an output that is made row by row, from nothing but the row; nil
// for another one, and where one worker is wanted.
func (q *forecastFlags) newRenderer(f *forecastRun, one func(*forecastRun, *joined) error) *renderer {
	format, n := q.format.value, min(q.workers.number(), mostRenderers)
	switch {
	case n == 1, format != "ndjson" && format != "csv":
		return nil
	case f.book != nil, f.saver != nil:
		return nil
	case q.state != "", len(q.profiles)+len(q.excluded) > 0: // whether an id was met is noted
		return nil
	case f.out.limit < outputBuffer: // on a terminal, output and findings are seen in order
		return nil
	}
	d := &renderer{one: one, rows: 1, free: make(chan []byte, n*partsAhead)}
	for range n {
		hand := &renderHand{made: lotOutput{from: d}}
		header, out := *f.header, &output{w: &hand.made, limit: outputBuffer}
		hand.forecastRun = forecastRun{header: &header, out: out, explain: q.explain, sink: newSink(&app{out: out}, format, q.explain, q.look(f.app))}
		d.hands = append(d.hands, hand)
	}
	return d
}

// prime makes a sink write what comes before the first row.
func (d *renderer) prime(s sink, h *header) {
	p := profile{}
	p.File = d.file
	s.begin(h)
	s.start(&p) // for the names of the columns
	s.flush()
}

// begin starts the workers for a file and returns what ends them.
func (d *renderer) begin(file string) (end func()) {
	d.file, d.ordered = file, nil
	d.stopped, d.tasks = make(chan struct{}), make(chan *lot, len(d.hands)+lotsAhead)
	var crew sync.WaitGroup
	for _, hand := range d.hands {
		crew.Go(func() {
			for l := range d.tasks {
				hand.render(l)
			}
		})
	}
	return func() {
		close(d.stopped)
		close(d.tasks)
		crew.Wait()
	}
}

// isFull reports whether a lot is to be written before there is another one.
func (d *renderer) isFull() bool { return len(d.ordered) == len(d.hands)+lotsAhead }

// next returns a lot without rows.
func (d *renderer) next() *lot {
	n := len(d.spare)
	if n == 0 {
		return new(lot)
	}
	l := d.spare[n-1]
	d.spare, l.steps = d.spare[:n-1], l.steps[:0]
	return l
}

// give hands a lot to the workers.
func (d *renderer) give(l *lot) {
	l.parts = make(chan part, partsAhead)
	d.ordered = append(d.ordered, l)
	d.tasks <- l
}

// take takes the first lot away, whose output is written, and sets the length of the next ones by it.
func (d *renderer) take(size int) {
	rows := max(len(d.ordered[0].steps), 1)
	d.ordered, d.spare = d.ordered[1:], append(d.spare, d.ordered[0])
	d.rows = max(1, min(rows*partSize/(size+1), 2*rows, mostLotRows))
}

// memory returns memory for a part; giveBack returns it once the part is written.
func (d *renderer) memory() []byte {
	select {
	case b := <-d.free:
		return b
	default:
		return make([]byte, 0, partSize+outputBuffer)
	}
}

func (d *renderer) giveBack(b []byte) {
	select {
	case d.free <- b[:0]:
	default:
	}
}

// readRendered goes through the rows of one file with a renderer.
func (r *payloadRun) readRendered() error {
	d := r.do.renderer
	next := d.next()
	defer d.begin(r.name)()
	for row, problems := range r.reader.Rows() {
		if next.steps = append(next.steps, step{row, problems}); len(next.steps) < d.rows {
			continue
		}
		d.give(next)
		next = d.next()
		if d.isFull() {
			if err := r.takeLot(); err != nil {
				return err
			}
		}
	}
	for d.give(next); len(d.ordered) > 0; {
		if err := r.takeLot(); err != nil {
			return err
		}
	}
	return nil
}

// takeLot writes the output of the first lot, and reports what was found in it. The error is that of
// the output.
func (r *payloadRun) takeLot() error {
	d, size := r.do.renderer, 0
	for p := range d.ordered[0].parts {
		if p.fault != nil {
			panic(p.fault)
		}
		if r.takePart(&p); r.out.err != nil {
			return r.out.err
		}
		size += len(p.text)
		d.giveBack(p.text)
	}
	d.take(size)
	return nil
}

// takePart writes a part as far as the output takes it.
func (r *payloadRun) takePart(p *part) {
	if p.valid {
		r.start()
	}
	text, written := p.text, 0
	for i := range p.remarks {
		m := &p.remarks[i]
		if _, _ = r.out.Write(text[written:m.begin]); r.out.err != nil {
			return
		}
		_, _ = r.out.Write(text[m.begin:m.at])
		written = m.at
		if r.note(&m.remark); r.out.err != nil {
			return
		}
	}
	_, _ = r.out.Write(text[written:])
	for range p.rows {
		r.progress.row()
	}
}
