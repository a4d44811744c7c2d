package laws

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A line is a charge without what it rests on: what a user sees.
type line struct {
	repeat     uint64
	slot, date calendar.Date
	min, max   amount.Amount
}

// String is the charge in words: repeat 3 on 2026-04-01: 10.5.
func (l line) String() string {
	text := "repeat " + strconv.FormatUint(l.repeat, 10) + " on " + l.date.String()
	if l.slot != l.date {
		text += " for " + dayInWords(l.slot)
	}
	if text += ": " + l.min.String(); l.max != l.min {
		text += " to " + l.max.String()
	}
	return text
}

func dayInWords(d calendar.Date) string {
	if d.IsZero() {
		return "no day"
	}
	return d.String()
}

func lineOf(c engine.Charge) line {
	return line{c.Repeat, c.Slot, c.Date, c.Min.Reduce(), c.Max.Reduce()}
}

func linesOf(charges iter.Seq[engine.Charge]) []line {
	var list []line
	for c := range charges {
		list = append(list, lineOf(c))
	}
	return list
}

// lines are the charges of a window.
func lines(f Forecast, w calendar.Window) []line { return linesOf(f.Charges(w)) }

// sameLines compares two lists of charges.
func sameLines(t *T, what string, got, want []line) bool {
	if slices.Equal(got, want) {
		return true
	}
	t.Errorf("%s: %s", what, difference(got, want))
	return false
}

// sameStart compares the charges of a plan with the first ones of the same plan changed, which may only
// append to them.
func sameStart(t *T, what string, before, changed []line) {
	if first := changed[:min(len(changed), len(before))]; !slices.Equal(first, before) {
		t.Errorf("%s: %s", what, difference(first, before))
	}
}

// difference says in which charge two lists differ first, with a few around it.
func difference(got, want []line) string {
	return differenceBy(got, want, func(a, b line) bool { return a == b })
}

// differenceBy is difference for those who count other charges as the same.
func differenceBy(got, want []line, same func(a, b line) bool) string {
	at := 0
	for at < len(got) && at < len(want) && same(got[at], want[at]) {
		at++
	}
	return "charge " + strconv.Itoa(at+1) + " is " + nth(got, at) + ", want " + nth(want, at) +
		"\n" + around("got", got, at) + "\n" + around("want", want, at)
}

// nth is a charge of a list in words.
func nth(list []line, at int) string {
	if at >= len(list) {
		return "none"
	}
	return list[at].String()
}

// around shows the charges near one, on a line of its own.
func around(title string, list []line, at int) string {
	from, to := max(at-1, 0), min(at+3, len(list))
	title += ", " + strconv.Itoa(len(list)) + " in all: "
	if from >= to {
		return title + "none"
	}
	var near []string
	for _, l := range list[from:to] {
		near = append(near, l.String())
	}
	if from > 0 {
		near[0] = "…, " + near[0]
	}
	if to < len(list) {
		near = append(near, "…")
	}
	return title + strings.Join(near, ", ")
}
