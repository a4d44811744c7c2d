package rules

import "github.com/chargecast/chargecast/ledger"

// Mendable reports whether a [Fixer] would change what a finding of the current step is about: the
// encoding, the separator, the name of a column, or a value. It is false for a finding that is not
// about the whole text, or about the row, or the header, that was read last. It judges that row alone:
// a Fixer also knows earlier rows, such as their encoding.
func (r *Reader) Mendable(p ledger.Finding) bool {
	if p.Code == CSVSeparator || p.Code == InvalidUTF8 && r.wire.wide {
		return true
	}
	r, at, ok := r.current(p)
	if !ok || p.Subject == "" && p.Code != ColumnUnknown && p.Code != InvalidUTF8 {
		return false
	}
	sc := *r.sc // a Fixer puts cells together
	sc.cells = r.sc.placed()
	sc.unplaced = 0
	x := &fixing{sc: &sc, sep: ';', fields: r.fields, wire: &wire{opts: r.opts}, rowsLeft: 1}
	line, col := x.place(sc.cells[r.cellAt(at)].start())
	changed := false
	x.report = func(c Change) {
		here := c.Column != 0 && c.Line == line && c.Col == col
		changed = changed || !c.Refused && (here || c.Code == fixCP1252 && p.Code == InvalidUTF8)
	}
	if r.row == 0 {
		x.names()
	} else {
		x.row()
	}
	return changed
}
