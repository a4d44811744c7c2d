package rules

// judgeValues judges each value of the current row, but for those that agree with the
// pattern: they were judged when it was learned.
func (r *Reader) judgeValues() {
	before := len(r.found)
	if r.sc.agrees() {
		r.recall()
		r.judgeVarying()
	} else {
		for f := range r.sc.placed() {
			r.judgeValue(f)
		}
		if len(r.found) == before && r.unread|r.blanks == 0 && !r.mayBeOnly() {
			r.learn()
		}
	}
	if len(r.found) > before {
		r.adviseMarks(r.found[before:])
	}
}

// judgeVarying judges the values of the current row that the pattern has not, most of them
// here and now, as in judgeValue.
func (r *Reader) judgeVarying() {
	raw, text, cells, plain := r.sc.raw, r.rec.text, r.sc.cells, r.sc.plain
	for i := range r.template.varying {
		o := &r.template.varying[i]
		c := cells[o.cell]
		if c.from == c.to {
			continue
		}
		if !plain || c.to-c.from > o.most || c.escaped || !c.quoted || raw[c.from] == ' ' || raw[c.to-1] == ' ' {
			r.judgeValue(o.cell)
			continue
		}
		r.filled.add(o.column)
		if !o.free {
			r.typed(&columns[o.column], o.cell, text[c.from-o.before:c.to-o.before])
		}
	}
}

// judgeValue judges cell f of the current row. Most values are printable ASCII in quotes,
// within their limit and without spaces around them: for these the length needs no
// second look, free text none at all, and a text that a column had before none either.
func (r *Reader) judgeValue(f int) {
	c, col := r.sc.cells[f], r.fields[f]
	if c.from == c.to || col == 0 || int(col) >= len(shortcuts) {
		return
	}
	raw, short := r.sc.raw, &shortcuts[col]
	usual := r.sc.plain && c.quoted && raw[c.from] != ' ' && raw[c.to-1] != ' '
	fits := c.to-c.from <= short.most // doubled quotes make it seem longer
	switch {
	case usual && fits && short.free:
		r.filled.add(col)
	case c.escaped:
		r.value(col, f)
	case usual && short.shared && r.kept.texts[col] == r.between(f):
		r.filled.add(col)
		r.reuse(col)
	case usual && fits:
		r.filled.add(col)
		r.settled(&columns[col], f, r.between(f))
	default:
		r.value(col, f)
	}
}

// settled types a value of which everything else is known to be right, and remembers it
// where it has no fault.
func (r *Reader) settled(spec *Spec, f int, s string) {
	before := len(r.found)
	r.typed(spec, f, s)
	if shortcuts[spec.Column].shared && len(r.found) == before && !r.unread.has(spec.Column) {
		r.keep(spec.Column, s)
	}
}

// shortcut is what makes a column's usual values quick to judge.
type shortcut struct {
	most   int32 // the length up to which a text of ASCII needs no further look
	free   bool  // it is free text: nothing else to judge
	shared bool  // neighbouring rows often have the same value
}

var shortcuts = func() (all [columnCount + 1]shortcut) {
	for s := range Columns() {
		e := &all[s.Column]
		e.most = int32(s.Max)
		switch {
		case s.Warn > 0:
			e.most = int32(s.Warn)
		case s.Min > 0: // few values have one; they take the long way
			e.most = 0
		case s.Max == 0, s.kind == valueAmounts: // the kind of value sets the bounds
			e.most = defaultMaxCell
		}
		e.free = s.kind == valueText
		switch s.Column {
		case ColumnCardNumber, ColumnCVV2, ColumnEmail: // hardly ever
		case ColumnExpireYear, ColumnExpireMonth, ColumnAmount, ColumnPeriod, ColumnInterval: // often another, and typed as quickly as compared
		default:
			e.shared = !e.free
		}
	}
	return all
}()
