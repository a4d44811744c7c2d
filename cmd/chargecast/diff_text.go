package main

import (
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// either is a timeline that is there.
func either(was, is *timeline) *timeline {
	if is != nil {
		return is
	}
	return was
}

// differenceText is the output for people.
type differenceText struct {
	out *output
	paint
	of     *timeline // the profile whose name is written
	brief  bool      // without the differences
	counts record.DifferenceSummary

	currencies int // that money was called for
}

func (d *differenceText) begin(*header) {}

func (d *differenceText) head(was, is *timeline) []byte {
	c := either(was, is)
	if d.of == c || d.brief {
		d.of = c
		return d.out.b
	}
	b := d.out.b
	if d.of != nil {
		b = append(b, '\n')
	}
	d.of = c
	b = d.bold(b, c.name())
	switch {
	case was == nil:
		b = append(b, "  only in NEW"...)
	case is == nil:
		b = append(b, "  only in OLD"...)
	}
	return append(b, '\n')
}

func (d *differenceText) charges(was, is *timeline, list []engine.Difference) {
	for _, x := range list {
		count(&d.counts, x.Kind)
	}
	b := d.head(was, is)
	if d.brief {
		return
	}
	for _, x := range list {
		b = append(b, "  "+pad(x.Kind.String(), 8)...)
		switch x.Kind {
		case engine.DifferenceAdded:
			b = appendCharge(b, &x.New, is.currency)
		case engine.DifferenceRemoved:
			b = appendCharge(b, &x.Old, was.currency)
		default:
			b = append(appendCharge(b, &x.Old, was.currency), " -> "...)
			b = appendCharge(b, &x.New, is.currency)
		}
		b = append(b, '\n')
	}
	d.out.b = b
	d.out.endLine()
}

// appendCharge is a charge in a line of text.
func appendCharge(dst []byte, c *engine.Charge, currency string) []byte {
	dst = appendDay(dst, c.Date)
	dst = append(dst, " repeat "+strconv.FormatUint(c.Repeat, 10)+" "+between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0)+" "+visible(currency)...)
	if c.Slot != c.Date {
		dst = append(dst, " due on "+c.Slot.String()...)
	}
	if c.Manual {
		dst = append(dst, " manual"...)
	}
	if c.Outcome == engine.OutcomeDeclined {
		dst = append(dst, " declined"...)
	}
	return dst
}

func (d *differenceText) ends(was, is *timeline, old, now *engine.End) {
	b := d.head(was, is)
	if d.counts.Ends++; d.brief {
		return
	}
	b = append(b, "  "+pad("end", 8)...)
	if was != nil {
		b = append(b, endInWords(old)...)
	}
	if was != nil && is != nil {
		b = append(b, " -> "...)
	}
	if is != nil {
		b = append(b, endInWords(now)...)
	}
	d.out.b = append(b, '\n')
	d.out.endLine()
}

func endInWords(e *engine.End) string {
	s := e.Status.String()
	if !e.Stop.IsZero() {
		s += " on " + e.Stop.Date.String() + " (" + e.Stop.Reasons.Sentence() + ")"
	}
	return s + ", next repeat " + strconv.FormatUint(e.Repeat, 10)
}

func (d *differenceText) finish() {
	if d.of == nil {
		d.out.b = append(d.out.b, "No difference.\n"...)
	} else {
		n := &d.counts
		d.out.b = append(d.out.b, "\nadded "+strconv.Itoa(n.Added)+", removed "+strconv.Itoa(n.Removed)+", moved "+strconv.Itoa(n.Moved)+
			", changed "+strconv.Itoa(n.Changed)+", ends that differ "+strconv.Itoa(n.Ends)+"\n"...)
	}
	d.out.endLine()
}
