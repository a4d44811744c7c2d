package main

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/rules"
)

// An answer is one run of forecast or simulate over a payload: it sends what is made of
// each row to the sink, or adds it up.
type answer struct {
	header *header
	out    *output
	sink   sink
	totals *totals     // of days or months; nil for charges and profiles
	plan   engine.Plan // of one profile after the other
}

// answer reads a payload and lets one say what there is to say about each row. passed,
// which may be nil, hears of the rows that --profile leaves out.
func (q *question) answer(a *app, path string, h *header, one func(*answer, *rules.Row, engine.State) error, passed func(id string)) error {
	f := &answer{
		header: h,
		out:    a.out,
		sink:   newSink(a, q.format.value, q.explain, paint(a.colourful(q.colour.value))),
	}
	if h.by == byDay || h.by == byMonth {
		f.totals = newTotals(h.by)
	}
	return q.read(a, path, h, reading{
		begin:  func() { f.sink.begin(h) },
		row:    func(row *rules.Row, state engine.State) error { return one(f, row, state) },
		passed: passed,
		end: func() {
			if f.totals != nil {
				f.totals.writeTo(f.sink)
			}
			f.sink.finish()
		},
	})
}

// start turns to a profile; its charges and events follow, then its end.
func (f *answer) start(p *profile) {
	if f.header.by == byCharge {
		f.sink.start(p)
	}
}

// charge sends a charge on, or adds it up. Its amount is the strategy's for its repeat
// number.
func (f *answer) charge(p *profile, of amount.Strategy, c *engine.Charge) {
	switch {
	case f.header.by == byCharge:
		f.sink.charge(c)
	case f.totals != nil:
		f.totals.add(p.currency, of, c)
	default:
		p.total.Add(of, c.Repeat)
		p.because = p.because.And(c.Because)
	}
}

func (f *answer) event(e *engine.Effect) {
	if f.header.by == byCharge {
		f.sink.event(e)
	}
}

func (f *answer) end(p *profile, e *engine.End) {
	switch {
	case f.header.by == byCharge:
		f.sink.end(e)
	case f.header.by == byProfile && p.total.Charges() > 0:
		f.sink.total(&total{by: byProfile, value: p.id, currency: p.currency, amounts: p.total, because: p.because})
	}
}
