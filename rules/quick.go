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

// judgeVarying judges the values of the current row that are not part of the pattern. Usual ones are
// judged here, as judgeValue would.
func (r *Reader) judgeVarying() {
	text, cells, varying := r.rec.text, r.sc.cells, r.template.varying
	if !r.sc.plain {
		for i := range varying {
			r.judgeValue(varying[i].cell)
		}
		return
	}
	for i := range varying {
		o := &varying[i]
		c := cells[o.cell]
		if c.from == c.to {
			continue
		}
		s := text[c.from-o.before : c.to-o.before]
		if c.form != formQuoted || len(s) > o.most || s[0] == ' ' || s[len(s)-1] == ' ' {
			r.judgeValue(o.cell)
			continue
		}
		r.filled |= o.set
		switch {
		case o.judge == nil:
		case !o.shared:
			o.judge(r, o.column, s)
		case r.kept.texts[o.column] == s:
			r.reuse(o.column)
		default:
			r.settled(o.column, s)
		}
	}
}

// judgeValue judges cell f of the current row. Most values are printable ASCII in quotes, within
// their limit, and without spaces around them. Such a value needs no check of its length or its
// characters; free text, and a text that the column had before, need no check at all.
func (r *Reader) judgeValue(f int) {
	c, col := r.sc.cells[f], r.fields[f]
	if c.from == c.to || col == 0 || int(col) >= len(shortcuts) {
		return
	}
	raw, short := r.sc.raw, &shortcuts[col]
	usual := c.quoted() && raw[c.from] != ' ' && raw[c.to-1] != ' ' && r.isPlainCell(c)
	fits := int(c.to-c.from) <= short.most // doubled quotes make it seem longer
	switch {
	case usual && fits && short.free:
		r.filled.add(col)
	case c.escaped():
		r.value(col, f)
	case usual && short.shared && r.kept.texts[col] == r.between(f):
		r.filled.add(col)
		r.reuse(col)
	case usual && fits:
		r.filled.add(col)
		r.settled(col, r.between(f))
	default:
		r.value(col, f)
	}
}

// isPlainCell reports whether a cell of the current row is printable ASCII.
func (r *Reader) isPlainCell(c cell) bool { return r.sc.plain || isPlain(r.sc.raw[c.from:c.to]) }

// settled types a value of which everything else is known to be right, and remembers it
// where it has no fault.
func (r *Reader) settled(col Column, s string) {
	before := len(r.found)
	judges[columns[col].kind](r, col, s)
	if shortcuts[col].shared && len(r.found) == before && !r.unread.has(col) {
		r.keep(col, s)
	}
}

// shortcut is what makes a column's usual values quick to judge.
type shortcut struct {
	most   int  // the length up to which a text of ASCII needs no further look
	free   bool // it is free text: nothing else to judge
	shared bool // neighbouring rows often have the same value
}

var shortcuts = func() (all [columnCount + 1]shortcut) {
	for s := range Columns() {
		e := &all[s.Column]
		e.most = s.Max
		switch {
		case s.Warn > 0:
			e.most = s.Warn
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
