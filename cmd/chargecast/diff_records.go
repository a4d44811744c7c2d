package main

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// differenceRecords is the output of diff as records. An error stays in out.
type differenceRecords struct {
	out     *output
	options record.Options
	brief   bool // without the differences
	w       *record.Writer
	counts  record.DifferenceSummary
}

func (d *differenceRecords) begin(h *header) { d.w = record.NewWriter(d.out, h.record(), d.options) }

func (d *differenceRecords) charges(was, is *timeline, list []engine.Difference) {
	for _, x := range list {
		count(&d.counts, x.Kind)
		if d.brief {
			continue
		}
		r := record.Difference{Profile: either(was, is).id, Kind: x.Kind}
		if x.Kind != engine.DifferenceAdded {
			r.Old = chargeOf(was, &x.Old)
		}
		if x.Kind != engine.DifferenceRemoved {
			r.New = chargeOf(is, &x.New)
		}
		_ = d.w.Write(r)
	}
}

// chargeOf returns one of the two charges of a difference.
func chargeOf(of *timeline, c *engine.Charge) *record.Charge {
	return &record.Charge{Subject: record.Subject{Currency: of.currency}, Charge: *c}
}

// count adds a difference of a kind.
func count(to *record.DifferenceSummary, kind engine.DifferenceKind) {
	switch kind {
	case engine.DifferenceAdded:
		to.Added++
	case engine.DifferenceRemoved:
		to.Removed++
	case engine.DifferenceMoved:
		to.Moved++
	case engine.DifferenceChanged:
		to.Changed++
	}
}

func (d *differenceRecords) ends(was, is *timeline, old, now *engine.End) {
	if d.counts.Ends++; d.brief {
		return
	}
	r := record.EndDifference{Profile: either(was, is).id}
	if was != nil {
		r.Old = old
	}
	if is != nil {
		r.New = now
	}
	_ = d.w.Write(r)
}

func (d *differenceRecords) money(m record.Money) { _ = d.w.Write(m) }

func (d *differenceRecords) finish() {
	_ = d.w.Write(d.counts)
	_ = d.w.Close()
}
