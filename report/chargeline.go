package report

import (
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
)

// A chargeLayout is how a table arranges a charge.
type chargeLayout uint8

// The layouts, from the widest terminal to the narrowest.
const (
	layoutNone    chargeLayout = iota
	layoutFull                 // a line, the date with its day of the week
	layoutTight                // a line, without the day of the week
	layoutStacked              // the amount and the running total on lines of their own
)

// How wide a line is without its amount and its total, which have the same width.
const (
	fullWidth  = 30
	tightWidth = 20
)

// chargeLayout returns the first layout in which amounts of a width fit.
func (t *table) chargeLayout(width int) chargeLayout {
	switch {
	case fullWidth+2*width <= t.options.Width:
		return layoutFull
	case tightWidth+2*width <= t.options.Width:
		return layoutTight
	}
	return layoutStacked
}

// amountWidth leaves room for "1.00 to 5.00" where amounts are random.
func (t *table) amountWidth(c *engine.Charge) int {
	if c.Min.Compare(c.Max) == 0 && words.IsFixed(t.of.Total.Sums) && words.IsFixed(t.of.Before.Sums) {
		return t.width
	}
	return 2*t.width + 4
}

// columns names the columns above the first line that has them.
func (t *table) columns(layout chargeLayout, width int) {
	if t.headed == layout {
		return
	}
	t.headed = layout
	amounts := func(gap string) string {
		return termtext.PadLeft("amount", width) + gap + termtext.PadLeft("total", width)
	}
	switch layout {
	case layoutNone, layoutStacked: // each value has its name before it
	case layoutFull:
		t.line(2).faint("  repeat  date              " + amounts("  ")).end(t.sheet)
	case layoutTight:
		t.line(2).faint("repeat date        " + amounts(" ")).end(t.sheet)
	}
}

// chargeLine begins the lines of a charge, up to the running total.
func (t *table) chargeLine(c *engine.Charge) *line {
	width := t.amountWidth(c)
	layout := t.chargeLayout(width)
	t.columns(layout, width)
	repeat := strconv.FormatUint(c.Repeat, 10)
	amount := words.Between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0)
	total := words.Between(t.sum.String(), t.max.String(), t.sum.Compare(t.max) == 0)
	switch layout {
	case layoutNone, layoutFull:
		l := t.line(10).add("  " + termtext.PadLeft(repeat, 6) + "  ")
		t.mark(l.add(string(words.AppendDay(nil, c.Date))).add(" "), c.Because)
		return l.add("  " + termtext.PadLeft(amount, width) + "  " + termtext.PadLeft(total, width))
	case layoutTight:
		l := t.line(7).add(termtext.PadLeft(repeat, 6) + " " + c.Date.String())
		return t.mark(l, c.Because).add(" " + termtext.PadLeft(amount, width) + " " + termtext.PadLeft(total, width))
	}
	l := t.line(4).add("  " + c.Date.String())
	t.mark(l, c.Because).add(" repeat " + repeat).below()
	l.add("amount ").words(" ", amount).below()
	return l.add("total  ").words(" ", total)
}

// eventLine begins the line of an event: its day is below those of charges.
func (t *table) eventLine(e *engine.Effect) *line {
	layout := t.chargeLayout(t.width)
	if layout == layoutFull {
		t.columns(layout, t.width)
		return t.mark(t.line(28).add("          "+string(words.AppendDay(nil, e.Date))+" "), e.Because)
	}
	l := t.line(4).add("  ")
	if layout == layoutTight {
		t.columns(layout, t.width)
		l = t.line(7).add("       ")
	}
	return t.mark(l.add(e.Date.String()), e.Because)
}
