package rules

import (
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/clause"
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

// recordText reports what is wrong, as a text, with the header, or with a row that cannot be judged
// value by value, as far as it was read.
func (r *Reader) recordText() {
	if isPlain(r.sc.raw) {
		return
	}
	f := faultsOf(string(r.sc.raw))
	if f.invalid >= 0 {
		p := r.add(InvalidUTF8, f.invalid).adviseIf(r.encodingHelp())
		if r.sc.fault.code != "" {
			p.advise("mend the row, and save the file as UTF-8")
		}
	}
	if f.nul >= 0 {
		r.add(NULCharacter, f.nul)
	}
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
	r.readNames()
	for _, col := range r.fields {
		r.judgings = append(r.judgings, r.judgingOf(col))
	}
	for f := range r.sc.cells {
		if r.fields[f] == 0 {
			r.reportName(f)
		}
	}
	for spec := range Columns() {
		if spec.Need == required && !spec.SourceOnly && !r.present.has(spec.Column) {
			r.add(ColumnMissing, 0).in(spec.Column).adviseIf(r.absentHelp(spec.Column))
		}
	}
	r.lost = r.lost || r.found.Err() != nil
	return true
}

// readNames reads the names that columns have. The others are reported when all of these are known.
func (r *Reader) readNames() {
	r.fields = make([]Column, len(r.sc.cells))
	text := string(r.sc.raw)
	for f, c := range r.sc.cells {
		r.countBare(c)
		col, ok := columnAt(f, unquote(text[c.start():c.end()]))
		switch {
		case !ok:
		case r.present.has(col):
			r.add(ColumnDuplicate, c.start()).in(col).say("column " + strconv.Itoa(f+1) + " of the header has the name of an earlier one")
			r.lost = true
		default:
			r.fields[f], r.layout[col] = col, int16(f+1)
			r.present.add(col)
		}
	}
}

// columnAt is [ColumnOf] for value f of a header, which mostly has the columns in the document's order.
func columnAt(f int, name string) (Column, bool) {
	if f < columnCount && columns[f+1].Name == name {
		return Column(f + 1), true
	}
	return ColumnOf(name)
}

// reportName reports value f of the header unless a column has that name.
func (r *Reader) reportName(f int) {
	name := r.nameAt(f)
	if _, ok := ColumnOf(name); ok {
		return // a duplicate
	}
	if near, ok := r.unknown(f, name); ok && r.meant[near] == 0 {
		r.meant[near] = f + 1
		if !r.present.has(near) {
			r.misnamed.add(near)
		}
	}
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

// isNearColumn reports whether name is, or was probably meant as, the name of a column.
func isNearColumn(name string) bool {
	_, known := ColumnOf(name)
	if !known && name != "" {
		_, known = nearestColumn(name)
	}
	return known
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

// absentHelp is the remedy for a missing column of which a name in the header is almost the name, and
// for the one that exports of other systems never have; empty for others.
func (r *Reader) absentHelp(col Column) string {
	if n := r.meant[col]; n > 0 {
		return "rename column " + strconv.Itoa(n) + " of the header if it is meant, or add the column"
	}
	if col == ColumnCardType {
		return "add the column: SRC in a row that charges the sender's card, DST in one for the receiver's card"
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

// absent reports a column that SRC requires and the header lacks, once for the file.
func (r *Reader) absent(col Column) {
	if r.settle(ColumnMissing, ledger.SeverityError) == ledger.SeverityError {
		r.incomplete = true
	}
	if !r.reportedAbsent.has(col) {
		r.reportedAbsent.add(col)
		p := r.at(ColumnMissing, ledger.SeverityError, r.head.offset, r.head.line, r.head.col).in(col).aboutFile().adviseIf(r.absentHelp(col))
		if columns[col].SourceOnly {
			p.rests(clause.X5)
		}
	}
}

// lacks reports that the row has no value in a column, or in any of several, that it needs. Where the header has almost
// the name of one of them this would be said of every row: it is then reported once, about the file.
func (r *Reader) lacks(c ledger.Code, col Column, oneOf columnSet) {
	if r.misnamed&oneOf == 0 {
		r.refuse(c, col)
		return
	}
	r.unread.add(col)
	if r.settle(c, ledger.SeverityError) == ledger.SeverityError {
		r.incomplete = true
	}
	if r.reportedLack[c] {
		return
	}
	if r.reportedLack == nil {
		r.reportedLack = map[ledger.Code]bool{}
	}
	r.reportedLack[c] = true
	near := Column(bits.TrailingZeros64(uint64(r.misnamed & oneOf)))
	r.at(c, ledger.SeverityError, r.head.offset, r.head.line, r.head.col).in(col).aboutFile().
		advise("rename column " + strconv.Itoa(r.meant[near]) + " of the header to " + near.String() + " if that is meant")
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
