package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/ledger"
)

// header reads the row of column names; false where the rows after it cannot be reported
// apart by column, so that reading them has no use (L42, L45).
func (r *Reader) header() bool {
	if r.sc.unmark() {
		r.at(ByteOrderMark, ledger.SeverityWarning, 0, 1, 1)
		if r.sc.unmark() {
			r.at(ColumnUnknown, ledger.SeverityError, int64(len(mark)), 1, len(mark)+1).
				say("the name of the first column begins with a second byte-order mark").
				advise("remove both marks")
			r.lost = true
		}
	}
	var hints tally
	defer func() { r.reportHints(hints) }()
	for r.sc.next() {
		switch {
		case len(r.sc.raw) == 0 && r.sc.fault.code == "":
			r.blank.count(r.sc.at, r.sc.row, 1)
			continue
		case isSeparatorLine(r.sc.raw):
			hints.count(r.sc.at, r.sc.row, r.sc.left+1)
			r.lost = true
			continue
		}
		r.reportBlank()
		r.head.count(r.sc.at, r.sc.row, r.sc.left+1)
		if sep := r.otherSeparator(); sep != 0 && !r.goOnWith(sep) {
			return false
		}
		return r.readable() && r.names()
	}
	if r.sc.err == nil {
		r.at(NoHeader, ledger.SeverityError, r.sc.offset, r.sc.line, r.sc.col+1).say("the input is empty")
	}
	return false
}

// reportHints reports the lines "sep=;" before the header, once however many there are.
func (r *Reader) reportHints(hints tally) {
	if hints.n == 0 {
		return
	}
	p := r.at(CSVSeparator, ledger.SeverityError, hints.offset, hints.line, hints.col)
	if hints.n == 1 {
		p.say("the first line is an instruction for a spreadsheet, not column names").advise("remove the line")
		return
	}
	p.say(count(int64(hints.n), "lines are instructions for a spreadsheet, not column names; the first is here")).advise("remove the lines")
}

// isSeparatorLine reports whether a record is the "sep=;" that some spreadsheets want.
func isSeparatorLine(raw []byte) bool {
	return len(raw) <= len(`"sep=;"`) && strings.HasPrefix(strings.ToLower(strings.Trim(string(raw), `"`)), "sep=")
}

// readable reports whether the header can be read value by value.
func (r *Reader) readable() bool {
	sc := r.sc
	switch {
	case sc.fault.code == CSVLineEnd:
		r.reportFault() // the names before it are whole
		r.lost = true
	case sc.fault.code != "":
		r.reportFault()
		r.recordText()
		return false
	case sc.width > sc.maxColumns:
		r.add(LimitColumns, 0).number(int64(sc.maxColumns), "value")
		return false
	}
	return true
}

// names turns the header's values into columns; false if none of them is, or was
// meant as, a column name.
func (r *Reader) names() bool {
	r.recordText()
	if !r.anyName() {
		p := r.add(NoHeader, 0).
			say("the first line is not column names").
			advise("begin with a row of column names")
		if strings.HasPrefix(string(r.sc.raw), "payload=") {
			p.advise("it looks like a form body that was encoded again: encode the CSV alone")
		}
		return false
	}
	r.fields = make([]Column, len(r.sc.cells))
	for f, c := range r.sc.cells {
		r.countBare(c)
		name := r.nameAt(f)
		col, ok := ColumnOf(name)
		switch {
		case !ok: // reported when all the others are known
		case r.present.has(col):
			r.add(ColumnDuplicate, c.start()).in(col).say("column " + strconv.Itoa(f+1) + " of the header has the name of an earlier one")
			r.lost = true
		default:
			r.fields[f], r.layout.place[col] = col, int16(f+1)
			r.present.add(col)
		}
	}
	for f := range r.sc.cells {
		name := r.nameAt(f)
		if _, ok := ColumnOf(name); ok {
			continue
		}
		if near, ok := r.unknown(f, name); ok && r.meant[near] == 0 {
			r.meant[near] = f + 1
		}
	}
	for spec := range Columns() {
		if spec.Need == required && !spec.SourceOnly && !r.present.has(spec.Column) {
			r.add(ColumnMissing, 0).in(spec.Column).adviseIf(r.renameHelp(spec.Column))
		}
	}
	r.lost = r.lost || r.found.Err() != nil
	return true
}

// nameAt is the header's value f.
func (r *Reader) nameAt(f int) string {
	c := r.sc.cells[f]
	return unquote(string(r.sc.raw[c.start():c.end()]))
}

// anyName reports whether a value of the header is, or was meant as, a column name.
// Where none is, the line is data, and nothing of it is to be repeated.
func (r *Reader) anyName() bool {
	for f := range r.sc.cells {
		if name := r.nameAt(f); isNearColumn(name) || alien(name) != "" {
			return true
		}
	}
	return false
}

// otherSeparators are what exports put between values instead of a semicolon.
const otherSeparators = ",\t|"

// otherSeparator reports that the names of the header are separated by something else, and returns
// what that is; 0 where they are not.
func (r *Reader) otherSeparator() byte {
	sc := r.sc
	switch {
	case sc.fault.code == CSVQuote && sc.fault.next != 0 && strings.IndexByte(otherSeparators, sc.fault.next) >= 0:
		r.separatedBy(sc.fault.next, min(sc.fault.at+1, len(sc.raw)))
		return sc.fault.next
	case sc.fault.code != "" || len(sc.cells) != 1:
		return 0
	}
	whole := r.nameAt(0)
	i := strings.IndexAny(whole, otherSeparators)
	if i < 0 {
		return 0
	}
	names := strings.SplitN(whole, whole[i:i+1], sc.maxColumns+1)
	for _, name := range names[:min(len(names), sc.maxColumns)] {
		if isNearColumn(strings.Trim(name, foreignMarks+`" `)) {
			r.separatedBy(whole[i], sc.cells[0].start()+i)
			return whole[i]
		}
	}
	return 0
}

// isNearColumn reports whether name is, or was probably meant as, the name of a column.
func isNearColumn(name string) bool {
	_, known := ColumnOf(name)
	if !known && name != "" {
		_, known = nearestColumn(name)
	}
	return known
}

// goOnWith reads the header again with another separator, and what follows too, so that all problems
// of such a file are reported at once. No row of it can be used. The result is false where even so
// the header has no names.
func (r *Reader) goOnWith(sep byte) bool {
	r.lost = true
	r.sc.rewind(sep)
	return r.sc.next() && r.sc.fault.code == "" && len(r.sc.cells) > 1 && r.anyName()
}

// separatedBy reports names with b between them instead of a semicolon, at byte at.
func (r *Reader) separatedBy(b byte, at int) {
	p := r.add(CSVSeparator, at)
	switch b {
	case ',':
		p.say("the values are separated by commas, not by semicolons")
	case '\t':
		p.say("the values are separated by tabs, not by semicolons").advise("separate them by ; in the settings of the export")
	default:
		p.say("the values are separated by vertical bars, not by semicolons").advise("separate them by ; in the settings of the export")
	}
}

// recordText reports what is wrong, as a text, with the header, or with a row that cannot be judged
// value by value, as far as it was read.
func (r *Reader) recordText() {
	if isPlain(r.sc.raw) {
		return
	}
	f := faultsOf(string(r.sc.raw))
	if f.invalid >= 0 {
		r.add(InvalidUTF8, f.invalid)
	}
	if f.nul >= 0 {
		r.add(NULCharacter, f.nul)
	}
}

// unknown reports a name that no column has, by its place alone: in a file without
// header it may be anything. It returns the column that is probably meant.
func (r *Reader) unknown(f int, name string) (Column, bool) {
	p := r.add(ColumnUnknown, r.sc.cells[f].start()).
		say("column " + strconv.Itoa(f+1) + " of the header is not one of the document's columns")
	near, ok := nearestColumn(name)
	switch {
	case name == "":
		p.say("column " + strconv.Itoa(f+1) + " of the header has no name").
			advise("remove the semicolon at the end of the header and of each row, or name the column")
	case alien(name) != "":
		p.advise(alien(name))
	case doubled(name) != "":
		p.advise(doubled(name))
		return near, ok
	case ok && r.present.has(near):
		p.advise("perhaps " + near.String() + " is meant, which the header has already: remove one of the two")
	case ok:
		p.advise("perhaps " + near.String() + " is meant; names must agree exactly")
		return near, true
	}
	return 0, false
}

// renameHelp is the remedy for a missing column of which a name in the header is almost
// the name; empty for others.
func (r *Reader) renameHelp(col Column) string {
	if n := r.meant[col]; n > 0 {
		return "rename column " + strconv.Itoa(n) + " of the header if it is meant, or add the column"
	}
	return ""
}

// foreignMarks are marks that are where double quotes belong.
const foreignMarks = "'`“”„«»‘’"

// alien is the remedy for a name in other marks than straight double quotes; empty for
// others.
func alien(name string) string {
	if first, _ := utf8.DecodeRuneInString(name); name != "" && strings.ContainsRune(foreignMarks, first) {
		return "write straight double quotes (\") around names and values"
	}
	return ""
}

// doubled is the remedy for a value that is still in double quotes when its own are
// undone, as where they were typed into the cells of a spreadsheet; empty for others.
func doubled(value string) string {
	if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
		return "write one pair of double quotes, not three: the inner ones count as part of the value"
	}
	return ""
}

// nearestColumn is the column whose name is meant by name, if that is clear (L42).
func nearestColumn(name string) (Column, bool) {
	names := make([]string, 0, columnCount)
	for s := range Columns() {
		names = append(names, s.Name)
	}
	i, ok := nearest.Of(name, names)
	return Column(i + 1), ok
}

// reportFault reports why a record could not be read.
func (r *Reader) reportFault() {
	sc := r.sc
	p := r.add(sc.fault.code, sc.fault.at)
	switch sc.fault.code {
	case CSVQuote:
		switch before := string(sc.raw[:min(sc.fault.at, len(sc.raw))]); {
		case sc.fault.next == ',', sc.fault.next == '\t', sc.fault.next == '|':
			p.advise("separate values by ;")
		case sc.fault.bare && strings.HasSuffix(before, " ") && isCellStart(strings.TrimRight(before, " ")):
			p.advise("remove the space between the separator and the quote")
		case sc.fault.bare: // the whole value is to be quoted
		case sc.fault.next == '\\':
			p.advise("write a quote inside a value twice; a backslash does not escape it")
		case sc.fault.next == ' ':
			p.advise("remove the space between the quote and the separator, or write a quote inside a value twice")
		}
	case LimitCell:
		p.number(int64(sc.maxCell), "byte")
	case LimitRow:
		p.number(int64(sc.maxRow), "byte")
	}
}

// isCellStart reports whether a value begins after before.
func isCellStart(before string) bool { return before == "" || strings.HasSuffix(before, ";") }

// reportWidth reports a row with another number of values than the header.
func (r *Reader) reportWidth() {
	sc := r.sc
	p := r.add(CSVWidth, 0).
		say("the row has " + count(int64(sc.width), plural(int64(sc.width), "value")) + ", the header " + strconv.Itoa(len(r.fields)))
	switch {
	case string(sc.raw) == "\x1a":
		p.advise("remove the end mark (Ctrl-Z) from the end of the file")
	case len(sc.raw) > 0 && sc.raw[0] == '#':
		p.advise("remove the line: there are no comments in the payload")
	case strings.Trim(string(sc.raw), " \t") == "":
		p.advise("remove the line: it has only spaces")
	case sc.width == 1 && (strings.Contains(string(sc.raw), ",") || strings.Contains(string(sc.raw), "\t")):
		p.advise("separate values by ;")
	case sc.width > len(r.fields):
		p.advise("remove what is too much; put a value with a separator inside in double quotes")
	}
}

// countBare counts a value that is not quoted. An empty one is not a fault: columns
// that are not used may be left empty (4.1).
func (r *Reader) countBare(c cell) {
	if !c.quoted && c.from != c.to && r.bare.n == 0 {
		line, col := r.sc.row, r.sc.left+int(c.from)+1
		r.bare.count(r.sc.at+int64(c.from), line, col)
	} else if !c.quoted && c.from != c.to {
		r.bare.n++
	}
}

// absent reports a column that SRC requires and the header lacks, once for the file.
func (r *Reader) absent(col Column) {
	if r.settle(ColumnMissing, ledger.SeverityError) == ledger.SeverityError {
		r.incomplete = true
	}
	if !r.reportedAbsent.has(col) {
		r.reportedAbsent.add(col)
		p := r.at(ColumnMissing, ledger.SeverityError, r.head.offset, r.head.line, r.head.col).in(col).aboutFile().adviseIf(r.renameHelp(col))
		if columns[col].SourceOnly {
			p.rests(ledger.X5)
		}
	}
}
