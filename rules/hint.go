package rules

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/ledger"
)

// isMisread reports whether a code is that of values that are not written as they have to be.
func isMisread(code ledger.Code) bool {
	switch code {
	case CardTypeValue, CardNumberForm, ExpireYearForm, ExpireMonthForm, AmountSyntax, SequenceElement, CurrencyUnknown, CountryUnknown,
		PeriodValue, StateUnknown, IntegerSyntax, DateSyntax, DateNotADay:
		return true
	}
	return false
}

// advise gives the findings about a value the remedy for it: about its marks, where it is in those that are not quotes,
// else what a [Fixer] would do with core, the value without the spaces around it.
func (c *checker) advise(found ledger.Findings, spec *Spec, s, core string) {
	quotes := quoteHelp(s)
	for i := range found {
		switch f := &found[i]; {
		case quotes != "":
			f.Help = quotes
		case isMisread(f.Code):
			advise(f, c.remedy(spec, core))
		}
	}
}

// remedy returns what to do about a value, which is what a Fixer would do: the word that is meant, or the help of the
// repair. It is empty where a Fixer knows nothing better than the rule that the value breaks.
func (c *checker) remedy(spec *Spec, s string) string {
	m, kind := c.reading().mend(spec.Column, s), &kinds[spec.kind]
	switch {
	case m.text != s && kind.isWord != nil && kind.isWord(m.text):
		return meantHelp(m.text)
	case m.refused && kind.words != nil:
		if i, ok := nearest.Of(s, kind.words); ok {
			return meantHelp(kind.words[i])
		}
	}
	if len(m.codes) == 0 {
		return ""
	}
	switch code := m.codes[0]; code {
	case refuseDate, refuseAmount, refuseNumber, refuseWord: // which name no fault
		return ""
	default:
		return repairOf(code).Help
	}
}

// meantHelp is the remedy for a value that probably means a word of a closed list.
func meantHelp(word string) string { return "perhaps " + word + " is meant: write it exactly so" }

// reading returns what decides in the current row how a value is read.
func (c *checker) reading() (of reading) {
	of.currency = asciiUpper(of.mend(ColumnCurrency, c.now(ColumnCurrency)).text)
	of.country = asciiUpper(of.mend(ColumnCountry, c.now(ColumnCountry)).text)
	return of
}

// hint notes on a finding about the current row the repair that a [Fixer] without instructions makes of its value.
func (r *reader) hint(f *ledger.Finding) {
	col, known := ColumnOf(f.Subject)
	if !known || f.Hint != "" || f.Code == InvalidUTF8 || r.layout[col] == 0 || !r.sc.plain && !utf8.Valid(r.sc.raw) {
		return
	}
	s, c := r.now(col), r.sc.cells[r.layout[col]-1]
	if inner, ok := uncurl(trimmedUnseen(s)); ok && c.form == formBare && columns[col].kind != valueText {
		s, f.Hint = inner, fixCurly
	}
	switch m := r.reading().mend(col, s); {
	case m.refused:
		f.Hint = ""
	case len(m.codes) > 0:
		f.Hint = m.codes[0]
	}
}

// hintHeader notes on the findings about the header what a [Fixer] without instructions makes of it.
func (r *reader) hintHeader() {
	if code := r.sc.fault.code; code != "" && code != CSVLineEnd { // before which the names are whole
		return
	}
	isHinted := func(f ledger.Finding) bool {
		return f.Code == NoHeader || f.Code == CSVSeparator || f.Code == ColumnUnknown
	}
	if !slices.ContainsFunc(r.found, isHinted) { // a header is read twice only where that can say something
		return
	}
	x := fixing{}
	x.readHeader(newCutter(newTextReader(bytes.NewReader(r.sc.raw), nil), len(r.sc.raw)))
	if x.unreadable {
		return
	}
	for i := range r.found {
		switch f := &r.found[i]; f.Code {
		case NoHeader:
			f.Hint = fixAlias
		case CSVSeparator:
			f.Hint = fixSeparator
		case ColumnUnknown:
			at := f.Place.Offset - r.sc.begin.offset
			if here := r.cellAt(int(at)); at >= 0 && here < len(x.names) && x.names[here].isCertain() {
				f.Hint = rankCodes[x.names[here].rank]
			}
		}
	}
}

// isCertain reports whether a name that is not the column's own may become it without instructions.
func (n *headerName) isCertain() bool {
	return n.rank == rankAlias && len(n.means) > 0 || n.rank == rankLoose && n.column != 0
}
