package rules

import (
	"strings"
)

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
