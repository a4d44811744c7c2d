package rules

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/ledger"
)

// isMisread reports whether a code is about the form of a value.
func isMisread(code ledger.Code) bool {
	switch code {
	case CardTypeValue, CardNumberForm, ExpireYearForm, ExpireMonthForm, AmountSyntax, SequenceElement, CurrencyUnknown, CountryUnknown,
		PeriodValue, StateUnknown, IntegerSyntax, DateSyntax, DateNotADay:
		return true
	}
	return false
}

// advise sets the remedy of the findings about a value: about its quotation marks, or what a [Fixer] would do with core,
// the value without the spaces around it.
func (c *checker) advise(found ledger.Findings, spec *Spec, s, core string) {
	quotes := quoteHelp(s)
	for i := range found {
		switch f := &found[i]; {
		case quotes != "":
			f.Help = quotes
		case isMisread(f.Code):
			setHelp(f, c.remedy(spec, core))
		}
	}
}

// remedy returns what a Fixer would do about a value: the word that it would write, or the help of its repair; empty if
// the rule that the value breaks has the better remedy.
func (c *checker) remedy(spec *Spec, s string) string {
	m, kind := c.reading().mend(spec.Column, s), &kinds[spec.kind]
	switch {
	case m.text != s && kind.isWord != nil && kind.isWord(m.text):
		return wordHelp(m.text)
	case m.refused && kind.words != nil:
		if i, ok := nearest.Of(s, kind.words); ok {
			return wordHelp(kind.words[i])
		}
	}
	if len(m.codes) == 0 {
		return ""
	}
	switch code := m.codes[0]; code {
	case refuseDate, refuseAmount, refuseNumber, refuseWord: // the rule has more to say
		return ""
	default:
		return repairOf(code).Help
	}
}

// wordHelp is the remedy for a value that probably means a word of a closed list.
func wordHelp(word string) string { return "did you mean " + word + "? write it exactly so" }

// reading returns what the reading of a value depends on in the current row.
func (c *checker) reading() (of reading) {
	of.currency = asciiUpper(of.mend(ColumnCurrency, c.now(ColumnCurrency)).text)
	of.country = asciiUpper(of.mend(ColumnCountry, c.now(ColumnCountry)).text)
	return of
}

// hint sets the hint of a finding about the current row: the repair that a [Fixer] without instructions makes of the value.
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

// hintHeader sets the hints of the findings about the header: what a [Fixer] without instructions makes of it.
func (r *reader) hintHeader() {
	if code := r.sc.fault.code; code != "" && code != CSVLineEnd { // before which the names are whole
		return
	}
	isHinted := func(f ledger.Finding) bool {
		return f.Code == NoHeader || f.Code == CSVSeparator || f.Code == ColumnUnknown
	}
	if !slices.ContainsFunc(r.found, isHinted) { // else the header need not be read again
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

// isCertain reports whether a Fixer writes the name of a column for a name without instructions.
func (n *headerName) isCertain() bool {
	return n.rank == rankAlias && len(n.means) > 0 || n.rank == rankLoose && n.column != 0
}
