package rules

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/chargecast/chargecast/ledger"
)

// Mendable reports whether a [Fixer] without instructions would change what a finding of the current step is about: the
// encoding, the separator, the name of a column, or a value. It is false for a finding that is not about the whole text,
// or about the row, or the header, that was read last.
func (r *Reader) Mendable(p ledger.Finding) bool { return r.hidden().mendable(p) }

func (r *reader) mendable(p ledger.Finding) bool {
	if p.Code == InvalidUTF8 {
		return p.Subject == "" && r.wire != nil && r.wire.wide
	}
	x := fixing{sep: ';'}
	if p.Code == CSVSeparator {
		if r.sc == nil || r.number > 0 || r.sc.fault.code != "" {
			return false
		}
		x.readHeader(newCutter(newTextReader(bytes.NewReader(r.sc.raw), nil), len(r.sc.raw)))
		return !x.unreadable
	}
	at, ok := r.current(p)
	if !ok || p.Subject == "" && p.Code != ColumnUnknown || !utf8.Valid(r.sc.raw) {
		return false
	}
	cells, _ := appendCells(nil, r.sc.raw, r.sc.sep)
	here := slices.IndexFunc(cells, func(c cellText) bool { return at <= c.at+len(c.raw) })
	switch {
	case here < 0:
		return false
	case r.number == 0:
		x.keepTail = true
		x.claim(cells)
		n := x.names[here]
		return n.rank == rankAlias && len(n.means) > 0 || n.rank == rankLoose && n.column != 0
	case len(cells) != len(r.fields) || r.fields[here] == 0:
		return false
	}
	for i, col := range r.fields {
		if col == ColumnCountry {
			x.reading.country = asciiUpper(cells[i].name())
		}
		if col == ColumnCurrency {
			x.reading.currency = asciiUpper(cells[i].name())
		}
	}
	x.curly = cells[here].curly() && columns[r.fields[here]].kind != valueText
	m := x.reading.mend(r.fields[here], x.unquote(cells[here]))
	return (x.curly || len(m.codes) > 0) && !m.refused
}
