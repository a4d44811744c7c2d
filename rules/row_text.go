package rules

// What many rows share need not be in the text of each: the text of a row that agrees
// with the pattern leaves out its longer runs.

// worthLeaving is the least length of a run that is left out.
const worthLeaving = 24

// leftOut describes what is missing from the text of a row that agrees with the pattern.
type leftOut struct {
	runs   []int   // the places of those runs among all
	size   int     // how much of a row they take
	before []int32 // by cell: how much of that is before it; -1: the cell is left out
	layout *layout // of what is left; nil before a row needs it
}

// leave finds the runs to leave out.
func (l *leftOut) leave(p *pattern) {
	l.runs, l.before, l.size, l.layout = l.runs[:0], l.before[:0], 0, nil
	for k := range p.runs {
		run := &p.runs[k]
		size := int(run.to - run.from)
		if size < worthLeaving {
			continue
		}
		l.fill(run.first, int32(l.size))
		l.fill(run.end, -1)
		l.runs = append(l.runs, k)
		l.size += size
	}
	l.fill(len(p.cells), int32(l.size))
}

// fill notes size for the cells up to end.
func (l *leftOut) fill(end int, size int32) {
	for len(l.before) < end {
		l.before = append(l.before, size)
	}
}

// rowText returns the text of the current row, in memory that neighbouring rows share while
// there is room, and the places of its values.
func (r *Reader) rowText() (text string, at *layout) {
	raw, left := r.sc.raw, &r.template.left
	size := r.rowTextSize()
	b := &r.texts
	if b.Cap()-b.Len() < size {
		b.Reset() // the rows before keep it
		b.Grow(max(size, min(size, longestShared)*(len(r.spare)+2)))
	}
	begin := b.Len()
	if r.abridged = size < len(raw); !r.abridged {
		_, _ = b.Write(raw)
		return b.String()[begin:], r.layout
	}
	from := 0
	for _, k := range left.runs {
		run := &r.sc.known.runs[k]
		_, _ = b.Write(raw[from:run.at])
		from = run.at + int(run.to-run.from)
	}
	if from < len(raw) { // nothing follows the last run of many patterns
		_, _ = b.Write(raw[from:])
	}
	if left.layout == nil {
		left.layout = r.abridgedLayout()
	}
	return b.String()[begin:], left.layout
}

// rowTextSize is how long the text of the current row is.
func (r *Reader) rowTextSize() int {
	if r.sc.agrees() {
		return len(r.sc.raw) - r.template.left.size
	}
	return len(r.sc.raw)
}

// abridgedLayout returns the layout of the texts of rows that agree with the pattern. One empty
// value takes the place of a run.
func (r *Reader) abridgedLayout() *layout {
	at, known, before := new(layout), &r.sc.known, r.template.left.before
	place := int16(0)
	for f, col := range r.fields {
		if before[f] >= 0 || f == 0 || before[f-1] >= 0 {
			place++
		}
		if before[f] >= 0 {
			at.place[col] = place
			continue
		}
		c := known.cells[f]
		at.shared = append(at.shared, known.text[c.start():c.end()])
		at.place[col] = -int16(len(at.shared))
	}
	at.place[0] = 0 // columns without a name
	return at
}

// between is what is between the quotes of cell f of the current row.
func (r *Reader) between(f int) string {
	c := r.sc.cells[f]
	if r.abridged {
		before := r.template.left.before[f]
		if before < 0 {
			c = r.sc.known.cells[f]
			return r.sc.known.text[c.from:c.to]
		}
		c.from -= before
		c.to -= before
	}
	return r.rec.text[c.from:c.to]
}
