package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

const (
	mostFindings = 20 // of one code that a text shows; a count stands for the others
	fewFindings  = 8  // so many that a text needs no table of them
)

// FindingCounts counts findings by code, for the cap of a text. The zero value has none.
type FindingCounts struct {
	codes []codeCount
	all   int
}

// A codeCount is what was found of one code.
type codeCount struct {
	code     ledger.Code
	severity ledger.Severity // the worst of its findings
	count    int
	subject  string // that all of them are about; empty where they are not about one
	rows     int    // with findings
	first    []int  // of them
	last     int
	places   []string // the first, for a test report
}

// Add counts a finding, and reports whether a text shows it.
func (t *FindingCounts) Add(f ledger.Finding) bool { return t.add(f).count <= mostFindings }

func (t *FindingCounts) add(f ledger.Finding) *codeCount {
	const shownRows = 3
	t.all++
	i := 0
	for i < len(t.codes) && t.codes[i].code != f.Code {
		i++
	}
	if i == len(t.codes) {
		t.codes = append(t.codes, codeCount{code: f.Code, subject: f.Subject})
	}
	c := &t.codes[i]
	c.count++
	c.severity = max(c.severity, f.Severity)
	if c.subject != f.Subject {
		c.subject = ""
	}
	if row := f.Place.Row; row > 0 && row != c.last {
		c.rows++
		if c.last = row; len(c.first) < shownRows {
			c.first = append(c.first, row)
		}
	}
	return c
}

// table appends a line for each code: its number of findings, severity, what they are about, and
// rows.
func (t *FindingCounts) table(dst []byte, paint termtext.Paint) []byte {
	lines := [][5]string{{"count", "severity", "code", "column", "rows"}}
	for _, c := range t.codes {
		lines = append(lines, [5]string{strconv.Itoa(c.count), c.severity.String(), string(c.code), c.subject, c.rowNumbers()})
	}
	var width [5]int
	for _, line := range lines {
		for k, text := range line {
			width[k] = max(width[k], len(text))
		}
	}
	for i, line := range lines {
		dst = append(dst, termtext.PadLeft(line[0], width[0])...)
		for k, text := range line[1:] {
			dst = append(dst, "  "...)
			if k == 0 && i > 0 {
				dst = appendSeverity(dst, t.codes[i-1].severity, paint)
			} else {
				dst = append(dst, text...)
			}
			dst = append(dst, strings.Repeat(" ", width[k+1]-len(text))...)
		}
		dst = append(termtext.TrimSpace(dst), '\n')
	}
	return dst
}

// rowNumbers are the data rows that have findings: a few by their numbers, many by their number and
// where they are.
func (c *codeCount) rowNumbers() string {
	switch {
	case c.rows == 0:
		return ""
	case c.rows <= len(c.first):
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(c.first), " ", ", "), "[]")
	}
	text := strconv.Itoa(c.first[0]) + " to " + strconv.Itoa(c.last)
	if c.last-c.first[0]+1 != c.rows {
		text = strconv.Itoa(c.rows) + " from " + text
	}
	return text
}

// AppendRest appends a line for each code of which a text does not show all findings, each behind
// the name of the file; an empty name is left out.
func (t *FindingCounts) AppendRest(dst []byte, file string) []byte {
	if file != "" {
		file += ": "
	}
	for _, c := range t.codes {
		if c.count > mostFindings {
			dst = append(dst, file+string(c.code)+": "+strconv.Itoa(c.count-mostFindings)+" more like these\n"...)
		}
	}
	return dst
}

func appendSeverity(dst []byte, s ledger.Severity, paint termtext.Paint) []byte {
	if s == ledger.SeverityError {
		return paint.Bold(dst, s.String())
	}
	return paint.Warn(dst, s.String())
}

// AppendFinding appends a finding as compilers report theirs, on one line without a line end: file,
// place, severity, code, message and profile.
func AppendFinding(dst []byte, file string, f ledger.Finding) []byte {
	return appendFinding(dst, file, f, termtext.Paint(false))
}

func appendFinding(dst []byte, file string, f ledger.Finding, paint termtext.Paint) []byte {
	dst = append(dst, file...)
	if f.Place.Line > 0 {
		dst = strconv.AppendInt(append(dst, ':'), int64(f.Place.Line), 10)
		dst = strconv.AppendInt(append(dst, ':'), int64(f.Place.Col), 10)
	}
	if file != "" || f.Place.Line > 0 {
		dst = append(dst, ": "...)
	}
	dst = append(appendSeverity(dst, f.Severity, paint), ": "+string(f.Code)+": "...)
	return append(dst, termtext.Visible(messageOf(&f))+profileOf(f)...)
}

// messageOf is the message of a finding, behind what it is about unless it begins with that.
func messageOf(f *ledger.Finding) string {
	if f.Subject == "" || strings.HasPrefix(f.Message, f.Subject+" ") {
		return f.Message
	}
	return f.Subject + ": " + f.Message
}

// profileOf is the client-orderid of the row that a finding is about, in brackets; empty where it
// has none.
func profileOf(f ledger.Finding) string {
	if f.Place.Profile == "" {
		return ""
	}
	return " (profile " + termtext.Visible(f.Place.Profile) + ")"
}

// The forms of a Findings.
const (
	FindingsText   = "text"   // for people
	FindingsJSON   = "json"   // one document of records
	FindingsNDJSON = "ndjson" // the records, one a line
	FindingsGitHub = "github" // workflow commands that become annotations
	FindingsJUnit  = "junit"  // a test suite, with a case for each code
)

// FindingsOptions say how findings are written.
type FindingsOptions struct {
	Form    string // one of the forms; empty is FindingsText
	Several bool   // files, each of which is named with its result
	Quiet   bool   // text leaves warnings out
	Columns int    // of the terminal; 0 where there is none, and lines stay whole
	Color   bool
	// Header is the header record of the forms of records, called once the first file is known.
	Header func() record.Header
	Tool   string                   // what a test report names as the judge
	Rule   func(ledger.Code) string // what a code means, for a test report
}

// A Shape is what an excerpt shows of the value that a finding is about.
type Shape struct {
	Text  string
	Caret int  // the character that the caret points at
	Given bool // there is an excerpt
	Inner bool // places are in a text inside the file
}

// A Result is what a file, or all of them, came to.
type Result struct {
	Summary    record.Summary
	Unreadable bool   // as a payload
	Remark     string // for people, behind the counts; may be empty
}

// Findings writes the findings of one input after the other in one of the forms. Errors in writing
// are those of its writer, which keeps them.
type Findings struct {
	o       FindingsOptions
	w       io.Writer
	paint   termtext.Paint
	file    string
	counts  FindingCounts
	b       []byte // of the file's text, since the table comes first
	ends    []byte // lines about the files, which come last
	records *record.Writer

	annotations []annotations // of GitHub, file by file
	cut         []string      // files that could not be read to their end
	sum         record.Summary
}

// NewFindings returns a Findings that writes to w.
func NewFindings(w io.Writer, o FindingsOptions) *Findings {
	return &Findings{o: o, w: w, paint: termtext.Paint(o.Color)}
}

// Open turns to the next file.
func (p *Findings) Open(file string) { p.file = file }

func (p *Findings) write(b []byte) { _, _ = p.w.Write(b) }

// begin begins the records.
func (p *Findings) begin() {
	if p.records == nil {
		p.records = record.NewWriter(p.w, p.o.Header(), record.Options{Document: p.o.Form == FindingsJSON})
	}
}

// Add writes a finding, and reports whether it is shown for itself: of many with one code a text
// shows some. The shape, which may be nil, is called for what is shown.
func (p *Findings) Add(f ledger.Finding, shape func() Shape) bool {
	switch p.o.Form {
	case FindingsJSON, FindingsNDJSON:
		p.begin()
		_ = p.records.Write(record.Problem{Finding: f})
	case FindingsGitHub:
		return p.annotate(f, shape)
	case FindingsJUnit:
		if c := p.counts.add(f); len(c.places) < mostFindings {
			text := string(AppendFinding(nil, p.file, f))
			if f.Help != "" {
				text += "; " + f.Help
			}
			c.places = append(c.places, text)
		}
	default:
		if p.o.Quiet && f.Severity == ledger.SeverityWarning || !p.counts.Add(f) {
			return false
		}
		p.text(f, shapeOf(shape))
	}
	return true
}

func shapeOf(shape func() Shape) Shape {
	if shape == nil {
		return Shape{}
	}
	return shape()
}

func (p *Findings) text(f ledger.Finding, shape Shape) {
	p.b = appendFinding(p.b, p.file, f, p.paint)
	if rests := strings.TrimSpace(f.Basis.String() + " " + f.Clause.String()); rests != "" {
		p.b = p.paint.Faint(append(p.b, ' '), "["+rests+"]")
	}
	p.b = append(p.b, '\n')
	if f.Place.Wire {
		p.b = append(p.b, "  (in the text as it was sent)\n"...)
	}
	if shape.Given {
		p.b = p.excerpt(p.b, f, shape)
	}
	if f.Help != "" {
		p.b = append(p.b, "  help: "+termtext.Visible(f.Help)+"\n"...)
	}
}

// excerpt shows the shape of the value with a caret, as much of it as fits the terminal.
func (p *Findings) excerpt(dst []byte, f ledger.Finding, shape Shape) []byte {
	margin := strconv.Itoa(f.Place.Line) + " | "
	text, caret := termtext.Visible(shape.Text), caretColumn(shape.Text, shape.Caret)
	if p.o.Columns > 0 {
		text, caret = around(text, caret, p.o.Columns-len("  ")-len(margin))
	}
	dst = append(dst, "  "+margin+text+"\n"+strings.Repeat(" ", len(margin))+"| "+strings.Repeat(" ", caret)...)
	return append(p.paint.Bold(dst, "^"), '\n')
}

// caretColumn is the column of a character of a text once that is visible.
func caretColumn(text string, character int) int {
	for at := range text {
		if character == 0 {
			return termtext.Cells(termtext.Visible(text[:at]))
		}
		character--
	}
	return termtext.Cells(termtext.Visible(text)) + character
}

// around cuts a text at both ends, with … there, so that it fits the room and shows what is at a
// column, which is returned as that of the cut text.
func around(text string, column, room int) (string, int) {
	if max(termtext.Cells(text), column+1) <= room {
		return text, column
	}
	for at := range text {
		left := column - termtext.Cells(text[:at])
		if left < room*2/3 {
			if at > 0 {
				text, column = "…"+text[at:], left+1
			}
			break
		}
	}
	return termtext.Cut(text, room), column
}

// End ends a file.
func (p *Findings) End(r Result) {
	if r.Summary.CutOff {
		p.cut = append(p.cut, p.file)
	}
	switch p.o.Form {
	case FindingsJSON, FindingsNDJSON:
		p.begin()
	case FindingsGitHub:
		p.ends = append(p.ends, p.result(r)+"; "+counted(r.Summary.Errors, "error")+", "+counted(r.Summary.Warnings, "warning")+"\n"...)
	case FindingsJUnit:
		name := "rows"
		if p.o.Several {
			name += " of " + p.file
		}
		p.ends = append(p.ends, p.testcase(name)+"<system-out>"+escaped(counted(r.Summary.Rows, "row")+", "+strconv.Itoa(r.Summary.Valid)+" usable; as of "+p.o.Header().AsOf.String())+"</system-out></testcase>\n"...)
		if r.Summary.CutOff {
			p.ends = append(p.ends, p.testcase("input"+strings.TrimPrefix(name, "rows"))+`<failure message="`+cutOff+`"></failure></testcase>`+"\n"...)
		}
	default:
		p.endText(r)
	}
	p.sum.Rows += r.Summary.Rows
	p.sum.Valid += r.Summary.Valid
	p.sum.Errors += r.Summary.Errors
	p.sum.Warnings += r.Summary.Warnings
	p.sum.CutOff = p.sum.CutOff || r.Summary.CutOff
	p.sum.CurrencyChecked, p.sum.OrderIDsChecked = r.Summary.CurrencyChecked, p.sum.OrderIDsChecked+r.Summary.OrderIDsChecked
	p.sum.OrderIDsComplete = r.Summary.OrderIDsComplete && (p.sum.OrderIDsComplete || p.sum.OrderIDsChecked == r.Summary.OrderIDsChecked)
}

// cutOff is what is said of an input that could not be read to its end.
const cutOff = "the input cannot be read to its end"

// result begins a line about a file.
func (p *Findings) result(r Result) string {
	text := counted(r.Summary.Rows, "row") + ", " + strconv.Itoa(r.Summary.Valid) + " usable"
	if p.o.Several {
		text = p.file + ": " + text
	}
	return text
}

// Flush writes the text of the findings so far, with nothing about the file: for what says that in
// other words.
func (p *Findings) Flush() { p.write(p.flushed()) }

// flushed is the text of the findings since the last call: their table, they themselves, and how
// many are not shown.
func (p *Findings) flushed() (b []byte) {
	if p.counts.all > fewFindings {
		b = append(p.counts.table(b, p.paint), '\n')
		if p.o.Columns > 0 {
			b = termtext.AppendFolded(nil, b, p.o.Columns)
		}
	}
	b = p.counts.AppendRest(append(b, p.b...), p.file)
	p.b, p.counts = p.b[:0], FindingCounts{}
	return b
}

func (p *Findings) endText(r Result) {
	b, text := p.flushed(), p.result(r)
	if r.Summary.Valid == r.Summary.Rows && r.Summary.Errors == 0 && !r.Unreadable && !r.Summary.CutOff {
		text = strings.TrimSuffix(text, strconv.Itoa(r.Summary.Valid)+" usable") + "all usable"
	}
	if r.Summary.Errors > 0 || r.Summary.Warnings > 0 {
		text += "; " + counted(r.Summary.Errors, "error") + ", " + counted(r.Summary.Warnings, "warning")
	}
	if r.Summary.CutOff {
		text += "; the rest of the input cannot be read"
	}
	if r.Unreadable && r.Summary.Errors == 0 { // by an overridden severity
		text += "; the input cannot be read as a payload"
	}
	if r.Remark != "" {
		text += "; " + r.Remark
	}
	p.write(append(b, text+"\n"...))
}

// Close ends the output after the last file.
func (p *Findings) Close() {
	switch p.o.Form {
	case FindingsJSON, FindingsNDJSON:
		p.begin()
		_ = p.records.Write(p.sum)
		_ = p.records.Close()
	case FindingsGitHub:
		p.closeAnnotations()
	case FindingsJUnit:
		p.closeSuite()
	}
}

// mostAnnotations is how many annotations of a severity one step shows. It drops the rest.
const mostAnnotations = 10

// annotations are the findings of one file as workflow commands, by severity.
type annotations struct {
	file  string
	count [ledger.SeverityError + 1]int      // of all findings
	lines [ledger.SeverityError + 1][][]byte // of the first of them
}

func (p *Findings) annotate(f ledger.Finding, shape func() Shape) bool {
	if n := len(p.annotations); n == 0 || p.annotations[n-1].file != p.file {
		p.annotations = append(p.annotations, annotations{file: p.file})
	}
	of := &p.annotations[len(p.annotations)-1]
	if of.count[f.Severity]++; of.count[f.Severity] > mostAnnotations {
		return false
	}
	text := "::" + f.Severity.String() + " file=" + property(p.file)
	if f.Place.Line > 0 && !shapeOf(shape).Inner {
		text += ",line=" + strconv.Itoa(f.Place.Line) + ",col=" + strconv.Itoa(f.Place.Col)
	}
	text += ",title=" + property(string(f.Code)+" ("+f.Basis.String()+", "+f.Clause.String()+")") + "::"
	message := messageOf(&f)
	if f.Place.Row > 0 {
		message = "row " + strconv.Itoa(f.Place.Row) + profileOf(f) + ": " + message
	}
	if f.Help != "" {
		message += "; " + f.Help
	}
	of.lines[f.Severity] = append(of.lines[f.Severity], []byte(text+command(message)))
	return true
}

// closeAnnotations shares what a step shows among the files: each in its turn has one more, until
// there is none left or nothing to show. The last annotation of a file says how many of its
// findings have none; with more files than annotations the last one of all says that of the files
// that have none.
func (p *Findings) closeAnnotations() {
	for _, s := range [...]ledger.Severity{ledger.SeverityError, ledger.SeverityWarning} {
		var files []*annotations
		for i := range p.annotations {
			if p.annotations[i].count[s] > 0 {
				files = append(files, &p.annotations[i])
			}
		}
		left, others, rest := mostAnnotations, 0, 0
		if len(files) > mostAnnotations {
			left--
			for _, of := range files[left:] {
				others++
				rest += of.count[s]
			}
			files = files[:left]
		}
		share := make([]int, len(files))
		for before := -1; left != before; {
			before = left
			for i, of := range files {
				if left > 0 && share[i] < of.count[s] {
					share[i]++
					left--
				}
			}
		}
		for i, of := range files {
			p.writeAnnotations(of, s, share[i])
		}
		if rest > 0 {
			p.write([]byte("::" + s.String() + " title=chargecast::" + p.more(rest, s) + " in " + counted(others, "other file") + "; " + p.o.Tool + " -o text lists them\n"))
		}
	}
	for _, file := range p.cut {
		p.write([]byte("::error file=" + property(file) + ",title=chargecast::" + cutOff + "\n"))
	}
	p.write(p.ends)
}

// writeAnnotations writes n annotations of a file. Where it has more findings the last says how
// many; where that would be the only one it is a finding too.
func (p *Findings) writeAnnotations(of *annotations, s ledger.Severity, n int) {
	end := "\n"
	rest := of.count[s] - n
	switch {
	case rest > 0 && n == 1:
		end = "; " + p.more(rest, s) + " in this file\n"
	case rest > 0:
		n, rest = n-1, rest+1
	}
	for _, line := range of.lines[s][:n] {
		p.write(append(line, end...))
	}
	if rest > 0 && end == "\n" {
		p.write([]byte("::" + s.String() + " file=" + property(of.file) + ",title=chargecast::" + p.more(rest, s) + "; " + p.o.Tool + " -o text lists them\n"))
	}
}

// more is "3 more findings of severity error".
func (p *Findings) more(n int, s ledger.Severity) string {
	return counted(n, "more finding") + " of severity " + s.String()
}

// command is text that cannot end a workflow command, or begin another.
func command(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is text that cannot end a property of one either.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

func (p *Findings) testcase(name string) string {
	return `<testcase classname="` + escaped(strings.ReplaceAll(p.o.Tool, " ", ".")) + `" name="` + escaped(name) + `">`
}

// closeSuite writes the test suite: a case for the rows of each file, and one for each code that
// was found, failed by errors, with warnings as its output.
func (p *Findings) closeSuite() {
	slices.SortFunc(p.counts.codes, func(a, b codeCount) int { return strings.Compare(string(a.code), string(b.code)) })
	failed := len(p.cut)
	var cases []byte
	for _, c := range p.counts.codes {
		text := strings.Join(c.places, "\n")
		if rest := c.count - len(c.places); rest > 0 {
			text += "\nand " + strconv.Itoa(rest) + " more"
		}
		cases = append(cases, p.testcase(string(c.code))...)
		if c.severity == ledger.SeverityError {
			failed++
			cases = append(cases, `<failure type="`+string(c.code)+`" message="`+escaped(p.o.Rule(c.code))+`">`+escaped(text)+"</failure>"...)
		} else {
			cases = append(cases, "<system-out>"+escaped(text)+"</system-out>"...)
		}
		cases = append(cases, "</testcase>\n"...)
	}
	tests := strings.Count(string(p.ends), "<testcase ") + len(p.counts.codes)
	p.write([]byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<testsuite name="` + escaped(p.o.Tool) + `" tests="` + strconv.Itoa(tests) +
		`" failures="` + strconv.Itoa(failed) + `">` + "\n"))
	p.write(p.ends)
	p.write(append(cases, "</testsuite>\n"...))
}

// escaped is text for an XML document.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}
