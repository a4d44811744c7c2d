package main

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// findingsText is for people: where there are many findings a table of them by code, then the first
// of each code with place and remedy, then the counts. What is shown is held until the end, since
// the table comes first; it is bounded by the number of codes.
type findingsText struct {
	*checked

	paint   paint
	columns int // of the terminal; 0 for none
	codes   []rules.CodeCount
	// mendable is whether payload fix mends some of what is shown.
	mendable bool
	shown    []byte
}

func (f *findingsText) begin(dst []byte) []byte { return dst }

// maxTold is how many findings of one code are shown in full.
const maxTold = 20

// mostShown is how many findings of a code are shown in full. Bytes that are not UTF-8 have one
// cause, however many values they are in.
func mostShown(c ledger.Code) int {
	if c == rules.InvalidUTF8 {
		return 1
	}
	return maxTold
}

// adviceToFix is what to do next where payload fix mends some of what is shown.
const adviceToFix = "Next: chargecast payload fix mends what is mechanical; then validate what it writes."

// fewFindings are so many that they need no table.
const fewFindings = 8

func (f *findingsText) problem(dst []byte, p ledger.Finding) []byte {
	if f.quiet && p.Severity == ledger.SeverityWarning {
		return dst
	}
	if f.count(p) <= mostShown(p.Code) {
		f.shown = f.append(f.shown, p)
		f.mendable = f.mendable || p.Severity == ledger.SeverityError && f.reader.Mendable(p)
	}
	return dst
}

// count counts a finding and returns how many there are of its code.
func (f *findingsText) count(p ledger.Finding) int {
	for i := range f.codes {
		if f.codes[i].Code == p.Code {
			return f.codes[i].Add(p)
		}
	}
	f.codes = append(f.codes, rules.CodeCount{})
	return f.codes[len(f.codes)-1].Add(p)
}

// append appends a finding in full.
func (f *findingsText) append(dst []byte, p ledger.Finding) []byte {
	dst = append(dst, f.file...)
	if p.Place.Line > 0 {
		dst = strconv.AppendInt(append(dst, ':'), int64(p.Place.Line), 10)
		dst = strconv.AppendInt(append(dst, ':'), int64(p.Place.Col), 10)
	}
	dst = f.severity(append(dst, ": "...), p.Severity)
	dst = append(dst, ": "...)
	if p.Subject != "" {
		dst = append(dst, p.Subject+": "...)
	}
	dst = append(dst, visible(p.Message)...)
	dst = f.paint.faint(append(dst, ' '), "["+string(p.Code)+", "+p.Basis.String()+" "+p.Clause.String()+"]"+profileOf(p, " profile ", ""))
	dst = append(dst, '\n')
	if p.Place.Wire {
		dst = append(dst, "  (in the text as it was sent)\n"...)
	}
	dst = f.excerpt(dst, p)
	if p.Help != "" {
		dst = append(append(append(dst, "  help: "...), visible(p.Help)...), '\n')
	}
	return dst
}

func (f *findingsText) severity(dst []byte, s ledger.Severity) []byte {
	if s == ledger.SeverityError {
		return f.paint.bold(dst, "error")
	}
	return f.paint.warn(dst, "warning")
}

// excerpt shows the shape of the value with a caret, as much of it as fits the terminal.
func (f *findingsText) excerpt(dst []byte, p ledger.Finding) []byte {
	text, caret, ok := f.reader.Excerpt(p)
	if !ok {
		return dst
	}
	margin := strconv.Itoa(p.Place.Line) + " | "
	text, caret = visible(text), caretColumn(text, caret)
	if f.columns > 0 {
		text, caret = around(text, caret, f.columns-len("  ")-len(margin))
	}
	dst = append(append(append(dst, "  "...), margin...), text...)
	dst = append(append(dst, '\n'), strings.Repeat(" ", 2+len(margin)-2)...)
	dst = append(append(dst, "| "...), strings.Repeat(" ", caret)...)
	return append(f.paint.bold(dst, "^"), '\n')
}

// caretColumn is the column of a character of a text once that is visible.
func caretColumn(text string, character int) int {
	for at := range text {
		if character == 0 {
			return termtext.Cells(visible(text[:at]))
		}
		character--
	}
	return termtext.Cells(visible(text)) + character
}

// around cuts a text at both ends, with … there, so that it fits the room and shows what is at a column,
// which is returned as that of the cut text.
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

// overview appends a line for each code: its number of findings, severity, column and rows.
func (f *findingsText) overview(dst []byte) []byte {
	digits, code, column := len("count"), len("code"), len("column")
	for _, c := range f.codes {
		digits, code, column = max(digits, len(strconv.Itoa(c.Count))), max(code, len(c.Code)), max(column, len(c.Column))
	}
	dst = append(dst, strings.Repeat(" ", digits-len("count"))+"count  "...)
	dst = append(dst, pad("severity", 10)+pad("code", code+2)+pad("column", column+2)+"rows\n"...)
	for _, c := range f.codes {
		n := strconv.Itoa(c.Count)
		dst = f.severity(append(dst, strings.Repeat(" ", digits-len(n))+n+"  "...), c.Severity)
		rest := strings.Repeat(" ", 10-len(c.Severity.String())) + pad(string(c.Code), code+2) + pad(c.Column, column+2) + rowsOf(c)
		dst = append(append(dst, strings.TrimRight(rest, " ")...), '\n')
	}
	return append(dst, '\n')
}

// rowsOf are the data rows that findings of a code are about.
func rowsOf(c rules.CodeCount) string {
	switch {
	case c.FirstRow == 0:
		return ""
	case c.FirstRow == c.LastRow:
		return strconv.Itoa(c.FirstRow)
	}
	return strconv.Itoa(c.FirstRow) + " to " + strconv.Itoa(c.LastRow)
}

func (f *findingsText) end(dst []byte) []byte {
	s := f.reader.Summary()
	told := s.Errors
	if !f.quiet {
		told += s.Warnings
	}
	if told > fewFindings {
		dst = f.overview(dst)
	}
	dst = append(dst, f.shown...)
	for _, c := range f.codes {
		if most := mostShown(c.Code); c.Count > most {
			dst = append(dst, f.file+": "+strconv.Itoa(c.Count-most)+" more like these: "+string(c.Code)+"\n"...)
		}
	}
	dst = append(dst, counted(strconv.Itoa(s.Rows), "row")+", "...)
	if s.Valid == s.Rows && s.Errors == 0 && !s.Unreadable && f.reader.Err() == nil {
		dst = append(dst, "all usable"...)
	} else {
		dst = append(dst, strconv.Itoa(s.Valid)+" usable"...)
	}
	if f.errors() > 0 || s.Warnings > 0 {
		dst = append(dst, "; "+counted(strconv.Itoa(f.errors()), "error")+", "+counted(strconv.Itoa(s.Warnings), "warning")...)
	}
	if f.isCutOff() {
		dst = append(dst, "; the rest of the input cannot be read"...)
	}
	if s.Unreadable && s.Errors == 0 { // by --severity
		dst = append(dst, "; the input cannot be read as a payload"...)
	}
	if s.Input != rules.InputCSV {
		dst = append(dst, "; read as "+s.Input.String()+", places are in the CSV inside"...)
	}
	dst = append(dst, "\nas of "+f.asOf.String()...)
	if !s.CurrencyChecked {
		dst = append(dst, "; the project's currency is not known and was not compared (--currency)"...)
	}
	dst = append(dst, '\n')
	if s.OrderIDsCut {
		dst = append(dst, "repeated client-orderids were looked for among the first "+strconv.Itoa(s.OrderIDs)+" only\n"...)
	}
	if f.mendable {
		dst = append(dst, adviceToFix+"\n"...)
	}
	if s.Errors > 0 && s.Rows > 0 {
		dst = append(dst, "With an error in any row the gateway creates no profile at all (L48, inferred).\n"...)
	}
	return dst
}
