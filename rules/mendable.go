package rules

import "github.com/chargecast/chargecast/ledger"

// Mendable reports whether a [Fixer] would change what a finding of the current step is about: the
// encoding, the separator, the name of a column, or a value. It is false for a finding that is not
// about the whole text, or about the row, or the header, that was read last.
func (r *Reader) Mendable(p ledger.Finding) bool {
	if p.Code == InvalidUTF8 && r.wire != nil && r.wire.wide {
		return true
	}
	if p.Code == CSVSeparator {
		return r.separable()
	}
	r, at, ok := r.current(p)
	if !ok || r.sc.sep == '|' || p.Subject == "" && p.Code != ColumnUnknown && p.Code != InvalidUTF8 {
		return false
	}
	x := r.fixing()
	line, col := x.place(x.sc.cells[r.cellAt(at)].start())
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

// fixing is a Fixer at the current record.
func (r *Reader) fixing() *fixing {
	sc := *r.sc // a Fixer puts cells together
	return &fixing{sc: &sc, sep: r.sc.sep, code: r.code, fields: r.fields, wire: &wire{opts: r.opts}, rowsLeft: 1}
}

// separable reports whether a Fixer puts semicolons between the values of the payload, or takes the line
// for a spreadsheet away: it knows the separator, and can read the header.
func (r *Reader) separable() bool {
	if r.sc == nil || r.row > 0 || r.sc.sep == '|' || r.sc.fault.code != "" {
		return false
	}
	x := r.fixing()
	x.fields = nil
	x.names()
	return x.fields != nil
}
