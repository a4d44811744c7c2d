package rules

// A pattern is what the rows of a payload have in common: runs of values that are
// the same byte for byte in row after row. A row that agrees with all runs needs neither
// the scanner to look for the ends of those values nor a judgement of them.
type pattern struct {
	text  string // of the row from which it was learned
	cells []cell // of the same row
	runs  []run
}

// A run is the cells [first, end) of a pattern; its text is [from, to) of the row's.
type run struct {
	first, end int
	from, to   int32
	at         int // where it is in the current row
}

// noRun is a run that no pattern has: a row departed from it.
const noRun = 1 << 30

// follows reports whether run k of the pattern is at byte i of w, with the byte that
// ends its last value after it, and where that is.
func (p *pattern) follows(w []byte, i, k int) (after int, ok bool) {
	run := &p.runs[k]
	text := p.text[run.from:run.to]
	after = i + len(text)
	if after >= len(w) || string(w[i:after]) != text {
		return 0, false
	}
	if run.end < len(p.cells) {
		return after, w[after] == ';'
	}
	return after, rowEnd(w, after) > 0
}

// place puts the cells of run k among those of the current row.
func (p *pattern) place(cells []cell, k int) {
	run := &p.runs[k]
	by := int32(run.at) - run.from
	for f := run.first; f < run.end; f++ {
		c := p.cells[f]
		c.from += by
		c.to += by
		cells[f] = c
	}
}

// learn makes the pattern of the cells of a row for which steady holds.
func (p *pattern) learn(text string, cells []cell, steady []bool) {
	p.text, p.cells = text, append(p.cells[:0], cells...)
	p.runs = p.runs[:0]
	for f := 0; f < len(cells); f++ {
		if !steady[f] {
			continue
		}
		first := f
		for f+1 < len(cells) && steady[f+1] {
			f++
		}
		p.runs = append(p.runs, run{first, f + 1, int32(cells[first].start()), int32(cells[f].end()), 0})
	}
}
