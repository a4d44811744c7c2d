package rules

import (
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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
		p := r.parallel
		defer func() { r.sc, r.parallel = nil, nil }()
		p.run(duty{
			work: func(worker int, c *chunk, give func(any) bool) {
				work(worker, c.all, func(v T) bool { return give(v) })
			},
			result: func(v any) bool { return yield(v.(T)) },
			done: func(c *chunk) bool {
				for i := range c.steps {
					p.count(c, &c.steps[i])
				}
				return true
			},
		})
	}
}

// mostWorkers keeps what is read ahead small.
const mostWorkers = 32

// parallel reads for a Reader with several workers. The caller's goroutine reads the text and cuts it
// into chunks. A worker judges a chunk as if it began with a row. Whether it does is known when all
// chunks before it are done with; then the chunk is taken over, its places are put right, and the
// caller's work is done by a worker again. Where the cut was a wrong guess, or something in the chunk
// depends on what is before it, the Reader reads it itself: so what comes out is the same, in any case.
//
// Workers only compute: they wait for nothing but room for their results, so that they end when the
// caller stops.
type parallel struct {
	r       *Reader
	source  *chunkSource
	readers []*Reader // of the workers
	tasks   chan func(worker int)
	stop    chan struct{} // closed when no more results are wanted

	unjudged atomic.Int32 // chunks that workers have to judge
	working  []*chunk     // chunks of which the steps are certain and that the caller does not have yet

	told   int     // steps of the first of working that the caller has
	around *Reader // reads the last of them once more
}

// A duty is what is to be done with chunks.
type duty struct {
	work   func(worker int, c *chunk, give func(any) bool) // by a worker
	result func(any) bool                                  // by the caller, for each thing given
	done   func(*chunk) bool                               // by the caller, when there is no more
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
	if source.isShort() {
		return
	}
	r.parallel = &parallel{r: r, source: source, around: r.helper()}
	for range r.opts.Workers {
		r.parallel.readers = append(r.parallel.readers, r.helper())
	}
}

// rows is [Reader.Rows].
func (p *parallel) rows(yield func(*Row, ledger.Findings) bool) {
	p.run(duty{
		work: func(int, *chunk, func(any) bool) {},
		done: func(c *chunk) bool {
			for p.told < len(c.steps) {
				s := &c.steps[p.told]
				p.told++
				p.count(c, s)
				if !yield(s.row, c.found(s)) {
					return false
				}
			}
			return true
		},
	})
}

// count counts a step in the summary.
func (p *parallel) count(c *chunk, s *step) {
	n := &p.r.summary
	if s.noted == 0 {
		n.Rows++
		if s.row != nil {
			n.Valid++
		}
		return
	}
	if !c.noted[s.noted-1].file {
		n.Rows++
	}
	p.r.count(s.row, c.found(s))
}

// run reads until the end, or until the duty ends it.
func (p *parallel) run(d duty) {
	defer p.hire()()
	if ps := p.r.take(); len(ps) > 0 {
		c := new(chunk)
		c.add(nil, note{found: ps, in: -1, file: true}) // of the header
		p.start(c, d)
	}
	for p.r.sc != nil || len(p.working) > 0 {
		p.readAhead()
		var judged chan struct{}
		var results chan any
		if len(p.working) > 0 {
			results = p.working[0].results
		}
		if p.r.sc != nil && len(p.working) < p.ahead() {
			if len(p.source.queue) == 0 || !p.atChunk() {
				p.start(p.readItself(), d)
				continue
			}
			judged = p.source.queue[0].judged
		}
		select {
		case <-judged:
			p.start(p.takeOver(), d)
		case v, more := <-results:
			if more && !d.result(v) || !more && !p.finish(d) {
				return
			}
		}
	}
}

// hire starts the workers and returns what ends them.
func (p *parallel) hire() (dismiss func()) {
	var crew sync.WaitGroup
	p.stop = make(chan struct{})
	p.tasks = make(chan func(int), 2*p.ahead())
	for worker := range p.readers {
		crew.Go(func() {
			for task := range p.tasks {
				task(worker)
				runtime.Gosched() // to the caller's goroutine, which has the next one
			}
		})
	}
	return func() {
		close(p.stop)
		close(p.tasks)
		crew.Wait()
	}
}

// ahead is how many chunks are judged, or worked on, at a time: more than there are workers, so that
// these have something to do while the caller has.
func (p *parallel) ahead() int { return len(p.readers) + spareChunks }

// readAhead cuts chunks and gives them to the workers.
func (p *parallel) readAhead() {
	for p.r.sc != nil && len(p.source.queue) < p.ahead() && int(p.unjudged.Load()) < p.ahead() {
		c := p.source.cut()
		if c == nil {
			return
		}
		p.source.queue = append(p.source.queue, c)
		p.unjudged.Add(1)
		p.tasks <- func(worker int) {
			defer p.unjudged.Add(-1)
			defer close(c.judged)
			defer c.keepPanic()
			p.readers[worker].judgeChunk(c)
		}
	}
}

// start gives a chunk of which the steps are certain to a worker.
func (p *parallel) start(c *chunk, d duty) {
	c.results = make(chan any, resultsAhead)
	p.working = append(p.working, c)
	p.tasks <- func(worker int) {
		defer close(c.results)
		defer c.keepPanic()
		c.settle()
		d.work(worker, c, func(v any) bool { return p.give(c, v) })
	}
}

// resultsAhead is how many results of a chunk may wait.
const resultsAhead = 4

// give hands a result to the caller; false when no more is wanted.
func (p *parallel) give(c *chunk, v any) bool {
	select {
	case c.results <- v:
		return true
	case <-p.stop:
		return false
	}
}

// finish lets the caller end with the first of the chunks that are worked on, and takes it away.
func (p *parallel) finish(d duty) (more bool) {
	c := p.working[0]
	c.panicAgain()
	if !d.done(c) {
		return false
	}
	p.working = p.working[1:]
	p.told = 0
	if c.judged != nil {
		p.source.release(c)
	}
	return true
}

// atLine reports whether the next unread byte begins a line and what the Reader knows of the lines
// before it is reported.
func (r *Reader) atLine() bool { return r.sc.col == 0 && r.sc.skip == skipNothing && r.blank.n == 0 }

// atChunk reports whether the Reader is where a chunk begins, and could begin a row there.
func (p *parallel) atChunk() bool {
	sc := p.r.sc
	return sc.start == sc.end && len(p.source.unread) == 0 && p.r.atLine()
}

// takeOver returns the next chunk with what a worker found in it, or what the Reader itself finds.
func (p *parallel) takeOver() *chunk {
	c, r := p.source.queue[0], p.r
	c.panicAgain()
	if !c.whole || len(c.steps) > r.opts.MaxRows-r.row || !r.ids.meetAll(&c.ids, r.before+r.row) {
		return p.readItself()
	}
	p.source.queue = p.source.queue[1:]
	c.begin = beginning{r.row, r.sc.line - 1, r.sc.offset}
	r.row += len(c.steps)
	r.sc.line += c.lines
	r.sc.offset += int64(len(c.text))
	r.bare.countAll(c.bare, c.begin)
	return c
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
	c := p.working[0]
	p.around.sc.over(c.text[n.in:])
	p.around.sc.offset = n.at
	p.around.row = 1
	p.around.sc.next()
	return p.around
}

// noteOf returns the note of the last step, or of that of the batch which has the finding; nil for none.
func (p *parallel) noteOf(f ledger.Finding) *note {
	if len(p.working) == 0 {
		return nil
	}
	c := p.working[0]
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
