package rules

import (
	"slices"
	"strings"
)

// row mends the current record.
func (x *fixing) row() {
	sep := x.sep
	if x.sc.fault.code != "" && sep != ';' {
		sep = ';'
		x.sc.rewind(';') // a row with the right separator among others
		x.sc.next()
		x.sc.sep = x.sep
	}
	before := x.code
	code, ok := before.encodingOf(x.sc.raw)
	other := x.sc.width != len(x.fields) // number of values than the header
	switch f := slices.Index(x.fields, ColumnAmountSequence); {
	case x.sc.fault.code != "" || x.sc.width > len(x.sc.cells):
		x.at(refuseRow, -1, 0, true)
		x.verbatim()
		return
	case other && !(ok && x.join(code)):
		x.at(refuseWidth, -1, 0, true)
		x.refusedRow(code, ok)
		return
	case sep == ',' && x.shifted(), !other && ok && x.joined(code) != nil:
		x.at(refuseShift, -1, 0, true)
		x.shiftedRow(code, ok)
		return
	case f >= 0 && strings.Count(x.value(ColumnAmountSequence), ",") >= x.wire.opts.MaxElements:
		x.limit(LimitElements, x.wire.opts.MaxElements, "element", f)
		return
	case ok:
		x.setCode(code)
	case code == codeUTF8:
		// What is written is in UTF-8, so that a later reading would not refuse the row. It keeps its
		// text and has now what that reading would mend.
		x.at(refuseEncoding, -1, 0, true)
		x.code = codeUTF8
		x.mended()
		x.code = before
		return
	default:
		x.at(refuseEncoding, -1, 0, true)
		x.separated()
		return
	}
	x.mended()
	x.forget(before)
}

// forget goes back to the encoding before the current record if nothing in another encoding than
// ASCII was written for it, so that a later reading meets the same encodings.
func (x *fixing) forget(before textCode) {
	if isASCII(x.out) {
		x.code = before
	}
}

// mended writes the current record, each value mended.
func (x *fixing) mended() {
	country, currency := asciiUpper(x.value(ColumnCountry)), asciiUpper(x.value(ColumnCurrency))
	x.lookForCommas()
	for f := range x.sc.cells {
		if f > 0 {
			x.out = append(x.out, ';')
		}
		x.cell(f, country, currency)
	}
	x.out = append(x.out, x.sc.lineEnd()...)
}

// refusedRow writes a row that is not mended in the encoding of the others: without that no one
// encoding would fit the whole text.
func (x *fixing) refusedRow(code textCode, ok bool) {
	before := x.code
	if ok {
		x.setCode(code)
	}
	if ok && code == codeCP1252 {
		x.recoded()
	} else {
		x.separated()
	}
	x.forget(before)
}

// recoded writes the current record in UTF-8, else as separated does.
func (x *fixing) recoded() {
	for f := range x.sc.cells {
		if f > 0 {
			x.out = append(x.out, ';')
		}
		c := x.sc.cells[f]
		s, changed := x.content(f)
		switch {
		case !changed && (c.quoted() || x.sep == ';' || s == ""):
			x.out = append(x.out, x.sc.raw[c.start():c.end()]...)
		case !c.quoted() && x.sep == ';':
			x.out = append(x.out, s...)
		default:
			x.out = appendQuoted(x.out, s)
		}
	}
	x.out = append(x.out, x.sc.lineEnd()...)
}

// separated writes the current record as it is but for its separator, so that a later reading finds
// the same values in it.
func (x *fixing) separated() {
	if x.sep == ';' {
		x.verbatim()
		return
	}
	for f, c := range x.sc.cells {
		if f > 0 {
			x.out = append(x.out, ';')
		}
		if raw := x.sc.raw[c.start():c.end()]; c.quoted() || len(raw) == 0 {
			x.out = append(x.out, raw...)
		} else {
			x.out = appendQuoted(x.out, string(raw))
		}
	}
	x.out = append(x.out, x.sc.lineEnd()...)
}

// setCode notes the encoding of the rows.
func (x *fixing) setCode(c textCode) {
	if x.code = c; c == codeCP1252 {
		x.whole(fixCP1252, false)
	}
}

// value is the value of a column of the current record, without quotes and spaces around it.
func (x *fixing) value(col Column) string {
	if f := slices.Index(x.fields, col); f >= 0 {
		return x.bare(f)
	}
	return ""
}

// bare is value f of the current record, without quotes of any kind and spaces around it.
func (x *fixing) bare(f int) string {
	s, _ := x.content(f)
	if s = strings.TrimFunc(s, isSpace); inMarks(s) && !x.sc.cells[f].quoted() {
		s, _ = unmarked(s)
	}
	return strings.TrimFunc(s, isSpace)
}

// content is value f of the current record, quotes undone and in UTF-8; recoded reports whether its
// bytes are other ones now.
func (x *fixing) content(f int) (s string, recoded bool) {
	c := x.sc.cells[f]
	s = string(x.sc.raw[c.from:c.to])
	if c.escaped() {
		s = undouble(s)
	}
	if x.code == codeCP1252 && !isASCII([]byte(s)) {
		s, _ = fromCP1252(s)
		return s, true
	}
	return s, false
}

// cell mends value f of the current record, whose country and currency these are.
func (x *fixing) cell(f int, country, currency string) {
	c, col := x.sc.cells[f], x.fields[f]
	s, recoded := x.content(f)
	was, refused := s, false
	if !c.quoted() && s != "" {
		s, refused = x.unquoted(f, s)
	}
	m := mending{text: s}
	if col != 0 {
		m = mend(col, s, country)
	}
	if mayPointGroup(col, s) {
		x.pointed(f, &m, s, currency)
	}
	if m.refused != "" {
		x.at(m.refused, f, col, true)
	}
	for _, change := range m.changes[:m.n] {
		x.at(change, f, col, false)
	}
	switch {
	case c.quoted() && !recoded && m.text == was || !c.quoted() && was == "":
		x.out = append(x.out, x.sc.raw[c.start():c.end()]...)
		return
	case refused && !strings.ContainsAny(m.text, ";\"\r\n"): // a later reading refuses its quotes too
		x.out = append(x.out, m.text...)
		return
	}
	x.out = appendQuoted(x.out, m.text)
}

// unquoted returns a value that had no quotes, without the typographic ones that take their place, and
// whether these are refused.
func (x *fixing) unquoted(f int, s string) (text string, refused bool) {
	col := x.fields[f]
	trimmed := strings.TrimFunc(s, isSpace)
	if !inMarks(trimmed) {
		x.whole(fixBare, false)
		return s, false
	}
	inner, ok := unmarked(trimmed)
	switch {
	case !ok, !x.marks && (col == 0 || columns[col].kind == valueText): // they may be part of the value
		x.at(fixMarks, f, col, true)
		return s, true
	case x.marks:
		x.whole(fixMarks, false)
	default:
		x.at(fixMarks, f, col, false)
	}
	return inner, false
}

// appendQuoted appends a value in double quotes, those inside doubled.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
