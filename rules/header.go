package rules

import (
	"strings"

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
