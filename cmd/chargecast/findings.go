package main

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
)

// commandWords turn what the library says of its options into flags.
var commandWords = strings.NewReplacer(
	"the limit of bytes", "--max-bytes", "the limit of rows", "--max-rows",
	"the gateway's own list may be given instead", "--state-codes takes the gateway's own list",
)

// fixHint leads to payload fix, which itself does not say it.
const fixHint = "; chargecast payload fix can do it"

// adviceToFix is what to do next where payload fix mends some of what is shown.
const adviceToFix = "Next: chargecast payload fix mends what is mechanical; then validate what it writes."

// fixEncodingHint leads to payload fix for a text that is not UTF-8.
func fixEncodingHint(f ledger.Finding) string {
	rule, _ := rulebook.Lookup(f.Code)
	switch {
	case strings.Contains(f.Message, "UTF-32"):
		return "; of UTF-16, chargecast payload fix --encoding utf-16le or utf-16be can do it"
	case strings.Contains(f.Message, "UTF-16"):
		return fixHint
	case f.Help == rule.Help:
		return "; chargecast payload fix --encoding NAME can do it, such as --encoding windows-1252"
	}
	return "" // the row is in two encodings
}

// inCommand returns a finding of the library with the words of the command.
func inCommand(f ledger.Finding) ledger.Finding {
	f.Help = commandWords.Replace(f.Help)
	switch f.Code {
	case rules.ColumnUnknown, rules.NoHeader:
		if rule, _ := rulebook.Lookup(f.Code); f.Help == rule.Help {
			f.Help += "; chargecast explain " + string(f.Code) + " lists them"
		}
	}
	switch f.Code {
	case rules.CSVUnquoted:
		if rule, _ := rulebook.Lookup(f.Code); f.Help == rule.Help {
			f.Help += fixHint
		}
	case rules.CSVSeparator:
		if !strings.Contains(f.Message, "vertical bars") { // a separator that payload fix does not know
			f.Help += fixHint
		}
	case rules.InvalidUTF8:
		f.Help += fixEncodingHint(f)
	}
	return f
}

// isUnreadable reports whether one of the findings is an error that keeps the input from being read as a payload.
func isUnreadable(found ledger.Findings) bool {
	for _, f := range found {
		if f.Severity == ledger.SeverityError && rules.Unreadable(f.Code) {
			return true
		}
	}
	return false
}

// tell writes findings as messages.
func (a *app) tell(found ledger.Findings) {
	for _, f := range found {
		a.log.line("chargecast: " + f.Severity.String() + ": " + findingText(f))
	}
}

// findingText is a finding on one line: the place in a text of several parts, message, help and code.
func findingText(f ledger.Finding) string {
	text := ""
	if f.Place.Line > 0 {
		text = f.Place.File + ":" + strconv.Itoa(f.Place.Line) + ":" + strconv.Itoa(f.Place.Col) + ": "
	}
	if f.Subject != "" && !strings.Contains(f.Message, f.Subject) {
		text += f.Subject + ": "
	}
	text += f.Message
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text + " (" + string(f.Code) + ")"
}

// finding writes a finding and what to do about it.
func (m *messages) finding(file string, f ledger.Finding) {
	m.line(string(report.AppendFinding(nil, file, f)))
	if f.Help != "" {
		m.line("  help: " + visible(f.Help))
	}
}

// A findingLog writes findings about payloads on stderr: the first of each code in full, and at the end a table by code
// where there are many.
type findingLog struct {
	log    *messages
	file   string // the one at hand
	counts report.FindingCounts
}

// report writes a finding unless there were many of its code, and reports whether it did.
func (l *findingLog) report(f ledger.Finding) bool {
	if l.log.quiet && f.Severity == ledger.SeverityWarning || !l.counts.Add(f) {
		return false
	}
	l.log.finding(l.file, f)
	return true
}

// finish adds the table.
func (l *findingLog) finish() {
	if !l.counts.Many() {
		return
	}
	table := l.counts.AppendTable([]byte{'\n'}, l.log.columns, false)
	l.log.line(string(termtext.TrimSpace(table)))
	if l.counts.Capped() {
		l.log.line("\nThe first of each code are shown above; chargecast validate -o ndjson lists all.")
	}
}

// A lineLog reports the findings about the lines of one file.
type lineLog struct {
	log    *messages
	in     *input // that more is about; may be nil
	file   string
	errors int // findings with SeverityError
	counts report.FindingCounts
	over   bool // a code of an error has more than are shown
	cut    bool // the file was not read to its end for that
}

// report writes a finding unless there were many of its code.
func (l *lineLog) report(err error) {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: record.JSONSyntax, Severity: ledger.SeverityError, Message: "the line cannot be read"}
	}
	if l.log.quiet && f.Severity == ledger.SeverityWarning {
		return
	}
	few := l.counts.Add(f)
	if f.Severity == ledger.SeverityError {
		l.errors++
		l.over = l.over || !few
	}
	if few {
		l.log.finding(cmp.Or(f.Place.File, l.file), f)
	}
}

// more reports a finding, and whether reading is to go on.
func (l *lineLog) more(f ledger.Finding) bool {
	if l.in != nil && l.in.err != nil { // the line is not whole
		return false
	}
	l.report(f)
	return !l.full()
}

// full reports whether an error came so often that the rest of the file, which may never end, is not to be read.
func (l *lineLog) full() bool {
	l.cut = l.over
	return l.over
}

// finish says how many findings were not reported.
func (l *lineLog) finish() {
	for line := range strings.Lines(string(l.counts.AppendRest(nil, l.file))) {
		line = strings.TrimSuffix(line, "\n")
		if l.cut { // nobody knows how many
			at := strings.LastIndex(line, ": ")
			line = line[:at] + ": more like these; the rest of the file is not read"
		}
		l.log.line(line)
	}
}
