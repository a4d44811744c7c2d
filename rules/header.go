package rules

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/ledger"
)

// header reads the row of column names. With a name that is unknown, missing or repeated, or another separator, the rows
// after it are counted and not checked (L42). It is false where there is nothing to count (L45).
func (r *reader) header() bool {
	if r.sc.skipBOM() {
		aboutFile(r.report(ByteOrderMark, 0, 0), position{line: 1})
		if at := r.sc.next; r.sc.skipBOM() {
			f := aboutFile(r.report(ColumnUnknown, 0, 0), at)
			f.Message, f.Help = "the name of the first column begins with a second byte-order mark", "remove both marks"
			r.counted = true
		}
	}
	var hints tally
	for r.sc.scan() {
		switch {
		case len(r.sc.raw) == 0 && r.sc.fault.code == "":
			r.blank.count(r.sc.begin)
			continue
		case isSeparatorLine(r.sc.raw):
			hints.count(r.sc.begin)
			continue
		}
		r.reportHints(hints)
		r.reportBlank()
		r.head = r.sc.begin
		return r.names()
	}
	r.reportHints(hints)
	if r.sc.err == nil {
		aboutFile(r.makeFinal(r.report(NoHeader, 0, 0)), r.sc.next).Message = "the input is empty"
	}
	return false
}

// isSeparatorLine reports whether a record is the "sep=;" that some spreadsheets want.
func isSeparatorLine(raw []byte) bool {
	return len(raw) <= len(`"sep=;"`) && strings.HasPrefix(strings.ToLower(strings.Trim(string(raw), `"`)), "sep=")
}

// reportHints reports the lines "sep=;" before the header, once however many there are.
func (r *reader) reportHints(hints tally) {
	if hints.n == 0 {
		return
	}
	r.counted = true
	f := aboutFile(r.report(CSVSeparator, 0, 0), hints.first)
	f.Message, f.Help = "the first line is an instruction for a spreadsheet, not column names", "remove the line"
	if hints.n > 1 {
		f.Message = count(int64(hints.n), "lines are instructions for a spreadsheet, not column names; the first is here")
		f.Help = "remove the lines"
	}
}

// names turns the values of the header into columns; false if the header cannot be read, or no value is a column name or
// close to one.
func (r *reader) names() bool {
	r.countBare()
	if sep := r.otherSeparator(); sep != 0 {
		r.sc.rescan(sep) // so that values with line breaks do not count as rows
		r.counted = true
		return true
	}
	if r.sc.fault.code != "" {
		f := r.reportFault()
		if r.sc.fault.code != CSVLineEnd { // before which the names are whole
			r.makeFinal(f)
			r.reportCharacters()
			return false
		}
		r.spoiled = true
	}
	r.reportCharacters()
	r.text = string(r.sc.raw)
	r.headerText = r.text
	list := make([]string, len(r.sc.cells))
	isHeader, known := false, false
	for i, c := range r.sc.cells {
		list[i] = c.of(r.text)
		known = known || isColumnOrAlias(list[i])
		isHeader = isHeader || isNearColumn(list[i]) || quoteHelp(list[i]) != ""
	}
	if !isHeader { // the line is data, and nothing of it is shown
		f := r.makeFinal(r.report(NoHeader, 0, 0))
		f.Message, f.Help = "the first line is not column names", "begin with a row of column names"
		if strings.HasPrefix(r.text, "payload=") {
			f.Help = "it looks like a form body that was encoded again: encode the CSV alone"
		}
		return false
	}
	r.fields = make([]field, len(list))
	for i, name := range list {
		if col, ok := ColumnOf(name); ok && !r.present.has(col) {
			r.fields[i], r.layout[col] = fieldOf(col), int16(i+1)
			r.present.add(col)
		}
	}
	for i, name := range list {
		if col, ok := ColumnOf(name); ok && r.fields[i].col == 0 {
			f := r.report(ColumnDuplicate, 0, r.sc.cells[i].start())
			f.Kind, f.Subject = ledger.SubjectColumn, col.String()
			f.Message = "column " + strconv.Itoa(i+1) + " of the header has the name of an earlier one"
		} else if !ok {
			r.unknown(i, name, known)
		}
	}
	r.reportMissing()
	for i := range r.found {
		r.counted = r.counted || r.found[i].Code != CSVLineEnd && r.opts.severityOf(&r.found[i]) == ledger.SeverityError
	}
	return true
}

// reportMissing reports the columns that a header must have.
func (r *reader) reportMissing() {
	needed := requiredAlways
	if r.opts.ScheduleOnly {
		needed = 1<<ColumnOrderID | 1<<ColumnCurrency
	}
	(needed &^ r.present).each(func(col Column) {
		f := r.report(ColumnMissing, 0, 0)
		f.Kind, f.Subject = ledger.SubjectColumn, col.String()
		if col == ColumnCardType {
			f.Help = "add the column: SRC in a row that charges the sender's card, DST in one for the receiver's card"
		}
	})
	if r.present&amountColumns == 0 {
		f := r.report(AmountMissing, ColumnAmount, wholeValue)
		f.Message = "the header has no column for the amount"
		cite(f, clause.Doc225)
	}
}

// unknown reports a name that no column has. The name itself is shown only in a header with a known one.
func (r *reader) unknown(i int, name string, known bool) {
	f := r.report(ColumnUnknown, 0, r.sc.cells[i].start())
	place := "column " + strconv.Itoa(i+1) + " of the header"
	f.Message = place + " is not one of the document's columns"
	if known && isPrintableName(name) {
		f.Message += ` ("` + name + `")`
	}
	near, ok := nearestColumn(name)
	if ok {
		r.candidates.add(near)
	}
	for _, col := range aliasKeys[aliasKey(name)] {
		r.candidates.add(col)
	}
	switch help := quoteHelp(name); {
	case name == "":
		f.Message, f.Help = place+" has no name", "remove the semicolon at the end of the header and of each row, or name the column"
	case help != "":
		f.Help = help
	case strings.HasPrefix(name, mark):
		f.Help = "remove the byte-order mark before the name"
	case ok && r.present.has(near):
		f.Help = "did you mean " + near.String() + "? the header has it already: remove one of the two"
	case ok:
		f.Help = "did you mean " + near.String() + "? names must agree exactly"
	}
}

// isPrintableName reports whether a name is too short, and has too few digits, to be a secret.
func isPrintableName(name string) bool {
	digits := 0
	for _, c := range name {
		if !unicode.IsPrint(c) || c == '@' || c == utf8.RuneError {
			return false
		}
		if digits++; !unicode.IsDigit(c) {
			digits = 0
		}
		if digits == 3 {
			return false
		}
	}
	return utf8.RuneCountInString(name) <= 40
}

// isColumnOrAlias reports whether a name is that of a column, or another name that exports have for one.
func isColumnOrAlias(name string) bool {
	return isColumn(name) || aliasKeys[aliasKey(name)] != nil
}

// isNearColumn reports whether name is the name of a column or close to one.
func isNearColumn(name string) bool {
	if isColumn(name) {
		return true
	}
	_, near := nearestColumn(name)
	return near && name != ""
}

// nearestColumn returns the one column whose name is close to name (L42).
func nearestColumn(name string) (Column, bool) {
	i, ok := nearest.Of(name, columnNames)
	return Column(i + 1), ok
}

// columnNames are the names of all columns.
var columnNames = (^columnSet(0)).names()

// otherSeparators are those that exports have instead of a semicolon.
const otherSeparators = ",\t|"

// otherSeparator reports that the names of the header have another separator, which it returns; 0 if they have not.
func (r *reader) otherSeparator() byte {
	sc := r.sc
	switch {
	case sc.fault.code == CSVQuote && sc.fault.near != 0 && strings.IndexByte(otherSeparators, sc.fault.near) >= 0:
		r.separatedBy(sc.fault.near, min(sc.fault.at+1, len(sc.raw)))
		return sc.fault.near
	case sc.fault.code != "" || len(sc.cells) != 1:
		return 0
	}
	text := sc.cells[0].of(string(sc.raw))
	i := strings.IndexAny(text, otherSeparators)
	if i < 0 {
		return 0
	}
	for name := range strings.SplitSeq(text[:min(len(text), longestHeader)], text[i:i+1]) {
		if isNearColumn(strings.Trim(name, foreignMarks+`" `)) {
			r.separatedBy(text[i], sc.cells[0].start()+i)
			return text[i]
		}
	}
	return 0
}

// longestHeader is how much of a header is searched for names with another separator.
const longestHeader = 4 << 10

// separatedBy reports the separator b at byte at of the header.
func (r *reader) separatedBy(b byte, at int) {
	f := r.report(CSVSeparator, 0, at)
	if f.Message = "the values are separated by commas, not by semicolons"; b == ',' {
		return
	}
	f.Help = "separate them by ; in the settings of the export"
	if f.Message = "the values are separated by tabs, not by semicolons"; b == '|' {
		f.Message = "the values are separated by vertical bars, not by semicolons"
	}
}
