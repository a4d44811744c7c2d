package rules

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// Mendable reports whether a [Fixer] would change what a finding of the current step is about: the
// separator, the name of a column, or a value. It is false for a finding that is not about the row, or
// the header, that was read last.
func (r *Reader) Mendable(p ledger.Finding) bool {
	if p.Code == CSVSeparator {
		return true
	}
	r, at, ok := r.current(p)
	if !ok || p.Subject == "" && p.Code != ColumnUnknown {
		return false
	}
	f := r.cellAt(at)
	c := r.sc.placed()[f]
	text := string(r.sc.raw[c.from:c.to])
	if c.escaped() {
		text = undouble(text)
	}
	if r.row == 0 {
		meant, change := meantColumn(strings.TrimFunc(text, isSpace))
		return meant != 0 && change != ""
	}
	if r.sc.width != len(r.fields) {
		return false
	}
	if !c.quoted() && inMarks(strings.TrimFunc(text, isSpace)) {
		return true
	}
	m := mend(r.fields[f], text, asciiUpper(r.country()))
	return m.refused == "" && m.n > 0
}

// country is the value of that column in the current record.
func (r *Reader) country() string {
	for f, c := range r.sc.placed() {
		if f < len(r.fields) && r.fields[f] == ColumnCountry {
			return strings.TrimFunc(string(r.sc.raw[c.from:c.to]), isSpace)
		}
	}
	return ""
}
