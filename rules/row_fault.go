package rules

import (
	"strconv"
	"strings"
)

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
	if !c.quoted() && c.from != c.to && r.bare.n == 0 {
		line, col := r.sc.row, r.sc.left+int(c.from)+1
		r.bare.count(r.sc.at+int64(c.from), line, col)
	} else if !c.quoted() && c.from != c.to {
		r.bare.n++
	}
}
