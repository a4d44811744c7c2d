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
		r.judgings = append(r.judgings, judgingOf(col))
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
