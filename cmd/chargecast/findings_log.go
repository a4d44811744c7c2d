package main

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A findingLog writes findings about payloads on stderr: the first of each code in full, and at the end
// a table by code where there are many.
type findingLog struct {
	log   *messages
	file  string // the one at hand
	codes []rules.CodeCount
	all   int
	cut   bool // some were not written
}

// report writes a finding unless there were many of its code, and reports whether it did.
func (l *findingLog) report(f ledger.Finding) bool {
	if l.log.quiet && f.Severity == ledger.SeverityWarning {
		return false
	}
	l.all++
	if l.count(f) > mostShown(f.Code) {
		l.cut = true
		return false
	}
	l.log.finding(l.file, f)
	return true
}

// count counts a finding and returns how many there are of its code.
func (l *findingLog) count(f ledger.Finding) int {
	for i := range l.codes {
		if l.codes[i].Code == f.Code {
			return l.codes[i].Add(f)
		}
	}
	l.codes = append(l.codes, rules.CodeCount{})
	return l.codes[len(l.codes)-1].Add(f)
}

// finish adds the table.
func (l *findingLog) finish() {
	if l.all <= fewFindings {
		return
	}
	table := findingsText{checked: new(checked), codes: l.codes}
	l.log.line(strings.TrimRight(string(table.overview([]byte{'\n'})), "\n"))
	if l.cut {
		l.log.line("\nThe first of each code are shown above; chargecast validate -o ndjson lists all.")
	}
}
