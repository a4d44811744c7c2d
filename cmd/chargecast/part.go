package main

import (
	"errors"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A partSink writes totals for chargecast merge. Until it is closed they are not a part.
type partSink struct {
	out     *output
	explain bool
	w       *record.PartWriter
}

func (s *partSink) begin(h *header) {
	s.w = record.NewPartWriter(s.out, h.record(), record.PartAsked{Quantiles: h.quantiles, Explain: s.explain})
}
func (s *partSink) total(t *record.Total) { _ = s.w.Total(t) }
func (s *partSink) start(*profile)        {}
func (s *partSink) charge(*engine.Charge) {}
func (s *partSink) event(*engine.Effect)  {}
func (s *partSink) end(*engine.End)       {}
func (s *partSink) flush()                {}
func (s *partSink) finish()               {}

// finishPart ends a part, if that is what is written and all inputs were read as a whole.
func (f *forecastRun) finishPart(err error) error {
	s, isPart := f.sink.(*partSink)
	switch {
	case !isPart || s.w == nil:
		return err
	case !wasRead(err) || f.failed != nil:
		f.app.log.line("chargecast: -o partial: the part is not complete, since the run failed")
		return err
	}
	end := record.PartEnd{LeftOut: f.header.leftOut, Overridden: f.header.silent, Unmet: f.header.unmet}
	f.app.sums.fill(&end, f.header.forms)
	_ = s.w.Close(end)
	return errors.Join(f.out.err, err)
}
