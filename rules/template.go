package rules

// template is what is known of a row that agrees with the pattern: the columns that the
// runs fill, and what their values were typed to.
type template struct {
	filled  columnSet
	values  typedValues
	steady  []bool    // by cell: it is part of a run
	varying []varying // the values that no run has
	left    leftOut   // what its text lacks
	placed  bool      // its country and state go together
	age     int       // rows that departed from the pattern since it was begun
}

// A varying is a value in which rows that agree with the pattern differ.
type varying struct {
	cell   int
	judge  valueJudge // nil: none, as in judges
	set    columnSet  // its column alone
	before int32      // how much of the row is before it that its text lacks
	column Column
	shortcut
}

// begunAnew is how many rows may narrow a pattern before another is begun, from all the
// values of a row: what was steady once may have changed, and be steady again.
const begunAnew = 256

// recall gives the current row what is known of one that agrees with the pattern.
func (r *Reader) recall() {
	u := &r.template
	r.rec.Row, r.amounts = u.values.row, u.values.amounts
	r.filled = u.filled
}

// learn narrows the pattern to what the current row has too. The row has no value with a
// fault.
func (r *Reader) learn() {
	u, p := &r.template, &r.sc.known
	cells, text := r.sc.placed(), r.rec.text
	if u.age%begunAnew == 0 {
		u.steady = append(u.steady[:0], make([]bool, len(cells))...)
		for f, c := range cells {
			u.steady[f] = (c.quoted() || c.from == c.to) && isPlain(r.sc.raw[c.from:c.to])
		}
	} else {
		for f, c := range cells {
			was := p.cells[f]
			u.steady[f] = u.steady[f] && p.text[was.start():was.end()] == text[c.start():c.end()]
		}
	}
	u.age++
	p.learn(text, cells, u.steady)
	u.filled, u.values, u.varying, u.placed = 0, typedValues{}, u.varying[:0], false
	u.left.leave(p)
	for f, col := range r.fields {
		switch {
		case col == 0:
		case !u.steady[f]:
			u.varying = append(u.varying, varyingOf(f, col, u.left.before[f]))
		case cells[f].from < cells[f].to:
			u.filled.add(col)
			carry(col, &u.values.row, &r.rec.Row, &u.values.amounts, &r.amounts)
		}
	}
}

// isSteady reports whether a column's value, or its absence, is part of the pattern.
func (r *Reader) isSteady(col Column) bool {
	n := r.layout.place[col]
	return n == 0 || r.template.steady[n-1]
}

func varyingOf(cell int, col Column, before int32) varying {
	judge := judges[columns[col].kind]
	if col == ColumnOrderID {
		judge = (*Reader).noteOrderID
	}
	return varying{cell, judge, 1 << col, before, col, shortcuts[col]}
}
