package main

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// maxFindings is how many findings of one code are reported in full.
const maxFindings = 20

// A lineLog reports the findings about the lines of one file.
type lineLog struct {
	log    *messages
	file   string
	errors int // findings with SeverityError
	counts map[ledger.Code]int
	over   bool // a code of an error has more than maxFindings
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
	if l.counts == nil {
		l.counts = map[ledger.Code]int{}
	}
	l.counts[f.Code]++
	many := l.counts[f.Code] > maxFindings
	if f.Severity == ledger.SeverityError {
		l.errors++
		l.over = l.over || many
	}
	if !many {
		l.log.finding(l.file, f)
	}
}

// full reports whether an error came so often that the rest of the file, which may never end, is not
// to be read.
func (l *lineLog) full() bool {
	l.cut = l.over
	return l.over
}

// finish says how many findings were not reported.
func (l *lineLog) finish() {
	for _, code := range slices.Sorted(maps.Keys(l.counts)) {
		if n := l.counts[code]; n > maxFindings {
			text := strconv.Itoa(n-maxFindings) + " more like these"
			if l.cut {
				text = "more like these; the rest of the file is not read"
			}
			l.log.line(l.file + ": " + string(code) + ": " + text)
		}
	}
}

// lineFinding returns a finding about a line that was read.
func lineFinding(line int, code ledger.Code, message, help string) error {
	f := rulebook.Finding(code, message, help)
	f.Place = ledger.Place{Line: line, Col: 1}
	return f
}
