package rules

// A pattern is what the rows of a payload have in common: runs of values that are
// the same byte for byte in row after row. A row that agrees with all runs needs neither
// the scanner to look for the ends of those values nor a judgement of them.
type pattern struct {
	text  string // of the row from which it was learned
	cells []cell // of the same row
	runs  []run
}

// A run is the cells [first, end) of a pattern, which are [from, to) of its text.
type run struct {
	first, end int
	from, to   int32
	text       string // of the cells, with the separator that follows them
	last       bool   // no separator follows: the run ends the record
	at         int    // where it is in the current row
}

// noRun is a run that no pattern has: a row departed from it.
const noRun = 1 << 30

// follows returns where the next value begins if the run is at byte i of w, followed by a separator;
// for the last run, where it ends if a line end follows. It returns 0 if the run is not there.
func (r *run) follows(w []byte, i int) (after int) {
	after = i + len(r.text)
	if i < 0 || after >= len(w) || string(w[i:after]) != r.text || r.last && rowEnd(w, after) == 0 {
		return 0
	}
	return after
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
		p.runs = append(p.runs, newRun(text, cells, first, f+1))
	}
}

// newRun returns the run of the cells [first, end) of a row.
func newRun(text string, cells []cell, first, end int) run {
	r := run{first: first, end: end, from: int32(cells[first].start()), to: int32(cells[end-1].end()), last: end == len(cells)}
	r.text = text[r.from:r.to]
	if !r.last {
		r.text = text[r.from : r.to+1]
	}
	return r
}
