package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
)

// An amount such as 1.234 may be meant as 1234. In a currency with fewer than three decimals it is
// refused wherever it is: what other amounts show of their marks is gone once they are mended, and a
// later reading must refuse it too. In a currency with three it is the usual form, and is refused
// only where other amounts show that points separate thousands, or where it has spaces too: see pointed.

// lookForCommas notes a decimal comma, or several points, in an amount of the current record. Amounts of earlier rows that may be meant
// otherwise then are written already: the first of them is reported.
func (x *fixing) lookForCommas() {
	if x.commas {
		return
	}
	for f, col := range x.fields {
		if col == 0 || columns[col].kind != valueAmount {
			continue
		}
		if !groupsByPoint(x.bare(f)) {
			continue
		}
		x.commas = true
		if x.point.Refused {
			x.note(x.point)
		}
		return
	}
}

// groupsByPoint reports whether an amount shows that points are between thousands: by a decimal comma,
// or by several points. It may be one that is refused for its sign or its currency.
func groupsByPoint(s string) bool {
	m := mending{text: strings.TrimFunc(s, func(r rune) bool { return r < '0' || r > '9' })}
	if _, grouped := ungrouped(m.text, "."); grouped && strings.Count(m.text, ".") > 1 {
		return true
	}
	m.amount()
	return m.refused == "" && m.n > 0 && m.changes[m.n-1] == fixComma
}

// pointed refuses an amount s whose point may separate thousands, or remembers the first while no other
// amount shows that it does. That one may be refused when it is written already, and stays as it was
// only if nothing in it is mended: otherwise it is refused at once, and so are those after it, which a
// second reading would not tell from the first.
func (x *fixing) pointed(f int, m *mending, s, currency string) {
	switch {
	case m.refused != "":
	case x.commas || !hasThreeDecimals(currency) || m.n > 0:
		*m = mending{text: s, refused: fixThousands}
	case !x.point.Refused:
		line, at := x.place(x.sc.cells[f].start())
		x.point = Change{Code: fixThousands, Row: x.done.Rows, Column: x.fields[f], Line: line, Col: at, Refused: true}
	}
}

// hasThreeDecimals reports whether an amount of a currency may have three decimals. One of an unknown
// currency may have any number, and is as good as none.
func hasThreeDecimals(currency string) bool {
	n, ok := amount.MinorUnits(currency)
	return ok && n >= fraction
}

// mayPointGroup reports whether a point in an amount, or in one of a sequence, may separate thousands.
func mayPointGroup(col Column, s string) bool {
	if col == 0 || !strings.Contains(s, ".") {
		return false
	}
	switch columns[col].kind {
	case valueAmount:
		return pointGroups(s)
	case valueAmounts:
		for e := range strings.SplitSeq(s, ",") {
			if pointGroups(e) {
				return true
			}
		}
	default:
	}
	return false
}

// pointGroups reports whether a text is an amount like 1.234.
func pointGroups(s string) bool {
	s = strings.TrimFunc(s, isSpace)
	_, grouped := ungrouped(s, ".")
	return grouped && s[0] != '0'
}
