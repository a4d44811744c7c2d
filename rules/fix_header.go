package rules

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// header mends the header; false where there is none.
func (x *fixing) header() bool {
	for x.unmarked() && x.next() {
		switch {
		case len(x.sc.raw) == 0 && x.sc.fault.code == "":
			x.out = append(x.out, x.sc.lineEnd()...)
			continue
		case isSeparatorLine(x.sc.raw):
			x.whole(fixHint, false)
			continue
		}
		x.separator()
		x.names()
		x.flush()
		return true
	}
	x.flush()
	if x.sc.err == nil {
		x.at(refuseHeader, -1, 0, true)
	}
	return false
}

// separator finds what separates the names of the current record: the separator under which most of
// them are names of columns. The record is read with it then.
func (x *fixing) separator() {
	best, most := byte(';'), 0
	for _, sep := range []byte{';', ',', '\t'} {
		x.sc.rewind(sep)
		x.sc.next()
		if n := x.meant(); n > most {
			best, most = sep, n
		}
	}
	x.sc.rewind(best)
	x.sc.next()
	if x.sep = best; best != ';' {
		x.whole(fixSeparator, false)
	}
}

// meant counts the values of the current record that mean columns.
func (x *fixing) meant() (n int) {
	for f := range x.sc.cells {
		if col, _ := meantColumn(x.bare(f)); col != 0 {
			n++
		}
	}
	return n
}

// names mends the names of the current record.
func (x *fixing) names() {
	before := x.code
	code, ok := before.encodingOf(x.sc.raw)
	if ok {
		x.setCode(code)
	}
	if !ok || x.sc.fault.code != "" || x.sc.width > len(x.sc.cells) || x.meant() == 0 {
		x.at(refuseHeader, -1, 0, true)
		x.verbatim()
		return
	}
	x.fields = make([]Column, len(x.sc.cells))
	changes, rivals := x.claims()
	for f := range x.sc.cells {
		if f > 0 {
			x.out = append(x.out, ';')
		}
		x.writeName(f, changes[f], rivals[f])
	}
	x.out = append(x.out, x.sc.lineEnd()...)
	x.forget(before)
}

// claims finds the column of each name and the change that writes it so. An exact name has its
// column for itself; of others that mean the same column, or one that is there already, none has.
// These are rivals for it.
func (x *fixing) claims() (changes []ledger.Code, rivals []Column) {
	changes, rivals = make([]ledger.Code, len(x.fields)), make([]Column, len(x.fields))
	var exact, near [columnCount + 1]int
	for f := range x.fields {
		x.fields[f], changes[f] = meantColumn(x.bare(f))
		if changes[f] == "" {
			exact[x.fields[f]]++
		} else {
			near[x.fields[f]]++
		}
	}
	for f, col := range x.fields {
		if changes[f] == "" && exact[col] > 1 || changes[f] != "" && exact[col]+near[col] > 1 {
			x.fields[f], rivals[f] = 0, col
		}
	}
	return changes, rivals
}

// writeName writes name f of the header.
func (x *fixing) writeName(f int, change ledger.Code, rival Column) {
	c, col := x.sc.cells[f], x.fields[f]
	s, recoded := x.content(f)
	switch {
	case rival != 0:
		x.refuseName(refuseTwice, f, rival)
	case col == 0:
		x.refuseName(refuseName, f, 0)
	case change != "":
		x.at(change, f, col, false)
	}
	marked := !c.quoted() && inMarks(strings.TrimFunc(s, isSpace))
	switch {
	case marked:
		x.marks = true
		x.whole(fixMarks, false)
	case !c.quoted() && s != "":
		x.whole(fixBare, false)
	}
	if col != 0 && s != col.String() {
		if change == "" && !marked { // nothing but spaces
			x.at(fixSpaces, f, col, false)
		}
		s = col.String()
	} else if c.quoted() && !recoded || s == "" {
		x.out = append(x.out, x.sc.raw[c.start():c.end()]...)
		return
	}
	x.out = appendQuoted(x.out, s)
}

// refuseName refuses name f of the header, of which col may be the column.
func (x *fixing) refuseName(c ledger.Code, f int, col Column) {
	line, at := x.place(x.sc.cells[f].start())
	refused := Change{Code: c, Column: col, Line: line, Col: at, Refused: true, Field: f + 1}
	if near, ok := nearestColumn(x.bare(f)); ok && col == 0 && !slices.Contains(x.fields, near) {
		refused.Near = near
	}
	x.note(refused)
}
