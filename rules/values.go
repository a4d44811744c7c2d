package rules

import (
	"unicode/utf8"

	"github.com/chargecast/chargecast/ledger"
)

// adviseMarks replaces the remedy for a value that is in marks of another kind than
// straight double quotes, as word processors write them, or in these twice: the marks
// are what is wrong.
func (r *Reader) adviseMarks(found ledger.Findings) {
	for i := range found {
		p := &found[i]
		switch p.Code {
		case InvalidUTF8, NULCharacter, ControlCharacter, SurroundingSpace:
			continue
		}
		column, _ := ColumnOf(p.Subject)
		if column == 0 || columns[column].kind == valueText {
			continue
		}
		value := r.now(column)
		if last, n := utf8.DecodeLastRuneInString(value); n < len(value) && alien(string(last)) != "" && alien(value) != "" {
			p.Help = alien(value)
		} else if help := doubled(value); help != "" {
			p.Help = help
		}
	}
}

// content is the value of cell f of the current row, quotes undone.
func (r *Reader) content(f int) string {
	s := r.between(f)
	if r.sc.cells[f].escaped() {
		return undouble(s)
	}
	return s
}

// now is the value of a column of the current row.
func (r *Reader) now(col Column) string {
	n := r.layout.place[col]
	if n == 0 {
		return ""
	}
	if r.sc.unplaced > 0 && r.template.steady[n-1] {
		r.sc.placed()
	}
	return r.content(int(n - 1))
}

// value judges the value of one column of the current row and types it. What cannot be
// typed is noted in unread.
func (r *Reader) value(col Column, f int) {
	c := r.sc.cells[f]
	plain := r.isPlainCell(c)
	s := r.content(f)
	r.countBare(c)
	spec := &columns[col]
	if !plain {
		r.textual(spec, c, s)
	}
	core := s
	if !plain || s[0] == ' ' || s[len(s)-1] == ' ' {
		if core = trimmed(s, plain); core == "" {
			r.blanks.add(col)
			r.unread.add(col)
			return
		}
		if core != s {
			r.spaces(spec, c)
		}
	}
	r.filled.add(col)
	r.length(spec, c, s)
	if judge := judges[spec.kind]; judge != nil {
		judge(r, col, core)
	}
}

// textual judges a value as a text: UTF-8, NUL, control characters (L41b, L44).
func (r *Reader) textual(spec *Spec, c cell, s string) {
	f := faultsOf(s)
	if f.invalid >= 0 {
		r.add(InvalidUTF8, r.inside(c, f.invalid)).in(spec.Column).adviseIf(r.encodingHelp())
		r.unread.add(spec.Column)
	}
	if f.nul >= 0 {
		r.add(NULCharacter, r.inside(c, f.nul)).in(spec.Column)
		r.unread.add(spec.Column)
	}
	if f.control >= 0 && spec.Column != ColumnOrderDesc {
		r.add(ControlCharacter, r.inside(c, f.control)).in(spec.Column)
	}
}

// encodingHelp is the remedy for a record that is in two encodings; empty for others.
func (r *Reader) encodingHelp() string {
	for raw := r.sc.raw; len(raw) > 0; {
		_, size := utf8.DecodeRune(raw)
		if size > 1 {
			return "save the file again, as UTF-8: other characters of the row are in UTF-8, or one was cut"
		}
		raw = raw[size:]
	}
	return ""
}

// spaces reports spaces around a value (L46).
func (r *Reader) spaces(spec *Spec, c cell) {
	base := ledger.SeverityError
	if spec.kind.free() {
		base = ledger.SeverityWarning
	} else {
		r.unread.add(spec.Column)
	}
	r.addAs(SurroundingSpace, base, c.start()).in(spec.Column)
}

// length judges the number of characters (L35, L40, L41).
func (r *Reader) length(spec *Spec, c cell, s string) {
	if spec.Max == 0 || spec.kind == valueAmounts || len(s) <= spec.Max && spec.Min == 0 && spec.Warn == 0 {
		return
	}
	runes := len(s)
	if !r.sc.plain {
		runes = utf8.RuneCountInString(s)
	}
	fits := spec.Max
	if spec.Warn > 0 {
		fits = spec.Warn
	}
	switch {
	case runes > spec.Max:
		r.add(TooLong, c.start()).in(spec.Column).lengths(runes, spec.Max).rests(spec.Clause).adviseIf(codeHelp(spec.kind))
	case runes < spec.Min:
		r.add(TooShort, c.start()).in(spec.Column).rests(spec.Clause)
	case runes > fits:
		r.add(OrderDescLong, c.start()).in(spec.Column)
	case len(s) > fits && (spec.kind.free() || spec.kind == valueState): // other codes are reported to be unknown
		r.add(BytesExceedLimit, c.start()).in(spec.Column)
	}
}

// codeHelp is the remedy for a name in full where its code belongs: the name cut short
// would be the code of something else.
func codeHelp(v valueKind) string {
	switch v {
	case valueCurrency:
		return "write the three letters of the code of ISO 4217, such as EUR"
	case valueCountry:
		return "write the two letters of the code of ISO 3166-1, such as DE: the beginning of a name may be another country"
	case valueState:
		return "write the code of ISO 3166-2 without the country, such as CA"
	}
	return ""
}

// refuse reports c at the column; an error leaves the column unread.
func (r *Reader) refuse(c ledger.Code, col Column) *finding {
	if ruleOf(c).Severity == ledger.SeverityError {
		r.unread.add(col)
	}
	return r.on(c, col)
}
