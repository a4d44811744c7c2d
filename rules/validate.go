package rules

import (
	"io"

	"github.com/chargecast/chargecast/ledger"
)

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
