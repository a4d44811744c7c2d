package campaign

import (
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/termtext"
)

// mostUnmet is how many pairs of classes the text names.
const mostUnmet = 20

// AppendText appends the report for people.
func (r Report) AppendText(dst []byte) []byte {
	line := func(parts ...string) { dst = append(append(dst, clean(strings.Join(parts, ""))...), '\n') }
	line(r.headline())
	line("Seed ", number(r.Seed), ", campaign ", strconv.Itoa(r.Campaigns), " of this corpus", r.timeText())
	if len(r.Laws) > 0 {
		line()
		line("Cases by law: ", number(r.Cases()), rate(r.Cases(), r.LawTime, "cases"))
		most := r.Largest()
		line("  most: ", most.ID, ", ", percent(most.Cases, r.Cases()), " of all")
		dst = r.lawTable(dst)
		if r.Incomplete != "" {
			line("  ", r.Incomplete)
		}
		if r.Grid.Whole > 0 {
			line("Grid of C30: ", number(r.Grid.Series), " series; ", number(r.Grid.All), " of ", number(r.Grid.Whole), " so far")
		}
		line()
		line("Pairs of input classes: ", r.pairsText())
		for _, p := range r.Unmet[:min(mostUnmet, len(r.Unmet))] {
			line("  not met: ", p)
		}
		if more := len(r.Unmet) - mostUnmet; more > 0 {
			line("  and ", strconv.Itoa(more), " more, in the JSON report")
		}
	}
	if len(r.Targets) > 0 {
		line()
		dst = r.targetTable(dst)
	}
	if len(r.Findings) > 0 {
		line()
		line("Findings:")
	}
	for _, f := range r.Findings {
		line("  ", f.ID, " ", f.state())
		line("    ", f.where())
		line("    ", f.summary())
		if f.ShrinkStopped != "" {
			line("    not shrunk further: ", f.ShrinkStopped)
		}
		if again := f.again(); again != "" {
			line("    ", again)
		}
	}
	return dst
}

// headline is the first line of a report.
func (r Report) headline() string {
	fails := 0
	for _, f := range r.Findings {
		if f.Fails() {
			fails++
		}
	}
	text := "chargecast-conform: "
	switch {
	case fails > 0:
		text += counted(fails, "finding") + ", " + strconv.Itoa(r.New()) + " new"
	case r.NoEngine != "":
		text += "nothing failed; the Go engine did not run"
	default:
		text += "nothing failed"
	}
	if r.Interrupted {
		text += "; interrupted"
	}
	return text
}

func (r Report) timeText() string {
	if r.Elapsed == 0 {
		return ""
	}
	return ", " + r.Elapsed.Round(time.Second).String()
}

// lawTable lists the laws, five in a row.
func (r Report) lawTable(dst []byte) []byte {
	width := 0
	var cells []string
	for _, l := range r.Laws {
		cell := l.ID + " " + number(l.Cases)
		if l.Findings > 0 {
			cell += " FAILS"
		}
		cells = append(cells, cell)
		width = max(width, len(cell))
	}
	columns := max(78/(width+2), 1)
	for i, cell := range cells {
		if i%columns == 0 {
			dst = append(dst, "  "...)
		}
		dst = append(dst, cell...)
		if i%columns == columns-1 || i == len(cells)-1 {
			dst = append(dst, '\n')
			continue
		}
		dst = append(dst, strings.Repeat(" ", width+2-len(cell))...)
	}
	return dst
}

func (r Report) pairsText() string {
	met, possible := 0, 0
	for _, p := range r.Pairs {
		met += p.Met
		possible += p.Possible
	}
	return strconv.Itoa(met) + " of " + strconv.Itoa(possible) + " met"
}

func (r Report) targetTable(dst []byte) []byte {
	line := func(parts ...string) { dst = append(append(dst, clean(strings.Join(parts, ""))...), '\n') }
	if r.NoEngine != "" {
		line("Native targets: the Go engine did not run: ", r.NoEngine)
		line("  Their seeds and the inputs of the corpus were tried in this process.")
	} else {
		line("Native targets:")
	}
	var idle []string
	for _, t := range r.Targets {
		if !t.Ran && t.Findings == 0 && t.Incomplete == "" {
			idle = append(idle, t.Name)
			continue
		}
		row := "  " + t.Name + ": " + t.inputsText() + ", " + counted(t.Corpus, "input") + " kept"
		if t.New > 0 {
			row += ", " + strconv.Itoa(t.New) + " new"
		}
		if t.Findings > 0 {
			row += ", " + counted(t.Findings, "finding") + " FAILS"
		}
		if t.Incomplete != "" {
			row += "; " + t.Incomplete
		}
		line(row)
	}
	switch {
	case len(idle) > 3:
		line("  ", counted(len(idle), "target"), " had no turn")
	case len(idle) > 0:
		line("  no turn: ", strings.Join(idle, ", "))
	}
	return dst
}

func (t Target) inputsText() string {
	if !t.Ran {
		return "no turn"
	}
	return number(t.Inputs) + " inputs" + rate(t.Inputs, t.Elapsed, "")
}

// state is what the campaign says of a finding.
func (f Finding) state() string {
	switch {
	case !f.Fails():
		return "holds now"
	case f.New:
		return "is new"
	case !f.judgeable():
		return "failed, and cannot be judged again: the generators have changed"
	}
	return "still fails"
}

// where is what a finding is about.
func (f Finding) where() string {
	if f.Target != "" {
		return f.Target
	}
	return f.Law + " (clause " + f.Clause + "): " + f.Formula
}

// number is a number with commas between its thousands.
func number(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func counted(n int, what string) string { return termtext.Counted(strconv.Itoa(n), what) }

// clean is a text on one line without control characters.
func clean(s string) string { return termtext.Visible(s) }

func rate(n uint64, d time.Duration, what string) string {
	if d == 0 {
		return ""
	}
	if what != "" {
		what += " "
	}
	return ", " + number(perSecond(n, d)) + " " + what + "a second"
}

// percent is a part of a whole in tenths of a percent.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "0 %"
	}
	tenths := part * 1000 / whole
	return number(tenths/10) + "." + strconv.FormatUint(tenths%10, 10) + " %"
}
