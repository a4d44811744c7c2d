package rules

import (
	"bytes"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A reporter collects findings with the severities that the options set.
type reporter struct {
	severities

	row   int // number of the current data row; 0 for none
	found ledger.Findings
	rule  *ledger.Rule // of the last finding: rows beside each other often break the same
	// unreadable is set by a fault that makes the input no payload, whatever its severity.
	unreadable bool
}

// severities are what the options say about the severity of codes.
type severities struct {
	of     map[ledger.Code]ledger.Severity
	strict bool
}

func (o Options) severities() severities { return severities{maps.Clone(o.Severity), o.Strict} }

// settle returns the severity of code c, whose own severity is base: the override if there is one,
// and then an error for a warning under Strict.
func (s *severities) settle(c ledger.Code, base ledger.Severity) ledger.Severity {
	if len(s.of) > 0 {
		if over := s.of[c]; over != 0 {
			base = over
		}
	}
	if s.strict && base == ledger.SeverityWarning {
		return ledger.SeverityError
	}
	return base
}

// at notes a finding at a place of the CSV text. The result is nil where the finding is off; every
// method that completes a finding accepts that. It is valid until the next finding is noted.
func (r *reporter) at(c ledger.Code, base ledger.Severity, offset int64, line, col int) *finding {
	r.unreadable = r.unreadable || base == ledger.SeverityError && Unreadable(c)
	severity := r.settle(c, base)
	if severity == ledger.SeverityOff {
		return nil
	}
	return r.note(c, severity, offset, line, col)
}

// note is at for a severity that is settled.
func (r *reporter) note(c ledger.Code, severity ledger.Severity, offset int64, line, col int) *finding {
	rule := r.ruleOf(c)
	if len(r.found) == cap(r.found) {
		r.found = append(make(ledger.Findings, 0, len(r.found)+findingsAtOnce), r.found...)
	}
	r.found = r.found[:len(r.found)+1]
	f := &r.found[len(r.found)-1]
	f.Code, f.Severity, f.Basis, f.Clause, f.Message, f.Help = c, severity, rule.Basis, rule.Clause, rule.Text, rule.Help
	f.Place.Row, f.Place.Line, f.Place.Col, f.Place.Offset = r.row, line, col, offset
	return (*finding)(f)
}

// ruleOf returns the rule of a code.
func (r *reporter) ruleOf(c ledger.Code) *ledger.Rule {
	if r.rule == nil || r.rule.Code != c {
		r.rule = ruleOf(c)
	}
	return r.rule
}

// findingsAtOnce is for how many findings memory is made at a time, in which the findings of several steps are.
const findingsAtOnce = 16

// forget takes the findings back. The room for findings is empty ones.
func (r *reporter) forget() {
	clear(r.found)
	r.found = r.found[:0]
}

// taken hands over the findings, and keeps the room behind them for others.
func (r *reporter) taken() ledger.Findings {
	n := len(r.found)
	if n == 0 {
		return nil
	}
	found := r.found[:n:n]
	r.found = r.found[n:]
	return found
}

// add notes a finding of default severity at a byte of the current record.
func (r *Reader) add(c ledger.Code, at int) *finding {
	return r.addAs(c, r.ruleOf(c).Severity, at)
}

// addAs is add with another severity of the rule itself.
func (r *Reader) addAs(c ledger.Code, base ledger.Severity, at int) *finding {
	severity := r.settle(c, base)
	if severity == ledger.SeverityOff {
		return nil
	}
	r.unreadable = r.unreadable || base == ledger.SeverityError && Unreadable(c)
	if r.sc.plain { // no line end in it
		return r.note(c, severity, r.sc.at+int64(at), r.sc.row, r.sc.left+at+1)
	}
	raw := r.sc.raw[:min(at, len(r.sc.raw))]
	lines := bytes.Count(raw, []byte{'\n'})
	col := at - bytes.LastIndexByte(raw, '\n')
	if lines == 0 {
		col += r.sc.left
	}
	return r.note(c, severity, r.sc.at+int64(at), r.sc.row+lines, col)
}

// on notes a finding of default severity about the value of a column; a column that
// the header lacks has the row's place.
func (r *Reader) on(c ledger.Code, col Column) *finding {
	return r.onAs(c, r.ruleOf(c).Severity, col)
}

// onAs is on with another severity of the rule itself.
func (r *Reader) onAs(c ledger.Code, base ledger.Severity, col Column) *finding {
	at := 0
	if n := r.layout[col]; n > 0 {
		at = r.sc.cells[n-1].start()
	}
	return r.addAs(c, base, at).in(col)
}

// inside is the byte of the record in which byte i of a cell's content is.
func (r *Reader) inside(c cell, i int) int {
	at := int(c.from)
	if !c.escaped() {
		return at + i
	}
	for ; i > 0; i-- {
		if r.sc.raw[at] == '"' {
			at++ // a doubled quote is one byte of the content
		}
		at++
	}
	return at
}

// A finding is a [ledger.Finding] while it is completed; nil for one that is off.
type finding ledger.Finding

func (f *finding) in(c Column) *finding {
	if f != nil && c != 0 {
		f.Kind, f.Subject = ledger.SubjectColumn, columns[c].Name
	}
	return f
}

// say replaces the message.
func (f *finding) say(message string) *finding {
	if f != nil {
		f.Message = message
	}
	return f
}

// advise replaces the remedy.
func (f *finding) advise(help string) *finding {
	if f != nil {
		f.Help = help
	}
	return f
}

// rests replaces the clause, and the basis by that of the ledger.
func (f *finding) rests(c ledger.Clause) *finding {
	if f != nil {
		f.Clause, f.Basis = c, c.Basis()
	}
	return f
}

// aboutFile says that the finding is about no row.
func (f *finding) aboutFile() *finding {
	if f != nil {
		f.Place.Row = 0
	}
	return f
}

// number adds the limit to the message, with its noun: " (limit: 128 values)".
func (f *finding) number(limit int64, noun string) *finding {
	if f != nil {
		f.Message += " (limit: " + count(limit, plural(limit, noun)) + ")"
	}
	return f
}

// lengths says which length breaks a limit.
func (f *finding) lengths(actual, limit int) *finding {
	if f != nil {
		f.Message = "the value has " + strconv.Itoa(actual) + " characters, the limit is " + strconv.Itoa(limit)
	}
	return f
}

// element puts the number of an element of amount-sequence, from 1, before the message.
func (f *finding) element(n int) *finding {
	if f != nil {
		f.Message = "element " + strconv.Itoa(n) + ": " + f.Message
	}
	return f
}

// count is a number before the words about so many.
func count(n int64, what string) string { return strconv.FormatInt(n, 10) + " " + what }

// plural is a noun for n of a thing: "row", "rows".
func plural(n int64, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
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
	if !c.quoted() && c.from != c.to && r.bare.n == 0 {
		line, col := r.sc.row, r.sc.left+int(c.from)+1
		r.bare.count(r.sc.at+int64(c.from), line, col)
	} else if !c.quoted() && c.from != c.to {
		r.bare.n++
	}
}

// A Report is what [Validate] found in a payload.
type Report struct {
	Summary

	// Findings are in the order in which they were found, at most [Options.MaxFindings] of each code.
	Findings ledger.Findings
	// Codes counts all findings by code, in the order in which the codes were first found.
	Codes []CodeCount

	cut bool // the source failed before its end
}

// A CodeCount is what was found of one code.
type CodeCount struct {
	Code     ledger.Code
	Severity ledger.Severity // the worst of its findings
	Count    int
	Column   string // the column that all of them are about; empty where they are not about one
	// FirstRow and LastRow are the lowest and highest data row; 0 where no finding is about a row.
	FirstRow, LastRow int
}

// OK reports whether a gateway could accept the payload: there are rows, no finding is an error, and
// the source was read to its end (L48).
func (r Report) OK() bool { return r.Rows > 0 && r.Errors == 0 && !r.Unreadable && !r.cut }

// Validate reads a payload from src to its end and reports what was found. The error is that of src;
// the report is then about what was read up to there, and the payload is not whole. Memory does not
// grow with the payload. To use the rows, read them with a [Reader].
func Validate(src io.Reader, o Options) (Report, error) {
	r := NewReader(src, o)
	var report Report
	for _, found := range r.Rows() {
		for _, f := range found {
			if n := report.count(f); n <= r.opts.MaxFindings {
				report.Findings = append(report.Findings, f)
			}
		}
	}
	report.Summary = r.Summary()
	err := r.Err()
	report.cut = err != nil
	return report, err
}

// count counts a finding and returns how many of its code there are.
func (r *Report) count(f ledger.Finding) int {
	for i := range r.Codes {
		if r.Codes[i].Code == f.Code {
			return r.Codes[i].Add(f)
		}
	}
	r.Codes = append(r.Codes, CodeCount{})
	return r.Codes[len(r.Codes)-1].Add(f)
}

// Add counts a finding, whatever its code, and returns how many were counted. The zero CodeCount has
// counted none.
func (c *CodeCount) Add(f ledger.Finding) int {
	if c.Count++; c.Count == 1 {
		c.Code, c.Column = f.Code, f.Subject
	}
	c.Severity = max(c.Severity, f.Severity)
	if c.Column != f.Subject {
		c.Column = ""
	}
	if row := f.Place.Row; row > 0 {
		if c.FirstRow == 0 {
			c.FirstRow = row
		}
		c.LastRow = max(c.LastRow, row)
	}
	return c.Count
}
