package main

import (
	"errors"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A lot is neighbouring rows whose output is made by one worker.
type lot struct {
	steps []step
	parts chan part // in order; closed after the last
}

// A step is what the reader gives: a row or nil, and what was found.
type step struct {
	row      *rules.Row
	problems ledger.Findings
}

// A part is a piece of the output of a lot, with what is to be reported on the way.
type part struct {
	text    []byte // whole lines
	remarks []placedRemark
	rows    int  // steps that end in it
	valid   bool // there was a row without errors, with which the output begins
	fault   any  // what the worker panicked with
}

// A placedRemark comes after the first bytes of a part, those before at. It belongs to the output from
// begin on: where that begins to be written, the remark is reported even if the writing fails.
type placedRemark struct {
	remark
	begin, at int
}

// A lotOutput takes the output of a worker and hands it over in parts.
type lotOutput struct {
	from *renderer
	lot  *lot // nil: what is written is not wanted
	part part
	sent int // parts of the lot
}

var errNotWanted = errors.New("no more output is wanted")

// Write takes whole lines.
func (o *lotOutput) Write(p []byte) (int, error) {
	if o.lot == nil {
		return len(p), nil
	}
	if o.part.text == nil {
		o.part.text = o.from.memory()
	}
	if o.part.text = append(o.part.text, p...); len(o.part.text) < partSize {
		return len(p), nil
	}
	return len(p), o.send()
}

// send hands over what there is.
func (o *lotOutput) send() error {
	p := o.part
	o.part = part{}
	o.sent++
	select {
	case o.lot.parts <- p:
		return nil
	case <-o.from.stopped:
		return errNotWanted
	}
}

// render makes the output of a lot.
func (h *renderHand) render(l *lot) {
	defer close(l.parts)
	defer h.keepPanic()
	if !h.primed {
		h.primed = true
		h.made.from.prime(h.sink, h.header)
		_ = h.forecastRun.out.flush()
	}
	h.made.lot, h.made.sent = l, 0
	for i, s := range l.steps {
		l.steps[i] = step{} // the collector need not look at the row any more
		if h.step(s); h.isStopped() {
			return
		}
	}
	h.flush()
	_ = h.made.send()
}

// keepPanic is deferred: the panic is for the goroutine that takes the parts.
func (h *renderHand) keepPanic() {
	if fault := recover(); fault != nil {
		h.made.part = part{fault: fault}
		_ = h.made.send()
	}
}

func (h *renderHand) isStopped() bool {
	select {
	case <-h.made.from.stopped:
		return true
	default:
		return false
	}
}

// step makes the output of a row, and notes what is to be reported of it.
func (h *renderHand) step(s step) {
	others, card := rules.SplitExpiry(s.problems)
	if len(others) > 0 {
		h.remark(h.place(), remark{problems: others, faulty: s.row == nil && isFaulty(s.problems)})
	}
	if s.row != nil {
		h.made.part.valid = true
		j := joined{Row: s.row, file: h.made.from.file}
		var begin placeInLot
		if len(card) > 0 {
			begin = h.place()
		}
		if err := h.made.from.one(&h.forecastRun, &j); err != nil {
			h.remark(h.place(), remark{bad: s.row, refusal: err})
		}
		if j.cardMatters && len(card) > 0 {
			h.remark(begin, remark{problems: card})
		}
	}
	h.made.part.rows++
}

// A placeInLot is where output of a lot begins.
type placeInLot struct{ part, at int }

// place is where the next output comes.
func (h *renderHand) place() placeInLot {
	h.flush()
	return placeInLot{h.made.sent, len(h.made.part.text)}
}

// remark notes what is to be reported after the output so far, and belongs to that from begin on.
func (h *renderHand) remark(begin placeInLot, m remark) {
	at := h.place()
	if begin.part < at.part {
		begin.at = 0
	}
	h.made.part.remarks = append(h.made.part.remarks, placedRemark{m, begin.at, at.at})
	if len(h.made.part.remarks) == mostRemarks {
		_ = h.made.send()
	}
}

// flush hands on what the sink has collected.
func (h *renderHand) flush() {
	h.sink.flush()
	_ = h.forecastRun.out.flush()
}
